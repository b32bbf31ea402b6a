"""Agents for matches of object-level games: callables, or objects with a `decide` method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from axiom_gym.errors import UnknownOpponentError
from axiom_gym.opponents.names import HUMAN, has_prefix, is_target, look_up, make_object
from axiom_gym.registry.targets import find_named
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


_FORMS = (
    "FILE.py:FUNCTION is valid as well. Saved models play in axiom_gym.play.match.Match, which "
    "also plays plain Python games."
)


class RandomAgent:
    """An agent that takes random valid actions; its name is "random"."""

    name = "random"
    decide = staticmethod(pick_any)


def find_agent(game: Any, agent: Agent | str) -> Agent:
    """Return the agent, or look it up by name, and prepare it for the game.

    An agent with a method `for_game(game)`, such as a language model, is what that method returns.

    Args:
        game: the game.
        agent: an agent, or a name: "random", a scripted player of the game, `FILE.py:NAME` or
            `MODULE:NAME` of an agent, or `PREFIX:TEXT` (`axiom_gym.opponents.names`).

    Raises:
        UnknownOpponentError: if there is no such player.
        ConfigError: if the file or module has no such agent.
    """
    found = _look_up(game, agent) if isinstance(agent, str) else agent
    prepare = getattr(found, "for_game", None)
    return found if prepare is None else prepare(game)


def _look_up(game: Any, agent: str) -> Agent:
    """Return the agent of a name."""
    if agent == "random":
        return RandomAgent()
    own: Mapping[str, Agent] = getattr(game, "bots", {})
    if agent in own:
        return own[agent]
    if has_prefix(agent) or agent == HUMAN:
        prefixed: Agent = look_up(agent, ())
        return prefixed
    if is_target(agent):
        _, named = find_named(agent, _is_agent, "agent", takes=callable)
        made: Agent = make_object(agent, named) if isinstance(named, type) else named
        return made
    if hasattr(game, "bot"):
        found: Agent = game.bot(agent)
        return found
    kind = f"player of {game.metadata.name}"
    raise UnknownOpponentError(kind, agent, ["random", *own], _FORMS)


def _is_agent(value: Any) -> bool:
    """Return True if a value has the method or the number of parameters of an agent."""
    if isinstance(value, Decider):
        return True
    try:
        return callable(value) and len(inspect.signature(value).parameters) == 4
    except (TypeError, ValueError):
        return False


def agent_seed(seed: int, place: int) -> int:
    """Return the seed of an agent's generator. seed: the match's; place: the agent's seat."""
    return mix_seed(seed, 1 + place)
