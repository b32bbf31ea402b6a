"""What an entity wears and fights with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.values.dice import DamageDice
from axiom_envs.dnd.engine.values.modifiers import NO_CONTEXT, Context, DamageTypeModifier
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.values.values import ModifiableValue, Score, Term, read_together
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

HEAVY, LIGHT, LOADING, FINESSE = "heavy", "light", "loading", "finesse"
SHIELD_BONUS = 2


@dataclass(frozen=True, slots=True)
class Armour:
    """Armour that is worn.

    Attributes:
        name: what it is called.
        base: the armour class without dexterity.
        dexterity_cap: the most of the dexterity modifier that counts; None for all of it; where it
            is 0, a negative modifier does not count either.
        strength: the least score that wears it without being slowed by 10 ft; 0 for none.
        stealth_disadvantage: whether it is noisy.
    """

    name: str
    base: int
    dexterity_cap: int | None = None
    strength: int = 0
    stealth_disadvantage: bool = False

    def dexterity(self, modifier: int) -> int:
        """What counts of a dexterity modifier."""
        if self.dexterity_cap is None:
            return modifier
        return 0 if self.dexterity_cap == 0 else min(modifier, self.dexterity_cap)


class Weapon(BaseObject):
    """A weapon, natural ones included; all ways to attack with it share its values.

    Attributes:
        name: what it is called.
        properties: those of the weapon table, such as "finesse".
        owner: who wields it.
    """

    __slots__ = ("_values", "name", "owner", "properties")

    def __init__(
        self,
        name: str,
        properties: Sequence[str] = (),
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """A weapon without magic."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.name = name
        self.properties = frozenset(properties)
        self.owner = owner
        self._values: dict[str, ModifiableValue] = {}

    def _get(self, name: str) -> ModifiableValue:
        found = self._values.get(name)
        if found is None:
            label = f"{self.name}'s {name}"
            found = self._values[name] = ModifiableValue(label, 0, self.owner, self.world)
        return found

    @property
    def attack_bonus(self) -> ModifiableValue:
        """Counts in attack rolls with it."""
        return self._get("attack bonus")

    @property
    def damage_bonus(self) -> ModifiableValue:
        """Counts in damage with it; a `DamageTypeModifier` here changes the type of its damage."""
        return self._get("damage bonus")

    def made(self, name: str) -> tuple[ModifiableValue, ...]:
        """The bonus of this name, if it was ever asked for: else it changes nothing."""
        found = self._values.get(name)
        return () if found is None else (found,)


@dataclass(slots=True, eq=False)
class AttackProfile:
    """One way to attack: a weapon, used in one way.

    Attributes:
        name: what it is called, different for all profiles of an entity.
        weapon: what it is made with.
        mode: "melee", "ranged" or "thrown".
        ability: what counts in the attack roll and the damage.
        count, sides: the damage dice.
        damage_type: their type.
        reach: feet, of a melee attack.
        normal, long: range in feet, of other attacks.
        two_handed: whether it takes both hands.
        proficient: whether the proficiency bonus counts.
        to_hit, damage: what else counts, as the stat block has it.
        riders: what a hit does besides damage; see `axiom_envs.dnd.engine.features.riders`.
        recharge: the least roll of a d6 that gives it back at the start of a turn; 0 if it is
            always there.
        uses: how often in all; None for no limit.
        charged: whether it can be used now.
        index: its place among the entity's profiles.
    """

    name: str
    weapon: Weapon
    mode: str
    ability: Ability
    count: int
    sides: int
    damage_type: DamageType
    reach: int = 5
    normal: int = 0
    long: int = 0
    two_handed: bool = False
    proficient: bool = True
    to_hit: int = 0
    damage: int = 0
    riders: tuple[Any, ...] = ()
    recharge: int = 0
    uses: int | None = None
    charged: bool = True
    index: int = 0

    @property
    def is_melee(self) -> bool:
        """Whether it is a melee attack; a thrown weapon is a ranged one."""
        return self.mode == "melee"

    @property
    def deals_damage(self) -> bool:
        """Whether a hit deals damage at all; that of a web or a net does not."""
        return self.count > 0 or self.damage != 0

    @property
    def farthest(self) -> int:
        """Feet to the farthest target."""
        return self.reach if self.is_melee else self.long


ExtraDamage = Callable[[Any], DamageDice | None]
"""(the attack, an event that hits) -> dice to add, or None."""


@dataclass(slots=True)
class Hands:
    """What is held; None for an empty hand."""

    main: Weapon | None = None
    off: Weapon | None = None
    shield: bool = False
    count: int = 2
    """Hands there are; 0 for a creature without."""

    @property
    def free(self) -> int:
        """Hands that can seize somebody.

        A weapon for two hands can be held in one while it is not used, and a second one is put
        away; a shield is not (SRD).
        """
        taken = (self.main is not None) + self.shield
        return max(0, self.count - taken)


class Equipment(BaseBlock):
    """Weapons, armour and what counts in all attacks.

    Attributes:
        armour_class: what is added to the armour; `natural` stands in its base.
        attack_bonus: counts in every attack roll.
        melee_attack_bonus, ranged_attack_bonus: counts in those.
        damage_bonus, melee_damage_bonus, ranged_damage_bonus: the same for damage.
        armour: what is worn, None for nothing.
        natural: the armour class without armour and with it all in, as of stat blocks; None where
            it follows from armour and dexterity.
        unarmoured: the ability that counts beside dexterity where no armour is worn, if any.
        hands: what is held.
        dropped: weapons that lie at its feet.
        extra_damage: asked for each hit, in their order, for dice to add.
        profiles: the ways to attack.
        plans: what one Attack action may consist of: alternatives of profile indices.
        replaces: whether an attack of it may be a grapple or a shove; not of a Multiattack (SRD).
    """

    __slots__ = (
        "armour",
        "armour_class",
        "attack_bonus",
        "damage_bonus",
        "dropped",
        "extra_damage",
        "hands",
        "melee_attack_bonus",
        "melee_damage_bonus",
        "natural",
        "plans",
        "profiles",
        "ranged_attack_bonus",
        "ranged_damage_bonus",
        "replaces",
        "unarmoured",
    )

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """Bare hands."""
        super().__init__(owner, world)
        self.armour_class = self.make("armour class")
        self.attack_bonus = self.make("attack bonus")
        self.melee_attack_bonus = self.make("melee attack bonus")
        self.ranged_attack_bonus = self.make("ranged attack bonus")
        self.damage_bonus = self.make("damage bonus")
        self.melee_damage_bonus = self.make("melee damage bonus")
        self.ranged_damage_bonus = self.make("ranged damage bonus")
        self.armour: Armour | None = None
        self.natural: int | None = None
        self.unarmoured: Ability | None = None
        self.hands = Hands()
        self.dropped: list[Weapon] = []
        self.extra_damage: list[ExtraDamage] = []
        self.profiles: list[AttackProfile] = []
        self.plans: tuple[tuple[int, ...], ...] = ()
        self.replaces = True

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return (
            "armour_class",
            "attack_bonus",
            "melee_attack_bonus",
            "ranged_attack_bonus",
            "damage_bonus",
            "melee_damage_bonus",
            "ranged_damage_bonus",
        )

    # -- reading -----------------------------------------------------------------------------------

    def profile(self, name: str) -> AttackProfile | None:
        """The profile of this name, None if there is none."""
        return next((one for one in self.profiles if one.name == name), None)

    def armour_terms(self) -> list[Term]:
        """What armour, dexterity and shield give."""
        if self.natural is not None:
            return [("natural armour" if self.armour is None else self.armour.name, self.natural)]
        dexterity = self._modifier(Ability.DEXTERITY)
        if self.armour is None:
            terms = [("unarmoured", 10), ("dexterity", dexterity)]
            if self.unarmoured is not None:
                terms.append((self.unarmoured.title, self._modifier(self.unarmoured)))
        else:
            terms = [(self.armour.name, self.armour.base)]
            terms.append(("dexterity", self.armour.dexterity(dexterity)))
        if self.hands.shield:
            terms.append(("shield", SHIELD_BONUS))
        return terms

    def _modifier(self, ability: Ability) -> int:
        return self.owner.abilities.modifier(ability) if self.owner is not None else 0

    def read_armour_class(
        self,
        attacker: Entity | None = None,
        context: Context = NO_CONTEXT,
        cover: Term | None = None,
    ) -> Score:
        """The armour class against an attacker, with the bonus of cover."""
        terms = self.armour_terms()
        if cover is not None:
            terms.append(cover)
        return read_together([self.armour_class], terms, self.owner, attacker, context)

    def attack_values(self, profile: AttackProfile) -> list[ModifiableValue]:
        """The values that count in an attack roll with a profile."""
        near = self.melee_attack_bonus if profile.is_melee else self.ranged_attack_bonus
        return [self.attack_bonus, near, *profile.weapon.made("attack bonus")]

    def damage_values(self, profile: AttackProfile) -> list[ModifiableValue]:
        """The values that count in damage with a profile."""
        near = self.melee_damage_bonus if profile.is_melee else self.ranged_damage_bonus
        return [self.damage_bonus, near, *profile.weapon.made("damage bonus")]

    def weapon_dice(
        self,
        profile: AttackProfile,
        target: Entity | None,
        context: Context = NO_CONTEXT,
        with_ability: bool = True,
    ) -> DamageDice:
        """The damage of a hit, without what features add.

        Args:
            profile: what is attacked with.
            target: whom.
            context: what contextual modifiers are told.
            with_ability: False for the second of two weapons: a positive ability modifier does not
                count then (SRD, Two-Weapon Fighting).
        """
        if not profile.deals_damage:
            return DamageDice(0, 0, 0, profile.damage_type, profile.weapon.name)
        modifier = self._modifier(profile.ability)
        terms = [
            (profile.ability.title, modifier if with_ability else min(0, modifier)),
            ("stat block", profile.damage),
        ]
        score = read_together(self.damage_values(profile), terms, self.owner, target, context)
        kind = profile.damage_type
        for modifier_ in score.parts:
            if isinstance(modifier_, DamageTypeModifier):
                kind = modifier_.damage_type
        return DamageDice(profile.count, profile.sides, score.total, kind, profile.weapon.name)
