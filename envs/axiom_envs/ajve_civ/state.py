"""The state record of AjveCiv, the parameters of its kernel, and queries on both.

Axis letters: P players.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import REWARDS, SIX
from axiom_gym.kernel import inline_kernel, record_dtype


@cache
def state_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of the state of a game with P = `players`."""
    return record_dtype(
        [
            ("turn", np.int32),  # number of steps played
            ("world_yield", np.int32),
            ("values", np.int32, (players, SIX)),
            ("population", np.int32, (players,)),
            ("yields", np.int32, (players,)),
            ("death", np.int32, (players,)),  # the step, from 1, in which a people died; 0: alive
            ("feelings", np.int32, (players, players)),  # [i, j]: feelings of i about j
            ("settled", np.float32, (players,)),  # outcome of a player who left at its death
            ("offer", np.int8, (players, SIX)),  # all values; the first `offer_size` are offered
            ("rng", np.uint32),
        ]
    )


class Params(NamedTuple):
    """The parameters of the kernel."""

    duration: int  # number of steps of a game
    period: int  # of inflections; 0: no inflections
    offer_size: int
    start_value: int
    start_population: int
    start_yield: int
    start_world_yield: int
    dead_can_win: int  # 0 or 1
    exchange_warms_both: int  # 0 or 1
    inflections_are_random: int  # 0 or 1
    any_choice: int  # 1: choices outside of the offer are legal
    reward: int  # SCORE, RANK, SURVIVAL or DELTA
    black_death: int  # 0 or 1
    team_share: float  # 0 to 1
    teams: npt.NDArray[np.int64]  # (P,) the number of each player's team


def make_params(config: AjveCivConfig) -> Params:
    """Return the parameters of the kernel for these options."""
    letters = list(config.teams)
    names = list(dict.fromkeys(letters))
    teams = [names.index(letter) for letter in letters] or list(range(config.players))
    return Params(
        duration=int(config.duration),
        period=int(config.inflection_period) if config.inflections else 0,
        offer_size=int(config.offer_size),
        start_value=int(config.start_value),
        start_population=int(config.start_population),
        start_yield=int(config.start_yield),
        start_world_yield=int(config.start_world_yield),
        dead_can_win=int(config.resolve("winner") == "all"),
        exchange_warms_both=int(config.resolve("exchange") == "both"),
        inflections_are_random=int(config.resolve("inflection_offer") == "random"),
        any_choice=int(config.choices == "any"),
        reward=REWARDS.index(config.reward),
        black_death=int(config.black_death),
        team_share=float(config.team_share) if config.teams else 0.0,
        teams=np.array(teams, dtype=np.int64),
    )


@inline_kernel
def is_inflection(state: Any, params: Params) -> bool:
    """Return True if the next step is an inflection."""
    return params.period > 0 and int(state.turn) % params.period == 0


@inline_kernel
def is_dead(state: Any, player: int) -> bool:
    """Return True if a people has died."""
    return int(state.death[player]) != 0


@inline_kernel
def is_idle(state: Any, player: int, params: Params) -> bool:
    """Return True if a player's choice has no effect: its people is dead, and this is a turn."""
    return is_dead(state, player) and not is_inflection(state, params)


@inline_kernel
def score_of(state: Any, player: int) -> int:
    """Return the score of a people: yield plus population."""
    return int(state.yields[player]) + int(state.population[player])
