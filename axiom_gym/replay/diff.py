"""A description in words of the first line in which two replays differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from axiom_gym.replay.format import Header, Replay, Turn
from axiom_gym.replay.playback import compare_fields

_HASHES = ("hash", "fields", "field_hashes")


def diff(one: Replay, other: Replay) -> str:
    """Return the first difference of two replays; an empty string if they hold the same game.

    The package that wrote them does not matter.
    """
    return next(_compare(one, other), "")


def _compare(one: Replay, other: Replay) -> Iterator[str]:
    """Yield all differences, in the order of the lines."""
    yield from _compare_headers(one.header, other.header)
    for line, against in zip(one.turns, other.turns, strict=False):
        where = f"line {line.number + 1}, turn {line.number}"
        yield from (f"{where}: {text}." for text in _compare_actions(one.header, line, against))
        for text in _compare_states(line, against):
            yield f"{where}: both did the same, but {text}."
        yield from _compare_entries(where, line, against)
    counts = len(one.turns), len(other.turns)
    if counts[0] != counts[1]:
        shorter, longer = ("second", "first") if counts[0] > counts[1] else ("first", "second")
        yield (
            f"line {min(counts) + 2}: the {shorter} ends after turn {min(counts)}, and the "
            f"{longer} continues to turn {max(counts)}."
        )
    yield from _compare_entries(f"line {counts[0] + 2}, the footer", one.footer, other.footer)


def _compare_headers(one: Header, other: Header) -> Iterator[str]:
    where = "line 1, the header"
    for name in ("game", "version"):
        yield from _compare_values(f"{where}: {name}", getattr(one, name), getattr(other, name))
    for name in sorted({*one.options, *other.options}):
        values = [header.options.get(name, "not there") for header in (one, other)]
        yield from _compare_values(f"{where}: option {name}", *values)
    yield from _compare_entries(where, one, other, skip=("made_with", "options"))
    yield from (f"{where}: {text}." for text in _compare_states(one, other))


def _compare_actions(header: Header, one: Turn, other: Turn) -> Iterator[str]:
    """Yield the differences in what the players did."""
    if one.player != other.player:
        names = [_name_seat(header, turn.player) for turn in (one, other)]
        yield f"{names[0]} acts in the first, and {names[1]} in the second"
    elif one.why != other.why:
        ways = [f"forfeits ({turn.why})" if turn.why else "acts" for turn in (one, other)]
        name = _name_seat(header, one.player)
        yield f"{name} {ways[0]} in the first, and {ways[1]} in the second"
    for place, (first, second) in enumerate(zip(one.orders, other.orders, strict=False)):
        what = f"of {_name_seat(header, place if one.player is None else one.player)} is"
        if header.plain and first != second:
            yield f"the action {what} {first} in the first, and {second} in the second"
        elif first != second:
            for k, (mine, theirs) in enumerate(zip(first, second, strict=True)):
                if mine != theirs:
                    yield f"sub-action {k} {what} {mine} in the first, and {theirs} in the second"


def _compare_entries(where: str, one: Any, other: Any, skip: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the entries in which two lines differ, without their hashes."""
    for entry in fields(one):
        if entry.name not in (*skip, *_HASHES):
            values = getattr(one, entry.name), getattr(other, entry.name)
            yield from _compare_values(f"{where}: {entry.name}", *values)


def _compare_values(what: str, one: Any, other: Any) -> Iterator[str]:
    first, second = _show(one), _show(other)
    if first != second:
        yield f"{what} is {first} in the first, and {second} in the second."


def _show(value: Any) -> str:
    """Return a value as one line of text: a player by id and name, a place by its rank."""
    if isinstance(value, tuple):
        return ", ".join(map(_show, value)) or "nothing"
    if hasattr(value, "rank"):
        return f"{value.rank}. {value.player.id} ({value.score:g})"
    if hasattr(value, "id"):
        return f"{value.id} = {value.name}{f', model {value.model}' if value.model else ''}"
    return str(value)


def _compare_states(one: Header | Turn, other: Header | Turn) -> Iterator[str]:
    """Yield the fields in which two states differ, if they do."""
    names = compare_fields(one, other)
    if names or one.hash != other.hash:
        which = f" in {', '.join(names)}" if names else ""
        yield f"the states differ{which}: {one.hash} in the first, and {other.hash} in the second"


def _name_seat(header: Header, seat: int | None) -> str:
    return "everybody" if seat is None else header.players[seat].id
