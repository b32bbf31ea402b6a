"""A progress bar for long series."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Self

PATIENCE = 1.0
"""The number of seconds before the bar appears."""


class SeriesProgress:
    """A display of the number of finished games; a context manager."""

    def __init__(self, wanted: Callable[[int, int], None] | bool, total: int) -> None:
        """Prepare the display.

        Args:
            wanted: a function to call with the numbers of finished games and of all games. If True,
                show a bar on standard error, provided that it and standard output are terminals.
            total: the number of games.
        """
        self._call = None if isinstance(wanted, bool) else wanted
        self._may_show = wanted is True and sys.stdout.isatty() and sys.stderr.isatty()
        self._total, self._start = total, time.monotonic()
        self._bar: Any = None

    def __call__(self, finished: int) -> None:
        """Show the number of finished games."""
        if self._call is not None:
            self._call(finished, self._total)
        if self._may_show and self._bar is None and time.monotonic() - self._start > PATIENCE:
            self._open()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=finished)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        self._bar = Bar(console=Console(stderr=True), transient=True)
        self._bar.add_task("games", total=self._total)
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
