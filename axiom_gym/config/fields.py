"""The fields of a state: their start values, their changes by deltas, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from axiom_gym.config.definitions import ENGINE_KEYS, NOT_OWN, GameConfig, HistoryEntry, Set, plain
from axiom_gym.config.derived import all_attributes
from axiom_gym.config.frozen import ATOMS, copied, freeze
from axiom_gym.config.history import History
from axiom_gym.config.problems import shown

_NUMBERS = frozenset({int, float, bool})


class Refused(Exception):  # noqa: N818 - callers turn it into an AxiomError that names the place
    """A value that a state cannot hold; the message names it and what is allowed."""


class _Bounds(NamedTuple):
    low: float
    high: float
    default: float


class Fields:
    """The attributes and choices of a config.

    Attributes:
        attributes: the attributes by name, with the counts that rules need.
        hold: a function that returns a value as the state holds it: read-only, or only a copy if
            the original engine's behaviour is wanted.
    """

    def __init__(self, config: GameConfig, *, original: bool = False) -> None:
        self.attributes = all_attributes(config)
        self.hold = copied if original else freeze
        self._original = original
        # Here and below, adding 0 turns -0.0 into 0.0: stored zeros have no sign.
        self._bounds = {
            name: _Bounds(*(plain(value) + 0 for value in (one.min, one.max, one.default)))
            for name, one in self.attributes.items()
            if name not in ENGINE_KEYS
        }
        self._choices = {
            name: one for name, one in config.choices.items() if name not in ENGINE_KEYS
        }

    def held(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of a state that shares no container with it that can change."""
        hold = self.hold
        return {key: v if type(v) in ATOMS else hold(v) for key, v in state.items()}

    def initial(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state of a new game whose `initial_state` returned `given`.

        The number given for an attribute is clamped; anything else is replaced by the default,
        which is not clamped.

        Raises:
            Refused: for a value that no state can hold.
        """
        state = {key: self._assigned(key, value) for key, value in given.items()}
        for key, bounds in self._bounds.items():
            value = state.get(key)
            is_number = type(value) is int or (type(value) is float and value == value)
            state[key] = _clamped(value, bounds) if is_number else bounds.default
        for key, choice in self._choices.items():
            state.setdefault(key, choice.default)
        return {**state, "tick": 0, "history": History(), "cooldowns": {}, "meta": {}}

    def changes(self, state: Mapping[str, Any], delta: Any) -> dict[str, Any]:
        """Return the new values of the fields that a delta changes, without the engine's fields.

        Raises:
            Refused: for a delta that is no mapping, or a value that no state can hold.
        """
        if not isinstance(delta, Mapping):
            raise Refused(
                f"a delta must be a mapping such as {{'health': -10}}, got {shown(delta)}."
            )
        new = {}
        for key, change in delta.items():
            bounds = self._bounds.get(key)
            if bounds is None and key in ENGINE_KEYS:
                if not self._original:
                    raise Refused(NOT_OWN.format(key=key))
            elif type(change) is Set:
                new[key] = self._set(key, change.value)
            elif bounds is not None:
                current = state.get(key)
                if current is None:
                    current = bounds.default
                if type(change) not in _NUMBERS or not isfinite(change):
                    change = _finite(key, change)
                new[key] = _clamped(current + change, bounds)
            else:
                new[key] = self._assigned(key, change)
        return new

    def _set(self, key: Any, value: Any) -> Any:
        bounds = self._bounds.get(key)
        return (
            self._assigned(key, value) if bounds is None else _clamped(_finite(key, value), bounds)
        )

    def _assigned(self, key: Any, value: Any) -> Any:
        """Return the value to store in a field that is replaced by `value`."""
        if not isinstance(key, str):
            raise Refused(f"the name of a field must be a string, got {key!r}.")
        value = plain(value)
        if key in self._choices:
            return self._chosen(key, value)
        if isinstance(value, float) and key not in self._bounds:
            if not isfinite(value):
                raise Refused(f"field {key!r} gets {value!r}, which is not finite.")
            return value + 0.0
        return self.hold(value)

    def _chosen(self, key: str, value: Any) -> str | None:
        options = self._choices[key].options
        if value is None or isinstance(value, str):
            for option in options:
                if option == value:
                    return option
        allowed = ", ".join(map(repr, options))
        raise Refused(f"choice {key!r} gets {shown(value)}; its options are {allowed}.")

    def taken(self, new: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state that a custom phase returned, with its history as a History.

        Args:
            new: the state that the phase returned.
            old: the state before the phase.

        Raises:
            Refused: if a number is not finite, a choice has a value that is no option, or one of
                the engine's fields is missing or malformed.
        """
        state = {}
        for key, value in new.items():
            is_old = key in old and value is old[key]
            state[key] = value if is_old or key in ENGINE_KEYS else self._taken_field(key, value)
        _check_engine_fields(state)
        if state["history"] is not old.get("history"):
            state["history"] = as_history(state["history"])
        for key in ("cooldowns", "meta"):
            state[key] = self.hold(state[key])
        return state

    def _taken_field(self, key: Any, value: Any) -> Any:
        if key in self._bounds:
            return None if value is None else _finite(key, value) + 0
        return self._assigned(key, value)


def _clamped(value: Any, bounds: _Bounds) -> Any:
    """Return the value clamped to the bounds; if they cross, the result is the upper one."""
    low, high, _ = bounds
    if value < low:
        value = low
    if value > high:
        value = high
    return value + 0


def _finite(key: str, value: Any) -> int | float:
    """Return a finite number for an attribute."""
    number = as_number(value, f"attribute {key!r} gets")
    if not isfinite(number):
        raise Refused(f"attribute {key!r} gets {number!r}, which is not finite.")
    return number


def as_number(value: Any, what: str) -> int | float:
    """Return a number as a Python number.

    Args:
        value: a number of Python or NumPy.
        what: the beginning of the message.

    Raises:
        Refused: for a value that is no number.
    """
    value = plain(value)
    if not isinstance(value, (int, float)):
        raise Refused(f"{what} {shown(value)}, which is not a number.")
    return value


def _check_engine_fields(state: Mapping[str, Any]) -> None:
    for key in ENGINE_KEYS:
        if key not in state:
            raise Refused(f"the state has no {key!r}; return {{**state, ...}} to keep it.")
    if not _is_finite(state["tick"]):
        raise Refused(f"'tick' must be a finite number, got {shown(state['tick'])}.")
    cooldowns = state["cooldowns"]
    if not isinstance(cooldowns, Mapping):
        raise Refused(f"'cooldowns' must map event ids to ticks, got {shown(cooldowns)}.")
    for key, expiry in cooldowns.items():
        if not isinstance(key, str) or not _is_finite(expiry):
            raise Refused(
                f"'cooldowns' must hold finite numbers by event id, got {key!r}: {expiry!r}."
            )
    if not isinstance(state["meta"], Mapping):
        raise Refused(f"'meta' must be a mapping, got {shown(state['meta'])}.")


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def as_history(entries: Any) -> History:
    """Return a list of `HistoryEntry` as a `History`.

    Raises:
        Refused: for anything else.
    """
    if isinstance(entries, History):
        return entries
    if not isinstance(entries, (list, tuple)):
        raise Refused(f"'history' must be a list of HistoryEntry, got {shown(entries)}.")
    for place, entry in enumerate(entries):
        if not isinstance(entry, HistoryEntry):
            raise Refused(f"'history[{place}]' must be a HistoryEntry, got {shown(entry)}.")
    return History(entries)
