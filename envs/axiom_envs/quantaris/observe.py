"""What a player of Quantaris sees: a flat vector of named features, or planes. Both from the player's own side.

Units are listed own first, then the enemy's, each as the player sees them from left to right at the start of the game:
A1 A2 A3 B1 B2 B3 for player A, and B3 B2 B1 A3 A2 A1 for player B.

Features, float32, all in 0..1; D = directions of a pulse, 8 in ruleset 0.2 and 4 in 0.1:

    0..17                        for unit j of 6: x / 8, y / 8, hp / 2 at 3 * j; all three 0 when it is off the board
    18, 19, 20                   own core's hp / 5, the enemy core's hp / 5, turn / 49
    21 + D * (3 * r + c) + d     what a pulse of own unit r in direction d would hit from where the unit stands now:
                                 c = 0 an enemy unit, c = 1 the enemy core, c = 2 a unit or the core of one's own

Planes, float32, (9, 9, 9) as plane, y, x: 0..5 the units by hp / 2, 6 and 7 own and enemy core by hp / 5, 8 turn / 49.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.board import (
    CORE_A,
    CORE_B,
    CORE_HP,
    LINES,
    MAX_TURNS,
    SIZE,
    UNIT_HP,
    UNITS,
    UNITS_PER_PLAYER,
    Params,
    offset_index,
    trace_pulse,
    turn_direction,
)
from axiom_gym.kernel import inline_kernel, kernel

PLANES = 9
SIGHT = 21
"""First entry of the features that say what a pulse would hit."""

CHANNELS = 3
ENEMY_UNIT, ENEMY_CORE, FRIEND = range(CHANNELS)

_BITS = np.array([[byte >> d & 1 for d in range(8)] for byte in range(256)], dtype=np.float32)
"""(256, 8) float32: a byte's bits, lowest first."""


@inline_kernel
def _turned(player: int, coordinate: int) -> int:
    """A coordinate as `player` sees it."""
    return coordinate if player == 0 else SIZE - 1 - coordinate


@inline_kernel
def _write_units(state: Any, player: int, features: npt.NDArray[np.float32]) -> None:
    """Entries 0..17. features: (F,)."""
    for slot in range(UNITS):
        at = 3 * (slot if player == 0 else UNITS - 1 - slot)
        if state.hp[slot] > 0:
            features[at] = _turned(player, int(state.x[slot])) / (SIZE - 1)
            features[at + 1] = _turned(player, int(state.y[slot])) / (SIZE - 1)
            features[at + 2] = int(state.hp[slot]) / UNIT_HP
        else:
            features[at] = 0.0
            features[at + 1] = 0.0
            features[at + 2] = 0.0


@kernel
def _keep_nearest(state: Any, own: int, direction: int, player: int, params: Params) -> int:
    """The channel of what a pulse of unit `own` would hit in a direction of the player's view."""
    target = trace_pulse(state, own, turn_direction(player, direction), params)
    if target in (CORE_A, CORE_B):
        return FRIEND if target - CORE_A == player else ENEMY_CORE
    return FRIEND if target // UNITS_PER_PLAYER == player else ENEMY_UNIT


@inline_kernel
def _spread(features: npt.NDArray[np.float32], at: int, bits: int, directions: int) -> None:
    """Writes one entry per direction. features: (F,)."""
    if directions == 8:
        for d in range(8):
            features[at + d] = _BITS[bits, d]
    else:
        for d in range(4):
            features[at + d] = _BITS[bits, d]


@inline_kernel
def _write_sight(
    state: Any, player: int, row: int, features: npt.NDArray[np.float32], params: Params
) -> None:
    """What the pulses of own unit `row` would hit. features: (F,).

    Each kind of thing has a byte with a bit per direction. Only where two things lie in one direction, which is seldom, does it
    matter which is nearer, and then the rules' own `trace_pulse` decides.
    """
    own = row if player == 0 else UNITS - 1 - row
    lines = LINES[params.diagonals]
    side = 1 if player == 0 else -1
    x, y = int(state.x[own]), int(state.y[own])
    seen, twice = 0, 0
    kinds = 0  # three bytes, by channel
    for slot in range(UNITS):
        at = offset_index(side * (int(state.x[slot]) - x), side * (int(state.y[slot]) - y))
        # A unit is 0, 0 away from itself, where the table has no line.
        line = int(lines[at]) if state.hp[slot] > 0 else 0
        twice |= seen & line
        seen |= line
        kinds |= line << (8 * FRIEND if slot // UNITS_PER_PLAYER == player else 8 * ENEMY_UNIT)
    line = int(lines[offset_index(side * (params.core_x_a - x), side * (params.core_y_a - y))])
    twice |= seen & line
    seen |= line
    kinds |= line << (8 * FRIEND if player == 0 else 8 * ENEMY_CORE)
    line = int(lines[offset_index(side * (params.core_x_b - x), side * (params.core_y_b - y))])
    twice |= seen & line
    kinds |= line << (8 * ENEMY_CORE if player == 0 else 8 * FRIEND)
    if state.hp[own] <= 0:
        kinds, twice = 0, 0
    if twice != 0:
        for d in range(8):
            if (twice >> d) & 1:
                kinds &= ~(0x010101 << d)
                kinds |= 1 << (8 * _keep_nearest(state, own, d, player, params) + d)
    directions = 8 if params.diagonals else 4
    base = SIGHT + CHANNELS * directions * row
    for channel in range(CHANNELS):
        _spread(features, base + channel * directions, (kinds >> (8 * channel)) & 255, directions)


@kernel
def _write_features(
    state: Any, player: int, features: npt.NDArray[np.float32], params: Params
) -> None:
    """All features. features: (F,), F = 93 in ruleset 0.2 and 57 in 0.1."""
    _write_units(state, player, features)
    features[18] = max(int(state.core_hp[player]), 0) / CORE_HP
    features[19] = max(int(state.core_hp[1 - player]), 0) / CORE_HP
    features[20] = min(int(state.turn), MAX_TURNS - 1) / (MAX_TURNS - 1)
    for row in range(UNITS_PER_PLAYER):
        _write_sight(state, player, row, features, params)


@kernel
def _write_planes(
    state: Any, player: int, planes: npt.NDArray[np.float32], params: Params
) -> None:
    """All planes. planes: (9, 9, 9) as plane, y, x."""
    planes[:] = 0.0
    for slot in range(UNITS):
        if state.hp[slot] > 0:
            plane = slot if player == 0 else UNITS - 1 - slot
            x, y = _turned(player, int(state.x[slot])), _turned(player, int(state.y[slot]))
            planes[plane, y, x] = int(state.hp[slot]) / UNIT_HP
    own, enemy = max(int(state.core_hp[player]), 0), max(int(state.core_hp[1 - player]), 0)
    x_a, y_a = _turned(player, params.core_x_a), _turned(player, params.core_y_a)
    x_b, y_b = _turned(player, params.core_x_b), _turned(player, params.core_y_b)
    planes[6 + player, y_a, x_a] = (own if player == 0 else enemy) / CORE_HP
    planes[7 - player, y_b, x_b] = (enemy if player == 0 else own) / CORE_HP
    planes[8] = min(int(state.turn), MAX_TURNS - 1) / (MAX_TURNS - 1)


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Writes features if `observation` has one axis, and planes if it has three."""
    if observation.ndim == 1:
        _write_features(state, player, observation, params)
    else:
        _write_planes(state, player, observation, params)
