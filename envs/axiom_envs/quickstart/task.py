"""The task of Quickstart: rewards for health and for earned money."""

from __future__ import annotations

from axiom_gym.config.task import Task

TICKS = 100

TASK = Task(
    # A tick at full health gives 0.01, and so does earning 100.
    reward=lambda before, after: (
        0.0001 * after["health"] + 0.0001 * (after["money"] - before["money"])
    ),
    terminated=lambda s: s["health"] <= 0,
    max_ticks=TICKS,
)
