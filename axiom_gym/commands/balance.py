"""`axiom-gym balance`: a page with statistics of many games, for authors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from axiom_gym.commands.options import Game, Games, MaxTurns, Preset, Seed, examples
from axiom_gym.commands.output import check_writable, show_progress
from axiom_gym.commands.players import check_names, read_players
from axiom_gym.errors import ConfigError
from axiom_gym.registry.games import count_players, get_game

if TYPE_CHECKING:
    from axiom_gym.balance.settings import Setting
    from axiom_gym.balance.tables import Table
    from axiom_gym.game.facts import KernelGame

Tables = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N|PLAYER,...",
        help="In a game for one player, the agents to compare. Else the players of one table by "
        "seat, or one for all seats; repeat it for several tables. Agents are named as in "
        "`simulate`. By default random and the game's standard bots.",
    ),
]
Sweep = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE,...",
        help="An option of the game; several values, separated by commas, are a sweep. Several "
        "options are combined. Put a value with commas in double quotes. Repeatable.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|DIR",
        help="The page, FILE.html; the numbers go to FILE.json beside it. In a folder, and by "
        "default in the current one, the name is balance_GAME.html.",
        show_default=False,
    ),
]


@examples(
    "axiom-gym balance life_sim",
    "axiom-gym balance quantaris --players greedy --players greedy,random --out reports",
    "axiom-gym balance ajve_civ -o players=3,5,7 -o offer_size=2,3 --games 1000",
)
def balance(
    game: Game,
    players: Tables = None,
    preset: Preset = None,
    option: Sweep = None,
    games: Games = 10_000,
    seed: Seed = 0,
    max_turns: MaxTurns = 0,
    out: Out = None,
) -> None:
    """Play many games, and write a page of figures.

    They show lengths, outcomes by agent and seat, actions, events, advantages of actions, faults,
    and quantities over time, for each setting of a sweep. A JSON file has the numbers.
    """
    loaded = get_game(game)
    page = _check_page(out, loaded)
    _check_matplotlib()
    from axiom_gym.balance import report
    from axiom_gym.balance.page import write
    from axiom_gym.balance.settings import list_settings, parse_sweep

    settings = [
        (setting, _seat(loaded, players, setting, preset))
        for setting in list_settings(loaded, parse_sweep(loaded, option), preset)
    ]
    total = games * sum(len(tables) for _, tables in settings)
    with show_progress(total) as on_progress:
        found = report.balance(
            loaded,
            settings,
            games,
            seed=seed,
            preset=preset,
            max_turns=max_turns,
            on_progress=on_progress,
        )
    with show_progress(len(settings), "settings drawn") as on_progress:
        try:
            numbers = write(found, page, on_progress)
        except OSError as error:
            raise ConfigError(f"cannot write the page {str(page)!r}: {error}.") from error
    _print(found, page, numbers)


def _check_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise ConfigError("'balance' needs matplotlib: pip install 'axiom-gym[bench]'.")


def _check_page(out: Path | None, game: KernelGame) -> Path:
    """Return the file of the page; check it before a long series of games.

    Raises:
        ConfigError: for another suffix, or a folder that does not exist or is not writable.
    """
    path = out or Path()
    if path.is_dir():
        path = path / f"balance_{game.info.name}.html"
    if path.suffix != ".html":
        raise ConfigError(
            f"--out is a file with the suffix .html, or a folder that exists, got {str(path)!r}."
        )
    check_writable(path, "the page", ConfigError)
    check_writable(path.with_suffix(".json"), "the numbers", ConfigError)
    return path


def _seat(
    game: KernelGame, given: Sequence[str] | None, setting: Setting, preset: str | None
) -> list[Table]:
    """Return the tables of a setting, and write the number of players into its options."""
    from axiom_gym.balance.tables import default_tables, make_table

    tables = []
    for text in given or ():
        lineup = read_players([text])
        if count_players(game, setting.options, preset) == 1 and len(lineup.names) > 1:
            check_names(game, lineup.names)
            tables += [make_table([name]) for name in lineup.names]
            continue
        options, names = lineup.take_seats(game, setting.options, preset)
        check_names(game, names)
        setting.options.update(options)
        seats = count_players(game, options, preset)
        tables += [make_table(names)] if names else default_tables(game, seats)
    return tables or default_tables(game, count_players(game, setting.options, preset))


def _print(found: dict[str, object], page: Path, numbers: Path) -> None:
    settings = found["settings"]
    assert isinstance(settings, list)
    for setting in settings:
        prefix = f"{setting['label']}: " if setting["label"] else ""
        for sentence in setting["findings"]:
            typer.echo(f"{prefix}{sentence}")
    typer.echo(f"Wrote {page} and {numbers}")
