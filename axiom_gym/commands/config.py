"""`axiom-gym config`: commands for games as data."""

from __future__ import annotations

import dataclasses
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands import config_check
from axiom_gym.commands.group import MARKUP
from axiom_gym.commands.options import Options, Preset, parse_options
from axiom_gym.commands.output import check_writable
from axiom_gym.errors import ConfigError, StateError

if TYPE_CHECKING:
    from axiom_gym.config.definitions import GameConfig

app = typer.Typer(
    help="Check and play games declared as data.", no_args_is_help=True, rich_markup_mode=MARKUP
)
app.command("check")(config_check.check)


@app.command()
def play(
    target: config_check.Target,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seed of a new game; a random one by default."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the game to this file when you stop."),
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue the game saved in this file.")
    ] = None,
    preset: Preset = None,
    option: Options = None,
) -> None:
    """Play a config on the terminal.

    The rules are those of its task: the game that is trained. You take actions, advance the time,
    and undo. A tick follows the actions that the task allows in one tick, or a wait. Without a
    task, only waiting starts a tick, and only the config's own `end` and `win` end the game. -o
    and --preset set the config's parameters; a saved game contains their values.
    """
    from axiom_gym.commands.config_game import TerminalGame
    from axiom_gym.config import create_engine, saves
    from axiom_gym.config.loading import load_config

    if load is not None and seed is not None:
        raise ConfigError(
            "--seed and --load exclude each other: a saved game contains the state of its random "
            "number generator."
        )
    if load is not None and (preset is not None or option):
        raise ConfigError(
            "--load excludes -o and --preset: a saved game contains the values of its parameters."
        )
    if save is not None:
        check_writable(save, "the game to", StateError)
    config, task = load_config(target)
    if load is not None:
        engine, origin = saves.load(load, config), f"loaded from {load}"
    else:
        seed = secrets.randbits(32) if seed is None else seed
        parameters = _read_parameters(config, preset, option)
        engine, origin = create_engine(config, seed, parameters=parameters), f"seed {seed}"
    settings = [f"{name}={value}" for name, value in engine.params.items()]
    typer.echo(", ".join([config.name, *settings, origin]))
    TerminalGame(engine, save, task=task, loaded=load).play()


def _read_parameters(
    config: GameConfig, preset: str | None, given: list[str] | None
) -> dict[str, Any]:
    """Return the values of a config's parameters, as commands read the options of a game."""
    from axiom_gym.config import Task, as_game
    from axiom_gym.config.validation import check
    from axiom_gym.registry.games import make_config

    check(config)
    game = as_game(config, Task(reward=lambda before, after: 0.0, max_ticks=1))
    return dataclasses.asdict(make_config(game, preset, parse_options(game, given)))
