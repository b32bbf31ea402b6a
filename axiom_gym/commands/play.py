"""`axiom-gym play`: one game on the terminal, between bots, saved models and people."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.options import Game, MaxTurns, Options, Preset, parse_options
from axiom_gym.commands.output import check_writable
from axiom_gym.errors import ConfigError, ReplayError
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.games import get_game, make_config
from axiom_gym.registry.options import with_players

if TYPE_CHECKING:
    from axiom_gym.play.match import Match

HUMAN = "human"
_PLAYER = "human, the name of a bot, or the file of a saved model"

TAKES_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Typer's settings for a command that also takes each option of a game as `--NAME VALUE`."""


def play(
    ctx: typer.Context,
    game: Game,
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
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Print only the result; no effect if a person plays."),
    ] = False,
    delay: Annotated[float, typer.Option(min=0, help="Seconds to wait after each turn.")] = 0.0,
) -> None:
    """Play one game; by default you have the first seat, and random players the others.

    The same game, options, players and seed produce the same game and the same replay. The options
    of the game also work by their own names: --ruleset 0.1 means -o ruleset=0.1.
    """
    loaded = get_game(game)
    options = parse_options(loaded, [*(option or ()), *pair_options(ctx.args)])
    if players is not None:
        player = _split_players(players, (a, b, player))
        options = with_players(loaded, options, len(player))
    agents = loaded.agents(make_config(loaded, preset, options))
    names = seat_players(len(agents), a, b, player)
    if players is not None and len(player or ()) < len(agents):
        raise ConfigError(f"{loaded.info.name} has {len(agents)} players, got {players!r}.")
    if save is not None:
        check_writable(save, "replay", ReplayError)
    seed = secrets.randbits(32) if seed is None else seed
    match = _set_up(loaded, names, seed=seed, preset=preset, max_turns=max_turns, **options)
    _watch_to_the_end(match, quiet and HUMAN not in names, delay)
    if save is not None:
        match.recorder.finish().save(save)
        typer.echo(f"Saved as {save}.")


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


def _set_up(game: KernelGame, players: list[str], /, **settings: Any) -> Match:
    from axiom_gym.commands.human import Human
    from axiom_gym.play.match import Match, MatchPlayer

    seated = [
        MatchPlayer(HUMAN, Human(game).decide) if player == HUMAN else player for player in players
    ]
    return Match(game, seated, **settings)


def _watch_to_the_end(match: Match, quiet: bool, delay: float) -> None:
    """Play and print a game; exit with status 1 if a person stops before the end."""
    from axiom_gym.commands.human import Quit

    try:
        _watch(match, quiet, delay)
    except Quit:
        typer.echo("\nStopped before the end; nothing was saved.")
        raise typer.Exit(1) from None


def _watch(match: Match, quiet: bool, delay: float) -> None:
    """Play to the end; print states, actions and the result, or only the result if `quiet`."""
    from axiom_gym.batch.faults import describe_fault
    from axiom_gym.replay import text as replay_text
    from axiom_gym.replay.kernel_source import describe_actions

    game, header = match.batch.game, match.recorder.header
    typer.echo(replay_text.describe_header(header, game.info.title))
    if not quiet:
        typer.echo(f"\n{match.batch.describe_state()}\n")
    before = match.batch.buffers.states[0].copy()
    for turn in match:
        if not quiet:
            played = match.batch.buffers.actions[0].tolist()
            texts = describe_actions(game, before, turn.player, played)
            sub_actions = replay_text.describe_sub_actions(header, turn, texts)
            typer.echo(f"{sub_actions}\n{match.batch.describe_state()}\n")
            before = match.batch.buffers.states[0].copy()
            time.sleep(delay)
    footer, fault = match.recorder.finish().footer, describe_fault(match.batch)
    typer.echo(replay_text.describe_footer(footer, fault))
