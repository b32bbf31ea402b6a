"""How a turn of Quantaris is resolved, phase by phase: the rules of play, and the only place where they stand.

Source: the Quantaris engine, releases 0.1.3 (ruleset 0.1) and 0.2.0 (ruleset 0.2).

Inside a turn an order is one int64, which `pack_order` makes and the phases of `resolve` write into:

    bits 0..3 unit slot | 4..7 kind | 8..11 direction on the board | 12..19 cell aimed at | 20..23 1 + what the pulse hit
    | 24 the move is blocked

Axis letters: O = orders of a turn, A's first, then B's; E = rows of a log.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.board import (
    CORE_A,
    DX,
    DY,
    MAX_TURNS,
    NOBODY,
    NOTHING,
    OVER,
    PLAYING,
    REMOVED,
    SIZE,
    UNITS,
    Params,
    trace_pulse,
)
from axiom_gym.kernel import ENDED, RUNNING, inline_kernel, kernel

# Order kinds. 0 is kept for "no order", which an all-zero word is.
MOVE, PULSE, SHIELD = 1, 2, 3

_OFF_BOARD = 255
_BLOCKED = 1 << 24

(
    EVENT_MOVE,
    EVENT_MOVE_BLOCKED,
    EVENT_PULSE_FIRED,
    EVENT_PULSE_HIT,
    EVENT_PULSE_MISS,
    EVENT_SHIELD_ACTIVATED,
    EVENT_DAMAGE_APPLIED,
    EVENT_ENTITY_DESTROYED,
    EVENT_GAME_OVER,
    EVENT_TERMINAL_LOSS,
    EVENT_DRAW,
) = range(11)
REASON_BOUNDS, REASON_CORE, REASON_COLLISION, REASON_STATIONARY, REASON_SWAP = range(5)
REASON_MAX_TURNS, REASON_MUTUAL_DESTRUCTION = range(2)


@inline_kernel
def pack_order(unit: int, kind: int, direction: int) -> int:
    """An order as one number; `direction` is the board's."""
    return unit | kind << 4 | direction << 8


@inline_kernel
def _unit(order: int) -> int:
    return order & 15


@inline_kernel
def _kind(order: int) -> int:
    return (order >> 4) & 15


@inline_kernel
def _direction(order: int) -> int:
    return (order >> 8) & 15


@inline_kernel
def _cell(order: int) -> int:
    return (order >> 12) & 255


@inline_kernel
def _target(order: int) -> int:
    return (order >> 20) & 15


@kernel
def _emit(
    events: Any, kind: int, a: int, b: int = 0, c: int = 0, d: int = 0, e: int = 0
) -> None:
    """Appends a row to the log, if there is one. events: None, or (E, 8) int16."""
    if events is not None:
        row = events[0, 0] + 1
        events[0, 0] = row
        events[row, 0] = kind
        events[row, 1] = a
        events[row, 2] = b
        events[row, 3] = c
        events[row, 4] = d
        events[row, 5] = e


@inline_kernel
def _cell_of(state: Any, unit: int) -> int:
    """Where a unit stands, as x + 9 * y."""
    return int(state.x[unit]) + SIZE * int(state.y[unit])


@kernel
def _is_ordered(state: Any, order: int, kind: int) -> bool:
    """Whether this is an order of this kind to a living unit; the dead are skipped everywhere."""
    return _kind(order) == kind and state.hp[_unit(order)] > 0


# ---------------------------------------------------------------------------------------------------------------------
# 1. Move


@kernel
def _aim_moves(state: Any, orders: npt.NDArray[np.int64]) -> int:
    """Writes the cell that each move aims at; returns how many moves there are. orders: (O,)."""
    moves = 0
    for i in range(orders.shape[0]):
        order = orders[i]
        if not _is_ordered(state, order, MOVE):
            continue
        x = int(state.x[_unit(order)]) + DX[_direction(order)]
        y = int(state.y[_unit(order)]) + DY[_direction(order)]
        cell = _OFF_BOARD
        if 0 <= x < SIZE and 0 <= y < SIZE:
            cell = x + SIZE * y
        orders[i] = order | cell << 12
        moves += 1
    return moves


@kernel
def _drop_move(state: Any, orders: npt.NDArray[np.int64], i: int, reason: int, events: Any) -> None:
    """Logs that move `i` is blocked and makes it no order, so that later looks at the moves pass it over. orders: (O,)."""
    unit = _unit(orders[i])
    x, y = int(state.x[unit]), int(state.y[unit])
    _emit(events, EVENT_MOVE_BLOCKED, unit, x, y, _direction(orders[i]), reason)
    orders[i] = 0


@kernel
def _drop_moves_to(
    state: Any, orders: npt.NDArray[np.int64], cell_a: int, cell_b: int, reason: int, events: Any
) -> None:
    """Blocks every move that aims at one of two cells. orders: (O,)."""
    for i in range(orders.shape[0]):
        if _is_ordered(state, orders[i], MOVE):
            cell = _cell(orders[i])
            if cell in (cell_a, cell_b):
                _drop_move(state, orders, i, reason, events)


@kernel
def _why_blocked(state: Any, orders: npt.NDArray[np.int64], i: int) -> int:
    """Why move `i` cannot be made, looking at the units and at all moves that are neither off the board nor onto a core.

    orders: (O,). Returns a REASON, or -1 where the move goes through.
    """
    unit, cell = _unit(orders[i]), _cell(orders[i])
    for j in range(orders.shape[0]):
        if j != i and _is_ordered(state, orders[j], MOVE) and _cell(orders[j]) == cell:
            return REASON_COLLISION
    for other in range(UNITS):
        if other != unit and state.hp[other] > 0 and _cell_of(state, other) == cell:
            # Only the first unit in state order is looked at, should several share the cell.
            for j in range(orders.shape[0]):
                if _is_ordered(state, orders[j], MOVE) and _unit(orders[j]) == other:
                    swap = _cell(orders[j]) == _cell_of(state, unit)
                    return REASON_SWAP if swap else -1
            return REASON_STATIONARY
    return -1


@kernel
def _move_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> None:
    """All moves at once, judged by the positions before the turn. orders: (O,)."""
    moves = _aim_moves(state, orders)
    if moves == 0:
        return
    core_a = params.core_x_a + SIZE * params.core_y_a
    core_b = params.core_x_b + SIZE * params.core_y_b
    _drop_moves_to(state, orders, _OFF_BOARD, _OFF_BOARD, REASON_BOUNDS, events)
    _drop_moves_to(state, orders, core_a, core_b, REASON_CORE, events)
    for i in range(orders.shape[0]):
        if _is_ordered(state, orders[i], MOVE):
            reason = _why_blocked(state, orders, i)
            if reason >= 0:
                # Marked and not dropped: a blocked move still counts for those that are judged after it.
                orders[i] |= _BLOCKED
                unit = _unit(orders[i])
                x, y = int(state.x[unit]), int(state.y[unit])
                _emit(events, EVENT_MOVE_BLOCKED, unit, x, y, _direction(orders[i]), reason)
    _apply_moves(state, orders, events)


@kernel
def _apply_moves(state: Any, orders: npt.NDArray[np.int64], events: Any) -> None:
    """Logs and then makes the moves that were not blocked. orders: (O,)."""
    if events is not None:
        for i in range(orders.shape[0]):
            if orders[i] & _BLOCKED == 0 and _is_ordered(state, orders[i], MOVE):
                unit, cell = _unit(orders[i]), _cell(orders[i])
                x, y = int(state.x[unit]), int(state.y[unit])
                _emit(events, EVENT_MOVE, unit, x, y, cell % SIZE, cell // SIZE)
    for i in range(orders.shape[0]):
        if orders[i] & _BLOCKED == 0 and _is_ordered(state, orders[i], MOVE):
            state.x[_unit(orders[i])] = _cell(orders[i]) % SIZE
            state.y[_unit(orders[i])] = _cell(orders[i]) // SIZE


# ---------------------------------------------------------------------------------------------------------------------
# 2. Shield


@kernel
def _shield_phase(state: Any, orders: npt.NDArray[np.int64], events: Any) -> int:
    """Returns the shielded slots as bits; a second shield of a unit is logged and counts no more. orders: (O,)."""
    shielded = 0
    for i in range(orders.shape[0]):
        if _is_ordered(state, orders[i], SHIELD):
            shielded |= 1 << _unit(orders[i])
            _emit(events, EVENT_SHIELD_ACTIVATED, _unit(orders[i]))
    return shielded


# ---------------------------------------------------------------------------------------------------------------------
# 3. Pulse


@kernel
def _pulse_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Fires all pulses and writes what each hit into its order; returns the targets hit as bits. orders: (O,)."""
    hit = 0
    for i in range(orders.shape[0]):
        order = orders[i]
        if not _is_ordered(state, order, PULSE):
            continue
        unit = _unit(order)
        target = trace_pulse(state, unit, _direction(order), params)
        _emit(
            events, EVENT_PULSE_FIRED, unit, int(state.x[unit]), int(state.y[unit]), _direction(order)
        )
        if target == NOTHING:
            _emit(events, EVENT_PULSE_MISS, unit)
            continue
        _emit(events, EVENT_PULSE_HIT, target, 1)
        orders[i] = order | (target + 1) << 20
        hit |= 1 << target
    return hit


# ---------------------------------------------------------------------------------------------------------------------
# 4. Damage and 5. removal


@kernel
def _count_hits(orders: npt.NDArray[np.int64], target: int) -> int:
    """How many pulses hit `target` this turn. orders: (O,)."""
    hits = 0
    for i in range(orders.shape[0]):
        if _target(orders[i]) == target + 1:
            hits += 1
    return hits


@kernel
def _damage_phase(
    state: Any, orders: npt.NDArray[np.int64], hit: int, shielded: int, events: Any
) -> None:
    """All damage at once: 1 per hit, the first hit on a shielded unit for nothing. orders: (O,)."""
    for unit in range(UNITS):
        if (hit >> unit) & 1:
            damage = max(0, _count_hits(orders, unit) - ((shielded >> unit) & 1))
            state.hp[unit] = int(state.hp[unit]) - damage
            _emit(events, EVENT_DAMAGE_APPLIED, unit, damage, int(state.hp[unit]))
    for core in range(2):
        if (hit >> (CORE_A + core)) & 1:
            damage = _count_hits(orders, CORE_A + core)
            state.core_hp[core] = int(state.core_hp[core]) - damage
            _emit(events, EVENT_DAMAGE_APPLIED, CORE_A + core, damage, int(state.core_hp[core]))


@kernel
def _remove_dead(state: Any, events: Any) -> None:
    """Takes units without hp off the board. A dead core is logged again in every turn, as the source does."""
    for unit in range(UNITS):
        if REMOVED < state.hp[unit] <= 0:
            state.hp[unit] = REMOVED
            _emit(events, EVENT_ENTITY_DESTROYED, unit)
    for core in range(2):
        if state.core_hp[core] <= 0:
            _emit(events, EVENT_ENTITY_DESTROYED, CORE_A + core)


# ---------------------------------------------------------------------------------------------------------------------
# 6. End


@kernel
def _end_game(state: Any, winner: int, events: Any) -> None:
    state.phase = OVER
    state.winner = winner
    _emit(events, EVENT_GAME_OVER, winner)


@kernel
def _draw_game(state: Any, reason: int, events: Any) -> None:
    state.phase = OVER
    state.winner = NOBODY
    _emit(events, EVENT_DRAW, reason)


@kernel
def _count_units(state: Any, params: Params, player: int) -> int:
    """How many units of `player` are on the board."""
    count = 0
    for unit in range(UNITS):
        if state.hp[unit] > 0 and (params.owners >> unit) & 1 == player:
            count += 1
    return count


@kernel
def _end_phase(state: Any, events: Any, params: Params) -> None:
    """Decides anew whether the game is over, and counts the turn."""
    state.phase = PLAYING
    state.winner = NOBODY
    dead_a, dead_b = state.core_hp[0] <= 0, state.core_hp[1] <= 0
    if dead_a != dead_b:
        _end_game(state, 0 if dead_b else 1, events)
    elif dead_a and params.terminal_loss:
        _draw_game(state, REASON_MUTUAL_DESTRUCTION, events)
    elif params.terminal_loss:
        none_a, none_b = _count_units(state, params, 0) == 0, _count_units(state, params, 1) == 0
        if none_a and none_b:
            _draw_game(state, REASON_MUTUAL_DESTRUCTION, events)
        elif none_a or none_b:
            _emit(events, EVENT_TERMINAL_LOSS, 0 if none_a else 1)
            _end_game(state, 1 if none_a else 0, events)
    if state.phase == PLAYING and state.turn + 1 >= MAX_TURNS:
        _draw_game(state, REASON_MAX_TURNS, events)
    state.turn += 1


@kernel
def resolve(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Plays one turn with any list of orders, checked or not: A's first, then B's, in the order given.

    Args:
        state: the record, changed in place.
        orders: (O,) of `pack_order`; overwritten.
        events: None, or (E, 8) int16 with E of at least 16 + 3 * O.
        params: the ruleset.

    Returns:
        `ENDED` or `RUNNING`.
    """
    _move_phase(state, orders, events, params)
    shielded = _shield_phase(state, orders, events)
    hit = _pulse_phase(state, orders, events, params)
    if hit != 0:
        _damage_phase(state, orders, hit, shielded, events)
    _remove_dead(state, events)
    _end_phase(state, events, params)
    return ENDED if state.phase == OVER else RUNNING
