"""Recorded games as text: boards and orders, or sentences; who plays, and the result.

The events of each turn are described by `KernelGame.describe_event`, if a game has one; those of a
plain Python game are the players who go out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from axiom_gym.game.facts import GameLike, PlayerRanking
from axiom_gym.replay.format import Footer, Header, Replay, Turn
from axiom_gym.replay.games import refuse
from axiom_gym.replay.playback import Playback


def describe_header(header: Header, title: str) -> str:
    """Describe game, options, seed and players, in two lines."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    players = ", ".join(
        player.id if player.name == player.id else f"{player.id} = {player.name}"
        for player in header.players
    )
    return f"{title}; {options or 'no options'}; seed {header.seed}\n{players}"


def describe_sub_actions(header: Header, turn: Turn, texts: Sequence[str]) -> str:
    """Describe a turn's orders, a line for each who acted. texts: as many."""
    if turn.player is not None:
        name = header.players[turn.player].id
        text = texts[0] if texts[0].startswith(name) else f"{name} {texts[0]}"
        return f"{turn.number}. {text}"
    width = max(len(player.id) for player in header.players)
    rows = zip(header.players, texts, strict=True)
    lines = [f"  {player.id:{width}}  {text}" for player, text in rows]
    return "\n".join([f"Orders of turn {turn.number}", *lines])


def _tell_sub_actions(header: Header, turn: Turn, texts: Sequence[str]) -> str:
    """Return the same as a sentence for each who acted, whose name stands in it once."""
    if turn.player is not None:
        name = header.players[turn.player].id
        text = texts[0] if name in texts[0] else f"{name}: {texts[0]}"
        return f"{turn.number}. {_sentence(text)}"
    rows = zip(header.players, texts, strict=True)
    lines = [f"  {_sentence(f'{player.id}: {text}')}" for player, text in rows]
    return "\n".join([f"Turn {turn.number}", *lines])


def describe_footer(footer: Footer, fault: str | None = None) -> str:
    """Describe who won, or how the players stand at the end; the score of one who plays alone.

    Args:
        footer: how it ended.
        fault: what went wrong, if the game was cut off by a fault of its rules.
    """
    if fault is not None:
        return f"{_describe_end(footer, 'a fault of the rules')}\nThe fault: {fault}"
    causes = {"terminated": "", "truncated": "the limit", "forfeit": "a forfeit"}
    return _describe_end(footer, causes[footer.ended])


def _describe_end(footer: Footer, ended_by: str) -> str:
    """Describe the result; `ended_by` says what cut the game off, if anything did."""
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
    return f"{names} first {how}.\n{_list_places(footer.rankings)}"


def _list_places(rankings: Sequence[PlayerRanking]) -> str:
    return "\n".join(
        f"{place.rank:3}. {place.player.id} ({place.player.name}): {place.score:g}"
        for place in rankings
    )


def _sentence(text: str) -> str:
    """Return the text with a stop at its end."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def show(replay: Replay, game: GameLike | None = None) -> Iterator[str]:
    """Yield players, first position, orders and position of each turn, and the result.

    Raises:
        ReplayError: at the first turn that does not play out as recorded, which is still shown if
            it could be played.
    """
    playback = Playback(replay, game)
    source = playback.source
    yield describe_header(replay.header, source.title)
    yield source.describe_state()
    for turn, before in _play(playback):
        orders = describe_sub_actions(replay.header, turn, _describe(playback, turn, before))
        yield f"{orders}\n{source.describe_state()}".rstrip("\n")
    yield describe_footer(replay.footer, source.describe_fault())


def narrate(replay: Replay, game: GameLike | None = None) -> Iterator[str]:
    """Yield players, orders and events of each turn in sentences, and the result.

    Raises:
        ReplayError: as `show`.
    """
    playback = Playback(replay, game)
    source = playback.source
    yield describe_header(replay.header, source.title)
    for turn, before in _play(playback):
        orders = _tell_sub_actions(replay.header, turn, _describe(playback, turn, before))
        events = [f"  {_sentence(text)}" for text in source.describe_events(turn, before)]
        yield "\n".join([orders, *events])
    yield describe_footer(replay.footer, source.describe_fault())
    if len(replay.footer.rankings) == 2:  # of more, the text has the places already
        yield _list_places(replay.footer.rankings)


def _play(playback: Playback) -> Iterator[tuple[Turn, Any]]:
    """Play the turns, and yield each with the position before it, after it was played."""
    difference = playback.check_header()
    for number, turn in enumerate(playback.replay.turns, start=1):
        refuse(difference)
        before = playback.source.keep()
        difference = playback.step()
        if playback.played < number:
            refuse(difference)
        yield turn, before
    refuse(difference or playback.check_footer())


def _describe(playback: Playback, turn: Turn, before: Any) -> list[str]:
    """Return a text for each who acted."""
    if turn.why:
        return [f"gives up ({turn.why})"]
    return playback.source.describe_sub_actions(turn, before)
