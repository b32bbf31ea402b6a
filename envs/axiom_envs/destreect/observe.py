"""The observation of Destreect: a flat vector of named features, all in 0..1.

Seats are counted from the observing player, which is 0. P players, D deeds, S spaces:

    D blocks of P + 2   owner one-hot (all 0: free), mortgaged, houses / 4
    S blocks of P       1 for each player on the space; bankrupt players are nowhere
    P blocks of 11      `features.PLAYER_FEATURES`: cash (log), cash / 2000, net worth (log), flags
                        for active, acting, alive, locked up; failed rolls / 2; flags for the
                        highest bidder, passed, creditor of the debt; all 0 if bankrupt
    16                  `features.GLOBAL_FEATURES`: phase one-hot; debt (log), debt / 2000, 1 if the
                        debt is the fee of the lock-up; bid (log), bid / 2000; first and second
                        die / 6; doubles / 2; actions / limit; turn / limit

Money / 2000 is at most 1, and log means log2(1 + money // 4) / 12, at most 1. Only the order of the
deck and the random number generator are hidden.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.constants import DEBT, FEE, MAX_HOUSES, OVER
from axiom_envs.destreect.features import PLAYER_FEATURES
from axiom_envs.destreect.state import Params
from axiom_gym.kernel import inline_kernel, inner_kernel

CASH_LOG, CASH, WORTH, ACTIVE, ACTING, ALIVE, LOCKED, FAILED, BIDDER, PASSED, CREDITOR = range(11)
PER_PLAYER = len(PLAYER_FEATURES)

_LOGS = np.array([math.log2(1 + i) / 12 for i in range(4096)], dtype=np.float32)
"""(4096,) float32: the log feature of an amount of money, by money // 4."""


@inline_kernel
def _log(money: int) -> float:
    return float(_LOGS[min(money >> 2, 4095)])


@inline_kernel
def _share(money: int) -> float:
    return min(money, 2000) / 2000


@inline_kernel
def _write_deeds(
    state: Any, player: int, observation: npt.NDArray[np.float32], players_at: int, params: Params
) -> None:
    """Write the blocks of the deeds, and add the deeds' values to the owners' net worth.

    `_write_players` scales the net worth.
    """
    players, at = params.players, 0
    for deed in range(params.places.shape[0]):
        owner = int(state.owner[deed])
        if owner >= 0:
            seat = (owner - player + players) % players
            mortgaged, houses = int(state.mortgaged[deed]), int(state.houses[deed])
            value = int(params.loans[deed]) if mortgaged else int(params.prices[deed])
            value += houses * int(params.refunds[deed])
            observation[at + seat] = 1.0
            observation[at + players] = mortgaged
            observation[at + players + 1] = houses / MAX_HOUSES
            observation[players_at + seat * PER_PLAYER + WORTH] += value
        at += players + 2


@inline_kernel
def _write_players(
    state: Any, player: int, observation: npt.NDArray[np.float32], players_at: int, params: Params
) -> None:
    """Write the positions and the blocks of the players."""
    players = params.players
    spaces = params.places.shape[0] * (players + 2)
    for offset in range(players):
        seat = (player + offset) % players
        at = players_at + offset * PER_PLAYER
        if int(state.alive[seat]) == 0:
            continue
        cash, locked = int(state.cash[seat]), int(state.locked[seat])
        worth = int(observation[at + WORTH]) + cash
        observation[spaces + int(state.position[seat]) * players + offset] = 1.0
        observation[at + CASH_LOG] = _log(cash)
        observation[at + CASH] = _share(cash)
        observation[at + WORTH] = _log(worth)
        observation[at + ACTIVE] = int(state.active) == seat
        observation[at + ACTING] = int(state.acting) == seat and int(state.phase) != OVER
        observation[at + ALIVE] = 1.0
        observation[at + LOCKED] = locked > 0
        observation[at + FAILED] = max(locked - 1, 0) / 2
        observation[at + BIDDER] = int(state.bidder) == seat
        observation[at + PASSED] = int(state.passed[seat])
        observation[at + CREDITOR] = int(state.creditor) == seat


@inline_kernel
def _write_globals(state: Any, tail: npt.NDArray[np.float32], params: Params) -> None:
    """Write the global features. tail: (16,), zeros on entry."""
    phase, debt, bid = int(state.phase), int(state.debt), int(state.bid)
    tail[phase] = 1.0
    tail[6] = _log(debt)
    tail[7] = _share(debt)
    tail[8] = phase == DEBT and int(state.reason) == FEE
    tail[9] = _log(bid)
    tail[10] = _share(bid)
    tail[11] = int(state.dice[0]) / 6
    tail[12] = int(state.dice[1]) / 6
    tail[13] = int(state.doubles) / 2
    tail[14] = min(int(state.actions) / params.action_limit, 1.0)
    tail[15] = int(state.turn) / params.turn_limit


@inner_kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Write the observation of `player`. observation: (F,), as the module describes."""
    players = params.players
    observation[:] = 0.0
    players_at = params.places.shape[0] * (players + 2) + params.kinds.shape[0] * players
    _write_deeds(state, player, observation, players_at, params)
    _write_players(state, player, observation, players_at, params)
    _write_globals(state, observation[players_at + players * PER_PLAYER :], params)
