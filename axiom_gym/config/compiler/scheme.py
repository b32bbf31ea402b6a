"""The fields of a compiled state, with their kinds and ranges.

The compiler finds them by repeated tracing. A field becomes a float as soon as a float can reach
it, and a field that nothing depends on is left out.
"""

from __future__ import annotations

import keyword
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from axiom_gym.config.compiler.nodes import BIGGEST, EXACT, FIELD_LIMIT, WIDEST, Node, Number
from axiom_gym.config.definitions import ENGINE_KEYS, Action, Attribute, Event, GameConfig
from axiom_gym.config.derived import all_attributes, rules_with_cooldown
from axiom_gym.config.ending import find_score
from axiom_gym.config.engine import create_engine
from axiom_gym.config.parameters import default_of, kind_of, record_field
from axiom_gym.config.task import Task
from axiom_gym.errors import TraceError

_COOLDOWN = "<cooldown of "

ABSENT = -(2**52)
"""The value of a cooldown's field if the state has no entry for the cooldown."""

TICK, MOVES, TOTAL = "tick", "<moves so far in this tick>", "<rewards so far>"
"""The keys of fields that the config does not name."""

KINDS = ("bool", "int", "float")
"""The kinds of numbers; each kind can hold the values of the kinds before it."""

DTYPES = {"bool": "np.bool_", "int": "np.int64", "float": "np.float64", "choice": "np.int64"}

_PARAMETER = "<parameter "

_TAKEN = frozenset(dir(np.record)) | {"rng", *keyword.kwlist}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the compiled state."""

    key: str
    """The key in the config's state."""
    name: str
    """The name in the record and in compiled code."""
    role: str
    """"attribute", "choice", "field", "cooldown", "engine" or "parameter"."""
    kind: str
    low: Number
    high: Number
    start: Any
    options: tuple[str | None, ...] = ()
    clamped: bool = False
    mixed: bool = False
    """True for a float that the interpreter may hold as an int."""


@dataclass(slots=True)
class Scheme:
    """The facts about all fields so far; when a pass changes them, another pass follows."""

    start: dict[str, Any]
    """The interpreter's initial state."""
    kinds: dict[str, str]
    """The kind of every field that can be compiled."""
    live: set[str]
    """The fields that something depends on."""
    assigned: set[str] = field(default_factory=set)
    """The keys that deltas write, including those that the initial state does not have."""
    unclamped: set[str] = field(default_factory=set)
    """The attributes that a custom phase writes."""
    mixed: set[str] = field(default_factory=set)
    """The keys that an int can reach."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """The attributes, with the counts that rules need."""
    reads_cooldowns: bool = False
    writes_tick: bool = False

    def snapshot(self) -> tuple[Any, ...]:
        """Return all facts that a pass can change, for comparison."""
        flags = (self.reads_cooldowns, self.writes_tick)
        sets = (self.live, self.assigned, self.unclamped, self.mixed)
        return (dict(self.kinds), *map(frozenset, sets), *flags)

    def promote(self, key: str, kind: str) -> None:
        """Note that a value of this kind can reach the field, and widen the field's kind.

        Raises:
            TraceError: if the field mixes numbers with strings or None.
        """
        known = self.kinds[key]
        if known != kind and "choice" in (known, kind):
            raise TraceError(
                f"{key!r} holds a {'string or None' if known == 'choice' else 'number'} and is "
                "set to the other; use separate fields."
            )
        if known != "choice" and KINDS.index(kind) > KINDS.index(known):
            self.kinds[key] = kind

    def takes(self, key: str, node: Node) -> None:
        """Note that this value can reach the field."""
        self.promote(key, node.kind)
        if node.kind in ("int", "bool") or node.mixed:
            self.mixed.add(key)


def first_scheme(config: GameConfig) -> Scheme:
    """Return the facts that follow from the initial state and the definitions.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
    """
    start = create_engine(config, seed=0).get_state()
    kinds = {
        key: kind
        for key, value in start.items()
        if key not in ENGINE_KEYS and (kind := _kind(key, value, config)) is not None
    }
    attributes = all_attributes(config)
    for key, attribute in attributes.items():
        numbers = (attribute.min, attribute.max, start[key])
        kinds[key] = "float" if any(isinstance(n, float) for n in numbers) else "int"
    kinds[TICK] = "int"
    for rule in rules_with_cooldown(config):
        key = cooldown_key(rule)
        is_float = isinstance(rule.cooldown, float) or kinds.get(key) == "float"
        kinds[key] = "float" if is_float else "int"
    integers = {key for key in kinds if isinstance(start.get(key, 0), int)}
    return Scheme(start, kinds, set(kinds), mixed=integers, attributes=attributes)


def _kind(key: str, value: Any, config: GameConfig) -> str | None:
    if key in config.choices:
        return "choice"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    return "float" if isinstance(value, float) else None


def cooldown_key(rule: Action | Event) -> str:
    """Return the key of the field for the end of a cooldown; events of one id share it."""
    return f"{_COOLDOWN}{rule.id}>"


def parameter_key(name: str) -> str:
    """Return the key of the field for a parameter's value."""
    return f"{_PARAMETER}{name}>"


def make_fields(config: GameConfig, task: Task, scheme: Scheme) -> dict[str, Field]:
    """Return all fields that can be compiled, by key, in the order of the record.

    The record holds those of `Scheme.live`.
    """
    fields = {one.key: one for one in _parameter_fields(config)}
    names = {one.name for one in fields.values()}

    def add(key: str, wanted: str, **facts: Any) -> None:
        name = _name(wanted, names)
        names.add(name)
        fields[key] = (
            Field(key, name, "engine", **facts) if facts else _field(key, name, config, scheme)
        )

    for key in _ordered(config, scheme):
        add(key, key)
    if task.actions_per_tick > 1:
        add(MOVES, "moves", kind="int", low=0, high=task.actions_per_tick, start=0)
    if find_score(config, task) is None:
        add(TOTAL, "total", kind="float", low=-BIGGEST, high=BIGGEST, start=0.0)
    return fields


def _parameter_fields(config: GameConfig) -> Iterator[Field]:
    """Yield the fields of parameters, whose names do not depend on other fields."""
    for name, one in config.parameters.items():
        start, kind = default_of(one), kind_of(one)
        low, high = (0, 1) if kind is bool else (kind(one.low or 0), kind(one.high or 0))
        facts = (kind.__name__, low, high, start)
        yield Field(parameter_key(name), record_field(name), "parameter", *facts, clamped=True)


def _ordered(config: GameConfig, scheme: Scheme) -> list[str]:
    """Return the keys in order: attributes, choices, other fields, tick, cooldowns."""
    first = [*scheme.attributes, *config.choices]
    cooldowns = list(dict.fromkeys(map(cooldown_key, rules_with_cooldown(config))))
    later = {TICK, *cooldowns}
    others = [key for key in scheme.kinds if key not in first and key not in later]
    return [*first, *others, TICK, *cooldowns]


def _field(key: str, name: str, config: GameConfig, scheme: Scheme) -> Field:
    kind = scheme.kinds[key]
    mixed = kind == "float" and key in scheme.mixed
    low: Number = -FIELD_LIMIT if kind == "int" else -BIGGEST
    high: Number = -low
    if key == TICK:
        low = -FIELD_LIMIT if scheme.writes_tick else 0
        return Field(key, name, "engine", kind, low, FIELD_LIMIT, 0, mixed=mixed)
    if key.startswith(_COOLDOWN):
        high = FIELD_LIMIT + math.ceil(_longest(key, config))
        return Field(key, name, "cooldown", kind, ABSENT, high, ABSENT, mixed=mixed)
    start = scheme.start[key]
    if key in scheme.attributes:
        attribute = scheme.attributes[key]
        if key in scheme.unclamped:
            return Field(key, name, "attribute", kind, low, high, start, mixed=mixed)
        numbers = [_cast(n, kind) for n in (attribute.min, attribute.max, start)]
        ends = (min(numbers), max(numbers))
        return Field(key, name, "attribute", kind, *ends, start, clamped=True, mixed=mixed)
    if kind == "choice":
        return Field(key, name, "choice", kind, 0, 0, start, config.choices[key].options)
    if kind == "bool":
        low, high = 0, 1
    return Field(key, name, "field", kind, low, high, start, mixed=mixed)


def _longest(key: str, config: GameConfig) -> float:
    """Return the longest cooldown of the events that share a field."""
    sharing = [rule for rule in rules_with_cooldown(config) if cooldown_key(rule) == key]
    return max(rule.cooldown for rule in sharing if rule.cooldown is not None)


def _cast(number: Number, kind: str) -> Number:
    """Return a bound or start value of an attribute in the attribute's kind, if it fits."""
    return float(number) if kind == "float" and abs(number) <= BIGGEST else number


def check_limits(config: GameConfig, scheme: Scheme) -> None:
    """Check names and numbers of the definitions.

    Raises:
        TraceError: for a name or number that cannot be compiled.
    """
    odd = [key for key in scheme.start if key.startswith("<")]
    if odd:
        raise TraceError(f"initial_state: names that begin with '<' are not compiled; got {odd}.")
    for key, attribute in scheme.attributes.items():
        limit = EXACT if scheme.kinds[key] == "float" else WIDEST
        for number in (attribute.min, attribute.max, scheme.start[key]):
            if isinstance(number, int) and abs(number) > limit:
                raise TraceError(
                    f"attributes[{key!r}] has {number} as a bound or start value, which is too "
                    "large: integers can be compiled up to 2**62, and up to 2**53 in an "
                    "attribute that also has floats; write it as a float."
                )
    for key, parameter in config.parameters.items():
        for number in (parameter.low, parameter.high):
            if kind_of(parameter) is int and abs(number or 0) > WIDEST:
                raise TraceError(
                    f"parameters[{key!r}] has {number} as a bound, and integers can be compiled up "
                    "to 2**62; write it as a float."
                )
    for rule in rules_with_cooldown(config):
        if rule.cooldown is not None and rule.cooldown > FIELD_LIMIT:
            kind = "action" if isinstance(rule, Action) else "event"
            raise TraceError(
                f"{kind} {rule.id!r} has a cooldown of {rule.cooldown!r} ticks, and cooldowns can "
                "be compiled up to 2**48; write 10**9 for one that never ends."
            )


def check_start(field: Field) -> None:
    """Check that a field can hold its start value.

    Raises:
        TraceError: for an integer that is too large.
    """
    if field.clamped or field.role not in ("attribute", "field") or isinstance(field.start, float):
        return
    if field.kind != "choice" and abs(field.start) > FIELD_LIMIT:
        raise TraceError(
            f"initial_state: {field.key!r} starts as {field.start!r}, and integers can be "
            "compiled up to 2**48; start with a float or a smaller number."
        )


def _name(key: str, taken: set[str]) -> str:
    """Return a unique identifier for a key, other than the attributes of NumPy's records."""
    key = key.strip("<>").replace("cooldown of ", "cooldown_")
    name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in key)
    if not name or name[0].isdigit() or name[0] == "_":
        name = f"field_{name}"
    while name in taken or name in _TAKEN:
        name += "_"
    return name
