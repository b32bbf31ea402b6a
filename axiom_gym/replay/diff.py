"""The first line in which two replays differ, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from axiom_gym.errors import ReplayError
from axiom_gym.game.canonical import StateHash
from axiom_gym.replay.files import AnyReplay
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.match_format import MatchReplay, Step

_HASHES = ("hash", "field_hashes", "fields")


def diff(one: AnyReplay, other: AnyReplay) -> str:
    """How two replays differ first; nothing if they hold the same game.

    Which package wrote them makes no difference.

    Raises:
        ReplayError: if one is of a kernel game and the other of an object-level game.
    """
    if isinstance(one, Replay) and isinstance(other, Replay):
        return next(_compare(one, other, _Kernel), "")
    if isinstance(one, MatchReplay) and isinstance(other, MatchReplay):
        return next(_compare(one, other, _Match), "")
    raise ReplayError(
        "one replay is of a kernel game and the other of an object-level game: their lines cannot "
        "be compared; record both in the same way."
    )


class _Kernel:
    """What lines of a replay of a kernel game hold."""

    unit = "turn"

    @staticmethod
    def lines(replay: Replay) -> tuple[Turn, ...]:
        return replay.turns

    @staticmethod
    def state(replay: Replay, line: Any) -> StateHash:
        return StateHash(line.hash, replay.header.fields, line.field_hashes)

    @staticmethod
    def tell(replay: Replay, one: Turn, other: Turn) -> str:
        """What the players did; nothing if it was the same."""
        if one.player != other.player:
            names = [_name_seat(replay, turn.player) for turn in (one, other)]
            return f"{names[0]} acts in the first, and {names[1]} in the second"
        for place, (orders, others) in enumerate(zip(one.orders, other.orders, strict=True)):
            seat = place if one.player is None else one.player
            for k, (order, against) in enumerate(zip(orders, others, strict=True)):
                if order != against:
                    which = f"order {k} of {_name_seat(replay, seat)}"
                    return f"{which} is {order} in the first, and {against} in the second"
        return ""


class _Match:
    """What lines of a replay of an object-level game hold."""

    unit = "action"

    @staticmethod
    def lines(replay: MatchReplay) -> tuple[Step, ...]:
        return replay.steps

    @staticmethod
    def state(replay: MatchReplay, line: Any) -> StateHash:
        found: StateHash = line.hash
        return found

    @staticmethod
    def tell(replay: MatchReplay, one: Step, other: Step) -> str:
        """What the player did; nothing if it was the same."""
        if one.player != other.player:
            return f"{one.player} acts in the first, and {other.player} in the second"
        if one.type != other.type:
            first, second = (
                "acts" if step.type == "action" else f"gives up ({step.why})"
                for step in (one, other)
            )
            return f"{one.player} {first} in the first, and {second} in the second"
        if one.action != other.action:
            who = f"the action of {one.player}"
            return f"{who} is {one.action} in the first, and {other.action} in the second"
        return ""


def _compare(one: Any, other: Any, kind: Any) -> Iterator[str]:
    """All differences in the order of the lines, of which the first is asked for."""
    yield from _compare_headers(one, other, kind)
    lines, others = kind.lines(one), kind.lines(other)
    for place, (line, against) in enumerate(zip(lines, others, strict=False), start=2):
        where = f"line {place}, {kind.unit} {line.number}"
        told = kind.tell(one, line, against)
        if told:
            yield f"{where}: {told}."
        states = kind.state(one, line), kind.state(other, against)
        if states[0] != states[1]:
            yield f"{where}: both did the same, but {_tell_states(*states)}."
        yield from _compare_entries(where, line, against)
    if len(lines) != len(others):
        shorter, longer = ("second", "first") if len(lines) > len(others) else ("first", "second")
        least = min(len(lines), len(others))
        yield (
            f"line {least + 2}: the {shorter} ends after {kind.unit} {least}, and the {longer} "
            f"goes on to {kind.unit} {max(len(lines), len(others))}."
        )
    yield from _compare_entries(f"line {len(lines) + 2}, the footer", one.footer, other.footer)


def _compare_headers(one: Any, other: Any, kind: Any) -> Iterator[str]:
    first, second, where = one.header, other.header, "line 1, the header"
    for name in ("game", "version"):
        yield from _compare_values(f"{where}: {name}", first, second, name)
    for name in sorted({*first.options, *second.options}):
        a, b = (header.options.get(name, "not there") for header in (first, second))
        if a != b:
            yield f"{where}: option {name} is {a} in the first, and {b} in the second."
    yield from _compare_entries(where, first, second, skip=("made_with", "options"))
    states = kind.state(one, first), kind.state(other, second)
    if states[0] != states[1]:
        yield f"{where}: {_tell_states(*states)}."


def _compare_entries(where: str, one: Any, other: Any, skip: tuple[str, ...] = ()) -> Iterator[str]:
    """The entries of two lines that are no hashes."""
    for entry in fields(one):
        if entry.name not in (*skip, *_HASHES):
            yield from _compare_values(f"{where}: {entry.name}", one, other, entry.name)


def _compare_values(what: str, one: Any, other: Any, name: str) -> Iterator[str]:
    first, second = _show(getattr(one, name)), _show(getattr(other, name))
    if first != second:
        yield f"{what} is {first} in the first, and {second} in the second."


def _show(value: Any) -> str:
    """A value as a line of text: players by id and name, places by rank."""
    if isinstance(value, tuple):
        return ", ".join(map(_show, value)) or "nothing"
    if hasattr(value, "rank"):
        return f"{value.rank}. {value.player.id} ({value.score:g})"
    return f"{value.id} = {value.name}" if hasattr(value, "id") else str(value)


def _tell_states(one: StateHash, other: StateHash) -> str:
    """Which fields of two states differ."""
    before, after = _split(one), _split(other)
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    which = f" in {', '.join(names)}" if names else ""
    return f"the states differ{which}: {one.whole} in the first, and {other.whole} in the second"


def _split(state: StateHash) -> dict[str, str]:
    return {name: state.fields[4 * i : 4 * i + 4] for i, name in enumerate(state.names)}


def _name_seat(replay: Replay, seat: int | None) -> str:
    return "everybody" if seat is None else replay.header.players[seat].id
