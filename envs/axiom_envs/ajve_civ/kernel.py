"""The kernel of AjveCiv: its rules, observations and rewards as the batch driver calls them.

The size of a state depends on the number of players; see `state.state_dtype`.
Axis letters: P players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import SIX
from axiom_envs.ajve_civ.observe import observe
from axiom_envs.ajve_civ.rewards import Rewards, save_scores, write_outcome, write_rewards
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
    """Write a world of equal peoples without feelings, then make the first offers."""
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
    """Write the action mask: the values offered. mask: (1, 6) int8, written.

    In a turn the mask of a dead people has only the first offer, because its choice has no effect.
    """
    idle = is_idle(state, player, params)
    size = 1 if idle else params.offer_size
    everything = params.any_choice != 0 and not idle
    for value in range(SIX):
        mask[0, value] = 1 if everything else 0
    for k in range(size):
        mask[0, int(state.offer[player, k])] = 1


@kernel
def step(state: Any, actions: Choices, rewards: Rewards, events: Any, params: Params) -> int:
    """Play a turn or an inflection, and make the offers of the next step.

    Return `ENDED`, `RUNNING` or `ILLEGAL`. actions: (P, 1). rewards: (P,), written.
    """
    if not are_allowed(state, actions, params):
        return ILLEGAL
    save_scores(state, rewards, params)
    if is_inflection(state, params):
        take_inflection(state, actions, events, params)
    else:
        take_turn(state, actions, events, params)
    state.turn += 1
    write_rewards(state, rewards, params)
    if int(state.turn) == params.duration:
        return ENDED
    make_offers(state, params)
    return RUNNING


@kernel
def alive(state: Any, player: int, params: Params) -> bool:
    """Return True if a player is still in the game; with `black_death` all are until the end."""
    return params.black_death != 0 or not is_dead(state, player)


@kernel
def outcome(state: Any, returns: Rewards, params: Params) -> None:
    """Write the outcome, or 0 while the game is in progress. returns: (P,), written."""
    if int(state.turn) < params.duration:
        returns[:] = 0.0
    else:
        write_outcome(state, returns, params)
