"""Worlds and encounters in files, at any moment between two events: in the middle of a turn too.

    saves.save(encounter, "fight.json")
    encounter = saves.load("fight.json")

What is loaded goes on exactly as the original would: with the same dice, the same numbers and UUIDs
of objects, the same legal choices in the same order. What has happened, the event log, is not
saved: only its mode and size are. Not saved either are actions that are not under way.

Handlers and contextual modifiers are Python code. Those of traits and conditions come back with
these, by name; those put somewhere by hand cannot be saved, and the error names them.
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
        StateError: for what cannot be saved; the message names it, and says what can be done.
        OSError: if the file cannot be written; an older one stays as it was.
    """
    text = json.dumps(to_json(what), separators=(",", ":"))
    with replacing(Path(path)) as file:
        file.write(text.encode())


def load(path: str | PathLike[str]) -> World | Encounter:
    """Return what `save` wrote: a world, or an encounter. Its world is not the active one.

    Raises:
        StateError: for a save of another format or of other data files, and for a damaged one: with
            all its mistakes, one per line.
        OSError: if the file cannot be read.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except ValueError as error:
        raise StateError(f"{path} is no save: {error}.") from error
    return from_json(data)


def to_json(what: World | Encounter) -> dict[str, JSON]:
    """Return a world or an encounter as `json.dumps` takes it; errors as of `save`."""
    return save_encounter(what) if isinstance(what, Encounter) else save_world(what)


def from_json(data: Mapping[str, JSON]) -> World | Encounter:
    """Return the world or the encounter that `to_json` was given; errors as of `load`."""
    if isinstance(data, Mapping) and "world" in data:
        return load_encounter(data)
    return load_world(data)
