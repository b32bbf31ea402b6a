"""Tables of the System Reference Document 5.1 that the data is checked against.

The names are those of the data files.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from axiom_envs.dnd.constants import SizeName

SIZE_DICE: Mapping[SizeName, int] = {"small": 6, "medium": 8, "large": 10}
"""Sides of a monster's hit dice, by size."""

XP_BY_CR: Mapping[Fraction, int] = {
    Fraction(rating): xp
    for rating, xp in {
        "0": 10, "1/8": 25, "1/4": 50, "1/2": 100, "1": 200, "2": 450, "3": 700, "4": 1100,
        "5": 1800, "6": 2300, "7": 2900, "8": 3900, "9": 5000, "10": 5900, "11": 7200,
        "12": 8400, "13": 10000, "14": 11500, "15": 13000, "16": 15000, "17": 18000,
        "18": 20000, "19": 22000, "20": 25000, "21": 33000, "22": 41000, "23": 50000,
        "24": 62000, "25": 75000, "26": 90000, "27": 105000, "28": 120000, "29": 135000,
        "30": 155000,
    }.items()
}  # fmt: skip
"""Experience points by challenge rating."""

TRAITS: Mapping[str, Mapping[str, str]] = {
    "action_surge": {},
    "aggressive": {},
    "archery": {"bonus": "number"},
    "brave": {},
    "charge": {"attack": "attack", "distance": "number", "dice": "dice", "dc": "number"},
    "colossus_slayer": {"dice": "dice"},
    "cunning_action": {},
    "danger_sense": {},
    "dueling": {"bonus": "number"},
    "fast_movement": {"feet": "number"},
    "improved_critical": {"threshold": "number"},
    "martial_advantage": {"dice": "dice"},
    "nimble_escape": {},
    "pack_tactics": {},
    "parry": {"bonus": "number"},
    "rage": {"uses": "number", "bonus": "number"},
    "rampage": {"attack": "attack"},
    "reckless": {},
    "regeneration": {"amount": "number", "stopped_by": "damage"},
    "second_wind": {"dice": "dice"},
    "sneak_attack": {"dice": "dice"},
    "sunlight_sensitivity": {},
    "surprise_attack": {"dice": "dice"},
    "unarmoured_defence": {},
    "uncanny_dodge": {},
    "undead_fortitude": {"dc": "number"},
}
"""All traits with their parameters. A parameter is a number, dice, the name of an attack, or a list
of damage types. All parameters of a trait are required."""


def modifier(score: int) -> int:
    """Return the ability modifier of a score: 0 for 10 and 11."""
    return score // 2 - 5


def proficiency_of_rating(rating: Fraction) -> int:
    """Return the proficiency bonus of a monster: +2 up to challenge 4, then one more per four."""
    return proficiency_of_level(max(1, -(-rating.numerator // rating.denominator)))


def proficiency_of_level(level: int) -> int:
    """Return the proficiency bonus at a level from 1 to 20: +2 up to 4, then one more per four."""
    return 2 + (level - 1) // 4
