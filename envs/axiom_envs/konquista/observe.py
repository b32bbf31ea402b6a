"""The observation of Konquista: a flat vector of named features, from the player's own seat.

Seats are counted from the observing player: seat 0 is itself, seat 1 plays after it, and so on. All
entries are float32 in 0..1. P players, T territories, R regions:

    (P + 4) t ..               territory t: P flags for the seat that owns it; log(1 + armies) /
                               log(256) and armies / 30, both at most 1; 1 if armies may advance
                               from here; 1 if armies may advance to here
    (P + 4) T + P r + s        the share of region r that seat s holds
    next                       armies to place / 30, at most 1; a flag for each of the 4 phases;
                               turn / turn_limit
    next, 3 for each seat s    its share of all territories; of all armies; 1 if not eliminated
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.constants import ADVANCING, OVER
from axiom_envs.konquista.state import Params, is_alive
from axiom_gym.kernel import inline_kernel, inner_kernel

PER_TERRITORY = 4
"""Number of a territory's entries after the flags of its owner."""

_MANY, _LARGE = 30, 255

_LOGS = (np.log1p(np.arange(_LARGE + 1)) / np.log1p(_LARGE)).astype(np.float32)
"""(256,) float32: the logarithmic feature of each number of armies."""

_RAW = (np.minimum(np.arange(_LARGE + 1), _MANY) / _MANY).astype(np.float32)
"""(256,) float32: each number of armies / 30, at most 1."""


@inner_kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Write all features. observation: (F,), as the module describes."""
    observation[:] = 0.0
    players, territories = params.players, params.territories
    regions_at = (players + PER_TERRITORY) * territories
    globals_at = regions_at + players * params.regions
    seats_at = globals_at + 6
    total = 0
    for t in range(territories):
        seat = int(state.owner[t]) - player
        seat += players if seat < 0 else 0
        armies = int(state.armies[t])
        scaled = min(armies, _LARGE)
        at = (players + PER_TERRITORY) * t
        observation[at + seat] = 1.0
        observation[at + players] = _LOGS[scaled]
        observation[at + players + 1] = _RAW[scaled]
        # These are counts, which float32 holds exactly; the divisions below make shares of them.
        observation[regions_at + players * params.region_of[t] + seat] += 1.0
        observation[seats_at + 3 * seat] += 1.0
        observation[seats_at + 3 * seat + 1] += armies
        total += armies
    if int(state.phase) == ADVANCING:
        _mark_advance(state, observation, params)
    for region in range(params.regions):
        for seat in range(players):
            observation[regions_at + players * region + seat] /= params.region_size[region]
    _write_globals(state, observation[globals_at:seats_at], params)
    for seat in range(players):
        observation[seats_at + 3 * seat] /= territories
        observation[seats_at + 3 * seat + 1] /= total
        observation[seats_at + 3 * seat + 2] = is_alive(state, (player + seat) % players)


@inline_kernel
def _mark_advance(state: Any, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Mark the territories between which armies may advance. observation: (F,)."""
    border, width = int(state.advance), params.players + PER_TERRITORY
    observation[width * params.sources[border] + params.players + 2] = 1.0
    observation[width * params.targets[border] + params.players + 3] = 1.0


@inline_kernel
def _write_globals(state: Any, features: npt.NDArray[np.float32], params: Params) -> None:
    """Write armies to place, phase and turn. features: (6,)."""
    features[0] = _RAW[min(int(state.to_place), _LARGE)]
    if int(state.phase) != OVER:
        features[1 + int(state.phase)] = 1.0
    features[5] = int(state.turn) / params.turn_limit
