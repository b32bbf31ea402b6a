"""The compiled functions of a config besides `step`: action mask, observation and outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from axiom_gym.config.compiler.body import Body
from axiom_gym.config.compiler.nodes import Node
from axiom_gym.config.compiler.scheme import MOVES, TOTAL, Field
from axiom_gym.config.compiler.step import moves
from axiom_gym.config.compiler.writer import strip
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.derived import all_attributes, rules_with_cooldown
from axiom_gym.config.ending import find_score
from axiom_gym.config.task import Task


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of the observation."""

    name: str
    source: str
    """The expression, as Python source."""
    signed: bool = False
    """True if the number can be negative."""


def build_mask(body: Body) -> None:
    """Write `legal_actions`: the available actions for every context, and `wait`."""
    choices = moves(body.config)
    for number, move in enumerate(choices):
        tests = body.tests(move.action, f"actions[{move.index}]", move.context)
        plain = [test.node for test in tests]
        if not any(test.checks for test in tests):
            _write_plain(body, number, plain)
            continue
        body.writer.line(f"mask[0, {number}] = 0")
        with ExitStack() as stack:
            if body.gate(tests, stack):
                body.writer.line(f"mask[0, {number}] = 1")
    body.writer.line(f"mask[0, {len(choices)}] = 1  # wait")


def _write_plain(body: Body, number: int, nodes: list[Node]) -> None:
    """Write an entry of the mask that is one expression."""
    graph = body.tracer.graph
    legal = graph.constant(True)
    for node in nodes:
        legal = graph.apply("and", legal, node)
    body.tracer.need(legal)
    if legal.op == "const":
        body.writer.line(f"mask[0, {number}] = {int(legal.payload)}")
        return
    (text,) = body.writer.compute([legal])
    body.writer.line(f"mask[0, {number}] = int({strip(text)})")


def features(
    config: GameConfig, task: Task, fields: dict[str, Field], codes: Mapping[str | None, int]
) -> list[Feature]:
    """Return the numbers of the observation, each within 0..1 or -1..1."""
    found: list[Feature] = []
    for field in fields.values():
        if field.role == "attribute":
            found.append(_attribute(config, field))
        elif field.role == "choice":
            found += [
                Feature(
                    f"{field.key}={option}", f"1.0 if s_{field.name} == {codes[option]} else 0.0"
                )
                for option in field.options
            ]
        elif field.role == "field" and field.kind == "bool":
            found.append(Feature(field.key, f"1.0 if s_{field.name} else 0.0"))
        elif field.role == "field":
            found.append(Feature(field.key, f"squashed(s_{field.name})", signed=True))
    found += _cooldowns(config, fields)
    if task.actions_per_tick > 1:
        share = 1 / task.actions_per_tick
        found.append(Feature("actions in this tick", f"s_{fields[MOVES].name} * {share!r}"))
    if task.max_ticks:
        found.append(Feature("tick / max_ticks", f"scaled(s_tick, 0.0, {1 / task.max_ticks!r})"))
    else:
        found.append(Feature("tick / (1 + tick)", "squashed(s_tick)", signed=True))
    return [*found, *(_parameter(one) for one in fields.values() if one.role == "parameter")]


def _parameter(field: Field) -> Feature:
    name = field.key.strip("<>")
    if field.kind == "bool":
        return Feature(name, f"1.0 if s_{field.name} else 0.0")
    low, high = float(field.low), float(field.high)
    return Feature(name, _share(f"s_{field.name}", low, high) if low < high else "0.0")


def _attribute(config: GameConfig, field: Field) -> Feature:
    attribute = all_attributes(config)[field.key]
    low, high = float(attribute.min), float(attribute.max)
    if low == high:
        return Feature(field.key, "0.0")
    return Feature(field.key, _share(f"s_{field.name}", low, high))


def _share(value: str, low: float, high: float) -> str:
    """Return the source of a value scaled from `low`..`high` to 0..1."""
    reach = high - low
    if math.isinf(reach):
        value, low, reach = f"{value} * 0.5", low / 2, high / 2 - low / 2
    factor = 1 / reach
    if math.isinf(factor):
        return f"scaled(({value} - {low!r}) / {reach!r}, 0.0, 1.0)"
    return f"scaled({value}, {low!r}, {factor!r})"


def _cooldowns(config: GameConfig, fields: dict[str, Field]) -> list[Feature]:
    """Return the features of cooldowns: for each id, the share of its cooldown that is left."""
    longest: dict[str, float] = {}
    for rule in rules_with_cooldown(config):
        if rule.cooldown:
            longest[rule.id] = max(longest.get(rule.id, 0.0), float(rule.cooldown))
    found = []
    for name, length in longest.items():
        field = fields[f"<cooldown of {name}>"]
        source = _share(f"s_{field.name} - s_tick", 0.0, length)
        found.append(Feature(f"cooldown of {name}", source))
    return found


def build_outcome(body: Body, task: Task) -> None:
    """Write `outcome`: the score, or the sum of the rewards."""
    score = find_score(body.config, task)
    if score is None:
        body.used.add(TOTAL)
        body.writer.line(f"returns[0] = {body.local(TOTAL)}")
        return
    traced = body.tracer.call_on(f"{score.place}:", score.function, body.tracer.view(), None)
    node, checks = body.tracer.value(traced)
    body.tracer.need(node)
    body.writer.line("returns[0] = 0.0")
    with ExitStack() as stack:
        body.demand(checks, score.place, stack)
        number = body.tracer.at(f"{score.place}:", lambda: body.tracer.graph.as_number(node))
        (text,) = body.writer.compute([number])
        body.writer.line(f"returns[0] = {strip(text)}")
