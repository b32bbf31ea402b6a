"""The probability that an attack which rolls to the end conquers a territory."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import numpy.typing as npt

MOST = 40
"""The largest number of armies of either side in the table."""


def loss_chances(dice: int, against: int) -> dict[int, float]:
    """Return the probabilities that one roll costs the defender 0, 1 or 2 armies.

    The attacker loses min(dice, against) minus this number.

    Args:
        dice: the number of the attacker's dice, 1 to 3.
        against: the number of the defender's dice, 1 or 2.
    """
    lost: Counter[int] = Counter()
    for rolled in product(range(1, 7), repeat=dice + against):
        attacker = sorted(rolled[:dice], reverse=True)
        defender = sorted(rolled[dice:], reverse=True)
        # As many dice are compared as the side with fewer dice has, and zip stops there.
        lost[sum(a > d for a, d in zip(attacker, defender, strict=False))] += 1
    return {count: number / 6 ** (dice + against) for count, number in lost.items()}


def _make_table() -> npt.NDArray[np.int64]:
    """Return `ODDS`."""
    chances = {(a, d): loss_chances(a, d) for a in (1, 2, 3) for d in (1, 2)}
    table = np.zeros((MOST + 1, MOST + 1))
    table[1:, 0] = 1.0
    for attackers in range(2, MOST + 1):
        for defenders in range(1, MOST + 1):
            dice, against = min(3, attackers - 1), min(2, defenders)
            pairs = min(dice, against)
            table[attackers, defenders] = sum(
                chance * table[attackers - (pairs - lost), defenders - lost]
                for lost, chance in chances[dice, against].items()
            )
    return np.floor(1000 * table).astype(np.int64)


ODDS = _make_table()
"""(41, 41) int64: [attacker's armies, defender's armies] -> probability of a conquest, in
thousandths, rounded down. The attacker's armies include the one that must stay behind."""
