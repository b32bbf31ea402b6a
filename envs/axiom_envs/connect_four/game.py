"""The facts of Connect Four, and `GAME`, which describes it to Axiom Gym."""

from __future__ import annotations

from types import ModuleType

from axiom_envs.connect_four.config import PRESETS, ConnectFourConfig
from axiom_envs.connect_four.constants import CELLS, COLUMNS, FEATURE_NAMES, LETTERS, ROWS
from axiom_envs.connect_four.text import (
    describe_action,
    describe_state,
    describe_sub_action,
    sub_action_key,
)
from axiom_gym.game import GameInfo, KernelGame, Layout

INFO = GameInfo(
    name="connect_four",
    version=0,
    title="ConnectFour",
    summary="Two players take turns to drop stones into seven columns; four in a line win.",
    agents=("player_0", "player_1"),
    dynamics="sequential",
    chance=False,
    perfect_information=True,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=CELLS,
)


def _kernel() -> ModuleType:
    from axiom_envs.connect_four import kernel

    return kernel


def _layout(config: ConnectFourConfig) -> Layout:
    flat = config.obs == "features"
    return Layout(
        observation_shape=(2 * CELLS,) if flat else (2, ROWS, COLUMNS),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(COLUMNS,),
        feature_names=FEATURE_NAMES if flat else (),
    )


GAME = KernelGame(
    info=INFO,
    config=ConnectFourConfig,
    presets=PRESETS,
    layout=_layout,
    kernel=_kernel,
    params=lambda config: (),
    bots={
        "minimax2": "axiom_envs.connect_four.bots:minimax2",
        "minimax4": "axiom_envs.connect_four.bots:minimax4",
    },
    card="axiom_envs.connect_four",
    describe_action=describe_action,
    describe_state=describe_state,
    describe_sub_action=describe_sub_action,
    player_marks=(r"(?<!\S)x(?!\S)", r"(?<!\S)o(?!\S)"),
    action_kinds=lambda config: [[f"column {letter}" for letter in LETTERS]],
    sub_action_key=sub_action_key,
    painter="axiom_envs.connect_four.render:paint",
)
