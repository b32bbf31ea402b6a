"""Dividing a batch into slices for several threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np


class Slices:
    """The slices of a batch, and the threads that call compiled functions on them.

    These functions release the GIL and touch no other slice. The threads start at the first call
    that needs them. A copy in another process starts its own.
    """

    def __init__(self, num_games: int, num_threads: int) -> None:
        """Divide `num_games` games into at most `num_threads` slices, none of them empty."""
        bounds = np.linspace(0, num_games, num_threads + 1).astype(int).tolist()
        pairs = enumerate(pairwise(bounds))
        self._slices = [(k, low, high) for k, (low, high) in pairs if high > low]
        self._pool: ThreadPoolExecutor | None = None

    @property
    def several(self) -> bool:
        """True if there is more than one slice."""
        return len(self._slices) > 1

    def run(self, work: Callable[[int, int, int], Any]) -> None:
        """Call `work(k, low, high)` for each slice k, which holds games low to high - 1."""
        if not self.several:
            work(*self._slices[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._slices), thread_name_prefix="axiom-gym")
        for future in [self._pool.submit(work, *one) for one in self._slices]:
            future.result()

    def close(self) -> None:
        """Stop the threads, if there are any."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the threads."""
        return {**self.__dict__, "_pool": None}
