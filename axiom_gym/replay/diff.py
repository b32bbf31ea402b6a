"""The first line in which two replays differ, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from axiom_gym.replay.format import Header, Replay, Turn
from axiom_gym.replay.playback import split_hashes

_HASHES = ("hash", "fields", "field_hashes")


def diff(one: Replay, other: Replay) -> str:
    """Return how two replays differ first; nothing if they hold the same game.

    It makes no difference which package wrote them.
    """
    return next(_compare(one, other), "")


def _compare(one: Replay, other: Replay) -> Iterator[str]:
    """Yield all differences in the order of the lines."""
    yield from _compare_headers(one.header, other.header)
    for line, against in zip(one.turns, other.turns, strict=False):
        where = f"line {line.number + 1}, turn {line.number}"
        yield from (f"{where}: {told}." for told in _compare_orders(one.header, line, against))
        told = _compare_states(line, against)
        if told:
            yield f"{where}: both did the same, but {told}."
        yield from _compare_entries(where, line, against)
    counts = len(one.turns), len(other.turns)
    if counts[0] != counts[1]:
        shorter, longer = ("second", "first") if counts[0] > counts[1] else ("first", "second")
        yield (
            f"line {min(counts) + 2}: the {shorter} ends after turn {min(counts)}, and the "
            f"{longer} goes on to turn {max(counts)}."
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
    told = _compare_states(one, other)
    if told:
        yield f"{where}: {told}."


def _compare_orders(header: Header, one: Turn, other: Turn) -> Iterator[str]:
    """Yield what the players did differently."""
    if one.player != other.player:
        names = [_name_seat(header, turn.player) for turn in (one, other)]
        yield f"{names[0]} acts in the first, and {names[1]} in the second"
    elif one.why != other.why:
        ways = [f"gives up ({turn.why})" if turn.why else "acts" for turn in (one, other)]
        name = _name_seat(header, one.player)
        yield f"{name} {ways[0]} in the first, and {ways[1]} in the second"
    for place, (orders, others) in enumerate(zip(one.orders, other.orders, strict=False)):
        name = _name_seat(header, place if one.player is None else one.player)
        if header.plain and orders != others:
            yield f"the action of {name} is {orders} in the first, and {others} in the second"
        elif orders != others:
            pairs = enumerate(zip(orders, others, strict=True))
            k, pair = next((k, pair) for k, pair in pairs if pair[0] != pair[1])
            yield f"order {k} of {name} is {pair[0]} in the first, and {pair[1]} in the second"


def _compare_entries(where: str, one: Any, other: Any, skip: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the entries of two lines that differ and are no hashes."""
    for entry in fields(one):
        if entry.name not in (*skip, *_HASHES):
            values = getattr(one, entry.name), getattr(other, entry.name)
            yield from _compare_values(f"{where}: {entry.name}", *values)


def _compare_values(what: str, one: Any, other: Any) -> Iterator[str]:
    first, second = _show(one), _show(other)
    if first != second:
        yield f"{what} is {first} in the first, and {second} in the second."


def _show(value: Any) -> str:
    """Return a value as a line of text: players by id and name, places by rank."""
    if isinstance(value, tuple):
        return ", ".join(map(_show, value)) or "nothing"
    if hasattr(value, "rank"):
        return f"{value.rank}. {value.player.id} ({value.score:g})"
    if hasattr(value, "id"):
        return f"{value.id} = {value.name}{f', model {value.model}' if value.model else ''}"
    return str(value)


def _compare_states(one: Header | Turn, other: Header | Turn) -> str:
    """Return which fields of two states differ; nothing if they are equal."""
    before, after = split_hashes(one), split_hashes(other)
    if (one.hash, before) == (other.hash, after):
        return ""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    which = f" in {', '.join(names)}" if names else ""
    return f"the states differ{which}: {one.hash} in the first, and {other.hash} in the second"


def _name_seat(header: Header, seat: int | None) -> str:
    return "everybody" if seat is None else header.players[seat].id
