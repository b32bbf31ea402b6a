"""Replays: record a game, save and load it, play it again, and say where it differs.

    from axiom_gym import replay
    from axiom_gym.play import match

    match.Match("quantaris", ["random", "greedy"], seed=1).play().save("game.jsonl")
    result = replay.verify("game.jsonl")
    assert result.ok, result.message

The form of the file stands in `axiom_gym.replay.format`. `verify` reads matches of object-level
games too, which are written as `axiom_gym.replay.match_format` says.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import Game
from axiom_gym.replay.files import AnyReplay, find_game, load_any
from axiom_gym.replay.format import Footer, Header, Replay, Turn
from axiom_gym.replay.match_player import MatchVerification, ReplayPlayer
from axiom_gym.replay.reader import load
from axiom_gym.replay.recorder import Recorder, StateHash, count_draws, hash_state, rank_players

__all__ = [
    "Footer",
    "Header",
    "Playback",
    "Recorder",
    "Replay",
    "StateHash",
    "Turn",
    "Verification",
    "count_draws",
    "hash_state",
    "load",
    "rank_players",
    "verify",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a game plays out as recorded, or else where it first differs."""

    ok: bool
    message: str
    """One sentence or several, for people."""
    turn: int | None = None
    """The first turn that differs; 0 for the header with the first position, and the last turn's
    number also where only the footer differs. None if nothing does."""
    expected: str = ""
    """The recorded state hash, where a state differs."""
    found: str = ""
    """The state hash of the game as it plays out now."""
    fields: tuple[str, ...] = ()
    """The state's fields that differ."""


class Playback:
    """A replay's game, played again turn by turn.

    Attributes:
        replay: what is played.
        batch: the game, as a batch of one; its position is that after the last turn played.
    """

    def __init__(self, replay: Replay) -> None:
        """Sets up the first position.

        Raises:
            ConfigError: if the game does not accept the replay's options.
        """
        header = replay.header
        self.replay = replay
        self.batch = Batch(
            replay.game_id,
            autoreset="disabled",
            on_illegal="raise",
            max_turns=header.max_turns,
            **header.options,
        )
        self.batch.reset(header.seed)
        self._recorder = Recorder(self.batch, [player.name for player in header.players])
        self._played = 0

    def check_header(self) -> Verification | None:
        """How the first position, or a fact about the game, differs; None if all is as recorded."""
        expected, found = self.replay.header, self._recorder.header
        if expected.fields == found.fields and expected.hash != found.hash:
            return self._state_differs(0, expected, found)
        # Options that the game has got since then have their defaults: they may differ.
        return _entries_differ(0, "the header", expected, found, ignore=("made_with", "options"))

    def step(self) -> Verification | None:
        """Plays the next turn; how it differs, or None if all is as recorded.

        Where its orders cannot be played, nothing was.
        """
        expected = self.replay.turns[self._played]
        refusal = self._refuse(expected)
        if refusal:
            return Verification(ok=False, turn=expected.number, message=refusal)
        self.batch.buffers.actions[0] = expected.orders
        self.batch.step()
        self._played += 1
        found = self._recorder.record()
        if expected.hash != found.hash:
            return self._state_differs(expected.number, expected, found)
        return _entries_differ(expected.number, f"turn {expected.number}", expected, found)

    def _refuse(self, turn: Turn) -> str:
        """Why a turn cannot be played, or nothing."""
        if self._recorder.ended:
            return f"turn {turn.number}: the game is over after turn {self._played}."
        seats = self.batch.to_act()
        if self.batch.game.is_sequential and seats != [turn.player]:
            agent = self.batch.agents[seats[0]]
            return f"turn {turn.number}: seat {turn.player} has acted, but it is {agent}'s turn."
        for view, (seat, orders) in enumerate(zip(seats, turn.orders, strict=True)):
            for k, order in enumerate(orders):
                legal = np.flatnonzero(self.batch.buffers.masks[0, view, k]).tolist()
                if order not in legal:
                    return (
                        f"turn {turn.number}: order {k} of {self.batch.agents[seat]} is {order}, "
                        f"which is not legal; legal are {legal}."
                    )
        return ""

    def check_footer(self) -> Verification | None:
        """How the end differs, after the last turn; None if all is as recorded."""
        number = len(self.replay.turns)
        if not self._recorder.ended:
            message = f"the replay ends after turn {number}, but the game goes on."
            return Verification(ok=False, turn=number, message=message)
        found = self._recorder.finish().footer
        return _entries_differ(number, "the footer", self.replay.footer, found)

    def _state_differs(
        self, number: int, expected: Header | Turn, found: Header | Turn
    ) -> Verification:
        names = self._recorder.header.fields
        parts = tuple(
            name
            for i, name in enumerate(names)
            if expected.field_hashes[4 * i : 4 * i + 4] != found.field_hashes[4 * i : 4 * i + 4]
        )
        state = self.batch.buffers.states[0]
        values = "; ".join(f"{name} is now {_short(state[name])}" for name in parts)
        where = f"after turn {number}" if number else "at the start"
        return Verification(
            ok=False,
            message=f"the state {where} differs: expected hash {expected.hash}, found {found.hash}"
            f"; {values or 'no field does, so the recorded hash itself was changed'}.",
            turn=number,
            expected=expected.hash,
            found=found.hash,
            fields=parts,
        )


def _short(values: Any) -> str:
    """A field's values in one line, the first few of many."""
    flat = np.asarray(values).ravel().tolist()
    shown = ", ".join(map(str, flat[:24])) + (", ..." if len(flat) > 24 else "")
    return f"[{shown}]" if np.ndim(values) else shown


def _entries_differ(
    number: int, what: str, expected: Any, found: Any, ignore: tuple[str, ...] = ()
) -> Verification | None:
    """The first entry in which two dataclasses of one kind differ."""
    for entry in fields(expected):
        recorded, now = getattr(expected, entry.name), getattr(found, entry.name)
        if entry.name not in ignore and recorded != now:
            message = f"{what} differs: {entry.name} was {recorded}, and is now {now}."
            return Verification(ok=False, turn=number, message=message)
    return None


def verify(
    replay: AnyReplay | str | Path, game: Game[Any, Any] | None = None
) -> Verification | MatchVerification:
    """Plays a game again and compares every position, up to the first difference.

    Args:
        replay: a replay of a kernel game, a match of an object-level game, or the path of either.
        game: the game of a match, which a plain Python game needs; an installed game is found by
            its name.

    Raises:
        ReplayError: if the file cannot be read, see `load`, or its game or version is not there.
    """
    loaded = load_any(replay) if isinstance(replay, str | Path) else replay
    if not isinstance(loaded, Replay):
        return ReplayPlayer(find_game(loaded.header, game)).verify(loaded)
    playback = Playback(loaded)
    difference = playback.check_header()
    for _ in loaded.turns:
        difference = difference or playback.step()
    difference = difference or playback.check_footer()
    if difference is not None:
        return difference
    turns, last = loaded.footer.turns, loaded.footer.hash
    message = f"{loaded.game_id}: {turns} turns play out as recorded; the last state is {last}."
    return Verification(ok=True, message=message)
