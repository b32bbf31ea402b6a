"""Damage, healing, and the rules at 0 hit points.

Damage of each type is summed. Then come, in this order: flat reduction (not below 0), resistance
(half, rounded down) and vulnerability (double); immunity leaves nothing. Each status counts once,
even if it has several sources. Temporary hit points are lost first.

Order of draws: none here. Draws that a fall to 0 hit points causes, such as the saving throw of
Undead Fortitude, are made by its handler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.creature.checks import SavingThrow
from axiom_envs.dnd.engine.rules.death import MOST_DEATH_SAVES, die, fail_death_save
from axiom_envs.dnd.engine.rules.standard import Felled
from axiom_envs.dnd.engine.values.dice import roll_d20
from axiom_envs.dnd.engine.values.modifiers import ResistanceStatus
from axiom_envs.dnd.engine.values.types import DamageType
from axiom_envs.dnd.engine.values.values import read_together
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Amount = tuple[int, DamageType]
"""An amount of damage of one type."""

DEATH_SAVE_DC = 10


@dataclass(slots=True, kw_only=True, eq=False)
class Damage(Event):
    """Damage that an entity takes.

    Attributes:
        amounts: the damage dealt, by type.
        critical: True for the damage of a critical hit.
        melee: True for the damage of a melee attack.
        taken: the damage after reductions, by type; a handler of EFFECT may change it.
        steps: explanations of the reductions.
        absorbed: temporary hit points lost.
        lost: hit points lost.
    """

    event_type: ClassVar[str] = EventType.DAMAGE
    amounts: tuple[Amount, ...] = ()
    critical: bool = False
    melee: bool = False
    taken: tuple[Amount, ...] = ()
    steps: tuple[str, ...] = ()
    absorbed: int = 0
    lost: int = 0

    @property
    def total(self) -> int:
        """The damage taken, summed over all types."""
        return sum(amount for amount, _ in self.taken)

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        if self.canceled:
            return f"{whom} takes no damage"
        dealt = " and ".join(f"{amount} {kind.value}" for amount, kind in self.amounts)
        notes = f" ({'; '.join(self.steps)})" if self.steps else ""
        absorbed = f", {self.absorbed} by temporary hit points" if self.absorbed else ""
        return f"{whom} takes {self.total} of {dealt or 'no'} damage{notes}{absorbed}"


@dataclass(slots=True, kw_only=True, eq=False)
class Fall(Event):
    """The drop of an entity's hit points to 0; a handler that cancels it leaves 1 hit point.

    Attributes:
        damage: the damage that causes it.
        excess: damage beyond 0 hit points.
    """

    event_type: ClassVar[str] = EventType.FALL
    damage: Damage | None = None
    excess: int = 0

    def describe(self) -> str:
        return f"{self.target.name if self.target is not None else 'nobody'} falls"


@dataclass(slots=True, kw_only=True, eq=False)
class Healing(Event):
    """Hit points that an entity regains.

    Attributes:
        amount: the amount of healing.
        regained: the hit points actually regained.
    """

    event_type: ClassVar[str] = EventType.HEALING
    amount: int = 0
    regained: int = 0

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} regains {self.regained} hit points"


@dataclass(slots=True, kw_only=True, eq=False)
class TemporaryHitPoints(Event):
    """Temporary hit points that an entity gets; only the higher of old and new amount counts."""

    event_type: ClassVar[str] = EventType.TEMPORARY_HIT_POINTS
    amount: int = 0

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} has {self.amount} temporary hit points"


# -- damage ----------------------------------------------------------------------------------------


def deal_damage(
    target: Entity,
    amounts: Sequence[Amount],
    *,
    source: Entity | None = None,
    critical: bool = False,
    melee: bool = False,
    parent: Event | None = None,
) -> Damage:
    """Deal damage, and apply its consequences.

    Args:
        target: the entity that takes the damage.
        amounts: damage by type; a type may occur several times.
        source: the entity that deals the damage.
        critical: True for the damage of a critical hit.
        melee: True for the damage of a melee attack.
        parent: the event that the damage is a part of.

    Returns:
        The event in its last phase.
    """
    event = Damage(
        source=source,
        target=target,
        parent=parent,
        amounts=tuple(amounts),
        critical=critical,
        melee=melee,
    ).declare()
    event = event.phase_to(EventPhase.EXECUTION)
    if event.canceled:
        return event
    taken, steps = reduce_damage(target, event.amounts, event.source)
    event = event.phase_to(EventPhase.EFFECT, taken=taken, steps=steps)
    if event.canceled:
        return event
    absorbed, lost = _lose(target, event)
    return event.phase_to(EventPhase.COMPLETION, absorbed=absorbed, lost=lost)


def reduce_damage(
    target: Entity, amounts: Sequence[Amount], source: Entity | None = None
) -> tuple[tuple[Amount, ...], tuple[str, ...]]:
    """Return the damage after reductions, by type, and explanations of the reductions."""
    health = target.health
    sums: dict[DamageType, int] = {}
    for amount, kind in amounts:
        sums[kind] = sums.get(kind, 0) + max(0, amount)
    steps: list[str] = []
    reduction = 0 if health.reduction.is_plain else max(0, health.reduction.read(source).total)
    taken = []
    for kind, amount in sums.items():
        less = min(amount, reduction)
        reduction -= less
        if less:
            steps.append(f"{kind.value} reduced by {less}")
        taken.append((_resist(target, amount - less, kind, source, steps), kind))
    return tuple(taken), tuple(steps)


def _resist(
    target: Entity, amount: int, kind: DamageType, source: Entity | None, steps: list[str]
) -> int:
    statuses = target.health.statuses(kind, source)
    for status in statuses:
        steps.append(f"{status.value} to {kind.value}: {', '.join(statuses[status])}")
    if ResistanceStatus.IMMUNITY in statuses:
        return 0
    if ResistanceStatus.RESISTANCE in statuses:
        amount //= 2
    if ResistanceStatus.VULNERABILITY in statuses:
        amount *= 2
    return amount


def _lose(target: Entity, event: Damage) -> tuple[int, int]:
    """Subtract damage, and return the temporary and other hit points lost."""
    health, total = target.health, event.total
    absorbed = min(health.temporary, total)
    health.temporary -= absorbed
    rest = total - absorbed
    if health.dead or rest == 0:
        return absorbed, 0
    if health.current == 0:
        _hurt_dying(target, rest, event)
        return absorbed, 0
    lost = min(health.current, rest)
    health.current -= lost
    if health.current == 0:
        _fall(target, event, rest - lost)
    return absorbed, lost


def _fall(target: Entity, damage: Damage, excess: int) -> None:
    """Fell an entity at 0 hit points.

    Monsters die. Player characters die if the excess damage reaches their hit point maximum.
    """
    event = Fall(
        source=damage.source, target=target, parent=damage, damage=damage, excess=excess
    ).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        target.health.current = 1
        return
    knocked_out = damage.melee and target.world.options.knock_out
    lies = target.is_player and excess < target.health.maximum.score
    if knocked_out or lies or "regeneration" in target.traits:
        target.health.stable = knocked_out
        target.add_condition(Felled(), parent=event)
    else:
        die(target, event, damage.source)
    event.phase_to(EventPhase.COMPLETION)


def _hurt_dying(target: Entity, amount: int, event: Damage) -> None:
    """Apply damage at 0 hit points.

    It counts as a failed death saving throw, or two if critical. It kills if it reaches the hit
    point maximum.
    """
    health = target.health
    if amount >= health.maximum.score:
        die(target, event, event.source)
        return
    health.stable = False
    fail_death_save(target, 2 if event.critical else 1, event)


def roll_death_save(target: Entity, parent: Event | None = None) -> Event:
    """Make a death saving throw.

    10 or more is a success, a 1 counts as two failures, and a 20 restores one hit point. Three
    successes stabilise, three failures kill. Draws one d20 test.
    """
    event = SavingThrow(source=target, parent=parent, what="death", dc=DEATH_SAVE_DC).declare()
    score = read_together([target.saves.all], (), target, None)
    event = event.phase_to(EventPhase.EXECUTION, score=score)
    if event.canceled:
        return event
    roll = roll_d20(target, "death", score.advantage, event)
    total = roll.natural + score.total
    success = roll.natural != 1 and (roll.natural == 20 or total >= DEATH_SAVE_DC)
    event = event.phase_to(EventPhase.EFFECT, roll=roll, total=total, success=success)
    if event.canceled:
        return event
    health = target.health
    if roll.natural == 20:
        heal(target, 1, parent=event)
    elif event.success:
        health.successes += 1
        if health.successes >= MOST_DEATH_SAVES:
            health.reset_death_saves()  # also when the creature becomes stable (SRD)
            health.stable = True
    else:
        fail_death_save(target, 2 if roll.natural == 1 else 1, event)
    return event.phase_to(EventPhase.COMPLETION)


# -- healing ---------------------------------------------------------------------------------------


def heal(
    target: Entity, amount: int, *, source: Entity | None = None, parent: Event | None = None
) -> Healing:
    """Restore hit points up to the maximum, which ends dying; the dead cannot be healed."""
    event = Healing(source=source, target=target, parent=parent, amount=max(0, amount)).declare()
    event = event.phase_to(EventPhase.EXECUTION)
    health = target.health
    room = 0 if health.dead else max(0, health.maximum.score - health.current)
    event = event.phase_to(EventPhase.EFFECT, regained=min(event.amount, room))
    if event.canceled:
        return event
    if event.regained > 0:
        health.current += event.regained
        health.reset_death_saves()
        target.remove_condition("felled", parent=event, expired=True)
    return event.phase_to(EventPhase.COMPLETION)


def give_temporary_hit_points(
    target: Entity, amount: int, *, source: Entity | None = None, parent: Event | None = None
) -> TemporaryHitPoints:
    """Give temporary hit points, which do not add up with existing ones (SRD)."""
    event = TemporaryHitPoints(source=source, target=target, parent=parent, amount=amount).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        return event
    target.health.temporary = max(target.health.temporary, event.amount)
    return event.phase_to(EventPhase.COMPLETION)
