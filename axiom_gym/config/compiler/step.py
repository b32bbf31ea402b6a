"""The compiled `step` of a config: an action, and the tick that follows it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiom_gym.config.compiler.body import Body, Test
from axiom_gym.config.compiler.changes import Changes
from axiom_gym.config.compiler.nodes import Check, Node
from axiom_gym.config.compiler.scheme import ABSENT, MOVES, TICK, TOTAL, cooldown_key
from axiom_gym.config.compiler.symbols import Symbol
from axiom_gym.config.compiler.writer import comment, strip
from axiom_gym.config.definitions import MILESTONE, PASSIVE, RANDOM, Action, Event, GameConfig
from axiom_gym.config.derived import effects
from axiom_gym.config.ending import end_conditions, find_score
from axiom_gym.config.task import Task

_TWO_32 = 4294967296

_CHAIN = 64
"""The number of moves in one `elif` chain; Python and Numba process long chains recursively."""

_MOST = float(np.finfo(np.float32).max)
_TOO_LARGE = "more than float32 can hold"


@dataclass(frozen=True, slots=True)
class Move:
    """A discrete action of the environment: an action of the config, with its context."""

    index: int
    """The index of the action in the config."""
    action: Action
    context: Mapping[str, Any] | None

    @property
    def name(self) -> str:
        """The action's id, with the context if there is one."""
        if self.context is None:
            return self.action.id
        inner = ", ".join(f"{key}={value}" for key, value in self.context.items())
        return f"{self.action.id}({inner})"


def moves(config: GameConfig) -> list[Move]:
    """Return all discrete actions except `wait`, whose number follows theirs."""
    found = []
    for index, action in enumerate(config.actions):
        for context in action.contexts or (None,):
            found.append(Move(index, action, context))
    return found


class StepBuilder:
    """A builder of the step function. It writes to `body.writer`, without loads and stores."""

    def __init__(self, body: Body, task: Task, live: set[str]) -> None:
        self._body = body
        self._tracer = body.tracer
        self._graph = body.tracer.graph
        self._write = body.writer
        self._changes = Changes(body, live)
        self._live = live
        self._task = task

    def build(self) -> None:
        """Write the body."""
        config, line = self._body.config, self._write.line
        choices = moves(config)
        line(f"waits = action == {len(choices)} or action == NO_SUB_ACTION")
        with self._write.block(f"if not (waits or 0 <= action < {len(choices)}):"):
            line("return ILLEGAL")
        before = dict(self._tracer.versions)
        changed = dict(before)
        for first in range(0, len(choices), _CHAIN):
            with ExitStack() as stack:
                if len(choices) > _CHAIN:
                    header = f"if {first} <= action < {first + _CHAIN}:"
                    stack.enter_context(self._write.block(header))
                self._chain(choices, first, before, changed)
        self._tracer.versions.update(changed)
        self._tracer.merge(before)
        self._find_end()
        self._time_passes()
        self._judge()

    def _chain(
        self, choices: list[Move], first: int, before: dict[str, int], changed: dict[str, int]
    ) -> None:
        """Write a chain of moves, of which at most one runs; note the fields that they change."""
        header = "if"
        for number, move in enumerate(choices[first : first + _CHAIN], start=first):
            self._tracer.versions.update(before)
            with self._write.block(f"{header} action == {number}:  # {comment(move.name)}"):
                self._move(move)
            changed.update({k: v for k, v in self._tracer.versions.items() if v != before[k]})
            header = "elif"

    def _move(self, move: Move) -> None:
        path = f"actions[{move.index}]"
        line = self._write.line
        tests = self._body.tests(move.action, path, move.context)
        if all(test.node.op == "const" and test.node.payload for test in tests):
            self._effects(move.action, path, move.context)
            return
        if any(test.checks for test in tests):
            line("available = False")
            with ExitStack() as stack:
                if self._body.gate(tests, stack):
                    line("available = True")
            condition = "available"
        else:
            nodes = [test.node for test in tests]
            self._tracer.need(*nodes)
            texts = self._write.compute(nodes)
            condition = " & ".join(texts) if len(texts) > 1 else strip(texts[0])
        with self._write.block(f"if not ({condition}):"):
            line("return ILLEGAL")
        self._effects(move.action, path, move.context)

    def _effects(self, owner: Action | Event, path: str, context: Any) -> None:
        kind = "action" if isinstance(owner, Action) else "event"
        for where, effect in effects(owner, self._tracer.scheme.attributes):
            place = f"{kind} {owner.id!r}, {path}.{where}:"
            self._changes.apply(self._tracer.call_on(place, effect, self._tracer.view(), context))
        self._start_cooldown(owner)

    def _start_cooldown(self, owner: Action | Event) -> None:
        if owner.cooldown is None:
            return
        key = cooldown_key(owner)
        field = self._tracer.fields[key]
        self._tracer.scheme.promote(key, self._tracer.fields[TICK].kind)
        cast = float if field.kind == "float" else int
        until = f"{self._body.local(TICK)} + {cast(owner.cooldown)!r}"
        self._body.used.update((TICK, key))
        self._write.line(f"{self._body.local(key)} = {until}")
        self._tracer.change(key)

    # -- a tick ------------------------------------------------------------------------------------

    def _find_end(self) -> None:
        """Write `over`, which is True if the config's game is over; nothing if it never is."""
        tests = end_conditions(self._body.config)
        if tests:
            self._write.line("over = False")
        for name, condition in tests:
            found = self._tracer.condition(f"{name}:", condition, self._tracer.view())
            with ExitStack() as stack:
                if self._body.gate([Test(*found, name)], stack):
                    self._write.line("over = True")

    def _time_passes(self) -> None:
        ends = bool(end_conditions(self._body.config))
        if self._task.actions_per_tick == 1:
            with self._body.branch() as stack:
                if ends:
                    stack.enter_context(self._write.block("if not over:"))
                self._tick()
            return
        # The tick follows after its last action, or when the player waits.
        line = self._write.line
        count, limit = self._body.local(MOVES), self._task.actions_per_tick
        line(f"{count} += 1")
        self._body.used.add(MOVES)
        self._tracer.change(MOVES)
        with self._body.branch() as stack:
            last = f"waits or {count} >= {limit}"
            last = f"({last}) and not over" if ends else last
            stack.enter_context(self._write.block(f"if {last}:"))
            line(f"{count} = 0")
            self._tick()

    def _tick(self) -> None:
        config = self._body.config
        line = self._write.line
        line(f"{self._body.local(TICK)} += 1")
        self._body.used.add(TICK)
        self._tracer.change(TICK)
        if self._tracer.scheme.reads_cooldowns or self._tracer.scheme.writes_tick:
            self._prune()
        for name in config.tick_order:
            line(f"# {comment(name)}")
            if name == PASSIVE:
                self._passive()
            elif name == RANDOM:
                for index, event in self._events(milestones=False):
                    self._write.rest()
                    self._random(index, event)
            elif name == MILESTONE:
                for index, event in self._events(milestones=True):
                    self._write.rest()
                    self._milestone(index, event)
            else:
                self._custom(name)

    def _events(self, milestones: bool) -> Iterator[tuple[int, Event]]:
        for index, event in enumerate(self._body.config.events):
            if (event.trigger == "milestone") == milestones:
                yield index, event

    def _prune(self) -> None:
        """Write code that removes ended cooldowns; needed only if rules can observe it."""
        tick = self._body.local(TICK)
        for key, field in self._tracer.fields.items():
            if field.role == "cooldown":
                name = self._body.local(key)
                absent = f"{float(ABSENT)!r}" if field.kind == "float" else str(ABSENT)
                self._body.used.add(key)
                self._write.line(f"{name} = {name} if {tick} < {name} else {absent}")
                self._tracer.change(key)

    def _passive(self) -> None:
        for index, modifier in enumerate(self._body.config.passive_modifiers):
            path = f"passive modifier {modifier.id!r}, passive_modifiers[{index}]"
            self._write.rest()
            self._write.line(f"# {comment(modifier.id)}")
            with self._body.branch() as stack:
                if modifier.condition is not None:
                    place = f"{path}.condition:"
                    found = self._tracer.condition(place, modifier.condition, self._tracer.view())
                    if not self._body.gate([Test(*found, place.removesuffix(":"))], stack):
                        continue
                place = f"{path}.delta:"
                self._changes.apply(
                    self._tracer.call_on(place, modifier.delta, self._tracer.view(), None)
                )

    def _custom(self, name: str) -> None:
        place = f"phase {name!r}, custom_phases[{name!r}]:"
        view = self._tracer.view()
        tick = Symbol(self._graph, self._tracer.current(TICK))
        phase = self._body.config.custom_phases[name]
        self._changes.take(self._tracer.call(place, phase, view, self._body.config, tick))

    # -- events ------------------------------------------------------------------------------------

    def _milestone(self, index: int, event: Event) -> None:
        self._write.line(f"# {comment(event.id)}")
        with self._body.branch() as stack:
            if self._body.gate(self._body.tests(event, f"events[{index}]", None), stack):
                self._fire(index, event)

    def _random(self, index: int, event: Event) -> None:
        """Write a random event: it always draws, and fires if the draw is below the probability."""
        self._write.line(f"# {comment(event.id)}")
        tests = self._body.tests(event, f"events[{index}]", None)
        probability, checks = self._probability(event)
        if checks or any(test.checks for test in tests):
            self._random_with_checks(index, event, tests, probability, checks)
            return
        self._write.line("rng = advance(rng)")
        self._write.line("draw = drawn(rng)")
        # Most draws exceed the greatest possible probability and skip the code below.
        extra = _below(probability.high)
        with self._body.branch() as stack:
            if extra is None or not self._body.gate(tests, stack, extra):
                return
            if probability.op != "const":
                text = self._chance(probability)
                stack.enter_context(self._write.block(f"if draw < {text}:"))
            self._fire(index, event)

    def _random_with_checks(
        self,
        index: int,
        event: Event,
        tests: list[Test],
        probability: Node,
        checks: list[tuple[str, Check]],
    ) -> None:
        """Write a random event whose probability may be a fault; the fault precedes the draw."""
        line = self._write.line
        line("chance = 0.0")
        with ExitStack() as stack:
            if self._body.gate(tests, stack):
                for place, check in checks:
                    self._body.demand([check], place, stack)
                line(f"chance = {self._chance(probability)}")
        line("rng = advance(rng)")
        with self._body.branch() as stack:
            stack.enter_context(self._write.block("if drawn(rng) < chance:"))
            self._fire(index, event)

    def _chance(self, probability: Node) -> str:
        """Return the source of the probability times 2**32, for an exact comparison with draws."""
        self._tracer.need(probability)
        (text,) = self._write.compute([self._graph.as_float(probability)])
        return f"{text} * {float(_TWO_32)!r}"

    def _probability(self, event: Event) -> tuple[Node, list[tuple[str, Check]]]:
        """Return the modified probability and its checks.

        It is not clamped to 0..1, which would not change a comparison with a draw from [0, 1).
        """
        graph = self._graph
        current: Any = event.base_probability or 0.0
        checks: list[tuple[str, Check]] = []
        for number, modifier in enumerate(self._body.config.probability_modifiers):
            place = f"event {event.id!r}, probability_modifiers[{number}]:"
            traced = self._tracer.call(place, modifier, self._tracer.view(), current, event)
            node, found = self._tracer.value(traced)
            self._tracer.at(place, lambda n=node: graph.apply("+", n, graph.constant(0)))  # type: ignore[misc]
            where = place.removesuffix(":")
            checks += [(where, check) for check in found]
            if node.kind == "float" and not (math.isfinite(node.low) and math.isfinite(node.high)):
                graph.checks = []
                graph.check(graph.apply("!=", node, node), "the probability is not a number")
                checks += [(where, check) for check in graph.checks]
            current = node.payload if node.op == "const" else Symbol(graph, node)
        node = current.node if isinstance(current, Symbol) else graph.constant(current)
        return node, checks

    def _fire(self, index: int, event: Event) -> None:
        self._write.line(f"emit(events, {index}, 0)")
        self._effects(event, f"events[{index}]", None)

    # -- after the tick ----------------------------------------------------------------------------

    def _judge(self) -> None:
        """Write the reward, the end of the episode, and checks for the next action mask."""
        line = self._write.line
        self._reward()
        line("code = RUNNING")
        if self._task.max_ticks:
            self._body.used.add(TICK)
            with self._write.block(f"if {self._body.local(TICK)} >= {self._task.max_ticks}:"):
                line("code = TRUNCATED")
        if self._task.terminated is not None:
            place = "task.terminated:"
            found = self._tracer.condition(place, self._task.terminated, self._tracer.view())
            with ExitStack() as stack:
                if self._body.gate([Test(*found, "task.terminated")], stack):
                    line("code = ENDED")
        if end_conditions(self._body.config):
            self._find_end()
            with self._write.block("if over:"):
                line("code = ENDED")
        self._check_availability()

    def _reward(self) -> None:
        start = self._tracer.view(dict.fromkeys(self._tracer.versions, 0))
        traced = self._tracer.call("task.reward:", self._task.reward, start, self._tracer.view())
        node, checks = self._tracer.value(traced)
        graph = self._graph
        graph.checks = list(checks)
        node = self._tracer.at("task.reward:", lambda: graph.apply("+", node, graph.constant(0.0)))
        graph.check_finite(node, "the reward is not a finite number")
        graph.check_inside(node, _MOST, f"the reward is {_TOO_LARGE}")
        with ExitStack() as stack:
            self._body.demand(graph.checks, "task.reward", stack)
        self._tracer.need(node)
        (text,) = self._write.compute([node])
        self._write.line(f"reward = {strip(text)}")
        if find_score(self._body.config, self._task) is None:
            self._write.line(f"{self._body.local(TOTAL)} += reward")
            self._body.used.add(TOTAL)
            self._tracer.change(TOTAL)

    def _check_availability(self) -> None:
        """Write faults for conditions of actions that cannot be computed in the new state."""
        for move in moves(self._body.config):
            tests = self._body.tests(move.action, f"actions[{move.index}]", move.context)
            last = max((i for i, test in enumerate(tests) if test.checks), default=-1)
            if last < 0:
                continue
            with ExitStack() as stack:
                stack.enter_context(self._write.block("if code == RUNNING:"))
                if self._body.gate(tests[:last], stack):
                    self._body.demand(tests[last].checks, tests[last].place, stack)


def _below(probability: Any) -> str | None:
    """Return a test of a draw against a constant probability; "" if always true, None if never."""
    if not probability > 0:
        return None
    if probability >= 1:
        return ""
    return f"draw < {math.ceil(probability * _TWO_32)}"
