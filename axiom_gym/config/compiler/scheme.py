"""What a compiled state consists of: which fields, of which kind, in which range.

Found by tracing more than once: a field becomes a float as soon as a float can reach it, and a
field that nothing depends on is left out.
"""

from __future__ import annotations

import keyword
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from axiom_gym.config.compiler.nodes import BIGGEST, EXACT, FIELD_LIMIT, WIDEST, Node, Number
from axiom_gym.config.definitions import ENGINE_KEYS, Event, GameConfig
from axiom_gym.config.engine import create_engine
from axiom_gym.config.task import Task
from axiom_gym.errors import TraceError

_COOLDOWN = "<cooldown of "

ABSENT = -(2**52)
"""In a cooldown's field: no entry."""

TICK, MOVES, TOTAL = "tick", "<moves so far in this tick>", "<rewards so far>"
"""Keys of fields that the config does not name."""

KINDS = ("bool", "int", "float")
"""In ascending order: what can hold the one before."""

DTYPES = {"bool": "np.bool_", "int": "np.int64", "float": "np.float64", "choice": "np.int64"}

_TAKEN = frozenset(dir(np.record)) | {"rng", *keyword.kwlist}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the compiled state."""

    key: str
    """In the config's state."""
    name: str
    """In the record, and in compiled code."""
    role: str
    """"attribute", "choice", "field", "cooldown" or "engine"."""
    kind: str
    low: Number
    high: Number
    start: Any
    options: tuple[str | None, ...] = ()
    clamped: bool = False
    mixed: bool = False
    """Whether it is a float here that the interpreter may hold as an int."""


@dataclass(slots=True)
class Scheme:
    """What is known of all fields so far; one more pass is needed whenever it changes."""

    start: dict[str, Any]
    """The interpreter's first state."""
    kinds: dict[str, str]
    """Of every field that can be compiled."""
    live: set[str]
    """Fields that something depends on."""
    assigned: set[str] = field(default_factory=set)
    """Keys that some delta writes, known or not."""
    unclamped: set[str] = field(default_factory=set)
    """Attributes that a custom phase writes."""
    mixed: set[str] = field(default_factory=set)
    """Keys that an int can reach, whatever else can."""
    reads_cooldowns: bool = False
    writes_tick: bool = False

    def snapshot(self) -> tuple[Any, ...]:
        """All that a pass can change, for comparison."""
        flags = (self.reads_cooldowns, self.writes_tick)
        sets = (self.live, self.assigned, self.unclamped, self.mixed)
        return (dict(self.kinds), *map(frozenset, sets), *flags)

    def promote(self, key: str, kind: str) -> None:
        """A value of this kind can reach the field."""
        known = self.kinds[key]
        if known != kind and "choice" in (known, kind):
            raise TraceError(
                f"{key!r} holds a {'string or None' if known == 'choice' else 'number'} and is "
                "given the other; use a field of its own for one of them."
            )
        if known != "choice" and KINDS.index(kind) > KINDS.index(known):
            self.kinds[key] = kind

    def takes(self, key: str, node: Node) -> None:
        """This value can reach the field."""
        self.promote(key, node.kind)
        if node.kind in ("int", "bool") or node.mixed:
            self.mixed.add(key)


def first_scheme(config: GameConfig) -> Scheme:
    """What the initial state and the definitions tell.

    Raises:
        ConfigError: if the config has mistakes, all of them.
    """
    start = create_engine(config, seed=0).get_state()
    kinds = {
        key: kind
        for key, value in start.items()
        if key not in ENGINE_KEYS and (kind := _kind(key, value, config)) is not None
    }
    for key, attribute in config.attributes.items():
        numbers = (attribute.min, attribute.max, start[key])
        kinds[key] = "float" if any(isinstance(n, float) for n in numbers) else "int"
    kinds[TICK] = "int"
    for event in config.events:
        if event.cooldown is not None:
            key = cooldown_key(event)
            is_float = isinstance(event.cooldown, float) or kinds.get(key) == "float"
            kinds[key] = "float" if is_float else "int"
    whole = {key for key in kinds if isinstance(start.get(key, 0), int)}
    return Scheme(start, kinds, set(kinds), mixed=whole)


def _kind(key: str, value: Any, config: GameConfig) -> str | None:
    if key in config.choices:
        return "choice"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    return "float" if isinstance(value, float) else None


def cooldown_key(event: Event) -> str:
    """The field that keeps when an event may fire again; events of one id share it."""
    return f"{_COOLDOWN}{event.id}>"


def make_fields(config: GameConfig, task: Task, scheme: Scheme) -> dict[str, Field]:
    """All fields that could be compiled, by key and in the record's order; see `Scheme.live`."""
    fields: dict[str, Field] = {}
    names: set[str] = set()

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
    if task.score is None:
        add(TOTAL, "total", kind="float", low=-BIGGEST, high=BIGGEST, start=0.0)
    return fields


def _ordered(config: GameConfig, scheme: Scheme) -> list[str]:
    """Attributes, choices, other fields, tick, cooldowns."""
    first = [*config.attributes, *config.choices]
    cooldowns = list(
        dict.fromkeys(cooldown_key(e) for e in config.events if e.cooldown is not None)
    )
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
    if key in config.attributes:
        attribute = config.attributes[key]
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
    """The longest cooldown that a field can have to keep."""
    sharing = [event for event in config.events if cooldown_key(event) == key]
    return max(event.cooldown for event in sharing if event.cooldown is not None)


def _cast(number: Number, kind: str) -> Number:
    """A bound, or the start, of an attribute in the attribute's kind, if that can hold it."""
    return float(number) if kind == "float" and abs(number) <= BIGGEST else number


def check_limits(config: GameConfig, scheme: Scheme) -> None:
    """Makes sure that the definitions can be compiled at all.

    Raises:
        TraceError: for a name, or a number, that compiled games do not have.
    """
    odd = [key for key in scheme.start if key.startswith("<")]
    if odd:
        raise TraceError(f"initial_state: names that begin with '<' are not compiled; got {odd}.")
    for key, attribute in config.attributes.items():
        limit = EXACT if scheme.kinds[key] == "float" else WIDEST
        for number in (attribute.min, attribute.max, scheme.start[key]):
            if isinstance(number, int) and abs(number) > limit:
                raise TraceError(
                    f"attributes[{key!r}] has {number} as a bound or at the start, which is too "
                    "large: integers are compiled up to 2**62, and up to 2**53 in an "
                    "attribute that has floats too; write it as a float."
                )
    for event in config.events:
        if event.cooldown is not None and event.cooldown > FIELD_LIMIT:
            raise TraceError(
                f"event {event.id!r} has a cooldown of {event.cooldown!r} ticks, and it is "
                "compiled up to 2**48; write 10**9 for one that never ends."
            )


def check_start(field: Field) -> None:
    """Makes sure that a field can hold what it starts with.

    Raises:
        TraceError: for an integer that is too large.
    """
    if field.clamped or field.role not in ("attribute", "field") or isinstance(field.start, float):
        return
    if field.kind != "choice" and abs(field.start) > FIELD_LIMIT:
        raise TraceError(
            f"initial_state: {field.key!r} starts as {field.start!r}, and integers are "
            "compiled up to 2**48; begin with a float, or keep a smaller number."
        )


def _name(key: str, taken: set[str]) -> str:
    """A name that is an identifier, and that no record has for something else."""
    key = key.strip("<>").replace("cooldown of ", "cooldown_")
    name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in key)
    if not name or name[0].isdigit() or name[0] == "_":
        name = f"field_{name}"
    while name in taken or name in _TAKEN:
        name += "_"
    return name
