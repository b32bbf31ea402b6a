"""The scripted players of Konquista: `greedy` and `planner`.

Both read the state record, of which everything is public, and draw from their stream to choose
among borders that are equally good.

Axis letters as in `state`; N actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.constants import ADVANCING, ATTACKING, REINFORCE
from axiom_envs.konquista.state import Params, can_attack, can_move, count_players
from axiom_envs.konquista.tactics import (
    count_foes,
    foe_strength,
    home_border,
    odds_of,
    prize_of,
)
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel
from axiom_gym.rng import next_below

_NOTHING = -(1 << 40)
"""A worth that every choice exceeds."""

CAUTIOUS, DUEL = 500, 350
"""The odds, in thousandths, that an attack of the planner must exceed: among several foes, who gain
from its losses, and against a last one, whom every roll weakens as well."""


@inline_kernel
def _attack_action(border: int, params: Params) -> int:
    return 2 * params.territories + border


@inline_kernel
def _advance_action(follow: bool, params: Params) -> int:
    return 2 * params.territories + params.borders + (0 if follow else 1)


@inline_kernel
def _stop_action(params: Params) -> int:
    return 2 * params.territories + params.borders + 2


@inline_kernel
def _fortify_action(border: int, params: Params) -> int:
    """The action that moves armies over a border; -1 stands for no border, and ends the turn."""
    first = 2 * params.territories + params.borders + 3
    return first + (border if border >= 0 else params.borders)


@inline_kernel
def _takes(stream: Any, equals: int) -> bool:
    """Whether the last of so many equals takes the place of the one before; each is as likely."""
    return equals == 1 or next_below(stream, equals) == 0


# --------------------------------------------------------------------------------------------------
# greedy


@kernel
def greedy(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Attacks wherever it has more armies than the defender, the largest surplus first.

    1. All armies go where the surplus over a foe next door is largest already.
    2. It attacks over the border with the largest surplus, until there is none.
    3. It follows with all armies, unless no foe is next to the new territory.
    4. It moves the largest army that has no foe next to it to a neighbour that has one.

    mask: (1, N). sub_actions: (1,), written.
    """
    phase = int(state.phase)
    if phase == REINFORCE:
        border = _widest_surplus(state, player, 1, stream, params)
        sub_actions[0] = params.territories + params.sources[border]
    elif phase == ATTACKING:
        border = _widest_surplus(state, player, 2, stream, params)
        surplus = _surplus(state, border, params) if border >= 0 else 0
        sub_actions[0] = _attack_action(border, params) if surplus > 0 else _stop_action(params)
    elif phase == ADVANCING:
        end = params.targets[int(state.advance)]
        sub_actions[0] = _advance_action(count_foes(state, player, end, params) > 0, params)
    else:
        sub_actions[0] = _fortify_action(_to_the_front(state, player, stream, params), params)


@inline_kernel
def _surplus(state: Any, border: int, params: Params) -> int:
    """How many armies more stand where a border starts than where it ends."""
    start, end = params.sources[border], params.targets[border]
    return int(state.armies[start]) - int(state.armies[end])


@inner_kernel
def _widest_surplus(state: Any, player: int, least: int, stream: Any, params: Params) -> int:
    """The border to a foe with the largest surplus, of those from `least` armies on; -1: none."""
    best, most, equals = -1, _NOTHING, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        if int(state.owner[start]) != player or int(state.owner[end]) == player:
            continue
        surplus = _surplus(state, border, params)
        if int(state.armies[start]) >= least and surplus >= most:
            equals = equals + 1 if surplus == most else 1
            best = border if _takes(stream, equals) else best
            most = surplus
    return best


@inner_kernel
def _to_the_front(state: Any, player: int, stream: Any, params: Params) -> int:
    """The border over which the largest army without a foe next door gets to one with; -1: none."""
    best, most, equals = -1, 1, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        armies = int(state.armies[start])
        if can_move(state, player, border, params) and armies >= most:
            idle = count_foes(state, player, start, params) == 0
            if idle and count_foes(state, player, end, params) > 0:
                equals = equals + 1 if armies == most else 1
                best = border if _takes(stream, equals) else best
                most = armies
    return best


# --------------------------------------------------------------------------------------------------
# planner


@kernel
def planner(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Weighs what a territory is worth against the odds of taking it.

    A territory is worth more in a region that the player has much of or that a foe holds all of,
    if it is its owner's last, and if few foes stand around it: `tactics.prize_of`.

    1. All armies go where, with them, the best attack has the highest worth.
    2. It attacks over the border with the highest worth, as long as the odds are good.
    3. It follows unless the foes around the old territory are stronger than around the new one.
    4. It moves the largest army that has no foe next to it one step towards the front.

    mask: (1, N). sub_actions: (1,), written.
    """
    phase = int(state.phase)
    least = DUEL if count_players(state, params) == 2 else CAUTIOUS
    if phase == REINFORCE:
        border = _best_attack(state, player, int(state.to_place), least, stream, params)
        sub_actions[0] = params.territories + params.sources[border]
    elif phase == ATTACKING:
        border = _best_attack(state, player, 0, least, stream, params)
        good = border >= 0 and _worth(state, player, border, 0, least, params) > 0
        sub_actions[0] = _attack_action(border, params) if good else _stop_action(params)
    elif phase == ADVANCING:
        start, end = params.sources[int(state.advance)], params.targets[int(state.advance)]
        threat = foe_strength(state, player, start, params)
        follow = foe_strength(state, player, end, params) >= threat
        sub_actions[0] = _advance_action(follow, params)
    else:
        sub_actions[0] = _fortify_action(home_border(state, player, params), params)


@inner_kernel
def _worth(state: Any, player: int, border: int, more: int, least: int, params: Params) -> int:
    """What an attack over a border is worth, with `more` armies where it starts.

    Positive where the odds exceed `least`.
    """
    start, end = params.sources[border], params.targets[border]
    odds = odds_of(int(state.armies[start]) + more, int(state.armies[end]))
    return (odds - least) * prize_of(state, player, end, params)


@inner_kernel
def _best_attack(
    state: Any, player: int, more: int, least: int, stream: Any, params: Params
) -> int:
    """The border whose attack is worth most, with `more` armies where it starts; -1: none."""
    best, most, equals = -1, _NOTHING, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        own = int(state.owner[start]) == player and int(state.owner[end]) != player
        if own and (more > 0 or can_attack(state, player, border, params)):
            worth = _worth(state, player, border, more, least, params)
            if worth >= most:
                equals = equals + 1 if worth == most else 1
                best = border if _takes(stream, equals) else best
                most = worth
    return best
