"""What Quickstart asks for: health, and more money."""

from __future__ import annotations

from axiom_gym.config.task import Task

TICKS = 100

TASK = Task(
    # A tick in full health is worth 0.01, and so is 100 more in the purse.
    reward=lambda before, after: (
        0.0001 * after["health"] + 0.0001 * (after["money"] - before["money"])
    ),
    terminated=lambda s: s["health"] <= 0,
    max_ticks=TICKS,
)
