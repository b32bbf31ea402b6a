"""A game in progress as a JSON file: its state and its random stream, without what `undo` needs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from axiom_gym.config.definitions import ENGINE_KEYS, GameConfig, HistoryEntry
from axiom_gym.config.engine import Engine
from axiom_gym.config.fields import Fields, Refused
from axiom_gym.config.fingerprint import fingerprint
from axiom_gym.config.problems import is_number
from axiom_gym.config.rules import Clock
from axiom_gym.config.validation import check
from axiom_gym.errors import StateError
from axiom_gym.files import replacing
from axiom_gym.seeded_rng import SeededRNG

__all__ = ["load", "save"]

_FORMAT = "axiom-gym config game"
_VERSION = 1

_ATOMS = (type(None), bool, int, str)
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "config": (str,),
    "rng": (int,),
    "tick": (int, float),
    "fields": (dict,),
    "history": (list,),
    "cooldowns": (dict,),
    "meta": (dict,),
}
"""What a file holds besides its format and version."""


def save(engine: Engine, path: str | Path) -> None:
    """Writes a game to a file, whole or not at all.

    Raises:
        ConfigError: for a config with mistakes, which only the option `original` plays.
        StateError: for a field that JSON does not bring back as it is, or if the file cannot be
            written.
    """
    state = engine.get_state()
    entries = [list(entry) for entry in state["history"]]
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "name": engine.config.name,
        "config": fingerprint(engine.config),
        "rng": engine.rng.state,
        "tick": state["tick"],
        "fields": {key: value for key, value in state.items() if key not in ENGINE_KEYS},
        "history": entries,
        "cooldowns": state["cooldowns"],
        "meta": state["meta"],
    }
    for key, value in {**content["fields"], **{k: content[k] for k in ENGINE_KEYS}}.items():
        _check_value(repr(key), value)
    try:
        with replacing(Path(path)) as file:
            file.write(json.dumps(content, allow_nan=False).encode())
    except OSError as error:
        raise StateError(f"cannot write the game to {str(path)!r}: {error}") from error


def _check_value(place: str, value: object) -> None:
    """Makes sure that JSON brings a value back as it is.

    Raises:
        StateError: naming the place.
    """
    kind = type(value)
    if kind is dict:
        for key, entry in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise StateError(f"field {place} cannot be saved: its key {key!r} is no string.")
            _check_value(f"{place}[{key!r}]", entry)
    elif kind is list:
        for i, entry in enumerate(value):  # type: ignore[arg-type]
            _check_value(f"{place}[{i}]", entry)
    elif kind not in _ATOMS and not (kind is float and isfinite(value)):  # type: ignore[arg-type]
        raise StateError(
            f"field {place} cannot be saved: it holds {value!r}, of the type {kind.__name__}. "
            "A saved game has None, bools, finite numbers, strings, lists, and dicts with strings "
            "as keys."
        )


def load(
    path: str | Path, config: GameConfig, *, original: bool = False, clock: Clock = time.time
) -> Engine:
    """A game that goes on exactly as the saved one would have; there is nothing to undo yet.

    Args:
        path: of the file.
        config: the one that the game was saved with.
        original: see `axiom_gym.config.create_engine`.
        clock: see `axiom_gym.config.create_engine`.

    Raises:
        StateError: if there is no such file, it is damaged or of a later version, or it is a game
            of another config.
        ConfigError: with all mistakes of the config.
    """
    check(config)
    content = _read(Path(path))
    _check_config(path, content, config)
    history = [HistoryEntry(*entry) for entry in content["history"]]
    engine_fields = {key: content[key] for key in ENGINE_KEYS} | {"history": history}
    try:
        state = Fields(config).taken({**content["fields"], **engine_fields}, {})
    except Refused as refusal:
        _refuse(path, f"is damaged: {refusal}")
    return Engine(config, state, SeededRNG(content["rng"]), original=original, clock=clock)


def _refuse(path: str | Path, what: str) -> NoReturn:
    raise StateError(f"saved game {str(path)!r} {what}")


def _read(path: Path) -> dict[str, Any]:
    """What a file holds; of the right kinds."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        _refuse(path, f"cannot be read: {error}")
    except (ValueError, RecursionError) as error:
        _refuse(path, f"is damaged, cut off, or no saved game: {error}")
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        _refuse(path, f"is no saved game of a config: it has no format {_FORMAT!r}.")
    version = content.get("version")
    if version != _VERSION:
        _refuse(path, f"has version {version!r}; this axiom-gym reads {_VERSION}. Update it.")
    for key, kinds in _KINDS.items():
        if type(content.get(key)) not in kinds:
            _refuse(path, f"is damaged: {key!r} is {content.get(key)!r}.")
    for key in ENGINE_KEYS:
        if key in content["fields"]:
            _refuse(path, f"is damaged: {key!r} stands among the game's own fields.")
    if not 0 <= content["rng"] < 2**32:
        _refuse(path, f"is damaged: 'rng' is {content['rng']!r}, and not within 0..2**32-1.")
    for i, entry in enumerate(content["history"]):
        if not _is_entry(entry):
            _refuse(path, f"is damaged: entry {i} of the history is {entry!r}.")
    return content


def _is_entry(entry: object) -> bool:
    """Whether it is [tick, event id, text, timestamp]."""
    match entry:
        case [tick, str(), str(), timestamp]:
            return is_number(tick) and is_number(timestamp)
    return False


def _check_config(path: str | Path, content: Mapping[str, Any], config: GameConfig) -> None:
    if content["name"] != config.name:
        _refuse(path, f"is a game of {content['name']!r}, and cannot go on as {config.name!r}.")
    if content["config"] != fingerprint(config):
        _refuse(
            path,
            f"is a game of {config.name!r} with other rules: the config was changed since "
            f"(hash {content['config']}, now {fingerprint(config)}).",
        )
