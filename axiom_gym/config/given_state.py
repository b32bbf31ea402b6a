"""States from outside, from which a game continues, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import GameConfig, HistoryEntry
from axiom_gym.config.fields import Fields, Refused
from axiom_gym.config.history import History
from axiom_gym.config.problems import did_you_mean, is_number, shown
from axiom_gym.errors import StateError


def take_state(
    given: Mapping[str, Any], start: Mapping[str, Any], config: GameConfig, fields: Fields
) -> dict[str, Any]:
    """Return the state of a game that starts from a given state.

    Args:
        given: the fields, as `Engine.get_state` returns them, also after JSON. A state that has all
            fields of `start` may have further ones, because effects can add fields.
        start: the state of a new game, for the fields that `given` leaves out.
        config: the game.
        fields: its fields.

    Raises:
        StateError: for a field that the game does not have, or a value that it cannot hold.
    """
    if not isinstance(given, Mapping):
        raise StateError(f"state must be a mapping of fields to values, got {shown(given)}.")
    if not set(start) <= set(given):
        _check_names(given, start)
    _check_bounds(given, config, fields)
    history = _read_history(given.get("history", []))
    try:
        return fields.taken({**start, **given, "history": history}, {})
    except Refused as refusal:
        raise StateError(f"state: {refusal}") from None


def _check_names(given: Mapping[str, Any], start: Mapping[str, Any]) -> None:
    for key in given:
        if key not in start:
            known = ", ".join(start)
            hint = did_you_mean(key, start)
            raise StateError(f"state: there is no field {key!r}.{hint} The fields are {known}.")


def _check_bounds(given: Mapping[str, Any], config: GameConfig, fields: Fields) -> None:
    """Check that attributes are within their bounds, which only a custom phase can leave."""
    for key, attribute in () if config.custom_phases else fields.attributes.items():
        value = given.get(key, attribute.default)
        if not is_number(value):
            raise StateError(f"state: attribute {key!r} must be a finite number, got {value!r}.")
        if not attribute.min <= value <= attribute.max:
            raise StateError(
                f"state: attribute {key!r} must be from {attribute.min!r} to {attribute.max!r}, "
                f"got {value!r}."
            )


def _read_history(entries: Any) -> list[HistoryEntry]:
    """Return entries as `HistoryEntry`; JSON makes lists of them."""
    if not isinstance(entries, (list, tuple, History)):
        raise StateError(f"state: 'history' must be a list of entries, got {shown(entries)}.")
    for place, entry in enumerate(entries):
        if not is_entry(entry):
            raise StateError(
                f"state: 'history[{place}]' must be [tick, event id, text, timestamp], "
                f"got {shown(entry)}."
            )
    return [HistoryEntry(*entry) for entry in entries]


def is_entry(entry: object) -> bool:
    """Return True for [tick, event id, text, timestamp]."""
    match entry:
        case [tick, str(), str(), timestamp]:
            return is_number(tick) and is_number(timestamp)
    return False
