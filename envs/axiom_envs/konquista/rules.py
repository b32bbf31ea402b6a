"""The rules of Konquista, phase by phase.

Random numbers are drawn in this order: at the start for the shuffle, then once for each army; in
each roll of an attack for the attacker's dice, then for the defender's.

Axis letters as in `state`.
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
    is_alive,
)
from axiom_gym.event_log import emit
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED, inline_kernel, inner_kernel
from axiom_gym.rng import next_below

Dice = tuple[int, int, int]
"""Up to three dice, highest first; 0 for a die that was not rolled."""


# `catalogue` defines it, so that texts and tests can use it without Numba.
inner_kernel(decode)


# --------------------------------------------------------------------------------------------------
# The start


@inner_kernel
def deal(state: Any, params: Params) -> None:
    """Deal the shuffled territories round robin, one army each, then place the other armies.

    In turn, each seat that has armies left puts one on a random territory of its own.
    """
    territories, players = params.territories, params.players
    # `armies` holds the shuffled territories until all are dealt: a kernel allocates no memory.
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
    """Put one army on a random one of the `held` territories of a seat.

    The draw is an index into the seat's territories in ascending order.
    """
    left = next_below(state, held)
    for t in range(params.territories):
        if int(state.owner[t]) == seat:
            if left == 0:
                state.armies[t] += 1
                return
            left -= 1


@inner_kernel
def begin_turn(state: Any, player: int, events: Any, params: Params) -> None:
    """Begin the reinforce phase of a player; `turn` is set already."""
    income = income_of(state, player, params)
    state.player = player
    state.phase = REINFORCE
    state.to_place = income
    emit(events, EVENT_TURN, player, int(state.turn), income)


# --------------------------------------------------------------------------------------------------
# Reinforce


@inline_kernel
def place(state: Any, territory: int, count: int) -> None:
    """Put armies on a territory; begin the attack phase when none are left to place."""
    state.armies[territory] = int(state.armies[territory]) + count
    left = int(state.to_place) - count
    state.to_place = left
    state.phase = REINFORCE if left > 0 else ATTACKING


# --------------------------------------------------------------------------------------------------
# Attack


@inline_kernel
def _roll(state: Any, dice: int) -> Dice:
    """Roll one, two or three dice; return them sorted, highest first."""
    a = 1 + next_below(state, 6)
    b = 1 + next_below(state, 6) if dice > 1 else 0
    c = 1 + next_below(state, 6) if dice > 2 else 0
    high, low = max(a, b), min(a, b)
    return max(high, c), max(low, min(high, c)), min(low, c)


@inline_kernel
def _fight(state: Any, border: int, events: Any, params: Params) -> int:
    """Roll once for both sides and remove the losses; return the number of the attacker's dice."""
    start, end = params.sources[border], params.targets[border]
    attackers, defenders = int(state.armies[start]), int(state.armies[end])
    dice, against = min(3, attackers - 1), min(2, defenders)
    first, second, third = _roll(state, dice)
    top, bottom, _ = _roll(state, against)
    pairs = min(dice, against)
    # The attacker loses ties.
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
    """Roll once over a border, or with `blitz` to the end; conquer the territory if it falls.

    Args:
        rewards: (P,), written when the attack eliminates a player.

    Returns:
        RUNNING, or ENDED if one player is left.
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
    """Move as many armies in as dice were rolled; eliminate a player without territories.

    The attacker always has these armies, because the roll that takes a territory costs it none.
    """
    start, end, player = params.sources[border], params.targets[border], int(state.player)
    loser, remaining = int(state.owner[end]), int(state.armies[start]) - dice
    state.owner[end] = player
    state.armies[end] = dice
    state.armies[start] = remaining
    emit(events, EVENT_CONQUERED, border, dice)
    if count_territories(state, loser, params) == 0:
        place_of_loser = count_players(state, params)
        state.place[loser] = place_of_loser
        rewards[loser] = place_reward(place_of_loser, 1, params)
        emit(events, EVENT_ELIMINATED, loser, place_of_loser, player)
        if place_of_loser == 2:
            state.phase = OVER
            rewards[player] = place_reward(1, 1, params)
            emit(events, EVENT_WON, player)
            return ENDED
    if remaining > 1:
        state.phase = ADVANCING
        state.advance = border
    return RUNNING


@inline_kernel
def advance(state: Any, follow: bool, params: Params) -> None:
    """Follow into the conquered territory with all armies but one, or hold; return to the attack.

    `_conquer` skips this phase if only one army stayed behind.
    """
    if follow:
        move(state, int(state.advance), params)
    state.advance = -1
    state.phase = ATTACKING


# --------------------------------------------------------------------------------------------------
# Fortify, and the end of a turn


@inline_kernel
def move(state: Any, border: int, params: Params) -> None:
    """Move all armies but one over a border, into a territory of the same player."""
    start, end = params.sources[border], params.targets[border]
    moved = int(state.armies[start]) - 1
    state.armies[start] = 1
    state.armies[end] = int(state.armies[end]) + moved


@inline_kernel
def end_attack(state: Any) -> None:
    """Begin the fortify phase, the last of the turn."""
    state.phase = FORTIFYING


@inner_kernel
def end_turn(state: Any, rewards: npt.NDArray[np.float32], events: Any, params: Params) -> int:
    """Pass the turn to the next player who is not eliminated, or end the game at the limit.

    Args:
        rewards: (P,), written at the limit.

    Returns:
        RUNNING, or TRUNCATED at the limit.
    """
    if int(state.turn) >= params.turn_limit:
        state.phase = OVER
        for player in range(params.players):
            if is_alive(state, player):
                rewards[player] = survivor_reward(state, player, params)
        emit(events, EVENT_LIMIT, int(state.turn))
        return TRUNCATED
    state.turn = int(state.turn) + 1
    player = (int(state.player) + 1) % params.players
    while not is_alive(state, player):
        player = (player + 1) % params.players
    begin_turn(state, player, events, params)
    return RUNNING


# --------------------------------------------------------------------------------------------------
# Places


@inline_kernel
def place_reward(place: int, sharing: int, params: Params) -> float:
    """Return the reward of each of `sharing` tied players, whose best place is `place`, from 1.

    Rewards fall from +1 for the first place to -1 for the last in equal steps. Tied players get the
    mean reward of the places that they share.
    """
    last = params.players - 1
    return (last - (2 * (place - 1) + sharing - 1)) / last


@inner_kernel
def rank_key(state: Any, player: int, params: Params) -> int:
    """Return a key that ranks the remaining players at the limit by territories, then armies."""
    return count_territories(state, player, params) << 40 | count_armies(state, player, params)


@inner_kernel
def survivor_reward(state: Any, player: int, params: Params) -> float:
    """Return the reward of a player who is not eliminated when the game ends."""
    own = rank_key(state, player, params)
    place, sharing = 1, 0
    for other in range(params.players):
        if is_alive(state, other):
            theirs = rank_key(state, other, params)
            place += int(theirs > own)
            sharing += int(theirs == own)
    return place_reward(place, sharing, params)


# --------------------------------------------------------------------------------------------------
# Decisions


@inline_kernel
def is_legal(state: Any, kind: int, index: int, params: Params) -> bool:
    """Return True if the action is legal for the player whose turn it is.

    `kind` and `index` come from `catalogue.decode`.
    """
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

    Args:
        rewards: (P,), written when a player is eliminated or the game ends.

    Returns:
        RUNNING, ENDED or TRUNCATED.
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
