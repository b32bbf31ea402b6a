"""Plays a recorded match of an object-level game again, and says where it differs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Generic

from axiom_gym.errors import ReplayError
from axiom_gym.game.canonical import StateHash
from axiom_gym.game.facts import Action, Game, State
from axiom_gym.game.matching import find_equal
from axiom_gym.replay.course import Course, encode
from axiom_gym.replay.match_format import MatchHeader, MatchReplay, Step
from axiom_gym.replay.match_reader import load


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchVerification:
    """Whether a match plays out as recorded, or else where it first differs."""

    ok: bool
    message: str
    """One sentence or several, for people."""
    action: int | None = None
    """The number of the first action that differs; 0 for the header with the first state, and the
    last number also where only the footer differs. None if nothing does."""
    expected: str = ""
    """The recorded digest, where a state differs."""
    found: str = ""
    """The digest of the state as it comes out now."""
    fields: tuple[str, ...] = ()
    """The state's fields that differ; empty also where that cannot be told."""


class MatchPlayback(Generic[State, Action]):
    """A replay's match, played again step by step.

    Attributes:
        replay: what is played.
        course: the match so far.
        action: what was done last, as an object; None after a forfeit.
    """

    def __init__(self, game: Game[State, Action], replay: MatchReplay) -> None:
        """Sets up the first state, with the options and players of the replay.

        Raises:
            ReplayError: if this is not the game, or not the version of its rules.
        """
        refusal = find_refusal(game, replay.header)
        if refusal:
            raise ReplayError(refusal)
        header = replay.header
        self.replay = replay
        self.course = Course(
            game,
            header.players,
            header.options,
            seed=header.seed,
            game_id=header.game_id,
            max_turns=header.max_turns,
        )
        self.action: Action | None = None

    def check_header(self) -> MatchVerification | None:
        """How the first state, or a fact about the match, differs; None if all is as recorded."""
        expected, found = self.replay.header, self.course.header
        return _compare_states(0, expected.hash, found.hash) or _compare(
            0, "the header", expected, found, ignore=("made_with", "hash")
        )

    def step(self) -> MatchVerification | None:
        """Plays the next step; how it differs, or None if all is as recorded.

        Raises:
            ReplayError: if the game cannot tell its actions apart.
        """
        step = self.replay.steps[len(self.course.steps)]
        what = f"action {step.number}"
        played = self._play(step)
        if isinstance(played, str):
            return MatchVerification(ok=False, action=step.number, message=f"{what}: {played}")
        return _compare(step.number, what, step, played, ignore=("hash",)) or _compare_states(
            step.number, step.hash, played.hash
        )

    def _play(self, step: Step) -> Step | str:
        """The step as it comes out now, or why it cannot be played."""
        course = self.course
        if course.reason is not None:
            return f"the match is over after action {step.number - 1}."
        mover, actions = course.get_mover()
        if mover != step.player:
            return f"it is {mover}'s turn, and not {step.player}'s."
        if step.type == "forfeit":
            self.action = None
            return course.forfeit(mover, step.why)
        action = self._find(actions, step)
        if action is None:
            return f"{step.action} is none of the {len(actions)} valid actions of {mover}."
        (self.action,) = action
        return course.take(mover, action[0], step.by, len(actions))

    def _find(self, actions: list[Action], step: Step) -> tuple[Action] | None:
        """The valid action that a line stands for, in a tuple because None may be one."""
        game = self.course.game
        decode = getattr(game, "decode_action", None)
        if decode is not None:
            try:
                given = decode(step.action, self.course.state)
            except Exception:  # whatever a line says that the game cannot read
                return None
            return find_equal(actions, given)
        equal = [action for action in actions if encode(game, action) == step.action]
        if len(equal) > 1:
            raise ReplayError(
                f"action {step.number}: {len(equal)} valid actions read {step.action} as JSON, "
                f"such as {equal[0]!r} and {equal[1]!r}; tell them apart by a field, such as "
                "BaseAction.type, or give the game encode_action() and decode_action()."
            )
        return (equal[0],) if equal else None

    def check_footer(self) -> MatchVerification | None:
        """How the end differs, after the last action; None if all is as recorded."""
        number = len(self.replay.steps)
        if self.course.reason is None:
            message = f"the replay ends after action {number}, but the match goes on."
            return MatchVerification(ok=False, action=number, message=message)
        return _compare(number, "the footer", self.replay.footer, self.course.finish().footer)


class ReplayPlayer(Generic[State, Action]):
    """Plays replays of a game."""

    def __init__(self, game: Game[State, Action]) -> None:
        """For a game; the rules are its, and the options and players are the replay's."""
        self._game = game

    def verify(self, replay: MatchReplay | str | Path) -> MatchVerification:
        """Plays a match again and compares every state, up to the first difference.

        Args:
            replay: a replay, or the path of one.

        Raises:
            ReplayError: if the file cannot be read, or the game cannot tell its actions apart.
        """
        loaded = replay if isinstance(replay, MatchReplay) else load(replay)
        header = loaded.header
        refusal = find_refusal(self._game, header)
        if refusal:
            return MatchVerification(ok=False, action=0, message=refusal)
        playback = MatchPlayback(self._game, loaded)
        difference = playback.check_header()
        for _ in loaded.steps:
            difference = difference or playback.step()
        difference = difference or playback.check_footer()
        if difference is not None:
            return difference
        message = f"{len(loaded.steps)} actions play out as recorded; the last state is "
        return MatchVerification(ok=True, message=f"{header.game}: {message}{loaded.footer.hash}.")


def find_refusal(game: Game[Any, Any], header: MatchHeader) -> str:
    """Why this game cannot play the replay, or nothing."""
    metadata = game.metadata
    recorded, known = (header.game, header.version), (metadata.name, metadata.version)
    if recorded != known:
        return (
            f"the replay is of {header.game!r}, version {header.version}, made with "
            f"{header.made_with}; this is {metadata.name!r}, version {metadata.version}. "
            "Playing it again needs just that version of the rules."
        )
    if not metadata.min_players <= len(header.players) <= metadata.max_players:
        return (
            f"the replay has {len(header.players)} players, and the game is for "
            f"{metadata.min_players} to {metadata.max_players}."
        )
    return ""


def _compare_states(number: int, expected: StateHash, found: StateHash) -> MatchVerification | None:
    if expected == found:
        return None
    parts = _find_fields(expected, found)
    where = f"after action {number}" if number else "at the start"
    which = f"the fields that differ are {', '.join(parts)}" if parts else ""
    if not which and expected.fields == found.fields and found.names:
        which = "no field does, so the recorded digest itself was changed"
    return MatchVerification(
        ok=False,
        action=number,
        message=f"the state {where} differs: expected digest {expected.whole}, found {found.whole}"
        f"{'; ' if which else ''}{which}.",
        expected=expected.whole,
        found=found.whole,
        fields=parts,
    )


def _find_fields(expected: StateHash, found: StateHash) -> tuple[str, ...]:
    """The fields that differ, and those that only one of the states has."""
    before, after = _split(expected), _split(found)
    names = sorted({*before, *after})
    return tuple(name for name in names if before.get(name) != after.get(name))


def _split(hashes: StateHash) -> dict[str, str]:
    return {name: hashes.fields[4 * i : 4 * i + 4] for i, name in enumerate(hashes.names)}


def _compare(
    number: int, what: str, expected: Any, found: Any, ignore: tuple[str, ...] = ()
) -> MatchVerification | None:
    """The first entry in which two dataclasses of one kind differ."""
    for entry in fields(expected):
        recorded, now = getattr(expected, entry.name), getattr(found, entry.name)
        if entry.name not in ignore and recorded != now:
            message = f"{what} differs: {entry.name} was {recorded}, and is now {now}."
            return MatchVerification(ok=False, action=number, message=message)
    return None
