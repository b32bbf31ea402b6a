"""Numbers and names that several modules share. This module imports only the standard library.

The names are those of the data files and of the System Reference Document 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

# -- names of the rule book ------------------------------------------------------------------------

AbilityName: TypeAlias = Literal["str", "dex", "con", "int", "wis", "cha"]
DamageName: TypeAlias = Literal[
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]
ConditionName: TypeAlias = Literal[
    "blinded",
    "charmed",
    "deafened",
    "exhaustion",
    "frightened",
    "grappled",
    "incapacitated",
    "invisible",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
]
SkillName: TypeAlias = Literal[
    "acrobatics",
    "animal_handling",
    "arcana",
    "athletics",
    "deception",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight_of_hand",
    "stealth",
    "survival",
]
KindName: TypeAlias = Literal[
    "aberration",
    "beast",
    "celestial",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "fiend",
    "giant",
    "humanoid",
    "monstrosity",
    "ooze",
    "plant",
    "undead",
]
SizeName: TypeAlias = Literal["small", "medium", "large"]
WeaponProperty: TypeAlias = Literal[
    "ammunition",
    "finesse",
    "heavy",
    "light",
    "loading",
    "reach",
    "thrown",
    "two_handed",
    "versatile",
]

SKILL_ABILITIES: Mapping[SkillName, AbilityName] = {
    "acrobatics": "dex",
    "animal_handling": "wis",
    "arcana": "int",
    "athletics": "str",
    "deception": "cha",
    "history": "int",
    "insight": "wis",
    "intimidation": "cha",
    "investigation": "int",
    "medicine": "wis",
    "nature": "int",
    "perception": "wis",
    "performance": "cha",
    "persuasion": "cha",
    "religion": "int",
    "sleight_of_hand": "dex",
    "stealth": "dex",
    "survival": "wis",
}
"""The ability that a check of each skill uses."""

SIZE_SQUARES: Mapping[SizeName, int] = {"small": 1, "medium": 1, "large": 2}
"""The side of a creature's space, in squares of 5 ft."""

# -- squares ---------------------------------------------------------------------------------------

SQUARE = 5
"""The side of a square, in feet."""

DIAGONALS = ("5", "5-10-5")
"""Costs of diagonal steps: each 5 feet, or every second one 10 feet."""

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(dx, dy) of N, NE, E, SE, S, SW, W, NW; y grows downwards."""

FLOOR, WALL, WATER, DIFFICULT, OBSTACLE, OBSCURED = range(6)
"""Codes of terrain.

A wall blocks movement and sight; water blocks movement only. Difficult ground costs 5 extra feet.
So does an obstacle, which is low and gives half cover to creatures behind it. An obscured square
can be entered freely, but nothing can be seen in it, out of it or through it."""

TERRAINS = ("floor", "wall", "water", "difficult ground", "an obstacle", "obscured ground")
"""Names of terrain, by code."""

SYMBOLS = ".#~,o%"
"""Symbols of terrain in text maps, by code."""

DARK, DIM, BRIGHT = range(3)
"""Light levels of a square."""

NO_COVER, HALF_COVER, THREE_QUARTERS_COVER, TOTAL_COVER = range(4)
COVER_NAMES = ("no cover", "half cover", "three-quarters cover", "total cover")
COVER_BONUS = (0, 2, 5, 0)
"""Bonus to armour class, by grade of cover."""

# -- scenarios -------------------------------------------------------------------------------------

SideName: TypeAlias = Literal["party", "foes"]
SIDES: tuple[SideName, SideName] = ("party", "foes")
MOST_UNITS = 8
"""Maximum number of creatures on a side."""
MOST_PROFILES = 4
"""Maximum number of attack profiles of a creature."""
MIN_SIDE, MAX_SIDE = 4, 16
"""Minimum and maximum width and height of a map, in squares."""
MAX_SHARE = 0.4
"""Maximum share of a generated map's squares that one kind of terrain may have."""
ROUND_LIMIT = 20
"""Default number of rounds of an encounter."""

# -- kinds of choices ------------------------------------------------------------------------------

END_TURN, STEP, MOVE, ATTACK, OFF_HAND = "end turn", "step", "move", "attack", "off-hand attack"
REACT, DECLINE = "react", "decline"
DASH, DISENGAGE, DODGE, HIDE, SEARCH = "dash", "disengage", "dodge", "hide", "search"
BONUS_DASH, BONUS_DISENGAGE, BONUS_HIDE = "bonus dash", "bonus disengage", "bonus hide"
STAND_UP, DROP_PRONE, ESCAPE, RELEASE = "stand up", "drop prone", "escape", "release"
RECKLESS, SECOND_WIND, RAGE, BREAK_FREE = "reckless", "second wind", "rage", "break free"
RAMPAGE, ACTION_SURGE = "rampage", "action surge"
FEATURES = (RECKLESS, SECOND_WIND, RAGE, BREAK_FREE, ACTION_SURGE)
"""Choices that only creatures with a certain feature have."""
GRAPPLE, SHOVE_PRONE, SHOVE_BACK = "grapple", "shove prone", "shove back"
HELP, STABILISE = "help", "stabilise"
READY_MELEE, READY_RANGED = "ready melee", "ready ranged"

MOST_DECISIONS = 32
"""Maximum number of decisions in one turn; after that only ending the turn is legal."""
