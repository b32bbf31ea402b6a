"""The commands `axiom-gym train` and `axiom-gym evaluate`, as plugins of the core's command line.

`TrainConfig` defines most options of `train`, with their help texts. PyTorch and the modules that
need it are imported when a command runs, so that `--help` is fast.
"""

from __future__ import annotations

import inspect
import math
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from axiom_gym.commands.games import describe_options
from axiom_gym.commands.options import (
    Game,
    Games,
    Json,
    Options,
    Players,
    Preset,
    Seed,
    apply_preset,
    examples,
    parse_options,
    renamed_options,
)
from axiom_gym.commands.output import json_only, print_json
from axiom_gym.commands.players import check_names, read_players
from axiom_gym.errors import ConfigError
from axiom_gym.registry import get_game, resolve_id
from axiom_training.config import TrainConfig
from axiom_training.directories import RESULTS, check_new, check_resumable
from axiom_training.study import Study, is_study, load_study, plan, start_study
from axiom_training.sweep import parse_seeds, parse_sweep

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

_APART = ("game", "options", "minutes", "steps", "num_games", "seed")
"""Fields of `TrainConfig` that `train` declares as parameters of its own."""

_PANEL = "Training options"

_LISTS = {"against": "OPPONENT,...", "network": "WIDTH,..."}
"""Options that are lists, separated by commas, and how help shows their values."""

_DEFAULTS = {entry["name"]: entry["default"] for entry in describe_options(TrainConfig)}


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
    default = entry["default"]
    metavar = {int: "N", float: "X"}.get(kind, "auto|yes|no")
    if isinstance(default, tuple):
        default, metavar = ",".join(map(str, default)) or None, _LISTS[entry["name"]]
    option = typer.Option(help=entry["doc"], metavar=metavar, rich_help_panel=_PANEL)
    return inspect.Parameter(
        entry["name"],
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind if default is not None else kind | None, option],
    )


@examples(
    "axiom-gym train connect_four",
    "axiom-gym train konquista --players 3 --preset island --minutes 20",
    "axiom-gym train quantaris --against greedy,guardian --steps 2000000 --seeds 0-2",
    "axiom-gym train quantaris --steps 2000000 --sweep learning_rate=3e-4,7e-4 --sweep epochs=2,3",
    "axiom-gym train --resume runs/DIRECTORY",
)
@renamed_options(num_games="games")
@_add_config_options
def train(
    ctx: typer.Context,
    game: Game = "",
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = _DEFAULTS["num_games"],
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Budget in minutes of training, which do not include evaluations; "
            f"{DEFAULT_MINUTES:g} if --steps is missing too.",
            show_default=False,
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Budget in agent-steps (decisions of the learner); unlike minutes, it makes the "
            "run reproducible to the bit.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = _DEFAULTS["seed"],
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
    seeds: Annotated[
        str,
        typer.Option(
            metavar="SEEDS",
            help="Train a run for each seed, such as 0-4 or 0,3,7, in directories seed-N.",
            show_default=False,
        ),
    ] = "",
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="Train a run, or those of --seeds, for each value of a training option, such as "
            "learning_rate=1e-4,3e-4 or network=64x64,128x128. Repeatable: all combinations. "
            "FILE.toml names the same options with lists of values.",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Number of runs of --seeds and --sweep at the same time; 0: as many as the cores "
            "have room for.",
        ),
    ] = 0,
    demo: Annotated[
        bool, typer.Option("--demo", help="Print an episode of the trained agent at the end.")
    ] = False,
    as_json: Json = False,
    **settings: Any,
) -> None:
    """Train an agent by self-play, and rate it.

    The algorithm is MaskablePPO; the agent is rated against the game's bots, or --against.

    In a game for one player the agent plays alone, and is compared with bots on the same seeds.
    Ctrl-C or SIGTERM stops the run after the current iteration and saves a checkpoint. --resume
    DIRECTORY continues from the checkpoint with the same results. With --resume, --minutes or
    --steps sets a new budget for the whole run, and no other training option is allowed. The
    directory contains the model, tables, TensorBoard files, a learning curve and a replay.

    --seeds and --sweep train several runs in one directory, each in a directory of its own. Ctrl-C
    stops and --resume continues all of them.
    """
    _check_budget(minutes, steps, resume is not None)
    budget = (minutes or 0.0, steps or 0)
    if resume is not None:
        _refuse_beside_resume(ctx)
        if is_study(resume):
            _train_study(partial(load_study, resume, *budget), jobs, as_json)
        check_resumable(resume)
        _stop_if_over(resume, *budget, as_json)
        make_trainer = partial(_resume, resume, *budget)
    else:
        options = _choose_options(game, players, preset, option)
        settings |= {"minutes": budget[0], "steps": budget[1], "num_games": games, "seed": seed}
        config = _make_config(game, options, settings)
        out = out or Path("runs") / _name_run(config.game)
        check_new(out)
        if seeds or sweep:
            if seeds and _is_given(ctx, "seed"):
                raise ConfigError("give --seed or --seeds, not both.")
            _train_study(partial(_start_study, config, out, seeds, sweep or ()), jobs, as_json)
        make_trainer = partial(_start, config, out)
    from axiom_training import session

    with json_only(as_json):
        trainer = make_trainer()
        status = session.train(trainer, demo)
    if as_json:
        print_json(session.run_facts(trainer.directory, trainer.config, trainer.interrupted))
    raise typer.Exit(status)


def _check_budget(minutes: float | None, steps: int | None, is_resumed: bool) -> None:
    """Refuse a budget of 0, which would mean that none is given."""
    default = "that of the run" if is_resumed else f"{DEFAULT_MINUTES:g} minutes"
    remedy = f"leave it out for the other budget; without both, the budget is {default}."
    if minutes is not None and not 0 < minutes < math.inf:
        raise ConfigError(f"--minutes must be a number above 0, got {minutes:g}; {remedy}")
    if steps is not None and steps < 1:
        raise ConfigError(f"--steps must be an integer of at least 1, got {steps}; {remedy}")


def _start_study(config: TrainConfig, out: Path, seeds: str, sweep: Sequence[str]) -> Study:
    """Return a new study, all runs of which are checked."""
    numbers = parse_seeds(seeds) if seeds else [config.seed]
    return start_study(out, plan(config, parse_sweep(sweep), numbers))


def _train_study(make_study: Callable[[], Study], jobs: int, as_json: bool) -> NoReturn:
    """Train several runs, and exit."""
    with json_only(as_json):
        study = make_study()
        from axiom_training import study_session

        status = study_session.train(study, jobs)
    if as_json:
        print_json(study_session.study_facts(study))
    raise typer.Exit(status)


def _choose_options(
    name: str, players: list[str] | None, preset: str | None, option: list[str] | None
) -> dict[str, Any]:
    """Return the game's options, with those of the preset and the number of players."""
    if not name:
        raise ConfigError("name a game to train, such as quantaris; `axiom-gym list` prints all.")
    game, lineup = get_game(name), read_players(players)
    if lineup.names:
        raise ConfigError(
            f"--players is the number of players in `train`, got {','.join(lineup.names)!r}; "
            "--against chooses the opponents."
        )
    options = lineup.set_count(game, parse_options(game, option), preset)
    return apply_preset(game, preset, options)


def _make_config(game: str, options: dict[str, Any], settings: dict[str, Any]) -> TrainConfig:
    """Return the configuration of a new run."""
    if not settings["minutes"] and not settings["steps"]:
        settings["minutes"] = DEFAULT_MINUTES
    settings["network"] = _parse_network(settings["network"])
    settings["against"] = _parse_against(settings["against"])
    check_names(get_game(game), settings["against"])
    return TrainConfig(game=resolve_id(game), options=options, **settings)


def _start(config: TrainConfig, out: Path) -> Trainer:
    from axiom_training.trainer import Trainer

    return Trainer(config, out)


def _name_run(game: str) -> str:
    """Return the id of a game and the time; only letters, digits and `-_.`, as folders need."""
    info = get_game(game).info
    name = re.sub(r"[^\w.-]+", "-", f"{info.name}-v{info.version}")
    return f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"


def _resume(directory: Path, minutes: float, steps: int) -> Trainer:
    from axiom_training.trainer import Trainer

    return Trainer.resume(directory, minutes, steps)


def _stop_if_over(directory: Path, minutes: float, steps: int, as_json: bool) -> None:
    """Exit if a run has spent its budget."""
    from axiom_training import finish, session

    config = finish.find_finished(directory, minutes, steps)
    if config is None:
        return
    typer.echo(
        f"The run in {directory} has spent its budget, and its results are in "
        f"{directory / RESULTS}: nothing to do. To train on, give a larger budget for the "
        "whole run with --steps or --minutes.",
        err=as_json,
    )
    if as_json:
        print_json(session.run_facts(directory, config))
    raise typer.Exit(0)


def _refuse_beside_resume(ctx: typer.Context) -> None:
    """Refuse options that a resumed run would ignore."""
    used = ("resume", "minutes", "steps", "demo", "jobs", "as_json")
    given = [
        "GAME" if option.name == "game" else option.opts[0]
        for option in ctx.command.params
        if option.name not in used and _is_given(ctx, str(option.name))
    ]
    if given:
        raise ConfigError(
            f"--resume continues with the run's own options; remove {', '.join(given)}."
        )


def _is_given(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _parse_against(text: str | None) -> tuple[str, ...]:
    names = [part.strip() for part in text.split(",")] if text is not None else []
    if "" in names:
        raise ConfigError(
            "--against must be opponents separated by commas, such as random,runs/first, got "
            f"{text!r}; leave it out for the game's default opponents."
        )
    return tuple(names)


def _parse_network(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(
            f"network must be integers separated by commas, such as 128,128, got {text!r}."
        ) from None


@examples(
    "axiom-gym evaluate connect_four --players runs/DIRECTORY",
    "axiom-gym evaluate quantaris --players runs/DIRECTORY,greedy --against guardian --games 500",
)
@renamed_options(player="players")
def evaluate(
    game: Game,
    players: Players = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER,...",
            help="The opponents, separated by commas; by default those of the game.",
        ),
    ] = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 2000,
    ratings: Annotated[
        bool, typer.Option(help="Also rate all players by a round robin, if they fill all seats.")
    ] = True,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measure players against opponents.

    The command prints scores with 95 % intervals, and ratings.

    --players names the candidates, --against their opponents; each candidate has all seats equally
    often, and copies of one opponent have the others. In a game for one player all players play the
    same seeds alone. The higher outcome wins a seed, and mean outcomes replace ratings.
    """
    loaded = get_game(game)
    lineup, opponents = read_players(players), read_players(against).names
    options = lineup.set_count(loaded, parse_options(loaded, option), preset)
    candidates = lineup.names or tuple(loaded.standard_bots) or ("random",)
    check_names(loaded, [*candidates, *opponents])
    from axiom_training import session

    session.evaluate(
        game,
        candidates,
        opponents,
        games,
        seed=seed,
        options=apply_preset(loaded, preset, options),
        with_ratings=ratings,
        as_json=as_json,
    )
