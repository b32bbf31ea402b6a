"""`axiom-gym play`: one game on the terminal, between bots, saved models and people."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.options import (
    DrawnSeed,
    Games,
    Json,
    MaxTurns,
    OptionalGame,
    Options,
    Players,
    Preset,
    examples,
    note_renamed,
    parse_options,
)
from axiom_gym.commands.output import check_writable, json_only, print_json
from axiom_gym.commands.players import check_names, read_players
from axiom_gym.errors import ConfigError, ReplayError
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.names import HUMAN
from axiom_gym.registry.games import count_players, get_game

if TYPE_CHECKING:
    from axiom_gym.commands.session import Session
    from axiom_gym.play.saved_game import SavedGame
    from axiom_gym.replay.format import Replay

TAKES_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Typer's settings for a command that also takes each option of a game as `--NAME VALUE`."""


_WITH_RESUME = ("resume", "save", "quiet", "delay", "as_json")
"""The parameters of `play` that a game can be continued with."""

_OldPlayer = Annotated[str | None, typer.Option(hidden=True)]


@examples(
    "axiom-gym play connect_four",
    "axiom-gym play konquista --players human,greedy,random --seed 7 --save game.jsonl",
    "axiom-gym play quantaris --players greedy,runs/DIRECTORY --games 10 --quiet",
    "axiom-gym play --resume konquista-7.saved.json",
)
def play(
    ctx: typer.Context,
    game: OptionalGame = None,
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 1,
    seed: DrawnSeed = None,
    max_turns: MaxTurns = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the replay to this file.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Continue the game that was saved when you stopped."),
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Print only the result; no effect if a person plays."),
    ] = False,
    delay: Annotated[
        float,
        typer.Option(
            min=0, metavar="X", help="Print the board after each turn, and wait these seconds."
        ),
    ] = 0.0,
    as_json: Json = False,
    a: _OldPlayer = None,
    b: _OldPlayer = None,
    player: Annotated[list[str] | None, typer.Option(hidden=True)] = None,
) -> None:
    """Play games on the terminal.

    By default you have the first seat, and random players the others.

    The same game, options, players and seed produce the same game and the same replay. The options
    of the game also work by their own names: --ruleset 0.1 means -o ruleset=0.1. If you stop, the
    game is saved, and --resume continues it.
    """
    from axiom_gym.play.saved_game import SavedGame, load_game

    if save is not None:
        check_writable(save, "replay", ReplayError)
    if resume is not None:
        _refuse_others(ctx)
        with json_only(as_json):
            replay = _watch(load_game(resume), save, resume, quiet, delay)
        if as_json:
            print_json(_describe_games([replay]))
        return
    if game is None:
        raise ConfigError("give a game, such as `axiom-gym play connect_four`, or --resume FILE.")
    loaded = get_game(game)
    options = parse_options(loaded, [*(option or ()), *pair_options(ctx.args)])
    if a or b or player:
        names = _take_old_spellings(loaded, options, preset, (a, b, player), players)
    else:
        options, names = read_players(players).take_seats(loaded, options, preset)
        names = names or seat_players(count_players(loaded, options, preset), None, None, None)
    check_names(loaded, [name for name in names if name != HUMAN])
    if save is not None and games > 1:
        raise ConfigError(
            f"--save keeps one game, got --games {games}: repeat the game to keep by its --seed."
        )
    seed = secrets.randbits(32) if seed is None else seed
    settings = {"preset": preset, "max_turns": max_turns, **options}
    seeds = [(seed + number) % 2**32 for number in range(games)]
    started = [
        SavedGame(game=game, players=names, settings={**settings, "seed": one}) for one in seeds
    ]
    with json_only(as_json):
        played = [_watch(one, save, _name_stopped(one, save), quiet, delay) for one in started]
    if as_json:
        print_json(_describe_games(played))


def _name_stopped(started: SavedGame, save: Path | None) -> Path:
    """Return the file in which a game is saved if a person stops it."""
    name = f"{get_game(started.game).info.name}-{started.settings['seed']}.json"
    return (Path(name) if save is None else save).with_suffix(".saved.json")


def _refuse_others(ctx: typer.Context) -> None:
    """Refuse each parameter that was given and has no meaning for a game that is continued."""
    default = ("DEFAULT", "DEFAULT_MAP")
    given = [
        name
        for name in ctx.params
        if (source := ctx.get_parameter_source(name)) is not None and source.name not in default
    ]
    refused = [
        str(ctx.params[name]) if name == "game" else f"--{name.replace('_', '-')}"
        for name in given
        if name not in _WITH_RESUME
    ]
    if refused := [*refused, *ctx.args]:
        raise ConfigError(
            "--resume continues the game as it was saved: leave out the game, players and options, "
            f"got {', '.join(refused)}."
        )


def _take_old_spellings(
    game: KernelGame,
    options: dict[str, Any],
    preset: str | None,
    old: tuple[str | None, str | None, list[str] | None],
    players: list[str] | None,
) -> list[str]:
    """Return the players of --a, --b and --player, which --players replaces."""
    if players:
        raise ConfigError("--players names all players; leave out --a, --b and --player.")
    names = seat_players(count_players(game, options, preset), *old)
    given = zip(("--a", "--b", "--player"), old, strict=True)
    note_renamed(", ".join(flag for flag, value in given if value), f"--players {','.join(names)}")
    return names


def _describe_games(played: Sequence[Replay]) -> dict[str, Any]:
    """Return the games and their results as JSON values."""
    header = played[0].header
    return {
        "game": f"{header.game}-v{header.version}",
        "options": dict(header.options),
        "players": [player.name for player in header.players],
        "seed": header.seed,
        "games": [
            {
                "seed": one.header.seed,
                "turns": one.footer.turns,
                "ended": one.footer.ended,
                "outcome": list(one.footer.outcome),
                "ranks": {place.player.id: place.rank for place in one.footer.rankings},
            }
            for one in played
        ],
    }


def pair_options(given: Sequence[str]) -> list[str]:
    """Pair options with their values, as "KEY=VALUE".

    `["--turn-limit", "50", "--blitz=yes"]` becomes `["turn-limit=50", "blitz=yes"]`.

    Raises:
        ConfigError: for a word that belongs to no option, or an option without a value.
    """
    words, pairs = iter(given), []
    for word in words:
        key, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not key:
            raise ConfigError(f"{word!r} is neither an option nor the value of one.")
        value = value if equals else next(words, "--")
        if value.startswith("--"):
            raise ConfigError(f"option {word} needs a value, as in {word} VALUE.")
        pairs.append(f"{key}={value}")
    return pairs


def seat_players(count: int, a: str | None, b: str | None, listed: list[str] | None) -> list[str]:
    """Return a player for each seat: by default "human" for the first, "random" for the others.

    Args:
        count: the number of seats.
        a: the player of the first seat, if given.
        b: the player of the second seat, if given.
        listed: the players of the first seats, in their order, if given.

    Raises:
        ConfigError: if there are more players than seats, or two for one seat.
    """
    seats = dict(enumerate(listed or ()))
    for place, (option, name) in enumerate((("--a", a), ("--b", b))):
        if name is not None and place in seats:
            raise ConfigError(f"{option} and --player both name player {place + 1}.")
        if name is not None:
            seats[place] = name
    if max(seats, default=0) >= count:
        players = "one player" if count == 1 else f"{count} players"
        raise ConfigError(f"the game has {players}, so there is no seat {max(seats) + 1}.")
    return [seats.get(place, "random" if place else HUMAN) for place in range(count)]


def _watch(saved: SavedGame, save: Path | None, stopped: Path, quiet: bool, delay: float) -> Replay:
    """Play and print a game, and return its replay; exit with status 1 if a person stops it.

    Args:
        saved: the game, from its beginning or from the turn in which a person stopped.
        save: the file for the replay; None to not save it.
        stopped: the file for the game if a person stops.
        quiet: as for `Session.play`.
        delay: as for `Session.play`.
    """
    from axiom_gym.commands.human import Quit
    from axiom_gym.commands.session import Session

    session = Session(get_game(saved.game), saved.players, ask=input, **saved.settings)
    if saved.turns:
        session.resume(saved)
    try:
        replay = session.play(quiet, delay)
    except (Quit, KeyboardInterrupt):
        _stop(session, saved, stopped)
        raise typer.Exit(1) from None
    if save is not None:
        replay.save(save)
        typer.echo(f"Saved as {save}.")
    return replay


def _stop(session: Session, saved: SavedGame, path: Path) -> None:
    """Save a game before its end, and say where."""
    if HUMAN not in saved.players or session.num_turns == 0:
        typer.echo("\nStopped before the end; nothing was saved.")
        return
    session.save(path, saved)
    typer.echo(f"\nStopped before the end. Continue with: axiom-gym play --resume {path}")
