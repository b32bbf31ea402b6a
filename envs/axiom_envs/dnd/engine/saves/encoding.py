"""The encoding of values that JSON cannot express.

Numbers, strings, lists and None are stored as they are. Everything else is an object whose key "$"
names its kind. Classes and functions are stored by name, "module:name". Names are looked up only in
modules that are already imported, so a save cannot make a program import anything.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from types import FunctionType
from typing import Any, TypeVar

from axiom_envs.dnd.engine.creature.durations import Duration, DurationType, Moment
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile
from axiom_envs.dnd.engine.values.modifiers import ContextualModifier, Modifier
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_gym.errors import AxiomError, StateError

T = TypeVar("T")
JSON = Any
"""A value that `json.dumps` accepts and `json.loads` returns."""

KIND = "$"


# -- writing ---------------------------------------------------------------------------------------


def encode(value: Any) -> JSON:
    """Encode a value as JSON.

    Raises:
        StateError: if the value cannot be saved; the message suggests a remedy.
    """
    if isinstance(value, Enum):
        return {KIND: "enum", "class": name_of(type(value)), "name": value.name}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [encode(one) for one in value]
    if isinstance(value, tuple | set | frozenset):
        return _encode_group(value)
    if isinstance(value, Mapping):
        return {KIND: "dict", "items": [[encode(key), encode(value[key])] for key in value]}
    if isinstance(value, BaseObject):
        return _encode_object(value)
    if isinstance(value, Duration):
        return _encode_duration(value)
    if isinstance(value, type | FunctionType):
        return {KIND: "named", "name": name_of(value)}
    if dataclasses.is_dataclass(value):
        return _encode_data(value)
    raise StateError(
        f"{value!r} cannot be saved: use numbers, texts, tuples, enumerations, dataclasses, "
        "entities, conditions, or a function of a module."
    )


def _encode_group(value: Any) -> JSON:
    items = [encode(one) for one in value]
    if isinstance(value, tuple):
        return {KIND: "tuple", "items": items}
    # The order of a set is arbitrary; sorting makes saves of equal worlds equal.
    return {KIND: type(value).__name__, "items": sorted(items, key=json.dumps)}


def _encode_object(value: BaseObject) -> JSON:
    if value.number and value.world.objects.get(value.number) is value:
        return {KIND: "object", "number": value.number}
    if isinstance(value, Modifier):
        return encode_modifier(value)
    raise StateError(f"{value!r} is no longer in the world, and cannot be saved.")


def encode_modifier(modifier: Modifier) -> JSON:
    """Encode a static modifier.

    Raises:
        StateError: for a contextual modifier, because its callable cannot be saved.
    """
    if isinstance(modifier, ContextualModifier):
        raise StateError(
            f"the contextual modifier {modifier.name!r} was added by hand, and cannot be saved: "
            "let a condition add it in its _apply."
        )
    fields = {name: encode(getattr(modifier, name)) for name in fields_of(type(modifier))}
    return {KIND: "modifier", "class": name_of(type(modifier)), "fields": fields}


def fields_of(kind: type[Modifier]) -> tuple[str, ...]:
    """Return the names of the fields of a modifier class: its constructor's parameters."""
    return tuple(inspect.signature(kind).parameters)


def _encode_duration(duration: Duration) -> JSON:
    return {
        KIND: "duration",
        "kind": duration.kind.name,
        "remaining": duration.remaining,
        "moment": duration.moment.name,
        "of_target": duration.of_target,
        "until": encode(duration.until),
    }


def _encode_data(value: Any) -> JSON:
    if isinstance(value, AttackProfile):
        owner = value.weapon.owner
        if owner is not None and value in owner.equipment.profiles:
            return {KIND: "profile", "entity": owner.number, "index": value.index}
    fields = {one.name: encode(getattr(value, one.name)) for one in dataclasses.fields(value)}
    return {KIND: "data", "class": name_of(type(value)), "fields": fields}


def name_of(thing: Any) -> str:
    """Return the "module:name" of a class or function.

    Raises:
        StateError: if it cannot be found by that name, such as a lambda.
    """
    name = f"{thing.__module__}:{thing.__qualname__}"
    try:
        found = find_named(name)
    except StateError:
        found = None
    if found is not thing:
        raise StateError(
            f"{name} cannot be saved, because it cannot be found by that name: define it at the "
            "top level of a module."
        )
    return name


# -- reading ---------------------------------------------------------------------------------------


def find_named(name: str) -> Any:
    """Return the class or function "module:name".

    Raises:
        StateError: if it does not exist, or its module is not imported.
    """
    module, _, path = name.partition(":")
    if module not in sys.modules:
        raise StateError(f"the module of {name!r} is not imported: import {module or '?'} first.")
    found: Any = sys.modules[module]
    for part in path.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type | FunctionType) or found.__module__ != module:
        raise StateError(f"there is no class or function {name!r}.")
    return found


def find_class(name: str, base: type[T]) -> type[T]:
    """Return the class with a name.

    Raises:
        StateError: if it does not exist, or is not a subclass of `base`.
    """
    found = find_named(name)
    if not isinstance(found, type) or not issubclass(found, base):
        raise StateError(f"{name!r} is not a subclass of {base.__name__}.")
    return found


class Reader:
    """A decoder for the values of a save, which collects mistakes.

    Attributes:
        objects: the objects created so far, by their number in the save.
        mistakes: the mistakes found so far, each with its place.
    """

    def __init__(self) -> None:
        """Create a reader without objects."""
        self.objects: dict[int, BaseObject] = {}
        self.mistakes: list[str] = []

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Record an exception in the block as a mistake at a place, and continue after it."""
        try:
            yield
        except AxiomError as error:
            self.mistakes.append(f"{place}: {error}")
        except Exception as error:  # constructors and _apply of conditions may raise anything
            self.mistakes.append(f"{place}: {type(error).__name__}: {error}")

    def raise_if_any(self) -> None:
        """Raise a StateError with all mistakes, if there are any."""
        if self.mistakes:
            count, lines = len(self.mistakes), "\n".join(f"  {line}" for line in self.mistakes)
            raise StateError(f"the save has {count} mistake{'s' if count > 1 else ''}:\n{lines}")

    def keep(self, number: int, one: BaseObject) -> None:
        """Record an object under its number in the save.

        Raises:
            StateError: if another object has the number.
        """
        if self.objects.setdefault(number, one) is not one:
            raise StateError(f"the number {number} is used for two objects.")

    def find(self, number: int, kind: type[T]) -> T:
        """Return the object with a number.

        Raises:
            StateError: if it does not exist, or has another class.
        """
        found = self.objects.get(number)
        if not isinstance(found, kind):
            raise StateError(f"there is no {kind.__name__} with the number {number}.")
        return found

    def find_or_none(self, number: int | None, kind: type[T]) -> T | None:
        """Return the object with a number as `find` does, or None for None."""
        return None if number is None else self.find(number, kind)

    def read(self, value: JSON, kind: type[T]) -> T:
        """Decode a value of a given type.

        Raises:
            StateError: if the value cannot be decoded, or has another type.
        """
        found = self.decode(value)
        if not isinstance(found, kind):
            raise StateError(f"a {kind.__name__} is needed, got {found!r:.60}.")
        return found

    def decode(self, value: JSON) -> Any:
        """Decode a value that `encode` wrote.

        Raises:
            StateError, KeyError, TypeError, ValueError: if `encode` cannot have written the value.
        """
        if isinstance(value, list):
            return [self.decode(one) for one in value]
        if not isinstance(value, dict):
            return value
        kind = value.get(KIND)
        if kind not in _DECODERS:
            raise StateError(f"the kind of value {kind!r} is not known.")
        return _DECODERS[kind](self, value)

    def _items(self, value: Mapping[str, Any]) -> list[Any]:
        return [self.decode(one) for one in value["items"]]

    def _enum(self, value: Mapping[str, Any]) -> Enum:
        return find_class(value["class"], Enum)[value["name"]]

    def _object(self, value: Mapping[str, Any]) -> BaseObject:
        return self.find(value["number"], BaseObject)

    def _modifier(self, value: Mapping[str, Any]) -> Modifier:
        fields = {name: self.decode(one) for name, one in value["fields"].items()}
        return find_class(value["class"], Modifier)(**fields)

    def _duration(self, value: Mapping[str, Any]) -> Duration:
        return Duration(
            DurationType[value["kind"]],
            value["remaining"],
            moment=Moment[value["moment"]],
            of_target=value["of_target"],
            until=self.decode(value["until"]),
        )

    def _profile(self, value: Mapping[str, Any]) -> AttackProfile:
        profiles: list[AttackProfile] = self.find(value["entity"], Entity).equipment.profiles
        return profiles[int(value["index"])]

    def _data(self, value: Mapping[str, Any]) -> Any:
        found: Any = find_class(value["class"], object)
        if not dataclasses.is_dataclass(found):
            raise StateError(f"{value['class']!r} is not a dataclass.")
        make: Any = found
        return make(**{name: self.decode(one) for name, one in value["fields"].items()})


_DECODERS: dict[Any, Any] = {
    "tuple": lambda reader, value: tuple(reader._items(value)),
    "set": lambda reader, value: set(reader._items(value)),
    "frozenset": lambda reader, value: frozenset(reader._items(value)),
    "dict": lambda reader, value: dict(map(tuple, reader._items(value))),
    "enum": Reader._enum,
    "object": Reader._object,
    "modifier": Reader._modifier,
    "duration": Reader._duration,
    "named": lambda reader, value: find_named(value["name"]),
    "profile": Reader._profile,
    "data": Reader._data,
}
