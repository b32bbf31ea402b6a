"""Playback of replays, up to the first difference from the recording.

    from axiom_gym import replay
    from axiom_gym.play import match

    match.Match("quantaris", ["random", "greedy"], seed=1).play().save("game.jsonl")
    result = replay.verify("game.jsonl")
    assert result.ok, result.message

`axiom_gym.replay.format` describes the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from axiom_gym.errors import ReplayError
from axiom_gym.game.facts import Action, Game, GameLike, KernelGame, State
from axiom_gym.replay.format import Header, Replay, Turn
from axiom_gym.replay.games import find_game
from axiom_gym.replay.plain_source import PlainSource
from axiom_gym.replay.reader import load

if TYPE_CHECKING:
    from axiom_gym.replay.kernel_source import KernelSource

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of playing a game again: as recorded, or the first difference."""

    ok: bool
    message: str
    """One or more sentences."""
    turn: int | None = None
    """The first turn that differs: 0 for the header with the first state, and the number of the
    last turn if only the footer differs. None if nothing differs."""
    expected: str = ""
    """The recorded hash of the state, if a state differs."""
    found: str = ""
    """The hash of the state as the game plays out now."""
    fields: tuple[str, ...] = ()
    """The state's fields that differ, including those that only one of the states has."""


class Playback:
    """A replay's game, played again turn by turn.

    Attributes:
        replay: the replay.
        source: the game, in the state after the last turn played.
        played: the number of turns played.
    """

    def __init__(self, replay: Replay, game: GameLike | None = None) -> None:
        """Set up the first state.

        Args:
            replay: the replay.
            game: the game, if it is not installed.

        Raises:
            ReplayError: if the game or its version is missing, or the game does not fit the replay.
        """
        self.replay = replay
        found = find_game(replay.header, game)
        self.source = _make_source(replay, found)
        self.played = 0

    @property
    def batch(self) -> Any:
        """The game as a batch of one; kernel games only."""
        return self.source.batch  # type: ignore[union-attr]

    def check_header(self) -> Verification | None:
        """Return how the header or the first state differs; None if all is as recorded."""
        expected, found = self.replay.header, self.source.header
        if expected.hash != found.hash:
            return self._state_differs(0, expected, found)
        # Options that are newer than the replay have their defaults, so the options may differ.
        return _entries_differ(0, "the header", expected, found, ignore=("made_with", "options"))

    def step(self) -> Verification | None:
        """Play the next turn; return how it differs, or None if all is as recorded.

        A turn with a sub-action that cannot be played is not played at all.

        Raises:
            ReplayError: if several actions have the same JSON.
        """
        expected = self.replay.turns[self.played]
        number = expected.number
        found: Turn | str = f"the game is over after turn {self.played}."
        if not self.source.ended:
            found = self.source.play(expected)
        if isinstance(found, str):
            return Verification(ok=False, turn=number, message=f"turn {number}: {found}")
        self.played += 1
        if expected.hash != found.hash:
            return self._state_differs(number, expected, found)
        return _entries_differ(number, f"turn {number}", expected, found, ignore=("asked",))

    def check_footer(self) -> Verification | None:
        """Return how the end differs after the last turn; None if all is as recorded."""
        number = len(self.replay.turns)
        if not self.source.ended:
            message = f"the replay ends after turn {number}, but the game is still in progress."
            return Verification(ok=False, turn=number, message=message)
        found = self.source.finish().footer
        return _entries_differ(number, "the footer", self.replay.footer, found)

    def play_turns(self, prepare: Callable[[], T]) -> Iterator[tuple[Turn, T]]:
        """Play all turns, and yield each after it was played.

        Args:
            prepare: called before each turn; its result is yielded with the turn.

        Raises:
            ReplayError: at the first turn that does not play out as recorded; the turn is yielded
                first if it could be played.
        """
        difference = self.check_header()
        for number, turn in enumerate(self.replay.turns, start=1):
            _refuse(difference)
            before = prepare()
            difference = self.step()
            if self.played < number:
                _refuse(difference)
            yield turn, before
        _refuse(difference or self.check_footer())

    def _state_differs(
        self, number: int, expected: Header | Turn, found: Header | Turn
    ) -> Verification:
        parts = compare_fields(found, expected)
        changes = [f"{name} is now {self._show_field(name, found)}" for name in parts]
        if not parts and found.fields and expected.field_hashes == found.field_hashes:
            changes = ["no field does, so the recorded hash itself was changed"]
        where = f"after turn {number}" if number else "at the start"
        hashes = f"expected hash {expected.hash}, found {found.hash}"
        return Verification(
            ok=False,
            message=f"the state {where} differs: {'; '.join([hashes, *changes])}.",
            turn=number,
            expected=expected.hash,
            found=found.hash,
            fields=parts,
        )

    def _show_field(self, name: str, line: Header | Turn) -> str:
        """Return a field's value in one line; an array is cut after 24 items."""
        if name not in line.fields:
            return "not there"
        values = self.source.show_field(name)
        if not isinstance(values, list):
            return str(values)
        flat = np.asarray(values, object).ravel().tolist()
        shown = ", ".join(map(str, flat[:24])) + (", ..." if len(flat) > 24 else "")
        return f"[{shown}]"


def _make_source(replay: Replay, game: Any) -> KernelSource | PlainSource:
    if not isinstance(game, KernelGame):
        return PlainSource(replay, game)
    from axiom_gym.replay.kernel_source import KernelSource  # imports the compiler

    return KernelSource(replay, game)


def _refuse(difference: Verification | None) -> None:
    """Raise a ReplayError for a difference."""
    if difference is not None:
        raise ReplayError(f"the replay does not play out as recorded: {difference.message}")


def compare_fields(one: Header | Turn, other: Header | Turn) -> tuple[str, ...]:
    """Return the names of the fields in which the states of two lines differ."""
    first, second = (
        {name: line.field_hashes[4 * i : 4 * i + 4] for i, name in enumerate(line.fields)}
        for line in (one, other)
    )
    return tuple(name for name in first | second if first.get(name) != second.get(name))


def _entries_differ(
    number: int, what: str, expected: Any, found: Any, ignore: tuple[str, ...] = ()
) -> Verification | None:
    """Return the first entry in which two dataclasses of one kind differ; None if none does."""
    for entry in fields(expected):
        recorded, now = getattr(expected, entry.name), getattr(found, entry.name)
        if entry.name not in ignore and recorded != now:
            message = f"{what} differs: {entry.name} was {recorded}, and is now {now}."
            return Verification(ok=False, turn=number, message=message)
    return None


def verify(replay: Replay | str | Path, game: GameLike | None = None) -> Verification:
    """Play a game again, and compare every state up to the first difference.

    Args:
        replay: a replay, or the path of one.
        game: the game, if it is not installed, such as a plain Python game.

    Raises:
        ReplayError: if the file cannot be read, see `load`, or its game or version is missing.
    """
    loaded = replay if isinstance(replay, Replay) else load(replay, game)
    playback = Playback(loaded, game)
    difference = playback.check_header()
    for _ in loaded.turns:
        difference = difference or playback.step()
    difference = difference or playback.check_footer()
    if difference is not None:
        return difference
    turns, last = loaded.footer.turns, loaded.footer.hash
    message = f"{loaded.game_id}: {turns} turns play out as recorded; the last state is {last}."
    return Verification(ok=True, message=message)


class ReplayPlayer(Generic[State, Action]):
    """Plays replays of one game, as `verify(replay, game)` does."""

    def __init__(self, game: Game[State, Action]) -> None:
        """Take the rules from the game; options and players come from the replays."""
        self._game = game

    def verify(self, replay: Replay | str | Path) -> Verification:
        """Play a game again, and compare every state; see `axiom_gym.replay.verify`."""
        return verify(replay, self._game)
