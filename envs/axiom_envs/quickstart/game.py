"""`GAME`, which describes Quickstart to Axiom Gym."""

from __future__ import annotations

from axiom_envs.quickstart.rules import CONFIG
from axiom_envs.quickstart.task import TASK
from axiom_gym.config.environment import as_game

GAME = as_game(
    CONFIG,
    TASK,
    title="Quickstart",
    summary="Work for money or see the doctor for health: a complete game in fifty lines.",
    outcomes=(-0.05, 2.0),
    card="axiom_envs.quickstart",
)
