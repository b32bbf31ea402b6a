"""Quantaris as Axiom Gym knows it: its facts, its shapes, and its actions and states as text."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from axiom_envs.quantaris.config import PRESETS, QuantarisConfig
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
    max_length=49,
)

_DIRECTIONS = ("N", "E", "S", "W", "NE", "NW", "SE", "SW")
_TURNED = ("S", "W", "N", "E", "SW", "SE", "NW", "NE")


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
        observation_shape=(len(names),) if flat else (9, 9, 9),
        observation_low=0.0,
        observation_high=1.0,
        num_choices=(1 + 4 + directions,) * 3,
        feature_names=names if flat else (),
    )


def feature_names(directions: int) -> tuple[str, ...]:
    """A name for each entry of the flat observation; `directions` of a pulse are 8 or 4."""
    units = [f"{side}{row}" for side in ("own", "enemy") for row in range(3)]
    names = [f"{unit}.{value}" for unit in units for value in ("x", "y", "hp")]
    names += ["own_core.hp", "enemy_core.hp", "turn"]
    for row in range(3):
        for thing in ("enemy_unit", "enemy_core", "friend"):
            names += [
                f"own{row}.pulse_{direction}.{thing}" for direction in _DIRECTIONS[:directions]
            ]
    return tuple(names)


def unit_id(player: int, row: int) -> str:
    """The id of the unit that a player's order `row` goes to: A1 A2 A3, or B3 B2 B1."""
    return f"A{row + 1}" if player == 0 else f"B{3 - row}"


def describe_order(state: Any, player: int, row: int, action: int) -> str:
    """One order as the board has it, such as "A1 moves N"."""
    unit = unit_id(player, row)
    directions = _DIRECTIONS if player == 0 else _TURNED
    if action < 0:
        return f"{unit} has no order"
    if action == 0:
        return f"{unit} shields"
    if action <= 4:
        return f"{unit} moves {directions[action - 1]}"
    return f"{unit} pulses {directions[action - 5]}"


def order_key(state: Any, player: int, row: int, action: int) -> str:
    """How people type an order, by the directions of the board: "n" moves, "p ne" pulses, "sh"."""
    directions = _DIRECTIONS if player == 0 else _TURNED
    if action == 0:
        return "sh"
    if action <= 4:
        return directions[action - 1].lower()
    return f"p {directions[action - 5].lower()}"


def describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    """A player's orders in one line; units that are off the board are left out."""
    living = [row for row in range(3) if state.hp[row if player == 0 else 5 - row] > 0]
    texts = [describe_order(state, player, row, int(orders[row])) for row in living]
    return ", ".join(texts) or "no units left"


def describe_state(state: Any) -> str:
    """The board, hp of cores and units, and how the game stands."""
    cells = [["." for _ in range(9)] for _ in range(9)]
    cells[8][4], cells[0][4] = "a", "b"
    living = [slot for slot in range(6) if state.hp[slot] > 0]
    for slot in reversed(living):
        cells[int(state.y[slot])][int(state.x[slot])] = str(slot + 1)
    rows = [f"{y} " + " ".join(row) for y, row in enumerate(cells)]
    units = [f"{_slot_id(slot)}={int(state.hp[slot])}" for slot in living]
    if state.phase == 0:
        status = f"turn {int(state.turn)}"
    else:
        status = "draw" if state.winner < 0 else f"{'AB'[int(state.winner)]} has won"
    cores = f"cores A={int(state.core_hp[0])} B={int(state.core_hp[1])}"
    legend = "1-3 A1-A3, 4-6 B1-B3, a b cores"
    return "\n".join(
        [
            f"{status}; {cores}; units {' '.join(units) or 'none'}",
            "  0 1 2 3 4 5 6 7 8",
            *rows,
            legend,
        ]
    )


def _slot_id(slot: int) -> str:
    return f"A{slot + 1}" if slot < 3 else f"B{slot - 2}"


GAME = KernelGame(
    info=INFO,
    config=QuantarisConfig,
    presets=PRESETS,
    layout=_layout,
    kernel=_kernel,
    params=_params,
    bots={
        "greedy": "axiom_envs.quantaris.bots:greedy",
        "guardian": "axiom_envs.quantaris.bots:guardian",
    },
    describe_action=describe_action,
    describe_state=describe_state,
    describe_order=describe_order,
    order_key=order_key,
    painter="axiom_envs.quantaris.render:paint",
)
