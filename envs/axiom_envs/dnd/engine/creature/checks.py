"""d20 tests: ability checks, contests and saving throws.

A test succeeds if the die and the bonus reach the difficulty class. A natural 1 or 20 has no
special meaning here (SRD: only attack rolls and death saving throws have such a rule).

Order of draws: one d20 test; in a contest the active side's test comes first. A test that fails or
succeeds automatically draws its dice as well, so that the random stream does not depend on it.
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
    """An ability check or a saving throw.

    Attributes:
        what: the skill or ability, such as "stealth" or "dexterity".
        dc: the difficulty class; None if only the total matters.
        score: the bonus and its parts; None before EXECUTION.
        roll: the die; None before the roll.
        total: the sum of die and bonus; 0 before the roll.
        success: True if the test has succeeded; False before the roll.
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
    """An ability check, with or without a skill."""

    event_type: ClassVar[str] = EventType.CHECK


@dataclass(slots=True, kw_only=True, eq=False)
class SavingThrow(D20Test):
    """A saving throw; the event's target is the entity that forces it."""

    event_type: ClassVar[str] = EventType.SAVE


def explain_score(score: Score) -> str:
    """Return a text such as "5 = 3 (strength) + 2 (proficiency); disadvantage: poisoned"."""
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
    """Return the bonus of an ability check.

    Args:
        entity: the entity that makes the check.
        what: a skill, or an ability for a check without a skill.
        against: the opponent in the check, or None.
        context: facts for contextual modifiers. `skill` (None for a check without a skill) and
            `ability` of the check are added.
        ability: an ability to use instead of the skill's own.
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
    """Return the bonus of a saving throw, with the terms in `extra`, such as cover."""
    terms = [entity.abilities.term(ability)]
    if ability in entity.saves.proficiencies:
        terms.append(("proficiency", entity.proficiency.score))
    terms += extra
    values = [entity.saves.all, *entity.saves.made(ability)]
    return read_together(values, terms, entity, against, context)


def passive_perception(entity: Entity, against: Entity | None = None) -> int:
    """Return 10 plus the Perception bonus, plus 5 with advantage or minus 5 with disadvantage."""
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
    """Make an ability check; the arguments are those of `read_check`.

    Returns:
        The event in its last phase; if it was canceled, the check has failed.
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
    """Make a saving throw.

    Args:
        entity: the entity that makes the saving throw.
        ability: the ability of the saving throw.
        dc: the difficulty class.
        source: the entity that forces the saving throw.
        context: facts for contextual modifiers.
        extra: more terms of the bonus, each with its name, such as cover.
        parent: the event that the saving throw is a part of.

    Returns:
        The event in its last phase; if it was canceled, the saving throw has failed.
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
    """Make a contest of two skills, the active side's check first; a tie changes nothing.

    Returns:
        True if the active side's total is strictly higher; a side that fails automatically loses.
    """
    first = roll_check(active, what, against=passive, parent=parent)
    second = roll_check(passive, answer, against=active, parent=parent)
    if not first.success:
        return False
    return not second.success or first.total > second.total
