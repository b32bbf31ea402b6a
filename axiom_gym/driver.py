"""The compiled loop over a batch of games: everything that is the same for all games, once.

This file is a template. It works as it stands, with the kernel of a game without rules;
`axiom_gym.codegen` writes a copy of it for each game in which the one import line below names that
game's kernel, so that Numba can keep the result on disk.

What is decided here and nowhere else: when an episode begins and ends, terminated against
truncated, time limits, the three autoreset modes, illegal actions, returns and lengths of episodes,
and which observation stands at the end of an episode. `step_batch` works on a range of games
and touches no other, so that threads may share a batch.

Axis letters as in `axiom_gym.kernel`: B games, P players, K orders, N choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch_types import DISABLED, FORFEIT, RAISE, SAME_STEP, Buffers, Rules
from axiom_gym.kernel import ENDED, FAULT, ILLEGAL, NO_ORDER, entry, inline_kernel, inner_kernel
from axiom_gym.null_kernel import legal_actions, observe, outcome, reset, step
from axiom_gym.rng import mix_seed

CACHE = False

OK = -1
"""What `check_batch` returns when every game can be stepped."""


@inline_kernel
def _begin_episode(i: int, buffers: Buffers, params: Any) -> None:
    """Starts an episode of game `i`; the generator's present state thereby is its seed."""
    episode = buffers.episodes[i]
    state = buffers.states[i]
    episode.seed = state.rng
    episode.length = 0
    episode.returns[:] = 0.0
    episode.ended = 0
    reset(state, params)


@inline_kernel
def _forget_turn(i: int, buffers: Buffers) -> None:
    """Clears what game `i` tells of its last turn, where no turn was played."""
    buffers.episodes[i].offenders = 0
    buffers.episodes[i].fault = 0
    buffers.rewards[i, :] = 0.0
    buffers.terminated[i] = False
    buffers.truncated[i] = False


@inline_kernel
def _look(i: int, buffers: Buffers, params: Any) -> None:
    """Writes observations and masks of game `i` for all players."""
    for p in range(buffers.masks.shape[1]):
        observe(buffers.states[i], p, buffers.observations[i, p], params)
        legal_actions(buffers.states[i], p, buffers.masks[i, p], params)


@inline_kernel
def _is_illegal(i: int, p: int, k: int, buffers: Buffers) -> bool:
    """Whether the action for order `k` of player `p` in game `i` is out of range or masked."""
    action = buffers.actions[i, p, k]
    if action < 0 or action >= buffers.masks.shape[3]:
        return True
    return bool(buffers.masks[i, p, k, action] == 0)


@inline_kernel
def _collect_orders(i: int, buffers: Buffers, orders: npt.NDArray[np.int64]) -> int:
    """Copies the actions of game `i`, illegal ones as NO_ORDER; returns the offenders as bits.

    orders: (P, K), written.
    """
    offenders = 0
    for p in range(orders.shape[0]):
        for k in range(orders.shape[1]):
            orders[p, k] = buffers.actions[i, p, k]
            if _is_illegal(i, p, k, buffers):
                offenders |= 1 << p
                orders[p, k] = NO_ORDER
    return offenders


@inner_kernel
def _forfeit(offenders: int, rewards: npt.NDArray[np.float32]) -> None:
    """Offenders get -1, the others share their loss; if all of several offend, nobody gets any.

    rewards: (P,) float32, written.
    """
    players = rewards.shape[0]
    count = 0
    for p in range(players):
        count += (offenders >> p) & 1
    for p in range(players):
        if count == players and players > 1:
            rewards[p] = 0.0
        elif (offenders >> p) & 1:
            rewards[p] = -1.0
        else:
            rewards[p] = count / (players - count)


@inline_kernel
def _finish_episode(i: int, buffers: Buffers, rules: Rules, params: Any) -> None:
    """Keeps length and returns; in mode SAME_STEP also the final view, and starts anew."""
    episode = buffers.episodes[i]
    episode.ended = 1
    episode.final_length = episode.length
    for p in range(buffers.masks.shape[1]):
        episode.final_returns[p] = episode.returns[p]
    if rules.autoreset == SAME_STEP:
        for p in range(buffers.masks.shape[1]):
            observe(buffers.states[i], p, buffers.final_observations[i, p], params)
        _begin_episode(i, buffers, params)


@inline_kernel
def _play_turn(i: int, buffers: Buffers, orders: Any, rules: Rules, params: Any) -> None:
    """One turn of game `i`, with all that follows from it. orders: (P, K) int64, scratch."""
    episode = buffers.episodes[i]
    rewards = buffers.rewards[i]
    offenders = _collect_orders(i, buffers, orders)
    episode.offenders = offenders
    fault = 0
    if offenders != 0 and rules.on_illegal == FORFEIT:
        _forfeit(offenders, rewards)
        code = ENDED
    else:
        code = step(buffers.states[i], orders, rewards, None, params)
        if code == ILLEGAL or code > FAULT:
            # The kernel refuses what its mask allowed, or cannot compute the turn: the episode ends
            # as if by a limit, rather than going on without a move.
            rewards[:] = 0.0
            fault = max(code - FAULT, 0)
    episode.fault = fault
    episode.length += 1
    for p in range(rewards.shape[0]):
        episode.returns[p] += rewards[p]
    terminated = code == ENDED
    # Of the codes only RUNNING is below ENDED, and all above it truncate.
    truncated = code > ENDED or (not terminated and 0 < rules.max_turns <= episode.length)
    buffers.terminated[i] = terminated
    buffers.truncated[i] = truncated
    if terminated or truncated:
        _finish_episode(i, buffers, rules, params)


@inner_kernel
def _find_offence(i: int, buffers: Buffers) -> int:
    """The first illegal order of game `i` as p * K + k, or OK."""
    for p in range(buffers.masks.shape[1]):
        for k in range(buffers.masks.shape[2]):
            if _is_illegal(i, p, k, buffers):
                return p * int(buffers.masks.shape[2]) + k
    return OK


@entry(CACHE)
def check_batch(buffers: Buffers, rules: Rules) -> tuple[int, int]:
    """Looks for what forbids a step before anything is touched.

    Returns:
        `(game, offence)` of the first game that cannot be stepped: `offence` is OK where its
        episode has ended and autoreset is off, else the illegal order as p * K + k. `(OK, OK)` if
        all games can be stepped.
    """
    for i in range(buffers.states.shape[0]):
        if buffers.episodes[i].ended:
            if rules.autoreset == DISABLED:
                return i, OK
        elif rules.on_illegal == RAISE:
            offence = _find_offence(i, buffers)
            if offence != OK:
                return i, offence
    return OK, OK


@entry(CACHE)
def step_batch(
    low: int, high: int, buffers: Buffers, orders: npt.NDArray[np.int64], rules: Rules, params: Any
) -> tuple[int, int]:
    """Steps games low..high-1 with `buffers.actions` and writes all other buffers.

    A game that is to be reset is reset instead. orders: (P, K), scratch of this call alone.

    Returns:
        What `check_batch` returns if `rules.check` is set, and nothing was touched then unless it
        is `(OK, OK)`.
    """
    if rules.check:
        game, offence = check_batch(buffers, rules)
        if game != OK:
            return game, offence
    for i in range(low, high):
        if buffers.episodes[i].ended:
            # Only in mode NEXT_STEP: this step is the reset, and its actions do not count.
            _begin_episode(i, buffers, params)
            _forget_turn(i, buffers)
        else:
            _play_turn(i, buffers, orders, rules, params)
        _look(i, buffers, params)
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
        _forget_turn(i, buffers)
        _look(i, buffers, params)


@entry(CACHE)
def look_batch(buffers: Buffers, params: Any) -> None:
    """Writes observations and masks anew from the states, after these were set from outside."""
    for i in range(buffers.states.shape[0]):
        _look(i, buffers, params)


@entry(CACHE)
def outcome_batch(states: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Writes the outcome of every game as it stands. returns: (B, P) float32."""
    for i in range(states.shape[0]):
        outcome(states[i], returns[i], params)
