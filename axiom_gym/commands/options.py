"""Arguments and options that several commands share, each defined once with one help text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from axiom_gym.errors import check_choice, check_range
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.options import parse_options
from axiom_gym.seeded_rng import MASK

__all__ = [
    "DrawnSeed",
    "Game",
    "Games",
    "Json",
    "MaxTurns",
    "OptionalGame",
    "Options",
    "Players",
    "Preset",
    "Seed",
    "apply_preset",
    "examples",
    "note_renamed",
    "parse_options",
    "renamed_options",
]


def renamed_options(**names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for a command that still takes old spellings, each with a note on stderr.

    Args:
        **names: old name = new name, without dashes: `num_envs="games"` for `--num-envs`.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        spelled = {f"--{old.replace('_', '-')}": f"--{new}" for old, new in names.items()}
        command.old_spellings = spelled  # type: ignore[attr-defined]
        return command

    return decorate


def examples(*lines: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for a command whose help ends with these command lines."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        command.examples = lines  # type: ignore[attr-defined]
        return command

    return decorate


def note_renamed(old: str, new: str) -> None:
    """Print the new spelling of an option on stderr."""
    typer.echo(f"note: write {new} instead of {old}.", err=True)


def apply_preset(game: KernelGame, preset: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a preset, overridden by `options`.

    Raises:
        UnknownNameError: for a preset that the game does not have.
    """
    if preset is None:
        return options
    return {
        **game.presets[check_choice(f"preset of {game.info.name}", preset, game.presets)],
        **options,
    }


def _check_seed(seed: int | None) -> int | None:
    return None if seed is None else check_range("seed", seed, 0, MASK)


def _check_games(games: int) -> int:
    return check_range("games", games, 1)


_GAME = typer.Argument(
    metavar="GAME",
    help="The name of a game (see `axiom-gym list`), or a config or class of your own as "
    "FILE.py:NAME or MODULE:NAME.",
)
Game = Annotated[str, _GAME]
OptionalGame = Annotated[str | None, _GAME]
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N|PLAYER,...",
        help="An integer is the number of players. Names, separated by commas, are the players by "
        "seat; one name takes all seats. A player is a bot (see `axiom-gym info`), a saved model, "
        "a run directory, FILE.py:FUNCTION, or human.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option("--preset", help="A preset of the game (see `axiom-gym info`).", metavar="NAME"),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="An option of the game (see `axiom-gym info`); overrides the preset. Repeatable.",
        metavar="KEY=VALUE",
    ),
]
_SEED = typer.Option(
    "--seed",
    "-s",
    metavar="N",
    callback=_check_seed,
    help="Seed of the first game, of the players and of learning; each later game adds 1. Without "
    "it, `play` and `civ` draw one and print it.",
)
Seed = Annotated[int, _SEED]
DrawnSeed = Annotated[int | None, _SEED]
"""A seed that the command draws if it is not given."""
Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        callback=_check_games,
        help="Number of games: one after another (`play`, `civ`), in all (`simulate`, `check`), "
        "against each opponent (`evaluate`), of each table (`balance`), or at the same time "
        "(`bench`, `train`).",
    ),
]
MaxTurns = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="Truncate a game after this many turns (or decisions); 0: no limit.",
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print the result as one JSON document, and nothing else."),
]
