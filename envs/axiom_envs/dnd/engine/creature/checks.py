"""d20 tests: ability checks, contests and saving throws.

A test succeeds if the die and the bonus reach the difficulty class. Natural 1s and 20s mean nothing
special here (SRD: that is so for attack rolls and death saves alone). Order of draws: one d20 test;
of a contest the active side's first. A test that fails or succeeds in any case is not rolled, but
its dice are drawn, so that the stream does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.values.dice import D20Roll, roll_d20
from axiom_envs.dnd.engine.values.modifiers import (
    NO_CONTEXT,
    AdvantageModifier,
    AdvantageStatus,
    Context,
)
from axiom_envs.dnd.engine.values.types import SKILL_ABILITIES, Ability, Skill
from axiom_envs.dnd.engine.values.values import Score, Term, read_together
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


@dataclass(slots=True, kw_only=True, eq=False)
class D20Test(Event):
    """A check or a save.

    Attributes:
        what: what is tested, such as "stealth" or "dexterity".
        dc: the difficulty class; None where the total alone matters.
        score: the bonus and what it is made of; None before EXECUTION.
        roll: the die; None before it is rolled.
        total: the die and the bonus; 0 before.
        success: whether it succeeds; False before.
    """

    what: str = ""
    dc: int | None = None
    score: Score | None = None
    roll: D20Roll | None = None
    total: int = 0
    success: bool = False

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        text = f"{who}: {self.what} {self.event_type}"
        if self.score is None or self.roll is None:
            return text
        against = "" if self.dc is None else f" against {self.dc}"
        result = "" if self.dc is None else f": {'success' if self.success else 'failure'}"
        return (
            f"{text} {explain_score(self.score)}; {self.roll.describe()}; "
            f"{self.total}{against}{result}"
        )


@dataclass(slots=True, kw_only=True, eq=False)
class AbilityCheck(D20Test):
    """A check of an ability or a skill."""

    event_type: ClassVar[str] = EventType.CHECK


@dataclass(slots=True, kw_only=True, eq=False)
class SavingThrow(D20Test):
    """A saving throw; the target is who forces it."""

    event_type: ClassVar[str] = EventType.SAVE


def explain_score(score: Score) -> str:
    """Such as "5 = 3 (strength) + 2 (proficiency); disadvantage: poisoned"."""
    parts = [score.explain()]
    for status in AdvantageStatus:
        reasons = score.reasons(AdvantageModifier, status)
        if reasons:
            parts.append(f"{status.value}: {', '.join(reasons)}")
    return "; ".join(parts)


# -- bonuses ---------------------------------------------------------------------------------------


def read_check(
    entity: Entity,
    what: Skill | Ability,
    against: Entity | None = None,
    context: Context = NO_CONTEXT,
    ability: Ability | None = None,
) -> Score:
    """The bonus of a check.

    Args:
        entity: who makes it.
        what: a skill, or an ability for a plain check.
        against: whom it is made against, if anybody.
        context: what contextual modifiers are told, besides `skill` (None for a plain check) and
            `ability`, which are those of the check.
        ability: used instead of the skill's own.
    """
    values = [entity.abilities.checks]
    skill = what if isinstance(what, Skill) else None
    used = what if isinstance(what, Ability) else ability or SKILL_ABILITIES[what]
    terms = [entity.abilities.term(used)]
    if skill is not None:
        times = entity.skills.proficiencies.get(skill, 0)
        if times:
            terms.append(("proficiency", times * entity.proficiency.score))
        values += entity.skills.made(skill)
    if not all(value.is_plain for value in values):
        context = {**context, "skill": skill, "ability": used}
    return read_together(values, terms, entity, against, context)


def read_save(
    entity: Entity,
    ability: Ability,
    against: Entity | None = None,
    context: Context = NO_CONTEXT,
    extra: Sequence[Term] = (),
) -> Score:
    """The bonus of a saving throw; `extra` counts too, such as cover."""
    terms = [entity.abilities.term(ability)]
    if ability in entity.saves.proficiencies:
        terms.append(("proficiency", entity.proficiency.score))
    terms += extra
    values = [entity.saves.all, *entity.saves.made(ability)]
    return read_together(values, terms, entity, against, context)


def passive_perception(entity: Entity, against: Entity | None = None) -> int:
    """10 and the modifiers of a Perception check, 5 more or less with advantage or disadvantage."""
    score = read_check(entity, Skill.PERCEPTION, against, {"passive": True, "sight": True})
    return 0 if score.hits is False else 10 + score.total + 5 * score.advantage


# -- rolling ---------------------------------------------------------------------------------------


def roll_check(
    entity: Entity,
    what: Skill | Ability,
    dc: int | None = None,
    *,
    against: Entity | None = None,
    context: Context = NO_CONTEXT,
    ability: Ability | None = None,
    parent: Event | None = None,
) -> D20Test:
    """An ability check; arguments as of `read_check`.

    Returns:
        The event at its end; one that was canceled has failed.
    """
    name = what.title if isinstance(what, Ability) else what.value.replace("_", " ")
    event = AbilityCheck(source=entity, target=against, parent=parent, what=name, dc=dc).declare()
    if event.canceled:
        return event
    return _roll(event, read_check(entity, what, against, context, ability))


def roll_save(
    entity: Entity,
    ability: Ability,
    dc: int,
    *,
    source: Entity | None = None,
    context: Context = NO_CONTEXT,
    extra: Sequence[Term] = (),
    parent: Event | None = None,
) -> D20Test:
    """A saving throw.

    Args:
        entity: who saves.
        ability: of which kind.
        dc: the difficulty class.
        source: who forces it.
        context: what contextual modifiers are told.
        extra: numbers that count too, each with its name, such as cover.
        parent: the event that it is a part of.

    Returns:
        The event at its end; one that was canceled has failed.
    """
    event = SavingThrow(
        source=entity, target=source, parent=parent, what=ability.title, dc=dc
    ).declare()
    if event.canceled:
        return event
    return _roll(event, read_save(entity, ability, source, context, extra))


def _roll(event: D20Test, score: Score) -> D20Test:
    event = event.phase_to(EventPhase.EXECUTION, score=score)
    if event.canceled or event.score is None:
        return event
    roll = roll_d20(event.source, event.what, event.score.advantage, event)
    total = roll.natural + event.score.total
    success = False if roll.canceled else event.dc is None or total >= event.dc
    if event.score.hits is not None:
        success = event.score.hits
    event = event.phase_to(EventPhase.EFFECT, roll=roll, total=total, success=success)
    return event.phase_to(EventPhase.COMPLETION)


def contest(
    active: Entity,
    what: Skill,
    passive: Entity,
    answer: Skill,
    parent: Event | None = None,
) -> bool:
    """A contest of two skills, the active side's rolled first; a tie changes nothing.

    Returns:
        Whether the active side's total is strictly higher; a side that fails in any case has lost.
    """
    first = roll_check(active, what, against=passive, parent=parent)
    second = roll_check(passive, answer, against=active, parent=parent)
    if not first.success:
        return False
    return not second.success or first.total > second.total
