"""`CONFIG`, the rules of LifeSim as data."""

from __future__ import annotations

from axiom_envs.life_sim.actions import ACTIONS
from axiom_envs.life_sim.events import EVENTS
from axiom_envs.life_sim.world import (
    ATTRIBUTES,
    CHOICES,
    PASSIVE_MODIFIERS,
    PROBABILITY_MODIFIERS,
    initial_state,
    new_year,
)
from axiom_gym.config.definitions import MILESTONE, PASSIVE, RANDOM, GameConfig

CONFIG = GameConfig(
    name="life_sim",
    initial_state=initial_state,
    attributes=ATTRIBUTES,
    choices=CHOICES,
    passive_modifiers=PASSIVE_MODIFIERS,
    actions=ACTIONS,
    events=EVENTS,
    restrictions=[lambda s: s["hospital"]],
    probability_modifiers=PROBABILITY_MODIFIERS,
    tick_order=["newYearPhase", RANDOM, PASSIVE, MILESTONE],
    custom_phases={"newYearPhase": new_year},
)
