"""The rule book's lists: abilities, skills, sizes, kinds of damage, costs."""

from __future__ import annotations

from enum import Enum

from axiom_envs.dnd import constants


class Name(Enum):
    """Base of lists of names; as keys they are looked up all the time.

    Members are equal only to themselves, so the quickest hash there is will do.
    """

    __hash__ = object.__hash__


class Ability(Name):
    """The six abilities; the value is the name in data files."""

    STRENGTH = "str"
    DEXTERITY = "dex"
    CONSTITUTION = "con"
    INTELLIGENCE = "int"
    WISDOM = "wis"
    CHARISMA = "cha"

    @property
    def title(self) -> str:
        """The name in full, in lower case."""
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
"""The skills of checks to interact socially."""


class Size(Enum):
    """Sizes; `rank` counts from tiny, `squares` is the side of the space in squares of 5 ft."""

    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GARGANTUAN = "gargantuan"

    rank: int
    squares: int

    def __init__(self, _: str) -> None:
        """Ranks count from 0, in the order above; up to medium a creature fills one square."""
        self.rank = len(type(self).__members__)
        self.squares = max(1, self.rank - 1)


class DamageType(Name):
    """The 13 types of damage, in alphabetical order."""

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
    """What an action may cost."""

    ACTIONS = "action"
    BONUS_ACTIONS = "bonus action"
    REACTIONS = "reaction"
    MOVEMENT = "movement"
    ATTACKS = "attack"
    """One of the attacks of an Attack action."""
    OBJECT_INTERACTIONS = "object interaction"
