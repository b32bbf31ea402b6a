"""Pennies: a small game for tests, with chance, unequal sub-actions, random length, and bots.

In each turn every player bets on a coin: sub-action 0 is the side (2 choices), sub-action 1 the
stake (3 choices). A correct guess wins 1 + stake, a wrong one loses as much, no side pays nothing,
and a missing stake is 0. From turn `min_turns` on, each turn is the last one with a chance of
`stop` in 256. A player may be forced to one side, which is drawn at the start, and to stake 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import ENDED, ILLEGAL, NO_SUB_ACTION, RUNNING, kernel, record_dtype
from axiom_gym.rng import next_below

NUM_CHOICES = (2, 3)
MOST_PLAYERS = 4
COIN_FELL, NOTHING = 1, 2
"""Kinds of events: the coin's side, and one that narration skips."""
FEATURES = ("turn", "coin", "player", "forced", "total")

STATE = record_dtype(
    [
        ("turn", np.int16),  # turns played
        ("coin", np.int8),  # the last one thrown, -1 before the first
        ("forced_side", np.int8),
        ("over", np.int8),
        ("totals", np.int16, (MOST_PLAYERS,)),  # rewards so far
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    min_turns: int
    stop: int
    forced: int
    fault: int


@kernel
def reset(state: Any, params: Params) -> None:
    state.turn = 0
    state.coin = -1
    state.forced_side = next_below(state, 2)
    state.over = 0
    state.totals[:] = 0


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[:] = 1
    mask[0, 2] = 0
    if player == params.forced:
        mask[0, 1 - int(state.forced_side)] = 0
        mask[1, 1:] = 0


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    for p in range(actions.shape[0]):
        for k in range(2):
            if actions[p, k] < NO_SUB_ACTION or actions[p, k] >= 2 + k:
                return ILLEGAL
    if params.fault != 0 and state.turn + 1 == params.fault:
        return ILLEGAL
    coin = next_below(state, 2)
    state.coin = coin
    state.turn = int(state.turn) + 1
    if events is not None:
        events[0, 0] = 2
        events[1, 0], events[1, 1] = COIN_FELL, coin
        events[2, 0] = NOTHING
    for p in range(actions.shape[0]):
        gain = 1 + max(int(actions[p, 1]), 0)
        if actions[p, 0] == NO_SUB_ACTION:
            gain = 0
        elif actions[p, 0] != coin:
            gain = -gain
        rewards[p] = gain
        state.totals[p] = int(state.totals[p]) + gain
    if int(state.turn) >= params.min_turns and next_below(state, 256) < params.stop:
        state.over = 1
        return ENDED
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[0] = int(state.turn)
    observation[1] = int(state.coin)
    observation[2] = player
    observation[3] = int(state.forced_side) if player == params.forced else -1
    observation[4] = int(state.totals[player])


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    for p in range(returns.shape[0]):
        returns[p] = int(state.totals[p]) if state.over != 0 else 0


@kernel
def highest(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Take the last legal choice of each sub-action, without random draws."""
    for k in range(mask.shape[0]):
        for n in range(mask.shape[1]):
            if mask[k, n] != 0:
                orders[k] = n


@kernel
def lowest(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Take the first legal choice of each sub-action, without random draws."""
    for k in range(mask.shape[0]):
        for n in range(mask.shape[1] - 1, -1, -1):
            if mask[k, n] != 0:
                orders[k] = n


@dataclass(frozen=True, slots=True, kw_only=True)
class Nested:
    """An option that is a dataclass of its own."""

    depth: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PenniesConfig:
    """The options; the last two have no effect."""

    min_turns: int = 2
    stop: int = 64
    forced: int = -1
    fault: int = 0
    """The turn that the kernel refuses although its mask allows it; 0 for none."""
    labels: tuple[str, ...] = ()
    nested: Nested = field(default_factory=Nested)


def _kernel() -> ModuleType:
    import sys

    return sys.modules[__name__]


def _layout(config: PenniesConfig) -> Layout:
    return Layout(
        observation_shape=(len(FEATURES),),
        observation_low=-np.inf,
        observation_high=np.inf,
        num_choices=NUM_CHOICES,
        feature_names=FEATURES,
    )


def _params(config: PenniesConfig) -> Params:
    return Params(config.min_turns, config.stop, config.forced, config.fault)


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return f"player {player} bets {1 + int(orders[1])} on {int(orders[0])}"


def _describe_state(state: Any) -> str:
    return f"turn {int(state.turn)}, coin {int(state.coin)}"


def _describe_event(state: Any, row: Sequence[int]) -> str:
    return f"The coin shows {row[1]} in turn {int(state.turn)}" if row[0] == COIN_FELL else ""


def make_game(players: int, name: str = "pennies", version: int = 0) -> KernelGame:
    """Return the game for this number of players."""
    return KernelGame(
        info=GameInfo(
            name=name,
            version=version,
            title="Pennies",
            summary="Players bet on a coin.",
            agents=tuple(f"player_{p}" for p in range(players)),
            dynamics="simultaneous",
            chance=True,
            perfect_information=False,
            zero_sum=False,
            min_outcome=-3.0 * 2**15,
            max_outcome=3.0 * 2**15,
            max_length=None,
        ),
        config=PenniesConfig,
        presets={"short": {"min_turns": 1, "stop": 256}, "endless": {"stop": 0}},
        layout=_layout,
        kernel=_kernel,
        params=_params,
        bots={"highest": f"{__name__}:highest", "lowest": f"{__name__}:lowest"},
        describe_action=_describe_action,
        describe_state=_describe_state,
        describe_event=_describe_event,
        event_kinds={COIN_FELL: "coin"},
    )


GAME = make_game(2)
TRIO = make_game(3, "trio")
