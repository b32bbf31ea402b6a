"""The layout of an observation: what its entries are called, how they are scaled, where they stand.

All entries are in -1..1; what would go beyond is cut off there. An observation is, one after the
other, the planes (20, H, W), the entities (2N, 107) and the globals (16,), flat, float32, for a
board of H rows and W columns and N creatures a side.

Slot 0 is who decides, or whose turn it is, if it is of the side that looks, else that side's first;
then come the others of the side, from slot N on the enemies, both in the order of the scenario. A
slot that nobody has is all zeros. Of an enemy that nobody of the side sees, `alive` and `side` are
written, and nothing else; the square where it was last seen is in the plane `last_known`.

Nothing here imports the engine.
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
"""Those that are there or not; exhaustion has levels."""
TRAITS = (
    "pack_tactics", "nimble_escape", "undead_fortitude", "aggressive", "martial_advantage",
    "parry", "reckless", "regeneration",
)  # fmt: skip
SIZES = ("small", "medium", "large", "huge")


@dataclass(frozen=True, slots=True)
class Feature:
    """A value, or several of one scale.

    Attributes:
        name: what it is called.
        scale: how the number comes about.
        parts: what there is one of each of; nothing for a single value.
    """

    name: str
    scale: str
    parts: tuple[str, ...] = ()

    def names(self) -> Iterable[str]:
        """The names of its entries."""
        return (f"{self.name}.{part}" for part in self.parts) if self.parts else (self.name,)


PLANES = (
    Feature("in_bounds", "1 on the map, 0 where the board is larger"),
    Feature("walls", "0 or 1"),
    Feature("water", "0 or 1"),
    Feature("difficult", "0 or 1"),
    Feature("obstacles", "0 or 1: low, half cover to what is behind"),
    Feature("obscured", "0 or 1"),
    Feature("light", "0 dark, 0.5 dim, 1 bright"),
    Feature("self", "1 on the squares of slot 0"),
    Feature("allies", "share of the hit points, on the squares of other living ones of the side"),
    Feature("enemies", "share of the hit points, on the squares of living enemies that are seen"),
    Feature("last_known", "1 where an enemy that is not seen, and lives, was last seen"),
    Feature("path_cost", "feet for slot 0 / its speed; 1 where it cannot come, or not at once"),
    Feature("reachable", "1 where slot 0 can end a move now, by its feet; 0 but in its own turn"),
    Feature("reachable_dash", "the same with its speed once more"),
    Feature("enemy_reach", "seen enemies that could make an opportunity attack there / N"),
    Feature("ally_reach", "others of the side that could / N"),
    Feature("line_of_sight", "1 where slot 0 has a line of sight to"),
    Feature("cover", "armour class of cover against a shot of slot 0 / 10: 0, 0.2, 0.5; 1: total"),
    Feature("enemy_distance", "squares to the nearest enemy seen that stands / 16; 1 for none"),
    Feature("bodies", "1 dead, 0.5 at 0 hit points and not dead"),
)
"""The planes, in order. What concerns enemies concerns those that somebody of the side sees, also
as obstacles on ways and as cover."""

BODY = (
    Feature("alive", "0 or 1"),
    Feature("downed", "1 at 0 hit points and not dead"),
    Feature("stable", "0 or 1"),
    Feature("side", "1 own, -1 enemy"),
    Feature("acting", "1 for whose turn it is"),
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
    Feature("initiative", "place in the order, from 0 / number of creatures"),
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
    Feature("hidden", "1 if somebody does not notice it"),
    Feature("dodging", "0 or 1"),
    Feature("disengaged", "0 or 1"),
    Feature("dashed", "feet gained in this turn / 60"),
    Feature("distracted", "1 if the next attack against it has advantage by Help"),
)
LINKS = (Feature("grappled_by", "slot + 1 of who holds it / 2N; 0 nobody, or nobody seen"),)
DEATH = (
    Feature("death_successes", "/ 3"),
    Feature("death_failures", "/ 3"),
)
PROFILE_PARTS = ("to_hit", "damage", "range", "long_range", "rider", "uses")
ATTACKS = tuple(
    Feature(
        f"profile{k}",
        "attack bonus / 15; mean damage / 30; reach or normal range / 120 ft; long range / 600 ft; "
        "what a hit does besides / 8: 1 prone, 2 a condition, 3 a condition to break free of, "
        "4 damage, 5 a push, 6 a charge, 7 others; uses left: 1 without limit, else / 8, and 0 "
        "where it cannot be used now",
        PROFILE_PARTS,
    )
    for k in range(MOST_PROFILES)
)
FEATURES = (Feature("trait", "0 or 1", TRAITS),)

GLOBALS = (
    Feature("round", "/ round limit"),
    Feature("actor_slot", "slot + 1 of whose turn it is / 2N; 0 for an enemy that is not seen"),
    Feature("turn", "place in the order of whose turn it is, from 0 / number of creatures"),
    Feature("decides", "1 if the side decides now"),
    Feature("kind", "one-hot, what it decides", ("main", "opportunity", "defence")),
    Feature("trigger_slot", "slot + 1 of who has caused the question / 2N; 0 unless a reaction"),
    Feature("trigger_x", "column that it steps to or attacks from / W"),
    Feature("trigger_y", "row / H"),
    Feature("decisions_left", "of 32 in this turn; 0 unless it is one of the side's"),
    Feature("allies_alive", "/ N"),
    Feature("enemies_alive", "/ N"),
    Feature("enemies_seen", "living / N"),
    Feature("allies_hp", "hit points of the side / their maximum"),
    Feature("enemies_hp", "the same of the living enemies that are seen; 0 if there is none"),
)
"""Death saves are rolled by the rules, not decided, so reactions have two kinds instead."""


def _names(features: Iterable[Feature]) -> tuple[str, ...]:
    return tuple(name for feature in features for name in feature.names())


BLOCKS = (BODY, STATS, STATUS, LINKS, DEATH, ATTACKS, FEATURES)
"""What an entity's entries are, block by block; the blocks are written one by one."""
ENTITY_NAMES = tuple(name for block in BLOCKS for name in _names(block))
GLOBAL_NAMES = _names(GLOBALS)
ENTITY_SIZE = len(ENTITY_NAMES)
GLOBAL_SIZE = len(GLOBAL_NAMES)
PLANE_COUNT = len(PLANES)


def place_of(block: tuple[Feature, ...]) -> slice:
    """Where a block stands among an entity's entries."""
    before = BLOCKS[: BLOCKS.index(block)]
    start = sum(len(_names(other)) for other in before)
    return slice(start, start + len(_names(block)))


def entity_index(name: str) -> int:
    """Where an entry stands among an entity's."""
    return ENTITY_NAMES.index(name)


def plane_index(name: str) -> int:
    """The number of a plane."""
    return next(k for k, plane in enumerate(PLANES) if plane.name == name)


def observation_size(units: int, width: int, height: int) -> int:
    """The number of entries.

    Args:
        units: N, creatures a side that there is room for.
        width: W, columns of the board.
        height: H, rows.
    """
    return PLANE_COUNT * height * width + 2 * units * ENTITY_SIZE + GLOBAL_SIZE


def feature_names(units: int, width: int, height: int) -> tuple[str, ...]:
    """A name for each entry, such as "plane.walls[y=3,x=4]", "self.hp", "ally1.condition.prone".

    Args:
        units: N, creatures a side.
        width: W, columns of the board.
        height: H, rows.
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
    """The three parts of an observation, as views of it.

    Args:
        observation: (F,) float32, C-contiguous.
        units: N, creatures a side.
        width: W, columns of the board.
        height: H, rows.

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
