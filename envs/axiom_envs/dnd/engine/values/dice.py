"""Dice: every roll is an event, and draws from the world's generator.

A d20 test always draws two dice, the first one before the second, and uses the first, the higher or
the lower of them: so the stream does not depend on advantage. Damage draws its dice one after the
other in the order of its parts, and of a critical hit's part first those that always count.
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
    """1 to `sides`, from one draw."""
    return 1 + world.rng.below(sides)


@dataclass(slots=True, kw_only=True, eq=False)
class D20Roll(Event):
    """A d20 that is rolled.

    Attributes:
        purpose: what for, such as "attack".
        advantage: 1, 0, or -1 for disadvantage; a handler may change it before EXECUTION is over.
        dice: both dice, in the order in which they were drawn.
        natural: the one that counts; 0 before it was rolled.
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
    """Rolls a d20.

    Handlers of its EFFECT may still change `natural`.

    Args:
        source: who rolls.
        purpose: what for.
        advantage: 1, 0 or -1.
        parent: the test that it is a part of.

    Returns:
        The event at its end; canceled if a handler wants it so, and then `natural` may be 0.
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
    """One part of damage: dice of one type.

    Attributes:
        count, sides: the dice, such as 2 and 6; no dice if `count` is 0.
        bonus: what is added once, critical hit or not.
        damage_type: the type.
        why: what it comes from, such as the weapon's name.
    """

    count: int
    sides: int
    bonus: int
    damage_type: DamageType
    why: str = ""

    def mean(self, critical: bool = False) -> float:
        """The expected sum; not below 0."""
        return max(0.0, self.count * (2 if critical else 1) * (self.sides + 1) / 2 + self.bonus)

    def __str__(self) -> str:
        dice = f"{self.count}d{self.sides}" if self.count else ""
        bonus = f"{self.bonus:+d}" if dice and self.bonus else "" if dice else str(self.bonus)
        return f"{dice}{bonus} {self.damage_type.value}"


@dataclass(slots=True, kw_only=True, eq=False)
class DamageRoll(Event):
    """Damage that is rolled.

    Attributes:
        parts: the dice, by type and origin.
        critical: whether all dice are rolled twice.
        rolled: for each part the dice drawn, in their order.
        amounts: for each part its sum with the bonus, at least 0.
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
    """Rolls damage, part by part; handlers of its EFFECT may still change `amounts`.

    Returns:
        The event at its end; canceled if a handler wants it so.
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
