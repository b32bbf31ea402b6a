"""Scripted bots: their choices are legal and sensible, and they win."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.space import distance
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_envs.dnd.tactics import BOTS, find_bot
from axiom_gym.errors import UnknownOpponentError
from axiom_gym.seeded_rng import SeededRNG

Square = tuple[int, int]
Bodies = tuple[tuple[str, Square], ...]
Play = Callable[[str, Encounter], list[Choice]]


def arena(
    party: Bodies, foes: Bodies, size: int = 12, seed: int = 1, rows: tuple[str, ...] = ()
) -> Encounter:
    world = World(seed, log="off", grid=Grid(parse_map(rows or ("." * size,) * size)))
    for side, bodies in (("party", party), ("foes", foes)):
        for name, position in bodies:
            create(name, position=position, side=side, world=world)
    return Encounter(world, asks_reactions=False)


def one_turn(bot: str, encounter: Encounter, who: int = 0) -> list[Choice]:
    """Return a bot's decisions in an entity's turn; the others do nothing before."""
    actor, rng, chosen = encounter.fighters[who], SeededRNG(1), []
    encounter.start()
    while encounter.actor is not actor:
        encounter.act(Choice(kinds.END_TURN))
    while encounter.decider is actor:
        chosen.append(find_bot(bot)(encounter, encounter.legal, rng))
        encounter.act(chosen[-1])
        if chosen[-1].kind == kinds.END_TURN:
            break
    return chosen


def wins(first: str, second: str, scenarios: tuple[str, ...], seeds: int) -> tuple[int, int, int]:
    """Return games won, drawn and lost by the first bot, from both sides of each scenario."""
    won = drawn = lost = 0
    for scenario in scenarios:
        for seed in range(seeds):
            for mine, other in (("party", "foes"), ("foes", "party")):
                encounter = Encounter.from_preset(scenario, seed=seed, log="off")
                winner = encounter.run({mine: first, other: second})
                won, lost = won + (winner == mine), lost + (winner == other)
                drawn += winner is None
    return won, drawn, lost


def test_find_bot__unknown() -> None:
    with pytest.raises(UnknownOpponentError, match="focus_fire"):
        find_bot("clever")


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bots__every_choice_is_legal_to_the_end(bot: str) -> None:
    for scenario in ("bandits-vs-party", "spiders-in-the-ravine", "cellar-by-torchlight"):
        for seed in (1, 2):
            encounter = Encounter.from_preset(scenario, seed=seed, log="off")
            encounter.run({"party": bot, "foes": bot})
            assert encounter.over


def test_greedy__beats_random() -> None:
    scenarios = ("2v2-goblins", "4v4-mixed", "ogre-and-goblins", "orcs-at-the-ford")
    won, drawn, lost = wins("greedy", "random", scenarios, 3)
    assert won >= 23
    assert lost + drawn <= 1


def test_greedy__finishes_its_games() -> None:
    scenarios = ("4v4-mixed", "veterans-duel", "minotaur-maze", "troll-bridge")
    assert wins("greedy", "greedy", scenarios, 2)[1] == 0


def test_kiting__shooters_in_the_open_lose_fewer_hit_points() -> None:
    def left(bot: str) -> int:
        """Return the hit points that three scouts keep in a fight with slow zombies."""
        total = 0
        scouts = (("scout", (7, 8)), ("scout", (8, 8)), ("scout", (9, 8)))
        zombies = tuple(("zombie", (x, 1)) for x in (5, 7, 9, 11))
        for seed in range(4):
            encounter = arena(scouts, zombies, 16, seed)
            encounter.run({"party": bot, "foes": "greedy"})
            total += sum(one.health.current for one in encounter.fighters if one.side == "party")
        return total

    assert left("kiting") > left("greedy")


@pytest.mark.parametrize("bot", ["greedy", "focus_fire"])
def test_approach__around_a_wall_and_dashing(bot: str) -> None:
    rows = ("......", ".####.", ".#....", ".####.", "......", "......")
    encounter = arena((("zombie", (0, 2)),), (("commoner", (3, 2)),), rows=rows)
    chosen = one_turn(bot, encounter)
    zombie = encounter.fighters[0]
    assert [one.kind for one in chosen][:3] == [kinds.MOVE, kinds.DASH, kinds.MOVE]
    assert zombie.position is not None
    assert zombie.position[0] >= 4


def test_greedy__dodges_if_no_enemy_can_be_reached() -> None:
    rows = ("..#..", "..#..", "..#..")
    encounter = arena((("zombie", (1, 1)),), (("zombie", (4, 1)),), rows=rows)
    chosen = [one.kind for one in one_turn("greedy", encounter)]
    assert chosen == [kinds.DODGE, kinds.END_TURN]


def test_greedy__prefers_targets_with_hit_points() -> None:
    encounter = arena((("guard", (5, 5)),), (("fighter", (4, 5)), ("fighter", (6, 5))))
    encounter.start()
    encounter.round = 0
    down = encounter.fighters[1]
    down.health.current = 0
    chosen = one_turn("greedy", encounter)
    attacked = [one.target for one in chosen if one.kind == kinds.ATTACK]
    assert attacked == [encounter.fighters[2]]


def test_greedy__all_attacks_and_the_second_weapon() -> None:
    encounter = arena((("rogue", (5, 5)),), (("ogre", (6, 5)),))
    assert [one.kind for one in one_turn("greedy", encounter)][:2] == [
        kinds.ATTACK,
        kinds.OFF_HAND,
    ]
    encounter = arena((("veteran", (5, 5)),), (("troll", (6, 5)),))
    chosen = one_turn("greedy", encounter)
    assert [one.profile for one in chosen if one.kind == kinds.ATTACK] == [0, 0, 2]


def test_greedy__shooters_leave_melee_only_if_it_pays() -> None:
    encounter = arena((("scout", (5, 5)),), (("ogre", (6, 5)),))
    assert [one.kind for one in one_turn("greedy", encounter)][:2] == [kinds.ATTACK] * 2


def test_focus_fire__attacks_the_enemy_with_the_fewest_hit_points() -> None:
    encounter = arena((("guard", (5, 5)),), (("orc", (4, 5)), ("orc", (6, 5))))
    encounter.fighters[2].health.current = 2
    (target,) = (one.target for one in one_turn("focus_fire", encounter) if one.target)
    assert target is encounter.fighters[2]


def test_kiting__shoots_and_keeps_away() -> None:
    encounter = arena((("scout", (7, 7)),), (("zombie", (7, 3)),), 16)
    scout, zombie = encounter.fighters
    chosen = one_turn("kiting", encounter)
    assert [one.kind for one in chosen].count(kinds.ATTACK) == 2
    assert distance(scout, zombie) >= 40


def test_kiting__disengages_with_a_bonus_action() -> None:
    encounter = arena((("goblin", (7, 7)),), (("ogre", (7, 8)),), 16)
    goblin, ogre = encounter.fighters
    chosen = [one.kind for one in one_turn("kiting", encounter)]
    assert chosen[:3] == [kinds.BONUS_DISENGAGE, kinds.MOVE, kinds.ATTACK]
    assert distance(goblin, ogre) > 5
    assert goblin.health.current == goblin.health.maximum.score


def test_large__approaches_as_far_as_there_is_room() -> None:
    encounter = arena((("brown_bear", (0, 0)),), (("guard", (5, 3)),))
    bear: Entity = encounter.fighters[0]
    chosen = one_turn("greedy", encounter)
    assert kinds.ATTACK in [one.kind for one in chosen]
    assert distance(bear, encounter.fighters[1]) == 5
