"""Zip files of parts: read whole and checked, or refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from axiom_gym.errors import CheckpointError


def read_parts(path: Path, kind: str) -> dict[str, bytes]:
    """Every file inside a zip file, by name; each one's checksum was looked at.

    Args:
        path: the file.
        kind: what it shall be, for messages.

    Raises:
        CheckpointError: if there is no such file, or it is damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception as error:
        # What the zip module raises depends on which byte is wrong: a dozen classes, and no base.
        reason = str(error) or type(error).__name__
        raise CheckpointError(f"{kind} {str(path)!r} cannot be read: {reason}.") from error


def read_json(parts: dict[str, bytes], name: str, path: Path, kind: str) -> dict[str, Any]:
    """A part that holds a JSON object.

    Raises:
        CheckpointError: if there is no such part, or it is something else.
    """
    if name not in parts:
        raise CheckpointError(f"{str(path)!r} is no {kind} of Axiom Gym: {name} is missing in it.")
    try:
        value = json.loads(parts[name])
    except ValueError as error:
        raise CheckpointError(f"{kind} {str(path)!r}: {name} is no JSON: {error}.") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{kind} {str(path)!r}: {name} must hold an object.")
    return value
