"""The scripted players of Quantaris: `greedy` and `guardian`.

Both read the state record, of which everything is public, and decide in two rounds: first who
shoots, then where the others step, so that nobody steps into a friend's line. Neither ever fires
where one's own core or unit stands on the line, even behind the target, which may step aside; and
neither steps onto a unit, or sends two units onto one cell.

Everything is counted in the player's own view and order, and drawn from its own stream: with the
board turned by 180 degrees and the same stream, the other player gives the same orders.

Axis letters: K = 3 orders of a player, N = 13 or 9 actions. An enemy's number j is 0..2 for the
unit in row j of its own list, and 3 for its core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.board import (
    ACTION_MOVE,
    ACTION_PULSE,
    ACTION_SHIELD,
    CORE_A,
    DX,
    DY,
    FAR,
    LINES,
    RANGES,
    UNITS,
    UNITS_PER_PLAYER,
    Params,
    offset_index,
    slot_of,
    trace_pulse,
    turn_direction,
)
from axiom_gym.kernel import inline_kernel, kernel
from axiom_gym.rng import next_below

HOME = 2
"""The guardian's guard stays within this many steps of its core."""

_DIRECTIONS = np.array(
    [[int(line).bit_length() - 1 for line in lines] for lines in LINES], dtype=np.int8
)
"""(2, 289) int8, without and with diagonals: the direction of a pulse that goes over the offset, or
-1."""

_ENEMY_CORE = 3
_TARGETS = 4
_UNDECIDED = -1

# What a shot is worth. An attacker is a unit that aims at one's own core.
_HIT_UNIT, _HIT_CORE, _HIT_ATTACKER, _FINISH_UNIT, _FINISH_CORE = range(5)

_LINE_TO_CORE = 6
"""How many cells of distance a clear line to the enemy's core is worth to a unit that closes in."""

_ANY_FIRE = UNITS_PER_PLAYER
"""A limit of enemies in line that no cell exceeds."""


class _Goal(NamedTuple):
    """How a unit judges the cells that it can step to."""

    x: int  # nearer to this cell is better
    y: int
    line: int  # what a clear line to the enemy's core is worth, in cells of distance
    caution: int  # what each enemy in line costs, in cells of distance
    limit: int  # a cell with more enemies in line is out of the question


# --------------------------------------------------------------------------------------------------
# Who can hit whom


@inline_kernel
def _place(state: Any, thing: int, params: Params) -> tuple[int, int]:
    """The cell of a slot, CORE_A or CORE_B."""
    if thing < UNITS:
        return int(state.x[thing]), int(state.y[thing])
    if thing == CORE_A:
        return params.core_x_a, params.core_y_a
    return params.core_x_b, params.core_y_b


@inline_kernel
def _stands(state: Any, thing: int) -> bool:
    """Whether a slot, CORE_A or CORE_B is on the board; a dead core is."""
    return thing >= UNITS or state.hp[thing] > 0


@inline_kernel
def _enemy(player: int, j: int) -> int:
    """Enemy j: its slot, CORE_A or CORE_B."""
    return CORE_A + 1 - player if j == _ENEMY_CORE else slot_of(1 - player, j)


@inline_kernel
def _offset_of(state: Any, thing: int, x: int, y: int, params: Params) -> int:
    """Where the geometry tables hold the way from x, y to a thing."""
    to_x, to_y = _place(state, thing, params)
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
        if RANGES[direction, at] < FAR and _stands(state, thing):
            return False
    return True


@kernel
def _count_threats(state: Any, player: int, target: int, params: Params) -> int:
    """How many enemy units could hit a slot or core of the player's now."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = _enemy(player, j)
        count += _stands(state, enemy) and _aim(state, enemy, target, params) >= 0
    return count


@kernel
def _find_attackers(state: Any, player: int, params: Params) -> int:
    """The enemies, bit j for number j, that could hit the player's core now."""
    bits = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = _enemy(player, j)
        aims = _stands(state, enemy) and _aim(state, enemy, CORE_A + player, params) >= 0
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
        if RANGES[direction, at] < reach and thing != mover and _stands(state, thing):
            return False
    return True


@kernel
def _count_fire(state: Any, player: int, x: int, y: int, mover: int, params: Params) -> int:
    """How many enemy units would have a line to the own unit `mover` if it stood at x, y."""
    count = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = _enemy(player, j)
        if _stands(state, enemy):
            from_x, from_y = _place(state, enemy, params)
            count += _has_line(state, from_x, from_y, x, y, mover, params)
    return count


# --------------------------------------------------------------------------------------------------
# Shots. The hp that the shots planned so far leave to the enemy is one number, 4 bits for each j.


@kernel
def _enemy_hp(state: Any, player: int) -> int:
    """The hp of the enemy's units and core, 0..15 in 4 bits each."""
    left = 0
    for j in range(UNITS_PER_PLAYER):
        left |= max(0, min(15, int(state.hp[slot_of(1 - player, j)]))) << (4 * j)
    return left | max(0, min(15, int(state.core_hp[1 - player]))) << (4 * _ENEMY_CORE)


@kernel
def _core_can_fall(state: Any, player: int, params: Params) -> bool:
    """Whether all who aim at the enemy's core together destroy it in this turn."""
    count = 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        core = _enemy(player, _ENEMY_CORE)
        count += _stands(state, unit) and _aim(state, unit, core, params) >= 0
    return count >= int(state.core_hp[1 - player])


@inline_kernel
def _worth(j: int, left: int, core_falls: bool, attackers: int) -> int:
    """The worth of a hit on enemy j; `left` as from `_enemy_hp`, `attackers` as bits."""
    if j == _ENEMY_CORE:
        return _FINISH_CORE if core_falls else _HIT_CORE
    if (left >> (4 * j)) & 15 == 1:
        return _FINISH_UNIT
    return _HIT_ATTACKER if (attackers >> j) & 1 else _HIT_UNIT


@kernel
def _best_shot(
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
        direction = _aim(state, unit, _enemy(player, j), params)
        # Nothing gets behind a core, and so behind it nothing is in danger.
        if direction < 0 or (
            j != _ENEMY_CORE and not _spares_own(state, player, unit, direction, params)
        ):
            continue
        value = _worth(j, left, core_falls, attackers) << 2 | (luck >> (2 * j)) & 3
        best = max(best, value << 8 | j << 4 | direction)
    return best


@inline_kernel
def _shot_worth(shot: int) -> int:
    """The worth of a shot; -1 for none."""
    return shot >> 10


@inline_kernel
def _shot_action(player: int, shot: int) -> int:
    """The action that fires it."""
    return ACTION_PULSE + turn_direction(player, shot & 15)


@inline_kernel
def _after_shot(left: int, shot: int) -> int:
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
        at_x, at_y = _place(state, thing, params)
        if at_x == x and at_y == y and _stands(state, thing):
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
def _best_step(
    state: Any,
    player: int,
    row: int,
    goal: _Goal,
    luck: int,
    mask: npt.NDArray[np.int8],
    orders: npt.NDArray[np.int64],
    params: Params,
) -> int:
    """The best step by the goal, ties by luck (8 bits); the shield if there is none.

    mask: (K, N). orders: (K,).
    """
    unit = slot_of(player, row)
    core_x, core_y = _place(state, _enemy(player, _ENEMY_CORE), params)
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


# --------------------------------------------------------------------------------------------------
# greedy


@kernel
def greedy(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    orders: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Shoots whatever it can hit and runs at the enemy's core; it never defends.

    1. Who can hit something fires. In this order: the core, if all who aim at it finish it; a unit
       that the shot finishes, counting the shots of those decided before; the core; any unit. An
       enemy that is as good as dead is not shot again.
    2. One time in four a unit under fire that could only wound a unit presses on instead of
       trading shots.
    3. Who does not fire closes in on the enemy's core: a clear line to it is worth 6 cells, an
       enemy in line costs 1.
    4. Who cannot step shields.

    mask: (K, N). orders: (K,), written.
    """
    left = _enemy_hp(state, player)
    core_falls = _core_can_fall(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not _stands(state, unit):
            orders[row] = ACTION_SHIELD
            continue
        luck = next_below(stream, 1 << 10)
        shot = _best_shot(state, player, unit, left, core_falls, 0, luck, params)
        presses_on = _shot_worth(shot) == _HIT_UNIT and luck >> 8 == 0
        if shot < 0 or (presses_on and _count_threats(state, player, unit, params) > 0):
            orders[row] = _UNDECIDED
            continue
        orders[row] = _shot_action(player, shot)
        left = _after_shot(left, shot)
    core_x, core_y = _place(state, _enemy(player, _ENEMY_CORE), params)
    goal = _Goal(core_x, core_y, _LINE_TO_CORE, 1, _ANY_FIRE)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == _UNDECIDED:
            luck = next_below(stream, 1 << 8)
            orders[row] = _best_step(state, player, row, goal, luck, mask, orders, params)


# --------------------------------------------------------------------------------------------------
# guardian


@kernel
def _choose_guard(state: Any, player: int, params: Params) -> int:
    """The row of the unit nearest to its core; -1 for a last unit, or without an enemy unit."""
    core_x, core_y = _place(state, CORE_A + player, params)
    nearest, guard = 1000, -1
    own, enemies = 0, 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        enemies += _stands(state, _enemy(player, row))
        if not _stands(state, unit):
            continue
        own += 1
        distance = abs(int(state.x[unit]) - core_x) + abs(int(state.y[unit]) - core_y)
        if distance < nearest:
            nearest, guard = distance, row
    return guard if own > 1 and enemies > 0 else -1


@inline_kernel
def _between(value: int, a: int, b: int) -> int:
    """`value` moved to the nearest end of the span from a to b, if it is outside."""
    return max(min(a, b), min(value, max(a, b)))


@inline_kernel
def _sign(value: int) -> int:
    return int(value > 0) - int(value < 0)


@kernel
def _find_post(
    state: Any, player: int, unit: int, attackers: int, params: Params
) -> tuple[int, int]:
    """Where the guard should be: the nearest cell between an attacker and the core, or the core."""
    x, y = int(state.x[unit]), int(state.y[unit])
    core_x, core_y = _place(state, CORE_A + player, params)
    post_x, post_y, nearest = core_x, core_y, 1000
    for j in range(UNITS_PER_PLAYER):
        if (attackers >> j) & 1:
            from_x, from_y = _place(state, _enemy(player, j), params)
            step_x, step_y = _sign(from_x - core_x), _sign(from_y - core_y)
            at_x = _between(x, core_x + step_x, from_x - step_x)
            at_y = _between(y, core_y + step_y, from_y - step_y)
            if abs(at_x - x) + abs(at_y - y) < nearest:
                post_x, post_y, nearest = at_x, at_y, abs(at_x - x) + abs(at_y - y)
    return post_x, post_y


@kernel
def _react(state: Any, player: int, unit: int, shot: int, luck: int, params: Params) -> int:
    """What a unit under fire does: shields, steps aside (_UNDECIDED) or fires. luck: 0..3."""
    threats = _count_threats(state, player, unit, params)
    worth = _shot_worth(shot)
    survives = threats < state.hp[unit]
    fires = _UNDECIDED if shot < 0 else _shot_action(player, shot)
    if threats == 0 or worth == _FINISH_CORE or (worth == _FINISH_UNIT and survives):
        return fires
    if luck == 0:
        return ACTION_SHIELD
    if luck == 1:
        return _UNDECIDED
    return fires if survives or worth == _FINISH_UNIT else ACTION_SHIELD


@kernel
def _guardian_step(
    state: Any,
    player: int,
    row: int,
    is_guard: bool,
    attackers: int,
    luck: int,
    mask: npt.NDArray[np.int8],
    orders: npt.NDArray[np.int64],
    params: Params,
) -> int:
    """The action of a unit of the guardian's that does not fire. mask: (K, N). orders: (K,)."""
    unit = slot_of(player, row)
    limit = int(state.hp[unit]) - 1
    if attackers != 0:
        limit = _ANY_FIRE
    elif _count_threats(state, player, unit, params) > 0:
        limit = 0
    x, y = _place(state, _enemy(player, _ENEMY_CORE), params)
    goal = _Goal(x, y, _LINE_TO_CORE, 2, limit)
    if is_guard:
        x, y = _find_post(state, player, unit, attackers, params)
        distance = abs(int(state.x[unit]) - x) + abs(int(state.y[unit]) - y)
        if distance <= (HOME if attackers == 0 else 0):
            return ACTION_SHIELD
        goal = _Goal(x, y, 0, 2 if attackers == 0 else 0, limit)
    return _best_step(state, player, row, goal, luck, mask, orders, params)


@kernel
def guardian(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    orders: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Keeps a guard at home, shields what would be hit, and attacks where it is not shot at.

    1. A unit that nobody aims at fires if it can hit something. In this order: the core, if all who
       aim at it finish it; a unit that the shot finishes; a unit that aims at its own core; the
       core; any unit. An enemy that is as good as dead is not shot again.
    2. A unit under fire does the same where that wins the game, or finishes a unit while it
       survives itself. Otherwise it shields one time in four, steps aside one time in four, and
       fires back in the rest; but where it would die and finishes nothing, it shields instead.
    3. The guard is the living unit nearest to its core, as long as another one lives and the enemy
       has units. It stays within two steps of the core and shields; when the core is under fire,
       it goes between, whatever is in line there.
    4. The others close in on the enemy's core: a clear line to it is worth 6 cells, an enemy in
       line costs 2. They do not step where as many enemies have a line as they have hp, and aside
       only where none has one, unless their own core is under fire.
    5. Who cannot step shields.

    mask: (K, N). orders: (K,), written.
    """
    left = _enemy_hp(state, player)
    core_falls = _core_can_fall(state, player, params)
    attackers = _find_attackers(state, player, params)
    guard = _choose_guard(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not _stands(state, unit):
            orders[row] = ACTION_SHIELD
            continue
        luck = next_below(stream, 1 << 10)
        shot = _best_shot(state, player, unit, left, core_falls, attackers, luck, params)
        orders[row] = _react(state, player, unit, shot, luck >> 8, params)
        if orders[row] >= ACTION_PULSE:
            left = _after_shot(left, shot)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == _UNDECIDED:
            luck = next_below(stream, 1 << 8)
            orders[row] = _guardian_step(
                state, player, row, row == guard, attackers, luck, mask, orders, params
            )
