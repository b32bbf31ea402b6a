"""Agents: whoever decides in a match of an object-level game, as a callable or an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from axiom_gym.errors import UnknownOpponentError
from axiom_gym.seeded_rng import SeededRNG, mix_seed

AgentFunction = Callable[[Any, list[Any], str, SeededRNG], Any]
"""(state, valid actions, player id, generator) -> one of the actions, or an awaitable of one.

The state is not to be changed; the list and the generator are the agent's own.
"""


@runtime_checkable
class Decider(Protocol):
    """An agent that is an object."""

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        """As `AgentFunction`; may be a coroutine function."""


Agent = AgentFunction | Decider


def is_agent(value: object) -> bool:
    """Whether this can decide."""
    return callable(value.decide if isinstance(value, Decider) else value)


def get_agent_function(agent: Agent) -> AgentFunction:
    """How an agent is asked."""
    decide: AgentFunction = agent.decide if isinstance(agent, Decider) else agent
    return decide


def name_agent(agent: object) -> str:
    """What an agent calls itself, else what its function or class is called."""
    fallback = getattr(agent, "__name__", type(agent).__name__)
    return str(getattr(agent, "name", fallback))


class RandomAgent:
    """Any of the valid actions, each as likely."""

    name = "random"

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        return pick_any(state, valid_actions, player_id, rng)


def find_agent(game: Any, agent: Agent | str) -> Agent:
    """The agent that a name stands for: "random", or a scripted player of the game, if it has any.

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
    get_bot = getattr(game, "bot", None)
    if get_bot is None:
        raise UnknownOpponentError(f"player of {game.metadata.name}", agent, ["random", *own])
    found: Agent = get_bot(agent)
    return found


def agent_seed(seed: int, place: int) -> int:
    """What the generator of the agent in a seat starts from, in the match with this seed."""
    return mix_seed(seed, 1 + place)


def pick_any(state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    """The agent that is called "random": any of the valid actions."""
    return rng.pick(valid_actions)
