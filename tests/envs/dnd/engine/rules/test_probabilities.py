"""Probabilities of attacks and damage: exact enumeration against closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile, Weapon
from axiom_envs.dnd.engine.rules.attack import Attack, Outcome, judge
from axiom_envs.dnd.engine.values.dice import DamageDice, roll_d20, roll_damage
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    AutoHitModifier,
    AutoHitStatus,
    CriticalModifier,
    CriticalStatus,
    Modifier,
)
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.values.values import Score
from axiom_envs.dnd.engine.world.world import World

FACES = range(1, 21)
ADVANTAGES = (-1, 0, 1)
SAMPLES = 3000
SIGMAS = 5
"""Deviation from the mean that one binomial sample in a million exceeds."""


class Dice:
    """Test double: a generator that shows chosen faces."""

    def __init__(self) -> None:
        self.faces: list[int] = []

    def show(self, faces: Iterable[int]) -> None:
        """Set the faces of the next draws."""
        self.faces = list(faces)[::-1]

    def below(self, sides: int) -> int:
        """Draw the next face, which must be on the die."""
        face = self.faces.pop()
        assert 1 <= face <= sides
        return face - 1


@pytest.fixture
def world() -> Any:
    with World(seed=5, log="off") as world:
        yield world


@pytest.fixture
def dice(world: World) -> Dice:
    world.rng = Dice()  # type: ignore[assignment]
    return world.rng  # type: ignore[return-value]


def make_attack(to_hit: int, armour_class: int, *, count: int = 1, sides: int = 8) -> Attack:
    """Make an attack with a given attack bonus against a given armour class."""
    fighter = Entity("fighter", scores={Ability.STRENGTH: 16}, hit_points=10**6)
    target = Entity("target", hit_points=10**9)
    weapon = Weapon("sword", (), fighter)
    profile = AttackProfile(
        "sword", weapon, "melee", Ability.STRENGTH, count, sides, DamageType.SLASHING
    )
    profile.to_hit = to_hit - 5
    fighter.equipment.profiles.append(profile)
    target.equipment.natural = armour_class
    return Attack(fighter, target, profile, costs=())


def give_advantage(attack: Attack, advantage: int) -> None:
    status = {1: AdvantageStatus.ADVANTAGE, -1: AdvantageStatus.DISADVANTAGE}.get(advantage)
    if status is not None:
        bonus = attack.source.equipment.attack_bonus
        bonus.self_static.add(AdvantageModifier("test", status))


def chance_to_hit(to_hit: int, armour_class: int, advantage: int) -> Fraction:
    """Return it by hand: 1 misses, 20 hits, else `armour_class - to_hit` is needed."""
    hits = min(19, max(1, 21 - (armour_class - to_hit)))
    p = Fraction(hits, 20)
    return {0: p, 1: 1 - (1 - p) ** 2, -1: p * p}[advantage]


def chance_of_critical(advantage: int) -> Fraction:
    return {0: Fraction(1, 20), 1: Fraction(39, 400), -1: Fraction(1, 400)}[advantage]


def natural_rolls(dice: Dice, advantage: int) -> Counter[int]:
    """Count the 400 pairs of dice by natural roll."""
    found: Counter[int] = Counter()
    for pair in product(FACES, FACES):
        dice.show(pair)
        found[roll_d20(None, "test", advantage).natural] += 1
    return found


def test_chances__are_exact_over_the_whole_grid(dice: Dice) -> None:
    rolls = {advantage: natural_rolls(dice, advantage) for advantage in ADVANTAGES}
    plain = Score()
    for to_hit, armour_class in product(range(-5, 16), range(5, 26)):
        outcomes = {face: judge(face, face + to_hit, armour_class, plain) for face in FACES}
        for advantage, naturals in rolls.items():
            counts: Counter[Outcome] = Counter()
            for face, times in naturals.items():
                counts[outcomes[face]] += times
            hit = Fraction(400 - counts[Outcome.MISS], 400)
            assert hit == chance_to_hit(to_hit, armour_class, advantage)
            critical = Fraction(counts[Outcome.CRITICAL], 400)
            assert critical == chance_of_critical(advantage)


@pytest.mark.parametrize("advantage", ADVANTAGES)
@pytest.mark.parametrize(("to_hit", "armour_class"), [(-5, 25), (3, 15), (5, 18), (7, 7)])
def test_chances__of_whole_attacks_are_exact(
    dice: Dice, to_hit: int, armour_class: int, advantage: int
) -> None:
    attack = make_attack(to_hit, armour_class)
    give_advantage(attack, advantage)
    counts: Counter[Outcome | None] = Counter()
    for pair in product(FACES, FACES):
        dice.show(pair)
        counts[attack.begin().outcome] += 1
    assert Fraction(400 - counts[Outcome.MISS], 400) == chance_to_hit(
        to_hit, armour_class, advantage
    )
    assert Fraction(counts[Outcome.CRITICAL], 400) == chance_of_critical(advantage)


@pytest.mark.parametrize("advantage", ADVANTAGES)
def test_chances__hold_by_sampling(world: World, advantage: int) -> None:
    attack = make_attack(4, 15)
    give_advantage(attack, advantage)
    counts = Counter(attack.begin().outcome for _ in range(SAMPLES))
    for chance, found in (
        (chance_to_hit(4, 15, advantage), SAMPLES - counts[Outcome.MISS]),
        (chance_of_critical(advantage), counts[Outcome.CRITICAL]),
    ):
        p = float(chance)
        # Add a margin at the edge, where the distribution is not normal.
        assert abs(found - SAMPLES * p) <= SIGMAS * sqrt(SAMPLES * p * (1 - p)) + 3


# -- damage ----------------------------------------------------------------------------------------


def mean_damage(dice: Dice, part: DamageDice, critical: bool) -> Fraction:
    """Return the mean over all outcomes of the dice."""
    number = part.count * (2 if critical else 1)
    total = 0
    for faces in product(range(1, part.sides + 1), repeat=number):
        dice.show(faces)
        total += roll_damage(None, None, [part], critical).amounts[0]
    return Fraction(total, part.sides**number)


@pytest.mark.parametrize(
    ("count", "sides", "bonus"), [(1, 8, 3), (2, 4, 2), (1, 12, 0), (2, 4, -1)]
)
def test_damage__means_are_exact(dice: Dice, count: int, sides: int, bonus: int) -> None:
    part = DamageDice(count, sides, bonus, DamageType.SLASHING)
    die = Fraction(sides + 1, 2)
    assert mean_damage(dice, part, critical=False) == count * die + bonus == part.mean()
    assert mean_damage(dice, part, critical=True) == 2 * count * die + bonus == part.mean(True)


def test_damage__of_a_hit_is_never_below_0(dice: Dice) -> None:
    part = DamageDice(1, 4, -2, DamageType.SLASHING)
    # 1 and 2 come to 0, 3 and 4 to 1 and 2.
    assert mean_damage(dice, part, critical=False) == Fraction(3, 4)


@pytest.mark.parametrize("advantage", ADVANTAGES)
def test_damage__of_whole_attacks_is_exact(dice: Dice, advantage: int) -> None:
    attack = make_attack(5, 16, sides=4)
    give_advantage(attack, advantage)
    naturals = natural_rolls(dice, advantage)
    other = {1: 1, 0: 1, -1: 20}[advantage]  # the other die, which keeps the natural roll
    total = Fraction(0)
    for face, times in naturals.items():
        total += Fraction(times, 400) * mean_of_attack(dice, attack, face, other)
    hit, critical = chance_to_hit(5, 16, advantage), chance_of_critical(advantage)
    assert total == (hit - critical) * (Fraction(5, 2) + 3) + critical * (5 + 3)


def mean_of_attack(dice: Dice, attack: Attack, face: int, other: int) -> Fraction:
    """Return the mean damage over two d4, of which a normal hit uses one."""
    total = 0
    for pair in product(range(1, 5), repeat=2):
        dice.show((face, other, *pair))
        event = attack.finish(attack.begin())
        total += event.damage.total if event.damage is not None else 0
    return Fraction(total, 16)


# -- precedence ------------------------------------------------------------------------------------

HIT, MISS = AutoHitStatus.AUTOHIT, AutoHitStatus.AUTOMISS
ALWAYS, NEVER = CriticalStatus.AUTOCRIT, CriticalStatus.NOCRIT


@pytest.mark.parametrize(
    ("statuses", "natural", "outcome"),
    [
        ((), 20, Outcome.CRITICAL),
        ((), 10, Outcome.MISS),
        ((HIT,), 2, Outcome.HIT),
        ((), 1, Outcome.MISS),
        ((HIT,), 1, Outcome.HIT),  # for any roll
        ((MISS,), 1, Outcome.MISS),
        ((HIT,), 20, Outcome.CRITICAL),
        ((MISS,), 20, Outcome.MISS),
        ((HIT, MISS), 20, Outcome.MISS),  # automatic misses take precedence
        ((MISS, HIT), 19, Outcome.MISS),
        ((ALWAYS,), 10, Outcome.MISS),  # it makes hits critical, but causes none
        ((ALWAYS,), 19, Outcome.CRITICAL),
        ((NEVER,), 20, Outcome.HIT),
        ((ALWAYS, NEVER), 20, Outcome.HIT),  # never takes precedence
        ((NEVER, ALWAYS), 19, Outcome.HIT),
        ((HIT, ALWAYS), 5, Outcome.CRITICAL),
        ((MISS, ALWAYS), 20, Outcome.MISS),
    ],
)
def test_outcomes__precedence(
    dice: Dice, statuses: tuple[Any, ...], natural: int, outcome: Outcome
) -> None:
    attack = make_attack(5, 24)
    kinds: dict[type, Callable[..., Modifier]] = {
        AutoHitStatus: AutoHitModifier,
        CriticalStatus: CriticalModifier,
    }
    for status in statuses:
        modifier = kinds[type(status)]("test", status)
        attack.source.equipment.attack_bonus.self_static.add(modifier)
    dice.show((natural, 1))
    assert attack.begin().outcome is outcome
