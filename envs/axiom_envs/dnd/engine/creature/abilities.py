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
    """The six ability scores, and the value that all ability checks share.

    Attributes:
        strength, dexterity, constitution, intelligence, wisdom, charisma: the scores.
        checks: the modifiers of every ability check, skill checks included.
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
        """Set the scores, each 1 to 30; a score that is not given is 10."""
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
        """Return the value of a score."""
        found: ModifiableValue = getattr(self, _NAMES[ability])
        return found

    def modifier(self, ability: Ability) -> int:
        """Return the ability modifier: (score - 10) / 2, rounded down."""
        value: ModifiableValue = getattr(self, _NAMES[ability])
        return ((value.base if value.is_plain else value.score) - 10) // 2

    def term(self, ability: Ability) -> Term:
        """Return the ability modifier with its name, as a term of a score."""
        return _NAMES[ability], self.modifier(ability)


_NAMES = {ability: ability.title for ability in Ability}


class _ByKey(BaseBlock):
    """Values that are created on first use, because most are never modified."""

    __slots__ = ("_made", "proficiencies")

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """Create a block without values and without proficiencies."""
        super().__init__(owner, world)
        self._made: dict[Ability | Skill, ModifiableValue] = {}
        self.proficiencies: dict[Ability | Skill, int] = {}
        """Multiples of the proficiency bonus: 1, or 2 for expertise; without an entry 0."""

    def values(self) -> Iterator[ModifiableValue]:
        yield from self._made.values()

    def _get(self, key: Ability | Skill, name: str) -> ModifiableValue:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self.make(name)
        return found

    def made(self, key: Ability | Skill) -> tuple[ModifiableValue, ...]:
        """Return the value of this key in a tuple, which is empty if it has not been created."""
        found = self._made.get(key)
        return () if found is None else (found,)


class SkillSet(_ByKey):
    """The 18 skills; `skills[Skill.STEALTH]` holds the modifiers of Stealth checks."""

    __slots__ = ()

    def __getitem__(self, skill: Skill) -> ModifiableValue:
        return self._get(skill, skill.value.replace("_", " "))

    def ability(self, skill: Skill) -> Ability:
        """Return the ability that a check of this skill uses."""
        return SKILL_ABILITIES[skill]


class SavingThrows(_ByKey):
    """The six saving throws and what they share: `saves[Ability.DEXTERITY]`, `saves.all`.

    Attributes:
        all: the modifiers of every saving throw.
    """

    __slots__ = ("all",)

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """Create saving throws without proficiency."""
        super().__init__(owner, world)
        self.all = self.make("saving throws")

    def values(self) -> Iterator[ModifiableValue]:
        yield self.all
        yield from super().values()

    def __getitem__(self, ability: Ability) -> ModifiableValue:
        return self._get(ability, f"{ability.title} saves")
