"""How a turn of Quantaris is resolved, phase by phase: the rules, and the only place they stand.

Source: the Quantaris engine, releases 0.1.3 (ruleset 0.1) and 0.2.0 (ruleset 0.2).

The phases avoid branches that depend on what was ordered, since a processor cannot foresee them;
logging is kept apart from the rules for that reason. Orders are numbers: see `orders`.

Axis letters: O = orders of a turn, A's first, then B's; E = rows of a log.
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
    """Where a unit stands, as x | y << 4."""
    return int(state.x[unit]) | int(state.y[unit]) << 4


@inline_kernel
def _places(state: Any, orders: npt.NDArray[np.int64], kind: int) -> int:
    """The places in the list, as bits, of the orders of this kind to living units. orders: (O,).

    The dead are skipped everywhere.
    """
    places = 0
    for i in range(orders.shape[0]):
        is_kind = kind_of(orders[i]) == kind and state.hp[unit_of(orders[i])] > 0
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
    """Why contested move `i` cannot be made. orders: (O,).

    It is judged by all contested moves, blocked ones too. Returns a REASON, or -1 where the move
    goes through.
    """
    unit, cell = unit_of(orders[i]), cell_of(orders[i])
    aims = 0
    for j in range(orders.shape[0]):
        aims += (orders[j] ^ orders[i]) & CELL_AND_CONTESTED == 0
    if aims > 1:
        return log.REASON_COLLISION
    # Only the first unit in state order is looked at, should several share the cell.
    other = UNITS
    for slot in range(UNITS - 1, -1, -1):
        is_there = _place_of(state, slot) == cell and slot != unit and state.hp[slot] > 0
        other = slot if is_there else other
    if other == UNITS:
        return -1
    # And of its moves, should it have several, only the last.
    for j in range(orders.shape[0] - 1, -1, -1):
        if orders[j] & CONTESTED and unit_of(orders[j]) == other:
            return log.REASON_SWAP if cell_of(orders[j]) == _place_of(state, unit) else -1
    return log.REASON_STATIONARY


@kernel
def _move_phase(state: Any, orders: npt.NDArray[np.int64], events: Any, params: Params) -> None:
    """All moves at once, judged by the positions before the turn. orders: (O,)."""
    moves = _places(state, orders, MOVE)
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
    """Logs the moves before they are made. orders: (O,).

    First those off the board, then onto a core, then otherwise blocked, then those that go through.
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
    """Logs the moves that are blocked for a reason from `first` to `last`. orders: (O,)."""
    for i in range(orders.shape[0]):
        if kind_of(orders[i]) == MOVE and first <= reason_of(orders[i]) <= last:
            unit, direction = unit_of(orders[i]), direction_of(orders[i])
            x, y = int(state.x[unit]), int(state.y[unit])
            emit(events, log.EVENT_MOVE_BLOCKED, unit, x, y, direction, reason_of(orders[i]))


# --------------------------------------------------------------------------------------------------
# 2. Shield


@kernel
def _shield_phase(state: Any, orders: npt.NDArray[np.int64], events: Any) -> int:
    """Returns the shielded slots as bits; a second shield is logged and counts no more.

    orders: (O,).
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
    """Fires all pulses; returns the hits on each of the 8 targets, 8 bits each. orders: (O,)."""
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
    """All damage at once: 1 per hit, the first one on a shielded unit for nothing.

    It is logged even where it is 0.
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
    """Takes units without hp off the board and returns the slots of the others as bits.

    A dead core is logged again in every turn, as the source does.
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
    """Decides anew whether the game is over, and counts the turn. alive: slots as bits."""
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
    """Plays one turn with any orders, checked or not: A's first, then B's, in the order given.

    Args:
        state: the record, changed in place.
        orders: (O,) of `orders.pack_order`; overwritten. O is at most `MAX_ORDERS`.
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


@kernel
def write_outcome(state: Any, returns: npt.NDArray[np.float32]) -> None:
    """Write +1 for the winner, -1 for the loser; 0 after a draw and in a running game.

    returns: (2,).
    """
    value = 0.0
    if state.winner != NOBODY:
        value = 1.0 if state.winner == 0 else -1.0
    returns[0] = value
    returns[1] = -value
