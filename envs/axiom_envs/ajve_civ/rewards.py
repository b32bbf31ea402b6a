"""The rewards of a step, and the outcome of a game. The card says which rewards are zero-sum.

Axis letters: P players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import DELTA, RANK, SURVIVAL
from axiom_envs.ajve_civ.state import Params, is_dead, score_of
from axiom_gym.kernel import inline_kernel, inner_kernel

Rewards = npt.NDArray[np.float32]
"""(P,) float32."""

HALF = 300.0
"""The score whose potential is 0.5, half of the limit for large scores."""


@inline_kernel
def potential(score: int) -> float:
    """Return a score scaled to -1..1, with `HALF` as 0.5."""
    return score / (HALF + abs(score))


@inner_kernel
def standing(state: Any, player: int) -> float:
    """Return the lead over the others' mean score, divided by the sum of all absolute scores.

    The result is in -1..1, and sums to 0 over all players. For a single player it is `potential`.
    """
    players = state.death.shape[0]
    own, total, absolute = score_of(state, player), 0, 0
    for other in range(players):
        score = score_of(state, other)
        total += score
        absolute += abs(score)
    if players == 1:
        return potential(own)
    if absolute == 0:
        return 0.0
    others: float = (total - own) / (players - 1)
    return (own - others) / absolute


@inline_kernel
def _is_ahead(state: Any, one: int, other: int, params: Params) -> bool:
    """Return True if one people ranks above another."""
    if params.dead_can_win == 0 and is_dead(state, one) != is_dead(state, other):
        return is_dead(state, other)
    return score_of(state, one) > score_of(state, other)


@inner_kernel
def place_of(state: Any, player: int, params: Params) -> int:
    """Return the place of a people, from 0; on a tie all get the best of their places."""
    ahead = 0
    for other in range(state.death.shape[0]):
        ahead += int(_is_ahead(state, other, player, params))
    return ahead


@inner_kernel
def rank_reward(state: Any, player: int, params: Params) -> float:
    """Return 1 for the first place to -1 for the last, linearly; a tie gets the mean place."""
    players = state.death.shape[0]
    if players == 1:
        return 0.0
    behind = 0
    for other in range(players):
        behind += int(_is_ahead(state, player, other, params))
    balance: int = behind - place_of(state, player, params)
    return float(balance / (players - 1))


@inner_kernel
def _result(state: Any, player: int, params: Params) -> float:
    """Return the outcome of a player if the game ended now."""
    if params.reward == RANK:
        return rank_reward(state, player, params)
    if params.reward == SURVIVAL:
        lived = int(state.death[player]) - 1 if is_dead(state, player) else int(state.turn)
        return lived / params.duration
    if params.reward == DELTA:
        start = params.start_yield + params.start_population
        return potential(score_of(state, player)) - potential(start)
    return standing(state, player)


@inner_kernel
def _share(rewards: Rewards, params: Params) -> None:
    """Share rewards within the teams. rewards: (P,), changed."""
    players = rewards.shape[0]
    for first in range(players):
        count, total, is_first = 0, 0.0, True
        for other in range(players):
            if params.teams[other] == params.teams[first]:
                is_first = is_first and other >= first
                count += 1
                total += float(rewards[other])
        for other in range(players):
            if is_first and params.teams[other] == params.teams[first]:
                own = float(rewards[other])
                rewards[other] = own + params.team_share * (total / count - own)


@inline_kernel
def save_scores(state: Any, rewards: Rewards, params: Params) -> None:
    """Save the scores before a step in `rewards`, if the reward needs them. rewards: (P,)."""
    for player in range(rewards.shape[0]):
        # Save the score and not its potential: float32 would round the potential, and an unchanged
        # score must give a reward of exactly 0.
        rewards[player] = score_of(state, player) if params.reward == DELTA else 0.0


@inline_kernel
def _pays_each_step(params: Params) -> bool:
    return params.reward in (SURVIVAL, DELTA)


@inner_kernel
def _pay_for_step(state: Any, player: int, before: float, params: Params) -> float:
    """Return the reward of one step; before: the score before it, from `save_scores`."""
    if params.reward == DELTA:
        return potential(score_of(state, player)) - potential(int(before))
    return 0.0 if is_dead(state, player) else 1.0 / params.duration


@inner_kernel
def write_rewards(state: Any, rewards: Rewards, params: Params) -> None:
    """Write the rewards of the step just played. rewards: (P,), with the result of `save_scores`.

    A player who leaves at the death of its people gets its outcome then, as if the game ended.
    """
    over = int(state.turn) == params.duration
    for player in range(rewards.shape[0]):
        death = int(state.death[player])
        leaves = params.black_death == 0 and death != 0
        if leaves and death < int(state.turn):
            rewards[player] = 0.0
            continue
        if _pays_each_step(params):
            rewards[player] = _pay_for_step(state, player, float(rewards[player]), params)
        elif over or leaves:
            rewards[player] = _result(state, player, params)
        if leaves:
            state.settled[player] = _result(state, player, params)
    if params.team_share > 0.0:
        _share(rewards, params)


@inner_kernel
def write_outcome(state: Any, returns: Rewards, params: Params) -> None:
    """Write the outcome of a game that has ended. returns: (P,), written."""
    for player in range(returns.shape[0]):
        if params.black_death == 0 and is_dead(state, player):
            returns[player] = state.settled[player]
        else:
            returns[player] = _result(state, player, params)
    if params.team_share > 0.0:
        _share(returns, params)
