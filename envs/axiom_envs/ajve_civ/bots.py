"""The bots of AjveCiv: `greedy`, `diplomat` and the priority AIs. None draws random numbers.

All of them read the offer in the state instead of the action mask, so that they make the same
choices with `choices="any"`. Axis letters: P players.
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
"""The number of turns for which the diplomat expects feelings to last."""


@inner_kernel
def choose_by_priority(state: Any, player: int, wishes: Any, params: Params) -> int:
    """Return the first of these values that is offered, or else the first value of the offer.

    wishes: (W,) int64, or a tuple; -1 for none.
    """
    if not is_idle(state, player, params):
        for k in range(len(wishes)):
            if wishes[k] >= 0 and is_offered(state, player, int(wishes[k]), params):
                return int(wishes[k])
    return int(state.offer[player, 0])


@inner_kernel
def gain_of(state: Any, player: int, value: int) -> int:
    """Return how much a choice changes a people's own score in a turn if the others do nothing."""
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
    if population >= 0:  # otherwise the people dies, and does not eat
        population = min(population, income + world)
    return income + population - before


@inline_kernel
def _weight(value: int) -> int:
    """Return the score for each point of devotion: 2 for Develop, 0 for Consent, 1 for others."""
    if value == DEVELOP:
        return 2
    return 0 if value == CONSENT else 1


@inner_kernel
def _choose_at_inflection(state: Any, player: int, params: Params) -> int:
    """Return the offered value that gains most in the turns to come."""
    best, most = int(state.offer[player, 0]), -(2**31)
    for k in range(params.offer_size):
        value = int(state.offer[player, k])
        worth = _weight(value) * (int(state.values[player, value]) + 2)
        if worth > most:
            best, most = value, worth
    return best


@inline_kernel
def _shift(value: int, other: int, target: int, devotion: int) -> int:
    """Return the change of another people's feelings about the one that chooses.

    target: the victim or partner of the choice.
    """
    if value == CONQUER:
        return -5 if other == target else -1
    if value == EXCHANGE:
        return 1 if other == target else 0
    if value == CONSENT:
        return devotion
    return -1 if value == DEVELOP else 0


@inner_kernel
def _worth_of_feeling(state: Any, player: int, other: int, shift: int) -> int:
    """Return the worth in a turn of another people's feelings, after a shift.

    A people that likes the player most trades with it; a people that likes it least robs it. The
    worth is six times the mean gain, because each of the six values is equally likely.
    """
    own = int(state.feelings[other, player]) + shift
    is_most, is_least = True, True
    for third in range(state.death.shape[0]):
        if third not in (other, player):
            feeling = int(state.feelings[other, third])
            # On a tie the last seat is the partner or the victim.
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
    """Return six times the gain of a choice: now, and from feelings over the next turns."""
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
    """Return the offered value with the largest gain, on a tie the first of the offer.

    is_diplomatic: if True, the gain includes that from the others' feelings.
    """
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
    state: Any,
    player: int,
    mask: Mask,
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Choose the value that raises the player's own score most in this turn.

    On a tie it is the first of the offer. mask: (1, 6); sub_actions: (1,), written.
    """
    sub_actions[0] = _choose_best(state, player, False, params)


@kernel
def diplomat(
    state: Any,
    player: int,
    mask: Mask,
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Choose like `greedy`, but include the gain from the others' feelings.

    It stays on good terms with peoples that like it most. It robs peoples that already like it
    least, because they cannot turn against it any further.

    mask: (1, 6); sub_actions: (1,), written.
    """
    sub_actions[0] = _choose_best(state, player, True, params)


# -- priorities ------------------------------------------------------------------------------------


def _make_bot(name: str) -> Callable[..., None]:
    """Return the bot of this name. The batch driver finds it in this module by `function_name`."""
    wishes = numbers_of(name)

    def bot(
        state: Any,
        player: int,
        mask: Mask,
        stream: Any,
        sub_actions: npt.NDArray[np.int64],
        params: Params,
    ) -> None:
        sub_actions[0] = choose_by_priority(state, player, wishes, params)

    bot.__name__ = bot.__qualname__ = function_name(name)
    bot.__doc__ = f"Prefer {' over '.join(PRIORITIES[name])}."
    return kernel(bot)


globals().update({function_name(name): _make_bot(name) for name in PRIORITIES})
