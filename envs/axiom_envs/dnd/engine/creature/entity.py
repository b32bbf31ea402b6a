"""Entities: creatures, made of blocks, with their conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.creature import lifecycle
from axiom_envs.dnd.engine.creature.abilities import AbilityScores, SavingThrows, SkillSet
from axiom_envs.dnd.engine.creature.economy import ActionEconomy
from axiom_envs.dnd.engine.creature.equipment import Equipment
from axiom_envs.dnd.engine.creature.health import Health
from axiom_envs.dnd.engine.creature.senses import Senses
from axiom_envs.dnd.engine.values.modifiers import NO_CONTEXT, Context, SizeModifier
from axiom_envs.dnd.engine.values.types import Ability, Size
from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.conditions import BaseCondition
    from axiom_envs.dnd.engine.rules.reactions import Reaction
    from axiom_envs.dnd.engine.world.events import Event

ContextualImmunity = Callable[["Entity | None", "Entity", Context], str | None]
"""(source of the condition, target, context) -> the reason for immunity, or None."""


class Entity(BaseObject):
    """A creature.

    Attributes:
        name: the creature's name.
        kind: the creature's type, such as "humanoid" or "undead".
        base_size: the size without modifiers.
        size_modifiers: a value that holds `SizeModifier`s.
        level: the class level, or 0 without a class.
        is_player: True for player characters, which fall unconscious at 0 hit points; other
            creatures die.
        proficiency: the proficiency bonus.
        abilities, skills, saves, health, equipment, economy, senses: the blocks.
        conditions: the creature's conditions by name, in the order of application.
        immunities: names of conditions that the creature is immune to, each with its reasons.
        contextual_immunities: functions that are called for each new condition.
        traits: the data of the creature's traits, by name.
        reactions: reactions to being attacked; see `axiom_envs.dnd.engine.rules.reactions`.
        uses: remaining uses of features, by name.
        side: the side that the creature fights for; entities of other sides are hostile. With None
            it is hostile to nobody.
        spec: the name of the creature's entry in the data, "" if there is none.
        body: the creature's number on the grid, -1 if it is not on a grid.
    """

    __slots__ = (
        "abilities",
        "base_size",
        "body",
        "conditions",
        "contextual_immunities",
        "economy",
        "equipment",
        "health",
        "immunities",
        "is_player",
        "kind",
        "level",
        "name",
        "proficiency",
        "reactions",
        "saves",
        "senses",
        "side",
        "size_modifiers",
        "skills",
        "spec",
        "traits",
        "uses",
    )

    def __init__(
        self,
        name: str = "commoner",
        *,
        scores: Mapping[Ability, int] | None = None,
        hit_points: int = 4,
        hit_dice: tuple[int, int] = (1, 8),
        speed: int = 30,
        proficiency: int = 2,
        kind: str = "humanoid",
        size: Size = Size.MEDIUM,
        position: tuple[int, int] | None = None,
        side: str | None = None,
        world: World | None = None,
    ) -> None:
        """Create a creature with empty hands; `create` makes the creatures of the data files.

        Args:
            name: the creature's name.
            scores: ability scores; a score that is not given is 10.
            hit_points: the hit point maximum.
            hit_dice: number and sides of the hit dice.
            speed: speed in feet.
            proficiency: the proficiency bonus.
            kind: the creature's type.
            size: the creature's size.
            position: the creature's square; it is placed on the world's grid, if there is one.
            side: the side that the creature fights for.
            world: the world to join; by default the active one.
        """
        super().__init__(world)
        self.world.entities.append(self)
        self.name = name
        self.kind = kind
        self.base_size = size
        self.level = 0
        self.is_player = False
        self.side = side
        self.spec = ""
        self.body = -1
        self.proficiency = ModifiableValue("proficiency", proficiency, self, self.world)
        self.size_modifiers = ModifiableValue("size", 0, self, self.world)
        self.abilities = AbilityScores(scores, self)
        self.skills = SkillSet(self)
        self.saves = SavingThrows(self)
        self.health = Health(hit_points, hit_dice, self)
        self.equipment = Equipment(self)
        self.economy = ActionEconomy(speed, self)
        self.senses = Senses(None, self)
        self.conditions: dict[str, list[BaseCondition]] = {}
        self.immunities: dict[str, list[str]] = {}
        self.contextual_immunities: list[ContextualImmunity] = []
        self.traits: dict[str, Mapping[str, Any]] = {}
        self.uses: dict[str, int] = {}
        self.reactions: list[Reaction] = []
        if position is not None:
            self.place(position)

    def __repr__(self) -> str:
        return f"<{self.name} {self.number}>"

    # -- state -------------------------------------------------------------------------------------

    @property
    def size(self) -> Size:
        """The size, with all modifiers; the last modifier applies."""
        if self.size_modifiers.is_plain:
            return self.base_size
        parts = self.size_modifiers.read().parts
        sizes = [one.size for one in parts if isinstance(one, SizeModifier)]
        return sizes[-1] if sizes else self.base_size

    @property
    def position(self) -> tuple[int, int] | None:
        """(x, y) of the creature's square with the lowest x and y; None if it has no position."""
        return self.senses.position

    def place(self, position: tuple[int, int]) -> None:
        """Put the creature on a square, and on the world's grid; this provokes no attacks.

        Raises:
            ConfigError: if the square is outside of the grid, occupied, or cannot be entered.
        """
        grid = self.world.grid
        if grid is not None:
            if self.body < 0:
                self.body = grid.free_body()
                grid.place(self.body, *position, size=self.size.squares)
            else:
                grid.move(self.body, *position)
        self.senses.position = position

    @property
    def is_alive(self) -> bool:
        """True unless the creature is dead."""
        return not self.health.dead

    @property
    def is_up(self) -> bool:
        """True if hit points are left; without any, the creature is dead, dying or stable."""
        return self.health.current > 0 and not self.health.dead

    @property
    def can_act(self) -> bool:
        """True if the creature can take actions and reactions."""
        return not self.health.dead and "incapacitated" not in self.conditions

    def is_hostile_to(self, other: Entity) -> bool:
        """Return True if both have a side and these differ."""
        return self.side is not None and other.side is not None and self.side != other.side

    # -- conditions --------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Return True if the creature has a condition of this name."""
        return name in self.conditions

    def active_conditions(self) -> list[BaseCondition]:
        """Return all conditions, sub-conditions included, in the order of application."""
        found = [one for several in self.conditions.values() for one in several]
        return sorted(found, key=lambda one: one.number)

    def condition(self, name: str, source: Entity | None = None) -> BaseCondition | None:
        """Return the first condition of this name, from this source if one is given, or None."""
        for one in self.conditions.get(name, ()):
            if source is None or one.source is source:
                return one
        return None

    def add_condition(
        self,
        condition: BaseCondition,
        *,
        parent: Event | None = None,
        holder: BaseCondition | None = None,
    ) -> Event:
        """Apply a condition, unless immunity, a saving throw or a handler prevents it.

        Of two conditions of the same name and source, only the one that lasts longer stays; see
        `axiom_envs.dnd.engine.creature.lifecycle`.

        Args:
            condition: the condition, which must not be applied already.
            parent: the event that the application is a part of.
            holder: the condition that this one becomes a sub-condition of.

        Returns:
            The event; if the condition was prevented, it is canceled, and its message is the
            reason.
        """
        return lifecycle.add_condition(self, condition, parent, holder)

    def remove_condition(
        self, condition: BaseCondition | str, *, parent: Event | None = None, expired: bool = False
    ) -> Event | None:
        """Remove a condition, or all conditions of a name, with all their effects.

        A condition that another one holds stays as its sub-condition.

        Returns:
            The last event; None if the creature does not have the condition.
        """
        return lifecycle.remove_condition(self, condition, parent, expired)

    def release_condition(
        self, condition: BaseCondition, holder: BaseCondition, parent: Event | None = None
    ) -> None:
        """Release a sub-condition of `holder`; see `BaseCondition.remove_sub_condition`."""
        lifecycle.release_condition(self, condition, holder, parent)

    def why_immune(self, condition: BaseCondition, context: Context = NO_CONTEXT) -> str | None:
        """Return the reason for immunity to a condition, or None."""
        reasons = self.immunities.get(condition.name)
        if reasons:
            return reasons[0]
        for ask in self.contextual_immunities:
            reason = ask(condition.source, self, context)
            if reason is not None:
                return reason
        return None
