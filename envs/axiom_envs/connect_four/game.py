"""Connect Four as Axiom Gym knows it: its facts, its shapes, and its actions and states as text."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from axiom_envs.connect_four.config import PRESETS, ConnectFourConfig
from axiom_gym.game import GameInfo, KernelGame, Layout

INFO = GameInfo(
    name="connect_four",
    version=0,
    title="ConnectFour",
    summary="Two players drop stones into seven columns in turn; four in a line win.",
    agents=("player_0", "player_1"),
    dynamics="sequential",
    chance=False,
    perfect_information=True,
    zero_sum=True,
    min_outcome=-1.0,
    max_outcome=1.0,
    max_length=42,
)

ROWS, COLUMNS, COLUMN_BITS = 6, 7, 7
"""As in `board`, which compiles, and so is not imported here."""


FEATURE_NAMES = tuple(
    f"{side}.{'abcdefg'[column]}{ROWS - row}"
    for side in ("own", "other")
    for row in range(ROWS)
    for column in range(COLUMNS)
)
"""Such as "own.d1", one's own stone at the bottom of the middle column."""


def _kernel() -> ModuleType:
    from axiom_envs.connect_four import kernel

    return kernel


def _layout(config: ConnectFourConfig) -> Layout:
    flat = config.obs == "features"
    return Layout(
        observation_shape=(2 * ROWS * COLUMNS,) if flat else (2, ROWS, COLUMNS),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(COLUMNS,),
        feature_names=FEATURE_NAMES if flat else (),
    )


def describe_order(state: Any, player: int, order: int, action: int) -> str:
    """Such as "drops a stone into column d"; columns are a to g from the left."""
    return f"drops a stone into column {'abcdefg'[action]}"


def describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    """A player's move as the end of a sentence."""
    return describe_order(state, player, 0, int(orders[0]))


def order_key(state: Any, player: int, order: int, action: int) -> str:
    """How people type a column: by its letter, "a" to "g" from the left."""
    return "abcdefg"[action]


def describe_state(state: Any) -> str:
    """The board, and how the game stands. x is player_0, o is player_1."""
    rows = []
    for row in range(ROWS):
        bits = [column * COLUMN_BITS + ROWS - 1 - row for column in range(COLUMNS)]
        rows.append(" ".join(_sign(state, bit) for bit in bits))
    return "\n".join([*rows, "a b c d e f g", _status(state)])


def _sign(state: Any, bit: int) -> str:
    for player, sign in enumerate("xo"):
        if (int(state.stones[player]) >> bit) & 1:
            return sign
    return "."


def _status(state: Any) -> str:
    winner = int(state.winner)
    if winner < 0:
        player = int(state.ply) % 2
        return f"ply {int(state.ply) + 1}: player_{player} ({'xo'[player]}) to move"
    return "draw: the board is full" if winner > 1 else f"player_{winner} ({'xo'[winner]}) has won"


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
    describe_action=describe_action,
    describe_state=describe_state,
    describe_order=describe_order,
    action_kinds=lambda config: [[f"column {letter}" for letter in "abcdefg"]],
    order_key=order_key,
    painter="axiom_envs.connect_four.render:paint",
)
