"""Probe: a game that is solved by reading the observation, for tests of training.

In each turn a number from 0 to 3 is drawn and shown to all. Every player names a number; the one
after the shown number is illegal. A correct player scores a point, which the others pay together,
so that rewards add up to 0. With `parity`, a second sub-action says whether the number is odd, and
both must be correct. After `turns` turns the player with most points wins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import check_range
from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, kernel, record_dtype
from axiom_gym.rng import next_below

NUMBERS = 4
MOST_PLAYERS = 4

STATE = record_dtype(
    [
        ("turn", np.int16),  # turns played
        ("number", np.int8),  # the one shown now
        ("over", np.int8),
        ("points", np.int16, (MOST_PLAYERS,)),
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    turns: int
    parity: int
    players: int


@kernel
def reset(state: Any, params: Params) -> None:
    state.turn = 0
    state.number = next_below(state, NUMBERS)
    state.over = 0
    state.points[:] = 0


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[:] = 0
    mask[0, :] = 1
    mask[0, (int(state.number) + 1) % NUMBERS] = 0
    if params.parity != 0:
        mask[1, 0] = 1
        mask[1, 1] = 1


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    players = actions.shape[0]
    for p in range(players):
        for k in range(actions.shape[1]):
            if actions[p, k] >= NUMBERS:
                return ILLEGAL
    right = 0
    for p in range(players):
        hit = actions[p, 0] == int(state.number)
        if params.parity != 0 and actions[p, 1] != int(state.number) % 2:
            hit = False
        rewards[p] = 1 if hit else 0
        right += 1 if hit else 0
    for p in range(players):
        state.points[p] = int(state.points[p]) + int(rewards[p])
        if players > 1:
            rewards[p] -= (right - rewards[p]) / (players - 1)
    state.turn = int(state.turn) + 1
    state.number = next_below(state, NUMBERS)
    if int(state.turn) >= params.turns:
        state.over = 1
        return ENDED
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[:] = 0
    observation[int(state.number)] = 1


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    returns[:] = 0
    best = 0
    winners = 0
    for p in range(returns.shape[0]):
        if int(state.points[p]) > best:
            best = int(state.points[p])
    for p in range(returns.shape[0]):
        winners += 1 if int(state.points[p]) == best else 0
    if state.over == 0 or winners == returns.shape[0]:
        return
    for p in range(returns.shape[0]):
        returns[p] = 1 if int(state.points[p]) == best else -1


@kernel
def perfect(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Always answer correctly."""
    orders[0] = int(state.number)
    if params.parity != 0:
        orders[1] = int(state.number) % 2


@kernel
def wrong(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Never answer correctly."""
    orders[0] = (int(state.number) + 2) % NUMBERS
    if params.parity != 0:
        orders[1] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeConfig:
    """The options."""

    turns: int = 2
    parity: bool = False
    label: str = ""
    """An option without effect."""

    def __post_init__(self) -> None:
        check_range("turns", self.turns, 1, 100)


def _kernel() -> ModuleType:
    import sys

    return sys.modules[__name__]


def _layout(config: ProbeConfig) -> Layout:
    return Layout(
        observation_shape=(NUMBERS,),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(NUMBERS, 2) if config.parity else (NUMBERS,),
    )


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return f"names {int(orders[0])}"


def _describe_state(state: Any) -> str:
    return f"turn {int(state.turn)}, number {int(state.number)}"


def make_game(players: int, name: str = "probe", version: int = 0) -> KernelGame:
    """Return the game for this number of players."""
    return KernelGame(
        info=GameInfo(
            name=name,
            version=version,
            title=name.title(),
            summary="Players name the number that they see.",
            agents=tuple(f"player_{p}" for p in range(players)),
            dynamics="simultaneous",
            chance=True,
            perfect_information=True,
            zero_sum=players == 2,
            min_outcome=-1.0,
            max_outcome=1.0,
            max_length=100,
        ),
        config=ProbeConfig,
        presets={},
        layout=_layout,
        kernel=_kernel,
        params=lambda config: Params(config.turns, int(config.parity), players),
        bots={"perfect": f"{__name__}:perfect", "wrong": f"{__name__}:wrong"},
        describe_action=_describe_action,
        describe_state=_describe_state,
    )


GAME = make_game(2)
TRIO = make_game(3, "probe_trio")
SOLO = make_game(1, "probe_solo")
IN_TURN = dataclasses.replace(
    make_game(2, "probe_in_turn"),
    info=dataclasses.replace(make_game(2, "probe_in_turn").info, dynamics="sequential"),
)
GAMES = (GAME, TRIO, SOLO, IN_TURN)
