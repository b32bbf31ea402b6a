"""The rules of `tally_game` as a compiled kernel with the same bits."""

from __future__ import annotations

import dataclasses
import sys
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import tally_game
from tally_game import STATE, STOP, THROW

from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED, inline_kernel, kernel
from axiom_gym.rng import mix_seed, next_below

__all__ = ["GAME", "STATE"]


class Params(NamedTuple):
    goal: int
    limit: int


@inline_kernel
def _sign(state: Any) -> None:
    found = mix_seed(0, int(state.scores[0]))
    found = mix_seed(found, int(state.scores[1]))
    found = mix_seed(found, int(state.pot))
    found = mix_seed(found, int(state.active))
    found = mix_seed(found, int(state.over))
    state.digest = np.uint32(mix_seed(found, int(state.decisions)))


@kernel
def reset(state: Any, params: Params) -> None:
    state.scores[:] = 0
    state.pot = 0
    state.active = 0
    state.over = 0
    state.decisions = 0
    _sign(state)


@kernel
def acting(state: Any, params: Params) -> int:
    return int(state.active)


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[0, STOP] = 1 if state.pot > 0 else 0
    mask[0, THROW] = 1


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    move = actions[0, 0]
    if move != STOP and move != THROW:
        return ILLEGAL
    player, die = int(state.active), 0
    state.decisions = int(state.decisions) + 1
    if move == THROW:
        die = 1 + next_below(state, 6)
        state.pot = int(state.pot) + die if die > 1 else 0
    if die < 2:
        state.scores[player] = int(state.scores[player]) + int(state.pot)
        state.pot = 0
        state.active = 1 - player
    won = int(state.scores[player]) >= params.goal
    state.over = 1 if won else 0
    _sign(state)
    rewards[player] = 1 if won else 0
    rewards[1 - player] = -1 if won else 0
    if won:
        return ENDED
    return TRUNCATED if int(state.decisions) >= params.limit else RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[0] = int(state.scores[player])
    observation[1] = int(state.scores[1 - player])
    observation[2] = int(state.pot)
    observation[3] = params.limit - int(state.decisions)


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    returns[:] = 0
    if state.over != 0:
        winner = 1 if int(state.scores[1]) >= params.goal else 0
        returns[winner] = 1
        returns[1 - winner] = -1


@kernel
def holder(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    enough = 8 + next_below(stream, 5)
    orders[0] = STOP if int(state.pot) >= enough else THROW


def _kernel() -> ModuleType:
    return sys.modules[__name__]


GAME = dataclasses.replace(
    tally_game.GAME,
    info=dataclasses.replace(tally_game.GAME.info, name="tally_twin", title="TallyTwin"),
    kernel=_kernel,
    params=lambda config: Params(config.goal, config.limit),
    bots={"holder": f"{__name__}:holder"},
    describe_event=None,
    event_kinds={},
    compiled=True,
)
