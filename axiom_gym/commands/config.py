"""`axiom-gym config`: commands for games as data."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands import config_check
from axiom_gym.commands.group import MARKUP
from axiom_gym.commands.output import check_writable
from axiom_gym.errors import ConfigError, StateError

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
) -> None:
    """Play a config on the terminal.

    The rules are those of its task: the game that is trained. You take actions, advance the time,
    and undo. A tick follows the actions that the task allows in one tick, or a wait. Without a
    task, only waiting starts a tick, and the game has no end.
    """
    from axiom_gym.commands.config_game import TerminalGame
    from axiom_gym.config import create_engine, saves
    from axiom_gym.config.loading import load_config

    if load is not None and seed is not None:
        raise ConfigError(
            "--seed and --load exclude each other: a saved game contains the state of its random "
            "number generator."
        )
    if save is not None:
        check_writable(save, "the game to", StateError)
    config, task = load_config(target)
    if load is not None:
        engine = saves.load(load, config)
        typer.echo(f"{config.name}, loaded from {load}")
    else:
        seed = secrets.randbits(32) if seed is None else seed
        engine = create_engine(config, seed)
        typer.echo(f"{config.name}, seed {seed}")
    TerminalGame(engine, save, task=task, loaded=load).play()
