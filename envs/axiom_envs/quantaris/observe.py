"""What a player of Quantaris sees: a flat vector of named features, or planes. Both from the player's own side.

Units are listed own first, then the enemy's, each as the player sees them from left to right at the start of the game:
A1 A2 A3 B1 B2 B3 for player A, and B3 B2 B1 A3 A2 A1 for player B.

Features, float32, all in 0..1; D = directions of a pulse, 8 in ruleset 0.2 and 4 in 0.1:

    0..17                        for unit j of 6: x / 8, y / 8, hp / 2 at 3 * j; all three 0 when it is off the board
    18, 19, 20                   own core's hp / 5, the enemy core's hp / 5, turn / 49
    21 + 3 * (D * r + d) + c     what a pulse of own unit r in direction d would hit from where the unit stands now:
                                 c = 0 an enemy unit, c = 1 the enemy core, c = 2 a unit or the core of one's own

Planes, float32, (9, 9, 9) as plane, y, x: 0..5 the units by hp / 2, 6 and 7 own and enemy core by hp / 5, 8 turn / 49.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.board import CORE_HP, MAX_TURNS, SIZE, UNIT_HP, UNITS, UNITS_PER_PLAYER, Params
from axiom_gym.kernel import inline_kernel, kernel

PLANES = 9
SIGHT = 21
"""First entry of the features that say what a pulse would hit."""

ENEMY_UNIT, ENEMY_CORE, FRIEND = 0, 1, 2


@inline_kernel
def _turned(player: int, coordinate: int) -> int:
    """A coordinate as `player` sees it."""
    return coordinate if player == 0 else SIZE - 1 - coordinate


@inline_kernel
def _direction_to(dx: int, dy: int) -> int:
    """The direction in which something lies that is dx, dy away, if a pulse could go there; else -1."""
    if dx == 0:
        if dy == 0:
            return -1
        return 0 if dy < 0 else 2
    if dy == 0:
        return 1 if dx > 0 else 3
    if dx * dx + dy * dy == 2:
        return 4 + (dx < 0) + 2 * (dy > 0)
    return -1


@inline_kernel
def _see(
    features: npt.NDArray[np.float32], base: int, nearest: int, dx: int, dy: int, kind: int, directions: int
) -> int:
    """Notes a thing dx, dy away from a unit if it is the nearest so far in its direction.

    `nearest` holds four bits per direction, the range of the nearest thing; the new value is returned. features: (F,).
    """
    direction = _direction_to(dx, dy)
    if direction < 0 or direction >= directions:
        return nearest
    distance = max(abs(dx), abs(dy))
    shift = 4 * direction
    if distance >= (nearest >> shift) & 15:
        return nearest
    at = base + 3 * direction
    features[at] = 0.0
    features[at + 1] = 0.0
    features[at + 2] = 0.0
    features[at + kind] = 1.0
    return (nearest & ~(15 << shift)) | distance << shift


@kernel
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
def _write_sight(
    state: Any, player: int, row: int, features: npt.NDArray[np.float32], params: Params
) -> None:
    """What the pulses of own unit `row` would hit. features: (F,)."""
    own = row if player == 0 else UNITS - 1 - row
    if state.hp[own] <= 0:
        return
    directions = 8 if params.diagonals else 4
    base = SIGHT + 3 * directions * row
    side = 1 if player == 0 else -1
    x, y = int(state.x[own]), int(state.y[own])
    nearest = 0xFFFFFFFF
    # In state order, so that the first unit of a shared cell is the one that is seen, as the rules have it.
    for slot in range(UNITS):
        if slot != own and state.hp[slot] > 0:
            dx, dy = side * (int(state.x[slot]) - x), side * (int(state.y[slot]) - y)
            kind = FRIEND if slot // UNITS_PER_PLAYER == player else ENEMY_UNIT
            nearest = _see(features, base, nearest, dx, dy, kind, directions)
    dx, dy = side * (params.core_x_a - x), side * (params.core_y_a - y)
    kind = FRIEND if player == 0 else ENEMY_CORE
    nearest = _see(features, base, nearest, dx, dy, kind, directions)
    dx, dy = side * (params.core_x_b - x), side * (params.core_y_b - y)
    kind = ENEMY_CORE if player == 0 else FRIEND
    _see(features, base, nearest, dx, dy, kind, directions)


@kernel
def _write_features(
    state: Any, player: int, features: npt.NDArray[np.float32], params: Params
) -> None:
    """All features. features: (F,), F = 93 in ruleset 0.2 and 57 in 0.1."""
    features[SIGHT:] = 0.0
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
