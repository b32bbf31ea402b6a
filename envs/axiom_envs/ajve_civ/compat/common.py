"""What offers are made of, for AIs and rulesets that want to choose among values themselves.

Their source is AjveCiv 0.1.3. Both take a `Society` or a mapping of the six values by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from axiom_envs.ajve_civ.compat.worlds import Society
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.errors import check_range
from axiom_gym.seeded_rng import SeededRNG


def random_values(k: int, society: Society | Mapping[str, int], rng: SeededRNG) -> tuple[str, ...]:
    """So many of the six values in a random order, as a turn offers them.

    It draws six numbers, whatever k is. k: 0 to 6. The society does not matter; it is there because
    `highest_values` has one.

    Raises:
        ConfigError: for another k.
    """
    shuffled = rng.shuffle(VALUES)
    rng.next_uint32()  # the sixth number, which would swap the first value with itself
    return tuple(shuffled[: check_range("k", k, 0, len(VALUES))])


def highest_values(k: int, society: Society | Mapping[str, int]) -> tuple[str, ...]:
    """The k highest values, highest first, and equal ones in their own order. k: 0 to 6.

    Raises:
        ConfigError: for another k.
    """
    values = society.values if isinstance(society, Society) else society
    ranked = sorted(VALUES, key=lambda name: -values[name])
    return tuple(ranked[: check_range("k", k, 0, len(VALUES))])
