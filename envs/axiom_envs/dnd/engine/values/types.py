"""The enumerations of the SRD: abilities, skills, sizes, damage types, costs."""

from __future__ import annotations

from enum import Enum

from axiom_envs.dnd import constants


class Name(Enum):
    """Base of enumerations with a fast hash, because their members are frequent dictionary keys.

    Members are equal only to themselves, so the hash of the object's identity is correct.
    """

    __hash__ = object.__hash__


class Ability(Name):
    """The six abilities; each value is the name in data files."""

    STRENGTH = "str"
    DEXTERITY = "dex"
    CONSTITUTION = "con"
    INTELLIGENCE = "int"
    WISDOM = "wis"
    CHARISMA = "cha"

    @property
    def title(self) -> str:
        """The full name in lower case."""
        return self.name.lower()


class Skill(Name):
    """The 18 skills, each with its ability in `SKILL_ABILITIES`."""

    ACROBATICS = "acrobatics"
    ANIMAL_HANDLING = "animal_handling"
    ARCANA = "arcana"
    ATHLETICS = "athletics"
    DECEPTION = "deception"
    HISTORY = "history"
    INSIGHT = "insight"
    INTIMIDATION = "intimidation"
    INVESTIGATION = "investigation"
    MEDICINE = "medicine"
    NATURE = "nature"
    PERCEPTION = "perception"
    PERFORMANCE = "performance"
    PERSUASION = "persuasion"
    RELIGION = "religion"
    SLEIGHT_OF_HAND = "sleight_of_hand"
    STEALTH = "stealth"
    SURVIVAL = "survival"


SKILL_ABILITIES = {
    Skill(skill): Ability(ability) for skill, ability in constants.SKILL_ABILITIES.items()
}
"""The ability that a check of each skill uses."""

SOCIAL_SKILLS = (Skill.DECEPTION, Skill.INTIMIDATION, Skill.PERFORMANCE, Skill.PERSUASION)
"""The skills of checks in social interaction."""


class Size(Enum):
    """Sizes; `rank` counts up from tiny, `squares` is the side of the space in squares of 5 ft."""

    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GARGANTUAN = "gargantuan"

    rank: int
    squares: int

    def __init__(self, _: str) -> None:
        """Set the rank, from 0 in the order above, and the squares, 1 up to size medium."""
        self.rank = len(type(self).__members__)
        self.squares = max(1, self.rank - 1)


class DamageType(Name):
    """The 13 damage types, in alphabetical order."""

    ACID = "acid"
    BLUDGEONING = "bludgeoning"
    COLD = "cold"
    FIRE = "fire"
    FORCE = "force"
    LIGHTNING = "lightning"
    NECROTIC = "necrotic"
    PIERCING = "piercing"
    POISON = "poison"
    PSYCHIC = "psychic"
    RADIANT = "radiant"
    SLASHING = "slashing"
    THUNDER = "thunder"


class CostType(Name):
    """The resources that an action can cost."""

    ACTIONS = "action"
    BONUS_ACTIONS = "bonus action"
    REACTIONS = "reaction"
    MOVEMENT = "movement"
    ATTACKS = "attack"
    """One attack of an Attack action."""
    OBJECT_INTERACTIONS = "object interaction"
