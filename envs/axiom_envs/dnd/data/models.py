"""What the data files hold: types, ranges, and no field that we do not know.

What spans several fields or files is checked in `checks` and `scenario_checks`.
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
        name: as in the data file, lower case with underscores.
        dice: damage of a hit, without the ability.
        versatile_dice: the same in two hands, of a versatile weapon.
        range: normal and long range in feet, of what is shot or thrown.
        melee: whether it is a melee weapon; a javelin that is thrown still is one.
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
        """Feet that it reaches in melee."""
        return 10 if "reach" in self.properties else 5


class ArmourSpec(Entry):
    """Armour or a shield.

    Attributes:
        base: armour class before dexterity; for a shield, what it adds.
        dex_cap: the most that dexterity adds; None without limit.
        strength: score without which it slows its wearer by 10 ft; 0 if any will do.
    """

    name: str
    category: Literal["light", "medium", "heavy", "shield"]
    base: OneTo30
    dex_cap: ZeroTo30 | None
    strength: ZeroTo30 = 0
    stealth_disadvantage: bool = False


class TraitSpec(Entry):
    """A trait or class feature; `rules.TRAITS` lists them with their parameters.

    A trait without parameters may be written as its name alone.
    """

    name: TraitName
    # Which parameters there are, and of what type, follows from the name: see `checks`.
    parameters: Mapping[str, Any] = {}

    @property
    def dice(self) -> DiceSpec:
        """The parameter `dice`; KeyError if the trait has none."""
        return parse_dice(self.parameters["dice"])


class RiderSpec(Entry):
    """What a hit does beside its damage.

    Attributes:
        kind: "prone", "condition", "damage" or "push".
        save, dc: the saving throw against it; both None if there is none.
        condition: which one the target gets.
        rounds: how long; None until it is ended.
        repeat: "turn_end" if the save is repeated at the end of each of the target's turns.
        spares: kinds of creatures that it does nothing to.
        largest: the largest size that it does something to; None for all.
        escape, escape_dc: the ability check, an action, that ends the condition.
        dice, damage_type: of the damage.
        half: whether a successful save halves the damage instead of avoiding it.
        feet: how far the target is pushed.
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
        name: unique for the creature.
        weapon: the weapon that is used; None for teeth and the like.
        mode: "melee", "ranged", or "thrown" for a melee weapon that leaves the hand.
        dice: damage without `damage_bonus`; None if a hit does none.
        reach: in feet, of a melee attack.
        range: normal and long range in feet; None for a melee attack.
        to_hit: as printed: ability, proficiency if `proficient`, and `bonus`. Traits such as
            archery come on top of it.
        damage_bonus: as printed: the ability.
        bonus: by how much the printed `to_hit` differs from ability and proficiency.
        recharge: once used, a d6 of at least this, at the start of a turn, brings it back.
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
    """Special senses, each with its radius in feet; 0 if the creature has it not."""

    darkvision: Feet = 0
    blindsight: Feet = 0
    tremorsense: Feet = 0
    truesight: Feet = 0


class CreatureSpec(Entry):
    """A monster, or a character of a class at a level.

    Attributes:
        cr: challenge rating; None for a character.
        xp: what it counts in a budget: a monster's experience points. Characters have none in the
            rules; theirs is our estimate of a monster of equal strength.
        hp: at full health: the mean of `hit_dice`, rounded down; for a character what the class
            gives: the highest of the first die, then the mean rounded up.
        ac: as printed; None for a character, where it follows from what is worn.
        armour, shield: what is worn; part of `ac` where that is given.
        natural_armour: part of `ac` that neither dexterity nor armour explains.
        speed: feet a turn, before traits.
        skills, saves: printed totals, of those that the creature is proficient in.
        attacks: 1 to 4 of them. The first is the one in the main hand.
        multiattack: what one Attack action may consist of: alternatives, each with the names of
            its attacks, in any order. Empty: one attack of any kind, and `extra_attacks`.
        extra_attacks: how many more than one a character's Attack action has.
        off_hand: the light weapon of the second hand, for two-weapon fighting.
        hands: 0 if it can neither hold nor grapple.
        player: whether it falls unconscious at 0 hit points instead of dying.
        level: of a character; None for a monster.
        notes: deviations from the rules, and what of them is left out.
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
        """Proficiency bonus, from the level or the challenge rating."""
        if self.level is not None:
            return proficiency_of_level(self.level)
        return proficiency_of_rating(self.cr or Fraction(0))

    def modifier(self, ability: AbilityName) -> int:
        """What the ability adds to a roll."""
        return modifier(self.abilities[ability])


class ClassAttackSpec(Entry):
    """A weapon of a class and how it is used; the numbers follow from the character's.

    Attributes:
        two_handed: whether a versatile weapon is held in both hands.
    """

    weapon: str
    mode: Literal["melee", "ranged", "thrown"] = "melee"
    two_handed: bool = False


class ClassLevelSpec(Entry):
    """What a class is at one level; nothing carries over from the level before."""

    xp: Points
    abilities: Abilities
    traits: tuple[Annotated[TraitSpec, BARE_NAME], ...] = ()
    extra_attacks: ZeroToThree = 0
    notes: str = ""


class ClassSpec(Entry):
    """A class of player characters.

    Attributes:
        hit_die: sides of the class's hit die.
        saves, skills: what it is proficient in.
        expertise: skills for which the proficiency counts twice.
        levels: what it is at each level that there is, from "1" to "20".
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
    """A creature of a scenario; `position` is [x, y], of a Large one its lowest x and y."""

    creature: str
    level: int | None = None
    position: Position | None = None
    name: str | None = None


class GenerateSpec(Entry):
    """A map made anew for each encounter: its sides in squares, and the shares of terrain."""

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
        generate: what to make a map from instead.
        light: rows as of the map: 2 bright, 1 dim, 0 dark; None for bright light everywhere.
        round_limit: rounds until the encounter is a draw.
        held_out: kept for evaluation; not to train on.
    """

    name: str
    title: str
    map: tuple[str, ...] | None = None
    generate: GenerateSpec | None = None
    light: tuple[str, ...] | None = None
    sides: BothSides[OneToEight[BodySpec]]
    round_limit: Count = ROUND_LIMIT
    held_out: bool = False
