"""The law of the dice: how likely an attack is to take a territory if it is pressed to the end."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import numpy.typing as npt

MOST = 40
"""Armies on either side that the table knows."""


def loss_chances(dice: int, against: int) -> dict[int, float]:
    """How likely one roll costs the defender 0, 1 or 2 armies; the attacker loses the others.

    Args:
        dice: of the attacker, 1 to 3.
        against: dice of the defender, 1 or 2.
    """
    lost: Counter[int] = Counter()
    for rolled in product(range(1, 7), repeat=dice + against):
        attacker = sorted(rolled[:dice], reverse=True)
        defender = sorted(rolled[dice:], reverse=True)
        # zip stops at the smaller number of dice, which is how many are compared.
        lost[sum(a > d for a, d in zip(attacker, defender, strict=False))] += 1
    return {count: number / 6 ** (dice + against) for count, number in lost.items()}


def _make_table() -> npt.NDArray[np.int64]:
    """(41, 41) int64: chance in thousandths that so many attackers take so many defenders."""
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
"""(41, 41) int64: [armies of the attacker, of the defender] -> chance of a conquest, in
thousandths. The attacker's include the one that stays behind."""
