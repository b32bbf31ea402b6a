"""scratch"""

from __future__ import annotations

from typing import Any

import numpy as np

from axiom_envs.quantaris.board import (
    ACTION_MOVE, ACTION_PULSE, ACTION_SHIELD, CORE_A, DX, DY, FAR, LINES, RANGES, UNITS, UNITS_PER_PLAYER,
    offset_index, slot_of, trace_pulse, turn_direction,
)
from axiom_gym.kernel import inline_kernel, kernel
from axiom_gym.rng import next_below

_DIRECTION = np.array([[int(line).bit_length() - 1 for line in lines] for lines in LINES], dtype=np.int8)
UNDECIDED = -1


@inline_kernel
def _place(state, target, params):
    if target < UNITS:
        return int(state.x[target]), int(state.y[target])
    if target == CORE_A:
        return params.core_x_a, params.core_y_a
    return params.core_x_b, params.core_y_b


@kernel
def _aim(state, unit, target, params):
    x, y = _place(state, target, params)
    at = offset_index(x - int(state.x[unit]), y - int(state.y[unit]))
    direction = int(_DIRECTION[params.diagonals, at])
    if direction < 0 or trace_pulse(state, unit, direction, params) != target:
        return -1
    return direction


@kernel
def _is_safe(state, player, unit, direction, params):
    for j in range(UNITS_PER_PLAYER + 1):
        thing = slot_of(player, j) if j < UNITS_PER_PLAYER else CORE_A + player
        x, y = _place(state, thing, params)
        at = offset_index(x - int(state.x[unit]), y - int(state.y[unit]))
        if RANGES[direction, at] < FAR and (thing >= UNITS or state.hp[thing] > 0):
            return False
    return True


@kernel
def _shot(state, player, unit, target, params):
    direction = _aim(state, unit, target, params)
    if direction >= 0 and target < UNITS and not _is_safe(state, player, unit, direction, params):
        return -1
    return direction


@kernel
def _has_line(state, x, y, to_x, to_y, mover, params):
    direction = int(_DIRECTION[params.diagonals, offset_index(to_x - x, to_y - y)])
    if direction < 0:
        return False
    reach = RANGES[direction, offset_index(to_x - x, to_y - y)]
    for thing in range(UNITS + 2):
        if thing == mover or (thing < UNITS and state.hp[thing] <= 0):
            continue
        tx, ty = _place(state, thing, params)
        if RANGES[direction, offset_index(tx - x, ty - y)] < reach:
            return False
    return True


@kernel
def _threats(state, player, target, params):
    """bits of enemies (by slot)"""
    bits = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = slot_of(1 - player, j)
        if state.hp[enemy] > 0 and _aim(state, enemy, target, params) >= 0:
            bits |= 1 << enemy
    return bits


@inline_kernel
def _count(bits):
    n = 0
    for s in range(UNITS):
        n += (bits >> s) & 1
    return n


@kernel
def _exposure(state, player, x, y, mover, params):
    n = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = slot_of(1 - player, j)
        if state.hp[enemy] > 0 and _has_line(state, int(state.x[enemy]), int(state.y[enemy]), x, y, mover, params):
            n += 1
    return n


@kernel
def _focus(state, player, x, y, mover, params):
    n = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = slot_of(1 - player, j)
        if state.hp[enemy] > 0 and _has_line(state, int(state.x[enemy]), int(state.y[enemy]), x, y, mover, params):
            if _threats(state, 1 - player, enemy, params) & ~(1 << mover): n += 1
    return n


@kernel
def _remaining(state, player, params):
    left = 0
    for j in range(UNITS_PER_PLAYER):
        enemy = slot_of(1 - player, j)
        left |= max(0, min(15, int(state.hp[enemy]))) << (4 * enemy)
    return left | max(0, min(15, int(state.core_hp[1 - player]))) << (4 * (CORE_A + 1 - player))


@kernel
def _core_falls(state, player, params):
    n = 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if state.hp[unit] > 0 and _aim(state, unit, CORE_A + 1 - player, params) >= 0:
            n += 1
    return n >= state.core_hp[1 - player]


FALLS, FINISH, URGENT, CORE, UNIT = 5, 4, 3, 2, 1


@kernel
def _best_shot(state, player, unit, left, falls, urgent, noise, params):
    best = -1
    for j in range(UNITS_PER_PLAYER + 1):
        target = slot_of(1 - player, j) if j < UNITS_PER_PLAYER else CORE_A + 1 - player
        remaining = (left >> (4 * target)) & 15
        if remaining == 0:
            continue
        direction = _shot(state, player, unit, target, params)
        if direction < 0:
            continue
        if target >= UNITS:
            value = FALLS if falls else CORE
        elif remaining == 1:
            value = FINISH
        else:
            value = URGENT if (urgent >> target) & 1 else UNIT
        best = max(best, ((value << 2 | ((noise >> (2 * j)) & 3)) << 4 | target) << 4 | direction)
    return best


@inline_kernel
def _value(shot):
    return shot >> 10


@inline_kernel
def _target(shot):
    return (shot >> 4) & 15


@kernel
def _is_free(state, player, row, x, y, orders, params):
    for thing in range(UNITS + 2):
        if thing >= UNITS or state.hp[thing] > 0:
            tx, ty = _place(state, thing, params)
            if tx == x and ty == y:
                return False
    for other in range(UNITS_PER_PLAYER):
        order = int(orders[other])
        unit = slot_of(player, other)
        ux, uy = int(state.x[unit]), int(state.y[unit])
        if order >= ACTION_PULSE:
            direction = turn_direction(player, order - ACTION_PULSE)
            if RANGES[direction, offset_index(x - ux, y - uy)] < FAR:
                return False
        elif order >= ACTION_MOVE:
            direction = turn_direction(player, order - ACTION_MOVE)
            if ux + DX[direction] == x and uy + DY[direction] == y:
                return False
    return True


@kernel
def _greedy_step(state, player, row, mask, noise, orders, params):
    unit = slot_of(player, row)
    threatened = _threats(state, player, unit, params) != 0
    cx, cy = _place(state, CORE_A + 1 - player, params)
    best, action = -1000, ACTION_SHIELD
    for d in range(4):
        if mask[row, ACTION_MOVE + d] == 0:
            continue
        direction = turn_direction(player, d)
        x, y = int(state.x[unit]) + DX[direction], int(state.y[unit]) + DY[direction]
        if not _is_free(state, player, row, x, y, orders, params):
            continue
        score = 16 - abs(x - cx) - abs(y - cy)
        if _has_line(state, x, y, cx, cy, unit, params):
            score += 6
        if G_LIM and threatened and _exposure(state, player, x, y, unit, params) > 0: continue
        score = 4 * score - G_EXPO * _exposure(state, player, x, y, unit, params) + G_FOCUS * _focus(state, player, x, y, unit, params)
        score = score << 2 | ((noise >> (8 + 2 * d)) & 3)
        if score > best:
            best, action = score, ACTION_MOVE + d
    return action

import os
G_LIM, G_EXPO, G_FOCUS, G_DODGE = eval(os.environ.get('GG','(0,2,0,1)'))

@kernel
def greedy(state, player, mask, stream, orders, params):
    left = _remaining(state, player, params)
    falls = _core_falls(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        orders[row] = ACTION_SHIELD
        if state.hp[unit] <= 0:
            continue
        orders[row] = UNDECIDED
        noise = next_below(stream, 1 << 20)
        shot = _best_shot(state, player, unit, left, falls, 0, noise, params)
        if shot < 0:
            continue
        if _value(shot) == UNIT and (noise >> 16) & 3 < G_DODGE and _threats(state, player, unit, params) != 0:
            continue
        left -= 1 << (4 * _target(shot))
        orders[row] = ACTION_PULSE + turn_direction(player, shot & 15)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == UNDECIDED:
            orders[row] = _greedy_step(state, player, row, mask, next_below(stream, 1 << 20), orders, params)


@kernel
def _home_guard(state, player, params):
    cx, cy = _place(state, CORE_A + player, params)
    best, guard = 100, -1
    enemies = 0
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        enemies += state.hp[slot_of(1 - player, row)] > 0
        distance = abs(int(state.x[unit]) - cx) + abs(int(state.y[unit]) - cy)
        if state.hp[unit] > 0 and distance < best:
            best, guard = distance, row
    return guard if enemies > 0 else -1


@kernel
def _guardian_step(state, player, row, mask, guard, noise, attackers, orders, params):
    unit = slot_of(player, row)
    limit = min(LIM, int(state.hp[unit]) - 1)
    if _threats(state, player, unit, params) != 0: limit = 0
    home = row == guard
    ex, ey = _place(state, CORE_A + 1 - player, params)
    ox, oy = _place(state, CORE_A + player, params)
    best, action = -1000, ACTION_SHIELD
    if home:
        d0 = abs(int(state.x[unit]) - ox) + abs(int(state.y[unit]) - oy)
        if attackers == 0 and d0 <= HOME:
            return ACTION_SHIELD
    for d in range(4):
        if mask[row, ACTION_MOVE + d] == 0:
            continue
        direction = turn_direction(player, d)
        x, y = int(state.x[unit]) + DX[direction], int(state.y[unit]) + DY[direction]
        if not _is_free(state, player, row, x, y, orders, params):
            continue
        exposure = _exposure(state, player, x, y, unit, params)
        if home:
            if attackers == 0:
                score = 16 - abs(x - ox) - abs(y - oy)
            else:
                exposure = 0
                score = 0
                for j in range(3):
                    enemy = slot_of(1 - player, j)
                    if (attackers >> enemy) & 1:
                        gx = ox + (int(state.x[enemy]) > ox) - (int(state.x[enemy]) < ox)
                        gy = oy + (int(state.y[enemy]) > oy) - (int(state.y[enemy]) < oy)
                        score = max(score, 16 - abs(x - gx) - abs(y - gy))
                for j in range(3):
                    enemy = slot_of(1 - player, j)
                    if (attackers >> enemy) & 1 and _has_line(state, x, y, int(state.x[enemy]), int(state.y[enemy]), unit, params):
                        score += HL
        else:
            score = 16 - abs(x - ex) - abs(y - ey)
            if _has_line(state, x, y, ex, ey, unit, params):
                score += 6
        score = 4 * score - P_EXPO * exposure + P_FOCUS * _focus(state, player, x, y, unit, params)
        score = score << 2 | ((noise >> (8 + 2 * d)) & 3)
        if exposure > limit:
            continue
        if score > best:
            best, action = score, ACTION_MOVE + d
    return action

HOME = 2
import os
HL, LIM, P_EXPO, P_FOCUS, P_SHIELD, P_STEP, T_SHIELD, T_STEP, D_SHIELD = eval(os.environ.get("PP", "(0,1,8,0,2,2,2,2,6)"))


@kernel
def guardian(state, player, mask, stream, orders, params):
    left = _remaining(state, player, params)
    falls = _core_falls(state, player, params)
    attackers = _threats(state, player, CORE_A + player, params)
    guard = _home_guard(state, player, params)
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        orders[row] = ACTION_SHIELD
        if state.hp[unit] <= 0:
            continue
        noise = next_below(stream, 1 << 20)
        shot = _best_shot(state, player, unit, left, falls, attackers, noise, params)
        threats = _count(_threats(state, player, unit, params))
        dies = threats >= state.hp[unit]
        chance = (noise >> 16) & 7
        step = False
        if threats > 0 and _value(shot) < FALLS:
            if _value(shot) == FINISH:
                if dies:
                    if chance < T_SHIELD: continue
                    step = chance < T_SHIELD + T_STEP
            elif dies:
                if chance < D_SHIELD: continue
                step = True
            else:
                if chance < P_SHIELD: continue
                step = chance < P_SHIELD + P_STEP
        orders[row] = UNDECIDED
        if shot >= 0 and not step:
            left -= 1 << (4 * _target(shot))
            orders[row] = ACTION_PULSE + turn_direction(player, shot & 15)
    for row in range(UNITS_PER_PLAYER):
        if orders[row] == UNDECIDED:
            orders[row] = _guardian_step(state, player, row, mask, guard, next_below(stream, 1 << 20), attackers, orders, params)
