"""The facts of Konquista, and `GAME`, which describes it to Axiom Gym."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from axiom_envs.konquista.boards import load_board
from axiom_envs.konquista.catalogue import KINDS, count_actions, decode
from axiom_envs.konquista.config import PRESETS, KonquistaConfig, count_most_decisions
from axiom_envs.konquista.constants import MAX_PLAYERS
from axiom_envs.konquista.features import feature_names
from axiom_envs.konquista.log import EVENT_KINDS
from axiom_envs.konquista.text import (
    describe_action,
    describe_event,
    describe_state,
    describe_sub_action,
    sub_action_key,
)
from axiom_gym.game import GameInfo, KernelGame, Layout

INFO = GameInfo(
    name="konquista",
    version=0,
    title="Konquista",
    summary="Two to six players place armies, attack with dice, and conquer a map of territories.",
    agents=tuple(f"player_{seat}" for seat in range(MAX_PLAYERS)),
    dynamics="sequential",
    chance=True,
    perfect_information=True,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=count_most_decisions(),
)


def _kernel() -> ModuleType:
    from axiom_envs.konquista import kernel

    return kernel


def _params(config: KonquistaConfig) -> Any:
    from axiom_envs.konquista.state import make_params

    return make_params(config)


def _layout(config: KonquistaConfig) -> Layout:
    board = load_board(config.board)
    names = feature_names(board, config.players)
    return Layout(
        observation_shape=(len(names),),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(count_actions(len(board.territories), len(board.borders)),),
        feature_names=names,
        num_players=config.players,
    )


def _action_kinds(config: KonquistaConfig) -> list[list[str]]:
    board = load_board(config.board)
    territories, borders = len(board.territories), len(board.borders)
    actions = range(count_actions(territories, borders))
    return [[KINDS[decode(action, territories, borders)[0]] for action in actions]]


GAME = KernelGame(
    info=INFO,
    config=KonquistaConfig,
    presets=PRESETS,
    layout=_layout,
    kernel=_kernel,
    params=_params,
    bots={
        "greedy": "axiom_envs.konquista.bots:greedy",
        "planner": "axiom_envs.konquista.bots:planner",
    },
    card="axiom_envs.konquista",
    describe_action=describe_action,
    describe_state=describe_state,
    describe_sub_action=describe_sub_action,
    action_kinds=_action_kinds,
    sub_action_key=sub_action_key,
    player_marks=tuple(rf"[^\W\d]+ {seat}:\d+" for seat in range(MAX_PLAYERS)),
    painter="axiom_envs.konquista.render:paint",
    describe_event=describe_event,
    event_kinds=EVENT_KINDS,
)
