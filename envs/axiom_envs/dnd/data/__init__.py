"""Weapons, armour, creatures, classes and scenarios: data files, validated when they are read.

The numbers of weapons, armour, creatures and classes are those of the System Reference Document
5.1; the scenarios are original. Files are read at the first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_envs.dnd.data.dice import DiceSpec, parse_dice
    from axiom_envs.dnd.data.load import (
        Library,
        armour,
        armour_names,
        class_names,
        creature,
        creature_names,
        load_file,
        scenario,
        scenario_names,
        weapon,
        weapon_names,
    )

__all__ = [
    "DiceSpec",
    "Library",
    "armour",
    "armour_names",
    "class_names",
    "creature",
    "creature_names",
    "load_file",
    "parse_dice",
    "scenario",
    "scenario_names",
    "weapon",
    "weapon_names",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("dice", "load"))


def __dir__() -> list[str]:
    return list(__all__)
