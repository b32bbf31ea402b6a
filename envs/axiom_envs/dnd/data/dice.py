"""Dice as data, such as "2d6+3"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from axiom_gym.errors import ConfigError

_DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class DiceSpec:
    """A sum of equal dice and a number.

    Attributes:
        count: number of dice, 1 to 99.
        sides: sides of each die, 1 to 999.
        bonus: a number that is added once, -999 to 999.
    """

    count: int
    sides: int
    bonus: int = 0

    def mean(self) -> float:
        """Return the expected sum, not rounded."""
        return self.count * (self.sides + 1) / 2 + self.bonus

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}" + (f"{self.bonus:+d}" if self.bonus else "")


def parse_dice(text: object) -> DiceSpec:
    """Return the dice of a text such as "1d8", "2d6+3" or "2d6-2".

    Raises:
        ConfigError: if the text does not describe dice.
    """
    match = _DICE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ConfigError(f"{text!r} does not describe dice. Write them like '2d6' or '2d6+3'.")
    count, sides, bonus = match.groups(default="0")
    return DiceSpec(int(count), int(sides), int(bonus))
