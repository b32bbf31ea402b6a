"""Readied attacks: triggers, costs and duration."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.constants import DECLINE, END_TURN, MOVE, REACT, READY_MELEE, READY_RANGED, STEP
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.errors import IllegalActionError

OPEN = ("." * 12,) * 8


def fight(
    guard_at: tuple[int, int],
    ogre_at: tuple[int, int],
    rows: tuple[str, ...] = OPEN,
    ready: bool = True,
) -> tuple[Encounter, Entity, Entity]:
    """Start a fight of a scout and an ogre in the scout's turn."""
    world = World(1, log="full", options=Options(ready=ready), grid=Grid(parse_map(rows)))
    with world:
        scout = create("scout", position=guard_at, side="a")
        ogre = create("ogre", position=ogre_at, side="b")
        scout.health.maximum.base = scout.health.current = 500
    encounter = Encounter(world).start()
    while encounter.actor is not scout:
        encounter.act(Choice(END_TURN))
    return encounter, scout, ogre


def wait(encounter: Encounter, kind: str = READY_MELEE) -> None:
    encounter.act(Choice(kind))
    encounter.act(Choice(END_TURN))


def test_ready__needs_the_option() -> None:
    assert {READY_MELEE, READY_RANGED} <= set(fight((2, 2), (8, 2))[0].legal.kinds)
    encounter, scout, _ = fight((2, 2), (8, 2), ready=False)
    assert not {READY_MELEE, READY_RANGED} & set(encounter.legal.kinds)
    with pytest.raises(IllegalActionError, match="option `ready` is off"):
        encounter.act(Choice(READY_MELEE))
    assert scout.economy.left(CostType.ACTIONS) == 1


def test_ready__costs_the_action_and_lasts_until_the_next_turn() -> None:
    encounter, scout, ogre = fight((2, 2), (8, 2))
    encounter.act(Choice(READY_MELEE))
    assert scout.economy.left(CostType.ACTIONS) == 0
    assert READY_MELEE not in encounter.legal.kinds
    encounter.act(Choice(END_TURN))
    assert encounter.actor is ogre
    assert scout.has("readied")
    encounter.act(Choice(END_TURN))
    assert encounter.actor is scout
    assert not scout.has("readied")


def test_ready_melee__attacks_an_enemy_that_comes_within_reach(attacks: Any) -> None:
    encounter, scout, ogre = fight((2, 2), (6, 2))
    wait(encounter)
    encounter.act(Choice(STEP, square=(5, 2)))
    assert encounter.decider is ogre  # 10 ft away: nothing happens
    encounter.act(Choice(STEP, square=(4, 2)))
    assert encounter.decider is ogre
    encounter.act(Choice(STEP, square=(3, 2)))
    assert encounter.decider is scout
    assert encounter.is_reaction
    assert "readied attack" in encounter.question()
    encounter.act(Choice(REACT))
    (attack,) = attacks(encounter)
    assert (attack.source, attack.target, attack.profile.is_melee) == (scout, ogre, True)
    assert scout.economy.left(CostType.REACTIONS) == 0
    assert not scout.has("readied")
    assert encounter.decider is ogre


def test_ready_melee__interrupts_a_longer_move() -> None:
    encounter, scout, ogre = fight((5, 4), (8, 1))
    wait(encounter)
    encounter.act(Choice(MOVE, square=(6, 4)))
    assert encounter.decider is scout
    assert encounter.is_reaction
    encounter.act(Choice(DECLINE))
    while encounter.is_reaction:
        encounter.act(Choice(DECLINE))
    assert encounter.decider is ogre
    assert ogre.position == (6, 4)
    assert scout.has("readied")  # declining keeps the attack readied
    assert scout.economy.left(CostType.REACTIONS) == 1


def test_ready_ranged__attacks_an_enemy_that_comes_into_sight(attacks: Any) -> None:
    rows = ("............", "............", "......#.....", "......#.....", "......#.....")
    encounter, scout, ogre = fight((2, 4), (9, 3), rows)
    wait(encounter, READY_RANGED)
    encounter.act(Choice(STEP, square=(9, 2)))
    while encounter.decider is ogre and ogre.economy.movement_left >= 5:
        x, y = ogre.position or (0, 0)
        encounter.act(Choice(STEP, square=(x - 1, max(0, y - 1))))
    assert encounter.decider is scout
    encounter.act(Choice(REACT))
    (attack,) = attacks(encounter)
    assert not attack.profile.is_melee


def test_ready__needs_a_reaction() -> None:
    encounter, scout, ogre = fight((2, 2), (5, 2))
    wait(encounter)
    scout.economy.spend(CostType.REACTIONS)
    encounter.act(Choice(STEP, square=(4, 2)))
    encounter.act(Choice(STEP, square=(3, 2)))
    assert encounter.decider is ogre
