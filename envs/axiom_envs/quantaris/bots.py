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

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import ACTION_PULSE, ACTION_SHIELD, CORE_A, UNITS_PER_PLAYER
from axiom_envs.quantaris.geometry import slot_of
from axiom_envs.quantaris.state import Params
from axiom_envs.quantaris.tactics import (
    ANY_FIRE,
    ENEMY_CORE,
    FINISH_CORE,
    FINISH_UNIT,
    HIT_UNIT,
    LINE_TO_CORE,
    UNDECIDED,
    Goal,
    after_shot,
    best_shot,
    best_step,
    core_can_fall,
    count_threats,
    enemy_hp,
    enemy_thing,
    find_attackers,
    is_standing,
    place_of,
    shot_action,
    shot_worth,
)
from axiom_gym.kernel import inline_kernel, kernel
from axiom_gym.rng import next_below

HOME = 2
"""The guardian's guard stays within this many steps of its core."""


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
    left = enemy_hp(state, player)
    core_falls = core_can_fall(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not is_standing(state, unit):
            orders[row] = ACTION_SHIELD
            continue
        luck = next_below(stream, 1 << 10)
        shot = best_shot(state, player, unit, left, core_falls, 0, luck, params)
        presses_on = shot_worth(shot) == HIT_UNIT and luck >> 8 == 0
        if shot < 0 or (presses_on and count_threats(state, player, unit, params) > 0):
            orders[row] = UNDECIDED
            continue
        orders[row] = shot_action(player, shot)
        left = after_shot(left, shot)
    core_x, core_y = place_of(state, enemy_thing(player, ENEMY_CORE), params)
    goal = Goal(core_x, core_y, LINE_TO_CORE, 1, ANY_FIRE)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == UNDECIDED:
            luck = next_below(stream, 1 << 8)
            orders[row] = best_step(state, player, row, goal, luck, mask, orders, params)


# --------------------------------------------------------------------------------------------------
# guardian


@kernel
def _choose_guard(state: Any, player: int, params: Params) -> int:
    """The row of the unit nearest to its core; -1 for a last unit, or without an enemy unit."""
    core_x, core_y = place_of(state, CORE_A + player, params)
    nearest, guard = 1000, -1
    own, enemies = 0, 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        enemies += is_standing(state, enemy_thing(player, row))
        if not is_standing(state, unit):
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
    core_x, core_y = place_of(state, CORE_A + player, params)
    post_x, post_y, nearest = core_x, core_y, 1000
    for j in range(UNITS_PER_PLAYER):
        if (attackers >> j) & 1:
            from_x, from_y = place_of(state, enemy_thing(player, j), params)
            step_x, step_y = _sign(from_x - core_x), _sign(from_y - core_y)
            at_x = _between(x, core_x + step_x, from_x - step_x)
            at_y = _between(y, core_y + step_y, from_y - step_y)
            if abs(at_x - x) + abs(at_y - y) < nearest:
                post_x, post_y, nearest = at_x, at_y, abs(at_x - x) + abs(at_y - y)
    return post_x, post_y


@kernel
def _react(state: Any, player: int, unit: int, shot: int, luck: int, params: Params) -> int:
    """What a unit under fire does: shields, steps aside (UNDECIDED) or fires. luck: 0..3."""
    threats = count_threats(state, player, unit, params)
    worth = shot_worth(shot)
    survives = threats < state.hp[unit]
    fires = UNDECIDED if shot < 0 else shot_action(player, shot)
    if threats == 0 or worth == FINISH_CORE or (worth == FINISH_UNIT and survives):
        return fires
    if luck == 0:
        return ACTION_SHIELD
    if luck == 1:
        return UNDECIDED
    return fires if survives or worth == FINISH_UNIT else ACTION_SHIELD


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
        limit = ANY_FIRE
    elif count_threats(state, player, unit, params) > 0:
        limit = 0
    x, y = place_of(state, enemy_thing(player, ENEMY_CORE), params)
    goal = Goal(x, y, LINE_TO_CORE, 2, limit)
    if is_guard:
        x, y = _find_post(state, player, unit, attackers, params)
        distance = abs(int(state.x[unit]) - x) + abs(int(state.y[unit]) - y)
        if distance <= (HOME if attackers == 0 else 0):
            return ACTION_SHIELD
        goal = Goal(x, y, 0, 2 if attackers == 0 else 0, limit)
    return best_step(state, player, row, goal, luck, mask, orders, params)


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
    left = enemy_hp(state, player)
    core_falls = core_can_fall(state, player, params)
    attackers = find_attackers(state, player, params)
    guard = _choose_guard(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not is_standing(state, unit):
            orders[row] = ACTION_SHIELD
            continue
        luck = next_below(stream, 1 << 10)
        shot = best_shot(state, player, unit, left, core_falls, attackers, luck, params)
        orders[row] = _react(state, player, unit, shot, luck >> 8, params)
        if orders[row] >= ACTION_PULSE:
            left = after_shot(left, shot)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == UNDECIDED:
            luck = next_below(stream, 1 << 8)
            orders[row] = _guardian_step(
                state, player, row, row == guard, attackers, luck, mask, orders, params
            )
