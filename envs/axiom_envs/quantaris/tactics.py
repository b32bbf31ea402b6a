"""What the scripted players of Quantaris share: lines of fire, the worth of a shot, the best step.

Everything is counted in the player's own view and order. A thing is a unit's slot or a core.

Axis letters: K = 3 orders of a player, N = 13 or 9 actions. An enemy's number j is 0..2 for the
unit in row j of its own list, and 3 for its core.
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
"""(2, 289) int8, without and with diagonals: the direction of a pulse that goes over the offset, or
-1."""

ENEMY_CORE = 3
_TARGETS = 4
UNDECIDED = -1

# What a shot is worth. An attacker is a unit that aims at one's own core.
HIT_UNIT, HIT_CORE, HIT_ATTACKER, FINISH_UNIT, FINISH_CORE = range(5)

LINE_TO_CORE = 6
"""How many cells of distance a clear line to the enemy's core is worth to a unit that closes in."""

ANY_FIRE = UNITS_PER_PLAYER
"""A limit of enemies in line that no cell exceeds."""


class Goal(NamedTuple):
    """How a unit judges the cells that it can step to."""

    x: int  # nearer to this cell is better
    y: int
    line: int  # what a clear line to the enemy's core is worth, in cells of distance
    caution: int  # what each enemy in line costs, in cells of distance
    limit: int  # a cell with more enemies in line is out of the question


# --------------------------------------------------------------------------------------------------
# Who can hit whom


@inline_kernel
def place_of(state: Any, thing: int, params: Params) -> tuple[int, int]:
    """The cell of a slot, CORE_A or CORE_B."""
    if thing < UNITS:
        return int(state.x[thing]), int(state.y[thing])
    if thing == CORE_A:
        return params.core_x_a, params.core_y_a
    return params.core_x_b, params.core_y_b


@inline_kernel
def is_standing(state: Any, thing: int) -> bool:
    """Whether a slot, CORE_A or CORE_B is on the board; a dead core is."""
    return thing >= UNITS or state.hp[thing] > 0


@inline_kernel
def enemy_thing(player: int, j: int) -> int:
    """Enemy j: its slot, CORE_A or CORE_B."""
    return CORE_A + 1 - player if j == ENEMY_CORE else slot_of(1 - player, j)


@inline_kernel
def _offset_of(state: Any, thing: int, x: int, y: int, params: Params) -> int:
    """Where the geometry tables hold the way from x, y to a thing."""
    to_x, to_y = place_of(state, thing, params)
    return offset_index(to_x - x, to_y - y)


@kernel
def _aim(state: Any, unit: int, target: int, params: Params) -> int:
    """The direction on the board in which a pulse of the unit would hit the target now, or -1."""
    at = _offset_of(state, target, int(state.x[unit]), int(state.y[unit]), params)
    direction = int(_DIRECTIONS[params.diagonals, at])
    if direction < 0 or trace_pulse(state, unit, direction, params) != target:
        return -1
    return direction


@kernel
def _spares_own(state: Any, player: int, unit: int, direction: int, params: Params) -> bool:
    """Whether nothing of the player's own stands on the line, not even behind the target."""
    x, y = int(state.x[unit]), int(state.y[unit])
    for row in range(UNITS_PER_PLAYER + 1):
        thing = slot_of(player, row) if row < UNITS_PER_PLAYER else CORE_A + player
        at = _offset_of(state, thing, x, y, params)
        if RANGES[direction, at] < FAR and is_standing(state, thing):
            return False
    return True


@kernel
def count_threats(state: Any, player: int, target: int, params: Params) -> int:
    """How many enemy units could hit a slot or core of the player's now."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_thing(player, j)
        count += is_standing(state, enemy) and _aim(state, enemy, target, params) >= 0
    return count


@kernel
def find_attackers(state: Any, player: int, params: Params) -> int:
    """The enemies, bit j for number j, that could hit the player's core now."""
    bits = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_thing(player, j)
        aims = is_standing(state, enemy) and _aim(state, enemy, CORE_A + player, params) >= 0
        bits |= int(aims) << j
    return bits


@kernel
def _has_line(state: Any, x: int, y: int, to_x: int, to_y: int, mover: int, params: Params) -> bool:
    """Whether a pulse from one cell reaches the other, were the unit `mover` not where it is."""
    direction = int(_DIRECTIONS[params.diagonals, offset_index(to_x - x, to_y - y)])
    if direction < 0:
        return False
    reach = RANGES[direction, offset_index(to_x - x, to_y - y)]
    for thing in range(UNITS + 2):
        at = _offset_of(state, thing, x, y, params)
        if RANGES[direction, at] < reach and thing != mover and is_standing(state, thing):
            return False
    return True


@kernel
def _count_fire(state: Any, player: int, x: int, y: int, mover: int, params: Params) -> int:
    """How many enemy units would have a line to the own unit `mover` if it stood at x, y."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = enemy_thing(player, j)
        if is_standing(state, enemy):
            from_x, from_y = place_of(state, enemy, params)
            count += _has_line(state, from_x, from_y, x, y, mover, params)
    return count


# --------------------------------------------------------------------------------------------------
# Shots. The hp that the shots planned so far leave to the enemy is one number, 4 bits for each j.


@kernel
def enemy_hp(state: Any, player: int) -> int:
    """The hp of the enemy's units and core, 0..15 in 4 bits each."""
    left = 0
    for j in range(UNITS_PER_PLAYER):
        left |= max(0, min(15, int(state.hp[slot_of(1 - player, j)]))) << (4 * j)
    return left | max(0, min(15, int(state.core_hp[1 - player]))) << (4 * ENEMY_CORE)


@kernel
def core_can_fall(state: Any, player: int, params: Params) -> bool:
    """Whether all who aim at the enemy's core together destroy it in this turn."""
    count = 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        core = enemy_thing(player, ENEMY_CORE)
        count += is_standing(state, unit) and _aim(state, unit, core, params) >= 0
    return count >= int(state.core_hp[1 - player])


@inline_kernel
def _worth(j: int, left: int, core_falls: bool, attackers: int) -> int:
    """The worth of a hit on enemy j; `left` as from `enemy_hp`, `attackers` as bits."""
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
    luck: int,
    params: Params,
) -> int:
    """The best shot of a unit, ties by luck (8 bits), or -1 where it has none.

    Bits: 0..3 direction on the board | 4..7 number of the enemy | 8..9 luck | 10.. worth.
    """
    best = -1
    for j in range(_TARGETS):
        if (left >> (4 * j)) & 15 == 0:
            continue
        direction = _aim(state, unit, enemy_thing(player, j), params)
        # Nothing gets behind a core, and so behind it nothing is in danger.
        if direction < 0 or (
            j != ENEMY_CORE and not _spares_own(state, player, unit, direction, params)
        ):
            continue
        value = _worth(j, left, core_falls, attackers) << 2 | (luck >> (2 * j)) & 3
        best = max(best, value << 8 | j << 4 | direction)
    return best


@inline_kernel
def shot_worth(shot: int) -> int:
    """The worth of a shot; -1 for none."""
    return shot >> 10


@inline_kernel
def shot_action(player: int, shot: int) -> int:
    """The action that fires it."""
    return ACTION_PULSE + turn_direction(player, shot & 15)


@inline_kernel
def after_shot(left: int, shot: int) -> int:
    """The enemy's hp once the shot has hit as well."""
    return left - (1 << (4 * ((shot >> 4) & 15)))


# --------------------------------------------------------------------------------------------------
# Steps


@inline_kernel
def _step_from(state: Any, player: int, unit: int, action: int) -> tuple[int, int]:
    """The cell that a move aims at."""
    direction = turn_direction(player, action - ACTION_MOVE)
    return int(state.x[unit]) + int(DX[direction]), int(state.y[unit]) + int(DY[direction])


@kernel
def _is_free(
    state: Any, player: int, x: int, y: int, orders: npt.NDArray[np.int64], params: Params
) -> bool:
    """Whether a cell is empty, and no friend steps there or fires along it. orders: (K,)."""
    for thing in range(UNITS + 2):
        at_x, at_y = place_of(state, thing, params)
        if at_x == x and at_y == y and is_standing(state, thing):
            return False
    for row in range(UNITS_PER_PLAYER):
        friend, order = slot_of(player, row), int(orders[row])
        if order >= ACTION_PULSE:
            direction = turn_direction(player, order - ACTION_PULSE)
            way = offset_index(x - int(state.x[friend]), y - int(state.y[friend]))
            if RANGES[direction, way] < FAR:
                return False
        elif order >= ACTION_MOVE:
            at_x, at_y = _step_from(state, player, friend, order)
            if at_x == x and at_y == y:
                return False
    return True


@kernel
def best_step(
    state: Any,
    player: int,
    row: int,
    goal: Goal,
    luck: int,
    mask: npt.NDArray[np.int8],
    orders: npt.NDArray[np.int64],
    params: Params,
) -> int:
    """The best step by the goal, ties by luck (8 bits); the shield if there is none.

    mask: (K, N). orders: (K,).
    """
    unit = slot_of(player, row)
    core_x, core_y = place_of(state, enemy_thing(player, ENEMY_CORE), params)
    best, best_action = -1000, ACTION_SHIELD
    for action in range(ACTION_MOVE, ACTION_PULSE):
        if mask[row, action] == 0:
            continue
        x, y = _step_from(state, player, unit, action)
        fire = _count_fire(state, player, x, y, unit, params)
        if fire > goal.limit or not _is_free(state, player, x, y, orders, params):
            continue
        value = -abs(x - goal.x) - abs(y - goal.y) - goal.caution * fire
        if goal.line != 0 and _has_line(state, x, y, core_x, core_y, unit, params):
            value += goal.line
        value = 4 * value + ((luck >> (2 * (action - ACTION_MOVE))) & 3)
        if value > best:
            best, best_action = value, action
    return best_action
