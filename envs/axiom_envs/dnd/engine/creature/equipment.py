"""Weapons, armour and attack profiles of an entity."""

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
    """Armour.

    Attributes:
        name: the armour's name.
        base: the armour class without Dexterity.
        dexterity_cap: the maximum Dexterity modifier that counts; None for no maximum. With 0, a
            negative modifier does not count either.
        strength: the Strength score below which the wearer's speed drops by 10 ft; 0 for none.
        stealth_disadvantage: if True, the wearer has disadvantage on Stealth checks.
    """

    name: str
    base: int
    dexterity_cap: int | None = None
    strength: int = 0
    stealth_disadvantage: bool = False

    def dexterity(self, modifier: int) -> int:
        """Return the part of a Dexterity modifier that counts."""
        if self.dexterity_cap is None:
            return modifier
        return 0 if self.dexterity_cap == 0 else min(modifier, self.dexterity_cap)


class Weapon(BaseObject):
    """A weapon, manufactured or natural; all attack profiles with it share its values.

    Attributes:
        name: the weapon's name.
        properties: properties of the weapon table, such as "finesse".
        owner: the entity that wields it.
    """

    __slots__ = ("_values", "name", "owner", "properties")

    def __init__(
        self,
        name: str,
        properties: Sequence[str] = (),
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """Create a weapon without magic."""
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
        """The modifiers of attack rolls with this weapon."""
        return self._get("attack bonus")

    @property
    def damage_bonus(self) -> ModifiableValue:
        """The modifiers of its damage; a `DamageTypeModifier` here changes the damage type."""
        return self._get("damage bonus")

    def made(self, name: str) -> tuple[ModifiableValue, ...]:
        """Return the bonus of this name in a tuple, which is empty if it has not been created."""
        found = self._values.get(name)
        return () if found is None else (found,)


@dataclass(slots=True, eq=False)
class AttackProfile:
    """One way to attack with a weapon.

    Attributes:
        name: the profile's name, unique among the profiles of an entity.
        weapon: the weapon.
        mode: "melee", "ranged" or "thrown".
        ability: the ability of the attack roll and the damage roll.
        count, sides: the damage dice.
        damage_type: the damage type.
        reach: reach of a melee attack, in feet.
        normal, long: normal and long range of other attacks, in feet.
        two_handed: if True, the attack needs both hands.
        proficient: if True, the proficiency bonus counts.
        to_hit, damage: additional bonuses of the stat block.
        riders: extra effects of a hit; see `axiom_envs.dnd.engine.features.riders`.
        recharge: the lowest roll of a d6 that recharges the attack at the start of a turn; 0 if the
            attack needs no recharge.
        uses: remaining number of uses; None for no limit.
        charged: True if the attack can be used now.
        index: the profile's index among the entity's profiles.
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
        """True for a melee attack; throwing a weapon is a ranged attack."""
        return self.mode == "melee"

    @property
    def deals_damage(self) -> bool:
        """True if a hit deals damage; a hit with a web or a net does not."""
        return self.count > 0 or self.damage != 0

    @property
    def farthest(self) -> int:
        """Distance to the farthest possible target, in feet."""
        return self.reach if self.is_melee else self.long


ExtraDamage = Callable[[Any], DamageDice | None]
"""(an attack event that hits) -> dice to add, or None."""


@dataclass(slots=True)
class Hands:
    """The weapons and shield in an entity's hands; None for an empty hand."""

    main: Weapon | None = None
    off: Weapon | None = None
    shield: bool = False
    count: int = 2
    """Number of hands; 0 for a creature without hands."""

    @property
    def free(self) -> int:
        """Number of hands that are free for a grapple.

        A two-handed weapon can be held in one hand while it is not used, and a second weapon can be
        put away, but a shield cannot (SRD).
        """
        taken = (self.main is not None) + self.shield
        return max(0, self.count - taken)


class Equipment(BaseBlock):
    """Weapons and armour, and the values of all attacks.

    Attributes:
        armour_class: additions to the armour; the bonus of natural armour is its base.
        attack_bonus: modifiers of every attack roll.
        melee_attack_bonus, ranged_attack_bonus: modifiers of melee or ranged attack rolls.
        damage_bonus, melee_damage_bonus, ranged_damage_bonus: the same for damage rolls.
        armour: the armour worn, or None.
        natural: the complete armour class of a stat block, armour included; None if the armour
            class follows from armour and Dexterity.
        unarmoured: the ability that counts in addition to Dexterity without armour, or None.
        hands: the weapons and shield in hand.
        dropped: weapons on the ground at the entity's feet.
        extra_damage: functions that are called for each hit, in their order, and may add dice.
        profiles: the attack profiles.
        plans: alternatives for one Attack action, each a tuple of profile indices.
        replaces: if True, a grapple or a shove can replace an attack; False for a Multiattack
            (SRD).
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
        """Create equipment with bare hands."""
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
        """Return the profile of this name, or None."""
        return next((one for one in self.profiles if one.name == name), None)

    def armour_terms(self) -> list[Term]:
        """Return the parts of the armour class: armour, Dexterity, shield."""
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
        """Return the armour class against an attacker, with the bonus of cover."""
        terms = self.armour_terms()
        if cover is not None:
            terms.append(cover)
        return read_together([self.armour_class], terms, self.owner, attacker, context)

    def attack_values(self, profile: AttackProfile) -> list[ModifiableValue]:
        """Return the values that count in an attack roll with a profile."""
        near = self.melee_attack_bonus if profile.is_melee else self.ranged_attack_bonus
        return [self.attack_bonus, near, *profile.weapon.made("attack bonus")]

    def damage_values(self, profile: AttackProfile) -> list[ModifiableValue]:
        """Return the values that count in a damage roll with a profile."""
        near = self.melee_damage_bonus if profile.is_melee else self.ranged_damage_bonus
        return [self.damage_bonus, near, *profile.weapon.made("damage bonus")]

    def weapon_dice(
        self,
        profile: AttackProfile,
        target: Entity | None,
        context: Context = NO_CONTEXT,
        with_ability: bool = True,
    ) -> DamageDice:
        """Return the damage dice of a hit, without those of features.

        Args:
            profile: the attack profile.
            target: the target of the attack.
            context: facts for contextual modifiers.
            with_ability: False for the attack with the second weapon, to which a positive ability
                modifier is not added (SRD, Two-Weapon Fighting).
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
