"""Saved games as JSON files: the state and the random number generator, without undo snapshots."""

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
from axiom_gym.config.given_state import is_entry
from axiom_gym.config.rules import Clock
from axiom_gym.config.validation import check
from axiom_gym.errors import ConfigError, StateError
from axiom_gym.files import replacing
from axiom_gym.seeded_rng import SeededRNG

__all__ = ["load", "load_progress", "save"]

_FORMAT = "axiom-gym config game"
_VERSION = 1

_ATOMS = (type(None), bool, int, str)
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "config": (str,),
    "parameters": (dict,),
    "rng": (int,),
    "tick": (int, float),
    "fields": (dict,),
    "history": (list,),
    "cooldowns": (dict,),
    "meta": (dict,),
}
"""The types of the entries of a file, except its format and version."""


def save(engine: Engine, path: str | Path, progress: tuple[int, float] | None = None) -> None:
    """Write a game to a file, completely or not at all.

    Args:
        engine: the game.
        path: the file.
        progress: of an episode, the number of actions since the last tick, and the sum of the
            rewards; `load_progress` returns them.

    Raises:
        ConfigError: if the config has mistakes, which is possible only with `original`.
        StateError: if JSON cannot restore the value of a field, or the file cannot be written.
    """
    state = engine.get_state()
    entries = [list(entry) for entry in state["history"]]
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "name": engine.config.name,
        "config": fingerprint(engine.config),
        "parameters": dict(engine.params),
        "rng": engine.rng.state,
        "tick": state["tick"],
        "fields": {key: value for key, value in state.items() if key not in ENGINE_KEYS},
        "history": entries,
        "cooldowns": state["cooldowns"],
        "meta": state["meta"],
    }
    if progress is not None:
        content["progress"] = list(progress)
    for key, value in {**content["fields"], **{k: content[k] for k in ENGINE_KEYS}}.items():
        _check_value(repr(key), value)
    try:
        with replacing(Path(path)) as file:
            file.write(json.dumps(content, allow_nan=False).encode())
    except OSError as error:
        raise StateError(f"cannot write the game to {str(path)!r}: {error}") from error


def load_progress(path: str | Path) -> tuple[int, float]:
    """Return the progress that `save` wrote into a file that `load` accepts; (0, 0) without one."""
    progress = json.loads(Path(path).read_bytes()).get("progress")
    return (int(progress[0]), float(progress[1])) if progress else (0, 0.0)


def _check_value(place: str, value: object) -> None:
    """Check that JSON restores a value exactly.

    Raises:
        StateError: if it does not; names the place.
    """
    kind = type(value)
    if kind is dict:
        for key, entry in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise StateError(f"field {place} cannot be saved: its key {key!r} is not a string.")
            _check_value(f"{place}[{key!r}]", entry)
    elif kind is list:
        for i, entry in enumerate(value):  # type: ignore[arg-type]
            _check_value(f"{place}[{i}]", entry)
    elif kind not in _ATOMS and not (kind is float and isfinite(value)):  # type: ignore[arg-type]
        raise StateError(
            f"field {place} cannot be saved: it holds {value!r}, of the type {kind.__name__}. "
            "Saved games can hold None, bools, finite numbers, strings, lists, and dicts with "
            "strings as keys."
        )


def load(
    path: str | Path, config: GameConfig, *, original: bool = False, clock: Clock = time.time
) -> Engine:
    """Load a saved game.

    It continues exactly as the game that was saved, but has no snapshots for `undo`.

    Args:
        path: the file.
        config: the config of the saved game.
        original: see `axiom_gym.config.create_engine`.
        clock: see `axiom_gym.config.create_engine`.

    Raises:
        StateError: if there is no such file, it is damaged or has another version, or its game has
            another config.
        ConfigError: if the config has mistakes; lists all of them.
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
    rng, parameters = SeededRNG(content["rng"]), content["parameters"]
    try:
        return Engine(config, state, rng, parameters=parameters, original=original, clock=clock)
    except ConfigError as error:
        _refuse(path, f"is damaged: {error}")


def _refuse(path: str | Path, what: str) -> NoReturn:
    raise StateError(f"saved game {str(path)!r} {what}")


def _read(path: Path) -> dict[str, Any]:
    """Return the content of a file, with all entries of the right types."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        _refuse(path, f"cannot be read: {error}")
    except (ValueError, RecursionError) as error:
        _refuse(path, f"is damaged, cut off, or not a saved game: {error}")
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        _refuse(path, f"is not a saved game of a config: its format is not {_FORMAT!r}.")
    version = content.get("version")
    if version != _VERSION:
        _refuse(
            path, f"has version {version!r}; this axiom-gym reads version {_VERSION}. Update it."
        )
    content.setdefault("parameters", {})  # files from before there were parameters
    for key, kinds in _KINDS.items():
        if type(content.get(key)) not in kinds:
            _refuse(path, f"is damaged: {key!r} is {content.get(key)!r}.")
    for key in ENGINE_KEYS:
        if key in content["fields"]:
            _refuse(path, f"is damaged: {key!r} is among the game's own fields.")
    if not 0 <= content["rng"] < 2**32:
        _refuse(path, f"is damaged: 'rng' is {content['rng']!r}, not in 0..2**32-1.")
    for i, entry in enumerate(content["history"]):
        if not is_entry(entry):
            _refuse(path, f"is damaged: entry {i} of the history is {entry!r}.")
    return content


def _check_config(path: str | Path, content: Mapping[str, Any], config: GameConfig) -> None:
    if content["name"] != config.name:
        _refuse(path, f"is a game of {content['name']!r}, not of {config.name!r}.")
    if content["config"] != fingerprint(config):
        _refuse(
            path,
            f"is a game of {config.name!r} with other rules: the config was changed since "
            f"(hash {content['config']}, now {fingerprint(config)}).",
        )
