"""The description of Quantaris for Axiom Gym: its facts and its shapes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from axiom_envs.quantaris.config import PRESETS, QuantarisConfig
from axiom_envs.quantaris.constants import CORE_HP, MAX_TURNS, SIZE, UNITS_PER_PLAYER
from axiom_envs.quantaris.features import feature_names
from axiom_envs.quantaris.log import EVENT_KINDS
from axiom_envs.quantaris.text import (
    describe_action,
    describe_event,
    describe_state,
    describe_sub_action,
    name_sub_action,
    sub_action_key,
)
from axiom_gym.game import GameInfo, KernelGame, Layout

INFO = GameInfo(
    name="quantaris",
    version=0,
    title="Quantaris",
    summary="Two players order three units each on a 9x9 board, all at once, to destroy a core.",
    agents=("player_0", "player_1"),
    dynamics="simultaneous",
    chance=False,
    perfect_information=True,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=MAX_TURNS - 1,
)


def _directions(config: QuantarisConfig) -> int:
    return 8 if config.ruleset == "0.2" else 4


def _kernel() -> ModuleType:
    from axiom_envs.quantaris import kernel

    return kernel


def _params(config: QuantarisConfig) -> Any:
    from axiom_envs.quantaris.state import make_params

    return make_params(config.ruleset, shaping=config.shaping)


def _layout(config: QuantarisConfig) -> Layout:
    directions = _directions(config)
    names = feature_names(directions)
    flat = config.obs == "features"
    return Layout(
        observation_shape=(len(names),) if flat else (SIZE, SIZE, SIZE),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(1 + 4 + directions,) * UNITS_PER_PLAYER,
        feature_names=names if flat else (),
    )


def _action_kinds(config: QuantarisConfig) -> list[list[str]]:
    kinds = ["shield", *["move"] * 4, *["pulse"] * _directions(config)]
    return [kinds] * UNITS_PER_PLAYER


def _lowest_return(config: QuantarisConfig) -> float:
    return INFO.min_outcome - CORE_HP * config.shaping


GAME = KernelGame(
    info=INFO,
    config=QuantarisConfig,
    presets=PRESETS,
    layout=_layout,
    action_kinds=_action_kinds,
    lowest_return=_lowest_return,
    kernel=_kernel,
    params=_params,
    bots={
        "greedy": "axiom_envs.quantaris.bots:greedy",
        "guardian": "axiom_envs.quantaris.bots:guardian",
    },
    card="axiom_envs.quantaris",
    describe_action=describe_action,
    describe_state=describe_state,
    describe_sub_action=describe_sub_action,
    name_sub_action=name_sub_action,
    player_marks=(r"\bA[1-3]\b|\bA\*", r"\bB[1-3]\b|\bB\*"),
    sub_action_key=sub_action_key,
    describe_event=describe_event,
    event_kinds=EVENT_KINDS,
    painter="axiom_envs.quantaris.render:paint",
)
