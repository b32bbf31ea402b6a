"""Entities: creatures, made of blocks, under conditions."""

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
"""(source of the condition, who would be under it, context) -> why it is immune, or None."""


class Entity(BaseObject):
    """A creature.

    Attributes:
        name: what it is called.
        kind: "humanoid", "undead" and so on.
        base_size: its size without modifiers.
        size_modifiers: holds `SizeModifier`s.
        level: of a class, else 0.
        is_player: player characters fall unconscious at 0 hit points; others die.
        proficiency: the proficiency bonus.
        abilities, skills, saves, health, equipment, economy, senses: the blocks.
        conditions: what it is under, by name, in the order of application.
        immunities: names of conditions that it cannot come under, each with its reasons.
        contextual_immunities: asked for each condition.
        traits: names of its features, with their numbers.
        reactions: what it can do when it is attacked; see `axiom_envs.dnd.engine.rules.reactions`.
        uses: how often features can still be used, by name.
        side: the side that it fights for; entities of other sides are hostile. None: nobody's
            enemy.
        spec: the name of its entry in the data, "" for one made by hand.
        body: its number on the grid, -1 where it is on none.
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
        """A creature with empty hands; `create` makes those of the data files.

        Args:
            name: what it is called.
            scores: ability scores, 10 where not given.
            hit_points: the maximum.
            hit_dice: their number and sides.
            speed: in feet.
            proficiency: the bonus.
            kind: what it is.
            size: how large it is.
            position: its square; it is placed on the world's grid, if there is one.
            side: whom it fights for.
            world: where it lives; the active one if not given.
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

    # -- what it is --------------------------------------------------------------------------------

    @property
    def size(self) -> Size:
        """Its size, with all modifiers: the last one counts."""
        if self.size_modifiers.is_plain:
            return self.base_size
        parts = self.size_modifiers.read().parts
        sizes = [one.size for one in parts if isinstance(one, SizeModifier)]
        return sizes[-1] if sizes else self.base_size

    @property
    def position(self) -> tuple[int, int] | None:
        """(x, y) of its square, the one with the lowest x and y of several; None if nowhere."""
        return self.senses.position

    def place(self, position: tuple[int, int]) -> None:
        """Puts it on a square, on the world's grid too; nothing is provoked by that.

        Raises:
            ConfigError: for a square outside of the grid, or that is not free or no ground.
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
        """Whether it is not dead."""
        return not self.health.dead

    @property
    def is_up(self) -> bool:
        """Whether it has hit points left; who has none is dead, or dying, or stable."""
        return self.health.current > 0 and not self.health.dead

    @property
    def can_act(self) -> bool:
        """Whether it can take actions and reactions at all."""
        return not self.health.dead and "incapacitated" not in self.conditions

    def is_hostile_to(self, other: Entity) -> bool:
        """Whether they fight for different sides."""
        return self.side is not None and other.side is not None and self.side != other.side

    # -- conditions --------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Whether it is under a condition of this name."""
        return name in self.conditions

    def active_conditions(self) -> list[BaseCondition]:
        """All that it is under, sub-conditions included, in the order of application."""
        found = [one for several in self.conditions.values() for one in several]
        return sorted(found, key=lambda one: one.number)

    def condition(self, name: str, source: Entity | None = None) -> BaseCondition | None:
        """The first condition of this name, by this source if one is given, or None."""
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
        """Applies a condition, unless it is immune, saves against it, or a handler prevents it.

        A condition of the same name and source is not applied twice: the one that lasts longer
        stays. See `axiom_envs.dnd.engine.creature.lifecycle`.

        Args:
            condition: what comes; not applied to anybody yet.
            parent: the event that it is a part of.
            holder: the condition that it is put under.

        Returns:
            The event, canceled where the condition does not come; its message says why.
        """
        return lifecycle.add_condition(self, condition, parent, holder)

    def remove_condition(
        self, condition: BaseCondition | str, *, parent: Event | None = None, expired: bool = False
    ) -> Event | None:
        """Ends a condition, or all of a name; with all that goes with it.

        It stays, as a sub-condition, where another condition holds it.

        Returns:
            The last event; None if it is under no such condition.
        """
        return lifecycle.remove_condition(self, condition, parent, expired)

    def release_condition(
        self, condition: BaseCondition, holder: BaseCondition, parent: Event | None = None
    ) -> None:
        """A holder lets go of a sub-condition; see `BaseCondition.remove_sub_condition`."""
        lifecycle.release_condition(self, condition, holder, parent)

    def why_immune(self, condition: BaseCondition, context: Context = NO_CONTEXT) -> str | None:
        """Why a condition cannot come; None if it can."""
        reasons = self.immunities.get(condition.name)
        if reasons:
            return reasons[0]
        for ask in self.contextual_immunities:
            reason = ask(condition.source, self, context)
            if reason is not None:
                return reason
        return None
