"""Pictures of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiom_envs.skirmish.game import GAME
from axiom_envs.skirmish.render import paint
from axiom_gym.batch import Batch


def start(scenario: str) -> Batch:
    batch = Batch(GAME, 1, scenario=scenario)
    batch.reset(1)
    return batch


def count(pixels: Any, colour: tuple[int, int, int]) -> int:
    return int((pixels == np.array(colour, np.uint8)).all(axis=-1).sum())


def test_paint__shows_terrain_and_creatures() -> None:
    batch = start("4v4-mixed")
    pixels = paint(batch.buffers.states[0], batch.config)
    assert pixels.shape == (16 * 40 + 1, 16 * 40 + 1, 3)
    assert pixels.dtype == np.uint8
    grid = batch.params.find(batch.buffers.states[0]).encounter.world.grid
    walls = int((grid.terrain == 1).sum())
    assert count(pixels, (74, 72, 66)) == walls * 39 * 39
    assert count(pixels, (38, 98, 186)) > 4 * 300
    assert count(pixels, (236, 186, 60)) > 100


def test_paint__shows_wounded_fallen_prone_and_dead_creatures() -> None:
    batch = start("duel-fighters")
    session = batch.params.find(batch.buffers.states[0])
    (party,), (foe,) = session.sides
    fresh = paint(batch.buffers.states[0])
    party.health.current //= 2
    assert count(paint(batch.buffers.states[0]), (120, 116, 108)) > count(fresh, (120, 116, 108))
    foe.health.current = 0
    fallen = paint(batch.buffers.states[0])
    assert count(fallen, (232, 170, 162)) > 300
    assert not (fresh == fallen).all()


def test_paint__gives_large_creatures_their_space() -> None:
    batch = start("duel-barbarian-and-ogre")
    pixels = paint(batch.buffers.states[0])
    ogre, barbarian = count(pixels, (196, 62, 50)), count(pixels, (38, 98, 186))
    assert ogre > 3 * barbarian
