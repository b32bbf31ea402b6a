"""The observations of Quantaris: a flat vector of named features, or planes.

Both show the board from the player's own side. The player's units come first, then the enemy's, in
the order in which the player sees them from left to right at the start of the game: A1 A2 A3 B1 B2
B3 for player A, and B3 B2 B1 A3 A2 A1 for player B.

The features are float32 in 0..1. D is the number of directions of a pulse, 8 in ruleset 0.2 and 4
in 0.1:

    0..17                      x / 8, y / 8, hp / 2 of unit j of 6 at 3 * j; 0, 0, 0 if it is off
                               the board
    18, 19, 20                 own core's hp / 5, enemy core's hp / 5, turn / 49
    21 + D * (3 * r + c) + d   1 if a pulse of own unit r in direction d, fired now, would hit a
                               target of channel c, else 0. Channels: 0 an enemy unit, 1 the enemy
                               core, 2 a unit or the core of the player

The planes are float32 of shape (9, 9, 9), with the axes plane, y, x: planes 0..5 have the units as
hp / 2, planes 6 and 7 the own and the enemy core as hp / 5, and plane 8 has turn / 49 everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import (
    CORE_A,
    CORE_B,
    CORE_HP,
    MAX_TURNS,
    SIZE,
    UNIT_HP,
    UNITS,
    UNITS_PER_PLAYER,
)
from axiom_envs.quantaris.geometry import LINES, ZERO, offset_index, trace_pulse, turn_direction
from axiom_envs.quantaris.state import Params
from axiom_gym.kernel import inline_kernel, kernel

Three = tuple[int, int, int, int, int, int]
"""Three units: the cell of each as a number, then for each -1 if it is on the board, else 0."""

PLANES = 9
SIGHT = 21
"""The index of the first feature about the targets of pulses."""

CHANNELS = 3
ENEMY_UNIT, ENEMY_CORE, FRIEND = range(CHANNELS)

_BITS = np.array([[byte >> d & 1 for d in range(8)] for byte in range(256)], dtype=np.float32)
"""(256, 8) float32: the bits of a byte, lowest first."""

# Tables, because divisions and conversions to float would take a tenth of the time of an
# observation.
_EIGHTHS = np.array([*(place / (SIZE - 1) for place in range(SIZE)), 0.0], dtype=np.float32)
"""(10,) float32: a coordinate scaled to 0..1; the last entry is for a unit off the board."""

_HALVES = np.array([hp / UNIT_HP for hp in range(UNIT_HP + 1)], dtype=np.float32)
"""(3,) float32: a unit's hp scaled to 0..1."""

_FIFTHS = np.array([hp / CORE_HP for hp in range(CORE_HP + 1)], dtype=np.float32)
"""(6,) float32: a core's hp scaled to 0..1."""

_TURNS = np.array([turn / (MAX_TURNS - 1) for turn in range(MAX_TURNS)], dtype=np.float32)
"""(50,) float32: the turn scaled to 0..1."""


@inline_kernel
def _turned(player: int, coordinate: int) -> int:
    """Return a coordinate as `player` sees it."""
    return coordinate if player == 0 else SIZE - 1 - coordinate


@inline_kernel
def _write_units(state: Any, player: int, features: npt.NDArray[np.float32]) -> None:
    """Write entries 0..17. features: (F,), written."""
    for slot in range(UNITS):
        at = 3 * (slot if player == 0 else UNITS - 1 - slot)
        alive = state.hp[slot] > 0
        x, y = _turned(player, int(state.x[slot])), _turned(player, int(state.y[slot]))
        features[at] = _EIGHTHS[x if alive else SIZE]
        features[at + 1] = _EIGHTHS[y if alive else SIZE]
        features[at + 2] = _HALVES[min(max(int(state.hp[slot]), 0), UNIT_HP)]


@kernel
def _channel_of(target: int, player: int) -> int:
    """Return the channel of a target that a pulse of `player` hits."""
    if target in (CORE_A, CORE_B):
        return FRIEND if target - CORE_A == player else ENEMY_CORE
    return FRIEND if target // UNITS_PER_PLAYER == player else ENEMY_UNIT


@kernel
def _keep_nearest(state: Any, own: int, player: int, kinds: int, mixed: int, params: Params) -> int:
    """Return `kinds` with only the nearest target in each of the directions `mixed`."""
    for d in range(8):
        if (mixed >> d) & 1:
            target = trace_pulse(state, own, turn_direction(player, d), params)
            kinds &= ~(0x010101 << d)
            kinds |= 1 << (8 * _channel_of(target, player) + d)
    return kinds


@inline_kernel
def _place(player: int, x: int, y: int) -> int:
    """Return the number of a cell as `player` sees it.

    The difference of two numbers plus `ZERO` is an index of `LINES`.
    """
    place = offset_index(x, y) - ZERO
    return place if player == 0 else -place


@inline_kernel
def _places(state: Any, player: int, first: int) -> Three:
    """Return the three units from slot `first` on."""
    return (
        _place(player, int(state.x[first]), int(state.y[first])),
        _place(player, int(state.x[first + 1]), int(state.y[first + 1])),
        _place(player, int(state.x[first + 2]), int(state.y[first + 2])),
        -int(state.hp[first] > 0),
        -int(state.hp[first + 1] > 0),
        -int(state.hp[first + 2] > 0),
    )


@inline_kernel
def _lines_to(lines: npt.NDArray[np.uint8], start: int, units: Three) -> int:
    """Return the directions in which at least one of three units lies, as bits.

    A unit never counts itself: the table has no direction for the offset 0, 0.

    lines: (289,), a row of `LINES`. units: from `_places`.
    """
    return (
        (int(lines[start + units[0]]) & units[3])
        | (int(lines[start + units[1]]) & units[4])
        | (int(lines[start + units[2]]) & units[5])
    )


@inline_kernel
def _sight(state: Any, player: int, row: int, own: Three, enemy: Three, params: Params) -> int:
    """Return the channels that pulses of own unit `row` would hit, a byte for each channel.

    Bit d of a byte is for direction d. Distances matter only if targets of two channels lie in one
    direction, which is rare; then `trace_pulse` decides.

    own, enemy: from `_places`.
    """
    slot = row if player == 0 else UNITS - 1 - row
    unit = row if player == 0 else UNITS_PER_PLAYER - 1 - row
    lines = LINES[params.diagonals]
    here = own[0] if unit == 0 else own[1] if unit == 1 else own[2]
    start = ZERO - here
    core_a = int(lines[start + _place(player, params.core_x_a, params.core_y_a)])
    core_b = int(lines[start + _place(player, params.core_x_b, params.core_y_b)])
    core = core_b if player == 0 else core_a
    friends = _lines_to(lines, start, own) | (core_a if player == 0 else core_b)
    enemies = _lines_to(lines, start, enemy)
    mixed = (friends & enemies) | (friends & core) | (enemies & core)
    kinds = enemies << (8 * ENEMY_UNIT) | core << (8 * ENEMY_CORE) | friends << (8 * FRIEND)
    if state.hp[slot] <= 0:
        return 0
    if mixed != 0:
        kinds = _keep_nearest(state, slot, player, kinds, mixed, params)
    return kinds


@inline_kernel
def _spread(features: npt.NDArray[np.float32], at: int, bits: int, directions: int) -> None:
    """Write one entry for each direction. features: (F,), written."""
    if directions == 8:
        for d in range(8):
            features[at + d] = _BITS[bits, d]
    else:
        for d in range(4):
            features[at + d] = _BITS[bits, d]


@kernel
def _write_features(
    state: Any, player: int, features: npt.NDArray[np.float32], params: Params
) -> None:
    """Write all features. features: (F,), F = 93 in ruleset 0.2 and 57 in 0.1; written."""
    # Read the state before writing features. The compiler cannot know that writing features leaves
    # the state unchanged, and would read the state again.
    own = _places(state, player, UNITS_PER_PLAYER * player)
    enemy = _places(state, player, UNITS_PER_PLAYER * (1 - player))
    first = _sight(state, player, 0, own, enemy, params)
    second = _sight(state, player, 1, own, enemy, params)
    third = _sight(state, player, 2, own, enemy, params)
    _write_units(state, player, features)
    features[18] = _FIFTHS[min(max(int(state.core_hp[player]), 0), CORE_HP)]
    features[19] = _FIFTHS[min(max(int(state.core_hp[1 - player]), 0), CORE_HP)]
    features[20] = _TURNS[min(max(int(state.turn), 0), MAX_TURNS - 1)]
    directions = 8 if params.diagonals else 4
    for channel in range(CHANNELS):
        at = SIGHT + channel * directions
        _spread(features, at, (first >> (8 * channel)) & 255, directions)
        at += CHANNELS * directions
        _spread(features, at, (second >> (8 * channel)) & 255, directions)
        at += CHANNELS * directions
        _spread(features, at, (third >> (8 * channel)) & 255, directions)


@kernel
def _write_planes(state: Any, player: int, planes: npt.NDArray[np.float32], params: Params) -> None:
    """Write all planes. planes: (9, 9, 9), plane, y, x; written."""
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
    """Write features if `observation` has one axis, and planes if it has three."""
    if observation.ndim == 1:
        _write_features(state, player, observation, params)
    else:
        _write_planes(state, player, observation, params)
