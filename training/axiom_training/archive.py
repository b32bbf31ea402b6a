"""Reading of zip files with named parts, as models and checkpoints are."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from axiom_gym.errors import CheckpointError


def read_parts(path: Path, kind: str) -> dict[str, bytes]:
    """Read all files inside a zip file, by name, and check their checksums.

    Args:
        path: the file.
        kind: the kind of file for error messages, such as "model".

    Raises:
        CheckpointError: if the file does not exist or is damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception as error:
        # Depending on the damage, the zip module raises one of a dozen classes without a common
        # base.
        reason = str(error) or type(error).__name__
        raise CheckpointError(f"{kind} {str(path)!r} cannot be read: {reason}.") from error


def read_json(parts: dict[str, bytes], name: str, path: Path, kind: str) -> dict[str, Any]:
    """Decode a part that holds a JSON object.

    Raises:
        CheckpointError: if the part is missing or is not a JSON object.
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
