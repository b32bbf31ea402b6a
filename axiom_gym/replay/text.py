"""Recorded games as text: either states and sub-actions, or sentences.

`KernelGame.describe_event` describes the events of a turn, if a game has it. The events of a plain
Python game are eliminations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from axiom_gym.game.facts import GameLike, PlayerRanking
from axiom_gym.replay.format import Footer, Header, Replay, Turn
from axiom_gym.replay.playback import Playback


def describe_header(header: Header, title: str) -> str:
    """Return game, options, seed and players, in two lines."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    players = ", ".join(
        player.id if player.name == player.id else f"{player.id} = {player.name}"
        for player in header.players
    )
    return f"{title}; {options or 'no options'}; seed {header.seed}\n{players}"


def describe_sub_actions(
    header: Header, turn: Turn, texts: Sequence[str], sentences: bool = False
) -> str:
    """Return a line for each player who acted.

    Args:
        header: the header of the replay.
        turn: the turn.
        texts: a text for each player who acted.
        sentences: if True, each line is a sentence that names the player once.
    """
    if turn.player is None:
        width = max(len(player.id) for player in header.players)
        rows = [(player.id, text) for player, text in zip(header.players, texts, strict=True)]
        if sentences:
            lines = [f"  {end_sentence(f'{name}: {text}')}" for name, text in rows]
        else:
            lines = [f"  {name:{width}}  {text}" for name, text in rows]
        return "\n".join([f"Turn {turn.number}", *lines])
    name, text = header.players[turn.player].id, texts[0]
    if sentences:
        verb = "" if text[:1].islower() else ":"
        text = end_sentence(text if name in text else f"{name}{verb} {text}")
    elif not text.startswith(name):
        text = f"{name} {text}"
    return f"{turn.number}. {text}"


def describe_forfeit(header: Header, turn: Turn) -> str:
    """Return the line of a forfeit."""
    return describe_sub_actions(header, turn, [f"forfeits ({turn.why})"])


def describe_replies(header: Header, turn: Turn) -> str:
    """Return the replies of language models that led to a turn, one below the other."""
    return "\n".join(
        f"  {header.players[asked.player].id} replies ({attempt.category}): {attempt.reply}"
        for asked in turn.asked
        for attempt in asked.attempts
    )


def describe_footer(footer: Footer, fault: str | None = None) -> str:
    """Return the winner or the ranks; for a one-player game, the score.

    Args:
        footer: the footer of the replay.
        fault: the fault of the rules that ended the game, if one did.
    """
    if fault is not None:
        return f"{_describe_end(footer, 'a fault of the rules')}\nThe fault: {fault}"
    causes = {"terminated": "", "truncated": "the limit", "forfeit": "a forfeit"}
    return _describe_end(footer, causes[footer.ended])


def _describe_end(footer: Footer, ended_by: str) -> str:
    """Return the result. ended_by: the limit, forfeit or fault that ended the game, or empty."""
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


def end_sentence(text: str) -> str:
    """Return the text with a full stop at its end."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def show(replay: Replay, game: GameLike | None = None, replies: bool = False) -> Iterator[str]:
    """Yield the players, the first state, the sub-actions and state of each turn, and the result.

    Args:
        replay: the replay.
        game: the game, if it is not installed.
        replies: if True, the replies of language models precede the sub-actions.

    Raises:
        ReplayError: at the first turn that does not play out as recorded. The turn is yielded first
            if it could be played.
    """
    playback = Playback(replay, game)
    source = playback.source
    yield describe_header(replay.header, source.title)
    yield source.describe_state()
    for turn, before in playback.play_turns(source.keep):
        acted = describe_sub_actions(replay.header, turn, _describe(playback, turn, before))
        told = describe_replies(replay.header, turn) if replies else ""
        yield "\n".join(filter(None, [told, acted, source.describe_state()])).rstrip("\n")
    yield describe_footer(replay.footer, source.describe_fault())


def narrate(replay: Replay, game: GameLike | None = None, replies: bool = False) -> Iterator[str]:
    """Yield the players, the sub-actions and events of each turn in sentences, and the result.

    Arguments and errors are those of `show`.
    """
    playback = Playback(replay, game)
    source = playback.source
    yield describe_header(replay.header, source.title)
    for turn, before in playback.play_turns(source.keep):
        texts = _describe(playback, turn, before)
        acted = describe_sub_actions(replay.header, turn, texts, sentences=True)
        events = [f"  {end_sentence(text)}" for text in source.describe_events(turn, before)]
        told = describe_replies(replay.header, turn) if replies else ""
        yield "\n".join(filter(None, [told, acted, *events]))
    yield describe_footer(replay.footer, source.describe_fault())
    if len(replay.footer.rankings) == 2:  # with more players, the footer's text lists the ranks
        yield _list_places(replay.footer.rankings)


def _describe(playback: Playback, turn: Turn, before: Any) -> list[str]:
    """Return a text for each player who acted."""
    if turn.why:
        return [f"forfeits ({turn.why})"]
    return playback.source.describe_sub_actions(turn, before)
