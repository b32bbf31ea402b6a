"""`axiom-gym config`: games as data."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands import config_check
from axiom_gym.commands.group import MARKUP
from axiom_gym.errors import ConfigError

app = typer.Typer(
    help="Games as data: check a config, play it.", no_args_is_help=True, rich_markup_mode=MARKUP
)

Target = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py:NAME", help="A GameConfig in a Python file, or in a module: MODULE:NAME."
    ),
]


app.command("check")(config_check.check)


@app.command()
def play(
    target: Target,
    seed: Annotated[
        int | None, typer.Option(help="Of all chance in the game; drawn if it is not given.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the game to this file when you stop."),
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")
    ] = None,
) -> None:
    """Play a config on the terminal: actions by number, time tick by tick, undo."""
    from axiom_gym.commands.config_game import ConfigGame, check_writable
    from axiom_gym.config import create_engine, saves
    from axiom_gym.config.loading import load_config

    if load is not None and seed is not None:
        raise ConfigError("--seed is for a new game; a saved one goes on with its own numbers.")
    if save is not None:
        check_writable(save)
    config, _ = load_config(target)
    if load is not None:
        engine = saves.load(load, config)
        typer.echo(f"{config.name}, from {load}")
    else:
        seed = secrets.randbits(32) if seed is None else seed
        engine = create_engine(config, seed)
        typer.echo(f"{config.name}, seed {seed}")
    ConfigGame(engine, save).play()
