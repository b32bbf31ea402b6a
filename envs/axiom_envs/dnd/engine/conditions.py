"""All conditions in one module: the base class, those of the SRD, and those that actions cause."""

from __future__ import annotations

from axiom_envs.dnd.engine.creature.conditions import (
    BaseCondition,
    ConditionApplication,
    ConditionRemoval,
    SaveAgainst,
)
from axiom_envs.dnd.engine.rules.effects import (
    Disengaged,
    Dodging,
    Helped,
    HelpedCheck,
    Hidden,
    Raging,
    Reckless,
    Surprised,
)
from axiom_envs.dnd.engine.rules.standard import (
    Blinded,
    Charmed,
    Deafened,
    Exhaustion,
    Felled,
    Frightened,
    Grappled,
    Incapacitated,
    Invisible,
    Paralyzed,
    Petrified,
    Poisoned,
    Prone,
    Restrained,
    Stunned,
    Unconscious,
)

__all__ = [
    "BaseCondition",
    "Blinded",
    "Charmed",
    "ConditionApplication",
    "ConditionRemoval",
    "Deafened",
    "Disengaged",
    "Dodging",
    "Exhaustion",
    "Felled",
    "Frightened",
    "Grappled",
    "Helped",
    "HelpedCheck",
    "Hidden",
    "Incapacitated",
    "Invisible",
    "Paralyzed",
    "Petrified",
    "Poisoned",
    "Prone",
    "Raging",
    "Reckless",
    "Restrained",
    "SaveAgainst",
    "Stunned",
    "Surprised",
    "Unconscious",
]
