"""Recorded games, and a function that changes one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig
from axiom_gym.play.agents import pick_any
from axiom_gym.play.match import Match
from axiom_gym.registry import games as registry
from axiom_gym.replay import Replay


@pytest.fixture(scope="session")
def game() -> Replay:
    """A game of 31 turns that player_0 wins."""
    return Match("quantaris", ["random", "random"], seed=1).play()


@pytest.fixture
def trio(pennies: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Replay:
    """A game with three players and chance."""
    monkeypatch.setitem(registry._registered, "trio-v0", pennies.TRIO)
    players = ["highest", "lowest", "lowest"]
    return Match("trio", players, seed=5, stop=20, labels=("x", "é")).play()


@pytest.fixture(scope="session")
def change() -> Callable[..., Replay]:
    """`change(replay, "footer", turns=3)`, and `change(replay, 7, draws=1)` for turn 7."""

    def make(replay: Replay, part: str | int, /, **changes: Any) -> Replay:
        if isinstance(part, str):
            changed = dataclasses.replace(getattr(replay, part), **changes)
            return dataclasses.replace(replay, **{part: changed})
        turns = list(replay.turns)
        turns[part - 1] = dataclasses.replace(turns[part - 1], **changes)
        return dataclasses.replace(replay, turns=tuple(turns))

    return make


@pytest.fixture(scope="session")
def race_match(race: ModuleType) -> Callable[..., Replay]:
    """`race_match(seed, players=3, lives=2, max_turns=9)`: a race of random players."""

    def make(seed: int = 1, players: int = 3, max_turns: int = 0, **options: Any) -> Replay:
        names = ("ann", "bob", "cid", "dan")[:players]
        config = MatchConfig(max_turns=max_turns, options=options)
        return GameLoop(race.Race(), dict.fromkeys(names, pick_any), config).run(seed).replay

    return make


@pytest.fixture(scope="session")
def four_match() -> Replay:
    """A match of Connect Four, played by `GameLoop`."""
    game = KernelGameObject("connect_four")
    return GameLoop(game, {"ann": pick_any, "bob": pick_any}).run(1).replay


@pytest.fixture(scope="session")
def four() -> Replay:
    """A game of Connect Four, which is sequential, played by `Match`."""
    return Match("connect_four", ["random", "random"], seed=1).play()
