"""Writing rows into the event log that a kernel's `step` may receive."""

from __future__ import annotations

from typing import Any

from axiom_gym.kernel import inner_kernel

MOST_ROWS = 4096
"""The number of rows in the event log of one turn, far more than any game writes."""


@inner_kernel
def emit(
    events: Any,
    kind: int,
    a: int,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
) -> None:
    """Append a row to the log, if there is one and it has room. events: None, or (E, 8) int16."""
    if events is not None:
        row = int(events[0, 0]) + 1
        if row < events.shape[0]:
            events[0, 0] = row
            events[row, 0] = kind
            events[row, 1] = a
            events[row, 2] = b
            events[row, 3] = c
            events[row, 4] = d
            events[row, 5] = e
            events[row, 6] = f
            events[row, 7] = g
