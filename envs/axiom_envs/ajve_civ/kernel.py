"""The kernel of AjveCiv: its rules, views and rewards as the batch driver calls them.

The size of a state follows from the number of peoples; see `state.state_dtype`.
Axis letters: P peoples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import SIX
from axiom_envs.ajve_civ.observe import observe
from axiom_envs.ajve_civ.rewards import Rewards, open_account, pay, write_outcome
from axiom_envs.ajve_civ.rules import (
    Choices,
    are_allowed,
    make_offers,
    take_inflection,
    take_turn,
)
from axiom_envs.ajve_civ.state import Params, is_dead, is_idle, is_inflection
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, kernel

__all__ = ["alive", "legal_actions", "observe", "outcome", "reset", "step"]


@kernel
def reset(state: Any, params: Params) -> None:
    """Peoples that are all alike, in a world without feelings; then the first offers."""
    state.turn = 0
    state.world_yield = params.start_world_yield
    state.values[:] = params.start_value
    state.population[:] = params.start_population
    state.yields[:] = params.start_yield
    state.death[:] = 0
    state.feelings[:] = 0
    state.settled[:] = 0.0
    make_offers(state, params)


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """The values offered; a dead people's turn cannot matter. mask: (1, 6) int8, written."""
    idle = is_idle(state, player, params)
    size = 1 if idle else params.offer_size
    everything = params.any_choice != 0 and not idle
    for value in range(SIX):
        mask[0, value] = 1 if everything else 0
    for k in range(size):
        mask[0, int(state.offer[player, k])] = 1


@kernel
def step(state: Any, actions: Choices, rewards: Rewards, events: Any, params: Params) -> int:
    """A turn or an inflection, and the offers of the next. actions: (P, 1); rewards: (P,)."""
    if not are_allowed(state, actions, params):
        return ILLEGAL
    open_account(state, rewards, params)
    if is_inflection(state, params):
        take_inflection(state, actions, events, params)
    else:
        take_turn(state, actions, events, params)
    state.turn += 1
    pay(state, rewards, params)
    if int(state.turn) == params.duration:
        return ENDED
    make_offers(state, params)
    return RUNNING


@kernel
def alive(state: Any, player: int, params: Params) -> bool:
    """Whether a people still takes part; with `black_death` all do to the end."""
    return params.black_death != 0 or not is_dead(state, player)


@kernel
def outcome(state: Any, returns: Rewards, params: Params) -> None:
    """The final result. returns: (P,), written; 0 while the game runs."""
    if int(state.turn) < params.duration:
        returns[:] = 0.0
    else:
        write_outcome(state, returns, params)
