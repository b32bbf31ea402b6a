"""Raft: a simultaneous game for tests, for up to 64 players, with elimination.

In each turn every player stands on the left or on the right (sub-action 0) and bails up to 3
buckets (sub-action 1), each worth 1/4. A wave comes from one side and costs the players there 1/4.
Each bucket also adds a chance of `danger` in 256 to fall overboard. A player who falls is
eliminated and pays 1/4 for each player still aboard. Eliminated players swim along (sub-action 0)
with 1 to 3 strokes (sub-action 1), without effect. After `turns` turns the raft lands, and players
aboard receive 1.
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
from axiom_gym.kernel import ENDED, ILLEGAL, NO_SUB_ACTION, RUNNING, kernel, record_dtype
from axiom_gym.rng import next_below

MOST = 64
MOST_TURNS = 100
NUM_CHOICES = (3, 4)
LEFT, RIGHT, SWIM = range(3)
LANDED = 4
"""The reward for a player who is aboard at the end, in quarters."""

STATE = record_dtype(
    [
        ("turn", np.int16),  # turns played
        ("wave", np.int8),  # the side from which the last one came, -1 before the first
        ("over", np.int8),
        ("aboard", np.int8, (MOST,)),
        ("paid", np.int16, (MOST,)),  # in quarters
        ("given", np.int8, (MOST, 2)),  # sub-actions of the last turn, as the rules got them
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    players: int
    turns: int
    danger: int


@kernel
def reset(state: Any, params: Params) -> None:
    state.turn = 0
    state.wave = -1
    state.over = 0
    for p in range(MOST):
        state.aboard[p] = p < params.players
        state.paid[p] = 0
        state.given[p, 0] = NO_SUB_ACTION
        state.given[p, 1] = NO_SUB_ACTION


@kernel
def alive(state: Any, player: int, params: Params) -> bool:
    return bool(state.aboard[player] != 0)


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    is_in = int(state.aboard[player])
    mask[:] = 1
    mask[0, LEFT] = mask[0, RIGHT] = is_in
    mask[0, SWIM] = 1 - is_in
    mask[0, 3] = 0
    mask[1, 0] = is_in


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    for p in range(params.players):
        for k in range(2):
            if actions[p, k] < NO_SUB_ACTION or actions[p, k] >= 3 + k:
                return ILLEGAL
            state.given[p, k] = actions[p, k]
    state.turn = int(state.turn) + 1
    state.wave = next_below(state, 2)
    rewards[:] = 0.0
    before, left = 0, 0
    for p in range(params.players):
        before += int(state.aboard[p])
        buckets = int(max(actions[p, 1], 0))
        if int(state.aboard[p]) == 1:
            rewards[p] = buckets - int(actions[p, 0] == int(state.wave))
            if next_below(state, 256) < params.danger * buckets:
                state.aboard[p] = 2
        left += int(state.aboard[p]) == 1
    _settle(state, rewards, left, params)
    return ENDED if state.over != 0 else RUNNING


@kernel
def _settle(state: Any, rewards: npt.NDArray[np.float32], left: int, params: Params) -> None:
    """Pay for the turn; 2 marks who fell overboard in it. rewards: in quarters."""
    if int(state.turn) >= params.turns:
        state.over = 1
    for p in range(params.players):
        if int(state.aboard[p]) == 2:
            state.aboard[p] = 0
            rewards[p] -= left
        elif int(state.aboard[p]) == 1 and state.over != 0:
            rewards[p] += LANDED
        state.paid[p] = int(state.paid[p]) + int(rewards[p])
        rewards[p] /= 4


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[0] = int(state.turn)
    observation[1] = int(state.wave)
    observation[2] = int(state.paid[player])
    for ahead in range(params.players):
        observation[3 + ahead] = int(state.aboard[(player + ahead) % params.players])


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    for p in range(returns.shape[0]):
        returns[p] = int(state.paid[p]) / 4 if state.over != 0 else 0.0


@kernel
def sailor(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Stand on the right and bail nothing; in the water, swim with all strokes."""
    is_in = mask[0, RIGHT] != 0
    orders[0] = RIGHT if is_in else SWIM
    orders[1] = 0 if is_in else 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RaftConfig:
    """The options."""

    players: int = 3
    turns: int = 30
    danger: int = 12

    def __post_init__(self) -> None:
        check_range("players", self.players, 2, MOST)
        check_range("turns", self.turns, 1, MOST_TURNS)
        check_range("danger", self.danger, 0, 256)


def _kernel() -> ModuleType:
    return sys.modules[__name__]


def _layout(config: RaftConfig) -> Layout:
    return Layout(
        observation_shape=(3 + config.players,),
        observation_low=-1000.0,
        observation_high=1000.0,
        num_choices=NUM_CHOICES,
        num_players=config.players,
    )


def _params(config: RaftConfig) -> Params:
    return Params(config.players, config.turns, config.danger)


def _describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    if k == 1:
        return f"{action} times"
    return ("stands left", "stands right", "swims")[int(action)]


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return " ".join(
        _describe_sub_action(state, player, k, int(order)) for k, order in enumerate(orders)
    )


def _describe_state(state: Any) -> str:
    aboard = np.flatnonzero(state.aboard).tolist()
    return f"turn {int(state.turn)}, wave {int(state.wave)}, aboard {aboard}"


GAME = KernelGame(
    info=GameInfo(
        name="raft",
        version=0,
        title="Raft",
        summary="Bail, and stay aboard.",
        agents=tuple(f"player_{p}" for p in range(MOST)),
        dynamics="simultaneous",
        chance=True,
        perfect_information=False,
        zero_sum=False,
        min_outcome=-(MOST + MOST_TURNS) / 4,
        max_outcome=1 + 0.75 * MOST_TURNS,
        max_length=MOST_TURNS,
    ),
    config=RaftConfig,
    presets={"sharks": {"danger": 256}, "crowd": {"players": MOST, "danger": 32, "turns": 20}},
    layout=_layout,
    kernel=_kernel,
    params=_params,
    bots={"sailor": f"{__name__}:sailor"},
    describe_action=_describe_action,
    describe_sub_action=_describe_sub_action,
    describe_state=_describe_state,
)
