"""What games come to: scores and labels, game by game and in total.

Axis letters: G games, P peoples.
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
    """How a people ended."""

    name: str
    team: int  # from 1
    score: int  # yield and population
    population: int
    yield_: int
    died_in: int | None  # the step, from 1
    label: str  # WINNER, DEAD or ""
    values: dict[str, int]

    @property
    def dead(self) -> bool:
        """Whether it has died."""
        return self.died_in is not None


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended."""

    seed: int
    players: tuple[PlayerResult, ...]
    world_yield: int

    @property
    def total(self) -> int:
        """The sum of all scores."""
        return sum(player.score for player in self.players)


@dataclass(slots=True)
class Total:
    """What an AI came to in all its seats of a series."""

    name: str
    games: int = 0  # seats it has played
    wins: int = 0  # in which it was labelled WINNER
    deaths: int = 0
    score: int = 0  # the sum

    @property
    def mean_score(self) -> float:
        """Of a seat."""
        return self.score / self.games


def label_scores(scores: Sequence[int], dead: Sequence[bool], winner: str) -> list[str]:
    """The labels that the original's report gives: DEAD before WINNER, so nobody may have won.

    Args:
        scores: (P,) yield and population.
        dead: (P,) who has died.
        winner: whose highest score counts: "all", as in the original's code, or the "living", as in
            its text.
    """
    living = [score for score, is_dead in zip(scores, dead, strict=True) if not is_dead]
    highest = max(scores if winner == "all" else living, default=0)
    return [
        DEAD if is_dead else WINNER if score == highest else ""
        for score, is_dead in zip(scores, dead, strict=True)
    ]


def read_result(state: Any, seats: Sequence[Seat], seed: int, winner: str) -> GameResult:
    """The result of a game.

    Args:
        state: a record of `state_dtype`, at the game's end.
        seats: the AIs, (P,).
        seed: of the game.
        winner: as for `label_scores`.
    """
    # Sums of int32 in int64, as in the rules.
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
    """The totals of all AIs by name, the highest mean score first."""
    totals: dict[str, Total] = {}
    for result in results:
        for player in result.players:
            total = totals.setdefault(player.name, Total(player.name))
            total.games += 1
            total.wins += player.label == WINNER
            total.deaths += player.dead
            total.score += player.score
    return sorted(totals.values(), key=lambda total: -total.mean_score)
