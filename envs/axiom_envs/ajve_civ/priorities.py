"""The 41 priority AIs of the original, each of which prefers some values in a fixed order."""

from __future__ import annotations

from itertools import combinations

from axiom_envs.ajve_civ.constants import VALUES

ORDER = ("conquer", "discover", "exchange", "expand", "develop", "consent")
"""The order in which the original combines values."""

FAMILIES = {
    family: {"-".join(chosen): chosen for chosen in combinations(ORDER, size)}
    for size, family in enumerate(("basic", "basic2", "basic3"), start=1)
}
"""Family -> name of an AI, such as "conquer-discover" -> its values in order of priority."""

PRIORITIES = {name: chosen for family in FAMILIES.values() for name, chosen in family.items()}
"""Name -> values, of all 41 AIs."""


def numbers_of(name: str) -> tuple[int, int, int]:
    """Return the numbers of the values that an AI prefers; -1 for each that is missing of three."""
    chosen = [VALUES.index(value) for value in PRIORITIES[name]]
    first, second, third = [*chosen, -1, -1][:3]
    return first, second, third


def function_name(name: str) -> str:
    """Return the name in `bots` of the function of a bot."""
    return name.replace("-", "_")
