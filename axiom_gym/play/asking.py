"""Asks agents, sync and async ones, and gives up on those who do not answer in time.

Python cannot stop a thread. A sync agent that is late is left alone in its thread, which ends with
the process at the latest; it is not asked again while it still thinks, so that no agent ever runs
twice at once. An async agent is cancelled, which works where it awaits something.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable
from concurrent import futures
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import Player
from axiom_gym.play.agents import Agent, get_agent_function
from axiom_gym.seeded_rng import SeededRNG


class Seat:
    """An agent in one match, with its own generator."""

    def __init__(self, player: Player, agent: Agent, seed: int) -> None:
        """`seed` starts the agent's generator."""
        self.player = player
        self.decide = get_agent_function(agent)
        self.rng = SeededRNG(seed)
        self.busy: futures.Future[Any] | None = None
        """The thread that still thinks about a question whose time is over."""
        self._seed, self._late = seed, 0

    def renew_rng(self) -> None:
        """Gives the agent a new generator: the old one may be drawn from by a late answer."""
        self._late += 1
        self.rng = SeededRNG(self._seed).fork(self._late)


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent is asked."""

    seat: Seat
    state: Any
    valid_actions: list[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An action, which may be none of the valid ones, or why there is none."""

    action: Any = None
    problem: Literal["", "raised", "late"] = ""
    detail: str = ""


class _Late(Exception):  # noqa: N818 - it never leaves this module
    """The time is over."""


class Desk:
    """Asks, and waits for the answer; a context that ends what it started."""

    def __init__(self, time_limit_s: float | None) -> None:
        """The limit for each decision, None for none."""
        self._limit = time_limit_s
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            self._runner.close()

    def ask(self, question: Question) -> Answer:
        """What an agent answers; blocks.

        Raises:
            ConfigError: for an async agent where an event loop runs already in this thread.
        """
        try:
            value = self._call(question)
        except Exception as error:
            return _explain(question.seat, error, self._limit)
        if not inspect.isawaitable(value):
            return Answer(value)
        runner = self._get_runner(value)
        try:
            return Answer(runner.run(_await(value, self._limit)))
        except Exception as error:
            return _explain(question.seat, error, self._limit)

    def _call(self, question: Question) -> Any:
        if _runs_here(question, self._limit):
            return _call(question, question.seat.rng)
        if question.seat.busy is not None:
            futures.wait([question.seat.busy], self._limit)
        thread = _start(question)
        futures.wait([thread], self._limit)
        return _collect(question, thread)

    def _get_runner(self, answer: Awaitable[Any]) -> asyncio.Runner:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._runner = self._runner or asyncio.Runner()
            return self._runner
        if inspect.iscoroutine(answer):
            answer.close()
        raise ConfigError(
            "an agent is async, and an event loop runs in this thread already, as in a notebook: "
            "use `await loop.run_async(seed)` instead of `loop.run(seed)`."
        )

    async def ask_async(self, question: Question) -> Answer:
        """What an agent answers; awaits where it can.

        A sync agent without a time limit runs in this thread, and nothing else does meanwhile.
        """
        try:
            value = await self._call_async(question)
            if inspect.isawaitable(value):
                value = await _await(value, self._limit)
        except Exception as error:
            return _explain(question.seat, error, self._limit)
        return Answer(value)

    async def _call_async(self, question: Question) -> Any:
        if _runs_here(question, self._limit):
            return _call(question, question.seat.rng)
        if question.seat.busy is not None:
            await _wait(question.seat.busy, self._limit)
        thread = _start(question)
        await _wait(thread, self._limit)
        return _collect(question, thread)


def _explain(seat: Seat, error: Exception, limit: float | None) -> Answer:
    if not isinstance(error, _Late):
        return Answer(problem="raised", detail=f"{type(error).__name__}: {error}")
    seat.renew_rng()
    return Answer(problem="late", detail=f"no answer within {limit} s")


def _runs_here(question: Question, limit: float | None) -> bool:
    """Whether no thread is needed: without a limit, and for what only makes a coroutine."""
    return limit is None or inspect.iscoroutinefunction(question.seat.decide)


def _call(question: Question, rng: SeededRNG) -> Any:
    seat = question.seat
    return seat.decide(question.state, question.valid_actions, seat.player.id, rng)


def _start(question: Question) -> futures.Future[Any]:
    """Asks in a thread of its own, which does not keep the process from ending.

    Raises:
        _Late: if the agent is still busy with an older question.
    """
    seat = question.seat
    if seat.busy is not None and not seat.busy.done():
        raise _Late
    future: futures.Future[Any] = futures.Future()
    future.set_running_or_notify_cancel()
    rng = seat.rng  # as it is now: a thread may begin when the time is over already

    def work() -> None:
        try:
            future.set_result(_call(question, rng))
        except StopIteration as error:  # which no future can hold
            future.set_exception(RuntimeError(f"StopIteration: {error}"))
        except BaseException as error:
            future.set_exception(error)

    seat.busy = future
    threading.Thread(target=work, name=f"agent of {seat.player.id}", daemon=True).start()
    return future


def _collect(question: Question, thread: futures.Future[Any]) -> Any:
    """The answer, if it is there by now."""
    if not thread.done():
        raise _Late
    question.seat.busy = None
    return thread.result()


async def _wait(thread: futures.Future[Any], limit: float | None) -> None:
    """Waits for a thread, up to the limit."""
    waiting = asyncio.wrap_future(thread)
    try:
        await asyncio.wait([waiting], timeout=limit)
    finally:
        waiting.cancel()  # else it would complain that nobody looks at what the thread raised


def _retrieve(future: asyncio.Future[Any]) -> None:
    """Looks at what a future raised, as nobody else does; it would complain of that."""
    if not future.cancelled():
        future.exception()


async def _await(answer: Awaitable[Any], limit: float | None) -> Any:
    """The result of an awaitable, which is cancelled when the time is over."""
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
    await asyncio.sleep(0)  # so that it hears of it
    raise _Late
