"""Encounters: order, rounds, dying, victory."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd import engine as dnd
from axiom_envs.dnd.constants import ATTACK, DASH, END_TURN, MOVE, STABILISE
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.choices import Choice, Legal
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.damage import deal_damage, heal
from axiom_envs.dnd.engine.rules.standard import Poisoned, Stunned
from axiom_envs.dnd.engine.values.types import DamageType
from axiom_gym.errors import ConfigError, GameError, UnknownNameError
from axiom_gym.seeded_rng import SeededRNG

END = Choice(END_TURN)


def turn_of(encounter: Encounter, who: Entity) -> None:
    while encounter.actor is not who:
        encounter.act(END)


# -- order and rounds ------------------------------------------------------------------------------


def test_start__initiative_orders_and_ties_go_to_dexterity_then_to_the_first(
    load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    slow = put(world, "zombie", (0, 0), "a")
    first, second = put(world, "guard", (1, 0), "a"), put(world, "guard", (2, 0), "b")
    load(world, 10)
    encounter = Encounter(world).start()
    assert encounter.order == [first, second, slow]
    assert [encounter.initiative[one.number] for one in encounter.order] == [11, 11, 8]


def test_start__a_tie_goes_to_the_higher_score_not_the_modifier(
    load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    twelve, thirteen = put(world, "guard", (0, 0), "a"), put(world, "worg", (2, 0), "b")
    load(world, 10)
    assert Encounter(world).start().order == [thirteen, twelve]


def test_start__the_roll_counts(make_world: Any, put: Any) -> None:
    world = make_world()
    for k in range(6):
        put(world, "guard", (k, 0), "ab"[k % 2])
    encounter = Encounter(world).start()
    rolls = [encounter.initiative[one.number] for one in encounter.order]
    assert rolls == sorted(rolls, reverse=True)
    assert len(set(rolls)) > 1


def test_start__one_roll_for_all_of_a_kind_with_the_option(make_world: Any, put: Any) -> None:
    world = make_world(shared_initiative=True)
    guards = [put(world, "guard", (k, 0), "a") for k in range(5)]
    others = [put(world, "guard", (k, 2), "b") for k in range(5)]
    encounter = Encounter(world).start()
    for several in (guards, others):
        assert len({encounter.initiative[one.number] for one in several}) == 1


def test_start__twice_is_an_error() -> None:
    encounter = Encounter.from_preset("2v2-goblins", seed=1)
    with pytest.raises(GameError, match="already started"):
        encounter.start()


def test_encounter__rounds_repeat_the_same_order() -> None:
    encounter = Encounter.from_preset("4v4-mixed", seed=2)
    seen = []
    for _ in range(16):
        seen.append((encounter.round, encounter.actor))
        encounter.act(END)
    assert [one for number, one in seen if number == 1] == encounter.order
    assert [one for number, one in seen if number == 2] == encounter.order


def test_encounter__durations_run_out_with_the_rounds(make_world: Any, put: Any) -> None:
    world = make_world()
    who, source = put(world, "guard", (0, 0), "a"), put(world, "guard", (6, 4), "b")
    encounter = Encounter(world).start()
    turn_of(encounter, source)
    who.add_condition(Poisoned(source=source, duration=dnd.rounds(3)))
    start, lasted = encounter.round, 0
    while who.has("poisoned"):
        encounter.act(END)
        lasted = encounter.round - start
    assert lasted == 3
    assert encounter.actor is source


def test_encounter__creatures_that_cannot_act_are_skipped(make_world: Any, put: Any) -> None:
    world = make_world()
    who, other = put(world, "guard", (0, 0), "a"), put(world, "guard", (6, 4), "b")
    encounter = Encounter(world).start()
    turn_of(encounter, other)
    who.add_condition(Stunned())
    start = encounter.round
    encounter.act(END)
    assert encounter.actor is other
    assert encounter.round == start + 1


def test_encounter__movement_and_actions_are_new_each_turn(make_world: Any, put: Any) -> None:
    world = make_world()
    who, _ = put(world, "guard", (0, 0), "a"), put(world, "guard", (6, 4), "b")
    encounter = Encounter(world).start()
    turn_of(encounter, who)
    encounter.act(Choice(DASH))
    encounter.act(Choice(MOVE, square=(3, 0)))
    assert who.economy.movement_left == 45
    encounter.act(END)
    turn_of(encounter, who)
    assert who.economy.movement_left == 30
    assert DASH in [one.kind for one in encounter.legal_actions()]


# -- dying -----------------------------------------------------------------------------------------


@pytest.fixture
def dying(load: Any, make_world: Any, put: Any) -> Any:
    """A factory: a fallen fighter, its ally, and an enemy, whose turn it is."""

    def dying(natural: int) -> tuple[Encounter, Entity, Entity, Entity]:
        world = make_world()
        fallen, friend = put(world, "fighter", (0, 0), "a"), put(world, "fighter", (1, 0), "a")
        enemy = put(world, "guard", (6, 4), "b")
        encounter = Encounter(world).start()
        turn_of(encounter, enemy)
        deal_damage(fallen, [(fallen.health.current, DamageType.SLASHING)])
        load(world, natural)
        return encounter, fallen, friend, enemy

    return dying


@pytest.mark.parametrize(
    ("natural", "successes", "failures"), [(10, 1, 0), (9, 0, 1), (1, 0, 2), (19, 1, 0)]
)
def test_dying__a_death_save_at_each_start_of_its_turn(
    natural: int, successes: int, failures: int, dying: Any
) -> None:
    encounter, fallen, friend, _ = dying(natural)
    for _ in range(3):
        encounter.act(END)
        if fallen.health.successes + fallen.health.failures:
            break
    assert (fallen.health.successes, fallen.health.failures) == (successes, failures)
    assert encounter.actor is not fallen
    assert friend.is_up


def test_dying__three_successes_are_stable(dying: Any) -> None:
    encounter, fallen, _, _ = dying(12)
    for _ in range(12):
        encounter.act(END)
    assert fallen.health.stable
    assert not fallen.is_up
    assert (fallen.health.successes, fallen.health.failures, fallen.health.dead) == (0, 0, False)


def test_dying__three_failures_are_dead_and_the_square_is_free(dying: Any) -> None:
    encounter, fallen, friend, _ = dying(5)
    for _ in range(12):
        encounter.act(END)
    assert fallen.health.dead
    assert fallen.body == -1
    turn_of(encounter, friend)
    encounter.act(Choice(MOVE, square=(0, 0)))
    assert friend.position == (0, 0)


def test_dying__a_twenty_wakes_and_it_has_its_turn(dying: Any) -> None:
    encounter, fallen, _, _ = dying(20)
    turn_of(encounter, fallen)
    assert fallen.health.current == 1
    assert fallen.can_act
    assert fallen.has("prone")


def test_dying__healing_wakes(dying: Any) -> None:
    encounter, fallen, _, _ = dying(10)
    heal(fallen, 3)
    turn_of(encounter, fallen)
    assert fallen.health.current == 3
    assert fallen.health.successes == 0


def test_dying__a_friend_stabilises(dying: Any) -> None:
    encounter, fallen, friend, _ = dying(15)
    turn_of(encounter, friend)
    encounter.act(Choice(STABILISE, fallen))
    assert fallen.health.stable


# -- the end ---------------------------------------------------------------------------------------


def test_victory__when_all_others_are_dead(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "fighter", (0, 0), "a"), put(world, "commoner", (1, 0), "b")
    encounter = Encounter(world).start()
    turn_of(encounter, who)
    load(world, 20)
    enemy.health.current = 1
    encounter.act(Choice(ATTACK, enemy, 0))
    assert (encounter.over, encounter.winner, encounter.decider) == (True, "a", None)
    assert enemy.body == -1


def test_victory__a_side_with_all_characters_at_0_hit_points_loses(
    load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    fallen, enemy = put(world, "fighter", (0, 0), "a"), put(world, "guard", (6, 4), "b")
    encounter = Encounter(world).start()
    turn_of(encounter, enemy)
    deal_damage(fallen, [(fallen.health.current, DamageType.SLASHING)])
    assert not fallen.health.dead
    load(world, 5)
    encounter.act(END)
    assert encounter.winner == "b"


def test_victory__nobody_left_is_a_draw(make_world: Any, put: Any) -> None:
    world = make_world()
    both = put(world, "guard", (0, 0), "a"), put(world, "guard", (6, 4), "b")
    encounter = Encounter(world).start()
    for one in both:
        deal_damage(one, [(99, DamageType.FIRE)])
    encounter.act(END)
    assert encounter.over
    assert encounter.winner is None


def test_round_limit__is_a_draw() -> None:
    encounter = Encounter.from_preset("2v2-goblins", seed=1, round_limit=2)
    decisions = 0
    while encounter.decider is not None:
        encounter.act(END)
        decisions += 1
    assert (encounter.over, encounter.winner, encounter.round) == (True, None, 2)
    assert decisions == 8


# -- creation and runs -----------------------------------------------------------------------------


def test_from_preset__unknown_names_list_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="2v2-goblins"):
        Encounter.from_preset("nowhere")


def test_encounter__needs_two_sides(make_world: Any, put: Any) -> None:
    world = make_world()
    put(world, "guard", (0, 0), "a")
    with pytest.raises(ConfigError, match="two sides"):
        Encounter(world)


@pytest.mark.parametrize("limit", [0, -1])
def test_encounter__round_limit_out_of_range(limit: int, make_world: Any, put: Any) -> None:
    world = make_world()
    put(world, "guard", (0, 0), "a")
    put(world, "guard", (1, 0), "b")
    with pytest.raises(ConfigError, match="round_limit"):
        Encounter(world, round_limit=limit)


def test_run__players_and_sides_must_match() -> None:
    encounter = Encounter.from_preset("2v2-goblins", seed=1)
    with pytest.raises(ConfigError, match="foes"):
        encounter.run({"party": "greedy"})
    with pytest.raises(UnknownNameError, match="party"):
        encounter.run({"party": "greedy", "foes": "greedy", "crowd": "greedy"})


def test_run__bots_by_name_and_own_players() -> None:
    asked = []

    def bot(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
        decider = encounter.decider
        assert decider is not None
        asked.append(decider.side)
        return next(legal.choices(encounter.actor))

    encounter = Encounter.from_preset("bandits-vs-party", seed=1)
    assert encounter.run({"party": bot, "foes": "greedy"}) == "foes"
    assert set(asked) == {"party"}


def test_example__of_the_guide() -> None:
    with dnd.World(seed=7) as world:
        goblin = dnd.create("goblin", position=(2, 3))
        fighter = dnd.create("fighter", level=3, position=(5, 3))
        event = dnd.Attack(source=fighter, target=goblin, weapon="main_hand").apply()
        assert "to-hit 5 = 3 (strength) + 2 (proficiency)" in event.explain()
        lasts = dnd.rounds(3)
        poisoned = dnd.conditions.Poisoned(source=goblin, duration=lasts)  # type: ignore[attr-defined]
        fighter.add_condition(poisoned)
        assert fighter.has("poisoned")
        assert len(world.entities) == 2
