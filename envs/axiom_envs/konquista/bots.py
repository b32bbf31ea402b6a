"""The scripted opponents of Konquista: `greedy` and `planner`.

Both read the state record, all of which is public. They break ties between borders at random, with
numbers from their stream.

Axis letters as in `state`; N actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.constants import ADVANCING, ATTACKING, REINFORCE
from axiom_envs.konquista.state import Params, can_attack, can_move, count_players
from axiom_envs.konquista.tactics import (
    border_towards_front,
    count_foes,
    foe_strength,
    odds_of,
    prize_of,
)
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel
from axiom_gym.rng import next_below

_NOTHING = -(1 << 40)
"""A value below that of every choice."""

CAUTIOUS, DUEL = 500, 350
"""The probability, in thousandths, that an attack of the planner must exceed.

`CAUTIOUS` applies with several opponents, who gain from the planner's losses; `DUEL` with one, who
loses armies in every exchange too.
"""


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
    """Return the action that moves armies over a border, or END_TURN for border -1."""
    first = 2 * params.territories + params.borders + 3
    return first + (border if border >= 0 else params.borders)


@inline_kernel
def _wins_tie(stream: Any, equals: int) -> bool:
    """Return True if the newest of `equals` tied choices replaces the one chosen so far.

    It does with probability 1 / equals, so that in the end all tied choices are equally likely.
    """
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
    """Attack wherever the bot has more armies than the defender, the largest surplus first.

    1. It places all armies where the surplus over an enemy neighbour is largest.
    2. It attacks over the border with the largest surplus as long as there is one.
    3. It advances with all armies, unless the new territory has no enemy neighbour.
    4. It moves the largest army without an enemy neighbour to a territory that has one.

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
        sub_actions[0] = _fortify_action(_border_to_front(state, player, stream, params), params)


@inline_kernel
def _surplus(state: Any, border: int, params: Params) -> int:
    """Return the armies where a border starts, minus the armies where it ends."""
    start, end = params.sources[border], params.targets[border]
    return int(state.armies[start]) - int(state.armies[end])


@inner_kernel
def _widest_surplus(state: Any, player: int, least: int, stream: Any, params: Params) -> int:
    """Return the border to an enemy with the largest surplus, or -1.

    Only territories with at least `least` armies count.
    """
    best, most, equals = -1, _NOTHING, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        if int(state.owner[start]) != player or int(state.owner[end]) == player:
            continue
        surplus = _surplus(state, border, params)
        if int(state.armies[start]) >= least and surplus >= most:
            equals = equals + 1 if surplus == most else 1
            best = border if _wins_tie(stream, equals) else best
            most = surplus
    return best


@inner_kernel
def _border_to_front(state: Any, player: int, stream: Any, params: Params) -> int:
    """Return the border that brings the largest idle army to the front, or -1.

    An army is idle if its territory has no enemy neighbour. The front is the set of territories
    that have one.
    """
    best, most, equals = -1, 1, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        armies = int(state.armies[start])
        if can_move(state, player, border, params) and armies >= most:
            idle = count_foes(state, player, start, params) == 0
            if idle and count_foes(state, player, end, params) > 0:
                equals = equals + 1 if armies == most else 1
                best = border if _wins_tie(stream, equals) else best
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
    """Weigh the value of a territory against the odds of conquering it.

    A territory is worth more if the player holds much of its region, if an opponent holds all of
    the region, if it is its owner's last, and if it has few enemy neighbours: `tactics.prize_of`.

    1. It places all armies where they make the attack of the highest value possible.
    2. It attacks over the border of the highest value as long as the odds are good.
    3. It advances unless the enemies around the old territory are stronger than around the new one.
    4. It moves the largest army without an enemy neighbour one step towards the front.

    mask: (1, N). sub_actions: (1,), written.
    """
    phase = int(state.phase)
    least = DUEL if count_players(state, params) == 2 else CAUTIOUS
    if phase == REINFORCE:
        border = _best_attack(state, player, int(state.to_place), least, stream, params)
        sub_actions[0] = params.territories + params.sources[border]
    elif phase == ATTACKING:
        border = _best_attack(state, player, 0, least, stream, params)
        good = border >= 0 and _attack_value(state, player, border, 0, least, params) > 0
        sub_actions[0] = _attack_action(border, params) if good else _stop_action(params)
    elif phase == ADVANCING:
        start, end = params.sources[int(state.advance)], params.targets[int(state.advance)]
        threat = foe_strength(state, player, start, params)
        follow = foe_strength(state, player, end, params) >= threat
        sub_actions[0] = _advance_action(follow, params)
    else:
        sub_actions[0] = _fortify_action(border_towards_front(state, player, params), params)


@inner_kernel
def _attack_value(
    state: Any, player: int, border: int, more: int, least: int, params: Params
) -> int:
    """Return the value of an attack over a border, with `more` armies added where it starts.

    The value is positive if the odds exceed `least`, in thousandths.
    """
    start, end = params.sources[border], params.targets[border]
    odds = odds_of(int(state.armies[start]) + more, int(state.armies[end]))
    return (odds - least) * prize_of(state, player, end, params)


@inner_kernel
def _best_attack(
    state: Any, player: int, more: int, least: int, stream: Any, params: Params
) -> int:
    """Return the border whose attack has the highest value, or -1.

    `more` armies are added where the border starts.
    """
    best, most, equals = -1, _NOTHING, 0
    for border in range(params.borders):
        start, end = params.sources[border], params.targets[border]
        own = int(state.owner[start]) == player and int(state.owner[end]) != player
        if own and (more > 0 or can_attack(state, player, border, params)):
            value = _attack_value(state, player, border, more, least, params)
            if value >= most:
                equals = equals + 1 if value == most else 1
                best = border if _wins_tie(stream, equals) else best
                most = value
    return best
