"""Fixtures for all tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from axiom_gym.registry import game_ids
from axiom_gym.registry import games as registry

# A first example may compile, so no example has a time limit.
settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")

GAME = re.compile("|".join(name.rpartition("-")[0] for name in game_ids()) + r"|[a-z_]+(?=-v\d)")
"""The name of a game in the id of a test: one of ours anywhere, or any name with a version."""


class ScheduleByGame(LoadScopeScheduling):
    """Gives all tests of a game to one worker, and all others to the workers file by file.

    Compiled code is shared only after it is written to the cache: two workers that need the same
    game at the same time both compile it. The scopes with the most tests, the games, start first.
    """

    def _split_scope(self, nodeid: str) -> str:
        path, _, test = nodeid.partition("::")
        game = GAME.search(path) or GAME.search(test)
        return game[0] if game else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ScheduleByGame | None:
    """Schedule by games with `--dist loadscope`; leave all other modes to pytest-xdist."""
    return ScheduleByGame(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.fixture(autouse=True)
def _own_registry() -> Iterator[None]:
    """Forget games that a test has registered, for instance by `FILE.py:NAME`."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
