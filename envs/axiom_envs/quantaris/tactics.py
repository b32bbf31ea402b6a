"""The tactics that the bots of Quantaris share: lines of fire, the worth of a shot, the best step.

All functions work in the player's own view, with its own order of units. An entity is the slot of a
unit, CORE_A or CORE_B.

Axis letters: K = 3 sub-actions of a player, N = 13 or 9 choices of each. Enemy number j is the unit
in row j of the enemy's own list for 0..2, and the enemy's core for 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import (
    ACTION_MOVE,
    ACTION_PULSE,
    ACTION_SHIELD,
    CORE_A,
    DX,
    DY,
    UNITS,
    UNITS_PER_PLAYER,
)
from axiom_envs.quantaris.geometry import (
    FAR,
    LINES,
    RANGES,
    offset_index,
    slot_of,
    trace_pulse,
    turn_direction,
)
from axiom_envs.quantaris.state import Params
from axiom_gym.kernel import inline_kernel, kernel

_DIRECTIONS = np.array(
    [[int(line).bit_length() - 1 for line in lines] for lines in LINES], dtype=np.int8
)
"""(2, 289) int8, without and with diagonals: the direction of a pulse that crosses the offset, or
-1."""

ENEMY_CORE = 3
_TARGETS = 4
UNDECIDED = -1

# The worth of a shot. An attacker is an enemy unit that aims at the player's core.
HIT_UNIT, HIT_CORE, HIT_ATTACKER, FINISH_UNIT, FINISH_CORE = range(5)

LINE_TO_CORE = 6
"""The worth of a clear line to the enemy's core, in cells of distance."""

ANY_FIRE = UNITS_PER_PLAYER
"""A limit on the enemies in line that no cell exceeds."""


class Goal(NamedTuple):
    """The criteria by which a unit chooses its next cell."""

    x: int  # column of the cell to approach
    y: int  # row of the cell to approach
    line: int  # worth of a clear line to the enemy's core, in cells of distance
    caution: int  # cost of each enemy in line, in cells of distance
    limit: int  # the largest allowed number of enemies in line


# --------------------------------------------------------------------------------------------------
# Lines of fire


@inline_kernel
def place_of(state: Any, entity: int, params: Params) -> tuple[int, int]:
    """Return the cell of an entity, x and y."""
    if entity < UNITS:
        return int(state.x[entity]), int(state.y[entity])
    if entity == CORE_A:
        return params.core_x_a, params.core_y_a
    return params.core_x_b, params.core_y_b


@inline_kernel
def is_standing(state: Any, entity: int) -> bool:
    """Return True if an entity is on the board; a core always is, even if it is dead."""
    return entity >= UNITS or state.hp[entity] > 0


@inline_kernel
def enemy_entity(player: int, j: int) -> int:
    """Return the entity of enemy number j."""
    return CORE_A + 1 - player if j == ENEMY_CORE else slot_of(1 - player, j)


@inline_kernel
def _offset_of(state: Any, entity: int, x: int, y: int, params: Params) -> int:
    """Return the index in the geometry tables of the offset from x, y to an entity."""
    to_x, to_y = place_of(state, entity, params)
    return offset_index(to_x - x, to_y - y)


@kernel
def _aim(state: Any, unit: int, target: int, params: Params) -> int:
    """Return the direction on the board in which the unit can hit the target now, or -1."""
    at = _offset_of(state, target, int(state.x[unit]), int(state.y[unit]), params)
    direction = int(_DIRECTIONS[params.diagonals, at])
    if direction < 0 or trace_pulse(state, unit, direction, params) != target:
        return -1
    return direction


@kernel
def _spares_own(state: Any, player: int, unit: int, direction: int, params: Params) -> bool:
    """Return True if no unit or core of the player is on the line, not even behind the target."""
    x, y = int(state.x[unit]), int(state.y[unit])
    for row in range(UNITS_PER_PLAYER + 1):
        entity = slot_of(player, row) if row < UNITS_PER_PLAYER else CORE_A + player
        at = _offset_of(state, entity, x, y, params)
        if RANGES[direction, at] < FAR and is_standing(state, entity):
            return False
    return True


@kernel
def count_threats(state: Any, player: int, target: int, params: Params) -> int:
    """Return the number of enemy units that could hit an entity of the player now."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_entity(player, j)
        count += is_standing(state, enemy) and _aim(state, enemy, target, params) >= 0
    return count


@kernel
def find_attackers(state: Any, player: int, params: Params) -> int:
    """Return the enemies that could hit the player's core now as bits, bit j for number j."""
    bits = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_entity(player, j)
        aims = is_standing(state, enemy) and _aim(state, enemy, CORE_A + player, params) >= 0
        bits |= int(aims) << j
    return bits


@kernel
def _has_line(state: Any, x: int, y: int, to_x: int, to_y: int, mover: int, params: Params) -> bool:
    """Return True if a pulse from one cell reaches the other once the unit `mover` has left."""
    direction = int(_DIRECTIONS[params.diagonals, offset_index(to_x - x, to_y - y)])
    if direction < 0:
        return False
    reach = RANGES[direction, offset_index(to_x - x, to_y - y)]
    for entity in range(UNITS + 2):
        at = _offset_of(state, entity, x, y, params)
        if RANGES[direction, at] < reach and entity != mover and is_standing(state, entity):
            return False
    return True


@kernel
def _count_fire(state: Any, player: int, x: int, y: int, mover: int, params: Params) -> int:
    """Return the number of enemy units that would have a line to the unit `mover` at x, y."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_entity(player, j)
        if is_standing(state, enemy):
            from_x, from_y = place_of(state, enemy, params)
            count += _has_line(state, from_x, from_y, x, y, mover, params)
    return count


# --------------------------------------------------------------------------------------------------
# Shots. The enemy's hp after the shots planned so far is one number, with 4 bits for each enemy j.


@kernel
def enemy_hp(state: Any, player: int) -> int:
    """Return the hp of the enemy's units and core, 0..15 in 4 bits each."""
    left = 0
    for j in range(UNITS_PER_PLAYER):
        left |= max(0, min(15, int(state.hp[slot_of(1 - player, j)]))) << (4 * j)
    return left | max(0, min(15, int(state.core_hp[1 - player]))) << (4 * ENEMY_CORE)


@kernel
def core_can_fall(state: Any, player: int, params: Params) -> bool:
    """Return True if all units that aim at the enemy's core together destroy it in this turn."""
    count = 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        core = enemy_entity(player, ENEMY_CORE)
        count += is_standing(state, unit) and _aim(state, unit, core, params) >= 0
    return count >= int(state.core_hp[1 - player])


@inline_kernel
def _worth(j: int, left: int, core_falls: bool, attackers: int) -> int:
    """Return the worth of a hit on enemy j.

    left: the enemy's hp, see `enemy_hp`. attackers: bits, see `find_attackers`.
    """
    if j == ENEMY_CORE:
        return FINISH_CORE if core_falls else HIT_CORE
    if (left >> (4 * j)) & 15 == 1:
        return FINISH_UNIT
    return HIT_ATTACKER if (attackers >> j) & 1 else HIT_UNIT


@kernel
def best_shot(
    state: Any,
    player: int,
    unit: int,
    left: int,
    core_falls: bool,
    attackers: int,
    random_bits: int,
    params: Params,
) -> int:
    """Return the best shot of a unit, or -1 if it has no target.

    random_bits: 8 bits that break ties, 2 for each enemy. The bits of the result are:

        0..3 direction on the board | 4..7 number of the enemy | 8..9 random bits | 10.. worth
    """
    best = -1
    for j in range(_TARGETS):
        if (left >> (4 * j)) & 15 == 0:
            continue
        direction = _aim(state, unit, enemy_entity(player, j), params)
        # A pulse never passes a core, so nothing behind the core is in danger.
        if direction < 0 or (
            j != ENEMY_CORE and not _spares_own(state, player, unit, direction, params)
        ):
            continue
        value = _worth(j, left, core_falls, attackers) << 2 | (random_bits >> (2 * j)) & 3
        best = max(best, value << 8 | j << 4 | direction)
    return best


@inline_kernel
def shot_worth(shot: int) -> int:
    """Return the worth of a shot, or -1 for no shot."""
    return shot >> 10


@inline_kernel
def shot_action(player: int, shot: int) -> int:
    """Return the sub-action that fires a shot from `best_shot`."""
    return ACTION_PULSE + turn_direction(player, shot & 15)


@inline_kernel
def after_shot(left: int, shot: int) -> int:
    """Return the enemy's hp, as packed by `enemy_hp`, after a shot from `best_shot`."""
    return left - (1 << (4 * ((shot >> 4) & 15)))


# --------------------------------------------------------------------------------------------------
# Steps


@inline_kernel
def _step_from(state: Any, player: int, unit: int, action: int) -> tuple[int, int]:
    """Return the destination of a move."""
    direction = turn_direction(player, action - ACTION_MOVE)
    return int(state.x[unit]) + int(DX[direction]), int(state.y[unit]) + int(DY[direction])


@kernel
def _is_free(
    state: Any, player: int, x: int, y: int, sub_actions: npt.NDArray[np.int64], params: Params
) -> bool:
    """Return True if a cell is empty, and no friend steps onto it or fires across it.

    sub_actions: (K,), those decided so far.
    """
    for entity in range(UNITS + 2):
        at_x, at_y = place_of(state, entity, params)
        if at_x == x and at_y == y and is_standing(state, entity):
            return False
    for row in range(UNITS_PER_PLAYER):
        friend, sub_action = slot_of(player, row), int(sub_actions[row])
        if sub_action >= ACTION_PULSE:
            direction = turn_direction(player, sub_action - ACTION_PULSE)
            way = offset_index(x - int(state.x[friend]), y - int(state.y[friend]))
            if RANGES[direction, way] < FAR:
                return False
        elif sub_action >= ACTION_MOVE:
            at_x, at_y = _step_from(state, player, friend, sub_action)
            if at_x == x and at_y == y:
                return False
    return True


@kernel
def best_step(
    state: Any,
    player: int,
    row: int,
    goal: Goal,
    random_bits: int,
    mask: npt.NDArray[np.int8],
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> int:
    """Return the best step towards the goal, or the shield if no step is possible.

    mask: (K, N). sub_actions: (K,). random_bits: 8 bits that break ties, 2 for each move.
    """
    unit = slot_of(player, row)
    core_x, core_y = place_of(state, enemy_entity(player, ENEMY_CORE), params)
    best, best_action = -1000, ACTION_SHIELD
    for action in range(ACTION_MOVE, ACTION_PULSE):
        if mask[row, action] == 0:
            continue
        x, y = _step_from(state, player, unit, action)
        fire = _count_fire(state, player, x, y, unit, params)
        if fire > goal.limit or not _is_free(state, player, x, y, sub_actions, params):
            continue
        value = -abs(x - goal.x) - abs(y - goal.y) - goal.caution * fire
        if goal.line != 0 and _has_line(state, x, y, core_x, core_y, unit, params):
            value += goal.line
        value = 4 * value + ((random_bits >> (2 * (action - ACTION_MOVE))) & 3)
        if value > best:
            best, best_action = value, action
    return best_action
