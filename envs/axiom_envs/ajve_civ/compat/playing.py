"""What compiled code plays: whole games between built-in AIs, and single parts of others.

A game with a seed is the same, bit for bit, as one that a batch plays with the same seed and bots.

Axis letters: G games, P peoples, T steps; all have six values.
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
"""The names of the built-in AIs; any other order of different values names a priority AI too."""

RESET, OFFER, TURN, INFLECTION = range(4)
"""The parts of the rules that `apply_rules` applies."""


class Scratch(NamedTuple):
    """What playing writes for itself."""

    mask: npt.NDArray[np.int8]  # (1, 6)
    choices: npt.NDArray[np.int64]  # (P, 1)
    rewards: npt.NDArray[np.float32]  # (P,)


class Trace(NamedTuple):
    """How games went; empty arrays where nobody wants to know."""

    states: npt.NDArray[Any]  # (G, T + 1) before each step, and at the end; (G, 0)
    chosen: npt.NDArray[np.int8]  # (G, T, P) the value that each people chose; (G, 0, P)


@kernel
def choose(
    state: Any, player: int, minds: Any, stream: Any, scratch: Scratch, params: Params
) -> None:
    """Writes what a built-in AI chooses into `scratch.choices`.

    minds: (P, 7) int64; see `minds_of`.
    """
    order, kind = scratch.choices[player], int(minds[player, 0])
    if kind == PRIORITY:
        order[0] = choose_by_priority(state, player, minds[player, 1:], params)
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

    states: (G,), seeded, written. minds: (G, P, 7) int64. streams: (G, P) STREAM, advanced.
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
    """RESET, OFFER, TURN or INFLECTION. choices: (P, 1) int64, of the latter two."""
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
    """Applies a part of the rules to a state, which is changed.

    Args:
        part: RESET, OFFER, TURN or INFLECTION.
        state: a record of `state_dtype`, writable.
        choices: (P,) the values that the peoples choose, -1 for none; empty for RESET and OFFER.
        params: of the game.
    """
    column = np.array(choices, dtype=np.int64).reshape(-1, 1)
    _compiled(play_part)(part, state, column, params)


def ask_built_in(state: Any, player: int, name: str, rng: SeededRNG, params: Params) -> int:
    """The value that a built-in AI of this name chooses; its generator is advanced."""
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
    """Whether a name is that of a built-in AI, such as "greedy" or "consent-conquer"."""
    parts = name.split("-")
    return name in KINDS or (set(parts) <= {*VALUES} and len({*parts}) == len(parts))


def minds_of(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The AIs of these names as numbers, (P, 7): the kind, and the values that it prefers, or -1.

    Raises:
        UnknownNameError: for a name that is no built-in AI's.
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
    seen = Trace(kept.reshape(games, steps + 1 if trace else 0), chosen)
    streams, params = make_streams(seeds, players), make_params(config)
    _compiled(play_games)(states, minds, streams, seen, _make_scratch(players), params)
    return states, seen
