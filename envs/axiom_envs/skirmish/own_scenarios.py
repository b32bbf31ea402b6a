"""Scenarios from a user's own file: `scenario="mine.json:graveyard"`.

The file has the format of `Library.extended_by`, and may also hold weapons, creatures and classes.
It is read once per process. Only these files need pydantic.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from axiom_gym.errors import ConfigError, UnknownNameError

if TYPE_CHECKING:
    from axiom_envs.dnd.data.load import Library
    from axiom_envs.dnd.data.models import ScenarioSpec

_ENDING = ".json"


def is_own(scenario: str) -> bool:
    """Return True if the option `scenario` names a file."""
    return scenario.endswith(_ENDING) or f"{_ENDING}:" in scenario


@lru_cache(maxsize=32)
def load_own(scenario: str) -> tuple[Library, ScenarioSpec]:
    """Return the library with the file's entries, and the scenario.

    Args:
        scenario: path of a file that holds one scenario, or the path, ":", and the name of one.

    Raises:
        ConfigError: if the file cannot be read or has mistakes, which are all listed, or if it
            holds no scenario, or several without a name given.
        UnknownNameError: if the file has no scenario of this name.
    """
    from axiom_envs.dnd.data.load import Library

    path, name = _split(scenario)
    builtin = Library.builtin()
    library = builtin.extended_by(path)
    own = [one for one in library.scenarios if one not in builtin.scenarios]
    if name and name not in own:
        raise UnknownNameError(f"scenario of {path}", name, own)
    if not name and len(own) != 1:
        raise ConfigError(
            f"{path} has {len(own)} scenarios ({', '.join(own) or 'none'}): name one, as in "
            f"scenario={path + ':NAME'!r}."
        )
    return library, library.scenario(name or own[0])


def mark_of(scenario: str) -> str:
    """Return a digest of the file's content as text; "" for a built-in scenario."""
    return mark_file(_split(scenario)[0]) if is_own(scenario) else ""


@lru_cache(maxsize=32)
def mark_file(path: str) -> str:
    """Return the digest of a file's bytes; the file is read once per process."""
    return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()


def _split(scenario: str) -> tuple[str, str]:
    """Return the path and the name, which is "" if none is given."""
    if scenario.endswith(_ENDING):
        return scenario, ""
    stem, _, name = scenario.rpartition(f"{_ENDING}:")
    return stem + _ENDING, name
