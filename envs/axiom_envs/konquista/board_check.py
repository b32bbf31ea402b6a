"""The checks of a map file. They report all mistakes at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from axiom_envs.konquista.constants import (
    HEIGHT,
    MAX_ARMIES,
    MAX_BONUS,
    MAX_PLAYERS,
    MAX_REGIONS,
    MAX_TERRITORIES,
    WIDTH,
)

_NAME = re.compile(r"[A-Z][a-z]{1,11}")
_FIELDS = {
    "": ("title", "regions", "territories", "armies"),
    "regions": ("name", "bonus"),
    "territories": ("name", "region", "x", "y", "borders"),
}


def find_mistakes(data: object) -> list[str]:
    """Return every mistake of a map's content as "place: what is wrong"; empty if there is none."""
    mistakes = list(_check_shape(data))
    if mistakes or not isinstance(data, Mapping):
        return mistakes
    return [
        *_check_names(data["regions"], "regions"),
        *_check_names(data["territories"], "territories"),
        *_check_regions(data),
        *_check_borders(data["territories"]),
        *_check_armies(data["armies"], len(data["territories"])),
    ]


# --------------------------------------------------------------------------------------------------
# Fields and their types


def _check_shape(data: object) -> Iterator[str]:
    """Yield missing fields and values of a wrong type, which the other checks cannot handle."""
    if not isinstance(data, Mapping):
        yield "the file: must be an object"
        return
    yield from _check_fields(data, "", _FIELDS[""])
    if "title" in data and (not isinstance(data["title"], str) or not data["title"].strip()):
        yield f"title: must be a string that is not empty, got {data['title']!r}"
    yield from _check_list(data, "regions", MAX_REGIONS)
    yield from _check_list(data, "territories", MAX_TERRITORIES)
    armies = data.get("armies", {})
    if not isinstance(armies, Mapping):
        yield f"armies: must be an object, got {armies!r}"
        return
    for players, counts in armies.items():
        if not isinstance(counts, list):
            yield f"armies.{players}: must be a list, got {counts!r}"
        else:
            for seat, count in enumerate(counts):
                yield from _check_integer(count, f"armies.{players}[{seat}]", 1, MAX_ARMIES)


def _check_fields(entry: Mapping[str, Any], place: str, names: Sequence[str]) -> Iterator[str]:
    prefix = f"{place}." if place else ""
    for name in names:
        if name not in entry:
            yield f"{prefix}{name}: is missing"
    for name in entry:
        if name not in names:
            yield f"{prefix}{name}: is not a known field; the fields are {', '.join(names)}"


def _check_list(data: Mapping[str, Any], field: str, most: int) -> Iterator[str]:
    entries = data.get(field, [{}])
    if field not in data:
        return
    if not isinstance(entries, list) or not 1 <= len(entries) <= most:
        yield f"{field}: must be a list of 1 to {most} entries"
        return
    for number, entry in enumerate(entries):
        place = f"{field}[{number}]"
        if not isinstance(entry, Mapping):
            yield f"{place}: must be an object, got {entry!r}"
            continue
        yield from _check_fields(entry, place, _FIELDS[field])
        yield from _check_values(entry, place)


def _check_values(entry: Mapping[str, Any], place: str) -> Iterator[str]:
    """Yield the wrong types and ranges of the fields of a region or territory."""
    for field in ("name", "region"):
        value = entry.get(field, "Name")
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            yield (
                f"{place}.{field}: must be a capital letter and 1 to 11 lowercase letters, a to z, "
                f"got {value!r}"
            )
    for field, most in (("bonus", MAX_BONUS), ("x", WIDTH), ("y", HEIGHT)):
        yield from _check_integer(entry.get(field, 0), f"{place}.{field}", 0, most)
    borders = entry.get("borders", [])
    if not isinstance(borders, list) or not all(isinstance(name, str) for name in borders):
        yield f"{place}.borders: must be a list of names, got {borders!r}"


def _check_integer(value: object, place: str, low: int, high: int) -> Iterator[str]:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        yield f"{place}: must be an integer from {low} to {high}, got {value!r}"


# --------------------------------------------------------------------------------------------------
# Relations between the fields


def _check_names(entries: Sequence[Mapping[str, Any]], field: str) -> Iterator[str]:
    first: dict[str, int] = {}
    for number, entry in enumerate(entries):
        name = entry["name"]
        if name in first:
            yield f"{field}[{number}].name: {name!r} is also the name of {field}[{first[name]}]"
        first.setdefault(name, number)


def _check_regions(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield territories without a known region, and regions without a territory."""
    names = [region["name"] for region in data["regions"]]
    used = {territory["region"] for territory in data["territories"]}
    for number, territory in enumerate(data["territories"]):
        if territory["region"] not in names:
            yield f"territories[{number}].region: there is no region {territory['region']!r}"
    for number, name in enumerate(names):
        if name not in used:
            yield f"regions[{number}]: {name!r} has no territory"


def _check_borders(territories: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield unknown, repeated and one-sided borders, and territories that cannot be reached."""
    borders = {territory["name"]: territory["borders"] for territory in territories}
    for number, territory in enumerate(territories):
        seen: set[str] = set()
        for place, name in enumerate(territory["borders"]):
            where = f"territories[{number}].borders[{place}]"
            if name not in borders:
                yield f"{where}: there is no territory {name!r}"
            elif name == territory["name"]:
                yield f"{where}: {name!r} borders itself"
            elif name in seen:
                yield f"{where}: {name!r} is listed twice"
            elif territory["name"] not in borders[name]:
                yield f"{where}: {name!r} does not list {territory['name']!r} as a border"
            seen.add(name)
    start = territories[0]["name"]
    reached = _reachable(borders, start)
    for number, territory in enumerate(territories):
        if territory["name"] not in reached:
            yield f"territories[{number}]: {territory['name']!r} cannot be reached from {start!r}"


def _reachable(borders: Mapping[str, Sequence[str]], start: str) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        for name in borders.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def _check_armies(armies: Mapping[str, Sequence[int]], territories: int) -> Iterator[str]:
    """Yield wrong numbers of players or armies; a seat needs an army for each dealt territory."""
    numbers = {str(players): players for players in range(2, MAX_PLAYERS + 1)}
    if not armies:
        yield "armies: must have an entry for at least one number of players"
    for key, counts in armies.items():
        if key not in numbers:
            yield f"armies.{key}: the number of players must be 2 to {MAX_PLAYERS}"
            continue
        players = numbers[key]
        if len(counts) != players:
            yield f"armies.{key}: must have {players} entries, one for each seat, got {len(counts)}"
        if players > territories:
            yield f"armies.{key}: there are fewer territories than players"
        for seat, count in enumerate(counts[:players]):
            dealt = (territories - seat + players - 1) // players
            if count < dealt:
                yield (
                    f"armies.{key}[{seat}]: must be at least {dealt}, the number of territories "
                    f"that this seat is dealt, got {count}"
                )
