"""Games that are played interpreted and compiled, and compared after every step."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from axiom_gym.config import arithmetic
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.definitions import ENGINE_KEYS, GameConfig
from axiom_gym.config.derived import all_attributes
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.parameters import record_field
from axiom_gym.config.task import Task
from axiom_gym.errors import CallableError
from axiom_gym.kernel import ENDED, FAULT, ILLEGAL, KERNEL_FUNCTIONS, RUNNING, TRUNCATED
from axiom_gym.kernel import kernel as compile_kernel
from axiom_gym.records import field_names

LIMITS = ("beyond 2**48", "beyond 2**53", "more than float32 can hold")
"""Faults of the kernel alone: the interpreter has no such limits."""


class DisagreementError(AssertionError):
    """A difference between the interpreted and the compiled game."""


class Outcome(NamedTuple):
    """The result of a step, interpreted or compiled."""

    code: int
    reward: np.float32
    fault: str = ""


def plain_kernel(text: str) -> SimpleNamespace:
    """Return a kernel's five functions as plain Python, without compilation."""
    names: dict[str, Any] = {}
    exec(compile(text.replace("@kernel\n", ""), "<kernel>", "exec"), names)
    for name, function in vars(arithmetic).items():
        if name in names:
            names[name] = getattr(function, "py_func", function)
    return SimpleNamespace(**names)


def compiled_kernel(kernel: ModuleType) -> SimpleNamespace:
    """Return a kernel's functions, compiled by Numba; its own are compiled only inside a driver."""
    functions = {name: compile_kernel(getattr(kernel, name)) for name in KERNEL_FUNCTIONS}
    return SimpleNamespace(STATE=kernel.STATE, **functions)


class Interpreted:
    """An independent implementation of a config's environment, on the interpreter."""

    def __init__(
        self,
        config: GameConfig,
        task: Task,
        moves: Sequence[Any],
        seed: int,
        parameters: Mapping[str, Any],
    ) -> None:
        self.config, self.task, self.moves = config, task, moves
        self.engine = create_engine(config, seed, parameters=parameters, clock=lambda: 0.0)
        self.done_in_tick = 0
        self.total = 0.0

    def mask(self) -> list[int]:
        engine = self.engine
        return [int(engine.is_available(m.action.id, m.context)) for m in self.moves] + [1]

    def legal(self) -> list[int]:
        """Return the mask; an action that fails is not legal.

        After a step that is a fault. With other parameters, it can be so in the initial state.
        """
        found = []
        for move in self.moves:
            try:
                found.append(int(self.engine.is_available(move.action.id, move.context)))
            except CallableError:
                found.append(0)
        return [*found, 1]

    def step(self, action: int) -> Outcome:
        before = self.engine.get_state()
        kept = self.done_in_tick, self.total
        waits = action == len(self.moves)
        try:
            if not waits:
                move = self.moves[action]
                if not self.engine.is_available(move.action.id, move.context):
                    return Outcome(ILLEGAL, np.float32(0))
                self.engine.apply_action(move.action.id, move.context)
            return self._pass_time(before, waits)
        except CallableError as error:
            rng, parameters = self.engine.rng, self.engine.params
            self.engine = Engine(self.config, before, rng, parameters=parameters, clock=lambda: 0.0)
            self.done_in_tick, self.total = kept
            return Outcome(FAULT, np.float32(0), str(error))

    def _pass_time(self, before: dict[str, Any], waits: bool) -> Outcome:
        self.done_in_tick += 1
        is_last = self.done_in_tick == self.task.actions_per_tick
        if (waits or is_last) and not self.engine.outcome:
            self.done_in_tick = 0
            self.engine.tick()
        after = self.engine.get_state()
        seen = self.engine.view(after)
        reward = self._number(lambda: self.task.reward(self.engine.view(before), seen))
        self.total += reward
        code = RUNNING
        if self.task.max_ticks and after["tick"] >= self.task.max_ticks:
            code = TRUNCATED
        if self.task.terminated is not None:
            code = ENDED if self._call(lambda: self.task.terminated(seen)) else code
        if self.engine.outcome:
            code = ENDED
        if code == RUNNING:
            self.mask()
        with np.errstate(over="ignore"):
            return Outcome(code, np.float32(reward))

    def score(self) -> float:
        """Return the outcome, or 0 if it cannot be computed."""
        score = self.task.score or self.config.score
        if score is None:
            return self.total
        try:
            return float(score(self.engine.view(self.engine.get_state())))
        except Exception:
            return 0.0

    def _call(self, function: Callable[[], Any]) -> Any:
        try:
            return function()
        except Exception as error:
            raise CallableError(str(error)) from error

    def _number(self, function: Callable[[], Any]) -> float:
        value = self._call(lambda: float(function()))
        if not math.isfinite(value):
            raise CallableError(f"the number {value}")
        return value


class Pair:
    """A game that is played interpreted and compiled.

    Args:
        compiled: the config.
        seed: the seed of both.
        kernel: the five functions; by default as plain Python.
        parameters: values of the config's parameters.
    """

    def __init__(
        self,
        compiled: CompiledConfig,
        seed: int = 1,
        kernel: Any = None,
        parameters: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.compiled = compiled
        self.kernel = kernel or plain_kernel(compiled.source.text)
        self.record = np.zeros(1, self.kernel.STATE)[0]
        self.record["rng"] = seed
        config, moves = compiled.config, compiled.source.moves
        self.interpreted = Interpreted(config, compiled.task, moves, seed, parameters)
        for name, value in self.interpreted.engine.params.items():
            self.record[record_field(name)] = value
        self.kernel.reset(self.record, None)
        self.steps: list[int] = []
        self.codes: list[int] = []
        """The code of each step of `play`."""
        self.compare()

    @property
    def faults(self) -> list[str]:
        """The messages of all possible faults of the compiled game."""
        return self.compiled.source.faults

    @property
    def state(self) -> dict[str, Any]:
        """The compiled game's state."""
        return self.compiled.decode(self.record)

    def step(self, action: int) -> int:
        """Make one step in both games, and compare them.

        Returns:
            The code; FAULT for a fault of both, and ILLEGAL + FAULT for one that the compiled game
            alone may have, after which the two are no longer comparable.
        """
        self.steps.append(action)
        before = self._without_rng()
        rewards = np.full(1, 7, np.float32)
        with np.errstate(over="ignore"):
            code = int(self.kernel.step(self.record, np.array([[action]]), rewards, None, None))
        expected = self.interpreted.step(action)
        fault = self.compiled.source.faults[code - FAULT - 1] if code > FAULT else ""
        if any(limit in fault for limit in LIMITS):
            return FAULT + ILLEGAL
        if self._is_about_dead_field(expected.fault) and not fault:
            return FAULT + ILLEGAL
        self._same("fault", bool(fault), bool(expected.fault), fault or expected.fault)
        if fault or code == ILLEGAL:
            self._same("state after a fault", self._without_rng(), before)
        code = min(code, FAULT)
        self._same("code", code, expected.code)
        if code not in (FAULT, ILLEGAL):
            self._same("reward", float(rewards[0]), float(expected.reward))
        self.compare(code == RUNNING)
        return code

    def _without_rng(self) -> list[Any]:
        return [
            _bits(self.record[name].item(), 0.0) for name in field_names(self.record.dtype)[:-1]
        ]

    def _is_about_dead_field(self, message: str) -> bool:
        return any(f"field {key!r} gets" in message for key in self.compiled.source.left_out)

    def compare(self, is_running: bool = True) -> None:
        """Compare states, generators, masks, observations and scores."""
        state = self.interpreted.engine.get_state()
        known = self.compiled.decode(self.record)
        params = self.interpreted.engine.params
        self._same("parameters", self.compiled.decode_params(self.record), dict(params))
        self._same("rng", int(self.record["rng"]), self.interpreted.engine.rng.state)
        active = {id: end for id, end in state["cooldowns"].items() if state["tick"] < end}
        self._same("cooldowns", known.pop("cooldowns"), active)
        for key, value in known.items():
            self._same(f"field {key!r}", _bits(value, state[key]), _bits(state[key], value))
        missing = set(state) - set(known) - set(ENGINE_KEYS) - set(self.compiled.source.left_out)
        numbers = {key for key in missing if isinstance(state[key], (int, float))}
        self._same("fields left out", numbers & set(all_attributes(self.interpreted.config)), set())
        if is_running:
            self._compare_mask()
        self._compare_views(state)

    def _compare_mask(self) -> None:
        count = len(self.compiled.action_names)
        mask = np.full((1, count), 7, np.int8)
        self.kernel.legal_actions(self.record, 0, mask, None)
        self._same("mask", mask[0].tolist(), self.interpreted.legal())

    def _compare_views(self, state: dict[str, Any]) -> None:
        seen = np.full(len(self.compiled.source.features), 7, np.float32)
        self.kernel.observe(self.record, 0, seen, None)
        done, params = self.interpreted.done_in_tick, self.interpreted.engine.params
        expected = observation(self.compiled, state, done, params)
        if not np.allclose(seen, np.array(expected), atol=1e-6, rtol=0):
            self._same("observation", seen.tolist(), expected)
        returns = np.full(1, 7, np.float32)
        with np.errstate(over="ignore"):
            self.kernel.outcome(self.record, returns, None)
            score = float(np.float32(self.interpreted.score()))
        if returns[0] != 0 or not self._has_limited_score():
            self._same("score", float(returns[0]), score)

    def _has_limited_score(self) -> bool:
        """Return True if the compiled game may return 0 for a score that is too large for it."""
        places = ("task.score:", "score:")
        scores = [c for c in self.compiled.source.calls if c.place in places]
        return any(check.error is None for score in scores for check in score.checks)

    def _same(self, what: str, compiled: Any, interpreted: Any, more: str = "") -> None:
        both_nan = compiled != compiled and interpreted != interpreted
        if compiled != interpreted and not both_nan:
            raise DisagreementError(
                f"{what}: {compiled!r} compiled, {interpreted!r} interpreted, after {self.steps} "
                f"{more}\n{self.compiled.source.text}"
            )


def _bits(value: Any, other: Any) -> Any:
    """Return the bits of a number for comparison; an int is a float if `other` is one.

    The sign of zero does not count.
    """
    if isinstance(value, float) or isinstance(other, float):
        if isinstance(value, (int, float)) and float(value) == value:
            return struct.pack("<d", float(value) + 0.0)
    return value


def _share(value: float, low: float, high: float) -> float:
    """Return a value scaled from `low`..`high` to 0..1."""
    width = float(high) - float(low)
    share = (float(value) - float(low)) / width if width else 0.0
    if math.isinf(width):
        share = (float(value) / 2 - float(low) / 2) / (high / 2 - low / 2)
    return min(max(share, 0.0), 1.0)


def observation(
    compiled: CompiledConfig, state: dict[str, Any], done: int, params: Mapping[str, Any]
) -> list[float]:
    """Return the observation of the interpreter's state."""
    config, task = compiled.config, compiled.task
    attributes = all_attributes(config)
    seen = [_share(state[key], one.min, one.max) for key, one in attributes.items()]
    for key, choice in config.choices.items():
        seen += [float(state[key] == option) for option in choice.options]
    for key, field in compiled.source.fields.items():
        known = key in attributes or key in config.choices or key[0] == "<"
        if not known and key not in ENGINE_KEYS:
            value = state[key]
            share = value if field.kind == "bool" else value / (1 + abs(value))
            seen.append(float(share))
    lengths: dict[str, float] = {}
    for event in (*config.events, *config.actions):
        if event.cooldown:
            lengths[event.id] = max(lengths.get(event.id, 0), event.cooldown)
    tick = state["tick"]
    for id, length in lengths.items():
        left = state["cooldowns"].get(id, tick) - tick
        seen.append(float(min(max(left / length, 0), 1)))
    if task.actions_per_tick > 1:
        seen.append(done / task.actions_per_tick)
    share = tick / task.max_ticks if task.max_ticks else tick / (1 + abs(tick))
    seen.append(min(max(share, 0), 1) if task.max_ticks else share)
    for name, parameter in config.parameters.items():
        seen.append(
            _share(
                params[name], parameter.low or 0, 1 if parameter.high is None else parameter.high
            )
        )
    return seen


def play(
    config: GameConfig, task: Task, operations: Sequence[int] = (0,), *, seed: int = 1
) -> Pair:
    """Play a config interpreted and compiled; any difference is an error."""
    pair = Pair(CompiledConfig(config, task), seed)
    for operation in operations:
        pair.codes.append(pair.step(operation))
    return pair
