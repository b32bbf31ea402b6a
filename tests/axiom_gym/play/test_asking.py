"""Agents that exceed their time limit, in threads and in event loops.

No test sleeps for a fixed time. An agent that is late waits for an event, which the test sets only
after the match has noticed that the agent is late.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from axiom_gym.game import GameLoop, GameResult, MatchConfig, Player
from axiom_gym.play import asking
from axiom_gym.play.events import InvalidAction
from axiom_gym.play.result import Incidents

# Agents raise on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::axiom_gym.errors.AgentWarning")

Play = Callable[..., GameResult]
Run = Callable[[GameLoop[Any, Any], int], GameResult]

LONG = 60.0
SHORT = 0.05


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


class Thinker:
    """Test double: an agent that waits for the gate, and counts its calls and concurrent calls."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.asked = self.at_once = self.most_at_once = 0
        self.generators: list[Any] = []

    def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        self.asked += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.generators.append(rng)
        self.gate.wait(LONG)
        self.at_once -= 1
        return actions[0]


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    one = Thinker()
    yield one
    one.gate.set()


@pytest.fixture(params=["run", "run_async"])
def run(request: pytest.FixtureRequest) -> Run:
    """`run(loop, seed)`, by `run` and by `run_async`."""
    if request.param == "run":
        return lambda loop, seed: loop.run(seed)
    return lambda loop, seed: asyncio.run(loop.run_async(seed))


def race_between(race: Any, agents: dict[str, Any], listeners: Any = (), **given: Any) -> Any:
    config = MatchConfig(options={"goal": 1}, **given)
    return GameLoop(race.Race(), agents, config, listeners)


def test_sync_agent__that_is_late_forfeits(race: Any, run: Run, thinker: Thinker) -> None:
    loop = race_between(race, {"ann": thinker, "bob": walk}, time_limit_s=SHORT)
    result = run(loop, 1)
    assert (result.reason, result.winner) == ("forfeit", Player("bob", "walk"))
    assert result.incidents["ann"] == Incidents(late=1, forfeits=1)
    assert result.replay.turns[0].why == "late"


def test_sync_agent__runs_in_one_thread_at_a_time(race: Any, run: Run, thinker: Thinker) -> None:
    loop = race_between(race, {"ann": thinker, "bob": walk}, time_limit_s=SHORT, retries=2)
    result = run(loop, 1)
    assert result.incidents["ann"] == Incidents(late=3, forfeits=1)
    assert (thinker.asked, thinker.most_at_once) == (1, 1)


def test_sync_agent__that_was_late_is_asked_again_when_it_is_free(
    race: Any, run: Run, thinker: Thinker
) -> None:
    def wake(event: Any) -> None:
        if isinstance(event, InvalidAction):
            assert (event.problem, event.detail) == ("late", "no answer within 0.3 s")
            thinker.gate.set()

    agents = {"ann": thinker, "bob": walk}
    result = run(race_between(race, agents, [wake], time_limit_s=0.3, retries=3), 1)
    assert (result.reason, result.winner) == ("over", Player("ann", "Thinker"))
    assert result.incidents["ann"].late >= 1
    assert result.incidents["ann"].fallbacks == 0
    assert thinker.most_at_once == 1
    # The late thread may still draw from the old generator.
    assert thinker.generators[0].state != thinker.generators[-1].state


def test_sync_agent__with_a_limit_runs_in_a_daemon_thread(race: Any, run: Run) -> None:
    threads = []

    def look(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        threads.append(threading.current_thread())
        return actions[0]

    run(race_between(race, {"ann": look, "bob": look}, time_limit_s=LONG), 1)
    run(race_between(race, {"ann": look, "bob": look}), 1)
    limited, unlimited = threads
    assert (limited.name, limited.daemon) == ("agent of ann", True)
    assert unlimited is threading.main_thread()


def test_sync_agent__with_a_limit_may_raise(
    race: Any, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*_: Any) -> Any:
        raise TimeoutError("its own")

    result = run(race_between(race, {"ann": crash, "bob": walk}, time_limit_s=LONG), 1)
    assert result.incidents["ann"] == Incidents(raised=1, forfeits=1)
    gc.collect()
    assert caplog.records == []


def test_sync_agent__may_finish_after_the_match(
    race: Any, run: Run, thinker: Thinker, caplog: pytest.LogCaptureFixture
) -> None:
    run(race_between(race, {"ann": thinker, "bob": walk}, time_limit_s=SHORT), 1)
    thinker.gate.set()
    for thread in threading.enumerate():
        if thread.name == "agent of ann":
            thread.join(LONG)
    assert caplog.records == []


def test_process__ends_though_an_agent_does_not(python: Callable[..., str]) -> None:
    code = (
        "import time\nfrom race_game import Race\n"
        "from axiom_gym.game import GameLoop, MatchConfig\n"
        "def sleep(*_):\n    time.sleep(1000)\n"
        f"config = MatchConfig(time_limit_s={SHORT})\n"
        "print(GameLoop(Race(), {'ann': sleep, 'bob': sleep}, config).run(1).reason)"
    )
    start = time.monotonic()
    assert python(code) == "forfeit\n"
    assert time.monotonic() - start < 500


def test_async_agent__that_is_late_is_cancelled(race: Any, run: Run) -> None:
    heard: list[str] = []
    counts: list[int] = []

    async def sleep(*_: Any) -> Any:
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    agents = {"ann": sleep, "bob": walk}
    loop = race_between(
        race, agents, [lambda event: counts.append(len(heard))], time_limit_s=SHORT, retries=1
    )
    result = run(loop, 1)
    assert result.incidents["ann"] == Incidents(late=2, forfeits=1)
    assert heard == ["cancelled", "cancelled"]
    assert counts == [0, 0, 1, 2, 2, 2]  # immediately, and not only at the end


def test_async_agent__that_raises_while_it_is_cancelled_is_late(
    race: Any, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async def sulk(*_: Any) -> Any:
        try:
            await asyncio.sleep(LONG)
        finally:
            raise ValueError("leave me alone")

    result = run(race_between(race, {"ann": sulk, "bob": walk}, time_limit_s=SHORT), 1)
    assert result.incidents["ann"] == Incidents(late=1, forfeits=1)
    gc.collect()
    assert caplog.records == []


def test_async_agent__needs_no_thread(race: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[0]

    monkeypatch.setattr(asking.threading, "Thread", None)
    result = run(race_between(race, {"ann": answer, "bob": answer}, time_limit_s=LONG), 1)
    assert result.incidents["ann"] == Incidents()


@pytest.mark.parametrize("limit", [None, LONG])
def test_async_agent__that_raises_or_cancels_itself_has_failed(
    race: Any, run: Run, limit: float | None
) -> None:
    async def crash(*_: Any) -> Any:
        await asyncio.sleep(0)
        raise KeyError("lost")

    async def cancel(*_: Any) -> Any:
        raise asyncio.CancelledError

    for agent in (crash, cancel):
        result = run(race_between(race, {"ann": agent, "bob": walk}, time_limit_s=limit), 1)
        assert result.incidents["ann"] == Incidents(raised=1, forfeits=1)


@pytest.mark.parametrize("limit", [None, LONG])
def test_async_agent__may_have_any_form(race: Any, run: Run, limit: float | None) -> None:
    async def answer(actions: list[Any]) -> Any:
        await asyncio.sleep(0)
        return actions[0]

    class Decider:
        async def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
            return await answer(actions)

    class Callable_:  # noqa: N801 - nearly the name of the builtin
        async def __call__(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
            return await answer(actions)

    agents = [Decider(), Callable_(), lambda state, actions, player_id, rng: answer(actions)]
    for agent in agents:
        result = run(race_between(race, {"ann": agent, "bob": walk}, time_limit_s=limit), 1)
        assert (result.reason, result.incidents["ann"]) == ("over", Incidents())


def test_run_async__that_is_cancelled_cancels_the_agent(race: Any) -> None:
    heard = []

    async def sleep(*_: Any) -> Any:
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    async def main() -> None:
        loop = race_between(race, {"ann": sleep, "bob": walk})
        task = asyncio.ensure_future(loop.run_async(1))
        while not heard and not task.done():
            await asyncio.sleep(0.001)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        assert heard == ["cancelled"]

    asyncio.run(main())
