"""Worlds and encounters, restored from the data of `writing`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.saves.conditions import load_condition, put_back
from axiom_envs.dnd.engine.saves.encoding import JSON, Reader
from axiom_envs.dnd.engine.saves.entities import load_shell, load_state, load_traits, load_weapon
from axiom_envs.dnd.engine.saves.frames import load_frame
from axiom_envs.dnd.engine.saves.writing import FORMAT, data_fingerprint
from axiom_envs.dnd.engine.values.modifiers import Modifier
from axiom_envs.dnd.engine.values.values import Channel, ModifiableValue
from axiom_envs.dnd.engine.world.dispatch import Dispatcher, EventHandler
from axiom_envs.dnd.engine.world.events import Event
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import StateError

if TYPE_CHECKING:
    from axiom_envs.dnd.data.fields import Entry
    from axiom_envs.dnd.engine.saves.models import SavedEncounter, SavedModifier, SavedWorld

E = TypeVar("E", bound=Event)
T = TypeVar("T")
FIRST_FREE = 2**51
"""The first temporary number. Objects have temporary numbers until all are loaded."""


class _CancelingDispatcher(Dispatcher):
    """The dispatcher of a world being loaded, which cancels every event."""

    __slots__ = ()

    def post(self, event: E) -> E:
        return event if event.canceled else event.cancel("the world is being loaded")


def load_world(data: Mapping[str, JSON]) -> World:
    """Return the world that `save_world` wrote; it is not the active one.

    Raises:
        StateError: if the save has another format, was made with other data files, or is damaged;
            the message lists all mistakes, one per line.
    """
    saved = _parse(data, data, "SavedWorld")
    return _finish(*_load_world(saved), saved)


def load_encounter(data: Mapping[str, JSON]) -> Encounter:
    """Return the encounter that `save_encounter` wrote; it raises the errors of `load_world`."""
    saved = _parse(
        data, data.get("world", {}) if isinstance(data, Mapping) else {}, "SavedEncounter"
    )
    world, reader = _load_world(saved.world)
    with world, reader.at("encounter"):
        encounter = _load_encounter(saved, world, reader)
    _finish(world, reader, saved.world)
    return encounter


def _parse(data: object, world: object, model: str) -> Any:
    """Check a save against its model; `world` is the part that holds the format."""
    from axiom_envs.dnd.engine.saves import models as save_models

    if not isinstance(data, Mapping) or not isinstance(world, Mapping) or "format" not in world:
        raise StateError(f"this is not a save: {data!r:.60}. Use the result of `saves.to_json`.")
    if world["format"] != FORMAT:
        raise StateError(f"the save has the format {world['format']!r}; {FORMAT} is supported.")
    if world.get("data") != data_fingerprint():
        raise StateError(
            f"the save was made with other data files ({world.get('data')!r}, and here "
            f"{data_fingerprint()!r}): load it with the version that made it."
        )
    kind: type[Entry] = getattr(save_models, model)
    try:
        text = json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise StateError(f"the save is not JSON: {error}.") from error
    found, mistakes = kind.parse(text)
    reader = Reader()
    reader.mistakes = [f"{_place(path)}: {message}" for path, message in mistakes]
    reader.raise_if_any()
    return found


def _place(path: tuple[int | str, ...]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _load_world(saved: SavedWorld) -> tuple[World, Reader]:
    """Return a world in which events are canceled, and the reader with its objects."""
    from axiom_envs.dnd.grid import Grid

    reader = Reader()
    world = World()
    with reader.at("world"):
        options: dict[str, Any] = dict(saved.options)
        world = World(
            saved.seed, log=saved.log, log_size=saved.log_size, options=Options(**options)
        )
        world.grid = None if saved.grid is None else Grid.load(saved.grid)
    reader.raise_if_any()
    world.events = _CancelingDispatcher(world)
    world.count = FIRST_FREE
    with world:
        _each(reader, "entities", saved.entities, lambda one: load_shell(one, world, reader))
        _each(reader, "weapons", saved.weapons, lambda one: load_weapon(one, world, reader))
        _each(reader, "entities", saved.entities, lambda one: load_traits(one, reader))
        _each(reader, "conditions", saved.conditions, lambda one: load_condition(one, reader))
        _each(reader, "conditions", saved.conditions, lambda one: put_back(one, reader))
        _each(reader, "modifiers", saved.modifiers, lambda one: _load_modifier(one, reader))
        _each(reader, "entities", saved.entities, lambda one: load_state(one, reader))
        _list_conditions(saved, reader)
    return world, reader


def _each(reader: Reader, name: str, entries: list[T], load: Callable[[T], object]) -> None:
    """Load all entries of a list; if one has a mistake, raise all mistakes after the last entry."""
    for k, entry in enumerate(entries):
        with reader.at(f"{name}[{k}]"):
            load(entry)
    reader.raise_if_any()


def _load_modifier(saved: SavedModifier, reader: Reader) -> None:
    value = reader.find(saved.value, ModifiableValue)
    modifier = reader.read(saved.modifier, Modifier)
    channel: Channel = getattr(value, saved.channel)
    reader.keep(saved.number, channel.add(modifier))


def _list_conditions(saved: SavedWorld, reader: Reader) -> None:
    for k, one in enumerate(saved.entities):
        with reader.at(f"entities[{k}].conditions"):
            reader.find(one.number, Entity).conditions = {
                name: [reader.find(number, BaseCondition) for number in numbers]
                for name, numbers in one.conditions
            }
            listed = sorted(number for _, numbers in one.conditions for number in numbers)
            known = [other.number for other in saved.conditions if other.target == one.number]
            if listed != known:
                raise StateError(f"the conditions {listed} are listed, and there are {known}.")


def _load_encounter(saved: SavedEncounter, world: World, reader: Reader) -> Encounter:
    encounter = Encounter(
        world,
        round_limit=saved.round_limit,
        asks_reactions=saved.asks_reactions,
        surprised=saved.surprised,
    )
    encounter.fighters = [reader.find(number, Entity) for number in saved.fighters]
    encounter.sides = tuple(saved.sides)
    encounter.order = [reader.find(number, Entity) for number in saved.order]
    encounter.initiative = dict(saved.initiative)
    encounter.round, encounter.turn = saved.round, saved.turn
    encounter.decisions = saved.decisions
    encounter.winner, encounter.over = saved.winner, saved.over
    encounter.stack = [load_frame(frame, reader) for frame in saved.stack]
    if encounter.round and saved.turn >= len(encounter.order):
        raise StateError(f"turn {saved.turn} of {len(encounter.order)}.")
    return encounter


def _finish(world: World, reader: Reader, saved: SavedWorld) -> World:
    """Give every object its saved number, and stop canceling events."""
    for number, one in reader.objects.items():
        object.__setattr__(one, "number", number)  # an applied condition rejects normal setting
    _check_numbers(world, reader, saved)
    reader.raise_if_any()
    world.objects = dict(sorted((one.number, one) for one in world.objects.values()))
    for value in world.of_type(ModifiableValue):
        for _, channel in value.channels():
            channel.modifiers.sort(key=lambda modifier: modifier.number)
    world.rng.state = saved.rng
    world.count = saved.count
    world.events = Dispatcher(world)
    for handler in world.of_type(EventHandler):
        world.events.add(handler)
    return world


def _check_numbers(world: World, reader: Reader, saved: SavedWorld) -> None:
    for one in world.objects.values():
        if one.number > saved.count:
            name = getattr(one, "name", "")
            reader.mistakes.append(
                f"a {type(one).__name__} {name!r} has the number {one.number}, but only "
                f"{saved.count} were given out."
            )
