"""The rules of AjveCiv: offers, turns and inflections.

Their source is AjveCiv 0.1.3. Axis letters: P peoples; all have six values.
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
"""(P, 1) int64: the value that each people chooses; negative for none."""

# -- offers ----------------------------------------------------------------------------------------


@inner_kernel
def offer_random(state: Any, player: int) -> None:
    """All six values in a random order: shuffled from the back, with six numbers."""
    offer = state.offer[player]
    for k in range(SIX):
        offer[k] = k
    for last in range(SIX - 1, 0, -1):
        other = next_below(state, last + 1)
        kept = offer[last]
        offer[last] = offer[other]
        offer[other] = kept
    next_uint32(state)  # the sixth would swap the first with itself


@inner_kernel
def offer_highest(state: Any, player: int) -> None:
    """All six values, highest first; equal ones in their own order."""
    offer, values = state.offer[player], state.values[player]
    for value in range(SIX):
        place = value
        while place > 0 and int(values[int(offer[place - 1])]) < int(values[value]):
            offer[place] = offer[place - 1]
            place -= 1
        offer[place] = value


@inner_kernel
def make_offers(state: Any, params: Params) -> None:
    """What every people can choose in the step that comes, the dead included."""
    inflection = is_inflection(state, params)
    if inflection and params.inflections_are_random == 0:
        for player in range(state.death.shape[0]):
            offer_highest(state, player)
    else:
        for player in range(state.death.shape[0]):
            offer_random(state, player)


@inline_kernel
def is_offered(state: Any, player: int, value: int, params: Params) -> bool:
    """Whether a value is among those that a people is offered."""
    found = False
    for k in range(params.offer_size):
        found = found or int(state.offer[player, k]) == value
    return found


@inner_kernel
def are_allowed(state: Any, choices: Choices, params: Params) -> bool:
    """Return whether the rules take these choices. choices: (P, 1)."""
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
    """Whom a people likes least, the dead included; of equals the last. NOBODY if it is alone."""
    found, least = NOBODY, 0
    for other in range(state.death.shape[0]):
        feeling = int(state.feelings[player, other])
        if other != player and (found == NOBODY or feeling <= least):
            found, least = other, feeling
    return found


@inner_kernel
def find_most_liked(state: Any, player: int) -> int:
    """Whom a people likes most, the dead included; of equals the last. NOBODY if it is alone."""
    found, most = NOBODY, 0
    for other in range(state.death.shape[0]):
        feeling = int(state.feelings[player, other])
        if other != player and (found == NOBODY or feeling >= most):
            found, most = other, feeling
    return found


@inline_kernel
def _warm_all(state: Any, player: int, amount: int) -> None:
    """Changes what all others feel about a people."""
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
    state.feelings[victim, player] -= 4  # five in all
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
    """Discover, expand, consent and develop."""
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
    """A people acts on a value, which rises first. Alone, it can neither conquer nor exchange."""
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
    """Who has fewer than nobody dies, for good; the others starve down to what there is to eat."""
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
    """All peoples act in their order, each seeing what those before it have done; then they eat.

    choices: (P, 1), the dead's without effect.
    """
    for player in range(state.death.shape[0]):
        value = int(choices[player, 0])
        if value >= 0 and not is_dead(state, player):
            _act(state, player, value, events, params)
    _feed(state, events)


# -- inflections -----------------------------------------------------------------------------------


@inner_kernel
def take_inflection(state: Any, choices: Choices, events: Any, params: Params) -> None:
    """Of the values offered, the chosen one rises by 2, and the others fall by 1.

    choices: (P, 1), the dead's too; with one that is not offered all that are offered fall.
    """
    for player in range(state.death.shape[0]):
        chosen = int(choices[player, 0])
        for k in range(params.offer_size):
            value = int(state.offer[player, k])
            state.values[player, value] += 2 if value == chosen else -1
        emit(events, log.INFLECTED, player, chosen)
