"""Replays: record a game, save and load it, play it again, and say where it differs.

    from axiom_gym import replay
    from axiom_gym.play import match

    match.Match("quantaris", ["random", "greedy"], seed=1).play().save("game.jsonl")
    result = replay.verify("game.jsonl")
    assert result.ok, result.message

The form of the file stands in `axiom_gym.replay.format`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from axiom_gym.game.facts import Action, Game, GameLike, KernelGame, State
from axiom_gym.replay.format import Header, Replay, Turn
from axiom_gym.replay.games import find_game
from axiom_gym.replay.plain_source import PlainSource
from axiom_gym.replay.reader import load

if TYPE_CHECKING:
    from axiom_gym.replay.kernel_source import KernelSource


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
    """The state's fields that differ, and those that only one of the states has."""


class Playback:
    """A replay's game, played again turn by turn.

    Attributes:
        replay: what is played.
        source: the game; its position is that after the last turn played.
        played: how many turns were played.
    """

    def __init__(self, replay: Replay, game: GameLike | None = None) -> None:
        """Set up the first position.

        Args:
            replay: what to play.
            game: the game, which is needed if it is none that is installed.

        Raises:
            ReplayError: if the game or its version is not there, or does not fit.
        """
        self.replay = replay
        found = find_game(replay.header, game)
        self.source = _make_source(replay, found)
        self.played = 0

    @property
    def batch(self) -> Any:
        """The game as a batch of one; only of a kernel."""
        return self.source.batch  # type: ignore[union-attr]

    def check_header(self) -> Verification | None:
        """Return how the first position, or a fact, differs; None if all is as recorded."""
        expected, found = self.replay.header, self.source.header
        if expected.hash != found.hash:
            return self._state_differs(0, expected, found)
        # Options that the game has got since then have their defaults: they may differ.
        return _entries_differ(0, "the header", expected, found, ignore=("made_with", "options"))

    def step(self) -> Verification | None:
        """Play the next turn; return how it differs, or None if all is as recorded.

        Where its orders cannot be played, nothing was.

        Raises:
            ReplayError: if the game cannot tell its actions apart.
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
        return _entries_differ(number, f"turn {number}", expected, found)

    def check_footer(self) -> Verification | None:
        """Return how the end differs, after the last turn; None if all is as recorded."""
        number = len(self.replay.turns)
        if not self.source.ended:
            message = f"the replay ends after turn {number}, but the game goes on."
            return Verification(ok=False, turn=number, message=message)
        found = self.source.finish().footer
        return _entries_differ(number, "the footer", self.replay.footer, found)

    def _state_differs(
        self, number: int, expected: Header | Turn, found: Header | Turn
    ) -> Verification:
        before, after = split_hashes(expected), split_hashes(found)
        names = dict.fromkeys((*after, *before))
        parts = tuple(name for name in names if before.get(name) != after.get(name))
        told = [f"{name} is now {_short(self.source, name, after)}" for name in parts]
        if not parts and after and expected.field_hashes == found.field_hashes:
            told = ["no field does, so the recorded hash itself was changed"]
        where = f"after turn {number}" if number else "at the start"
        hashes = f"expected hash {expected.hash}, found {found.hash}"
        return Verification(
            ok=False,
            message=f"the state {where} differs: {'; '.join([hashes, *told])}.",
            turn=number,
            expected=expected.hash,
            found=found.hash,
            fields=parts,
        )


def _make_source(replay: Replay, game: Any) -> KernelSource | PlainSource:
    if not isinstance(game, KernelGame):
        return PlainSource(replay, game)
    from axiom_gym.replay.kernel_source import KernelSource  # imports the compiler

    return KernelSource(replay, game)


def split_hashes(line: Header | Turn) -> dict[str, str]:
    """Return the hash of each field of a line's state."""
    return {name: line.field_hashes[4 * i : 4 * i + 4] for i, name in enumerate(line.fields)}


def _short(source: KernelSource | PlainSource, name: str, present: dict[str, str]) -> str:
    """Return a field's values in one line, the first few of many."""
    if name not in present:
        return "not there"
    values = source.show_field(name)
    if not isinstance(values, list):
        return str(values)
    flat = np.asarray(values, object).ravel().tolist()
    shown = ", ".join(map(str, flat[:24])) + (", ..." if len(flat) > 24 else "")
    return f"[{shown}]"


def _entries_differ(
    number: int, what: str, expected: Any, found: Any, ignore: tuple[str, ...] = ()
) -> Verification | None:
    """Return the first entry in which two dataclasses of one kind differ."""
    for entry in fields(expected):
        recorded, now = getattr(expected, entry.name), getattr(found, entry.name)
        if entry.name not in ignore and recorded != now:
            message = f"{what} differs: {entry.name} was {recorded}, and is now {now}."
            return Verification(ok=False, turn=number, message=message)
    return None


def verify(replay: Replay | str | Path, game: GameLike | None = None) -> Verification:
    """Play a game again and compare every position, up to the first difference.

    Args:
        replay: a replay, or the path of one.
        game: the game, if it is none that is installed, such as a plain Python one.

    Raises:
        ReplayError: if the file cannot be read, see `load`, or its game or version is not there.
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
    """Plays replays of a game that is at hand, as `verify(replay, game)` does."""

    def __init__(self, game: Game[State, Action]) -> None:
        """Take the rules from this game, and options and players from the replays."""
        self._game = game

    def verify(self, replay: Replay | str | Path) -> Verification:
        """Play a game again and compare every position; see `axiom_gym.replay.verify`."""
        return verify(replay, self._game)
