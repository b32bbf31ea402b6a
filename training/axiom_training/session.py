"""The implementation of the commands `train` and `evaluate`, with their output on the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from axiom_gym.commands.output import print_json
from axiom_gym.opponents import Opponent, load_opponent
from axiom_gym.registry import get_game
from axiom_training.against import describe_opponents
from axiom_training.config import TrainConfig
from axiom_training.directories import MODEL
from axiom_training.evaluation import Measurement, Outcome, measure
from axiom_training.finish import (
    RATING_GAMES,
    choose_anchor,
    draw_curve,
    finish,
    rate_all,
    read_results,
)
from axiom_training.next_steps import list_next_steps
from axiom_training.progress import ProgressDisplay, describe_faults, describe_progress
from axiom_training.ratings import Rating
from axiom_training.report import (
    ALONE,
    outcome_facts,
    print_outcomes,
    print_ratings,
    print_results,
    rating_facts,
    result_facts,
)
from axiom_training.trainer import Trainer


def train(trainer: Trainer, demo: bool = False) -> int:
    """Train with a progress bar, then report; return the exit status.

    Args:
        trainer: the run.
        demo: if True, print an episode of the trained agent at the end.
    """
    how = "" if trainer.is_alone else " by self-play"
    title, seed = trainer.game.info.title, trainer.config.seed
    typer.echo(f"Training {title}{how} in {trainer.directory}, seed {seed}")
    typer.echo(describe_opponents(trainer.game, trainer.config))
    if trainer.config.minutes:
        typer.echo("The result depends on the agent-steps (M steps) that the time is enough for.")
    with ProgressDisplay() as display:
        display.start("")
        trainer.run(
            lambda progress: display.update("", trainer.spent(), describe_progress(progress))
        )
    for line in describe_faults(trainer.progress):
        typer.echo(line)
    if trainer.interrupted:
        draw_curve(trainer)
        command = shlex.join(["axiom-gym", "train", "--resume", str(trainer.directory)])
        typer.echo(f"Interrupted; the checkpoint is saved. Resume with: {command}")
        return 128 + trainer.interrupted  # the convention of shells
    _report(trainer, demo)
    return 0


def run_facts(directory: Path, config: TrainConfig, interrupted: int = 0) -> dict[str, Any]:
    """Return the facts of a run as JSON values, with its results if it is finished."""
    return {
        "directory": str(directory),
        "game": config.game,
        "options": config.options,
        "seed": config.seed,
        "interrupted": bool(interrupted),
        **read_results(directory),
    }


def _report(trainer: Trainer, demo: bool) -> None:
    """Finish the run; print tables, and the paths of its files."""
    typer.echo("Playing the final evaluation games ...")
    result = finish(trainer)
    found = result.measured
    note = f" ({ALONE})" if trainer.is_alone else ""
    print_results(found.results, f"Score after {trainer.progress.steps / 1e6:.2f} M steps{note}")
    if result.ratings or found.outcomes:
        typer.echo()
    if result.ratings:
        print_ratings(result.ratings, result.anchor)
    if found.outcomes:
        print_outcomes(found.outcomes)
    if demo:
        typer.echo(f"\n{result.text.read_text(encoding='utf-8')}")
    typer.echo()
    paths = {
        "model": trainer.directory / MODEL,
        "curve": result.curve,
        "replay": result.replay,
        "as text": result.text,
    }
    for label, path in paths.items():
        typer.echo(f"{label:>8}: {path}")
    for label, command in list_next_steps(trainer.config, trainer.directory).items():
        typer.echo(f"{label:>8}: {command}")


def evaluate(
    game: str,
    players: Sequence[str],
    against: Sequence[str],
    num_games: int,
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    with_ratings: bool = True,
    as_json: bool = False,
) -> None:
    """Print the scores of players against opponents, and ratings of all of them.

    In a game for one player all players play the same seeds alone, and outcomes replace ratings.

    Args:
        game: the name of the game.
        players: paths of models, or names of bots.
        against: the opponents, in the same form; by default `random` and the game's default
            opponents, except the player itself.
        num_games: the number of games of each player against each opponent.
        seed: the seed of the games.
        options: the game's own options.
        with_ratings: if True, also rate all by a round robin, if there are players for all seats.
        as_json: if True, print one JSON value.
    """
    bots = ["random", *get_game(game).bots]
    measured = {name: load_opponent(name, bots) for name in players}
    standard = ["random", *get_game(game).standard_bots]
    opponents = {name: load_opponent(name, bots) for name in (against or standard)}
    found = {}
    for name, player in measured.items():
        others = {other: one for other, one in opponents.items() if against or other != name}
        found[name] = measure(game, name, player, others, num_games, seed, options)
    ratings: list[Rating] = []
    everybody: dict[str, Opponent] = {**opponents, **measured}
    anchor = choose_anchor([*opponents, *measured])
    if with_ratings and len(everybody) > 1:
        ratings = rate_all(game, everybody, min(num_games, RATING_GAMES), seed, options, anchor)
    if as_json:
        head = {"game": game, "options": options or {}, "games": num_games, "seed": seed}
        print_json({**head, **_make_facts(found, ratings)})
    else:
        _print_evaluation(found, ratings, anchor)


def _merge_outcomes(found: Mapping[str, Measurement]) -> dict[str, Outcome]:
    """Return the outcomes of all players; a player measured twice has the same outcomes."""
    return {name: one for each in found.values() for name, one in each.outcomes.items()}


def _make_facts(found: Mapping[str, Measurement], ratings: Sequence[Rating]) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "scores": {name: result_facts(one.results) for name, one in found.items()},
        "ratings": rating_facts(ratings),
    }
    outcomes = _merge_outcomes(found)
    if outcomes:
        facts["outcomes"] = outcome_facts(outcomes)
    return facts


def _print_evaluation(
    found: Mapping[str, Measurement], ratings: Sequence[Rating], anchor: str
) -> None:
    outcomes = _merge_outcomes(found)
    for name, one in found.items():
        print_results(one.results, f"{name} ({ALONE})" if outcomes else name)
        typer.echo()
    if ratings:
        print_ratings(ratings, anchor)
    if outcomes:
        print_outcomes(outcomes)
