"""Recorded games told in sentences: who does what, what comes of it, and how it ends.

Of a kernel game the log of each turn is told by `KernelGame.describe_event`, if it has one; of an
object-level game, who is out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from axiom_gym.backend.codegen import compile_function
from axiom_gym.backend.plain import as_python
from axiom_gym.batch.faults import describe_fault
from axiom_gym.game.facts import Game, PlayerRanking
from axiom_gym.kernel import EVENT_COLUMNS
from axiom_gym.replay.files import refuse
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.match_format import MatchFooter, MatchReplay
from axiom_gym.replay.match_player import MatchPlayback
from axiom_gym.replay.playback import Playback
from axiom_gym.replay.text import describe_footer, describe_header

_ROWS = 4096
"""Rows of the log of one turn, far more than any rules write."""


def narrate(replay: Replay) -> Iterator[str]:
    """A game of a kernel: who plays, one text for each turn, and the end.

    Raises:
        ReplayError: at the first turn that does not play out as recorded.
    """
    playback = Playback(replay)
    game = playback.batch.game
    yield describe_header(replay.header, game.info.title)
    log = _Log(playback)
    difference = playback.check_header()
    for turn in replay.turns:
        refuse(difference)
        state = playback.batch.buffers.states[0].copy()
        difference = playback.step()
        yield "\n".join([*_tell_orders(replay, game, state, turn), *log.tell(state, turn)])
    refuse(difference or playback.check_footer())
    yield describe_footer(replay.footer, describe_fault(playback.batch))
    if len(replay.footer.rankings) == 2:  # of more, the text has the places already
        yield _tell_places(replay.footer.rankings)


def _tell_orders(replay: Replay, game: Any, state: Any, turn: Turn) -> Iterator[str]:
    """A sentence for each who acted. state: the record before the turn."""
    players = replay.header.players
    if turn.player is not None:
        text = game.describe_action(state, turn.player, turn.orders[0])
        yield f"{turn.number}. {_sentence(f'{players[turn.player].id}: {text}')}"
        return
    yield f"Turn {turn.number}"
    for seat, orders in enumerate(turn.orders):
        yield f"  {_sentence(f'{players[seat].id}: {game.describe_action(state, seat, orders)}')}"


class _Log:
    """The log of a game's turns, which are played once more with a buffer for it."""

    def __init__(self, playback: Playback) -> None:
        self._batch = playback.batch
        game = self._batch.game
        self._describe = game.describe_event
        self._params = game.params(self._batch.config)
        if self._describe is not None:
            step = game.kernel().step
            label = f"{game.info.name}_logged"
            self._step = compile_function(step, label) if game.compiled else as_python(step)

    def tell(self, before: Any, turn: Turn) -> list[str]:
        """What came of a turn. before: the record in which it was played, which is changed."""
        if self._describe is None:
            return []
        events = np.zeros((_ROWS, EVENT_COLUMNS), np.int16)
        rewards = np.zeros(self._batch.num_players, np.float32)
        orders = np.array(turn.orders, np.int64)
        self._step(before, orders, rewards, events, self._params)
        rows = events[1 : 1 + int(events[0, 0])].tolist()
        told = [self._describe(before, row) for row in rows]
        return [f"  {_sentence(text)}" for text in told if text]


def narrate_match(replay: MatchReplay, game: Game[Any, Any]) -> Iterator[str]:
    """A match of an object-level game: who plays, one text for each action, and the end.

    Raises:
        ReplayError: if this is not the game, or at the first action that does not play out as
            recorded.
    """
    playback = MatchPlayback(game, replay)
    header, course = replay.header, playback.course
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    players = ", ".join(f"{player.id} = {player.name}" for player in header.players)
    yield f"{header.game}; {options or 'no options'}; seed {header.seed}\n{players}"
    difference = playback.check_header()
    for step in replay.steps:
        refuse(difference)
        before, out = course.state, course.out
        difference = playback.step()
        if step.type == "forfeit":
            text = f"{step.player} gives up ({step.why})."
        else:
            text = _sentence(game.describe_action(playback.action, before))
        told = [f"{step.number}. {text if step.player in text else f'{step.player}: {text}'}"]
        gone = [one for one in course.out if one not in out]
        yield "\n".join([*told, *(f"  {one} is out." for one in gone)])
    refuse(difference or playback.check_footer())
    yield _tell_end(replay.footer)


def _tell_end(footer: MatchFooter) -> str:
    how = {"over": "", "max_turns": ", at the limit of turns", "forfeit": ", by a forfeit"}
    nobody = "Draw" if footer.reason == "over" else "Nobody wins"
    end = nobody if footer.winner is None else f"{footer.winner} wins"
    return f"{end} after {footer.turns} turns{how[footer.reason]}.\n{_tell_places(footer.rankings)}"


def _tell_places(rankings: Sequence[PlayerRanking]) -> str:
    return "\n".join(
        f"{place.rank:3}. {place.player.id}{f' ({place.player.name})' if place.player.name else ''}"
        f": {place.score:g}"
        for place in rankings
    )


def _sentence(text: str) -> str:
    """With a stop at its end."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
