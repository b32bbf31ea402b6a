"""`GAME`, which describes LifeSim to Axiom Gym."""

from __future__ import annotations

from axiom_envs.life_sim.constants import YEARS
from axiom_envs.life_sim.rules import CONFIG
from axiom_envs.life_sim.task import TASK
from axiom_gym.config.environment import as_game

GAME = as_game(
    CONFIG,
    TASK,
    title="LifeSim",
    summary="One decision a year from 18 to 78: school, work, love and money, for many good years.",
    bots={"planner": "axiom_envs.life_sim.bots:planner"},
    outcomes=(0.0, float(YEARS)),
    card="axiom_envs.life_sim",
)
