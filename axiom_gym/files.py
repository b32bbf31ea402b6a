"""Writing files completely or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from axiom_gym.errors import ConfigError


@contextmanager
def replacing(path: Path) -> Iterator[io.BufferedRandom]:
    """Open a binary file that replaces `path` when the block ends; delete it if the block raises.

    The file has a temporary name in the same directory and is renamed at the end. No process can
    read an incomplete file, and two processes can write the same file at the same time.

    Raises:
        OSError: if the directory does not exist or is not writable.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_new(paths: Iterable[Path]) -> None:
    """Check that none of these files exists.

    Raises:
        ConfigError: for one that does; it is named.
    """
    for path in paths:
        if path.exists():
            raise ConfigError(f"{str(path)!r} exists already, and is not overwritten; remove it.")
