"""Warnings about configs: what is allowed, but probably not meant.

In contrast to `validate`, `find_warnings` calls the callables of the config, and plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from axiom_gym.config.calls import Call
from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Action,
    Event,
    GameConfig,
    State,
)
from axiom_gym.config.engine import create_engine
from axiom_gym.config.operator_checks import check_operators
from axiom_gym.config.places import callables
from axiom_gym.config.problems import Problem, Problems, did_you_mean
from axiom_gym.config.source_checks import at, read, written
from axiom_gym.config.sources import find_tree, first_parameters
from axiom_gym.config.task import Task
from axiom_gym.config.trial import check_by_playing
from axiom_gym.errors import CallableError


def find_warnings(config: GameConfig, task: Task | None = None) -> list[Problem]:
    """Return what is probably a mistake in a config, and in its task if given.

    The game is played for up to 10,000 ticks, always with the same seeds.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
    """
    start = create_engine(config).current
    found = [
        *_check_names(config, task, start),
        *_check_probabilities(config),
        *_check_phases(config),
        *check_operators(config, task),
        *_check_texts(config, start),
    ]
    texts = {problem.path for problem in found if problem.path.endswith(".text")}
    return [*found, *(one for one in check_by_playing(config, task) if one.path not in texts)]


def _check_names(config: GameConfig, task: Task | None, start: State) -> Problems:
    """Check the fields that callables and constant deltas read and write."""
    known = set(start)
    for path, delta in _constant_deltas(config):
        for key in delta:
            if key not in known:
                yield _undeclared(path, "writes", key, known)
    found = []
    for placed in callables(config, task):
        tree = find_tree(placed.function)
        if tree is not None:
            states = first_parameters(placed.function, tree, placed.states)
            keys = [(key, value.lineno) for key, value in written(placed, tree, states) if key]
            found += [(placed, "writes", key, line) for key, line in keys]
            found += [(placed, "reads", key, line) for key, line in read(tree, states)]
    for placed, verb, key, line in found:
        if key not in known:
            yield _undeclared(placed.path, verb, key, known, at(placed.function, line))


def _undeclared(path: str, verb: str, key: str, known: set[str], where: str = "") -> Problem:
    hint = did_you_mean(key, known)
    message = f"{verb} {key!r}{where}, which neither initial_state nor attributes or choices have."
    return Problem(path, f"{message}{hint}")


def _constant_deltas(config: GameConfig) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found: list[tuple[str, Any]] = [
        (f"passive_modifiers[{i}].delta", modifier.delta)
        for i, modifier in enumerate(config.passive_modifiers)
    ]
    for path, rule in _rules(config):
        found += [(f"{path}.effects[{i}]", effect) for i, effect in enumerate(rule.effects)]
    yield from ((path, delta) for path, delta in found if isinstance(delta, Mapping))


def _rules(config: GameConfig) -> Iterator[tuple[str, Action | Event]]:
    yield from ((f"actions[{i}]", action) for i, action in enumerate(config.actions))
    yield from ((f"events[{i}]", event) for i, event in enumerate(config.events))


def _check_probabilities(config: GameConfig) -> Problems:
    for i, event in enumerate(config.events):
        path, is_milestone = f"events[{i}].base_probability", event.trigger == "milestone"
        if is_milestone and event.base_probability:
            yield Problem(
                path,
                f"has no effect, because {event.id!r} is a milestone, which fires whenever its "
                "conditions hold; leave it out, or the trigger.",
            )
        elif not is_milestone and not event.base_probability and not config.probability_modifiers:
            yield Problem(
                path,
                f"is 0, so that {event.id!r} never fires; give a probability, or "
                "trigger='milestone'.",
            )


def _check_phases(config: GameConfig) -> Problems:
    milestones = [event.trigger == "milestone" for event in config.events]
    for phase, what, is_needed in (
        (PASSIVE, "passive modifiers", bool(config.passive_modifiers)),
        (RANDOM, "random events", not all(milestones)),
        (MILESTONE, "milestone events", any(milestones)),
    ):
        if is_needed and phase not in config.tick_order:
            message = f"lacks {phase!r}, without which the {what} never happen; add it."
            yield Problem("tick_order", message)


def _check_texts(config: GameConfig, start: State) -> Problems:
    """Call all texts with the initial state."""
    for path, rule in _rules(config):
        if isinstance(rule.text, str):
            continue
        call = Call(rule.text, f"{path}.text")
        contexts: Sequence[Any] = (isinstance(rule, Action) and rule.contexts) or (None,)
        for context in contexts:
            try:
                value = call.value(start, context)
            except CallableError as error:
                reason = str(error).removeprefix(f"{path}.text: ")
                yield Problem(f"{path}.text", f"raises on the initial state: {reason}.")
                break
            if not isinstance(value, str):
                yield Problem(f"{path}.text", f"returns {value!r}, but a text is a string.")
                break
