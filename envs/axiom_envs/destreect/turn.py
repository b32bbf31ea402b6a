"""The `manage` phase and the end of a turn."""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect import log
from axiom_envs.destreect.constants import (
    MANAGE,
    OVER,
    ROLLING,
)
from axiom_envs.destreect.money import Rewards, rank_by_worth
from axiom_envs.destreect.state import Params
from axiom_gym.event_log import emit
from axiom_gym.kernel import inline_kernel, inner_kernel


@inline_kernel
def begin_manage(state: Any) -> None:
    """Begin the phase in which the active player may build, sell, mortgage, redeem, or end."""
    state.phase = MANAGE
    state.acting = state.active
    state.actions = 0


@inner_kernel
def end_turn(state: Any, rewards: Rewards, events: Any, params: Params) -> None:
    """Begin the next turn, or end the game at the limit.

    After a double the same player has the next turn, else the next one who is not bankrupt.
    """
    seat = int(state.active)
    if int(state.turn) >= params.turn_limit:
        emit(events, log.LIMIT_REACHED, int(state.turn))
        rank_by_worth(state, rewards, params)
        state.phase = OVER
        return
    following = seat
    if int(state.doubles) == 0 or int(state.alive[seat]) == 0:
        state.doubles = 0
        following = (seat + 1) % params.players
        while int(state.alive[following]) == 0:
            following = (following + 1) % params.players
    emit(events, log.TURN_ENDED, seat, following)
    state.turn = int(state.turn) + 1
    state.active = following
    state.acting = following
    state.phase = ROLLING
    state.dice[:] = 0
    state.actions = 0
