"""The layout of an observation: names, scales and positions of its entries.

All entries are in -1..1; larger values are clipped. An observation consists of the planes
(20, H, W), the entities (2N, 107) and the globals (16,), flat and in this order, float32, for a
board of H rows and W columns and N creatures per side.

Slot 0 is a creature of the observing side: the one that decides, else the one whose turn it is,
else the side's first creature. The other creatures of the side follow; enemies start at slot N.
Both are in the order of the scenario. An unused slot is all zeros. For an enemy that no creature of
the side sees, only `alive` and `side` are written; the plane `last_known` marks the square where it
was last seen.

This module does not import the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import MOST_PROFILES, ConditionName, DamageName

Floats = npt.NDArray[np.float32]

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
DAMAGE_TYPES = get_args(DamageName)
CONDITIONS = tuple(name for name in get_args(ConditionName) if name != "exhaustion")
"""Conditions that are either present or not; exhaustion has levels."""
TRAITS = (
    "pack_tactics", "nimble_escape", "undead_fortitude", "aggressive", "martial_advantage",
    "parry", "reckless", "regeneration",
)  # fmt: skip
SIZES = ("small", "medium", "large", "huge")


@dataclass(frozen=True, slots=True)
class Feature:
    """One value, or several values of one scale.

    Attributes:
        name: the name of the feature.
        scale: the meaning and scale of the number.
        parts: the names of the values; empty for a single value.
    """

    name: str
    scale: str
    parts: tuple[str, ...] = ()

    def names(self) -> Iterable[str]:
        """Return the names of its entries."""
        return (f"{self.name}.{part}" for part in self.parts) if self.parts else (self.name,)


PLANES = (
    Feature("in_bounds", "1 on the map, 0 where the board is larger"),
    Feature("walls", "0 or 1"),
    Feature("water", "0 or 1"),
    Feature("difficult", "0 or 1"),
    Feature("obstacles", "0 or 1: low, half cover for creatures behind"),
    Feature("obscured", "0 or 1"),
    Feature("light", "0 dark, 0.5 dim, 1 bright"),
    Feature("self", "1 on the squares of slot 0"),
    Feature("allies", "share of hit points, on the squares of other living creatures of the side"),
    Feature("enemies", "share of hit points, on the squares of living enemies that are seen"),
    Feature("last_known", "1 where a living enemy that is not seen was last seen"),
    Feature("path_cost", "feet for slot 0 / its speed; 1 if out of reach, or beyond its speed"),
    Feature("reachable", "1 where slot 0 can end a move now; 0 outside of its own turn"),
    Feature("reachable_dash", "the same with its speed once more"),
    Feature("enemy_reach", "seen enemies that could make an opportunity attack there / N"),
    Feature("ally_reach", "other creatures of the side that could / N"),
    Feature("line_of_sight", "1 if slot 0 has a line of sight to the square"),
    Feature("cover", "bonus of cover against a shot of slot 0 / 10: 0, 0.2, 0.5; 1: total cover"),
    Feature("enemy_distance", "squares to the nearest seen enemy with hit points / 16; 1 for none"),
    Feature("bodies", "1 dead, 0.5 at 0 hit points and not dead"),
)
"""The planes, in order. Enemies that the side does not see appear only in `last_known`. They do not
block paths or give cover in the planes."""

BODY = (
    Feature("alive", "0 or 1"),
    Feature("downed", "1 at 0 hit points and not dead"),
    Feature("stable", "0 or 1"),
    Feature("side", "1 own, -1 enemy"),
    Feature("acting", "1 for the creature whose turn it is"),
    Feature("x", "column / W"),
    Feature("y", "row / H"),
    Feature("size", "one-hot", SIZES),
    Feature("hp", "hit points / their maximum"),
    Feature("max_hp", "/ 100"),
    Feature("temporary_hp", "/ 20"),
    Feature("armour_class", "without cover / 30"),
    Feature("speed", "feet / 60"),
    Feature("movement_left", "feet / 60"),
    Feature("action", "1 if it has one left"),
    Feature("attacks_left", "of its Attack action / 4"),
    Feature("bonus_action", "1 if it has one left"),
    Feature("reaction", "1 if it has one left"),
    Feature("object_interaction", "1 if it has one left"),
    Feature("initiative", "position in the turn order, from 0 / number of creatures"),
)
STATS = (
    Feature("ability", "modifier / 10", ABILITIES),
    Feature("save", "bonus / 10", ABILITIES),
    Feature("skill", "bonus / 20", ("athletics", "acrobatics", "stealth")),
    Feature("passive_perception", "10 and the bonus, without advantage / 20"),
    Feature("resistance", "0.5 resistant, 1 immune, -1 vulnerable, 0 else", DAMAGE_TYPES),
)
STATUS = (
    Feature("condition", "0 or 1", CONDITIONS),
    Feature("exhaustion", "level / 6"),
    Feature("hidden", "1 if some creature does not notice it"),
    Feature("dodging", "0 or 1"),
    Feature("disengaged", "0 or 1"),
    Feature("dashed", "feet gained in this turn / 60"),
    Feature("distracted", "1 if the next attack against it has advantage by Help"),
)
LINKS = (Feature("grappled_by", "slot + 1 of its grappler / 2N; 0 for none, or one not seen"),)
DEATH = (
    Feature("death_successes", "/ 3"),
    Feature("death_failures", "/ 3"),
)
PROFILE_PARTS = ("to_hit", "damage", "range", "long_range", "rider", "uses")
ATTACKS = tuple(
    Feature(
        f"profile{k}",
        "attack bonus / 15; mean damage / 30; reach or normal range / 120 ft; long range / 600 ft; "
        "extra effect of a hit / 8: 1 prone, 2 a condition, 3 a condition to break free of, "
        "4 damage, 5 a push, 6 a charge, 7 others; uses left: 1 without limit, else / 8, and 0 "
        "if it cannot be used now",
        PROFILE_PARTS,
    )
    for k in range(MOST_PROFILES)
)
FEATURES = (Feature("trait", "0 or 1", TRAITS),)

GLOBALS = (
    Feature("round", "/ round limit"),
    Feature("actor_slot", "slot + 1 of the creature whose turn it is / 2N; 0 for an unseen enemy"),
    Feature("turn", "actor's position in the turn order, from 0 / number of creatures"),
    Feature("decides", "1 if the side decides now"),
    Feature("kind", "one-hot, the kind of decision", ("main", "opportunity", "defence")),
    Feature("trigger_slot", "slot + 1 of the cause of a reaction / 2N; 0 without a reaction"),
    Feature("trigger_x", "column that the cause steps to or attacks from / W"),
    Feature("trigger_y", "row / H"),
    Feature("decisions_left", "share of 32 decisions left in this turn; 0 in the enemy's turn"),
    Feature("allies_alive", "/ N"),
    Feature("enemies_alive", "/ N"),
    Feature("enemies_seen", "living / N"),
    Feature("allies_hp", "hit points of the side / their maximum"),
    Feature("enemies_hp", "the same of the living enemies that are seen; 0 if none is seen"),
)
"""The kinds do not include death saving throws, because the rules roll these without a decision."""


def _names(features: Iterable[Feature]) -> tuple[str, ...]:
    return tuple(name for feature in features for name in feature.names())


BLOCKS = (BODY, STATS, STATUS, LINKS, DEATH, ATTACKS, FEATURES)
"""The entries of an entity, block by block; each block is written as a whole."""
ENTITY_NAMES = tuple(name for block in BLOCKS for name in _names(block))
GLOBAL_NAMES = _names(GLOBALS)
ENTITY_SIZE = len(ENTITY_NAMES)
GLOBAL_SIZE = len(GLOBAL_NAMES)
PLANE_COUNT = len(PLANES)


def place_of(block: tuple[Feature, ...]) -> slice:
    """Return the position of a block among an entity's entries."""
    before = BLOCKS[: BLOCKS.index(block)]
    start = sum(len(_names(other)) for other in before)
    return slice(start, start + len(_names(block)))


def entity_index(name: str) -> int:
    """Return the index of an entry among an entity's entries."""
    return ENTITY_NAMES.index(name)


def plane_index(name: str) -> int:
    """Return the index of a plane."""
    return next(k for k, plane in enumerate(PLANES) if plane.name == name)


def observation_size(units: int, width: int, height: int) -> int:
    """Return the number of entries.

    Args:
        units: N, maximum number of creatures on a side.
        width: W, columns of the board.
        height: H, rows of the board.
    """
    return PLANE_COUNT * height * width + 2 * units * ENTITY_SIZE + GLOBAL_SIZE


def feature_names(units: int, width: int, height: int) -> tuple[str, ...]:
    """Return a name for each entry, such as "plane.walls[y=3,x=4]" or "ally1.condition.prone".

    Args:
        units: N, maximum number of creatures on a side.
        width: W, columns of the board.
        height: H, rows of the board.
    """
    names = [
        f"plane.{plane.name}[y={y},x={x}]"
        for plane in PLANES
        for y in range(height)
        for x in range(width)
    ]
    slots = ["self", *(f"ally{k}" for k in range(1, units)), *(f"enemy{k}" for k in range(units))]
    names += [f"{slot}.{name}" for slot in slots for name in ENTITY_NAMES]
    names += [f"global.{name}" for name in GLOBAL_NAMES]
    return tuple(names)


def split(
    observation: Floats, units: int, width: int, height: int
) -> tuple[Floats, Floats, Floats]:
    """Return the three parts of an observation, as views of it.

    Args:
        observation: (F,) float32, C-contiguous.
        units: N, maximum number of creatures on a side.
        width: W, columns of the board.
        height: H, rows of the board.

    Returns:
        planes (20, H, W), entities (2N, 107), globals (16,).
    """
    squares = PLANE_COUNT * height * width
    last = squares + 2 * units * ENTITY_SIZE
    return (
        observation[:squares].reshape(PLANE_COUNT, height, width),
        observation[squares:last].reshape(2 * units, ENTITY_SIZE),
        observation[last:],
    )
