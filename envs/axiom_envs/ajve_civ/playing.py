"""Whole games between built-in AIs, by compiled code.

A game with a seed is the same, bit for bit, as one that a batch plays with the same seed and bots.

Axis letters: G games, P peoples, T steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.bots import choose_by_priority, diplomat, greedy
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.kernel import legal_actions, reset, step
from axiom_envs.ajve_civ.priorities import PRIORITIES, numbers_of
from axiom_envs.ajve_civ.state import SIX, Params, make_params, state_dtype
from axiom_gym.codegen import compile_function
from axiom_gym.errors import UnknownNameError
from axiom_gym.kernel import RUNNING, inner_kernel, kernel, zero_records
from axiom_gym.null_kernel import bot as choose_at_random
from axiom_gym.rng import STREAM, mix_seed

PRIORITY, RANDOM, GREEDY, DIPLOMAT = range(4)
KINDS = {"random": RANDOM, "greedy": GREEDY, "diplomat": DIPLOMAT}
BUILT_IN = (*KINDS, *PRIORITIES)
"""The names of all built-in AIs."""


class Scratch(NamedTuple):
    """What playing writes for itself."""

    mask: npt.NDArray[np.int8]  # (1, 6)
    choices: npt.NDArray[np.int64]  # (P, 1)
    rewards: npt.NDArray[np.float32]  # (P,)


class Trace(NamedTuple):
    """How games went; empty arrays where nobody wants to know."""

    states: npt.NDArray[Any]  # (G, T + 1) before each step, and at the end; (G, 0)
    chosen: npt.NDArray[np.int8]  # (G, T, P) the value that each people chose; (G, 0, P)


@inner_kernel
def choose(
    state: Any, player: int, minds: Any, stream: Any, scratch: Scratch, params: Params
) -> None:
    """Writes what a built-in AI chooses into `scratch.choices`.

    minds: (P, 4) int64; see `minds_of`.
    """
    order, kind = scratch.choices[player], int(minds[player, 0])
    if kind == PRIORITY:
        first, second, third = minds[player, 1], minds[player, 2], minds[player, 3]
        order[0] = choose_by_priority(state, player, first, second, third, params)
    elif kind == RANDOM:
        legal_actions(state, player, scratch.mask, params)
        choose_at_random(state, player, scratch.mask, stream, order, params)
    elif kind == GREEDY:
        greedy(state, player, scratch.mask, stream, order, params)
    else:
        diplomat(state, player, scratch.mask, stream, order, params)


@kernel
def play_games(
    states: Any, minds: Any, streams: Any, trace: Trace, scratch: Scratch, params: Params
) -> None:
    """Plays games to their ends.

    states: (G,), seeded, written. minds: (G, P, 4) int64. streams: (G, P) STREAM, advanced.
    """
    for g in range(states.shape[0]):
        state, code = states[g], RUNNING
        reset(state, params)
        while code == RUNNING:
            turn = int(state.turn)
            for player in range(minds.shape[1]):
                choose(state, player, minds[g], streams[g, player], scratch, params)
            if trace.states.shape[1] != 0:
                trace.states[g, turn] = state
                for player in range(minds.shape[1]):
                    trace.chosen[g, turn, player] = scratch.choices[player, 0]
            code = step(state, scratch.choices, scratch.rewards, None, params)
        if trace.states.shape[1] != 0:
            trace.states[g, int(state.turn)] = state


@cache
def _compiled() -> Callable[..., None]:
    return compile_function(play_games, "ajve_civ_games")


def minds_of(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The AIs of these names as numbers, (P, 4): the kind, and the values that it prefers.

    Raises:
        UnknownNameError: for a name that is no built-in AI's.
    """
    rows = []
    for name in names:
        if name not in BUILT_IN:
            raise UnknownNameError("AI", name, BUILT_IN)
        wishes = numbers_of(name) if name in PRIORITIES else (-1, -1, -1)
        rows.append((KINDS.get(name, PRIORITY), *wishes))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def make_streams(seeds: Sequence[int], players: int) -> npt.NDArray[Any]:
    """Generators for the AIs that draw, (G, P) STREAM: those that a batch has with these seeds."""
    streams = zero_records(len(seeds) * players, STREAM).reshape(len(seeds), players)
    streams["rng"] = [[mix_seed(seed, p + 1) for p in range(players)] for seed in seeds]
    return streams


def play(
    lineups: Sequence[Sequence[str]], seeds: Sequence[int], config: AjveCivConfig, *, trace: bool
) -> tuple[npt.NDArray[Any], Trace]:
    """Plays games between built-in AIs.

    Args:
        lineups: the names of the AIs by seat, for each game.
        seeds: of each game, 0 to 2**32 - 1.
        config: of all games.
        trace: whether to keep how they went.

    Returns:
        The states at the end, (G,), and the trace.

    Raises:
        UnknownNameError: for a name that is no built-in AI's.
    """
    games, players, steps = len(lineups), config.players, config.duration
    states = zero_records(games, state_dtype(players))
    states["rng"] = np.array(seeds, dtype=np.uint32)
    kept = zero_records(games * (steps + 1) if trace else 0, state_dtype(players))
    chosen = np.zeros((games, steps if trace else 0, players), np.int8)
    minds = np.stack([minds_of(names) for names in lineups])
    scratch = Scratch(
        mask=np.zeros((1, SIX), np.int8),
        choices=np.zeros((players, 1), np.int64),
        rewards=np.zeros(players, np.float32),
    )
    seen = Trace(kept.reshape(games, steps + 1 if trace else 0), chosen)
    _compiled()(states, minds, make_streams(seeds, players), seen, scratch, make_params(config))
    return states, seen
