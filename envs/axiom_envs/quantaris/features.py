"""The names of the entries of an observation of Quantaris; `observe` writes the entries."""

from __future__ import annotations

from axiom_envs.quantaris.constants import DIRECTIONS, UNITS_PER_PLAYER


def feature_names(directions: int) -> tuple[str, ...]:
    """Return a name for each entry of the flat observation.

    directions: the number of directions of a pulse, 8 or 4.
    """
    units = [f"{side}{row}" for side in ("own", "enemy") for row in range(UNITS_PER_PLAYER)]
    names = [f"{unit}.{value}" for unit in units for value in ("x", "y", "hp")]
    names += ["own_core.hp", "enemy_core.hp", "turn"]
    for row in range(UNITS_PER_PLAYER):
        for target in ("enemy_unit", "enemy_core", "friend"):
            names += [
                f"own{row}.pulse_{direction}.{target}" for direction in DIRECTIONS[:directions]
            ]
    return tuple(names)
