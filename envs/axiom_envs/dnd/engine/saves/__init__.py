"""Worlds and encounters in files, saved at any moment between two events, even during a turn.

    saves.save(encounter, "fight.json")
    encounter = saves.load("fight.json")

A loaded encounter continues exactly as the original would: with the same dice, the same numbers and
UUIDs of objects, and the same legal choices in the same order. Of the event log, only the mode and
the size are saved. Actions that are not in progress are not saved.

Handlers and contextual modifiers are Python code. Those of traits and conditions are restored with
the trait or condition, by name. Others cannot be saved, and the error message names them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.saves.encoding import JSON
from axiom_envs.dnd.engine.saves.reading import load_encounter, load_world
from axiom_envs.dnd.engine.saves.writing import save_encounter, save_world
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import StateError
from axiom_gym.files import replacing

__all__ = ["from_json", "load", "save", "to_json"]


def save(what: World | Encounter, path: str | PathLike[str]) -> None:
    """Write a world, or an encounter with its world, to a file.

    Raises:
        StateError: if something cannot be saved; the message names it, and suggests a remedy.
        OSError: if the file cannot be written; an older file stays unchanged.
    """
    text = json.dumps(to_json(what), separators=(",", ":"))
    with replacing(Path(path)) as file:
        file.write(text.encode())


def load(path: str | PathLike[str]) -> World | Encounter:
    """Return the world or encounter in a file that `save` wrote; its world is not made active.

    Raises:
        StateError: if the save has another format, was made with other data files, or is damaged;
            the message lists all mistakes, one per line.
        OSError: if the file cannot be read.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except ValueError as error:
        raise StateError(f"{path} is not a save: {error}.") from error
    return from_json(data)


def to_json(what: World | Encounter) -> dict[str, JSON]:
    """Return a world or an encounter as data for `json.dumps`; it raises the errors of `save`."""
    return save_encounter(what) if isinstance(what, Encounter) else save_world(what)


def from_json(data: Mapping[str, JSON]) -> World | Encounter:
    """Return the world or encounter that `to_json` was given; it raises the errors of `load`."""
    if isinstance(data, Mapping) and "world" in data:
        return load_encounter(data)
    return load_world(data)
