"""The task of LifeSim: a long life of good years."""

from __future__ import annotations

from axiom_envs.life_sim.constants import LAST_AGE, YEARS
from axiom_gym.config.task import Task

TASK = Task(
    reward=lambda before, after: after["good_years"] - before["good_years"],
    score=lambda s: s["good_years"],
    terminated=lambda s: (s["health"] <= 0.0) | (s["age"] >= LAST_AGE),
    max_ticks=YEARS,
)
