"""The rules of AjveCiv: offers, turns and inflections.

Source: AjveCiv 0.1.3. Axis letters: P players, each with a people of six values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ import log
from axiom_envs.ajve_civ.constants import CONQUER, CONSENT, DISCOVER, EXCHANGE, EXPAND, NOBODY, SIX
from axiom_envs.ajve_civ.state import Params, is_dead, is_inflection
from axiom_gym.event_log import emit
from axiom_gym.kernel import NO_SUB_ACTION, inline_kernel, inner_kernel
from axiom_gym.rng import next_below, next_uint32

Choices = npt.NDArray[np.int64]
"""(P, 1) int64: the value that each player chooses; negative for none."""

# -- offers ----------------------------------------------------------------------------------------


@inner_kernel
def offer_random(state: Any, player: int) -> None:
    """Offer all six values in random order: shuffle them from the back, with six random numbers."""
    offer = state.offer[player]
    for k in range(SIX):
        offer[k] = k
    for last in range(SIX - 1, 0, -1):
        other = next_below(state, last + 1)
        kept = offer[last]
        offer[last] = offer[other]
        offer[other] = kept
    next_uint32(state)  # the original draws a sixth number, to swap the first value with itself


@inner_kernel
def offer_highest(state: Any, player: int) -> None:
    """Offer all six values, highest first, ties in the order of the values."""
    offer, values = state.offer[player], state.values[player]
    for value in range(SIX):
        place = value
        while place > 0 and int(values[int(offer[place - 1])]) < int(values[value]):
            offer[place] = offer[place - 1]
            place -= 1
        offer[place] = value


@inner_kernel
def make_offers(state: Any, params: Params) -> None:
    """Make the offers of all players for the next step, including the dead."""
    inflection = is_inflection(state, params)
    if inflection and params.inflections_are_random == 0:
        for player in range(state.death.shape[0]):
            offer_highest(state, player)
    else:
        for player in range(state.death.shape[0]):
            offer_random(state, player)


@inline_kernel
def is_offered(state: Any, player: int, value: int, params: Params) -> bool:
    """Return True if a value is in the offer of a player."""
    found = False
    for k in range(params.offer_size):
        found = found or int(state.offer[player, k]) == value
    return found


@inner_kernel
def are_allowed(state: Any, choices: Choices, params: Params) -> bool:
    """Return True if these choices are legal. choices: (P, 1)."""
    for player in range(choices.shape[0]):
        value = int(choices[player, 0])
        if value < NO_SUB_ACTION or value >= SIX:
            return False
        free = value == NO_SUB_ACTION or params.any_choice != 0
        if not free and not is_offered(state, player, value, params):
            return False
    return True


# -- turns -----------------------------------------------------------------------------------------


@inner_kernel
def find_least_liked(state: Any, player: int) -> int:
    """Return the people that a people likes least, the last one on a tie, or NOBODY.

    The dead count. NOBODY means that the people is alone.
    """
    found, least = NOBODY, 0
    for other in range(state.death.shape[0]):
        feeling = int(state.feelings[player, other])
        if other != player and (found == NOBODY or feeling <= least):
            found, least = other, feeling
    return found


@inner_kernel
def find_most_liked(state: Any, player: int) -> int:
    """Return the people that a people likes most, the last one on a tie, or NOBODY.

    The dead count. NOBODY means that the people is alone.
    """
    found, most = NOBODY, 0
    for other in range(state.death.shape[0]):
        feeling = int(state.feelings[player, other])
        if other != player and (found == NOBODY or feeling >= most):
            found, most = other, feeling
    return found


@inline_kernel
def _warm_all(state: Any, player: int, amount: int) -> None:
    """Add `amount` to the feelings of all others about a people."""
    for other in range(state.death.shape[0]):
        if other != player:
            state.feelings[other, player] += amount


@inline_kernel
def _conquer(state: Any, player: int, victim: int, events: Any) -> None:
    state.values[player, CONQUER] += 1
    devotion = int(state.values[player, CONQUER])
    state.yields[player] += devotion
    state.yields[victim] -= devotion
    _warm_all(state, player, -1)
    state.feelings[victim, player] -= 4  # -5 in total
    emit(events, log.CONQUERED, player, victim, devotion)


@inline_kernel
def _exchange(state: Any, player: int, partner: int, events: Any, params: Params) -> None:
    state.values[player, EXCHANGE] += 1
    devotion = int(state.values[player, EXCHANGE])
    state.yields[player] += devotion
    state.yields[partner] += int(state.values[partner, EXCHANGE])
    state.feelings[partner, player] += 1
    state.feelings[player, partner] += params.exchange_warms_both
    emit(events, log.EXCHANGED, player, partner, devotion, int(state.values[partner, EXCHANGE]))


@inline_kernel
def _act_alone(state: Any, player: int, value: int, events: Any) -> None:
    """Act on a value without a target: discover, expand, consent or develop."""
    state.values[player, value] += 1
    devotion = int(state.values[player, value])
    if value == DISCOVER:
        state.yields[player] += devotion
    elif value == EXPAND:
        state.population[player] += devotion
    elif value == CONSENT:
        state.world_yield += devotion
        _warm_all(state, player, devotion)
    else:
        state.yields[player] += 2 * devotion
        state.world_yield -= devotion
        _warm_all(state, player, -1)
    emit(events, log.FIRST_ALONE + value, player, devotion)


@inner_kernel
def _act(state: Any, player: int, value: int, events: Any, params: Params) -> None:
    """Raise a value of a people by 1 and act on it; a lone people can neither conquer nor trade."""
    if value == CONQUER:
        victim = find_least_liked(state, player)
        if victim != NOBODY:
            _conquer(state, player, victim, events)
    elif value == EXCHANGE:
        partner = find_most_liked(state, player)
        if partner != NOBODY:
            _exchange(state, player, partner, events, params)
    else:
        _act_alone(state, player, value, events)


@inner_kernel
def _feed(state: Any, events: Any) -> None:
    """Let peoples of negative population die, and reduce the other populations to their food."""
    for player in range(state.death.shape[0]):
        population = int(state.population[player])
        food = int(state.yields[player]) + int(state.world_yield)
        if population < 0:
            if not is_dead(state, player):
                state.death[player] = int(state.turn) + 1
                emit(events, log.DIED, player)
        elif population > food:
            state.population[player] = food
            emit(events, log.STARVED, player, min(population - food, 32767))


@inner_kernel
def take_turn(state: Any, choices: Choices, events: Any, params: Params) -> None:
    """Let all peoples act in the order of their seats, each after the effects of those before it.

    Then they eat. choices: (P, 1); those of dead peoples have no effect.
    """
    for player in range(state.death.shape[0]):
        value = int(choices[player, 0])
        if value >= 0 and not is_dead(state, player):
            _act(state, player, value, events, params)
    _feed(state, events)


# -- inflections -----------------------------------------------------------------------------------


@inner_kernel
def take_inflection(state: Any, choices: Choices, events: Any, params: Params) -> None:
    """Raise the chosen value of each people by 2, and lower the others of its offer by 1.

    If the choice is not in the offer, all values of the offer fall. choices: (P, 1); those of dead
    peoples count.
    """
    for player in range(state.death.shape[0]):
        chosen = int(choices[player, 0])
        for k in range(params.offer_size):
            value = int(state.offer[player, k])
            state.values[player, value] += 2 if value == chosen else -1
        emit(events, log.INFLECTED, player, chosen)
