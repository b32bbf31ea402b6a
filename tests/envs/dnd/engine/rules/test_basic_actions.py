"""The actions of every creature, each by its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.checks import read_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.basic_actions import (
    BONUS_ACTION,
    Dash,
    Disengage,
    Dodge,
    DropProne,
    Help,
    Stabilise,
    StandUp,
)
from axiom_envs.dnd.engine.rules.damage import deal_damage, heal
from axiom_envs.dnd.engine.rules.grappling import Escape, Grapple, Release, ShoveBack, ShoveProne
from axiom_envs.dnd.engine.rules.standard import Charmed, Grappled, Prone, Stunned
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.modifiers import NumericalModifier
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType, Skill
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType

Square = tuple[int, int]


# -- Dash, Disengage, Dodge ------------------------------------------------------------------------


def test_dash__adds_the_speed_after_modifiers(make_world: Any, put: Any) -> None:
    who = put(make_world(), "commoner", (0, 0))
    who.economy.speed.self_static.add(NumericalModifier("slow", -10, None))
    Dash(who).apply()
    assert who.economy.movement_left == 40
    assert who.economy.left(CostType.ACTIONS) == 0


def test_dash__twice_with_cunning_action(make_world: Any, put: Any) -> None:
    who = put(make_world(), "rogue", (0, 0), level=3)
    Dash(who).apply()
    Dash(who, costs=BONUS_ACTION).apply()
    assert who.economy.movement_left == 90


def test_dash__without_an_action_names_the_missing_cost(make_world: Any, put: Any) -> None:
    who = put(make_world(), "commoner", (0, 0))
    Dash(who).apply()
    event = Dash(who).apply()
    assert event.canceled
    assert "1 action" in str(event.message)
    assert who.economy.movement_left == 60


def test_disengage__until_the_turn_ends(make_world: Any, put: Any) -> None:
    who = put(make_world(), "commoner", (0, 0))
    start_turn(who)
    Disengage(who).apply()
    assert who.has("disengaged")
    end_turn(who)
    assert not who.has("disengaged")


def test_dodge__until_the_next_turn_starts(advantage: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    start_turn(who)
    Dodge(who).apply()
    end_turn(who)
    assert advantage(enemy, who) == -1
    assert read_save(who, Ability.DEXTERITY).advantage == 1
    start_turn(who)
    assert advantage(enemy, who) == 0


@pytest.mark.parametrize("why", ["incapacitated", "speed 0"])
def test_dodge__has_no_effect(why: str, advantage: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    Dodge(who).apply()
    who.add_condition(Stunned() if why == "incapacitated" else Grappled(source=enemy))
    assert advantage(enemy, who) == (1 if why == "incapacitated" else 0)


# -- Help ------------------------------------------------------------------------------------------


def test_help__first_attack_of_an_ally(advantage: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    helper, ally = put(world, "guard", (0, 0)), put(world, "fighter", (2, 0))
    enemy = put(world, "zombie", (1, 0), "b")
    Help(helper, enemy).apply()
    assert advantage(ally, enemy) == 1
    assert advantage(helper, enemy) == 0
    Attack(ally, enemy).apply()
    assert advantage(ally, enemy) == 0


def test_help__ends_at_the_helpers_next_turn(advantage: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    helper, ally = put(world, "guard", (0, 0)), put(world, "fighter", (2, 0))
    enemy = put(world, "zombie", (1, 0), "b")
    Help(helper, enemy).apply()
    start_turn(enemy)
    assert advantage(ally, enemy) == 1
    start_turn(helper)
    assert advantage(ally, enemy) == 0


def test_help__enemy_must_be_within_five_feet(make_world: Any, put: Any) -> None:
    world = make_world()
    helper, enemy = put(world, "guard", (0, 0)), put(world, "zombie", (2, 0), "b")
    event = Help(helper, enemy).apply()
    assert event.canceled
    assert "10 ft" in str(event.message)
    assert helper.economy.left(CostType.ACTIONS) == 1


# -- Grapple, Escape, Shove ------------------------------------------------------------------------


@pytest.mark.parametrize(("naturals", "grappled"), [((11, 10), True), ((10, 10), False)])
def test_grapple__a_tie_changes_nothing(
    naturals: tuple[int, int], grappled: bool, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    who.equipment.hands.main = None
    load(world, *naturals)
    Grapple(who, enemy).apply()
    assert enemy.has("grappled") == grappled
    assert enemy.economy.current_speed == (0 if grappled else 30)
    assert who.economy.left(CostType.ACTIONS) == 0


def test_grapple__the_target_defends_with_the_better_skill(make_world: Any, put: Any) -> None:
    world = make_world()
    who, rogue = put(world, "commoner", (0, 0)), put(world, "rogue", (1, 0), "b")
    rolled: list[Any] = []

    def note(event: Any, owner: Entity | None) -> None:
        rolled.append((event.source, event.what))

    EventHandler(note, Trigger(EventType.CHECK, EventPhase.COMPLETION), world=world)
    Grapple(who, rogue).apply()
    assert rolled == [(who, Skill.ATHLETICS.value), (rogue, Skill.ACROBATICS.value)]


@pytest.mark.parametrize(
    ("who", "whom", "at", "words"),
    [
        ("goblin", "ogre", (1, 0), "more than one size larger"),
        ("commoner", "guard", (2, 0), "10 ft away"),
        ("fighter", "guard", (1, 0), "no free hand"),
    ],
)
def test_grapple__names_the_reason(
    who: str, whom: str, at: Square, words: str, make_world: Any, put: Any
) -> None:
    world = make_world()
    source, target = put(world, who, (0, 0)), put(world, whom, at, "b")
    event = Grapple(source, target).apply()
    assert event.canceled
    assert words in str(event.message)
    assert source.economy.left(CostType.ACTIONS) == 1


def test_grapple__works_on_one_size_larger(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, ogre = put(world, "commoner", (0, 0)), put(world, "ogre", (1, 0), "b")
    load(world, 20, 1)
    Grapple(who, ogre).apply()
    assert ogre.has("grappled")


def test_shove__not_the_charmer(make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    who.add_condition(Charmed(source=enemy))
    assert "charmed" in str(ShoveProne(who, enemy).apply().message)


def test_shove__prone_and_back(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "fighter", (0, 0), level=5), put(world, "guard", (1, 0), "b")
    load(world, 20, 1)
    ShoveProne(who, enemy).apply()
    assert enemy.has("prone")
    assert "is already prone" in str(ShoveProne(who, enemy).apply().message)
    ShoveBack(who, enemy).apply()
    assert enemy.position == (2, 0)
    assert who.economy.attacks_left == 0
    assert who.economy.left(CostType.ACTIONS) == 0


def test_grapple__replaces_an_attack_of_extra_attack(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "fighter", (0, 0), level=5), put(world, "guard", (1, 0), "b")
    enemy.health.current = enemy.health.maximum.base = 1000
    load(world, 20, 20, 1)
    Attack(who, enemy).apply()
    ShoveProne(who, enemy).apply()
    assert who.economy.attacks_left == 0
    assert enemy.has("prone")
    assert "no attack left" in str(ShoveBack(who, enemy).apply().message)


def test_shove__cannot_replace_a_multiattack(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    captain, enemy = put(world, "bandit_captain", (0, 0)), put(world, "zombie", (1, 0), "b")
    load(world, 2)
    Attack(captain, enemy).apply()
    event = ShoveProne(captain, enemy).apply()
    assert event.canceled
    assert "no attack left" in str(event.message)
    captain.economy.renew_turn()
    ShoveProne(captain, enemy).apply()
    assert captain.economy.attacks_left == 0
    assert captain.economy.left(CostType.ACTIONS) == 0


@pytest.mark.parametrize(("naturals", "free"), [((11, 10), True), ((10, 10), False)])
def test_escape__must_beat_the_grappler(
    naturals: tuple[int, int], free: bool, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    who.add_condition(Grappled(source=enemy))
    load(world, *naturals)
    Escape(who).apply()
    assert who.has("grappled") != free
    assert who.economy.left(CostType.ACTIONS) == 0


def test_escape__nobody_holds(make_world: Any, put: Any) -> None:
    assert "is not grappled" in str(Escape(put(make_world(), "commoner", (0, 0))).apply().message)


def test_release__costs_nothing(make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    assert "grapples no creature" in str(Release(who).apply().message)
    enemy.add_condition(Grappled(source=who))
    Release(who).apply()
    assert not enemy.has("grappled")
    assert who.economy.left(CostType.ACTIONS) == 1


@pytest.mark.parametrize("how", ["stunned", "pushed"])
def test_grappled__ends_when_the_grappler_cannot_hold(
    how: str, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (1, 2)), put(world, "commoner", (2, 2), "b")
    other = put(world, "fighter", (1, 1))
    enemy.add_condition(Grappled(source=who))
    if how == "stunned":
        who.add_condition(Stunned())
    else:
        load(world, 20, 1)
        ShoveBack(other, enemy).apply()
    assert not enemy.has("grappled")


# -- standing and prone ----------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "feet"), [(30, 15), (25, 12)])
def test_stand_up__half_the_speed_rounded_down(
    speed: int, feet: int, make_world: Any, put: Any
) -> None:
    who = put(make_world(), "commoner", (0, 0))
    who.economy.speed.base = speed
    who.add_condition(Prone())
    StandUp(who).apply()
    assert not who.has("prone")
    assert who.economy.moved == feet


def test_stand_up__not_with_too_little_left(make_world: Any, put: Any) -> None:
    who = put(make_world(), "commoner", (0, 0))
    who.add_condition(Prone())
    who.economy.moved = 20
    event = StandUp(who).apply()
    assert event.canceled
    assert "15 ft" in str(event.message)
    assert who.has("prone")


def test_drop_prone__once_a_turn_and_free(make_world: Any, put: Any) -> None:
    who = put(make_world(), "commoner", (0, 0))
    DropProne(who).apply()
    assert who.has("prone")
    assert who.economy.moved == 0
    StandUp(who).apply()
    assert "in this turn" in str(DropProne(who).apply().message)
    who.economy.renew_turn()
    assert not DropProne(who).apply().canceled


# -- stabilising -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("natural", "stable"), [(9, False), (10, True)])
def test_stabilise__medicine_against_ten(
    natural: int, stable: bool, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, ally = put(world, "commoner", (0, 0)), put(world, "fighter", (1, 0))
    ally.health.current = 0
    load(world, natural)
    Stabilise(who, ally).apply()
    assert ally.health.stable == stable
    assert who.economy.left(CostType.ACTIONS) == 0
    who.economy.renew_turn()
    assert ("not dying" in str(Stabilise(who, ally).apply().message)) == stable


def test_stabilise__healing_wakes(make_world: Any, put: Any) -> None:
    world = make_world()
    ally = put(world, "fighter", (1, 0))
    deal_damage(ally, [(ally.health.current, DamageType.SLASHING)])
    assert ally.has("unconscious")
    assert ally.has("prone")
    assert not ally.can_act
    heal(ally, 1)
    assert ally.can_act
    assert ally.has("prone")
    assert not ally.has("unconscious")


Build = Callable[[Entity, Entity], Any]


@pytest.mark.parametrize("build", [Grapple, ShoveProne, ShoveBack, Help, Attack])
def test_every_action__is_illegal_while_incapacitated(
    build: Build, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, enemy = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0), "b")
    who.add_condition(Stunned())
    event = build(who, enemy).apply()
    assert event.canceled
    assert f"{who.name} is stunned" in str(event.message)
