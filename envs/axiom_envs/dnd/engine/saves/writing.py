"""Worlds and encounters as data for JSON."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.resources
from collections.abc import Mapping
from functools import cache
from typing import Any

from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import Weapon
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.actions import Action
from axiom_envs.dnd.engine.saves.conditions import save_condition
from axiom_envs.dnd.engine.saves.encoding import JSON, encode_modifier
from axiom_envs.dnd.engine.saves.entities import Part, find_trait_parts, save_entity, save_weapon
from axiom_envs.dnd.engine.saves.frames import save_frame
from axiom_envs.dnd.engine.values.modifiers import ContextualModifier, Modifier
from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.dispatch import EventHandler
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import StateError

FORMAT = 2


@cache
def data_fingerprint() -> str:
    """Return 16 hexadecimal digits that change with the built-in data files."""
    folder = importlib.resources.files("axiom_envs.dnd.data")
    found = hashlib.sha256()
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".json"):
            # Line ends are not part of the data: they differ between checkouts.
            found.update(file.name.encode() + b"\0" + b"\n".join(file.read_bytes().splitlines()))
    return found.hexdigest()[:16]


def save_world(world: World) -> dict[str, JSON]:
    """Return a world as data for `json.dumps`.

    Raises:
        StateError: if something cannot be saved; the message names it, and suggests a remedy.
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


def save_encounter(encounter: Encounter) -> dict[str, JSON]:
    """Return an encounter with its world as data for `json.dumps`; errors: see `save_world`."""
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


def _conditions(world: World) -> list[BaseCondition]:
    return [one for one in world.of_type(BaseCondition) if one.is_applied]


Placed = tuple[Modifier, ModifiableValue, str]
"""A modifier, the value that it modifies, and the name of the channel."""


def _sort_parts(world: World) -> tuple[dict[int, list[Part]], list[Placed]]:
    """Return the handlers and modifiers of traits by entity, and those added by hand."""
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
    all_parts: list[Part] = [*world.of_type(Modifier), *world.of_type(EventHandler)]
    for one in all_parts:
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
    """Raise a StateError for a part that is Python code and cannot be restored."""
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
    """Raise a StateError if the save lacks an object of the world."""
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
