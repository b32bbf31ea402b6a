"""The observations of AjveCiv, from the player's own side.

The player's own people comes first, then the others in the order of their seats. `features` has the
names of the entries.

Axis letters: P players, F entries of an observation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import SIX
from axiom_envs.ajve_civ.state import Params, is_dead, is_inflection
from axiom_gym.kernel import inline_kernel, inner_kernel

Observation = npt.NDArray[np.float32]
"""(F,) float32, each entry in -1..1."""

# The numbers that an observation shows as 0.5; they are typical of the middle of a game.
VALUE_HALF = 16
NATION_HALF = 300
WORLD_HALF = 100
FEELING_HALF = 32


@inline_kernel
def squeeze(number: int, half: int) -> np.float32:
    """Return an integer scaled to -1..1, with `half` as 0.5."""
    return np.float32(number) / np.float32(half + abs(number))


@inline_kernel
def _write_peoples(state: Any, first: int, end: int, place: int, seen: Observation) -> None:
    """Write peoples first..end-1 as numbers `place`, `place + 1`, ... of the observer's list.

    seen: (F,), written.
    """
    players = state.death.shape[0]
    for seat in range(first, end):
        for value in range(SIX):
            at = SIX * (place + seat - first) + value
            seen[at] = squeeze(int(state.values[seat, value]), VALUE_HALF)
    base = SIX * players + place - first
    for seat in range(first, end):
        seen[base + seat] = squeeze(int(state.population[seat]), NATION_HALF)
    base += players
    for seat in range(first, end):
        seen[base + seat] = squeeze(int(state.yields[seat]), NATION_HALF)
    base += players
    for seat in range(first, end):
        seen[base + seat] = np.float32(is_dead(state, seat))


@inline_kernel
def _write_feelings(state: Any, player: int, seen: Observation) -> None:
    """Write the player's feelings about the others, and theirs about it. seen: (F,), written."""
    players = state.death.shape[0]
    base = 9 * players
    for place in range(1, players):
        other = player + place if player + place < players else player + place - players
        seen[base + place - 1] = squeeze(int(state.feelings[player, other]), FEELING_HALF)
        there = base + players + place - 2
        seen[there] = squeeze(int(state.feelings[other, player]), FEELING_HALF)


@inner_kernel
def observe(state: Any, player: int, observation: Observation, params: Params) -> None:
    """Write the observation of a player. observation: (F,); see `features.feature_names`."""
    players = state.death.shape[0]
    _write_peoples(state, player, players, 0, observation)
    _write_peoples(state, 0, player, players - player, observation)
    _write_feelings(state, player, observation)
    base = 11 * players - 2
    for value in range(SIX):
        observation[base + value] = 0.0
    for k in range(params.offer_size):
        observation[base + int(state.offer[player, k])] = 1.0
    observation[base + SIX] = squeeze(int(state.world_yield), WORLD_HALF)
    observation[base + SIX + 1] = int(state.turn) / params.duration
    observation[base + SIX + 2] = np.float32(is_inflection(state, params))
