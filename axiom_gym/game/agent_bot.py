"""Agents of plain Python games as scripted opponents of their kernel games."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from axiom_gym.errors import ConfigError, GameError
from axiom_gym.game.history import quick_fields
from axiom_gym.game.matching import find_equal
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_gym.game.bridge_kernel import Params


class AgentBot:
    """An agent of a plain game as a bot of its `KernelGame`.

    Attributes:
        name: the name of the bot.
    """

    def __init__(self, name: str, agent: Any) -> None:
        """Check the agent.

        Args:
            name: the name of the bot.
            agent: a callable (state, valid_actions, player_id, rng) -> action, or an object whose
                method `decide` is one.

        Raises:
            ConfigError: if the agent is neither, or is async.
        """
        self.name, self._agent = name, agent
        self._decide = getattr(agent, "decide", agent)
        if not callable(self._decide) or inspect.iscoroutinefunction(self._decide):
            raise ConfigError(
                'an opponent is "random", or a callable (state, valid_actions, player_id, rng) -> '
                f"action that is not async, or has such a decide(); got {agent!r}."
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self._agent)

    def __call__(
        self, state: Any, player: int, mask: Any, stream: Any, sub_actions: Any, params: Params
    ) -> None:
        """Write the agent's decision; see `axiom_gym.backend.null_kernel.bot`.

        Raises:
            GameError: if the action is not legal.
        """
        session = params.find(state)
        rules, state = session.rules, session.progress.state
        player_id, valid = rules.ids[player], list(session.valid)
        seen = state if rules.view is None else rules.view(state, player_id)
        fields = quick_fields(stream)
        rng = SeededRNG(fields.rng)
        action = self._decide(seen, valid, player_id, rng)
        fields.rng = rng.state
        found = find_equal(session.valid, action)
        if found is None:
            raise GameError(
                f"{rules.name}: the opponent {player_id!r} chose {action!r}, which is none of its "
                f"{len(session.valid)} valid actions."
            )
        (sub_actions[0],) = rules.catalogue.find(player, found)
