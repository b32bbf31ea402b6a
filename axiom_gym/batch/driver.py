"""The compiled loop over a batch of games: everything that is the same for all games.

This file is a template. As it stands it plays a game without rules. For each game,
`axiom_gym.backend.codegen` writes a copy in which the one import line below names that game's
kernel, so that Numba can cache the compiled code on disk.

This file alone determines

- when an episode begins and ends, and whether it is terminated or truncated;
- the effects of time limits, illegal actions and the three autoreset modes;
- the returns, lengths and final observations of episodes;
- when opponents decide between two steps of a learner (`axiom_gym.batch.sequence` describes the
  states of that cycle).

`step_batch` and `play_opponents` work on a range of games and touch no other game, so that threads
can share a batch.

Axis letters as in `axiom_gym.kernel`: B games, P players, V who act at once, K sub-actions, N
choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.backend.null_kernel import (
    acting,
    alive,
    bot,
    legal_actions,
    observe,
    outcome,
    reset,
    step,
)
from axiom_gym.batch.arrays import add_rewards, clear
from axiom_gym.batch.illegal import OK, collect_sub_actions, find_offence, pay_forfeits
from axiom_gym.batch.sequence import (
    begin_cycle,
    count_step,
    credit_opponents,
    has_cycle,
    has_ended_early,
    is_decided,
    is_new,
)
from axiom_gym.batch.types import (
    DISABLED,
    FORFEIT,
    RAISE,
    SAME_STEP,
    TERMINATED,
    TRUNCATED,
    Buffers,
    Options,
    Scratch,
)
from axiom_gym.kernel import (
    ENDED,
    EVERYONE,
    FAULT,
    ILLEGAL,
    RUNNING,
    entry,
    inline_kernel,
)
from axiom_gym.rng import mix_seed

CACHE = False


@inline_kernel
def _begin_episode(i: int, buffers: Buffers, params: Any) -> None:
    """Start an episode of game `i`, whose seed is the current state of the generator."""
    episode = buffers.episodes[i]
    state = buffers.states[i]
    episode.seed = int(state.rng)
    episode.length = 0
    clear(episode.returns)
    episode.ended = 0
    if has_cycle(buffers):
        begin_cycle(i, buffers)
    reset(state, params)


@inline_kernel
def _clear_turn(i: int, buffers: Buffers) -> None:
    """Clear the results of the last turn of game `i`, after a reset instead of a turn."""
    clear(buffers.episodes[i].offenders)
    buffers.episodes[i].fault = 0
    clear(buffers.rewards[i])
    buffers.terminated[i] = False
    buffers.truncated[i] = False


@inline_kernel
def _write_views(i: int, buffers: Buffers, params: Any) -> None:
    """Write observations and masks of game `i` for all who act."""
    state = buffers.states[i]
    views = buffers.masks.shape[1]
    if has_cycle(buffers) and is_decided(i, buffers):
        _write_view_at_end(i, buffers, params)
        return
    actor = acting(state, params)
    buffers.acting[i] = actor
    for v in range(views):
        p = v if actor == EVERYONE else actor
        observe(state, p, buffers.observations[i, v], params)
        legal_actions(state, p, buffers.masks[i, v], params)


@inline_kernel
def _write_view_at_end(i: int, buffers: Buffers, params: Any) -> None:
    """Write the view of a sequential game that has ended: the learner's, else the first player's.

    No player acts. The mask allows only the first choice, because a mask must never be empty.
    """
    viewer = max(int(buffers.episodes[i].learner), 0)
    observe(buffers.states[i], viewer, buffers.observations[i, 0], params)
    mask = buffers.masks[i, 0]
    clear(mask)
    mask[:, 0] = 1
    buffers.acting[i] = EVERYONE


@inline_kernel
def _finish_episode(i: int, buffers: Buffers, options: Options, params: Any) -> None:
    """Store final length and returns; in mode SAME_STEP store final views, too, and reset."""
    episode = buffers.episodes[i]
    episode.ended = 1
    episode.final_length = episode.length
    if has_cycle(buffers):
        buffers.cycles[i].final_steps = buffers.cycles[i].steps
    for p in range(buffers.rewards.shape[1]):
        episode.final_returns[p] = episode.returns[p]
    if options.autoreset == SAME_STEP:
        for p in range(buffers.rewards.shape[1]):
            observe(buffers.states[i], p, buffers.final_observations[i, p], params)
        _begin_episode(i, buffers, params)


@inline_kernel
def _advance(
    i: int, buffers: Buffers, sub_actions: Any, rewards: Any, options: Options, params: Any
) -> int:
    """Play one turn of game `i` and return 0, TERMINATED or TRUNCATED.

    sub_actions: (V, K) int64, scratch. rewards: (P,) float32, written.
    """
    episode = buffers.episodes[i]
    is_illegal = collect_sub_actions(i, buffers, sub_actions)
    code = RUNNING
    if is_illegal and options.on_illegal == FORFEIT:
        pay_forfeits(int(buffers.acting[i]), episode.offenders, options.forfeit_reward, rewards)
        code = ENDED
    elif is_illegal and buffers.acting[i] != EVERYONE:
        # The decision is left out: the state stays the same, and the same player acts again.
        clear(rewards)
    else:
        code = step(buffers.states[i], sub_actions, rewards, None, params)
        if code == ILLEGAL or code > FAULT:
            # The kernel refuses what its mask allowed, or cannot compute the turn. Truncate the
            # episode, because the turn cannot be played.
            clear(rewards)
            episode.fault = max(int(code) - FAULT, 0)
    episode.length += 1
    add_rewards(episode.returns, rewards)
    if code == ENDED:
        return TERMINATED
    # Only RUNNING is less than ENDED; all codes greater than ENDED truncate.
    return TRUNCATED if code > ENDED or 0 < options.max_turns <= episode.length else 0


@inline_kernel
def _report_end(i: int, end: int, buffers: Buffers, options: Options, params: Any) -> None:
    """Set the end flags of game `i`, and finish an episode that has ended. end: end reason or 0."""
    buffers.terminated[i] = end == TERMINATED
    buffers.truncated[i] = end == TRUNCATED
    if end != 0:
        _finish_episode(i, buffers, options, params)


@inline_kernel
def _learner_is_out(i: int, buffers: Buffers, params: Any) -> bool:
    """Return whether the learner of game `i` is eliminated."""
    learner = int(buffers.episodes[i].learner)
    return learner >= 0 and not alive(buffers.states[i], learner, params)


# Each entry below calls `_advance` and `_report_end` at one place only: every call is inlined
# together with the kernel's functions, and compile time is what a user waits for.


@inline_kernel
def _play_turn(i: int, buffers: Buffers, sub_actions: Any, options: Options, params: Any) -> None:
    """Play one turn of game `i` with the learner's actions. sub_actions: (V, K) int64, scratch."""
    episode = buffers.episodes[i]
    rewards = buffers.rewards[i]
    clear(episode.offenders)
    episode.fault = 0
    if has_ended_early(i, buffers):
        end = int(buffers.cycles[i].early_end)
        clear(rewards)
    else:
        end = _advance(i, buffers, sub_actions, rewards, options, params)
    if has_cycle(buffers):
        count_step(i, rewards, buffers)
    elif end == 0 and _learner_is_out(i, buffers, params):
        # The learner's episode ends, although the game of the others would continue.
        end = TERMINATED
    _report_end(i, end, buffers, options, params)


@inline_kernel
def _credit_opponents(
    i: int, end: int, buffers: Buffers, rewards: Any, options: Options, params: Any
) -> None:
    """Call `credit_opponents`, and report the end of the episode, if any. rewards: (P,) float32."""
    end = credit_opponents(i, end, rewards, buffers)
    if end != 0:
        _report_end(i, end, buffers, options, params)


@inline_kernel
def _play_opponents(
    i: int,
    seats: Any,
    number: int,
    buffers: Buffers,
    scratch: Scratch,
    options: Options,
    params: Any,
) -> None:
    """Do the work of `play_opponents` for game `i`. seats: (B, P) int16."""
    state, mask = buffers.states[i], buffers.masks[i, 0]
    while not is_decided(i, buffers) and (options.play_new or not is_new(i, buffers)):
        end = TERMINATED
        clear(scratch.rewards)
        if not _learner_is_out(i, buffers, params):
            actor = acting(state, params)
            if seats[i, actor] != number:
                if seats[i, actor] == 0:
                    buffers.cycles[i].opening = 0
                break
            buffers.acting[i] = actor
            legal_actions(state, actor, mask, params)
            bot(state, actor, mask, buffers.streams[i, actor], buffers.actions[i, 0], params)
            end = _advance(i, buffers, scratch.sub_actions, scratch.rewards, options, params)
        _credit_opponents(i, end, buffers, scratch.rewards, options, params)


@entry(CACHE)
def play_opponents(
    low: int,
    high: int,
    seats: Any,
    number: int,
    buffers: Buffers,
    scratch: Scratch,
    options: Options,
    params: Any,
) -> None:
    """Let a bot decide in games low..high-1 while it is to act.

    Also end the episodes of learners who are eliminated.

    seats: (B, P) int16, the number of the player at each seat: 0 is the learner, `number` this bot.
    """
    for i in range(low, high):
        _play_opponents(i, seats, number, buffers, scratch, options, params)
        _write_views(i, buffers, params)


@entry(CACHE)
def play_opponent_actions(
    which: Any, buffers: Buffers, scratch: Scratch, options: Options, params: Any
) -> None:
    """Play `buffers.actions` as one decision of opponents in some games. which: (B,) bool."""
    for i in range(which.shape[0]):
        if which[i]:
            end = _advance(i, buffers, scratch.sub_actions, scratch.rewards, options, params)
            _credit_opponents(i, end, buffers, scratch.rewards, options, params)
            _write_views(i, buffers, params)


@entry(CACHE)
def check_batch(buffers: Buffers, options: Options) -> tuple[int, int]:
    """Find the first game that cannot be stepped, and change nothing.

    Returns:
        `(OK, OK)` if all games can be stepped. `(game, OK)` if the game's episode has ended and
        autoreset is disabled. Else `(game, v * K + k)`, where sub-action `k` in row `v` is illegal.
    """
    for i in range(buffers.states.shape[0]):
        if buffers.episodes[i].ended:
            if options.autoreset == DISABLED:
                return i, OK
        elif options.on_illegal == RAISE and not has_ended_early(i, buffers):
            offence = find_offence(i, buffers)
            if offence != OK:
                return i, offence
    return OK, OK


@entry(CACHE)
def step_batch(
    low: int, high: int, buffers: Buffers, scratch: Scratch, options: Options, params: Any
) -> tuple[int, int]:
    """Step games low..high-1 with `buffers.actions`, and write all other buffers.

    In mode NEXT_STEP, reset the games whose episode has ended instead.

    Returns:
        `(OK, OK)`. If `options.check` is set, the result of `check_batch`; unless it is `(OK, OK)`,
        nothing is changed.
    """
    if options.check:
        game, offence = check_batch(buffers, options)
        if game != OK:
            return game, offence
    for i in range(low, high):
        if buffers.episodes[i].ended:
            # Only in mode NEXT_STEP: this step is the reset, and its actions are ignored.
            _begin_episode(i, buffers, params)
            _clear_turn(i, buffers)
        else:
            _play_turn(i, buffers, scratch.sub_actions, options, params)
        if not options.opponents_follow:
            _write_views(i, buffers, params)
    return OK, OK


@entry(CACHE)
def reset_batch(which: Any, seeds: Any, buffers: Buffers, params: Any) -> None:
    """Start new episodes.

    which: (B,) bool, the games. seeds: (B,) int64; -1 leaves the generators of a game as they are.
    """
    for i in range(which.shape[0]):
        if not which[i]:
            continue
        if seeds[i] >= 0:
            buffers.states[i].rng = np.uint32(seeds[i])
            for p in range(buffers.streams.shape[1]):
                buffers.streams[i, p].rng = np.uint32(mix_seed(seeds[i], p + 1))
        _begin_episode(i, buffers, params)
        _clear_turn(i, buffers)
        _write_views(i, buffers, params)


@entry(CACHE)
def write_views_batch(buffers: Buffers, params: Any) -> None:
    """Write observations and masks again, after states were changed from outside."""
    for i in range(buffers.states.shape[0]):
        _write_views(i, buffers, params)


@entry(CACHE)
def observe_batch(low: int, views: npt.NDArray[np.float32], buffers: Buffers, params: Any) -> None:
    """Write what each player sees, starting at game `low`. views: (games, P, *shape), written."""
    for i in range(views.shape[0]):
        for p in range(views.shape[1]):
            observe(buffers.states[low + i], p, views[i, p], params)


@entry(CACHE)
def find_alive(i: int, found: npt.NDArray[np.bool_], buffers: Buffers, params: Any) -> None:
    """Write which players of game `i` are not eliminated. found: (P,) bool, written."""
    for p in range(found.shape[0]):
        found[p] = alive(buffers.states[i], p, params)


@entry(CACHE)
def outcome_batch(states: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Write the current outcome of every game. returns: (B, P) float32, written."""
    for i in range(states.shape[0]):
        outcome(states[i], returns[i], params)
