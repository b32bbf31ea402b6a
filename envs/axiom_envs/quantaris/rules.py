"""How a turn of Quantaris is resolved, phase by phase: the rules, and the only place they stand.

Source: the Quantaris engine, releases 0.1.3 (ruleset 0.1) and 0.2.0 (ruleset 0.2).

Inside a turn an order is one int64, which `pack_order` makes and the phases of `resolve` write
into:

    bits 0..3    unit slot
    bits 4..7    kind
    bits 8..11   direction on the board
    bits 12..19  cell that a move aims at, x | y << 4
    bit 20       the move is on the board and not onto a core: "contested"
    bits 21..23  1 + REASON of a blocked move, else 0

The phases avoid branches that depend on what was ordered, since a processor cannot foresee them;
logging is kept apart from the rules for that reason.

Axis letters: O = orders of a turn, A's first, then B's; E = rows of a log.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.state import (
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
from axiom_gym.event_log import emit
from axiom_gym.kernel import ENDED, RUNNING, inline_kernel, kernel

# Order kinds. 0 is kept for "no order", which an all-zero word is.
MOVE, PULSE, SHIELD = 1, 2, 3

MAX_ORDERS = 60
"""Most orders in a turn: hits are counted in 8 bits, and places kept as the bits of an int64.

A legal turn has at most 6.
"""

_CONTESTED = 1 << 20
_CELL_AND_CONTESTED = 0x1FF000

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
def _reason(order: int) -> int:
    """The REASON why the move is blocked, or -1."""
    return ((order >> 21) & 7) - 1


@inline_kernel
def _cell_of(state: Any, unit: int) -> int:
    """Where a unit stands, as x | y << 4."""
    return int(state.x[unit]) | int(state.y[unit]) << 4


@inline_kernel
def _places(state: Any, orders: npt.NDArray[np.int64], kind: int) -> int:
    """The places in the list, as bits, of the orders of this kind to living units. orders: (O,).

    The dead are skipped everywhere.
    """
    places = 0
    for i in range(orders.shape[0]):
        is_kind = _kind(orders[i]) == kind and state.hp[_unit(orders[i])] > 0
        places |= int(is_kind) << i
    return places


# --------------------------------------------------------------------------------------------------
# 1. Move


@kernel
def _aim_moves(state: Any, orders: npt.NDArray[np.int64], moves: int, params: Params) -> None:
    """Writes into each move what it aims at, and why it cannot go there at all. orders: (O,)."""
    core_a = params.core_x_a | params.core_y_a << 4
    core_b = params.core_x_b | params.core_y_b << 4
    for i in range(orders.shape[0]):
        order = orders[i]
        x = int(state.x[_unit(order)]) + DX[_direction(order)]
        y = int(state.y[_unit(order)]) + DY[_direction(order)]
        inside = 0 <= x < SIZE and 0 <= y < SIZE
        cell = (x | y << 4) if inside else 0
        onto_core = inside and cell in (core_a, core_b)
        mark = (1 + REASON_CORE) << 21 if onto_core else _CONTESTED
        mark = mark if inside else (1 + REASON_BOUNDS) << 21
        orders[i] = order | cell << 12 | mark if (moves >> i) & 1 else order


@kernel
def _why_blocked(state: Any, orders: npt.NDArray[np.int64], i: int) -> int:
    """Why contested move `i` cannot be made. orders: (O,).

    It is judged by all contested moves, blocked ones too. Returns a REASON, or -1 where the move
    goes through.
    """
    unit, cell = _unit(orders[i]), _cell(orders[i])
    aims = 0
    for j in range(orders.shape[0]):
        aims += (orders[j] ^ orders[i]) & _CELL_AND_CONTESTED == 0
    if aims > 1:
        return REASON_COLLISION
    # Only the first unit in state order is looked at, should several share the cell.
    other = UNITS
    for slot in range(UNITS - 1, -1, -1):
        is_there = _cell_of(state, slot) == cell and slot != unit and state.hp[slot] > 0
        other = slot if is_there else other
    if other == UNITS:
        return -1
    # And of its moves, should it have several, only the last.
    for j in range(orders.shape[0] - 1, -1, -1):
        if orders[j] & _CONTESTED and _unit(orders[j]) == other:
            return REASON_SWAP if _cell(orders[j]) == _cell_of(state, unit) else -1
    return REASON_STATIONARY


@kernel
def _move_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> None:
    """All moves at once, judged by the positions before the turn. orders: (O,)."""
    moves = _places(state, orders, MOVE)
    if moves == 0:
        return
    _aim_moves(state, orders, moves, params)
    for i in range(orders.shape[0]):
        if orders[i] & _CONTESTED:
            orders[i] |= (1 + _why_blocked(state, orders, i)) << 21
    _log_moves(state, orders, events)
    for i in range(orders.shape[0]):
        goes = orders[i] & _CONTESTED and _reason(orders[i]) < 0
        unit = _unit(orders[i])
        state.x[unit] = _cell(orders[i]) & 15 if goes else int(state.x[unit])
        state.y[unit] = _cell(orders[i]) >> 4 if goes else int(state.y[unit])


@kernel
def _log_moves(state: Any, orders: npt.NDArray[np.int64], events: Any) -> None:
    """Logs the moves before they are made. orders: (O,).

    First those off the board, then onto a core, then otherwise blocked, then those that go through.
    """
    if events is not None:
        _log_blocked(state, orders, events, REASON_BOUNDS, REASON_BOUNDS)
        _log_blocked(state, orders, events, REASON_CORE, REASON_CORE)
        _log_blocked(state, orders, events, REASON_COLLISION, REASON_SWAP)
        for i in range(orders.shape[0]):
            if orders[i] & _CONTESTED and _reason(orders[i]) < 0:
                unit, cell = _unit(orders[i]), _cell(orders[i])
                x, y = int(state.x[unit]), int(state.y[unit])
                emit(events, EVENT_MOVE, unit, x, y, cell & 15, cell >> 4)


@kernel
def _log_blocked(
    state: Any, orders: npt.NDArray[np.int64], events: Any, first: int, last: int
) -> None:
    """Logs the moves that are blocked for a reason from `first` to `last`. orders: (O,)."""
    for i in range(orders.shape[0]):
        if _kind(orders[i]) == MOVE and first <= _reason(orders[i]) <= last:
            unit = _unit(orders[i])
            x, y = int(state.x[unit]), int(state.y[unit])
            emit(events, EVENT_MOVE_BLOCKED, unit, x, y, _direction(orders[i]), _reason(orders[i]))


# --------------------------------------------------------------------------------------------------
# 2. Shield


@kernel
def _shield_phase(state: Any, orders: npt.NDArray[np.int64], events: Any) -> int:
    """Returns the shielded slots as bits; a second shield is logged and counts no more.

    orders: (O,).
    """
    shielded = 0
    for i in range(orders.shape[0]):
        is_shield = _kind(orders[i]) == SHIELD and state.hp[_unit(orders[i])] > 0
        shielded |= int(is_shield) << _unit(orders[i])
        if events is not None and is_shield:
            emit(events, EVENT_SHIELD_ACTIVATED, _unit(orders[i]))
    return shielded


# --------------------------------------------------------------------------------------------------
# 3. Pulse


@kernel
def _pulse_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Fires all pulses; returns the hits on each of the 8 targets, 8 bits each. orders: (O,)."""
    hits = 0
    for i in range(orders.shape[0]):
        unit, direction = _unit(orders[i]), _direction(orders[i])
        if _kind(orders[i]) != PULSE or state.hp[unit] <= 0:
            continue
        target = trace_pulse(state, unit, direction, params)
        emit(events, EVENT_PULSE_FIRED, unit, int(state.x[unit]), int(state.y[unit]), direction)
        if target == NOTHING:
            emit(events, EVENT_PULSE_MISS, unit)
        else:
            emit(events, EVENT_PULSE_HIT, target, 1)
            hits += 1 << (8 * target)
    return hits


# --------------------------------------------------------------------------------------------------
# 4. Damage and 5. removal


@kernel
def _damage_phase(state: Any, hits: int, shielded: int, events: Any) -> None:
    """All damage at once: 1 per hit, the first one on a shielded unit for nothing.

    It is logged even where it is 0.
    """
    for unit in range(UNITS):
        count = (hits >> (8 * unit)) & 255
        damage = max(0, count - ((shielded >> unit) & 1))
        state.hp[unit] = int(state.hp[unit]) - damage
        if events is not None and count > 0:
            emit(events, EVENT_DAMAGE_APPLIED, unit, damage, int(state.hp[unit]))
    for core in range(2):
        damage = (hits >> (8 * (CORE_A + core))) & 255
        state.core_hp[core] = int(state.core_hp[core]) - damage
        if events is not None and damage > 0:
            emit(events, EVENT_DAMAGE_APPLIED, CORE_A + core, damage, int(state.core_hp[core]))


@kernel
def _remove_dead(state: Any, events: Any) -> int:
    """Takes units without hp off the board and returns the slots of the others as bits.

    A dead core is logged again in every turn, as the source does.
    """
    if events is not None:
        for unit in range(UNITS):
            if REMOVED < state.hp[unit] <= 0:
                emit(events, EVENT_ENTITY_DESTROYED, unit)
        for core in range(2):
            if state.core_hp[core] <= 0:
                emit(events, EVENT_ENTITY_DESTROYED, CORE_A + core)
    alive = 0
    for unit in range(UNITS):
        hp = int(state.hp[unit])
        alive |= int(hp > 0) << unit
        state.hp[unit] = hp if hp > 0 else REMOVED
    return alive


# --------------------------------------------------------------------------------------------------
# 6. End


@kernel
def _end_game(state: Any, winner: int, events: Any) -> None:
    state.phase = OVER
    state.winner = winner
    emit(events, EVENT_GAME_OVER, winner)


@kernel
def _draw_game(state: Any, reason: int, events: Any) -> None:
    state.phase = OVER
    state.winner = NOBODY
    emit(events, EVENT_DRAW, reason)


@kernel
def _end_phase(state: Any, alive: int, events: Any, params: Params) -> None:
    """Decides anew whether the game is over, and counts the turn. alive: slots as bits."""
    state.phase = PLAYING
    state.winner = NOBODY
    dead_a, dead_b = state.core_hp[0] <= 0, state.core_hp[1] <= 0
    if dead_a != dead_b:
        _end_game(state, 0 if dead_b else 1, events)
    elif dead_a and params.terminal_loss:
        _draw_game(state, REASON_MUTUAL_DESTRUCTION, events)
    elif params.terminal_loss:
        none_a, none_b = alive & ~params.owners == 0, alive & params.owners == 0
        if none_a and none_b:
            _draw_game(state, REASON_MUTUAL_DESTRUCTION, events)
        elif none_a or none_b:
            emit(events, EVENT_TERMINAL_LOSS, 0 if none_a else 1)
            _end_game(state, 1 if none_a else 0, events)
    if state.phase == PLAYING and state.turn + 1 >= MAX_TURNS:
        _draw_game(state, REASON_MAX_TURNS, events)
    state.turn += 1


@kernel
def resolve(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Plays one turn with any orders, checked or not: A's first, then B's, in the order given.

    Args:
        state: the record, changed in place.
        orders: (O,) of `pack_order`; overwritten. O is at most `MAX_ORDERS`.
        events: None, or (E, 8) int16 with E of at least 16 + 3 * O.
        params: the ruleset.

    Returns:
        `ENDED` or `RUNNING`.
    """
    _move_phase(state, orders, events, params)
    shielded = _shield_phase(state, orders, events)
    hits = _pulse_phase(state, orders, events, params)
    if hits != 0:
        _damage_phase(state, hits, shielded, events)
    alive = _remove_dead(state, events)
    _end_phase(state, alive, events, params)
    return ENDED if state.phase == OVER else RUNNING
