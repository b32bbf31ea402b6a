"""Dice: every roll is an event, and draws from the world's generator.

A d20 test always draws two dice, so the random stream does not depend on advantage. It uses the
higher one with advantage, the lower one with disadvantage, and else the first one.

A damage roll draws its dice one after the other, in the order of its parts. In a part of a critical
hit, the dice of a normal hit come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.values.types import DamageType
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.world.world import World


def roll_die(world: World, sides: int) -> int:
    """Return a number from 1 to `sides`, with one draw."""
    return 1 + world.rng.below(sides)


@dataclass(slots=True, kw_only=True, eq=False)
class D20Roll(Event):
    """The roll of a d20.

    Attributes:
        purpose: the reason for the roll, such as "attack".
        advantage: 1, 0, or -1 for disadvantage; handlers may change it until the end of EXECUTION.
        dice: both dice, in the order in which they were drawn.
        natural: the die that counts; 0 before the roll.
    """

    event_type: ClassVar[str] = EventType.ROLL
    purpose: str = ""
    advantage: int = 0
    dice: tuple[int, int] = (0, 0)
    natural: int = 0

    def describe(self) -> str:
        if self.advantage == 0:
            return f"rolled {self.natural}"
        return f"rolled {self.dice[0]}, {self.dice[1]} -> {self.natural}"


def roll_d20(
    source: Entity | None, purpose: str, advantage: int = 0, parent: Event | None = None
) -> D20Roll:
    """Roll a d20.

    Handlers of EFFECT may still change `natural`.

    Args:
        source: the entity that rolls.
        purpose: the reason for the roll.
        advantage: 1, 0 or -1.
        parent: the test that the roll is a part of.

    Returns:
        The event in its last phase. A handler may have canceled it; then `natural` may be 0.
    """
    event = D20Roll(source=source, parent=parent, purpose=purpose, advantage=advantage).declare()
    event = event.phase_to(EventPhase.EXECUTION)
    if event.canceled:
        return event
    rng = event.world.rng
    dice = (1 + rng.below(20), 1 + rng.below(20))
    advantage = event.advantage
    natural = dice[0] if advantage == 0 else max(dice) if advantage > 0 else min(dice)
    event = event.phase_to(EventPhase.EFFECT, dice=dice, natural=natural)
    return event.phase_to(EventPhase.COMPLETION)


@dataclass(frozen=True, slots=True)
class DamageDice:
    """One part of a damage roll: dice of one damage type.

    Attributes:
        count, sides: number and sides of the dice, such as 2 and 6; `count` 0 means no dice.
        bonus: an amount that is added once, even in a critical hit.
        damage_type: the damage type.
        why: the origin of this part, such as the weapon's name.
    """

    count: int
    sides: int
    bonus: int
    damage_type: DamageType
    why: str = ""

    def mean(self, critical: bool = False) -> float:
        """Return the expected sum, at least 0."""
        return max(0.0, self.count * (2 if critical else 1) * (self.sides + 1) / 2 + self.bonus)

    def __str__(self) -> str:
        dice = f"{self.count}d{self.sides}" if self.count else ""
        bonus = f"{self.bonus:+d}" if dice and self.bonus else "" if dice else str(self.bonus)
        return f"{dice}{bonus} {self.damage_type.value}"


@dataclass(slots=True, kw_only=True, eq=False)
class DamageRoll(Event):
    """A damage roll.

    Attributes:
        parts: the dice, by damage type and origin.
        critical: if True, all dice are rolled twice.
        rolled: for each part the dice, in the order in which they were drawn.
        amounts: for each part the sum of dice and bonus, at least 0.
    """

    event_type: ClassVar[str] = EventType.ROLL
    parts: tuple[DamageDice, ...] = ()
    critical: bool = False
    rolled: tuple[tuple[int, ...], ...] = ()
    amounts: tuple[int, ...] = ()

    def describe(self) -> str:
        texts = [
            f"{part}{f' ({part.why})' if k else ''}"
            f"{' (critical)' if self.critical and part.count else ''}: "
            f"{' + '.join(map(str, dice)) or '0'} = {amount}"
            for k, (part, dice, amount) in enumerate(
                zip(self.parts, self.rolled, self.amounts, strict=False)
            )
        ]
        return "; ".join(texts)


def roll_damage(
    source: Entity | None,
    target: Entity | None,
    parts: Sequence[DamageDice],
    critical: bool = False,
    parent: Event | None = None,
) -> DamageRoll:
    """Roll damage, part by part; handlers of EFFECT may still change `amounts`.

    Returns:
        The event in its last phase; a handler may have canceled it.
    """
    event = DamageRoll(
        source=source, target=target, parent=parent, parts=tuple(parts), critical=critical
    ).declare()
    event = event.phase_to(EventPhase.EXECUTION)
    if event.canceled:
        return event
    below = event.world.rng.below
    times = 2 if event.critical else 1
    rolled = tuple(
        tuple(1 + below(part.sides) for _ in range(part.count * times)) for part in event.parts
    )
    amounts = tuple(
        max(0, sum(dice) + part.bonus) for part, dice in zip(event.parts, rolled, strict=True)
    )
    event = event.phase_to(EventPhase.EFFECT, rolled=rolled, amounts=amounts)
    return event.phase_to(EventPhase.COMPLETION)
