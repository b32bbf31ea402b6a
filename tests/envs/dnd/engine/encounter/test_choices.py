"""Legal choices: exactly those that the rules allow; illegal ones raise with a reason."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

import pytest

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.constants import DIRECTIONS
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.carry_out import ACTIONS, FEATURES, TARGETED, why_not
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.effects import Hidden
from axiom_envs.dnd.engine.rules.movement import bodies_at, can_pass, drag_factor, the_position
from axiom_envs.dnd.engine.rules.standard import Blinded, Charmed, Frightened, Grappled, Prone
from axiom_envs.dnd.engine.values.types import Ability, CostType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import ENTER_COST, parse_map
from axiom_envs.dnd.grid import Grid
from axiom_envs.dnd.tactics import play_random
from axiom_gym.errors import IllegalActionError
from axiom_gym.seeded_rng import SeededRNG

Square = tuple[int, int]
OPEN = (".......",) * 5
NO_REASON = "the rules do not allow it now"


# -- comparison with the rules ---------------------------------------------------------------------


def all_but_moves(encounter: Encounter) -> Iterator[Choice]:
    """Yield all conceivable choices, legal or not."""
    actor, world = encounter.actor, encounter.world
    alone = {*ACTIONS, *FEATURES, kinds.BONUS_DASH, kinds.RAMPAGE} - set(TARGETED)
    yield from map(Choice, sorted(alone))
    for other in world.entities:
        for kind in (*TARGETED, kinds.OFF_HAND):
            yield Choice(kind, other)
        for profile in range(len(actor.equipment.profiles)):
            yield Choice(kinds.ATTACK, other, profile)
    x, y = the_position(actor)
    for dx, dy in DIRECTIONS:
        yield Choice(kinds.STEP, square=(x + dx, y + dy))


def ways(actor: Entity) -> dict[Square, int]:
    """Return feet to each reachable square, found square by square from the rules' text."""
    grid = actor.world.grid
    assert grid is not None
    start, wide, extra = the_position(actor), actor.size.squares, 5 * actor.has("prone")
    found, queue = {start: 0}, [(0, start)]

    def stands(square: Square) -> bool:
        covered = [(square[0] + i, square[1] + j) for i in range(wide) for j in range(wide)]
        return all(
            0 <= x < grid.width and 0 <= y < grid.height and ENTER_COST[grid.terrain[y, x]]
            for x, y in covered
        )

    while queue:
        feet, (x, y) = heapq.heappop(queue)
        if feet > found[(x, y)]:
            continue
        for dx, dy in DIRECTIONS:
            to = (x + dx, y + dy)
            if not stands(to) or (
                dx and dy and not stands((x + dx, y)) and not stands((x, y + dy))
            ):
                continue
            others = bodies_at(actor, to)
            if not all(can_pass(actor, other) for other in others):
                continue
            ground = [grid.terrain[to[1] + j, to[0] + i] for i in range(wide) for j in range(wide)]
            slow = bool(others) or any(ENTER_COST[code] == 2 for code in ground)
            cost = feet + 5 + 5 * slow + extra
            if cost < found.get(to, 10_000):
                found[to] = cost
                heapq.heappush(queue, (cost, to))
    return {
        square: feet * drag_factor(actor)
        for square, feet in found.items()
        if square != start and not bodies_at(actor, square)
    }


def check_position(encounter: Encounter) -> int:
    """Compare `legal` with the rules; return the number of choices compared."""
    actor, count = encounter.actor, 0
    for choice in all_but_moves(encounter):
        legal = encounter.legal.holds(choice, actor)
        reason = why_not(encounter, actor, choice)
        assert legal == (reason == NO_REASON), (choice, legal, reason)
        count += 1
    moves = {one.square for one in encounter.legal_actions() if one.kind == kinds.MOVE}
    if not actor.has("frightened"):
        left = actor.economy.movement_left - actor.economy.toward
        assert moves == {square for square, feet in ways(actor).items() if feet <= left}
    return count


@pytest.mark.parametrize(
    "scenario",
    [
        "bandits-vs-party",
        "goblins-vs-fighters",
        "ogre-and-goblins",
        "gnolls-on-the-plain",
        "orcs-at-the-ford",
        "spiders-in-the-ravine",
    ],
)
def test_legal_actions__are_what_the_rules_allow(scenario: str) -> None:
    for seed in (1, 2):
        encounter, rng = Encounter.from_preset(scenario, seed=seed, log="off"), SeededRNG(seed)
        looked = 0
        for decision in range(150):
            if encounter.decider is None:
                break
            if not encounter.is_reaction and decision % 12 == 0:
                looked += check_position(encounter)
            encounter.act(play_random(encounter, encounter.legal, rng))
        assert looked > 150


def test_legal_actions__are_unique_and_accepted_by_holds() -> None:
    encounter, rng = Encounter.from_preset("4v4-mixed", seed=3, log="off"), SeededRNG(3)
    for _ in range(60):
        offered = encounter.legal_actions()
        assert len(set(offered)) == len(offered)
        assert all(encounter.legal.holds(one, encounter.actor) for one in offered)
        encounter.act(rng.pick(offered))


# -- single rules ----------------------------------------------------------------------------------


def test_legal__multiattack_of_two_and_one_or_two_thrown(fight: Any, offers: Any) -> None:
    encounter, (captain, enemy) = fight(("bandit_captain", (1, 1)), ("ogre", (2, 1)))
    encounter.asks_reactions = False
    captain.equipment.hands.off = captain.equipment.profiles[1].weapon  # a second light weapon

    def profiles() -> list[int]:
        return [one.profile for one in encounter.legal_actions() if one.kind == kinds.ATTACK]

    assert profiles() == [0, 1, 2]
    encounter.act(Choice(kinds.ATTACK, enemy, 0))
    assert profiles() == [0, 1]
    encounter.act(Choice(kinds.ATTACK, enemy, 0))
    assert profiles() == [1]
    encounter.act(Choice(kinds.ATTACK, enemy, 1))
    assert profiles() == []
    assert captain.economy.left(CostType.ACTIONS) == 0
    assert kinds.OFF_HAND not in offers(encounter)


def test_legal__thrown_daggers_exclude_the_sword(fight: Any) -> None:
    encounter, (_, enemy) = fight(("bandit_captain", (1, 1)), ("ogre", (2, 1)))
    encounter.act(Choice(kinds.ATTACK, enemy, 2))
    found = [one.profile for one in encounter.legal_actions() if one.kind == kinds.ATTACK]
    assert found == [2]


def test_legal__claws_and_bite_once_each(fight: Any) -> None:
    encounter, (_, enemy) = fight(("brown_bear", (1, 1)), ("ogre", (3, 1)))
    encounter.act(Choice(kinds.ATTACK, enemy, 1))
    found = [one.profile for one in encounter.legal_actions() if one.kind == kinds.ATTACK]
    assert found == [0]


def test_legal__extra_attack_is_any_two(fight: Any, offers: Any) -> None:
    encounter, (fighter, enemy) = fight(("fighter", (1, 1)), ("troll", (2, 1)), level=5)
    for profile in (0, 2):
        encounter.act(Choice(kinds.ATTACK, enemy, profile))
    assert kinds.ATTACK not in offers(encounter)
    assert fighter.economy.attacks_left == 0


def test_legal__attacks_and_moves_mix(fight: Any) -> None:
    encounter, (fighter, enemy) = fight(("fighter", (1, 1)), ("troll", (2, 1)), level=5)
    encounter.act(Choice(kinds.ATTACK, enemy, 0))
    encounter.act(Choice(kinds.STEP, square=(1, 2)))
    assert fighter.position == (1, 2)
    encounter.act(Choice(kinds.ATTACK, enemy, 0))
    assert encounter.actor is fighter


def test_legal__a_loading_weapon_shoots_once(fight: Any, targets: Any) -> None:
    encounter, (scout, enemy) = fight(("bandit", (0, 0)), ("ogre", (5, 1)))
    scout.equipment.plans = ((1, 1),)
    assert targets(encounter, kinds.ATTACK) == [enemy]
    encounter.act(Choice(kinds.ATTACK, enemy, 1))
    assert scout.economy.attacks_left == 1
    assert targets(encounter, kinds.ATTACK) == []
    with pytest.raises(IllegalActionError, match="not loaded"):
        encounter.act(Choice(kinds.ATTACK, enemy, 1))


def test_legal__second_light_weapon_as_a_bonus_action(
    fight: Any, offers: Any, targets: Any
) -> None:
    encounter, (rogue, enemy) = fight(("rogue", (1, 1)), ("troll", (2, 1)))
    assert kinds.OFF_HAND not in offers(encounter)
    encounter.act(Choice(kinds.ATTACK, enemy, 0))
    assert targets(encounter, kinds.OFF_HAND) == [enemy]
    events = encounter.act(Choice(kinds.OFF_HAND, enemy))
    attack: Any = events[0]
    assert attack.profile.name == "dagger"
    assert not attack.attack.with_ability
    assert rogue.economy.left(CostType.BONUS_ACTIONS) == 0
    assert kinds.OFF_HAND not in offers(encounter)


def test_off_hand__no_ability_modifier_in_the_damage(fight: Any) -> None:
    _encounter, (rogue, enemy) = fight(("rogue", (1, 1)), ("troll", (2, 1)))
    dice = {
        with_ability: rogue.equipment.weapon_dice(
            rogue.equipment.profiles[1], enemy, {}, with_ability
        ).mean()
        for with_ability in (True, False)
    }
    assert dice[True] - dice[False] == rogue.abilities.modifier(Ability.DEXTERITY)


def test_legal__no_attack_on_total_cover(fight: Any, targets: Any) -> None:
    rows = ("...#...", "...#...", "...#...", "...#...", "...#...")
    encounter, (_, enemy) = fight(("goblin", (0, 0)), ("guard", (6, 0)), rows=rows)
    assert targets(encounter, kinds.ATTACK) == []
    with pytest.raises(IllegalActionError, match="total cover"):
        encounter.act(Choice(kinds.ATTACK, enemy, 1))


@pytest.mark.parametrize(("rows", "bonus"), [(OPEN, 0), (("..o....",) * 5, 2)])
def test_cover__counts_in_the_armour_class(rows: tuple[str, ...], bonus: int, fight: Any) -> None:
    _encounter, (goblin, enemy) = fight(("goblin", (1, 2)), ("guard", (5, 2)), rows=rows)
    attack = Attack(goblin, enemy, goblin.equipment.profiles[1])
    plain = enemy.equipment.read_armour_class().total
    assert attack.read()[1].total == plain + bonus


def test_cover__a_creature_between_is_half(fight: Any) -> None:
    _encounter, (goblin, enemy, _) = fight(("goblin", (1, 2)), ("guard", (5, 2)), ("guard", (3, 2)))
    assert Attack(goblin, enemy, goblin.equipment.profiles[1]).read()[2] == 1


def test_cover__three_quarters_behind_a_corner(fight: Any) -> None:
    rows = (".......", "..##...", ".......", ".......", ".......")
    encounter, (goblin, enemy) = fight(("goblin", (1, 2)), ("guard", (4, 0)), rows=rows)
    grade = Attack(goblin, enemy, goblin.equipment.profiles[1]).read()[2]
    assert grade == encounter.world.grid.cover(goblin.body, enemy.body)  # type: ignore[union-attr]


def test_legal__no_attack_on_the_charmer(fight: Any, targets: Any) -> None:
    encounter, (goblin, charmer, other) = fight(
        ("goblin", (1, 1)), ("guard", (2, 1)), ("guard", (1, 2))
    )
    goblin.add_condition(Charmed(source=charmer))
    for kind in (kinds.ATTACK, kinds.GRAPPLE, kinds.SHOVE_PRONE):
        assert charmer not in targets(encounter, kind)
    assert other in targets(encounter, kinds.ATTACK)


def test_legal__blinded_attack_audible_but_not_hidden_enemies(
    fight: Any, offers: Any, targets: Any
) -> None:
    encounter, (goblin, enemy) = fight(("goblin", (1, 1)), ("guard", (2, 1)))
    goblin.add_condition(Blinded())
    assert enemy in targets(encounter, kinds.ATTACK)
    enemy.add_condition(Hidden(unaware=(goblin,), stealth=20))
    encounter, (goblin, enemy) = fight(("goblin", (1, 1)), ("guard", (2, 1)))
    enemy.add_condition(Hidden(unaware=(goblin,), stealth=20))
    assert targets(encounter, kinds.ATTACK) == []
    with pytest.raises(IllegalActionError, match="is hidden"):
        encounter.act(Choice(kinds.ATTACK, enemy, 0))
    assert kinds.SEARCH in offers(encounter)


def test_legal__frightened_steps_only_and_never_closer(fight: Any, offers: Any) -> None:
    encounter, (goblin, enemy) = fight(("goblin", (3, 2)), ("guard", (6, 2)))
    goblin.add_condition(Frightened(source=enemy))
    squares = {one.square for one in encounter.legal_actions() if one.kind == kinds.STEP}
    assert squares == {(2, 1), (2, 2), (2, 3), (3, 1), (3, 3)}
    assert kinds.MOVE not in offers(encounter)
    with pytest.raises(IllegalActionError, match="frightened"):
        encounter.act(Choice(kinds.MOVE, square=(0, 2)))


def test_legal__prone_stand_up_or_crawl(fight: Any, offers: Any) -> None:
    encounter, (goblin, _) = fight(("goblin", (3, 2)), ("guard", (6, 4)))
    goblin.add_condition(Prone())
    assert {kinds.STAND_UP, kinds.STEP, kinds.MOVE} <= offers(encounter)
    assert kinds.DROP_PRONE not in offers(encounter)
    farthest = max(abs(x - 3) for x, _ in ways(goblin))
    assert farthest == 3
    assert (0, 2) in ways(goblin)
    assert ways(goblin)[(0, 2)] == 30


def test_legal__grappled_cannot_move(fight: Any, offers: Any) -> None:
    encounter, (goblin, enemy) = fight(("goblin", (1, 1)), ("guard", (2, 1)))
    goblin.add_condition(Grappled(source=enemy))
    found = offers(encounter)
    assert kinds.ESCAPE in found
    assert not {kinds.STEP, kinds.MOVE, kinds.STAND_UP} & found


def test_legal__bonus_actions_are_those_of_features(fight: Any, offers: Any) -> None:
    bonus = {kinds.BONUS_DASH, kinds.BONUS_DISENGAGE, kinds.BONUS_HIDE}
    rows = ("...#...", "...#...", "...#...", "...#...", "...#...")
    for name, level, expected in (
        ("rogue", 3, bonus),
        ("goblin", None, bonus - {kinds.BONUS_DASH}),
        ("orc", None, {kinds.BONUS_DASH}),
        ("guard", None, set()),
    ):
        encounter, _ = fight((name, (0, 0)), ("guard", (6, 0)), rows=rows, level=level)
        assert offers(encounter) & bonus == expected


def test_legal__turn_of_at_most_32_decisions(fight: Any, offers: Any) -> None:
    encounter, _ = fight(("goblin", (1, 1)), ("guard", (6, 4)))
    encounter.decisions = kinds.MOST_DECISIONS
    assert offers(encounter) == {kinds.END_TURN}
    with pytest.raises(IllegalActionError, match="32 decisions"):
        encounter.act(Choice(kinds.DASH))


def test_choice__describes_itself(fight: Any) -> None:
    encounter, (goblin, enemy) = fight(("goblin", (1, 1)), ("guard", (2, 1)))
    assert Choice(kinds.ATTACK, enemy, 0).describe(goblin) == "attack with scimitar: Guard"
    assert Choice(kinds.STEP, square=(1, 2)).describe(goblin) == "step to 1,2"
    assert encounter.question() == "turn of Goblin"


def test_options__surprised_can_only_end_the_turn(offers: Any) -> None:
    world = World(1, options=Options(surprise=True), grid=Grid(parse_map(OPEN)))
    create("goblin", position=(0, 0), side="a", world=world)
    slow = create("guard", position=(1, 0), side="b", world=world)
    encounter = Encounter(world, surprised=["b"]).start()
    while encounter.actor is not slow:
        assert slow.economy.left(CostType.REACTIONS) == 0
        encounter.act(Choice(kinds.END_TURN))
    assert offers(encounter) == {kinds.END_TURN}
    assert slow.economy.left(CostType.REACTIONS) == 0
    encounter.act(Choice(kinds.END_TURN))
    assert slow.economy.left(CostType.REACTIONS) == 1
    assert slow.economy.current_speed == 30
