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
from axiom_training.config import TrainConfig
from axiom_training.directories import MODEL, RESULTS
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
from axiom_training.trainer import Trainer, read_run

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
    # The file, unlike the policy in memory, has a digest, which the replay contains.
    replay, text = save_showcase(
        directory / MODEL, opponent, config.game, config.options, config.seed, directory
    )
    _save_results(trainer, measured, ratings)
    return Finish(measured, ratings, anchor, curve, replay, text)


def find_finished(directory: Path, minutes: float = 0.0, steps: int = 0) -> TrainConfig | None:
    """Return the options of a run that has spent its budget and has its results, else None.

    Args:
        directory: the directory of the run.
        minutes, steps: a new budget for the whole run, if one of them is above 0.

    Raises:
        CheckpointError: as for `Trainer.resume`.
    """
    config, checkpoint = read_run(directory, minutes, steps)
    done, results = checkpoint.meta["progress"], read_results(directory)
    is_spent = config.spent_share(done["steps"], done["seconds"]) >= 1
    return config if is_spent and results.get("steps") == done["steps"] else None


def read_results(directory: Path) -> dict[str, Any]:
    """Return the results of a run; {} if it has none."""
    path = directory / RESULTS
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


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
    if trainer.progress.faults:
        values["faults"] = trainer.progress.faults
        values["episodes"] = trainer.progress.episodes
    with replacing(trainer.directory / RESULTS) as file:
        file.write(f"{json.dumps(values, indent=2)}\n".encode())
