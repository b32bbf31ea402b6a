"""Brawl: a sequential game for tests, with several decisions in a row, chance, and elimination.

In a turn a player strikes up to twice, or rests, which ends the turn. A strike aims at the player a
given number of seats ahead. It hits always (`sure`) or every other time, and costs one life. The
striker receives 1/8 from the player who is hit. A player without lives is eliminated and receives
the reward of the place immediately; the last player left has the first place. After `turn_limit`
turns the remaining players share the remaining places.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import check_range
from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED, kernel, record_dtype
from axiom_gym.rng import next_below

MOST = 4
STRIKES = 2
REST = 0

STATE = record_dtype(
    [
        ("lives", np.int8, (MOST,)),
        ("active", np.int8),
        ("strikes", np.int8),  # left in this turn
        ("turn", np.int16),  # turns begun
        ("over", np.int8),
        ("paid", np.int16, (MOST,)),  # what each got so far, in 24ths
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    players: int
    lives: int
    sure: int
    turn_limit: int


@kernel
def reset(state: Any, params: Params) -> None:
    for p in range(MOST):
        state.lives[p] = params.lives if p < params.players else 0
        state.paid[p] = 0
    state.active = 0
    state.strikes = STRIKES
    state.turn = 1
    state.over = 0


@kernel
def acting(state: Any, params: Params) -> int:
    return int(state.active)


@kernel
def alive(state: Any, player: int, params: Params) -> bool:
    return int(state.lives[player]) > 0


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[:] = 0
    mask[0, REST] = 1
    for ahead in range(1, params.players):
        mask[0, ahead] = int(state.lives[(player + ahead) % params.players]) > 0


@kernel
def _pay(state: Any, player: int, amount: int, rewards: npt.NDArray[np.float32]) -> None:
    state.paid[player] = int(state.paid[player]) + amount
    rewards[player] += amount / 24.0


@kernel
def _place(rank: int, players: int) -> int:
    """Return 24 for the first and -24 for the last of 2, 3 or 4 players."""
    return 24 - 48 * rank // (players - 1)


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    action, player = int(actions[0, 0]), int(state.active)
    if action < 0 or action >= params.players:
        return ILLEGAL
    target = (player + action) % params.players
    if action != REST and int(state.lives[target]) == 0:
        return ILLEGAL
    rewards[:] = 0.0
    state.strikes = int(state.strikes) - 1
    if action == REST:
        state.strikes = 0
    elif params.sure != 0 or next_below(state, 2) == 0:
        state.lives[target] = int(state.lives[target]) - 1
        _pay(state, player, 3, rewards)
        _pay(state, target, -3, rewards)
        if int(state.lives[target]) == 0:
            left = 0
            for p in range(params.players):
                left += int(state.lives[p]) > 0
            _pay(state, target, _place(left, params.players), rewards)
            if left == 1:
                _pay(state, player, 24, rewards)
                state.over = 1
                return ENDED
    return _go_on(state, rewards, params)


@kernel
def _go_on(state: Any, rewards: npt.NDArray[np.float32], params: Params) -> int:
    """Advance to the next decision, or to the end at the limit."""
    if int(state.strikes) > 0:
        return RUNNING
    if int(state.turn) == params.turn_limit:
        left, total = 0, 0
        for p in range(params.players):
            if int(state.lives[p]) > 0:
                total += _place(left, params.players)
                left += 1
        for p in range(params.players):
            if int(state.lives[p]) > 0:
                _pay(state, p, total // left, rewards)
        state.over = 1
        return TRUNCATED
    state.turn = int(state.turn) + 1
    state.strikes = STRIKES
    state.active = (int(state.active) + 1) % params.players
    while int(state.lives[int(state.active)]) == 0:
        state.active = (int(state.active) + 1) % params.players
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    for ahead in range(params.players):
        seat = (player + ahead) % params.players
        observation[2 * ahead] = int(state.lives[seat])
        observation[2 * ahead + 1] = seat == int(state.active)
    observation[2 * params.players] = int(state.turn)
    observation[2 * params.players + 1] = int(state.strikes)


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    for p in range(returns.shape[0]):
        returns[p] = int(state.paid[p]) / 24.0 if state.over != 0 else 0.0


@kernel
def bully(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Strike the nearest player."""
    orders[0] = REST
    for ahead in range(params.players - 1, 0, -1):
        if mask[0, ahead] != 0:
            orders[0] = ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class BrawlConfig:
    """The options."""

    players: int = 3
    lives: int = 2
    sure: bool = False
    turn_limit: int = 40

    def __post_init__(self) -> None:
        check_range("players", self.players, 2, MOST)
        check_range("lives", self.lives, 1, 100)
        check_range("turn_limit", self.turn_limit, 1, 1000)


def _kernel() -> ModuleType:
    return sys.modules[__name__]


def _layout(config: BrawlConfig) -> Layout:
    return Layout(
        observation_shape=(2 * config.players + 2,),
        observation_low=0.0,
        observation_high=1000.0,
        num_choices=(config.players,),
        num_players=config.players,
    )


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return f"strikes {int(orders[0])} ahead" if orders[0] else "rests"


def _describe_state(state: Any) -> str:
    return f"turn {int(state.turn)}, player_{int(state.active)} acts, lives {state.lives.tolist()}"


GAME = KernelGame(
    info=GameInfo(
        name="brawl",
        version=0,
        title="Brawl",
        summary="Strike or rest; the last one wins.",
        agents=tuple(f"player_{p}" for p in range(MOST)),
        dynamics="sequential",
        chance=True,
        perfect_information=True,
        zero_sum=True,
        min_outcome=-20.0,
        max_outcome=20.0,
        max_length=2000,
    ),
    config=BrawlConfig,
    presets={"sudden": {"players": 4, "lives": 1, "sure": True}},
    layout=_layout,
    kernel=_kernel,
    params=lambda config: Params(config.players, config.lives, int(config.sure), config.turn_limit),
    bots={"bully": f"{__name__}:bully"},
    describe_action=_describe_action,
    describe_state=_describe_state,
    action_kinds=lambda config: [["rest", *["strike"] * (config.players - 1)]],
)
