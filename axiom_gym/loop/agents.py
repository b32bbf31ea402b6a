"""Agents: whoever decides in a match of an object-level game, as a callable or an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from axiom_gym.seeded_rng import SeededRNG

Decide = Callable[[Any, list[Any], str, SeededRNG], Any]
"""(state, valid actions, player id, generator) -> one of the actions, or an awaitable of one.

The state is not to be changed; the list and the generator are the agent's own.
"""


@runtime_checkable
class Decider(Protocol):
    """An agent that is an object."""

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        """As `Decide`; may be a coroutine function."""


Agent = Decide | Decider


def is_agent(value: object) -> bool:
    """Whether this can decide."""
    return callable(value.decide if isinstance(value, Decider) else value)


def get_decide(agent: Agent) -> Decide:
    """How an agent is asked."""
    decide: Decide = agent.decide if isinstance(agent, Decider) else agent
    return decide


def name_agent(agent: object) -> str:
    """What an agent calls itself, else what its function or class is called."""
    fallback = getattr(agent, "__name__", type(agent).__name__)
    return str(getattr(agent, "name", fallback))
