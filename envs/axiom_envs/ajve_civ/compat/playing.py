"""Compiled games between built-in AIs, and compiled parts of other games.

A batch with the same seed and bots plays the same game, bit for bit.

Axis letters: G games, P players, T steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.bots import choose_by_priority, diplomat, greedy
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import SIX, VALUES
from axiom_envs.ajve_civ.kernel import legal_actions, reset, step
from axiom_envs.ajve_civ.priorities import PRIORITIES
from axiom_envs.ajve_civ.rules import (
    Choices,
    make_offers,
    take_inflection,
    take_turn,
)
from axiom_envs.ajve_civ.state import Params, make_params, state_dtype
from axiom_gym.backend.codegen import compile_function
from axiom_gym.backend.null_kernel import bot as choose_at_random
from axiom_gym.errors import UnknownNameError
from axiom_gym.kernel import RUNNING, kernel, zero_records
from axiom_gym.rng import STREAM, SeededRNG, mix_seed

PRIORITY, RANDOM, GREEDY, DIPLOMAT = range(4)
KINDS = {"random": RANDOM, "greedy": GREEDY, "diplomat": DIPLOMAT}
BUILT_IN = (*KINDS, *PRIORITIES)
"""The names of the built-in AIs. Other orders of different values are names of AIs, too."""

RESET, OFFER, TURN, INFLECTION = range(4)
"""The parts of the rules that `apply_rules` applies."""


class Scratch(NamedTuple):
    """Temporary arrays of the compiled code."""

    mask: npt.NDArray[np.int8]  # (1, 6)
    choices: npt.NDArray[np.int64]  # (P, 1)
    rewards: npt.NDArray[np.float32]  # (P,)


class Trace(NamedTuple):
    """The recordings of games; the arrays are empty if nothing is recorded."""

    states: npt.NDArray[Any]  # (G, T + 1) before each step, and at the end; or (G, 0)
    chosen: npt.NDArray[np.int8]  # (G, T, P) the value that each player chose; or (G, 0, P)


@kernel
def choose(
    state: Any, player: int, minds: Any, stream: Any, scratch: Scratch, params: Params
) -> None:
    """Write the choice of a built-in AI into `scratch.choices`.

    minds: (P, 7) int64; see `minds_of`.
    """
    choice, kind = scratch.choices[player], int(minds[player, 0])
    if kind == PRIORITY:
        choice[0] = choose_by_priority(state, player, minds[player, 1:], params)
    elif kind == RANDOM:
        legal_actions(state, player, scratch.mask, params)
        choose_at_random(state, player, scratch.mask, stream, choice, params)
    elif kind == GREEDY:
        greedy(state, player, scratch.mask, stream, choice, params)
    else:
        diplomat(state, player, scratch.mask, stream, choice, params)


@kernel
def play_games(
    states: Any, minds: Any, streams: Any, trace: Trace, scratch: Scratch, params: Params
) -> None:
    """Play games to their ends.

    states: (G,), seeded; written. minds: (G, P, 7) int64. streams: (G, P) STREAM; advanced.
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


@kernel
def play_part(part: int, state: Any, choices: Choices, params: Params) -> None:
    """Apply RESET, OFFER, TURN or INFLECTION. choices: (P, 1) int64, for the last two."""
    if part == RESET:
        reset(state, params)
    elif part == OFFER:
        make_offers(state, params)
    elif part == TURN:
        take_turn(state, choices, None, params)
    else:
        take_inflection(state, choices, None, params)


@cache
def _compiled(function: Callable[..., None]) -> Callable[..., None]:
    return compile_function(function, f"ajve_civ_{function.__name__}")


def apply_rules(part: int, state: Any, choices: Sequence[int], params: Params) -> None:
    """Apply a part of the rules to a state.

    Args:
        part: RESET, OFFER, TURN or INFLECTION.
        state: a writable record of `state_dtype`; changed.
        choices: (P,) the values that the players choose, -1 for none; empty for RESET and OFFER.
        params: the parameters of the game.
    """
    column = np.array(choices, dtype=np.int64).reshape(-1, 1)
    _compiled(play_part)(part, state, column, params)


def ask_built_in(state: Any, player: int, name: str, rng: SeededRNG, params: Params) -> int:
    """Return the value that a built-in AI of this name chooses; `rng` is advanced."""
    players = len(state["death"])
    minds = _minds_of_one(name, players)
    stream, scratch = zero_records(1, STREAM), _make_scratch(players)
    stream["rng"] = rng.state
    _compiled(choose)(state, player, minds, stream[0], scratch, params)
    rng.state = int(stream["rng"][0])
    return int(scratch.choices[player, 0])


@cache
def _minds_of_one(name: str, players: int) -> npt.NDArray[np.int64]:
    return np.repeat(minds_of([name]), players, axis=0)


def _make_scratch(players: int) -> Scratch:
    return Scratch(
        mask=np.zeros((1, SIX), np.int8),
        choices=np.zeros((players, 1), np.int64),
        rewards=np.zeros(players, np.float32),
    )


def is_built_in(name: str) -> bool:
    """Return True for the name of a built-in AI, such as "greedy" or "consent-conquer"."""
    parts = name.split("-")
    return name in KINDS or (set(parts) <= {*VALUES} and len({*parts}) == len(parts))


def minds_of(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return AIs as rows of numbers, (P, 7): the kind, then the values that it prefers, or -1.

    Raises:
        UnknownNameError: if a name is not that of a built-in AI.
    """
    rows = np.full((len(names), 1 + SIX), -1, dtype=np.int64)
    for row, name in zip(rows, names, strict=True):
        if not is_built_in(name):
            raise UnknownNameError("AI", name, BUILT_IN)
        row[0] = KINDS.get(name, PRIORITY)
        if name not in KINDS:
            wishes = [VALUES.index(value) for value in name.split("-")]
            row[1 : 1 + len(wishes)] = wishes
    return rows


def make_streams(seeds: Sequence[int], players: int) -> npt.NDArray[Any]:
    """Return the generators of the AIs, (G, P) STREAM: those of a batch with these seeds."""
    streams = zero_records(len(seeds) * players, STREAM).reshape(len(seeds), players)
    streams["rng"] = [[mix_seed(seed, p + 1) for p in range(players)] for seed in seeds]
    return streams


def play(
    lineups: Sequence[Sequence[str]], seeds: Sequence[int], config: AjveCivConfig, *, trace: bool
) -> tuple[npt.NDArray[Any], Trace]:
    """Play games between built-in AIs.

    Args:
        lineups: the names of the AIs by seat, for each game.
        seeds: the seed of each game, 0 to 2**32 - 1.
        config: the options of all games.
        trace: if True, record the games.

    Returns:
        The states at the end, (G,), and the trace.

    Raises:
        UnknownNameError: if a name is not that of a built-in AI.
    """
    games, players, steps = len(lineups), config.players, config.duration
    states = zero_records(games, state_dtype(players))
    states["rng"] = np.array(seeds, dtype=np.uint32)
    kept = zero_records(games * (steps + 1) if trace else 0, state_dtype(players))
    chosen = np.zeros((games, steps if trace else 0, players), np.int8)
    minds = np.stack([minds_of(names) for names in lineups])
    seen = Trace(kept.reshape(games, steps + 1 if trace else 0), chosen)
    streams, params = make_streams(seeds, players), make_params(config)
    _compiled(play_games)(states, minds, streams, seen, _make_scratch(players), params)
    return states, seen
