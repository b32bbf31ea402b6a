"""Slip: a simultaneous game for tests, in plain Python, whose kernel leaves out what `slip` names.

In each of five turns both players choose 0, 1 or 2. From turn 3 on choice 2 is illegal. The higher
choice wins 1 from the other player. Observations have `width` entries; all but two are zeros.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import check_choice
from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, record_dtype

CHOICES = 3
TURNS = 5
SLIPS = (
    *("", "reward", "added reward", "NaN reward", "observation", "one player's observation"),
    *("mask", "mask of 2", "no choice", "outcome", "field", "endless observation"),
)

STATE = record_dtype([("turn", np.int8), ("points", np.int8), ("rng", np.uint32)])
"""`points`: those of the first player; the second has as many with the other sign."""


class Params(NamedTuple):
    slip: str


def reset(state: Any, params: Params) -> None:
    state.turn = 0
    if params.slip != "field":
        state.points = 0


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[0, :2] = 0 if params.slip == "no choice" and state.turn == 2 else 1
    if params.slip != "mask" or state.turn < 2:
        mask[0, 2] = state.turn < 2
    if params.slip == "mask of 2":
        mask[0, 1] = 2


def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    if actions.max() >= CHOICES or actions.min() < 0:
        return ILLEGAL
    first = int(np.sign(actions[0, 0] - actions[1, 0]))
    state.points = int(state.points) + first
    state.turn = int(state.turn) + 1
    rewards[0] = first
    if params.slip == "added reward":
        rewards[1] -= first
    elif params.slip == "NaN reward":
        rewards[1] = np.nan
    elif params.slip != "reward" or state.turn != 3:
        rewards[1] = -first
    return ENDED if state.turn == TURNS else RUNNING


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    if params.slip == "one player's observation" and player == 1:
        return
    if params.slip != "observation" or state.turn == 0:
        observation[0] = state.turn
    endless = params.slip == "endless observation"
    observation[1] = np.inf if endless else state.points * (1 - 2 * player)
    if params.slip != "observation":
        observation[2:] = 0


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    if state.turn == TURNS:
        returns[0], returns[1] = state.points, -state.points
    elif params.slip != "outcome":
        returns[:] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipConfig:
    """The options."""

    slip: str = ""
    width: int = 2

    def __post_init__(self) -> None:
        check_choice("slip", self.slip, SLIPS)


def _kernel() -> ModuleType:
    return sys.modules[__name__]


def _layout(config: SlipConfig) -> Layout:
    return Layout(
        observation_shape=(config.width,),
        observation_low=-TURNS,
        observation_high=TURNS,
        num_choices=(CHOICES,),
    )


def _describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    return f"chooses {int(sub_actions[0])}"


GAME = KernelGame(
    info=GameInfo(
        name="slip",
        version=0,
        title="Slip",
        summary="The higher number wins, unless the kernel forgets something.",
        agents=("player_0", "player_1"),
        dynamics="simultaneous",
        chance=False,
        perfect_information=True,
        zero_sum=True,
        min_outcome=-TURNS,
        max_outcome=TURNS,
        max_length=TURNS,
    ),
    config=SlipConfig,
    layout=_layout,
    kernel=_kernel,
    params=lambda config: Params(config.slip),
    compiled=False,
    describe_action=_describe_action,
    describe_state=lambda state: f"turn {int(state.turn)}",
)
