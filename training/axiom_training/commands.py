"""The commands `axiom-gym train` and `axiom-gym evaluate`, as plugins of the core's command line.

`TrainConfig` defines most options of `train`, with their help texts. PyTorch and the modules that
need it are imported when a command runs, so that `--help` is fast.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.games import describe_options
from axiom_gym.commands.options import Game, Json, Options, parse_options
from axiom_gym.errors import ConfigError
from axiom_gym.game import KernelGame
from axiom_gym.registry import count_players, get_game, resolve_id
from axiom_gym.registry.options import with_players
from axiom_training.config import TrainConfig

if TYPE_CHECKING:
    from axiom_training.trainer import Trainer

_NEEDED = (
    "matplotlib",
    "openskill",
    "sb3_contrib",
    "stable_baselines3",
    "tensorboard",
    "torch",
)

for _package in _NEEDED:
    if find_spec(_package) is None:
        # Raised at import, so that the core's error can name the missing extra.
        raise ModuleNotFoundError(f"No module named {_package!r}", name=_package)

DEFAULT_MINUTES = 5.0

_APART = ("game", "options", "minutes", "steps")
"""Fields of `TrainConfig` that `train` declares as parameters of its own."""

_PANEL = "Training options"


def _add_config_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's `**settings` by an option for each field of `TrainConfig`."""
    signature = inspect.signature(command, eval_str=True)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    fields = [entry for entry in describe_options(TrainConfig) if entry["name"] not in _APART]
    parameters = [*own, *map(_make_parameter, fields)]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return command


def _make_parameter(entry: dict[str, Any]) -> inspect.Parameter:
    """Return the command-line option of a field; see `describe_options`."""
    kind: type = {"int": int, "float": float}.get(entry["type"], str)
    default, metavar = entry["default"], None
    if isinstance(default, tuple):
        default, metavar = ",".join(map(str, default)), "WIDTH,..."
    option = typer.Option(help=entry["doc"], metavar=metavar, rich_help_panel=_PANEL)
    return inspect.Parameter(
        entry["name"],
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, option],
    )


@_add_config_options
def train(
    ctx: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Name of a game; `axiom-gym list` prints all.")
    ] = "",
    minutes: Annotated[
        float,
        typer.Option(
            help="Budget in minutes of training, which do not include evaluations; "
            f"{DEFAULT_MINUTES:g} if --steps is missing too.",
            show_default=False,
        ),
    ] = 0.0,
    steps: Annotated[
        int,
        typer.Option(
            help="Budget in agent-steps (decisions of the learner); unlike minutes, it makes the "
            "run reproducible to the bit.",
            show_default=False,
        ),
    ] = 0,
    players: Annotated[
        int, typer.Option(help="Number of players, if the game has this option; 0: the default.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIRECTORY", help="New directory of the run; runs/GAME-TIME by default."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Resume the run in this directory."),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Print an episode of the trained agent at the end.")
    ] = False,
    option: Options = None,
    **settings: Any,
) -> None:
    """Train an agent by self-play (MaskablePPO), and rate it against the game's bots.

    In a game for one player the agent plays alone, and is compared with bots on the same seeds.
    Ctrl-C or SIGTERM stops the run after the current iteration and saves a checkpoint. --resume
    DIRECTORY continues from the checkpoint with the same results. With --resume, --minutes or
    --steps sets a new budget for the whole run, and no other training option is allowed. The
    directory contains the model, tables, TensorBoard files, a learning curve and a replay.
    """
    if resume is not None:
        _refuse_beside_resume(ctx)
        make_trainer = partial(_resume, resume, minutes, steps)
    else:
        config = _make_config(game, minutes, steps, players, option, settings)
        make_trainer = partial(_start, config, out)
    from axiom_training import session

    raise typer.Exit(session.train(make_trainer(), demo))


def _make_config(
    game: str,
    minutes: float,
    steps: int,
    players: int,
    option: list[str] | None,
    settings: dict[str, Any],
) -> TrainConfig:
    """Return the configuration of a new run."""
    if not game:
        raise ConfigError("name a game to train, such as quantaris; `axiom-gym list` prints all.")
    return TrainConfig(
        game=resolve_id(game),
        options=_choose_options(get_game(game), players, option),
        minutes=minutes if minutes or steps else DEFAULT_MINUTES,
        steps=steps,
        **{**settings, "network": _parse_network(settings["network"])},
    )


def _choose_options(game: KernelGame, players: int, option: list[str] | None) -> dict[str, Any]:
    """Return the game's options with the number of players.

    Raises:
        ConfigError: for a number of players that the game does not allow.
    """
    options = parse_options(game, option)
    if not players:
        return options
    options = with_players(game, options, players)
    have = count_players(game, options)
    if have != players:
        raise ConfigError(f"{game.info.name} is for {have} players, got --players {players}.")
    return options


def _start(config: TrainConfig, out: Path | None) -> Trainer:
    from axiom_training.trainer import Trainer

    named = Path("runs") / f"{config.game}-{time.strftime('%Y%m%d-%H%M%S')}"
    return Trainer(config, out or named)


def _resume(directory: Path, minutes: float, steps: int) -> Trainer:
    from axiom_training.trainer import Trainer

    return Trainer.resume(directory, minutes, steps)


def _refuse_beside_resume(ctx: typer.Context) -> None:
    """Refuse options that a resumed run would ignore."""
    used = ("resume", "minutes", "steps", "demo")
    given = [
        "GAME" if name == "game" else f"--{name.replace('_', '-')}"
        for name in ctx.params
        if name not in used and _is_given(ctx, name)
    ]
    if given:
        raise ConfigError(
            f"--resume continues with the run's own options; remove {', '.join(given)}."
        )


def _is_given(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _parse_network(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(
            f"network must be integers separated by commas, such as 128,128, got {text!r}."
        ) from None


def evaluate(
    game: Game,
    player: Annotated[
        list[str],
        typer.Option(
            "--player",
            "-p",
            metavar="PLAYER",
            help="Path of a model, or name of a bot; repeatable.",
        ),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="Opponent, in the form of --player; by default all default opponents of the game. "
            "Repeatable.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(help="Games against each opponent, with equal use of all seats.")
    ] = 2000,
    ratings: Annotated[
        bool, typer.Option(help="Also rate all players by a round robin, if they fill all seats.")
    ] = True,
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 0,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Measure models and bots against opponents: scores with 95 % intervals, and ratings.

    In a game for one player all players play the same seeds alone. The higher outcome wins a seed,
    and mean outcomes replace ratings.
    """
    options = parse_options(get_game(game), option)
    from axiom_training import session

    session.evaluate(
        game,
        player,
        against or (),
        games,
        seed=seed,
        options=options,
        with_ratings=ratings,
        as_json=as_json,
    )
