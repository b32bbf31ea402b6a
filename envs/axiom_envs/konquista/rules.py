"""How a decision in Konquista is carried out, phase by phase: the rules, and where they stand.

Draws of the generator, in this order: at the start, the shuffle, and then one for each army; in
each roll of an attack, the attacker's dice, and then the defender's.

Axis letters as in `state`; E rows of a log.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.catalogue import (
    ADVANCE,
    ATTACK,
    END_ATTACK,
    END_TURN,
    FORTIFY,
    HOLD,
    PLACE_ALL,
    PLACE_ONE,
    decode,
)
from axiom_envs.konquista.constants import ADVANCING, ATTACKING, FORTIFYING, OVER, REINFORCE
from axiom_envs.konquista.log import (
    EVENT_BLITZED,
    EVENT_CONQUERED,
    EVENT_ELIMINATED,
    EVENT_LIMIT,
    EVENT_ROLLED,
    EVENT_TURN,
    EVENT_WON,
    MOST_ARMIES,
)
from axiom_envs.konquista.state import (
    Params,
    can_attack,
    can_move,
    count_armies,
    count_players,
    count_territories,
    income_of,
    is_in,
)
from axiom_gym.event_log import emit
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED, inline_kernel, inner_kernel
from axiom_gym.rng import next_below

Dice = tuple[int, int, int]
"""Up to three dice, highest first; 0 for one that was not rolled."""


# It stands where text and tests can read it without Numba.
inner_kernel(decode)


# --------------------------------------------------------------------------------------------------
# The start


@inner_kernel
def deal(state: Any, params: Params) -> None:
    """Deals the shuffled territories round robin, one army each; then places the other armies.

    Each seat in turn puts one army on one of its territories, as long as it has armies left.
    """
    territories, players = params.territories, params.players
    # `armies` holds the shuffled territories until all are dealt: a kernel has no other memory.
    for t in range(territories):
        state.armies[t] = t
    for i in range(territories - 1, 0, -1):
        j = next_below(state, i + 1)
        here = int(state.armies[i])
        state.armies[i] = state.armies[j]
        state.armies[j] = here
    for i in range(territories):
        state.owner[int(state.armies[i])] = i % players
    state.armies[:territories] = 1
    most = 0
    for seat in range(players):
        most = max(most, params.armies[seat])
    for placed in range(most):
        for seat in range(players):
            dealt = (territories - seat + players - 1) // players
            if dealt + placed < params.armies[seat]:
                _place_somewhere(state, seat, dealt, params)


@inner_kernel
def _place_somewhere(state: Any, seat: int, held: int, params: Params) -> None:
    """Puts one army on one of the `held` territories of a seat, taken in rising order."""
    left = next_below(state, held)
    for t in range(params.territories):
        if int(state.owner[t]) == seat:
            if left == 0:
                state.armies[t] += 1
                return
            left -= 1


@inner_kernel
def begin_turn(state: Any, player: int, events: Any, params: Params) -> None:
    """Player `player` is to reinforce; `turn` is set already."""
    income = income_of(state, player, params)
    state.player = player
    state.phase = REINFORCE
    state.to_place = income
    emit(events, EVENT_TURN, player, int(state.turn), income)


# --------------------------------------------------------------------------------------------------
# Reinforce


@inline_kernel
def place(state: Any, territory: int, count: int) -> None:
    """Puts armies on a territory; the last one opens the attack."""
    state.armies[territory] = int(state.armies[territory]) + count
    left = int(state.to_place) - count
    state.to_place = left
    state.phase = REINFORCE if left > 0 else ATTACKING


# --------------------------------------------------------------------------------------------------
# Attack


@inline_kernel
def _roll(state: Any, dice: int) -> Dice:
    """Rolls one, two or three dice."""
    a = 1 + next_below(state, 6)
    b = 1 + next_below(state, 6) if dice > 1 else 0
    c = 1 + next_below(state, 6) if dice > 2 else 0
    high, low = max(a, b), min(a, b)
    return max(high, c), max(low, min(high, c)), min(low, c)


@inline_kernel
def _fight(state: Any, border: int, events: Any, params: Params) -> int:
    """One roll of both sides, and its losses; returns how many dice the attacker rolled."""
    start, end = params.sources[border], params.targets[border]
    attackers, defenders = int(state.armies[start]), int(state.armies[end])
    dice, against = min(3, attackers - 1), min(2, defenders)
    first, second, third = _roll(state, dice)
    top, bottom, _ = _roll(state, against)
    pairs = min(dice, against)
    # A tie is the attacker's loss.
    lost = int(first > top) + int(pairs > 1 and second > bottom)
    state.armies[end] = defenders - lost
    state.armies[start] = attackers - (pairs - lost)
    if not params.blitz:
        emit(events, EVENT_ROLLED, border, first, second, third, top, bottom, lost)
    return dice


@inner_kernel
def attack(
    state: Any, border: int, rewards: npt.NDArray[np.float32], events: Any, params: Params
) -> int:
    """One roll over a border, or with `blitz` as many as it takes; and a conquest if it falls.

    Returns:
        RUNNING, or ENDED if one player is left. rewards: (P,).
    """
    start, end = params.sources[border], params.targets[border]
    attackers, defenders = int(state.armies[start]), int(state.armies[end])
    dice = _fight(state, border, events, params)
    if params.blitz:
        while int(state.armies[start]) > 1 and int(state.armies[end]) > 0:
            dice = _fight(state, border, events, params)
        lost = min(attackers - int(state.armies[start]), MOST_ARMIES)
        won = min(defenders - int(state.armies[end]), MOST_ARMIES)
        emit(events, EVENT_BLITZED, border, lost, won)
    if int(state.armies[end]) > 0:
        return RUNNING
    return _conquer(state, border, dice, rewards, events, params)


@inner_kernel
def _conquer(
    state: Any,
    border: int,
    dice: int,
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """As many armies as dice were rolled move in, and perhaps a player goes out. rewards: (P,).

    They are always there: the roll that takes a territory costs the attacker nothing.
    """
    start, end, player = params.sources[border], params.targets[border], int(state.player)
    loser, left = int(state.owner[end]), int(state.armies[start]) - dice
    state.owner[end] = player
    state.armies[end] = dice
    state.armies[start] = left
    emit(events, EVENT_CONQUERED, border, dice)
    if count_territories(state, loser, params) == 0:
        place_of_loser = count_players(state, params)
        state.place[loser] = place_of_loser
        rewards[loser] = worth(place_of_loser, 1, params)
        emit(events, EVENT_ELIMINATED, loser, place_of_loser, player)
        if place_of_loser == 2:
            state.phase = OVER
            rewards[player] = worth(1, 1, params)
            emit(events, EVENT_WON, player)
            return ENDED
    if left > 1:
        state.phase = ADVANCING
        state.advance = border
    return RUNNING


@inline_kernel
def advance(state: Any, follow: bool, params: Params) -> None:
    """All armies but one follow over the border just conquered over, or none; the attack goes on.

    With one army left behind there is nothing to decide, and this phase is left out.
    """
    if follow:
        move(state, int(state.advance), params)
    state.advance = -1
    state.phase = ATTACKING


# --------------------------------------------------------------------------------------------------
# Fortify, and the end of a turn


@inline_kernel
def move(state: Any, border: int, params: Params) -> None:
    """All armies but one go over a border, into land of one's own."""
    start, end = params.sources[border], params.targets[border]
    moved = int(state.armies[start]) - 1
    state.armies[start] = 1
    state.armies[end] = int(state.armies[end]) + moved


@inline_kernel
def end_attack(state: Any) -> None:
    """Opens the last phase of the turn."""
    state.phase = FORTIFYING


@inner_kernel
def end_turn(state: Any, rewards: npt.NDArray[np.float32], events: Any, params: Params) -> int:
    """Passes the turn to the next player who is in, or ends the game at the limit.

    Returns:
        RUNNING, or TRUNCATED at the limit. rewards: (P,).
    """
    if int(state.turn) >= params.turn_limit:
        state.phase = OVER
        for player in range(params.players):
            if is_in(state, player):
                rewards[player] = worth_of_survivor(state, player, params)
        emit(events, EVENT_LIMIT, int(state.turn))
        return TRUNCATED
    state.turn = int(state.turn) + 1
    player = (int(state.player) + 1) % params.players
    while not is_in(state, player):
        player = (player + 1) % params.players
    begin_turn(state, player, events, params)
    return RUNNING


# --------------------------------------------------------------------------------------------------
# Places


@inline_kernel
def worth(place: int, sharing: int, params: Params) -> float:
    """The reward of `sharing` players who take this place, from 1, and the next ones together.

    From +1 for the first of all players to -1 for the last in even steps; the mean where places
    are shared.
    """
    last = params.players - 1
    return (last - (2 * (place - 1) + sharing - 1)) / last


@inner_kernel
def strength(state: Any, player: int, params: Params) -> int:
    """What ranks those who are still in at the limit: territories, and then armies."""
    return count_territories(state, player, params) << 40 | count_armies(state, player, params)


@inner_kernel
def worth_of_survivor(state: Any, player: int, params: Params) -> float:
    """The reward of a player who is still in when the game ends."""
    own = strength(state, player, params)
    place, sharing = 1, 0
    for other in range(params.players):
        if is_in(state, other):
            theirs = strength(state, other, params)
            place += int(theirs > own)
            sharing += int(theirs == own)
    return worth(place, sharing, params)


# --------------------------------------------------------------------------------------------------
# Decisions


@inline_kernel
def is_legal(state: Any, kind: int, index: int, params: Params) -> bool:
    """Return whether the player whose turn it is may do this; `index` is valid for its kind."""
    phase, player = int(state.phase), int(state.player)
    if kind in (PLACE_ONE, PLACE_ALL):
        return phase == REINFORCE and int(state.owner[index]) == player
    if kind == ATTACK:
        return phase == ATTACKING and can_attack(state, player, index, params)
    if kind in (ADVANCE, HOLD):
        return phase == ADVANCING
    if kind == END_ATTACK:
        return phase == ATTACKING
    if kind == FORTIFY:
        return phase == FORTIFYING and can_move(state, player, index, params)
    return kind == END_TURN and phase == FORTIFYING


@inline_kernel
def carry_out(
    state: Any,
    kind: int,
    index: int,
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Carry out a legal action of the player whose turn it is.

    Returns:
        RUNNING, ENDED or TRUNCATED. rewards: (P,).
    """
    if kind == PLACE_ONE:
        place(state, index, 1)
    elif kind == PLACE_ALL:
        place(state, index, int(state.to_place))
    elif kind == ATTACK:
        return attack(state, index, rewards, events, params)
    elif kind in (ADVANCE, HOLD):
        advance(state, kind == ADVANCE, params)
    elif kind == END_ATTACK:
        end_attack(state)
    else:
        if kind == FORTIFY:
            move(state, index, params)
        return end_turn(state, rewards, events, params)
    return RUNNING
