"""Two recorded games, and how to change one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym import registry
from axiom_gym.match import Match
from axiom_gym.replay import Replay


@pytest.fixture(scope="session")
def game() -> Replay:
    """31 turns; player_0 wins."""
    return Match("quantaris", ["random", "random"], seed=1).play()


@pytest.fixture
def trio(pennies: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Replay:
    """Three players, and chance."""
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
