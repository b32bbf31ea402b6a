"""Exceptions of agents: a warning with the agent's own line, the exception itself, or silence."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import AgentWarning, ConfigError
from axiom_gym.game import GameLoop, GameResult, MatchConfig
from axiom_gym.play.result import Incidents


def look_up(key: str) -> Any:
    return {}[key]


class Forgetful:
    """Test double: an agent that raises in every decision."""

    name = "old friend"

    def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return look_up("plan")


class Absent:
    """Test double: an async agent that raises after an `await`."""

    name = "old friend"

    async def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        await asyncio.sleep(0)
        return look_up("plan")


Run = Callable[..., GameResult]


@pytest.fixture(params=["run", "run_async"])
def run(request: pytest.FixtureRequest, race: ModuleType) -> Run:
    """`run(agent, on_error=..., ...)` plays agent against "random"."""

    def play(agent: Any, on_error: str = "warn", **settings: Any) -> GameResult:
        agents = {"ann": agent, "bob": "random"}
        loop = GameLoop(race.Race(), agents, MatchConfig(**settings), on_error=on_error)
        return loop.run(1) if request.param == "run" else asyncio.run(loop.run_async(1))

    return play


def line_of(function: Any) -> int:
    """Return the number of a function's last line."""
    lines, first = inspect.getsourcelines(function)
    return first + len(lines) - 1


@pytest.mark.parametrize("limit", [None, 60.0])
@pytest.mark.parametrize("agent", [Forgetful, Absent])
def test_on_error__warns_with_name_file_line_and_traceback(
    run: Run, agent: Any, limit: float | None
) -> None:
    with pytest.warns(AgentWarning) as caught:
        result = run(agent(), time_limit_s=limit)
    assert result.incidents["ann"] == Incidents(raised=1, forfeits=1)
    assert result.reason == "forfeit"
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, line_of(agent.decide))
    first, *frames, last = str(warning.message).splitlines()
    assert first == (
        "agent 'old friend' of player 'ann' raised KeyError ('plan'), which counts as no answer; "
        "on_error='raise' stops the match here."
    )
    places = [one.strip() for one in frames if one.startswith("  File")]
    assert places == [
        f'File "{__file__}", line {line_of(agent.decide)}, in decide',
        f'File "{__file__}", line {line_of(look_up)}, in look_up',
    ]
    assert last == "KeyError: 'plan'"


def test_on_error__raise_passes_the_exception_on(run: Run) -> None:
    with pytest.raises(KeyError, match="plan") as caught:
        run(Forgetful(), "raise")
    assert caught.traceback[-1].name == "look_up"


def test_on_error__forfeit_is_silent(run: Run) -> None:
    assert run(Forgetful(), "forfeit").incidents["ann"] == Incidents(raised=1, forfeits=1)


def test_on_error__warns_once_of_the_same_failure(run: Run) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            run(Forgetful(), retries=3, fallback="random")
    assert len(caught) == 1


def test_on_error__warns_of_a_fallback_that_raises(run: Run) -> None:
    with pytest.warns(AgentWarning) as caught:
        run(int, fallback=Forgetful())
    assert [str(one.message).split(" raised")[0] for one in caught] == [
        "agent 'int' of player 'ann'",
        "agent 'old friend' of player 'ann'",
    ]


def test_on_error__is_no_concern_of_illegal_answers(run: Run) -> None:
    result = run(lambda *_: "fly", "raise")
    assert result.incidents["ann"] == Incidents(illegal=1, forfeits=1)


def test_on_error__has_three_values(run: Run) -> None:
    with pytest.raises(ConfigError, match="unknown on_error 'ignore'"):
        run(Forgetful(), "ignore")


CLASSES = """
class First:
    def decide(self, state, valid_actions, player_id, rng):
        return valid_actions[0]


class Needy(First):
    def __init__(self, depth):
        self.depth = depth
"""


def test_class_of_an_agent__must_need_no_arguments(race: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text(CLASSES, encoding="utf-8")
    agents = {"ann": f"{tmp_path}/agents.py:First", "bob": "random"}
    assert GameLoop(race.Race(), agents).run(seed=1).replay.header.players[0].name == "First"
    with pytest.raises(ConfigError, match=r"agents.py:Needy' must need no arguments"):
        GameLoop(race.Race(), {**agents, "bob": f"{tmp_path}/agents.py:Needy"})
