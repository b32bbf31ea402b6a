"""The rules of Quantaris: the resolution of a turn, phase by phase.

Source: the Quantaris engine, releases 0.1.3 (ruleset 0.1) and 0.2.0 (ruleset 0.2). No other module
implements these rules.

The phases avoid branches that depend on the orders, because a processor mispredicts them; logging
is separate for the same reason. `orders` has the format of an order.

Axis letters: O = orders of a turn, A's first, then B's; E = rows of the event log.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris import log
from axiom_envs.quantaris.constants import (
    CORE_A,
    DX,
    DY,
    MAX_TURNS,
    MOVE,
    NOBODY,
    NOTHING,
    OVER,
    PLAYING,
    PULSE,
    REMOVED,
    SHIELD,
    SIZE,
    UNITS,
)
from axiom_envs.quantaris.geometry import trace_pulse
from axiom_envs.quantaris.orders import (
    CELL_AND_CONTESTED,
    CONTESTED,
    cell_of,
    direction_of,
    kind_of,
    reason_of,
    unit_of,
)
from axiom_envs.quantaris.state import Params
from axiom_gym.event_log import emit
from axiom_gym.kernel import ENDED, RUNNING, inline_kernel, kernel


@inline_kernel
def _place_of(state: Any, unit: int) -> int:
    """Return the cell of a unit, as x | y << 4."""
    return int(state.x[unit]) | int(state.y[unit]) << 4


@inline_kernel
def _find_moves(state: Any, orders: npt.NDArray[np.int64]) -> int:
    """Return the moves of living units as bits: bit i is set for order i. orders: (O,)."""
    moves = 0
    for i in range(orders.shape[0]):
        is_move = kind_of(orders[i]) == MOVE and state.hp[unit_of(orders[i])] > 0
        moves |= int(is_move) << i
    return moves


# --------------------------------------------------------------------------------------------------
# 1. Move


@kernel
def _aim_moves(state: Any, orders: npt.NDArray[np.int64], moves: int, params: Params) -> None:
    """Write into each move its destination, and the reason if it leaves the board or enters a core.

    orders: (O,), changed. moves: from `_find_moves`.
    """
    core_a = params.core_x_a | params.core_y_a << 4
    core_b = params.core_x_b | params.core_y_b << 4
    for i in range(orders.shape[0]):
        order = orders[i]
        x = int(state.x[unit_of(order)]) + DX[direction_of(order)]
        y = int(state.y[unit_of(order)]) + DY[direction_of(order)]
        inside = 0 <= x < SIZE and 0 <= y < SIZE
        cell = (x | y << 4) if inside else 0
        onto_core = inside and cell in (core_a, core_b)
        mark = (1 + log.REASON_CORE) << 21 if onto_core else CONTESTED
        mark = mark if inside else (1 + log.REASON_BOUNDS) << 21
        orders[i] = order | cell << 12 | mark if (moves >> i) & 1 else order


@kernel
def _why_blocked(state: Any, orders: npt.NDArray[np.int64], i: int) -> int:
    """Return the REASON that blocks contested move `i`, or -1 if nothing blocks it.

    All contested moves count, even those that are themselves blocked. orders: (O,).
    """
    unit, cell = unit_of(orders[i]), cell_of(orders[i])
    aims = 0
    for j in range(orders.shape[0]):
        aims += (orders[j] ^ orders[i]) & CELL_AND_CONTESTED == 0
    if aims > 1:
        return log.REASON_COLLISION
    # If several units share the cell, only the first one in state order counts.
    other = UNITS
    for slot in range(UNITS - 1, -1, -1):
        is_there = _place_of(state, slot) == cell and slot != unit and state.hp[slot] > 0
        other = slot if is_there else other
    if other == UNITS:
        return -1
    # If that unit has several moves, only the last of them counts.
    for j in range(orders.shape[0] - 1, -1, -1):
        if orders[j] & CONTESTED and unit_of(orders[j]) == other:
            return log.REASON_SWAP if cell_of(orders[j]) == _place_of(state, unit) else -1
    return log.REASON_STATIONARY


@kernel
def _move_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> None:
    """Make all moves at once, based on the positions before the turn. orders: (O,), changed."""
    moves = _find_moves(state, orders)
    if moves == 0:
        return
    _aim_moves(state, orders, moves, params)
    for i in range(orders.shape[0]):
        if orders[i] & CONTESTED:
            orders[i] |= (1 + _why_blocked(state, orders, i)) << 21
    _log_moves(state, orders, events)
    for i in range(orders.shape[0]):
        goes = orders[i] & CONTESTED and reason_of(orders[i]) < 0
        unit = unit_of(orders[i])
        state.x[unit] = cell_of(orders[i]) & 15 if goes else int(state.x[unit])
        state.y[unit] = cell_of(orders[i]) >> 4 if goes else int(state.y[unit])


@kernel
def _log_moves(state: Any, orders: npt.NDArray[np.int64], events: Any) -> None:
    """Log the moves before the units move. orders: (O,).

    The log has moves off the board first, then moves onto a core, then moves that are blocked for
    other reasons, then successful moves.
    """
    if events is not None:
        _log_blocked(state, orders, events, log.REASON_BOUNDS, log.REASON_BOUNDS)
        _log_blocked(state, orders, events, log.REASON_CORE, log.REASON_CORE)
        _log_blocked(state, orders, events, log.REASON_COLLISION, log.REASON_SWAP)
        for i in range(orders.shape[0]):
            if orders[i] & CONTESTED and reason_of(orders[i]) < 0:
                unit, cell = unit_of(orders[i]), cell_of(orders[i])
                x, y = int(state.x[unit]), int(state.y[unit])
                emit(events, log.EVENT_MOVE, unit, x, y, cell & 15, cell >> 4)


@kernel
def _log_blocked(
    state: Any, orders: npt.NDArray[np.int64], events: Any, first: int, last: int
) -> None:
    """Log the moves that are blocked for a reason from `first` to `last`. orders: (O,)."""
    for i in range(orders.shape[0]):
        if kind_of(orders[i]) == MOVE and first <= reason_of(orders[i]) <= last:
            unit, direction = unit_of(orders[i]), direction_of(orders[i])
            x, y = int(state.x[unit]), int(state.y[unit])
            emit(events, log.EVENT_MOVE_BLOCKED, unit, x, y, direction, reason_of(orders[i]))


# --------------------------------------------------------------------------------------------------
# 2. Shield


@kernel
def _shield_phase(state: Any, orders: npt.NDArray[np.int64], events: Any) -> int:
    """Raise all shields, and return the shielded slots as bits. orders: (O,).

    A second shield of a unit is logged and has no further effect.
    """
    shielded = 0
    for i in range(orders.shape[0]):
        is_shield = kind_of(orders[i]) == SHIELD and state.hp[unit_of(orders[i])] > 0
        shielded |= int(is_shield) << unit_of(orders[i])
        if events is not None and is_shield:
            emit(events, log.EVENT_SHIELD_ACTIVATED, unit_of(orders[i]))
    return shielded


# --------------------------------------------------------------------------------------------------
# 3. Pulse


@kernel
def _pulse_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Fire all pulses, and return the hits on each of the 8 targets, 8 bits each. orders: (O,)."""
    hits = 0
    for i in range(orders.shape[0]):
        unit, direction = unit_of(orders[i]), direction_of(orders[i])
        if kind_of(orders[i]) != PULSE or state.hp[unit] <= 0:
            continue
        target = trace_pulse(state, unit, direction, params)
        emit(events, log.EVENT_PULSE_FIRED, unit, int(state.x[unit]), int(state.y[unit]), direction)
        if target == NOTHING:
            emit(events, log.EVENT_PULSE_MISS, unit)
        else:
            emit(events, log.EVENT_PULSE_HIT, target, 1)
            hits += 1 << (8 * target)
    return hits


# --------------------------------------------------------------------------------------------------
# 4. Damage and 5. removal


@kernel
def _damage_phase(state: Any, hits: int, shielded: int, events: Any) -> None:
    """Apply all damage at once: 1 for each hit, and 0 for the first hit on a shielded unit.

    The log has the damage to every unit that was hit, even if it is 0.
    """
    for unit in range(UNITS):
        count = (hits >> (8 * unit)) & 255
        damage = max(0, count - ((shielded >> unit) & 1))
        state.hp[unit] = int(state.hp[unit]) - damage
        if events is not None and count > 0:
            emit(events, log.EVENT_DAMAGE_APPLIED, unit, damage, int(state.hp[unit]))
    for core in range(2):
        damage = (hits >> (8 * (CORE_A + core))) & 255
        state.core_hp[core] = int(state.core_hp[core]) - damage
        if events is not None and damage > 0:
            emit(events, log.EVENT_DAMAGE_APPLIED, CORE_A + core, damage, int(state.core_hp[core]))


@kernel
def _remove_dead(state: Any, events: Any) -> int:
    """Remove units without hp from the board, and return the slots of the others as bits.

    A dead core is logged again in every turn, as in the original engine.
    """
    if events is not None:
        for unit in range(UNITS):
            if REMOVED < state.hp[unit] <= 0:
                emit(events, log.EVENT_ENTITY_DESTROYED, unit)
        for core in range(2):
            if state.core_hp[core] <= 0:
                emit(events, log.EVENT_ENTITY_DESTROYED, CORE_A + core)
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
    emit(events, log.EVENT_GAME_OVER, winner)


@kernel
def _draw_game(state: Any, reason: int, events: Any) -> None:
    state.phase = OVER
    state.winner = NOBODY
    emit(events, log.EVENT_DRAW, reason)


@kernel
def _end_phase(state: Any, alive: int, events: Any, params: Params) -> None:
    """Decide whether the game is over, whatever its phase was, and count the turn.

    alive: the slots of living units as bits.
    """
    state.phase = PLAYING
    state.winner = NOBODY
    dead_a, dead_b = state.core_hp[0] <= 0, state.core_hp[1] <= 0
    if dead_a != dead_b:
        _end_game(state, 0 if dead_b else 1, events)
    elif dead_a and params.terminal_loss:
        _draw_game(state, log.REASON_MUTUAL_DESTRUCTION, events)
    elif params.terminal_loss:
        none_a, none_b = alive & ~params.owners == 0, alive & params.owners == 0
        if none_a and none_b:
            _draw_game(state, log.REASON_MUTUAL_DESTRUCTION, events)
        elif none_a or none_b:
            emit(events, log.EVENT_TERMINAL_LOSS, 0 if none_a else 1)
            _end_game(state, 1 if none_a else 0, events)
    if state.phase == PLAYING and state.turn + 1 >= MAX_TURNS:
        _draw_game(state, log.REASON_MAX_TURNS, events)
    state.turn += 1


@kernel
def resolve(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> int:
    """Play one turn with the given orders, legal or not, and return `ENDED` or `RUNNING`.

    Args:
        state: the record; changed in place.
        orders: (O,) from `orders.pack_order`, A's first, then B's; overwritten. O is at most
            `MAX_ORDERS`.
        events: the log, (E, 8) int16 with E at least 16 + 3 * O; or None.
        params: the parameters of the ruleset.
    """
    _move_phase(state, orders, events, params)
    shielded = _shield_phase(state, orders, events)
    hits = _pulse_phase(state, orders, events, params)
    if hits != 0:
        _damage_phase(state, hits, shielded, events)
    alive = _remove_dead(state, events)
    _end_phase(state, alive, events, params)
    return ENDED if state.phase == OVER else RUNNING


@kernel
def write_outcome(state: Any, returns: npt.NDArray[np.float32]) -> None:
    """Write +1 for the winner and -1 for the loser, or 0 if nobody has won. returns: (2,)."""
    value = 0.0
    if state.winner != NOBODY:
        value = 1.0 if state.winner == 0 else -1.0
    returns[0] = value
    returns[1] = -value
