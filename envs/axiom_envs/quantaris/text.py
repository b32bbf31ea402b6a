"""The actions, positions and events of Quantaris as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_envs.quantaris import log
from axiom_envs.quantaris.constants import (
    ACTION_MOVE,
    ACTION_PULSE,
    ACTION_SHIELD,
    CORES,
    DIRECTIONS,
    PLAYERS,
    PLAYING,
    SIZE,
    TURNED,
    UNIT_IDS,
    UNITS,
    UNITS_PER_PLAYER,
)

_TARGETS = (*UNIT_IDS, *(f"the core of {player}" for player in PLAYERS))
"""The names of the targets, by slot, CORE_A, CORE_B."""

_BLOCKED = {
    log.REASON_BOUNDS: "the board ends there",
    log.REASON_CORE: "a core stands there",
    log.REASON_COLLISION: "another unit goes there too",
    log.REASON_STATIONARY: "a unit stands there",
    log.REASON_SWAP: "the unit there comes the other way",
}
_DRAWN = {
    log.REASON_MAX_TURNS: "the last turn is played",
    log.REASON_MUTUAL_DESTRUCTION: "both sides are destroyed",
}


def unit_id(player: int, row: int) -> str:
    """Return the id of the unit in row 0..2 of a player's own list: A1 A2 A3, or B3 B2 B1."""
    return UNIT_IDS[row if player == 0 else UNITS - 1 - row]


def name_sub_action(state: Any, player: int, row: int) -> str:
    """Return the id of the unit to which a sub-action belongs."""
    return unit_id(player, row)


def describe_sub_action(state: Any, player: int, row: int, action: int) -> str:
    """Return a sub-action as text with the directions of the board, such as "A1 moves N"."""
    unit = unit_id(player, row)
    if action < 0:
        return f"{unit} has no order"
    if action == ACTION_SHIELD:
        return f"{unit} shields"
    if action < ACTION_PULSE:
        return f"{unit} moves {_direction(player, action - ACTION_MOVE)}"
    return f"{unit} pulses {_direction(player, action - ACTION_PULSE)}"


def _direction(player: int, direction: int) -> str:
    """Return the name on the board of a direction in the player's view."""
    return DIRECTIONS[direction if player == 0 else int(TURNED[direction])]


def sub_action_key(state: Any, player: int, row: int, action: int) -> str:
    """Return what a person types for a sub-action, with the directions of the board.

    "n" is a move, "p ne" a pulse, "sh" the shield.
    """
    if action == ACTION_SHIELD:
        return "sh"
    if action < ACTION_PULSE:
        return _direction(player, action - ACTION_MOVE).lower()
    return f"p {_direction(player, action - ACTION_PULSE).lower()}"


def describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    """Return a player's action in one line, without the units that are off the board."""
    slots = [row if player == 0 else UNITS - 1 - row for row in range(UNITS_PER_PLAYER)]
    living = [row for row, slot in enumerate(slots) if state.hp[slot] > 0]
    texts = [describe_sub_action(state, player, row, int(sub_actions[row])) for row in living]
    return ", ".join(texts) or "no units left"


def describe_state(state: Any) -> str:
    """Return the status of the game, the hp of cores and units, and the board as text.

    A cell shows a unit by its id and a core by its player. Columns and rows have the coordinates
    x and y.
    """
    cells = [[" ."] * SIZE for _ in range(SIZE)]
    for (x, y), player in zip(CORES, PLAYERS, strict=True):
        cells[y][x] = f"{player}*"
    living = [slot for slot in range(UNITS) if state.hp[slot] > 0]
    for slot in living:
        cells[int(state.y[slot])][int(state.x[slot])] = UNIT_IDS[slot]
    rows = [f"y{y} " + " ".join(row) for y, row in enumerate(cells)]
    units = [f"{UNIT_IDS[slot]}={int(state.hp[slot])}" for slot in living]
    if state.phase == PLAYING:
        status = f"turn {int(state.turn)}"
    else:
        status = "draw" if state.winner < 0 else f"{PLAYERS[int(state.winner)]} has won"
    cores = f"cores A={int(state.core_hp[0])} B={int(state.core_hp[1])}"
    return "\n".join(
        [
            f"{status}; {cores}; units {' '.join(units) or 'none'}",
            "   " + " ".join(f"x{x}" for x in range(SIZE)),
            *rows,
            "A is player_0, B is player_1; A* B* cores",
        ]
    )


def describe_event(state: Any, row: Sequence[int]) -> str:
    """Return a row of the event log as a sentence, or "" if the order already says the same."""
    kind, subject, a, b, c, d = (int(number) for number in row[:6])
    match kind:
        case log.EVENT_MOVE:
            return f"{UNIT_IDS[subject]} moves from {a},{b} to {c},{d}."
        case log.EVENT_MOVE_BLOCKED:
            return f"{UNIT_IDS[subject]} cannot move {DIRECTIONS[c]}: {_BLOCKED[d]}."
        case log.EVENT_PULSE_FIRED:
            return f"{UNIT_IDS[subject]} fires {DIRECTIONS[c]} from {a},{b}."
        case log.EVENT_PULSE_HIT:
            return f"It hits {_TARGETS[subject]}."
        case log.EVENT_PULSE_MISS:
            return "It hits nothing."
        case log.EVENT_DAMAGE_APPLIED if a == 0:
            return f"The shield of {_TARGETS[subject]} holds."
        case log.EVENT_DAMAGE_APPLIED:
            return f"{_sentence(subject)} takes {a} damage, and has {max(b, 0)} hp left."
    return _describe_loss(kind, subject)


def _describe_loss(kind: int, subject: int) -> str:
    """Return the sentence for the end of a unit, a core or the game."""
    match kind:
        case log.EVENT_ENTITY_DESTROYED:
            return f"{_sentence(subject)} is destroyed."
        case log.EVENT_TERMINAL_LOSS:
            return f"{PLAYERS[subject]} has no units left."
        case log.EVENT_GAME_OVER:
            return f"{PLAYERS[subject]} wins."
        case log.EVENT_DRAW:
            return f"The game is drawn: {_DRAWN[subject]}."
    return ""  # EVENT_SHIELD_ACTIVATED: the order already says so


def _sentence(target: int) -> str:
    """Return the name of a target at the beginning of a sentence."""
    return _TARGETS[target][0].upper() + _TARGETS[target][1:]
