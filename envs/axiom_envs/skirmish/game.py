"""The facts and shapes of the skirmish for Axiom Gym.

Texts need the engine, so their module is imported on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from axiom_envs.dnd.constants import MOST_UNITS
from axiom_envs.skirmish.catalogue import Catalogue
from axiom_envs.skirmish.config import (
    PRESETS,
    SkirmishConfig,
    count_most_decisions,
    count_players,
    sizes_of,
)
from axiom_envs.skirmish.log import EVENT_KINDS
from axiom_gym.game import GameInfo, KernelGame, Layout

INFO = GameInfo(
    name="skirmish",
    version=0,
    title="Skirmish",
    summary="Two sides of creatures fight on squares by the rules of the fifth edition's SRD.",
    agents=tuple(f"player_{seat}" for seat in range(2 * MOST_UNITS)),
    dynamics="sequential",
    chance=True,
    perfect_information=False,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=count_most_decisions(),
)


def _kernel() -> ModuleType:
    from axiom_envs.skirmish import kernel

    return kernel


def _params(config: SkirmishConfig) -> Any:
    from axiom_envs.skirmish.state import Params

    return Params(config)


def _state_dtype(config: SkirmishConfig) -> np.dtype[Any]:
    from axiom_envs.skirmish.state import state_dtype

    return state_dtype(config)


def _catalogue(config: SkirmishConfig) -> Catalogue:
    sizes = sizes_of(config)
    return Catalogue(sizes.units, sizes.width, sizes.height)


def _layout(config: SkirmishConfig) -> Layout:
    from axiom_envs.skirmish.observe.layout import feature_names

    sizes = sizes_of(config)
    names = feature_names(sizes.units, sizes.width, sizes.height)
    return Layout(
        observation_shape=(len(names),),
        observation_low=-1.0,
        observation_high=1.0,
        num_choices=(_catalogue(config).size,),
        feature_names=names,
        num_players=count_players(config),
    )


def _action_kinds(config: SkirmishConfig) -> list[list[str]]:
    return [_catalogue(config).kinds()]


def _describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    from axiom_envs.skirmish.text import describe_action

    return describe_action(state, int(sub_actions[0]))


def _describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    from axiom_envs.skirmish.text import describe_sub_action

    return describe_sub_action(state, int(action))


def _sub_action_key(state: Any, player: int, k: int, action: int) -> str:
    from axiom_envs.skirmish.text import sub_action_key

    return sub_action_key(state, int(action))


def _describe_state(state: Any) -> str:
    from axiom_envs.skirmish.text import describe_state

    return describe_state(state)


def _describe_view(state: Any, player: int) -> str:
    from axiom_envs.skirmish.seen import describe_view

    return describe_view(state, player)


def _describe_turn_seen(
    before: Any, after: Any, player: int, sub_actions: Sequence[Sequence[int]]
) -> tuple[list[str], list[str]]:
    from axiom_envs.skirmish.seen import describe_turn_seen

    return describe_turn_seen(before, after, player, sub_actions)


def _describe_event(state: Any, row: Sequence[int]) -> str:
    from axiom_envs.skirmish.text import describe_event

    return describe_event(state, int(row[1]))


def _lowest_return(config: SkirmishConfig) -> float:
    """Return the lowest return if it is discounted by `gamma`; a potential is within 1/2 of 0."""
    return INFO.min_outcome - config.shaping


GAME = KernelGame(
    info=INFO,
    config=SkirmishConfig,
    presets=PRESETS,
    layout=_layout,
    lowest_return=_lowest_return,
    kernel=_kernel,
    params=_params,
    bots={
        "greedy": "axiom_envs.skirmish.bots:greedy",
        "focus_fire": "axiom_envs.skirmish.bots:focus_fire",
        "kiting": "axiom_envs.skirmish.bots:kiting",
    },
    card="axiom_envs.skirmish",
    describe_action=_describe_action,
    describe_state=_describe_state,
    describe_view=_describe_view,
    describe_turn_seen=_describe_turn_seen,
    describe_sub_action=_describe_sub_action,
    sub_action_key=_sub_action_key,
    painter="axiom_envs.skirmish.render:paint",
    action_kinds=_action_kinds,
    describe_event=_describe_event,
    event_kinds=EVENT_KINDS,
    default_opponents=("greedy", "focus_fire", "kiting"),
    state_dtype=_state_dtype,
    compiled=False,
)
