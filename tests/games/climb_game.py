"""Climb: a small game for one player, for tests: chance, a real-valued outcome, a time limit.

In each turn the climber rests (0), steps (1), leaps (2) or uses a broken tool (3), which the rules
cannot compute: a fault. A turn at height h pays a quarter of h. A step adds 1 to the height. A leap
adds 2, but one leap in `danger` is a fall to 0, which costs 1.5. A leap cannot follow a leap, and
the tool exists only with `tool`. After the third fall the game ends; after `limit` turns it is
truncated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import check_range
from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import (
    ENDED,
    FAULT,
    ILLEGAL,
    NO_SUB_ACTION,
    RUNNING,
    TRUNCATED,
    kernel,
    record_dtype,
)
from axiom_gym.rng import next_below

REST, STEP, LEAP, TOOL = range(4)
MOST_FALLS = 3
MOST_TURNS = 100
LOWEST = -1.5 * MOST_FALLS
HIGHEST = 0.5 * MOST_TURNS * (MOST_TURNS - 1) / 2
FEATURES = ("turns_left", "height", "falls", "leapt", "score")
BROKEN = 7
"""The number of the tool's fault."""

STATE = record_dtype(
    [
        ("turn", np.int16),  # turns played
        ("height", np.int16),
        ("falls", np.int8),
        ("leapt", np.int8),  # 1 if the last turn was a leap
        ("over", np.int8),
        ("quarters", np.int32),  # the score, times 4
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    limit: int
    danger: int
    tool: int


@kernel
def reset(state: Any, params: Params) -> None:
    state.turn = 0
    state.height = 0
    state.falls = 0
    state.leapt = 0
    state.over = 0
    state.quarters = 0


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[:] = 1
    if state.leapt != 0:
        mask[0, LEAP] = 0
    if params.tool == 0:
        mask[0, TOOL] = 0


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    move = actions[0, 0]
    if move < NO_SUB_ACTION or move > TOOL:
        return ILLEGAL
    draw = next_below(state, params.danger)
    if move == TOOL:
        rewards[0] = -99.0
        return FAULT + BROKEN
    gained = int(state.height)
    if move == LEAP and draw == 0:
        state.height = 0
        state.falls = int(state.falls) + 1
        gained -= 6
    elif move > REST:
        state.height = int(state.height) + int(move)
    state.leapt = 1 if move == LEAP else 0
    state.turn = int(state.turn) + 1
    state.quarters = int(state.quarters) + gained
    rewards[0] = gained / 4
    if int(state.falls) >= MOST_FALLS:
        state.over = 1
        return ENDED
    if int(state.turn) >= params.limit:
        state.over = 1
        return TRUNCATED
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[0] = params.limit - int(state.turn)
    observation[1] = int(state.height)
    observation[2] = int(state.falls)
    observation[3] = int(state.leapt)
    observation[4] = int(state.quarters) / 4


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    returns[0] = int(state.quarters) / 4 if state.over != 0 else 0.0


@kernel
def careful(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Step in every turn, and so never fall."""
    orders[0] = STEP


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbConfig:
    """The options."""

    limit: int = 30
    """Turns after which the game is truncated."""
    danger: int = 3
    """One leap in this number is a fall."""
    tool: bool = False
    """If True, the broken tool exists."""

    def __post_init__(self) -> None:
        check_range("limit", self.limit, 1, MOST_TURNS)
        check_range("danger", self.danger, 1, 1000)


def _kernel() -> ModuleType:
    import sys

    return sys.modules[__name__]


def _layout(config: ClimbConfig) -> Layout:
    return Layout(
        observation_shape=(len(FEATURES),),
        observation_low=LOWEST,
        observation_high=HIGHEST,
        num_choices=(4,),
        feature_names=FEATURES,
    )


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return _describe_sub_action(state, player, 0, orders[0])


def _describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    return ("rests", "steps", "leaps", "takes the tool")[int(action)]


def _describe_state(state: Any) -> str:
    return f"turn {int(state.turn)}, height {int(state.height)}, {int(state.quarters) / 4:g} points"


def _describe_fault(config: ClimbConfig, number: int) -> str:
    return f"fault {number}: the tool is broken, limit {config.limit}"


GAME = KernelGame(
    info=GameInfo(
        name="climb",
        version=0,
        title="Climb",
        summary="A climber gains height and points.",
        agents=("player_0",),
        dynamics="simultaneous",
        chance=True,
        perfect_information=True,
        zero_sum=False,
        min_outcome=LOWEST,
        max_outcome=HIGHEST,
        max_length=MOST_TURNS,
    ),
    config=ClimbConfig,
    presets={"short": {"limit": 5}},
    layout=_layout,
    kernel=_kernel,
    params=lambda config: Params(config.limit, config.danger, int(config.tool)),
    bots={"careful": f"{__name__}:careful"},
    describe_action=_describe_action,
    describe_state=_describe_state,
    describe_sub_action=_describe_sub_action,
    describe_fault=_describe_fault,
)
