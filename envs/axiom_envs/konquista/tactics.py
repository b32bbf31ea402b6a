"""The evaluations of the scripted opponents: enemies nearby, odds, values, the way to the front.

Axis letters as in `state`.
"""

from __future__ import annotations

from typing import Any

from axiom_envs.konquista.odds import MOST, ODDS
from axiom_envs.konquista.state import Params, can_move, count_territories
from axiom_gym.kernel import inline_kernel, inner_kernel

# The value of a territory in points, see `prize_of`.
PLAIN = 100  # for every territory
PER_BONUS = 30  # for each army of the region's bonus, divided by the territories still missing
BROKEN = 100  # for each army of the bonus of a region that an opponent holds all of
LAST = 300  # for the last territory of its owner
PER_FOE = 8  # subtracted for each enemy neighbour
LEAST = 20  # the smallest value


@inner_kernel
def count_foes(state: Any, player: int, territory: int, params: Params) -> int:
    """Return the number of a territory's neighbours that the player does not hold."""
    count = 0
    for border in range(params.first_border[territory], params.first_border[territory + 1]):
        count += int(int(state.owner[params.targets[border]]) != player)
    return count


@inner_kernel
def foe_strength(state: Any, player: int, territory: int, params: Params) -> int:
    """Return the armies in the neighbours of a territory that the player does not hold."""
    strength = 0
    for border in range(params.first_border[territory], params.first_border[territory + 1]):
        end = params.targets[border]
        if int(state.owner[end]) != player:
            strength += int(state.armies[end])
    return strength


@inline_kernel
def odds_of(attackers: int, defenders: int) -> int:
    """Return the probability of a conquest in thousandths; scale large armies down to the table."""
    most = max(attackers, defenders)
    if most > MOST:
        attackers, defenders = attackers * MOST // most, max(1, defenders * MOST // most)
    return int(ODDS[attackers, defenders])


@inner_kernel
def prize_of(state: Any, player: int, territory: int, params: Params) -> int:
    """Return the value of an opponent's territory to a player, in points."""
    region, owner = params.region_of[territory], int(state.owner[territory])
    mine, theirs = 0, 0
    for t in range(params.territories):
        if params.region_of[t] == region:
            mine += int(int(state.owner[t]) == player)
            theirs += int(int(state.owner[t]) == owner)
    size, bonus = int(params.region_size[region]), int(params.bonus[region])
    prize = PLAIN + PER_BONUS * bonus // (size - mine)
    if theirs == size:
        prize += BROKEN * bonus
    if count_territories(state, owner, params) == 1:
        prize += LAST
    return max(LEAST, prize - PER_FOE * count_foes(state, player, territory, params))


@inner_kernel
def border_towards_front(state: Any, player: int, params: Params) -> int:
    """Return the border that brings the largest idle army one step closer to the front, or -1.

    An army is idle if its territory has no enemy neighbour. `reached` is a set of territories as
    bits: at first the territories with an enemy neighbour, then step by step their neighbours.
    """
    reached = 0
    for t in range(params.territories):
        if int(state.owner[t]) == player and count_foes(state, player, t, params) > 0:
            reached |= 1 << t
    best, most, before = -1, 1, 0
    while before != reached:
        before = reached
        for border in range(params.borders):
            start, end = params.sources[border], params.targets[border]
            inward = (before >> start) & 1 == 0 and (before >> end) & 1 == 1
            if not inward or int(state.owner[start]) != player:
                continue
            reached |= 1 << start
            if can_move(state, player, border, params) and int(state.armies[start]) > most:
                best, most = border, int(state.armies[start])
    return best
