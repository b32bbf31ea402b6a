"""Files that are written whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[io.BufferedRandom]:
    """A binary file that takes the place of `path` when the block ends, or leaves no trace.

    It is written under a temporary name in the same directory and then renamed, so nobody ever sees
    half of it, and two processes may write the same file at once.

    Raises:
        OSError: if the directory is not there or cannot be written to.
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
    """The permissions that new files shall not have, which can only be read by setting them."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
