"""Grapples and shoves.

Order of draws: each is a contest; the d20 test of the acting creature comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.creature.checks import contest, read_check
from axiom_envs.dnd.engine.rules import attack_rules
from axiom_envs.dnd.engine.rules.actions import Cost, Prerequisite, pay
from axiom_envs.dnd.engine.rules.basic_actions import ACTION, FREE, SimpleAction
from axiom_envs.dnd.engine.rules.movement import push
from axiom_envs.dnd.engine.rules.space import distance
from axiom_envs.dnd.engine.rules.standard import Grappled, Prone
from axiom_envs.dnd.engine.values.types import CostType, Skill
from axiom_envs.dnd.engine.world.events import Event

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class _InsteadOfAttack(SimpleAction):
    """An action that replaces one attack of the Attack action and makes an Athletics contest."""

    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {
            "target": lambda action: why_not_seize(action.source, action.target),
            "cost": lambda action: why_not_replace(action.source),
            **self._prerequisites,
        }

    def _do(self, event: Event) -> None:
        replace_attack(self.source, event)
        if self.target is not None and contest(
            self.source, Skill.ATHLETICS, self.target, better_defence(self.target), event
        ):
            self._succeed(self.target, event)

    def _succeed(self, target: Entity, event: Event) -> None:
        raise NotImplementedError


class Grapple(_InsteadOfAttack):
    """A grapple: the speed of the target is 0 while it is held."""

    name: ClassVar[str] = "grapple"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        free = {"free hand": lambda action: why_no_free_hand(action.source, action.target)}
        return {**super().prerequisites(), **free}

    def _succeed(self, target: Entity, event: Event) -> None:
        target.add_condition(Grappled(source=self.source), parent=event)


class ShoveProne(_InsteadOfAttack):
    """A shove that knocks a creature prone."""

    name: ClassVar[str] = "shove prone"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        stands = {"standing": lambda action: _why_down(action.target)}
        return {**super().prerequisites(), **stands}

    def _succeed(self, target: Entity, event: Event) -> None:
        target.add_condition(Prone(source=self.source), parent=event)


class ShoveBack(_InsteadOfAttack):
    """A shove that pushes a creature 5 ft away."""

    name: ClassVar[str] = "shove back"
    __slots__ = ()

    def _succeed(self, target: Entity, event: Event) -> None:
        push(target, self.source, SQUARE, event)


def better_defence(target: Entity) -> Skill:
    """Return Athletics or Acrobatics, whichever has the better bonus; Athletics on a tie.

    The choice is the target's (SRD). It is made by the bonus alone: advantage and automatic failure
    are not taken into account.
    """
    athletics = read_check(target, Skill.ATHLETICS).total
    acrobatics = read_check(target, Skill.ACROBATICS).total
    return Skill.ACROBATICS if acrobatics > athletics else Skill.ATHLETICS


def why_not_seize(source: Entity, target: Entity | None) -> str | None:
    """Return the reason that a creature cannot be grappled or shoved, apart from costs, or None."""
    if target is None or target is source or not target.is_up:
        return "the target must be another creature with hit points left"
    if target.size.rank > source.size.rank + 1:
        return f"{target.name} is more than one size larger than {source.name}"
    away = distance(source, target)
    if away > SQUARE:
        return f"{target.name} is {away} ft away, and must be within 5 ft"
    return attack_rules.why_not_target(source, target)


def why_no_free_hand(source: Entity, target: Entity | None) -> str | None:
    """Return the reason that an entity cannot grapple another with its hands, or None."""
    if source.equipment.hands.free < 1:
        return f"{source.name} has no free hand"
    if target is not None and target.condition("grappled", source) is not None:
        return f"{source.name} already holds {target.name}"
    return None


def _why_down(target: Entity | None) -> str | None:
    if target is not None and "prone" in target.conditions:
        return f"{target.name} is already prone"
    return None


def why_not_replace(source: Entity) -> str | None:
    """Return the reason that an entity cannot replace an attack of an Attack action, or None."""
    economy = source.economy
    if economy.plans and source.equipment.replaces:
        return None
    if economy.left(CostType.ACTIONS) > 0:
        return None
    return f"{source.name} has no attack left"


def replace_attack(source: Entity, event: Event) -> None:
    """Use an attack of the Attack action for something else; start that action if necessary.

    The attacks of a Multiattack cannot be replaced (SRD), so such a creature uses its whole action.
    """
    economy = source.economy
    if not economy.plans or not source.equipment.replaces:
        pay(source, ACTION[0], event)
        plans = attack_rules.attack_plans(source) if source.equipment.replaces else ()
        economy.plans = plans
        economy.marks.add("attack action")
    rest = {plan[:k] + plan[k + 1 :] for plan in economy.plans for k in range(len(plan))}
    economy.plans = tuple(sorted(plan for plan in rest if plan))


class Escape(SimpleAction):
    """An attempt to break a grapple: Athletics or Acrobatics against the grappler's Athletics."""

    name: ClassVar[str] = "escape"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"grappled": lambda action: why_not_escape(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        held = self.source.conditions["grappled"][0]
        if held.source is not None and contest(
            self.source, better_defence(self.source), held.source, Skill.ATHLETICS, event
        ):
            self.source.remove_condition(held, parent=event)


def why_not_escape(entity: Entity) -> str | None:
    """Return the reason that an entity has no grapple to escape, or None."""
    return None if "grappled" in entity.conditions else f"{entity.name} is not grappled"


class Release(SimpleAction):
    """The release of all creatures that the source grapples."""

    name: ClassVar[str] = "release"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"grappling": lambda action: why_not_release(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        for other in self.source.world.entities:
            for one in list(other.conditions.get("grappled", ())):
                if one.source is self.source:
                    other.remove_condition(one, parent=event)


def why_not_release(entity: Entity) -> str | None:
    """Return the reason that an entity has nobody to release, or None."""
    for other in entity.world.entities:
        if other.condition("grappled", entity) is not None:
            return None
    return f"{entity.name} grapples no creature"
