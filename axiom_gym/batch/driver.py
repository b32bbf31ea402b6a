"""The compiled loop over a batch of games: everything that is the same for all games, once.

This file is a template. It works as it stands, with the kernel of a game without rules;
`axiom_gym.backend.codegen` writes a copy of it for each game in which the one import line below
names that game's kernel, so that Numba can keep the result on disk.

What is decided here and nowhere else: when an episode begins and ends, terminated against
truncated, time limits, the three autoreset modes, illegal actions, returns and lengths of episodes,
which observation stands at the end of an episode, and when opponents decide between two steps of a
learner (the states of that are in `axiom_gym.batch.sequence`). `step_batch` and `play_opponents`
work on a range of games and touch no other, so that threads may share a batch.

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
    """Starts an episode of game `i`; the generator's present state thereby is its seed."""
    episode = buffers.episodes[i]
    state = buffers.states[i]
    episode.seed = state.rng
    episode.length = 0
    episode.returns[:] = 0.0
    episode.ended = 0
    if has_cycle(buffers):
        begin_cycle(i, buffers)
    reset(state, params)


@inline_kernel
def _clear_turn(i: int, buffers: Buffers) -> None:
    """Clear what game `i` reports of its last turn, where no turn was played."""
    buffers.episodes[i].offenders[:] = 0
    buffers.episodes[i].fault = 0
    buffers.rewards[i, :] = 0.0
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
    """Write what the learner, else the first player, sees of a sequential game that has ended.

    Nobody acts. The mask allows the first choice alone, since none must ever be empty.
    """
    viewer = max(int(buffers.episodes[i].learner), 0)
    observe(buffers.states[i], viewer, buffers.observations[i, 0], params)
    buffers.masks[i, 0] = 0
    buffers.masks[i, 0, :, 0] = 1
    buffers.acting[i] = EVERYONE


@inline_kernel
def _finish_episode(i: int, buffers: Buffers, options: Options, params: Any) -> None:
    """Keeps lengths and returns; in mode SAME_STEP also the final views, and starts anew."""
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
    """Plays one turn of game `i`; returns 0, TERMINATED or TRUNCATED.

    sub_actions: (V, K) int64, scratch. rewards: (P,) float32, written.
    """
    episode = buffers.episodes[i]
    is_illegal = collect_sub_actions(i, buffers, sub_actions)
    code = RUNNING
    if is_illegal and options.on_illegal == FORFEIT:
        pay_forfeits(int(buffers.acting[i]), episode.offenders, rewards)
        code = ENDED
    elif is_illegal and buffers.acting[i] != EVERYONE:
        # The one order of a decision is left out: nothing happens, and the player is asked again.
        rewards[:] = 0.0
    else:
        code = step(buffers.states[i], sub_actions, rewards, None, params)
        if code == ILLEGAL or code > FAULT:
            # The kernel refuses what its mask allowed, or cannot compute the turn: the episode ends
            # as if by a limit, rather than going on without a move.
            rewards[:] = 0.0
            episode.fault = max(code - FAULT, 0)
    episode.length += 1
    for p in range(rewards.shape[0]):
        episode.returns[p] += rewards[p]
    if code == ENDED:
        return TERMINATED
    # Of the codes only RUNNING is below ENDED, and all above it truncate.
    return TRUNCATED if code > ENDED or 0 < options.max_turns <= episode.length else 0


@inline_kernel
def _report_end(i: int, end: int, buffers: Buffers, options: Options, params: Any) -> None:
    """Report how the episode of game `i` ended, if it did, and finish it."""
    buffers.terminated[i] = end == TERMINATED
    buffers.truncated[i] = end == TRUNCATED
    if end != 0:
        _finish_episode(i, buffers, options, params)


@inline_kernel
def _learner_is_out(i: int, buffers: Buffers, params: Any) -> bool:
    """Return whether the learner of game `i` has dropped out of it."""
    learner = int(buffers.episodes[i].learner)
    return learner >= 0 and not alive(buffers.states[i], learner, params)


# `_advance` and `_report_end` are called at one place in each entry below: a call is compiled into
# its caller as a whole, with the kernel's functions, and compiling is what a user waits for.


@inline_kernel
def _play_turn(i: int, buffers: Buffers, sub_actions: Any, options: Options, params: Any) -> None:
    """Play one turn of game `i`, the learner's. sub_actions: (V, K) int64, scratch."""
    episode = buffers.episodes[i]
    rewards = buffers.rewards[i]
    episode.offenders[:] = 0
    episode.fault = 0
    if has_ended_early(i, buffers):
        end = int(buffers.cycles[i].early_end)
        rewards[:] = 0.0
    else:
        end = _advance(i, buffers, sub_actions, rewards, options, params)
    if has_cycle(buffers):
        count_step(i, rewards, buffers)
    elif end == 0 and _learner_is_out(i, buffers, params):
        # Its episode is over, though the others' game would go on.
        end = TERMINATED
    _report_end(i, end, buffers, options, params)


@inline_kernel
def _credit_opponents(
    i: int, end: int, buffers: Buffers, rewards: Any, options: Options, params: Any
) -> None:
    """As `credit_opponents`; reports an end. rewards: (P,) float32."""
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
    """As `play_opponents`, for game `i`. seats: (B, P) int16."""
    state, mask = buffers.states[i], buffers.masks[i, 0]
    while not is_decided(i, buffers) and (options.play_new or not is_new(i, buffers)):
        end = TERMINATED
        scratch.rewards[:] = 0.0
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
    """Let a bot decide for opponents in games low..high-1 until it is somebody else's turn.

    An episode also ends here where its learner is out of the game.

    seats: (B, P) int16, who plays; 0 is the learner, and this bot plays where it equals `number`.
    """
    for i in range(low, high):
        _play_opponents(i, seats, number, buffers, scratch, options, params)
        _write_views(i, buffers, params)


@entry(CACHE)
def play_opponent_actions(
    which: Any, buffers: Buffers, scratch: Scratch, options: Options, params: Any
) -> None:
    """Play `buffers.actions` as one decision of opponents. which: (B,) bool, the games."""
    for i in range(which.shape[0]):
        if which[i]:
            end = _advance(i, buffers, scratch.sub_actions, scratch.rewards, options, params)
            _credit_opponents(i, end, buffers, scratch.rewards, options, params)
            _write_views(i, buffers, params)


@entry(CACHE)
def check_batch(buffers: Buffers, options: Options) -> tuple[int, int]:
    """Looks for what forbids a step before anything is touched.

    Returns:
        `(game, offence)` of the first game that cannot be stepped: `offence` is OK where its
        episode has ended and autoreset is off, else the illegal order as v * K + k. `(OK, OK)` if
        all games can be stepped.
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
    """Steps games low..high-1 with `buffers.actions` and writes all other buffers.

    A game that is to be reset is reset instead.

    Returns:
        What `check_batch` returns if `options.check` is set, and nothing was touched then unless it
        is `(OK, OK)`.
    """
    if options.check:
        game, offence = check_batch(buffers, options)
        if game != OK:
            return game, offence
    for i in range(low, high):
        if buffers.episodes[i].ended:
            # Only in mode NEXT_STEP: this step is the reset, and its actions do not count.
            _begin_episode(i, buffers, params)
            _clear_turn(i, buffers)
        else:
            _play_turn(i, buffers, scratch.sub_actions, options, params)
        if not options.opponents_follow:
            _write_views(i, buffers, params)
    return OK, OK


@entry(CACHE)
def reset_batch(which: Any, seeds: Any, buffers: Buffers, params: Any) -> None:
    """Starts new episodes.

    which: (B,) bool. seeds: (B,) int64, where -1 lets a game's generators go on as they are.
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
    """Write observations and masks anew from the states, after these were set from outside."""
    for i in range(buffers.states.shape[0]):
        _write_views(i, buffers, params)


@entry(CACHE)
def observe_batch(low: int, views: npt.NDArray[np.float32], buffers: Buffers, params: Any) -> None:
    """Write what each player sees, from game `low` on. views: (games, P, *shape), written."""
    for i in range(views.shape[0]):
        for p in range(views.shape[1]):
            observe(buffers.states[low + i], p, views[i, p], params)


@entry(CACHE)
def find_alive(i: int, found: npt.NDArray[np.bool_], buffers: Buffers, params: Any) -> None:
    """Writes which players of game `i` still take part. found: (P,) bool, written."""
    for p in range(found.shape[0]):
        found[p] = alive(buffers.states[i], p, params)


@entry(CACHE)
def outcome_batch(states: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Writes the outcome of every game as it stands. returns: (B, P) float32."""
    for i in range(states.shape[0]):
        outcome(states[i], returns[i], params)
