"""The description of AjveCiv for Axiom Gym: its facts and its shapes."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from axiom_envs.ajve_civ.config import PRESETS, AjveCivConfig
from axiom_envs.ajve_civ.constants import MAX_DURATION, MAX_PLAYERS, VALUES
from axiom_envs.ajve_civ.features import feature_names
from axiom_envs.ajve_civ.log import EVENT_KINDS
from axiom_envs.ajve_civ.priorities import PRIORITIES, function_name
from axiom_envs.ajve_civ.text import (
    describe_action,
    describe_event,
    describe_state,
    describe_sub_action,
    sub_action_key,
)
from axiom_gym.game import GameInfo, KernelGame, Layout

if TYPE_CHECKING:
    import numpy as np

INFO = GameInfo(
    name="ajve_civ",
    version=0,
    title="AjveCiv",
    summary="Peoples act at once on six values; feelings decide who trades and who is robbed.",
    agents=tuple(f"player_{seat}" for seat in range(MAX_PLAYERS)),
    dynamics="simultaneous",
    chance=True,
    perfect_information=False,
    zero_sum=False,
    min_outcome=-2.0,
    max_outcome=2.0,
    max_length=MAX_DURATION,
)


def _kernel() -> ModuleType:
    from axiom_envs.ajve_civ import kernel

    return kernel


def _state_dtype(config: AjveCivConfig) -> np.dtype[Any]:
    from axiom_envs.ajve_civ.state import state_dtype

    return state_dtype(config.players)


def _params(config: AjveCivConfig) -> Any:
    from axiom_envs.ajve_civ.state import make_params

    return make_params(config)


def _layout(config: AjveCivConfig) -> Layout:
    names = feature_names(config.players)
    return Layout(
        observation_shape=(len(names),),
        observation_low=-1.0,
        observation_high=1.0,
        num_choices=(len(VALUES),),
        feature_names=names,
        num_players=config.players,
    )


def _action_kinds(config: AjveCivConfig) -> list[tuple[str, ...]]:
    return [VALUES]


GAME = KernelGame(
    info=INFO,
    config=AjveCivConfig,
    presets=PRESETS,
    layout=_layout,
    kernel=_kernel,
    state_dtype=_state_dtype,
    params=_params,
    bots={
        "greedy": "axiom_envs.ajve_civ.bots:greedy",
        "diplomat": "axiom_envs.ajve_civ.bots:diplomat",
        **{name: f"axiom_envs.ajve_civ.bots:{function_name(name)}" for name in PRIORITIES},
    },
    default_opponents=("greedy", "diplomat", "develop-consent", "conquer-develop"),
    card="axiom_envs.ajve_civ",
    describe_action=describe_action,
    describe_state=describe_state,
    describe_sub_action=describe_sub_action,
    player_marks=tuple(rf"\b[Pp]eople {seat + 1}\b" for seat in range(MAX_PLAYERS)),
    action_kinds=_action_kinds,
    sub_action_key=sub_action_key,
    painter="axiom_envs.ajve_civ.render:paint",
    describe_event=describe_event,
    event_kinds=EVENT_KINDS,
)
