"""The end of a run: final evaluation, ratings, and the files of a run that show its result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.files import replacing
from axiom_gym.opponents import Opponent
from axiom_gym.registry import count_players
from axiom_training.evaluation import Measurement
from axiom_training.ratings import Rating
from axiom_training.report import (
    draw_learning_curve,
    outcome_facts,
    rate_players,
    rating_facts,
    result_facts,
)
from axiom_training.showcase import save_showcase
from axiom_training.trainer import Trainer

RESULTS = "results.json"

RATING_GAMES = 400
"""The most games that each combination of players plays in the round robin for ratings."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a run.

    Attributes:
        measured: the results of the final evaluation.
        ratings: the ratings of the model and its opponents; [] without them.
        anchor: the name of the player with 0 points in the ratings.
        curve: the image of the learning curve; None without evaluations.
        replay, text: the files of a game of the trained agent.
    """

    measured: Measurement
    ratings: list[Rating]
    anchor: str
    curve: Path | None
    replay: Path
    text: Path


def finish(trainer: Trainer) -> Finish:
    """Measure a trained agent; write the results, the curve, a replay and its text."""
    config, directory, policy = trainer.config, trainer.directory, trainer.policy()
    measured = trainer.measure(config.final_games, (config.seed + 1_000_000) % (MAX_SEED + 1))
    players: dict[str, Opponent] = {
        "model": policy,
        **{name: trainer.opponents[name] for name in trainer.evaluation_opponents},
    }
    anchor = choose_anchor(trainer.evaluation_opponents)
    num_games = min(config.final_games, RATING_GAMES)
    ratings = rate_all(config.game, players, num_games, config.seed, config.options, anchor)
    curve = draw_curve(trainer)
    opponent = trainer.evaluation_opponents[-1]
    replay, text = save_showcase(
        policy, opponent, config.game, config.options, config.seed, directory
    )
    _save_results(trainer, measured, ratings)
    return Finish(measured, ratings, anchor, curve, replay, text)


def draw_curve(trainer: Trainer) -> Path | None:
    """Draw the learning curve of a run, and return the image; None without evaluations."""
    config = trainer.config
    how = "PPO" if trainer.is_alone else "self-play PPO"
    title = f"{trainer.game.info.title}: {how}, seed {config.seed}"
    # The score between players of equal strength; 1/2 in a game for one player.
    even = 1 / max(count_players(trainer.game, config.options), 2)
    return draw_learning_curve(trainer.directory, title, even)


def choose_anchor(names: Sequence[str]) -> str:
    """Return the player with 0 points in ratings: random, or else the first one."""
    return "random" if "random" in names else names[0]


def rate_all(
    game: str,
    players: Mapping[str, Opponent],
    num_games: int,
    seed: int,
    options: dict[str, Any] | None,
    anchor: str,
) -> list[Rating]:
    """Rate players by a round robin; return [] if the game has one seat, or more than players."""
    if not 1 < count_players(game, options) <= len(players):
        return []
    return rate_players(game, players, num_games, seed, options, anchor)


def _save_results(trainer: Trainer, found: Measurement, ratings: Sequence[Rating]) -> None:
    values = {
        "steps": trainer.progress.steps,
        "seconds": trainer.progress.seconds,
        "scores": result_facts(found.results),
        "ratings": rating_facts(ratings),
    }
    if found.outcomes:
        values["outcomes"] = outcome_facts(found.outcomes)
    with replacing(trainer.directory / RESULTS) as file:
        file.write(f"{json.dumps(values, indent=2)}\n".encode())
