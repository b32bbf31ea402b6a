"""Functions that choose values for an offer, for use in your own AIs and rulesets.

Source: AjveCiv 0.1.3. Both functions take a `Society` or a mapping of the six values by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from axiom_envs.ajve_civ.compat.worlds import Society
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.errors import check_range
from axiom_gym.seeded_rng import SeededRNG


def random_values(k: int, society: Society | Mapping[str, int], rng: SeededRNG) -> tuple[str, ...]:
    """Return k of the six values in random order, as in the offer of a turn.

    The function draws six random numbers for any k. It ignores the society, which is a parameter
    for symmetry with `highest_values`. k: 0 to 6.

    Raises:
        ConfigError: k is out of range.
    """
    shuffled = rng.shuffle(VALUES)
    rng.next_uint32()  # the original draws a sixth number, to swap the first value with itself
    return tuple(shuffled[: check_range("k", k, 0, len(VALUES))])


def highest_values(k: int, society: Society | Mapping[str, int]) -> tuple[str, ...]:
    """Return the k highest values, highest first, ties in the order of the values. k: 0 to 6.

    Raises:
        ConfigError: k is out of range.
    """
    values = society.values if isinstance(society, Society) else society
    ranked = sorted(VALUES, key=lambda name: -values[name])
    return tuple(ranked[: check_range("k", k, 0, len(VALUES))])
