"""The phases of a tick: three built-in phases, and custom ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from axiom_gym.config.calls import Call, failure
from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    GameConfig,
    Phase,
    State,
)
from axiom_gym.config.fields import Fields, Refused
from axiom_gym.config.problems import shown
from axiom_gym.config.rules import Change, Clock, EventRule
from axiom_gym.errors import CallableError, EngineError
from axiom_gym.seeded_rng import SeededRNG


class ReadyPhase(Protocol):
    """A phase that is ready to run."""

    def run(self, state: dict[str, Any], view: State) -> None:
        """Change the state in place; `view` is a read-only view of the same state.

        Raises:
            EngineError: for an unknown phase.
            CallableError: if a callable fails; earlier changes remain in the state.
        """


def make_phases(
    config: GameConfig, fields: Fields, rng: SeededRNG, clock: Clock
) -> list[ReadyPhase]:
    """Return the phases of a tick, in order; built-in names take precedence over custom ones."""
    built_in: dict[str, ReadyPhase] = {
        PASSIVE: _Passive(config, fields),
        RANDOM: _Random(config, fields, rng, clock),
        MILESTONE: _Milestones(config, fields, clock),
    }
    phases = []
    for name in config.tick_order:
        if name in built_in:
            phases.append(built_in[name])
        elif name in config.custom_phases:
            phases.append(_Custom(name, config.custom_phases[name], config, fields))
        else:
            phases.append(_Unknown(name))
    return phases


class _Passive:
    """The phase of passive modifiers, each applied to the state after the previous one."""

    def __init__(self, config: GameConfig, fields: Fields) -> None:
        self._modifiers = []
        for i, modifier in enumerate(config.passive_modifiers):
            place = f"passive modifier {modifier.id!r} in {PASSIVE}, passive_modifiers[{i}]"
            condition = modifier.condition
            call = None if condition is None else Call(condition, f"{place}.condition")
            self._modifiers.append((call, Change(modifier.delta, fields, f"{place}.delta")))

    def run(self, state: dict[str, Any], view: State) -> None:
        for condition, change in self._modifiers:
            if condition is None or condition.holds(view, None):
                change.apply(state, view, None)


def _make_rules(config: GameConfig, fields: Fields, phase: str) -> list[EventRule]:
    """Return the rules of the events that fire in a built-in phase, RANDOM or MILESTONE."""
    return [
        EventRule(i, config, fields, phase)
        for i, event in enumerate(config.events)
        if (event.trigger == "milestone") == (phase == MILESTONE)
    ]


class _Random:
    """The phase of random events. Each event draws one number, even if its probability is 0."""

    def __init__(self, config: GameConfig, fields: Fields, rng: SeededRNG, clock: Clock) -> None:
        self._events = _make_rules(config, fields, RANDOM)
        self._rng = rng
        self._clock = clock

    def run(self, state: dict[str, Any], view: State) -> None:
        for event in self._events:
            probability = event.probability(state, view)
            if self._rng.next() < probability:
                event.happen(state, view, None, self._clock)


class _Milestones:
    """The phase of milestone events, which fire without a draw."""

    def __init__(self, config: GameConfig, fields: Fields, clock: Clock) -> None:
        self._events = _make_rules(config, fields, MILESTONE)
        self._clock = clock

    def run(self, state: dict[str, Any], view: State) -> None:
        for event in self._events:
            if event.is_open(state, view):
                event.happen(state, view, None, self._clock)


class _Custom:
    """A custom phase; the state that it returns is not clamped."""

    def __init__(self, name: str, phase: Phase, config: GameConfig, fields: Fields) -> None:
        self._phase = phase
        self._config = config
        self._fields = fields
        self._place = f"phase {name!r}, custom_phases[{name!r}]"

    def run(self, state: dict[str, Any], view: State) -> None:
        try:
            result = self._phase(view, self._config, state["tick"])
        except Exception as error:
            raise failure(self._place, error) from error
        if not (isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Mapping)):
            raise CallableError(
                f"{self._place}: a phase must return PhaseResult(state), got {shown(result)}"
            )
        if result[0] is view:
            return
        try:
            new = self._fields.taken(result[0], state)
        except Refused as refusal:
            raise CallableError(f"{self._place}: {refusal}") from None
        except Exception as error:
            raise failure(self._place, error) from error
        state.clear()
        state.update(new)


class _Unknown:
    """A name in the tick order that is not a phase. Running it raises an EngineError."""

    def __init__(self, name: str) -> None:
        self._name = name

    def run(self, state: dict[str, Any], view: State) -> None:
        raise EngineError(f"Unknown tick phase: {self._name}")
