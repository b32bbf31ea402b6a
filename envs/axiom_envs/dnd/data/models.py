"""The schema of the data files: fields, types and ranges; unknown fields are mistakes.

Conditions between several fields or files are checked in `checks` and `scenario_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from axiom_envs.dnd.constants import (
    ROUND_LIMIT,
    AbilityName,
    ConditionName,
    DamageName,
    KindName,
    SizeName,
    SkillName,
    WeaponProperty,
)
from axiom_envs.dnd.data.dice import DiceSpec, parse_dice
from axiom_envs.dnd.data.fields import (
    BARE_NAME,
    Abilities,
    Bonus,
    BothSides,
    Count,
    Dice,
    Entry,
    Feet,
    Level,
    LevelName,
    MapSide,
    OneTo30,
    OneToEight,
    OneToFour,
    Points,
    Position,
    Range,
    Rating,
    Share,
    TraitName,
    ZeroTo30,
    ZeroToThree,
)
from axiom_envs.dnd.data.tables import modifier, proficiency_of_level, proficiency_of_rating


class WeaponSpec(Entry):
    """A weapon.

    Attributes:
        name: the name in the data file, lower case with underscores.
        dice: damage of a hit, without the ability modifier.
        versatile_dice: damage with two hands, of a versatile weapon.
        range: normal and long range in feet, of a weapon that is shot or thrown.
        melee: True for a melee weapon, even one that can be thrown, such as a javelin.
    """

    name: str
    dice: Dice
    damage_type: DamageName
    properties: frozenset[WeaponProperty] = frozenset()
    versatile_dice: Dice | None = None
    range: Range | None = None
    melee: bool

    @property
    def reach(self) -> int:
        """Reach in melee, in feet."""
        return 10 if "reach" in self.properties else 5


class ArmourSpec(Entry):
    """Armour or a shield.

    Attributes:
        base: armour class before Dexterity; for a shield, the bonus.
        dex_cap: maximum Dexterity modifier that counts; None for no maximum.
        strength: Strength score below which the wearer's speed drops by 10 ft; 0 for none.
    """

    name: str
    category: Literal["light", "medium", "heavy", "shield"]
    base: OneTo30
    dex_cap: ZeroTo30 | None
    strength: ZeroTo30 = 0
    stealth_disadvantage: bool = False


class TraitSpec(Entry):
    """A trait or class feature; `tables.TRAITS` lists them with their parameters.

    A trait without parameters may be given by its name alone.
    """

    name: TraitName
    # The names and types of the parameters depend on the trait: see `checks`.
    parameters: Mapping[str, Any] = {}

    @property
    def dice(self) -> DiceSpec:
        """The parameter `dice`; KeyError if the trait has none."""
        return parse_dice(self.parameters["dice"])


class RiderSpec(Entry):
    """An effect of a hit besides its damage.

    Attributes:
        kind: "prone", "condition", "damage" or "push".
        save, dc: the saving throw against it; both None if there is none.
        condition: the condition that the target gets.
        rounds: duration in rounds; None if it is unlimited.
        repeat: "turn_end" if the save is repeated at the end of each of the target's turns.
        spares: kinds of creatures that it does not affect.
        largest: the largest size that it affects; None for all sizes.
        escape, escape_dc: the ability check, made as an action, that ends the condition.
        dice, damage_type: the damage.
        half: if True, a successful save halves the damage instead of preventing it.
        feet: distance that the target is pushed.
    """

    kind: Literal["prone", "condition", "damage", "push"]
    save: AbilityName | None = None
    dc: OneTo30 | None = None
    condition: ConditionName | None = None
    rounds: Count | None = None
    repeat: Literal["turn_end"] | None = None
    spares: tuple[KindName, ...] = ()
    largest: SizeName | None = None
    escape: AbilityName | None = None
    escape_dc: OneTo30 | None = None
    dice: Dice | None = None
    damage_type: DamageName | None = None
    half: bool = False
    feet: Feet | None = None


class AttackSpec(Entry):
    """One way to attack.

    Attributes:
        name: a name that is unique for the creature.
        weapon: the weapon; None for natural weapons.
        mode: "melee", "ranged", or "thrown" for a melee weapon that leaves the hand.
        dice: damage without `damage_bonus`; None if a hit deals no damage.
        reach: reach of a melee attack, in feet.
        range: normal and long range in feet; None for a melee attack.
        to_hit: the printed bonus: ability, proficiency if `proficient`, and `bonus`. Traits such
            as archery are added to it.
        damage_bonus: the printed bonus: the ability modifier.
        bonus: the difference between the printed `to_hit` and ability plus proficiency.
        recharge: the lowest roll of a d6, at the start of a turn, that makes the attack available
            again after its use.
    """

    name: str
    weapon: str | None = None
    mode: Literal["melee", "ranged", "thrown"]
    two_handed: bool = False
    ability: AbilityName
    dice: Dice | None = None
    damage_type: DamageName | None = None
    reach: Literal[5, 10] = 5
    range: Range | None = None
    proficient: bool = True
    to_hit: Bonus
    damage_bonus: Bonus = 0
    bonus: int = 0
    riders: tuple[RiderSpec, ...] = ()
    recharge: Literal[5, 6] | None = None


class SensesSpec(Entry):
    """Special senses, each with its radius in feet; 0 if the creature does not have it."""

    darkvision: Feet = 0
    blindsight: Feet = 0
    tremorsense: Feet = 0
    truesight: Feet = 0


class CreatureSpec(Entry):
    """A monster, or a character of a class at a level.

    Attributes:
        cr: challenge rating; None for a character.
        xp: the worth in a budget: a monster's experience points. The SRD gives none for characters;
            theirs is an estimate, from monsters of equal strength.
        hp: hit point maximum: the mean of `hit_dice`, rounded down; for a character the maximum of
            the first die, then the mean rounded up.
        ac: the printed armour class; None for a character, whose armour class follows from armour.
        armour, shield: armour worn; part of `ac` if that is given.
        natural_armour: the part of `ac` that neither Dexterity nor armour explains.
        speed: feet per turn, before traits.
        skills, saves: printed totals of the skills and saves with proficiency.
        attacks: 1 to 4 attacks. The first one is that of the main hand.
        multiattack: alternatives for one Attack action, each with the names of its attacks, in any
            order. If empty: one attack of any kind, and `extra_attacks`.
        extra_attacks: number of additional attacks in a character's Attack action.
        off_hand: the light weapon of the second hand, for two-weapon fighting.
        hands: 0 if the creature can neither hold nor grapple.
        player: if True, it falls unconscious at 0 hit points instead of dying.
        level: level of a character; None for a monster.
        notes: deviations from the rules, and rules that are left out.
    """

    name: str
    title: str
    cr: Rating | None
    xp: Points
    kind: KindName
    size: SizeName
    hp: Count
    hit_dice: Dice
    ac: OneTo30 | None
    armour: str | None = None
    shield: bool = False
    natural_armour: ZeroTo30 = 0
    speed: Feet
    abilities: Abilities
    skills: Mapping[SkillName, int] = {}
    saves: Mapping[AbilityName, int] = {}
    senses: SensesSpec = SensesSpec()
    resistances: frozenset[DamageName] = frozenset()
    vulnerabilities: frozenset[DamageName] = frozenset()
    immunities: frozenset[DamageName] = frozenset()
    condition_immunities: frozenset[ConditionName] = frozenset()
    attacks: OneToFour[AttackSpec]
    multiattack: tuple[OneToFour[str], ...] = ()
    extra_attacks: ZeroToThree = 0
    off_hand: str | None = None
    traits: tuple[Annotated[TraitSpec, BARE_NAME], ...] = ()
    hands: Literal[0, 2] = 2
    player: bool = False
    level: Level | None = None
    notes: str = ""

    @property
    def proficiency(self) -> int:
        """The proficiency bonus, from the level or the challenge rating."""
        if self.level is not None:
            return proficiency_of_level(self.level)
        return proficiency_of_rating(self.cr or Fraction(0))

    def modifier(self, ability: AbilityName) -> int:
        """Return the ability modifier."""
        return modifier(self.abilities[ability])


class ClassAttackSpec(Entry):
    """A weapon of a class and its use; the numbers follow from the character's.

    Attributes:
        two_handed: True if a versatile weapon is held in both hands.
    """

    weapon: str
    mode: Literal["melee", "ranged", "thrown"] = "melee"
    two_handed: bool = False


class ClassLevelSpec(Entry):
    """A class at one level; nothing carries over from the level below."""

    xp: Points
    abilities: Abilities
    traits: tuple[Annotated[TraitSpec, BARE_NAME], ...] = ()
    extra_attacks: ZeroToThree = 0
    notes: str = ""


class ClassSpec(Entry):
    """A class of player characters.

    Attributes:
        hit_die: sides of the class's hit die.
        saves, skills: proficiencies.
        expertise: skills for which the proficiency bonus counts twice.
        levels: the class at each supported level, from "1" to "20".
    """

    name: str
    title: str
    hit_die: Literal[6, 8, 10, 12]
    speed: Feet = 30
    saves: tuple[AbilityName, AbilityName]
    skills: frozenset[SkillName]
    expertise: frozenset[SkillName] = frozenset()
    armour: str | None = None
    shield: bool = False
    off_hand: str | None = None
    attacks: OneToFour[ClassAttackSpec]
    levels: Mapping[LevelName, ClassLevelSpec]


class BodySpec(Entry):
    """A creature of a scenario; `position` is [x, y], for a Large creature the lowest x and y."""

    creature: str
    level: int | None = None
    position: Position | None = None
    name: str | None = None


class GenerateSpec(Entry):
    """A map that is generated for each encounter: its sides in squares, and shares of terrain."""

    width: MapSide
    height: MapSide
    walls: Share = 0.0
    water: Share = 0.0
    difficult: Share = 0.0
    obstacles: Share = 0.0
    obscured: Share = 0.0


class ScenarioSpec(Entry):
    """A map and two sides.

    Attributes:
        sides: "party" and "foes", one to eight bodies each.
        map: rows of squares, the first is y = 0: `.` floor, `#` wall, `~` water, `,` difficult,
            `o` low obstacle, `%` heavily obscured.
        generate: the parameters of a generated map, instead of `map`.
        light: rows like those of the map: 2 bright, 1 dim, 0 dark; None for bright light
            everywhere.
        round_limit: rounds until the encounter is a draw.
        held_out: if True, the scenario is for evaluation only, not for training.
    """

    name: str
    title: str
    map: tuple[str, ...] | None = None
    generate: GenerateSpec | None = None
    light: tuple[str, ...] | None = None
    sides: BothSides[OneToEight[BodySpec]]
    round_limit: Count = ROUND_LIMIT
    held_out: bool = False
