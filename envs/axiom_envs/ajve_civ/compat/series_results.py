"""The results of games: scores and labels, for each game and in total.

Axis letters: P players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiom_envs.ajve_civ.compat.series_loop import Seat
from axiom_envs.ajve_civ.constants import VALUES

WINNER, DEAD = "WINNER", "DEAD"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The result of a player in a game."""

    name: str
    team: int  # from 1
    score: int  # yield plus population
    population: int
    yield_: int
    died_in: int | None  # the step, from 1
    label: str  # WINNER, DEAD or ""
    values: dict[str, int]

    @property
    def dead(self) -> bool:
        """True if the people has died."""
        return self.died_in is not None


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game."""

    seed: int
    players: tuple[PlayerResult, ...]
    world_yield: int

    @property
    def total(self) -> int:
        """The sum of all scores."""
        return sum(player.score for player in self.players)


@dataclass(slots=True)
class Total:
    """The result of an AI over all its seats of a series."""

    name: str
    games: int = 0  # number of seats played
    wins: int = 0  # seats with the label WINNER
    deaths: int = 0
    score: int = 0  # sum over the seats

    @property
    def mean_score(self) -> float:
        """The mean score of a seat."""
        return self.score / self.games


def label_scores(scores: Sequence[int], dead: Sequence[bool], winner: str) -> list[str]:
    """Return the labels of the original's report.

    DEAD takes precedence over WINNER, so that a game may have no winner.

    Args:
        scores: (P,) yield plus population.
        dead: (P,) True for a people that has died.
        winner: the peoples among which the highest score wins: "all", as in the original's code, or
            the "living", as in its text.
    """
    living = [score for score, is_dead in zip(scores, dead, strict=True) if not is_dead]
    highest = max(scores if winner == "all" else living, default=0)
    return [
        DEAD if is_dead else WINNER if score == highest else ""
        for score, is_dead in zip(scores, dead, strict=True)
    ]


def read_result(state: Any, seats: Sequence[Seat], seed: int, winner: str) -> GameResult:
    """Return the result of a game.

    Args:
        state: a record of `state_dtype`, at the end of the game.
        seats: the AIs, (P,).
        seed: the seed of the game.
        winner: see `label_scores`.
    """
    # Add int32 numbers in int64, as in the rules.
    scores = (state["yields"].astype(np.int64) + state["population"]).tolist()
    deaths = state["death"].tolist()
    labels = label_scores(scores, [death != 0 for death in deaths], winner)
    columns = (state["population"].tolist(), state["yields"].tolist(), state["values"].tolist())
    players = tuple(
        PlayerResult(
            name=seat.name,
            team=seat.team,
            score=score,
            population=population,
            yield_=income,
            died_in=death or None,
            label=label,
            values=dict(zip(VALUES, values, strict=True)),
        )
        for seat, score, death, label, population, income, values in zip(
            seats, scores, deaths, labels, *columns, strict=True
        )
    )
    return GameResult(seed, players, int(state["world_yield"]))


def add_up(results: Sequence[GameResult]) -> list[Total]:
    """Return the totals of all AIs by name, the highest mean score first."""
    totals: dict[str, Total] = {}
    for result in results:
        for player in result.players:
            total = totals.setdefault(player.name, Total(player.name))
            total.games += 1
            total.wins += player.label == WINNER
            total.deaths += player.dead
            total.score += player.score
    return sorted(totals.values(), key=lambda total: -total.mean_score)
