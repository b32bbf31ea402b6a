"""Hiding and searching.

Order of draws: Hide rolls Stealth (a d20 test), Search rolls Perception.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.constants import TOTAL_COVER
from axiom_envs.dnd.engine.creature.checks import passive_perception, roll_check
from axiom_envs.dnd.engine.rules.actions import Action, Prerequisite
from axiom_envs.dnd.engine.rules.basic_actions import SimpleAction
from axiom_envs.dnd.engine.rules.effects import Hidden, reveal_to
from axiom_envs.dnd.engine.rules.perception import cover_of, is_dim_to, sees
from axiom_envs.dnd.engine.values.types import Skill
from axiom_envs.dnd.engine.world.events import Event

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.world.world import World

DIM_LIGHT = 5
"""The penalty that disadvantage gives to a passive check."""


class Hide(SimpleAction):
    """A Stealth check against passive Perception; no enemy may see the source clearly."""

    name: ClassVar[str] = "hide"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"unseen": lambda action: why_not_hide(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        who = self.source
        check = roll_check(who, Skill.STEALTH, parent=event)
        total = check.total if check.success else 0
        unaware = tuple(enemy for enemy in enemies(who) if notice_dc(enemy, who) < total)
        who.remove_condition("hidden", parent=event, expired=True)
        if unaware:
            who.add_condition(Hidden(unaware=unaware, stealth=total), parent=event)


def notice_dc(enemy: Entity, entity: Entity) -> int:
    """Return the passive Perception that Stealth must beat; 5 lower in dim light (SRD)."""
    dim = DIM_LIGHT if is_dim_to(entity, enemy) else 0
    return passive_perception(enemy, entity) - dim


def enemies(entity: Entity) -> list[Entity]:
    """Return the hostile entities with hit points left, in the order of the world."""
    return [other for other in entity.world.entities if other.is_up and entity.is_hostile_to(other)]


def why_not_hide(entity: Entity) -> str | None:
    """Return the reason that an entity cannot hide (an enemy sees it clearly), or None."""
    for enemy in enemies(entity):
        if is_clear_to(entity, enemy):
            return f"{enemy.name} sees {entity.name} clearly"
    return None


def is_clear_to(entity: Entity, enemy: Entity) -> bool:
    """Return True if an enemy sees an entity too clearly for it to hide or stay hidden.

    Total cover, heavy obscurement, darkness and invisibility make hiding possible (SRD).
    """
    if not sees_place(enemy, entity):
        return False
    grid = entity.world.grid
    has_body = grid is not None and entity.body >= 0 and enemy.body >= 0
    return not (has_body and cover_of(entity, enemy) == TOTAL_COVER)


def sees_place(enemy: Entity, entity: Entity) -> bool:
    """Return True if an enemy would see an entity that did not hide."""
    hidden = entity.conditions.pop("hidden", None)
    try:
        return sees(enemy, entity)
    finally:
        if hidden is not None:
            entity.conditions["hidden"] = hidden


def reveal_where_clear(entity: Entity) -> None:
    """Let each enemy that sees an entity clearly notice it."""
    for enemy in enemies(entity):
        if "hidden" not in entity.conditions:
            return
        if is_clear_to(entity, enemy):
            reveal_to(entity, enemy)


def reveal_all(world: World) -> None:
    """Let each entity notice the hidden enemies that it sees clearly."""
    for entity in world.entities:
        if "hidden" in entity.conditions:
            reveal_where_clear(entity)


class Search(SimpleAction):
    """A Perception check that finds hidden enemies whose Stealth it reaches."""

    name: ClassVar[str] = "search"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"hidden enemies": why_not_search, **self._prerequisites}

    def _do(self, event: Event) -> None:
        check = roll_check(self.source, Skill.PERCEPTION, context={"sight": True}, parent=event)
        for other in hidden_from(self.source):
            hidden = other.conditions["hidden"][0]
            if isinstance(hidden, Hidden) and check.success and check.total >= hidden.stealth:
                reveal_to(other, self.source)


def hidden_from(entity: Entity) -> list[Entity]:
    """Return the enemies that are hidden from an entity."""
    return [
        other
        for other in enemies(entity)
        for one in other.conditions.get("hidden", ())
        if isinstance(one, Hidden) and entity in one.unaware
    ]


def why_not_search(action: Action) -> str | None:
    """Return the reason that there is nothing to search for, or None."""
    return None if hidden_from(action.source) else "no enemy is hidden"
