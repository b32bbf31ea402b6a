"""`axiom-gym play`: one game on the terminal, between bots, saved models and people."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from axiom_gym.commands.options import MaxTurns, OptionalGame, Options, Preset, parse_options
from axiom_gym.commands.output import check_writable
from axiom_gym.errors import ConfigError, ReplayError
from axiom_gym.registry.games import get_game, make_config
from axiom_gym.registry.options import with_players

if TYPE_CHECKING:
    from axiom_gym.commands.session import Session
    from axiom_gym.play.saved_game import SavedGame

HUMAN = "human"
_PLAYER = "human, the name of a bot, or the file of a saved model"

TAKES_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Typer's settings for a command that also takes each option of a game as `--NAME VALUE`."""


def play(
    ctx: typer.Context,
    game: OptionalGame = None,
    a: Annotated[
        str | None, typer.Option("--a", metavar="PLAYER", help=f"The first player: {_PLAYER}.")
    ] = None,
    b: Annotated[
        str | None, typer.Option("--b", metavar="PLAYER", help="The second player.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER", help="The player of the next seat. Repeatable."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER,PLAYER,...",
            help="All players, by seat; sets the number of players where the game has that option.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the game and the players; random by default.")
    ] = None,
    preset: Preset = None,
    option: Options = None,
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
        float, typer.Option(min=0, help="Print the board after each turn, and wait these seconds.")
    ] = 0.0,
) -> None:
    """Play one game; by default you have the first seat, and random players the others.

    The same game, options, players and seed produce the same game and the same replay. The options
    of the game also work by their own names: --ruleset 0.1 means -o ruleset=0.1. If you stop, the
    game is saved, and --resume continues it.
    """
    from axiom_gym.play.saved_game import SavedGame, load_game

    if save is not None:
        check_writable(save, "replay", ReplayError)
    if resume is not None:
        _refuse_others(game, a, b, player, players, seed, preset, option, max_turns, ctx.args)
        saved = load_game(resume)
        _watch(saved, save, resume, quiet, delay)
        return
    if game is None:
        raise ConfigError("give a game, such as `axiom-gym play connect_four`, or --resume FILE.")
    loaded = get_game(game)
    options = parse_options(loaded, [*(option or ()), *pair_options(ctx.args)])
    if players is not None:
        player = _split_players(players, (a, b, player))
        options = with_players(loaded, options, len(player))
    agents = loaded.agents(make_config(loaded, preset, options))
    names = seat_players(len(agents), a, b, player)
    if players is not None and len(player or ()) < len(agents):
        raise ConfigError(f"{loaded.info.name} has {len(agents)} players, got {players!r}.")
    seed = secrets.randbits(32) if seed is None else seed
    settings = {"seed": seed, "preset": preset, "max_turns": max_turns, **options}
    saved = SavedGame(game=game, players=names, settings=settings)
    stopped = Path(f"{loaded.info.name}-{seed}.json") if save is None else save
    _watch(saved, save, stopped.with_suffix(".saved.json"), quiet, delay)


def _refuse_others(*given: object) -> None:
    if any(given):
        raise ConfigError(
            "--resume continues the game as it was saved: leave out the game, players and options."
        )


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


def _split_players(players: str, others: tuple[object, ...]) -> list[str]:
    """Split the names of all players; refuse other options that name players."""
    if any(others):
        raise ConfigError("--players names all players; leave out --a, --b and --player.")
    return [name.strip() for name in players.split(",")]


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


def _watch(saved: SavedGame, save: Path | None, stopped: Path, quiet: bool, delay: float) -> None:
    """Play and print a game; exit with status 1 if a person stops before the end.

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


def _stop(session: Session, saved: SavedGame, path: Path) -> None:
    """Save a game before its end, and say where."""
    if HUMAN not in saved.players or session.num_turns == 0:
        typer.echo("\nStopped before the end; nothing was saved.")
        return
    session.save(path, saved)
    typer.echo(f"\nStopped before the end. Continue with: axiom-gym play --resume {path}")
