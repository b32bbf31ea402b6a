"""Sync and async calls of agents, with a time limit for each decision.

Python cannot stop a thread. A sync agent that exceeds the limit keeps its thread, which ends with
the process at the latest. The agent is not asked again before that thread is done, so no agent ever
runs twice at once. An async agent is cancelled, which takes effect at its next `await`.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Iterator
from concurrent import futures
from dataclasses import dataclass
from typing import Any, Literal

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import Player
from axiom_gym.play.agents import Agent, get_agent_function
from axiom_gym.replay.format import Attempt
from axiom_gym.seeded_rng import SeededRNG


class Seat:
    """An agent in one match, with its own generator.

    Attributes:
        player: the player that the agent decides for.
        agent: the agent.
        decide: the agent, as a function.
        rng: the agent's generator.
        busy: the thread that still works on a question whose time limit is over, or None.
    """

    def __init__(self, player: Player, agent: Agent, seed: int) -> None:
        """Seed the agent's generator with `seed`."""
        self.player, self.agent = player, agent
        self.decide = get_agent_function(agent)
        self.rng = SeededRNG(seed)
        self.busy: futures.Future[Any] | None = None
        self._seed, self._late = seed, 0

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return the transcript of the last decision, if the agent is a language model."""
        take = getattr(self.agent, "take_attempts", None)
        return () if take is None else take()

    def renew_rng(self) -> None:
        """Replace the generator, because a late answer may still draw from the old one."""
        self._late += 1
        self.rng = SeededRNG(self._seed).fork(self._late)


@dataclass(frozen=True, slots=True)
class Question:
    """The arguments of one decision of an agent."""

    seat: Seat
    state: Any
    valid_actions: list[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An agent's action, which need not be valid, or the reason why there is none."""

    action: Any = None
    problem: Literal["", "raised", "late"] = ""
    detail: str = ""
    error: Exception | None = None
    """The exception that the agent raised."""


class _LateError(Exception):
    """The time limit is over; this module catches it."""


class _RunningLoopError(ConfigError):
    """An async agent cannot be awaited, because an event loop runs in this thread."""


class Desk:
    """Asks agents and waits for their answers; `close` it after use."""

    def __init__(self, time_limit_s: float | None) -> None:
        """Set the time limit of each decision; None for no limit."""
        self._limit = time_limit_s
        self._runner: asyncio.Runner | None = None

    def close(self) -> None:
        """Close the event loop, if an async agent needed one."""
        if self._runner is not None:
            self._runner.close()

    def ask(self, question: Question) -> Answer:
        """Return an agent's answer; blocks.

        Raises:
            ConfigError: for an async agent if an event loop already runs in this thread.
        """
        try:
            value = self._call(question)
            return Answer(self._run(value) if inspect.isawaitable(value) else value)
        except Exception as error:
            return _explain(question.seat, error, self._limit)

    def _call(self, question: Question) -> Any:
        if _needs_no_thread(question, self._limit):
            return _call(question, question.seat.rng)
        for thread in _start(question):
            futures.wait([thread], self._limit)
        return _collect(question.seat)

    def _run(self, answer: Awaitable[Any]) -> Any:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._runner = self._runner or asyncio.Runner()
            return self._runner.run(_await(answer, self._limit))
        if inspect.iscoroutine(answer):
            answer.close()
        raise _RunningLoopError(
            "an agent is async, and an event loop runs in this thread already, as in a notebook: "
            "use `await loop.run_async(seed)` instead of `loop.run(seed)`."
        )

    async def ask_async(self, question: Question) -> Answer:
        """Return an agent's answer; awaits it where possible.

        A sync agent without a time limit runs in this thread and blocks the event loop.
        """
        try:
            value = await self._call_async(question)
            return Answer(await _await(value, self._limit) if inspect.isawaitable(value) else value)
        except Exception as error:
            return _explain(question.seat, error, self._limit)

    async def _call_async(self, question: Question) -> Any:
        if _needs_no_thread(question, self._limit):
            return _call(question, question.seat.rng)
        for thread in _start(question):
            await _wait(thread, self._limit)
        return _collect(question.seat)


def _explain(seat: Seat, error: Exception, limit: float | None) -> Answer:
    if isinstance(error, _RunningLoopError):
        raise error
    if not isinstance(error, _LateError):
        return Answer(problem="raised", detail=f"{type(error).__name__}: {error}", error=error)
    seat.renew_rng()
    return Answer(problem="late", detail=f"no answer within {limit} s")


def _needs_no_thread(question: Question, limit: float | None) -> bool:
    """Return True if there is no limit, or if calling the agent only creates a coroutine."""
    return limit is None or inspect.iscoroutinefunction(question.seat.decide)


def _call(question: Question, rng: SeededRNG) -> Any:
    seat = question.seat
    return seat.decide(question.state, question.valid_actions, seat.player.id, rng)


def _start(question: Question) -> Iterator[futures.Future[Any]]:
    """Yield the threads to wait for: that of an older question, and a new one for this question.

    The threads are daemons, which do not keep the process alive.

    Raises:
        _LateError: if the agent is still busy with the older question.
    """
    seat = question.seat
    if seat.busy is not None:
        yield seat.busy
        if not seat.busy.done():
            raise _LateError
    future: futures.Future[Any] = futures.Future()
    future.set_running_or_notify_cancel()
    rng = seat.rng  # the current generator: the thread may start after the limit is over

    def work() -> None:
        try:
            future.set_result(_call(question, rng))
        except StopIteration as error:  # a future cannot hold it
            future.set_exception(RuntimeError(f"StopIteration: {error}"))
        except BaseException as error:
            future.set_exception(error)

    seat.busy = future
    threading.Thread(target=work, name=f"agent of {seat.player.id}", daemon=True).start()
    yield future


def _collect(seat: Seat) -> Any:
    """Return the answer of a seat's thread, if it is done."""
    thread = seat.busy
    if thread is None or not thread.done():
        raise _LateError
    seat.busy = None
    return thread.result()


async def _wait(thread: futures.Future[Any], limit: float | None) -> None:
    """Wait for a thread, up to the limit."""
    waiting = asyncio.wrap_future(thread)
    try:
        await asyncio.wait([waiting], timeout=limit)
    finally:
        waiting.cancel()  # otherwise asyncio logs that the thread's exception was never retrieved


def _retrieve(future: asyncio.Future[Any]) -> None:
    """Retrieve a future's exception, so that asyncio does not log it."""
    if not future.cancelled():
        future.exception()


async def _await(answer: Awaitable[Any], limit: float | None) -> Any:
    """Return the result of an awaitable, which is cancelled when the limit is over."""
    task = asyncio.ensure_future(answer)
    try:
        done, _ = await asyncio.wait([task], timeout=limit)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done and task.cancelled():
        raise RuntimeError("the agent cancelled itself")
    if done:
        return task.result()
    task.add_done_callback(_retrieve)
    task.cancel()
    await asyncio.sleep(0)  # the agent is cancelled now, not when the loop next runs
    raise _LateError
