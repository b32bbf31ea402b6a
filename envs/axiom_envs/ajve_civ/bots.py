"""Scripted players of AjveCiv: `greedy`, `diplomat`, and the priority AIs. None draws a number.

All look at the offer in the state rather than at the mask, so that they choose alike where any
choice is legal. Axis letters: P peoples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import CONQUER, CONSENT, DEVELOP, EXCHANGE, EXPAND, NOBODY, SIX
from axiom_envs.ajve_civ.priorities import PRIORITIES, function_name, numbers_of
from axiom_envs.ajve_civ.rules import find_least_liked, find_most_liked, is_offered
from axiom_envs.ajve_civ.state import Params, is_dead, is_idle, is_inflection
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

Mask = npt.NDArray[np.int8]
"""(1, 6) int8, 1 = legal."""

HORIZON = 10
"""For how many turns the diplomat expects feelings to last."""


@inner_kernel
def choose_by_priority(state: Any, player: int, wishes: Any, params: Params) -> int:
    """The first of these values that is offered, else the first that is offered at all.

    wishes: (W,) int64, or a tuple; -1 for none.
    """
    if not is_idle(state, player, params):
        for k in range(len(wishes)):
            if wishes[k] >= 0 and is_offered(state, player, int(wishes[k]), params):
                return int(wishes[k])
    return int(state.offer[player, 0])


@inner_kernel
def gain_of(state: Any, player: int, value: int) -> int:
    """How much a people's own score rises in a turn by a choice, if the others do nothing."""
    alone = state.death.shape[0] == 1
    devotion = int(state.values[player, value]) + 1
    population, income = int(state.population[player]), int(state.yields[player])
    before = population + income
    world = int(state.world_yield)
    if value == EXPAND:
        population += devotion
    elif value == CONSENT:
        world += devotion
    elif value == DEVELOP:
        income += 2 * devotion
        world -= devotion
    elif not (alone and value in (CONQUER, EXCHANGE)):
        income += devotion
    if population >= 0:  # otherwise it dies, and does not eat any more
        population = min(population, income + world)
    return income + population - before


@inline_kernel
def _weight(value: int) -> int:
    """What a devotion counts for when it is acted upon: Develop counts double, Consent nothing."""
    if value == DEVELOP:
        return 2
    return 0 if value == CONSENT else 1


@inner_kernel
def _choose_at_inflection(state: Any, player: int, params: Params) -> int:
    """The offered value that brings most when it is acted upon."""
    best, most = int(state.offer[player, 0]), -(2**31)
    for k in range(params.offer_size):
        value = int(state.offer[player, k])
        worth = _weight(value) * (int(state.values[player, value]) + 2)
        if worth > most:
            best, most = value, worth
    return best


@inline_kernel
def _shift(value: int, other: int, target: int, devotion: int) -> int:
    """How another's feelings about a people change by its choice, whose target is `target`."""
    if value == CONQUER:
        return -5 if other == target else -1
    if value == EXCHANGE:
        return 1 if other == target else 0
    if value == CONSENT:
        return devotion
    return -1 if value == DEVELOP else 0


@inner_kernel
def _worth_of_feeling(state: Any, player: int, other: int, shift: int) -> int:
    """What another's feelings are worth to a people in a turn, were they shifted by so much.

    Who likes it most shares its exchanges with it; who likes it least robs it. Six times the mean,
    since each of six values is as likely as another.
    """
    own = int(state.feelings[other, player]) + shift
    is_most, is_least = True, True
    for third in range(state.death.shape[0]):
        if third not in (other, player):
            feeling = int(state.feelings[other, third])
            # Of equals the last is chosen, as friend and as victim.
            is_most = is_most and (own > feeling or (own == feeling and player > third))
            is_least = is_least and (own < feeling or (own == feeling and player > third))
    worth = 0
    if is_most:
        worth += int(state.values[player, EXCHANGE])
    if is_least:
        worth -= int(state.values[other, CONQUER])
    return worth


@inner_kernel
def _diplomatic_gain(state: Any, player: int, value: int, params: Params) -> int:
    """Six times what a choice brings: now, and by the others' feelings over the next turns."""
    devotion = int(state.values[player, value]) + 1
    target = NOBODY
    if value == CONQUER:
        target = find_least_liked(state, player)
    elif value == EXCHANGE:
        target = find_most_liked(state, player)
    change = 0
    for other in range(state.death.shape[0]):
        shift = _shift(value, other, target, devotion)
        if other != player and shift != 0 and not is_dead(state, other):
            change += _worth_of_feeling(state, player, other, shift)
            change -= _worth_of_feeling(state, player, other, 0)
    left = min(HORIZON, params.duration - int(state.turn))
    return SIX * gain_of(state, player, value) + left * change


@inner_kernel
def _choose_best(state: Any, player: int, is_diplomatic: bool, params: Params) -> int:
    """The offered value that brings most, with others' feelings or without; of equals the first."""
    best, most = int(state.offer[player, 0]), -(2**31)
    if is_idle(state, player, params):
        return best
    if is_inflection(state, params):
        return _choose_at_inflection(state, player, params)
    for k in range(params.offer_size):
        value = int(state.offer[player, k])
        if is_diplomatic:
            gain = _diplomatic_gain(state, player, value, params)
        else:
            gain = gain_of(state, player, value)
        if gain > most:
            best, most = value, gain
    return best


@kernel
def greedy(
    state: Any, player: int, mask: Mask, stream: Any, orders: npt.NDArray[np.int64], params: Params
) -> None:
    """What raises its own score most in this turn; of equals what was offered first.

    mask: (1, 6); orders: (1,), written.
    """
    orders[0] = _choose_best(state, player, False, params)


@kernel
def diplomat(
    state: Any, player: int, mask: Mask, stream: Any, orders: npt.NDArray[np.int64], params: Params
) -> None:
    """As greedy, but it counts what feelings will bring.

    It keeps those who like it most as friends, and robs who already likes it least, whom that
    cannot turn against it any more. mask: (1, 6); orders: (1,), written.
    """
    orders[0] = _choose_best(state, player, True, params)


# -- priorities ------------------------------------------------------------------------------------


def _make_bot(name: str) -> Callable[..., None]:
    """The bot of this name; the driver of a game finds it in this module by its own name."""
    wishes = numbers_of(name)

    def bot(
        state: Any,
        player: int,
        mask: Mask,
        stream: Any,
        orders: npt.NDArray[np.int64],
        params: Params,
    ) -> None:
        orders[0] = choose_by_priority(state, player, wishes, params)

    bot.__name__ = bot.__qualname__ = function_name(name)
    bot.__doc__ = f"Prefers {' before '.join(PRIORITIES[name])}."
    return kernel(bot)


globals().update({function_name(name): _make_bot(name) for name in PRIORITIES})
