"""Scripted bots: legal, better than random, deterministic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.dnd import engine as dnd
from axiom_envs.dnd.tactics import play_greedy
from axiom_envs.skirmish.game import GAME
from axiom_gym.batch import Batch
from axiom_gym.play.match import Match

BOTS = tuple(GAME.bots)


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("preset", ["training", "held_out", "generated"])
def test_bots__decide_legally(bot: str, preset: str) -> None:
    batch = Batch(GAME, 8, preset=preset, on_illegal="raise")
    batch.reset(11)
    everybody = np.zeros((8, 2), np.int16)
    for _ in range(40):
        batch.act(bot, everybody, 0)
        batch.step()  # raises an error for an illegal action


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__finish_their_games(bot: str) -> None:
    batch = Batch(GAME, 4, preset="bandits", autoreset="disabled", on_illegal="raise")
    batch.reset(1)
    everybody = np.zeros((4, 2), np.int16)
    for _ in range(600):
        batch.act(bot, everybody, 0)
        batch.step()
        over = batch.buffers.terminated | batch.buffers.truncated
        if over.any():
            break
    assert batch.buffers.terminated.any()


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__beat_random_players(bot: str) -> None:
    won = 0
    for seed in range(8):
        players = [bot, "random"] if seed % 2 else ["random", bot]
        score = Match(GAME, players, seed=seed, preset="2v2").play().footer.rankings
        won += any(place.rank == 1 and place.player.name == bot for place in score)
    assert won >= 7


def test_greedy__plays_as_the_engines_bot() -> None:
    encounter = dnd.Encounter.from_preset("goblins-vs-fighters", seed=6)
    batch = Batch(GAME, 1, scenario="goblins-vs-fighters", autoreset="disabled")
    batch.reset(6)
    encounter.run({"party": "greedy", "foes": play_greedy})
    everybody: Any = np.zeros((1, 2), np.int16)
    while not (batch.buffers.terminated[0] or batch.buffers.truncated[0]):
        batch.act("greedy", everybody, 0)
        batch.step()
    session = batch.params.find(batch.buffers.states[0])
    assert session.encounter.winner == encounter.winner
    assert session.left == encounter.world.rng.state
