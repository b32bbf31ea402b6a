"""Ability scores, skills and saving throws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.values.types import SKILL_ABILITIES, Ability, Skill
from axiom_envs.dnd.engine.values.values import ModifiableValue, Term
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

AVERAGE = 10


class AbilityScores(BaseBlock):
    """The six scores, and what all ability checks share.

    Attributes:
        strength, dexterity, constitution, intelligence, wisdom, charisma: the scores.
        checks: counts in every ability check, skills included.
    """

    __slots__ = (
        "charisma",
        "checks",
        "constitution",
        "dexterity",
        "intelligence",
        "strength",
        "wisdom",
    )

    def __init__(
        self,
        scores: Mapping[Ability, int] | None = None,
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """`scores` of 1 to 30; 10 for those that are not given."""
        super().__init__(owner, world)
        given = scores or {}
        self.strength = self.make("strength", given.get(Ability.STRENGTH, AVERAGE))
        self.dexterity = self.make("dexterity", given.get(Ability.DEXTERITY, AVERAGE))
        self.constitution = self.make("constitution", given.get(Ability.CONSTITUTION, AVERAGE))
        self.intelligence = self.make("intelligence", given.get(Ability.INTELLIGENCE, AVERAGE))
        self.wisdom = self.make("wisdom", given.get(Ability.WISDOM, AVERAGE))
        self.charisma = self.make("charisma", given.get(Ability.CHARISMA, AVERAGE))
        self.checks = self.make("ability checks")

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return (*(ability.title for ability in Ability), "checks")

    def score(self, ability: Ability) -> ModifiableValue:
        """The value of a score."""
        found: ModifiableValue = getattr(self, _NAMES[ability])
        return found

    def modifier(self, ability: Ability) -> int:
        """(score - 10) / 2, rounded down."""
        value: ModifiableValue = getattr(self, _NAMES[ability])
        return ((value.base if value.is_plain else value.score) - 10) // 2

    def term(self, ability: Ability) -> Term:
        """The modifier with its name, for a score that it counts in."""
        return _NAMES[ability], self.modifier(ability)


_NAMES = {ability: ability.title for ability in Ability}


class _ByKey(BaseBlock):
    """Values that are made when they are first asked for: most are never modified."""

    __slots__ = ("_made", "proficiencies")

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """No values yet, and no proficiency."""
        super().__init__(owner, world)
        self._made: dict[Ability | Skill, ModifiableValue] = {}
        self.proficiencies: dict[Ability | Skill, int] = {}
        """How often the proficiency bonus counts: 1, or 2 for expertise; nothing for 0."""

    def values(self) -> Iterator[ModifiableValue]:
        yield from self._made.values()

    def _get(self, key: Ability | Skill, name: str) -> ModifiableValue:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self.make(name)
        return found

    def made(self, key: Ability | Skill) -> tuple[ModifiableValue, ...]:
        """The value of this key, if it was ever asked for: else it changes nothing."""
        found = self._made.get(key)
        return () if found is None else (found,)


class SkillSet(_ByKey):
    """The 18 skills; `skills[Skill.STEALTH]` is what changes checks of one."""

    __slots__ = ()

    def __getitem__(self, skill: Skill) -> ModifiableValue:
        return self._get(skill, skill.value.replace("_", " "))

    def ability(self, skill: Skill) -> Ability:
        """The ability that a check of this skill uses."""
        return SKILL_ABILITIES[skill]


class SavingThrows(_ByKey):
    """The six saving throws, and what all of them share: `saves[Ability.DEXTERITY]`, `saves.all`.

    Attributes:
        all: counts in every saving throw.
    """

    __slots__ = ("all",)

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """No proficiency."""
        super().__init__(owner, world)
        self.all = self.make("saving throws")

    def values(self) -> Iterator[ModifiableValue]:
        yield self.all
        yield from super().values()

    def __getitem__(self, ability: Ability) -> ModifiableValue:
        return self._get(ability, f"{ability.title} saves")
