"""Games as text for people: who plays, what was ordered, the board, the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axiom_gym.batch.faults import describe_fault
from axiom_gym.game.facts import KernelGame
from axiom_gym.replay.files import refuse
from axiom_gym.replay.format import Footer, Header, Replay, Turn
from axiom_gym.replay.playback import Playback


def describe_header(header: Header, title: str) -> str:
    """Game, options, seed and players, in two lines."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    players = ", ".join(
        player.id if player.name == player.id else f"{player.id} = {player.name}"
        for player in header.players
    )
    return f"{title}; {options}; seed {header.seed}\n{players}"


def describe_orders(game: KernelGame, header: Header, state: Any, turn: Turn) -> str:
    """One turn's orders, a line for each who acted. state: before the turn."""
    if turn.player is not None:
        text = game.describe_action(state, turn.player, turn.orders[0])
        return f"{turn.number}. {header.players[turn.player].id} {text}"
    width = max(len(player.id) for player in header.players)
    lines = [
        f"  {player.id:{width}}  {game.describe_action(state, seat, turn.orders[seat])}"
        for seat, player in enumerate(header.players)
    ]
    return "\n".join([f"Orders of turn {turn.number}", *lines])


def describe_footer(footer: Footer, fault: str | None = None) -> str:
    """Who won, or how the players stand at the end; the score of one who plays alone.

    Args:
        footer: how it ended.
        fault: what went wrong, if the game was cut off by a fault of its rules.
    """
    if fault is not None:
        return f"{_describe_end(footer, 'a fault of the rules')}\nThe fault: {fault}"
    return _describe_end(footer, "the limit" if footer.ended == "truncated" else "")


def _describe_end(footer: Footer, ended_by: str) -> str:
    """The result; `ended_by` says what cut the game off, if anything did."""
    how = f"after {footer.turns} turns"
    if len(footer.rankings) == 1:
        what = f"{ended_by.capitalize()} ends the game" if ended_by else "The game ends"
        return f"{what} {how} with a score of {footer.rankings[0].score:g}."
    if ended_by:
        how += f", where {ended_by} ended the game"
    best = [place.player for place in footer.rankings if place.rank == 1]
    names = ", ".join(f"{player.id} ({player.name})" for player in best)
    if len(best) == len(footer.rankings):
        return f"Draw {how}."
    if len(footer.rankings) == 2:
        return f"{names} wins {how}."
    places = "\n".join(
        f"{place.rank:3}. {place.player.id} ({place.player.name}): {place.score:g}"
        for place in footer.rankings
    )
    return f"{names} first {how}.\n{places}"


def show(replay: Replay) -> Iterator[str]:
    """The whole game: players, first position, orders and position of each turn, result.

    Raises:
        ReplayError: at the first turn that does not play out as recorded, which is still shown if
            it could be played.
    """
    playback = Playback(replay)
    game, header = playback.batch.game, replay.header
    yield describe_header(header, game.info.title)
    yield playback.batch.describe_state()
    difference = playback.check_header()
    for turn in replay.turns:
        refuse(difference)
        state = playback.batch.buffers.states[0].copy()
        difference = playback.step()
        orders = describe_orders(game, header, state, turn)
        yield f"{orders}\n{playback.batch.describe_state()}"
    refuse(difference or playback.check_footer())
    yield describe_footer(replay.footer, describe_fault(playback.batch))
