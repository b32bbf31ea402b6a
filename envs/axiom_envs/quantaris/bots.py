"""The bots of Quantaris: `greedy` and `guardian`.

Both read the state record, in which everything is public. They decide in two rounds: first which
units shoot, then where the others step, so that no unit steps into a friend's line of fire. They
never fire along a line with a unit or core of their own, not even behind the target, because the
target may step aside. They never step onto a unit, and never send two units to one cell.

Both work in the player's own view, with its own order of units, and draw from its own stream. With
the board rotated by 180 degrees and the same stream, a bot makes the same choices from the other
seat.

Axis letters: K = 3 sub-actions of a player, N = 13 or 9 choices of each. Enemy number j is the unit
in row j of the enemy's own list for 0..2, and the enemy's core for 3.
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
    enemy_entity,
    enemy_hp,
    find_attackers,
    is_standing,
    place_of,
    shot_action,
    shot_worth,
)
from axiom_gym.kernel import inline_kernel, kernel
from axiom_gym.rng import next_below

HOME = 2
"""The largest distance between the guardian's guard and its core, in steps."""


# --------------------------------------------------------------------------------------------------
# greedy


@kernel
def greedy(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Shoot at targets in reach, advance on the enemy's core, and never defend.

    1. A unit with a target fires. It prefers, in this order: the core, if all units that aim at it
       together destroy it; a unit that the shot kills, given the shots decided before; the core;
       any unit. It does not shoot an enemy that earlier shots already kill.
    2. A unit under fire that could only wound a unit advances instead of firing, with probability
       1/4.
    3. A unit that does not fire approaches the enemy's core. A clear line to the core is worth 6
       cells of distance, and each enemy in line costs 1.
    4. A unit that cannot step raises its shield.

    mask: (K, N). sub_actions: (K,), written.
    """
    left = enemy_hp(state, player)
    core_falls = core_can_fall(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not is_standing(state, unit):
            sub_actions[row] = ACTION_SHIELD
            continue
        random_bits = next_below(stream, 1 << 10)
        shot = best_shot(state, player, unit, left, core_falls, 0, random_bits, params)
        advances = shot_worth(shot) == HIT_UNIT and random_bits >> 8 == 0
        if shot < 0 or (advances and count_threats(state, player, unit, params) > 0):
            sub_actions[row] = UNDECIDED
            continue
        sub_actions[row] = shot_action(player, shot)
        left = after_shot(left, shot)
    core_x, core_y = place_of(state, enemy_entity(player, ENEMY_CORE), params)
    goal = Goal(core_x, core_y, LINE_TO_CORE, 1, ANY_FIRE)
    for row in range(UNITS_PER_PLAYER):
        if sub_actions[row] == UNDECIDED:
            random_bits = next_below(stream, 1 << 8)
            sub_actions[row] = best_step(
                state, player, row, goal, random_bits, mask, sub_actions, params
            )


# --------------------------------------------------------------------------------------------------
# guardian


@kernel
def _choose_guard(state: Any, player: int, params: Params) -> int:
    """Return the row of the unit nearest to its core.

    Return -1 if the player has only one unit left, or the enemy has none.
    """
    core_x, core_y = place_of(state, CORE_A + player, params)
    nearest, guard = 1000, -1
    own, enemies = 0, 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        enemies += is_standing(state, enemy_entity(player, row))
        if not is_standing(state, unit):
            continue
        own += 1
        distance = abs(int(state.x[unit]) - core_x) + abs(int(state.y[unit]) - core_y)
        if distance < nearest:
            nearest, guard = distance, row
    return guard if own > 1 and enemies > 0 else -1


@inline_kernel
def _clamp(value: int, a: int, b: int) -> int:
    """Return `value` clamped to the range between a and b, in either order."""
    return max(min(a, b), min(value, max(a, b)))


@inline_kernel
def _sign(value: int) -> int:
    return int(value > 0) - int(value < 0)


@kernel
def _find_post(
    state: Any, player: int, unit: int, attackers: int, params: Params
) -> tuple[int, int]:
    """Return the cell for the guard: the nearest one between an attacker and the core.

    Without an attacker it is the cell of the core.
    """
    x, y = int(state.x[unit]), int(state.y[unit])
    core_x, core_y = place_of(state, CORE_A + player, params)
    post_x, post_y, nearest = core_x, core_y, 1000
    for j in range(UNITS_PER_PLAYER):
        if (attackers >> j) & 1:
            from_x, from_y = place_of(state, enemy_entity(player, j), params)
            step_x, step_y = _sign(from_x - core_x), _sign(from_y - core_y)
            at_x = _clamp(x, core_x + step_x, from_x - step_x)
            at_y = _clamp(y, core_y + step_y, from_y - step_y)
            if abs(at_x - x) + abs(at_y - y) < nearest:
                post_x, post_y, nearest = at_x, at_y, abs(at_x - x) + abs(at_y - y)
    return post_x, post_y


@kernel
def _react(state: Any, player: int, unit: int, shot: int, random_bits: int, params: Params) -> int:
    """Return the sub-action of a unit: the shot, the shield, or UNDECIDED for a step.

    random_bits: 0..3.
    """
    threats = count_threats(state, player, unit, params)
    worth = shot_worth(shot)
    survives = threats < state.hp[unit]
    fires = UNDECIDED if shot < 0 else shot_action(player, shot)
    if threats == 0 or worth == FINISH_CORE or (worth == FINISH_UNIT and survives):
        return fires
    if random_bits == 0:
        return ACTION_SHIELD
    if random_bits == 1:
        return UNDECIDED
    return fires if survives or worth == FINISH_UNIT else ACTION_SHIELD


@kernel
def _guardian_step(
    state: Any,
    player: int,
    row: int,
    is_guard: bool,
    attackers: int,
    random_bits: int,
    mask: npt.NDArray[np.int8],
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> int:
    """Return the sub-action of a unit of the guardian that does not fire.

    mask: (K, N). sub_actions: (K,).
    """
    unit = slot_of(player, row)
    limit = int(state.hp[unit]) - 1
    if attackers != 0:
        limit = ANY_FIRE
    elif count_threats(state, player, unit, params) > 0:
        limit = 0
    x, y = place_of(state, enemy_entity(player, ENEMY_CORE), params)
    goal = Goal(x, y, LINE_TO_CORE, 2, limit)
    if is_guard:
        x, y = _find_post(state, player, unit, attackers, params)
        distance = abs(int(state.x[unit]) - x) + abs(int(state.y[unit]) - y)
        if distance <= (HOME if attackers == 0 else 0):
            return ACTION_SHIELD
        goal = Goal(x, y, 0, 2 if attackers == 0 else 0, limit)
    return best_step(state, player, row, goal, random_bits, mask, sub_actions, params)


@kernel
def guardian(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Keep a guard at home, shield units under fire, and attack with the others.

    1. A unit that no enemy aims at fires if it has a target. It prefers, in this order: the core,
       if all units that aim at it together destroy it; a unit that the shot kills; a unit that aims
       at the player's core; the core; any unit. It does not shoot an enemy that earlier shots
       already kill.
    2. A unit under fire fires if that wins the game, or kills a unit while it survives itself.
       Otherwise it shields with probability 1/4, steps aside with 1/4, and fires back with 1/2. It
       shields instead of firing back if it would die and its shot kills no unit.
    3. The guard is the living unit nearest to the player's core, if the player has another unit and
       the enemy has one. It stays within two steps of the core and shields. While the core is under
       fire, it steps into the line of fire, however many enemies have a line to it there.
    4. The other units approach the enemy's core. A clear line to the core is worth 6 cells of
       distance, and each enemy in line costs 2. Unless the player's own core is under fire, a unit
       avoids cells in line with as many enemies as it has hp, and a unit under fire steps only to
       cells that are in line with no enemy.
    5. A unit that cannot step raises its shield.

    mask: (K, N). sub_actions: (K,), written.
    """
    left = enemy_hp(state, player)
    core_falls = core_can_fall(state, player, params)
    attackers = find_attackers(state, player, params)
    guard = _choose_guard(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if not is_standing(state, unit):
            sub_actions[row] = ACTION_SHIELD
            continue
        random_bits = next_below(stream, 1 << 10)
        shot = best_shot(state, player, unit, left, core_falls, attackers, random_bits, params)
        sub_actions[row] = _react(state, player, unit, shot, random_bits >> 8, params)
        if sub_actions[row] >= ACTION_PULSE:
            left = after_shot(left, shot)
    for row in range(UNITS_PER_PLAYER):
        if sub_actions[row] == UNDECIDED:
            random_bits = next_below(stream, 1 << 8)
            sub_actions[row] = _guardian_step(
                state, player, row, row == guard, attackers, random_bits, mask, sub_actions, params
            )
