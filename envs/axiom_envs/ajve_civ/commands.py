"""The command `axiom-gym civ`: series of games between AIs and persons, on the terminal."""

from __future__ import annotations

import importlib.util
import re
import secrets
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_envs.ajve_civ.constants import MAX_PLAYERS
from axiom_gym.commands.options import (
    DrawnSeed,
    Games,
    Json,
    Options,
    Players,
    Preset,
    apply_preset,
    examples,
    note_renamed,
    parse_options,
)
from axiom_gym.commands.players import read_players
from axiom_gym.errors import AxiomError, ConfigError, UnknownNameError, check_range
from axiom_gym.opponents.names import HUMAN

if TYPE_CHECKING:
    from axiom_envs.ajve_civ.compat.ai import AI
    from axiom_envs.ajve_civ.compat.series import Series
    from axiom_envs.ajve_civ.compat.worlds import Ruleset

DEFAULT_PLAYERS = "human,basic"
INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""


_More = Annotated[
    list[str] | None,
    typer.Argument(metavar="AI", help="More players, after those of --players."),
]
_Duration = Annotated[
    int,
    typer.Option(
        "--duration", "-d", min=0, max=1000, metavar="N", help="Number of steps of a game."
    ),
]
_TurnsOnly = Annotated[
    bool, typer.Option("--no-inflections", help="Play turns only, without inflections.")
]
_World = Annotated[
    str,
    typer.Option(
        "--world", "-w", metavar="WORLD", help="The ruleset: original, text, or FILE.py:CLASS."
    ),
]
_ReportTo = Annotated[
    str | None,
    typer.Option("--report", "-r", metavar="FILE", help="Write a JSON report to this file."),
]
_Teams = Annotated[
    str, typer.Option(metavar="LETTERS", help="The team of each player as a letter, such as aabb.")
]
_OnIllegal = Annotated[
    str,
    typer.Option(
        metavar="POLICY", help="Response to a choice outside of the offer: raise, forfeit, accept."
    ),
]
_Plot = Annotated[
    Path | None,
    typer.Option(metavar="DIRECTORY", help="Write plots of the first game here as PNG files."),
]


@examples(
    "axiom-gym civ",
    "axiom-gym civ --players basic,basic2,basic3",
    "axiom-gym civ -p greedy,basic.conquer -n 200 --no-inflections -r report.json",
    "axiom-gym civ -p human,diplomat,my_ai.py:Isolationist -o start_yield=9",
)
def civ(
    more: _More = None,
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 1,
    duration: _Duration = 100,
    no_inflections: _TurnsOnly = False,
    world: _World = "original",
    seed: DrawnSeed = None,
    report: _ReportTo = None,
    teams: _Teams = "",
    on_illegal: _OnIllegal = "raise",
    plot: _Plot = None,
    as_json: Json = False,
) -> None:
    """Play AjveCiv on the terminal, or series between AIs.

    By default you play against the six basic AIs.

    An AI is basic, basic2 or basic3 (all AIs of a family), one of a family such as basic.conquer or
    conquer-discover, random, greedy, diplomat, human, or your own as FILE.py:CLASS. --players 5 is
    you and four basic AIs.

    Choose a value by its name, its first letters or its number; ? explains, q quits.
    """
    if report == "-":
        note_renamed("--report -", "--json")
        report, as_json = None, True
    options = _read_options(option, no_inflections)
    named = _name_players([*(players or ()), *(more or ())], preset)
    settings, teams = _add_preset(preset, options, teams)
    series = _make_series(world, on_illegal, settings)
    lineup = find_players(named, to_stderr=as_json)
    series.game(*_group(lineup, teams))
    _check_targets(report, plot)
    if any(seat.name == HUMAN for seat in lineup):
        _introduce(lineup, to_stderr=as_json)
    if seed is None:
        seed = secrets.randbits(32)
        typer.echo(f"Seed {seed}.", err=as_json)
    try:
        status = _play(series, duration, seed, games)
    except AxiomError:
        if series.results:  # the finished games before the one that failed
            _report(series, report, as_json)
        raise
    _report(series, report, as_json)
    if plot is not None:
        _plot(series, plot)
    if status:
        raise typer.Exit(status)


def _name_players(given: list[str], preset: str | None) -> str:
    """Return the names of the players; a number means you and as many basic AIs as are missing."""
    from axiom_envs.ajve_civ.compat import ai
    from axiom_envs.ajve_civ.game import GAME

    lineup = read_players(split_names(",".join(given)))
    count, names = lineup.count or apply_preset(GAME, preset, {}).get("players"), lineup.names
    if count is None or len(names) > 1:
        return ",".join(names or given) or DEFAULT_PLAYERS
    check_range("the number of players of a game", count, 1, MAX_PLAYERS)
    return ",".join(names * count or [HUMAN, *islice(cycle(ai.basic), count - 1)])


def _add_preset(
    preset: str | None, options: dict[str, Any], teams: str
) -> tuple[dict[str, Any], str]:
    """Return the options with those of the preset that a series takes, and the teams."""
    from axiom_envs.ajve_civ.compat.series import NO_OPTIONS
    from axiom_envs.ajve_civ.game import GAME

    values = apply_preset(GAME, preset, {})
    kept = {name: value for name, value in values.items() if name not in NO_OPTIONS}
    return {**kept, **options}, teams or values.get("teams", "")


def _read_options(option: list[str] | None, no_inflections: bool) -> dict[str, Any]:
    """Return the options of the game from -o and --no-inflections."""
    from axiom_envs.ajve_civ.game import GAME

    options = parse_options(GAME, option)
    if "duration" in options:
        raise ConfigError(f"-d sets the duration; remove -o duration={options['duration']}.")
    if no_inflections:
        options["inflections"] = False
    return options


def _make_series(world: str, on_illegal: str, settings: dict[str, Any]) -> Series:
    from axiom_envs.ajve_civ.compat.series import Series
    from axiom_envs.ajve_civ.compat.worlds import Ruleset

    ruleset: str | type[Ruleset] = world.strip()
    if ".py:" in world:
        ruleset = load_class(world.strip(), Ruleset)
    return Series(ruleset, on_illegal=on_illegal, **settings)


def find_players(text: str, *, to_stderr: bool = False) -> list[AI | type[AI]]:
    """Return the AIs of a list of names, by seat.

    Args:
        text: names separated by commas or blanks; only by commas if one is a file, because paths
            can have blanks.
        to_stderr: if True, a person's prompts go to standard error.

    Raises:
        ConfigError: if a name is unknown (the message has the closest one), or the list is empty.
    """
    from axiom_envs.ajve_civ.compat import ai

    found: list[AI | type[AI]] = []
    for name in split_names(text):
        if ".py:" in name:
            found.append(load_class(name, ai.AI))
        elif name.lower() == HUMAN:
            found.append(ai.Person(to_stderr=to_stderr))
        else:
            found += ai.get_all(name.lower())
    if not found:
        raise ConfigError(f"name at least one player, such as {DEFAULT_PLAYERS}, got {text!r}.")
    return found


def split_names(text: str) -> list[str]:
    """Return the names in a list that `find_players` takes."""
    pattern = r"," if ".py:" in text else r"[,\s]+"
    return [name.strip() for name in re.split(pattern, text) if name.strip()]


def load_class(reference: str, base: type[Any]) -> type[Any]:
    """Return the class that FILE.py:CLASS refers to.

    Args:
        reference: path and name.
        base: the required base class.

    Raises:
        ConfigError: if the file cannot be run, or has no such class; the message lists its classes.
    """
    file, _, name = reference.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise ConfigError(f"there is no file {file!r}.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None  # every .py file has a loader
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the user's code can raise anything
        raise ConfigError(f"{file!r} fails: {type(error).__name__}: {error}.") from error
    found = getattr(module, name, None)
    if not isinstance(found, type) or not issubclass(found, base):
        known = [
            one
            for one, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, base) and value is not base
        ]
        raise UnknownNameError(f"{base.__name__} of {file}", name, known)
    return found


def _group(lineup: list[AI | type[AI]], teams: str) -> list[Any]:
    """Return the players, or a list of players for each team."""
    if not teams:
        return [*lineup]
    if len(teams) != len(lineup):
        raise ConfigError(
            f"--teams needs a letter for each of the {len(lineup)} players, got {teams!r}."
        )
    if any(letter * teams.count(letter) not in teams for letter in teams):
        raise ConfigError(f"the players of a team sit side by side, as in aabb; got {teams!r}.")
    return [
        [player for player, own in zip(lineup, teams, strict=True) if own == letter]
        for letter in dict.fromkeys(teams)
    ]


def _introduce(lineup: list[AI | type[AI]], *, to_stderr: bool) -> None:
    """Print the names of all players for a person."""
    names = ", ".join(f"{place} {seat.name}" for place, seat in enumerate(lineup, start=1))
    typer.echo(f"AjveCiv, with the peoples {names}. ? explains, q quits.", err=to_stderr)


def _check_targets(report: str | None, plot: Path | None) -> None:
    """Check before a long series that its results can be written."""
    from axiom_envs.ajve_civ.compat.reports import check_target

    if report is not None:
        check_target(Path(report))
    if plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise ConfigError("--plot needs matplotlib: pip install 'axiom-gym[train]'.")
    if plot is not None and plot.exists() and not plot.is_dir():
        raise ConfigError(f"--plot needs a folder, and {str(plot)!r} is a file.")


def _play(series: Series, duration: int, seed: int, games: int) -> int:
    """Play the series and return the exit status; an interruption keeps the finished games."""
    from axiom_envs.ajve_civ.compat.terminal import Quit

    try:
        series.play(duration=duration, seed=seed, games=games)
    except Quit:
        return 0
    except KeyboardInterrupt:
        typer.echo(err=True)  # end the line with ^C
        return INTERRUPTED
    return 0


def _report(series: Series, report: str | None, as_json: bool) -> None:
    """Print tables, or only JSON; also write the JSON file of --report."""
    series.report("-" if as_json else None)
    if report is not None:
        series.report(report)
        typer.echo(f"Saved as {report}.", err=as_json)


def _plot(series: Series, directory: Path) -> None:
    from axiom_envs.ajve_civ.compat.plots import save_plots

    if series.traces is None:
        typer.echo("No game was finished, so there is nothing to draw.", err=True)
        return
    directory.mkdir(parents=True, exist_ok=True)
    names = [player.name for player in series.results[0].players]
    for path in save_plots(series.traces.states, series.traces.chosen, names, directory):
        typer.echo(f"Drawn: {path}", err=True)
