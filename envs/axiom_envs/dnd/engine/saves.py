"""Worlds and encounters as JSON, at any moment between two events: in the middle of a turn too.

    text = json.dumps(encounter.save())
    encounter = Encounter.load(json.loads(text))

What is loaded goes on exactly as the original would: with the same dice, the same numbers and UUIDs
of objects, the same legal choices in the same order. What has happened, the event log, is not
saved: only its mode and size are. Not saved either are actions that are not under way.

Handlers and contextual modifiers are Python code. Those of traits and conditions come back with
these, by name; those put somewhere by hand cannot be saved, and the error names them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.resources
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from axiom_envs.dnd.engine.actions import Action
from axiom_envs.dnd.engine.conditions import BaseCondition
from axiom_envs.dnd.engine.dispatch import Dispatcher, EventHandler
from axiom_envs.dnd.engine.encounter import Encounter
from axiom_envs.dnd.engine.entity import Entity
from axiom_envs.dnd.engine.equipment import Weapon
from axiom_envs.dnd.engine.events import Event
from axiom_envs.dnd.engine.modifiers import ContextualModifier, Modifier
from axiom_envs.dnd.engine.options import Options
from axiom_envs.dnd.engine.save_conditions import load_condition, put_back, save_condition
from axiom_envs.dnd.engine.save_entities import (
    Part,
    find_trait_parts,
    load_shell,
    load_state,
    load_traits,
    load_weapon,
    save_entity,
    save_weapon,
)
from axiom_envs.dnd.engine.save_frames import load_frame, save_frame
from axiom_envs.dnd.engine.save_values import JSON, Reader, encode_modifier
from axiom_envs.dnd.engine.values import Channel, ModifiableValue
from axiom_envs.dnd.engine.world import BaseObject, World
from axiom_gym.errors import StateError

if TYPE_CHECKING:
    from axiom_envs.dnd.data.fields import Entry
    from axiom_envs.dnd.engine.save_models import SavedEncounter, SavedModifier, SavedWorld

E = TypeVar("E", bound=Event)
EntryT = TypeVar("EntryT", bound="Entry")

FORMAT = 1
FIRST_FREE = 2**51
"""Objects that are being loaded have numbers from here on, until they get those of the save."""
STATIC = ("self_static", "to_target_static")


@cache
def data_fingerprint() -> str:
    """16 hexadecimal digits that change with the built-in data files."""
    folder = importlib.resources.files("axiom_envs.dnd.data")
    found = hashlib.sha256()
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".json"):
            # Line ends are no part of the data: a checkout may have others.
            found.update(file.name.encode() + b"\0" + b"\n".join(file.read_bytes().splitlines()))
    return found.hexdigest()[:16]


# -- writing ---------------------------------------------------------------------------------------


def save_world(world: World) -> dict[str, JSON]:
    """A world as what `json.dumps` takes.

    Raises:
        StateError: for what cannot be saved; the message names it, and says what can be done.
    """
    if world.events.current is not None:
        raise StateError(
            f"an event is being handled ({world.events.current.explain()}): save when it is over."
        )
    trait_parts, by_hand = _sort_parts(world)
    saved = {
        "format": FORMAT,
        "data": data_fingerprint(),
        "seed": world.seed,
        "rng": world.rng.state,
        "count": world.count,
        "log": world.log.mode,
        "log_size": world.log.size,
        "options": dataclasses.asdict(world.options),
        "grid": None if world.grid is None else world.grid.save(),
        "entities": [save_entity(one, trait_parts[one.number]) for one in world.entities],
        "weapons": [save_weapon(one) for one in world.of_type(Weapon)],
        "modifiers": [_save_modifier(*found) for found in by_hand],
        "conditions": [save_condition(one) for one in _conditions(world)],
    }
    _check_all_saved(world, saved)
    return saved


def _conditions(world: World) -> list[BaseCondition]:
    return [one for one in world.of_type(BaseCondition) if one.is_applied]


Placed = tuple[Modifier, ModifiableValue, str]
"""A modifier, the value that it stands on, and the name of the channel."""


def _sort_parts(world: World) -> tuple[dict[int, list[Part]], list[Placed]]:
    """Handlers and modifiers that no condition has made: those of traits by entity, and others."""
    of_conditions = {
        id(part) for one in _conditions(world) for part in (*one.modifiers, *one.handlers)
    }
    places = {
        id(modifier): (modifier, value, name)
        for value in world.of_type(ModifiableValue)
        for name, channel in value.channels()
        for modifier in channel.modifiers
    }
    parts: dict[Entity | None, list[Part]] = {}
    for one in (*world.of_type(Modifier), *world.of_type(EventHandler)):
        if id(one) not in of_conditions:
            owner = one.owner if isinstance(one, EventHandler) else places[id(one)][1].owner
            parts.setdefault(owner, []).append(one)
    of_traits, by_hand = {}, parts.pop(None, [])
    for entity in world.entities:
        of_traits[entity.number], rest = find_trait_parts(entity, parts.pop(entity, []))
        by_hand += rest
    for one in by_hand:
        _refuse_code(one)
    found = [places[id(one)] for one in by_hand]
    return of_traits, sorted(found, key=lambda placed: placed[0].number)


def _refuse_code(part: Part) -> None:
    """Raises a StateError for what is Python code that nothing brings back."""
    if isinstance(part, EventHandler):
        raise StateError(
            f"the handler {part.describe()} was registered by hand, and cannot be saved: let a "
            "condition do so in its _apply, or a trait."
        )
    if isinstance(part, ContextualModifier):
        encode_modifier(part)


def _save_modifier(modifier: Modifier, value: ModifiableValue, channel: str) -> dict[str, JSON]:
    return {
        "number": modifier.number,
        "value": value.number,
        "channel": channel,
        "modifier": encode_modifier(modifier),
    }


def _check_all_saved(world: World, saved: Mapping[str, Any]) -> None:
    """Raises a StateError for an object of the world that the save does not hold."""
    held: set[int] = set()
    for one in saved["entities"]:
        held.update(range(one["number"], one["number"] + one["parts"]))
        held.update(one["made"].values(), one["trait_parts"])
    for one in saved["weapons"]:
        held.update([one["number"]], (number for number, _ in one["values"].values()))
    for one in saved["conditions"]:
        held.update([one["number"]], one["handlers"], (number for number, _ in one["modifiers"]))
    held.update(one["number"] for one in saved["modifiers"])
    for number, thing in world.objects.items():
        if number not in held and not isinstance(thing, Action):
            raise StateError(
                f"a {type(thing).__name__} ({number}) belongs to no entity, and cannot be saved: "
                "`world.forget` it, or give it to an entity."
            )


def save_encounter(encounter: Encounter) -> dict[str, JSON]:
    """An encounter with its world; errors as of `save_world`."""
    return {
        "world": save_world(encounter.world),
        "fighters": [one.number for one in encounter.fighters],
        "sides": list(encounter.sides),
        "order": [one.number for one in encounter.order],
        "initiative": [list(pair) for pair in encounter.initiative.items()],
        "round": encounter.round,
        "turn": encounter.turn,
        "decisions": encounter.decisions,
        "round_limit": encounter.round_limit,
        "asks_reactions": encounter.asks_reactions,
        "surprised": list(encounter.surprised),
        "winner": encounter.winner,
        "over": encounter.over,
        "stack": [save_frame(frame) for frame in encounter.stack],
    }


# -- reading ---------------------------------------------------------------------------------------


class _Stillness(Dispatcher):
    """While a world is loaded nothing happens in it: every event is canceled."""

    __slots__ = ()

    def post(self, event: E) -> E:
        return event if event.canceled else event.cancel("the world is being loaded")


def load_world(data: Mapping[str, JSON]) -> World:
    """The world that `save_world` wrote; it is not active.

    Raises:
        StateError: for a save of another format or of other data files, and for a damaged one: with
            all its mistakes, one per line.
    """
    saved = _parse(data, data, "SavedWorld")
    return _finish(*_load_world(saved), saved)


def load_encounter(data: Mapping[str, JSON]) -> Encounter:
    """The encounter that `save_encounter` wrote; errors as of `load_world`."""
    saved = _parse(
        data, data.get("world", {}) if isinstance(data, Mapping) else {}, "SavedEncounter"
    )
    world, reader = _load_world(saved.world)
    with world, reader.at("encounter"):
        encounter = _load_encounter(saved, world, reader)
    _finish(world, reader, saved.world)
    return encounter


def _parse(data: object, world: object, model: str) -> Any:
    """The save in its shape; `world` is the part of it with the format."""
    from axiom_envs.dnd.engine import save_models

    if not isinstance(data, Mapping) or not isinstance(world, Mapping) or "format" not in world:
        raise StateError(f"this is no save, but {data!r:.60}: use what `save` gave.")
    if world["format"] != FORMAT:
        raise StateError(f"the save has the format {world['format']!r}; {FORMAT} can be read.")
    if world.get("data") != data_fingerprint():
        raise StateError(
            f"the save was made with other data files ({world.get('data')!r}, and here "
            f"{data_fingerprint()!r}): load it with the version that made it."
        )
    kind: type[Entry] = getattr(save_models, model)
    try:
        text = json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise StateError(f"the save is no JSON: {error}.") from error
    found, mistakes = kind.parse(text)
    reader = Reader()
    reader.mistakes = [f"{_place(path)}: {message}" for path, message in mistakes]
    reader.raise_if_any()
    return found


def _place(path: tuple[int | str, ...]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _load_world(saved: SavedWorld) -> tuple[World, Reader]:
    """A world in which nothing happens yet, and what was made of which number."""
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
    world.events = _Stillness(world)
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


T = TypeVar("T")


def _each(reader: Reader, name: str, entries: list[T], load: Callable[[T], object]) -> None:
    """Loads all entries of a list; with mistakes among them, nothing after it is loaded."""
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
    """Everything gets the number that it had; from here on events take place."""
    for number, one in reader.objects.items():
        object.__setattr__(one, "number", number)  # an applied condition refuses to be changed
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
