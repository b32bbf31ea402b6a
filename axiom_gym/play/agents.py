"""Agents for matches of object-level games: callables, or objects with a `decide` method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from axiom_gym.errors import UnknownOpponentError
from axiom_gym.seeded_rng import SeededRNG, mix_seed

AgentFunction = Callable[[Any, list[Any], str, SeededRNG], Any]
"""(state, valid actions, player id, generator) -> one of the actions, or an awaitable of one.

An agent must not change the state. It may change the list and draw from the generator.
"""


@runtime_checkable
class Decider(Protocol):
    """An agent that is an object."""

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        """Return an action, as an `AgentFunction` does; may be a coroutine function."""


Agent = AgentFunction | Decider


def get_agent_function(agent: Agent) -> AgentFunction:
    """Return an agent as a function."""
    decide: AgentFunction = agent.decide if isinstance(agent, Decider) else agent
    return decide


def name_agent(agent: object) -> str:
    """Return the `name` of an agent, else the name of its function or class."""
    fallback = getattr(agent, "__name__", type(agent).__name__)
    return str(getattr(agent, "name", fallback))


def pick_any(state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    """Return one of the valid actions, each with the same probability."""
    return rng.pick(valid_actions)


class RandomAgent:
    """An agent that takes random valid actions; its name is "random"."""

    name = "random"
    decide = staticmethod(pick_any)


def find_agent(game: Any, agent: Agent | str) -> Agent:
    """Return the agent, or look it up by name: "random" or a scripted player of the game.

    Raises:
        UnknownOpponentError: if there is no such player.
    """
    if not isinstance(agent, str):
        return agent
    if agent == "random":
        return RandomAgent()
    own: Mapping[str, Agent] = getattr(game, "bots", {})
    if agent in own:
        return own[agent]
    if not hasattr(game, "bot"):
        raise UnknownOpponentError(f"player of {game.metadata.name}", agent, ["random", *own])
    found: Agent = game.bot(agent)
    return found


def agent_seed(seed: int, place: int) -> int:
    """Return the seed of an agent's generator. seed: the match's; place: the agent's seat."""
    return mix_seed(seed, 1 + place)
