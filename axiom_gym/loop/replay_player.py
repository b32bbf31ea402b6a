"""Plays a recorded match of an object-level game again, and says where it differs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Generic

from axiom_gym.errors import ReplayError
from axiom_gym.game import Action, Game, State
from axiom_gym.loop.canonical import StateHash
from axiom_gym.loop.course import Course, encode
from axiom_gym.loop.matching import find_equal
from axiom_gym.loop.replay_format import MatchHeader, MatchReplay, Step
from axiom_gym.loop.replay_reader import load


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
        refusal = self._refuse(header)
        if refusal:
            return MatchVerification(ok=False, action=0, message=refusal)
        course = Course(
            self._game,
            header.players,
            header.options,
            seed=header.seed,
            game_id=header.game_id,
            max_turns=header.max_turns,
        )
        found = self._check_header(header, course.header)
        for step in loaded.steps:
            found = found or self._check_step(course, step)
        found = found or _check_footer(course, loaded)
        if found is not None:
            return found
        message = f"{len(loaded.steps)} actions play out as recorded; the last state is "
        return MatchVerification(ok=True, message=f"{header.game}: {message}{loaded.footer.hash}.")

    def _refuse(self, header: MatchHeader) -> str:
        """Why this game cannot play the replay, or nothing."""
        metadata = self._game.metadata
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

    def _check_header(self, expected: MatchHeader, found: MatchHeader) -> MatchVerification | None:
        return _compare_states(0, expected.hash, found.hash) or _compare(
            0, "the header", expected, found, ignore=("made_with", "hash")
        )

    def _check_step(self, course: Course[State, Action], step: Step) -> MatchVerification | None:
        """Plays a step; how it differs, or None if all is as recorded."""
        played = self._play(course, step)
        if isinstance(played, str):
            return MatchVerification(
                ok=False, action=step.number, message=f"action {step.number}: {played}"
            )
        what = f"action {step.number}"
        return _compare(step.number, what, step, played, ignore=("hash",)) or _compare_states(
            step.number, step.hash, played.hash
        )

    def _play(self, course: Course[State, Action], step: Step) -> Step | str:
        """The step as it comes out now, or why it cannot be played."""
        if course.reason is not None:
            return f"the match is over after action {step.number - 1}."
        mover, actions = course.get_mover()
        if mover != step.player:
            return f"it is {mover}'s turn, and not {step.player}'s."
        if step.type == "forfeit":
            return course.forfeit(mover, step.why)
        action = self._find(course, actions, step)
        if action is None:
            return f"{step.action} is none of the {len(actions)} valid actions of {mover}."
        return course.take(mover, action[0], step.by, len(actions))

    def _find(
        self, course: Course[State, Action], actions: list[Action], step: Step
    ) -> tuple[Action] | None:
        """The valid action that a line stands for, in a tuple because None may be one."""
        decode = getattr(self._game, "decode_action", None)
        if decode is not None:
            try:
                given = decode(step.action, course.state)
            except Exception:  # whatever a line says that the game cannot read
                return None
            return find_equal(actions, given)
        equal = [action for action in actions if encode(self._game, action) == step.action]
        if len(equal) > 1:
            raise ReplayError(
                f"action {step.number}: {len(equal)} valid actions read {step.action} as JSON, "
                f"such as {equal[0]!r} and {equal[1]!r}; tell them apart by a field, such as "
                "BaseAction.type, or give the game encode_action() and decode_action()."
            )
        return (equal[0],) if equal else None


def _check_footer(course: Course[Any, Any], replay: MatchReplay) -> MatchVerification | None:
    """How the end differs, after the last action; None if all is as recorded."""
    number = len(replay.steps)
    if course.reason is None:
        message = f"the replay ends after action {number}, but the match goes on."
        return MatchVerification(ok=False, action=number, message=message)
    return _compare(number, "the footer", replay.footer, course.finish().footer)


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
