"""The facts of Destreect, and `GAME`, which describes it to Axiom Gym."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from axiom_envs.destreect.boards import load_board
from axiom_envs.destreect.catalogue import DEED_KEYS, PLAIN_KEYS, count_actions
from axiom_envs.destreect.config import PRESETS, DestreectConfig
from axiom_envs.destreect.constants import (
    MAX_ACTION_LIMIT,
    MAX_DEEDS,
    MAX_HOUSES,
    MAX_PLAYERS,
    MAX_TURN_LIMIT,
)
from axiom_envs.destreect.features import feature_names
from axiom_envs.destreect.log import EVENT_KINDS
from axiom_envs.destreect.text import (
    describe_action,
    describe_event,
    describe_state,
    describe_sub_action,
    sub_action_key,
)
from axiom_gym.game import GameInfo, KernelGame, Layout


def longest_turn(action_limit: int) -> int:
    """Return an upper bound on the decisions of one player turn.

    A turn has PAY, ROLL, BUY or DECLINE, and END_TURN; the raises of an auction and one PASS of
    each player; the actions of `manage`; and in debts each house on the board is sold at most once
    and each deed mortgaged at most once, because nothing is built or redeemed during a debt.
    """
    return 4 + (action_limit + MAX_PLAYERS) + action_limit + MAX_DEEDS * (MAX_HOUSES + 1)


INFO = GameInfo(
    name="destreect",
    version=0,
    title="Destreect",
    summary="Two to six players buy, auction and build on streets, and bankrupt each other.",
    agents=tuple(f"player_{seat}" for seat in range(MAX_PLAYERS)),
    dynamics="sequential",
    chance=True,
    perfect_information=False,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=MAX_TURN_LIMIT * longest_turn(MAX_ACTION_LIMIT),
)


def _kernel() -> ModuleType:
    from axiom_envs.destreect import kernel

    return kernel


def _params(config: DestreectConfig) -> Any:
    from axiom_envs.destreect.state import make_params

    return make_params(config)


def _action_kinds(config: DestreectConfig) -> list[list[str]]:
    """Return the kind of each action: the text that users type, without the space."""
    deeds = len(load_board(config.board).deeds)
    return [[*PLAIN_KEYS, *(key for key in DEED_KEYS for _ in range(deeds))]]


def _layout(config: DestreectConfig) -> Layout:
    board = load_board(config.board)
    names = feature_names(board, config.players)
    return Layout(
        observation_shape=(len(names),),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(count_actions(len(board.deeds)),),
        feature_names=names,
        num_players=config.players,
    )


GAME = KernelGame(
    info=INFO,
    config=DestreectConfig,
    presets=PRESETS,
    layout=_layout,
    kernel=_kernel,
    params=_params,
    bots={
        "greedy": "axiom_envs.destreect.bots:greedy",
        "planner": "axiom_envs.destreect.bots:planner",
    },
    card="axiom_envs.destreect",
    describe_action=describe_action,
    describe_state=describe_state,
    describe_sub_action=describe_sub_action,
    sub_action_key=sub_action_key,
    player_marks=tuple(rf"\bp{seat}\b|@{seat}" for seat in range(MAX_PLAYERS)),
    painter="axiom_envs.destreect.render:paint",
    action_kinds=_action_kinds,
    describe_event=describe_event,
    event_kinds=EVENT_KINDS,
)
