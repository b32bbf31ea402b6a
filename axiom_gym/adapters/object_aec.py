"""A plain Python game as a PettingZoo AEC environment.

An observation is a dict: `observation`, float32, of the shape that `axiom_gym.game.encoding` finds,
and `action_mask`, int8, (N,), 1 = legal. An info holds the mask as `action_mask`, and
`illegal_action`, a bool; at the end also `episode_return`, a float, and `episode_length`, an int.
The mask of who is to act is never all zero, and that of others always. All arrays are the caller's
to keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv

from axiom_gym.errors import ActionError, UnknownNameError, check_choice
from axiom_gym.game.episodes import Episodes, read_number
from axiom_gym.game.facts import Game

HUMAN = "human"
"""The render mode that prints every position to standard output."""
RENDER_MODES = (HUMAN, "ansi")

_KNOWN_AFTER_RESET = frozenset(
    {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}
)


class ObjectAECEnv(AECEnv[str, dict[str, npt.NDArray[Any]], Any]):
    """The players of a game decide one after the other, whoever is to act.

    Players who are out stay among the agents to the end, when all agents end with the same flag.

    Attributes:
        episodes: the game.
        agent_selection: who acts next.
        rewards: what each agent got by the last step.
        terminations, truncations: whether its episode has ended, by the rules or by a limit.
        infos: see the module's text.
    """

    def __init__(
        self, game: Game[Any, Any], *, render_mode: str | None = None, **options: Any
    ) -> None:
        """Finds the spaces.

        Args:
            game: the rules.
            render_mode: None, "human" or "ansi".
            **options: those of `axiom_gym.game.episodes.Episodes`, and the game's own.

        Raises:
            ConfigError: for a value that is not allowed.
            GameError: for a game whose states cannot be encoded, or actions numbered.
        """
        super().__init__()
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.episodes = Episodes(game, **options)
        self.metadata = {
            "name": f"{game.metadata.name}_v{game.metadata.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "is_parallelizable": False,
        }
        self.possible_agents = list(self.episodes.ids)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        counts = dict(zip(self.possible_agents, self.episodes.catalogue.counts, strict=True))
        self.action_spaces = {agent: spaces.Discrete(count) for agent, count in counts.items()}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, self.episodes.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent, count in counts.items()
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """What this agent sees; always the same object."""
        return self.observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What this agent can do, by number; always the same object."""
        return self.action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: str) -> str:
        if agent not in self._seats:
            raise UnknownNameError("agent", agent, self.possible_agents)
        return agent

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode; without a seed the generator goes on from where it is.

        `options` is PettingZoo's; there are none, and it is not looked at.
        """
        self.episodes.begin(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._show()

    def step(self, action: Any) -> None:
        """Takes the action of `agent_selection`, a whole number; None of an agent that has ended.

        Raises:
            ActionError: for an action that is not in the agent's action space, and for one that is
                not None after the end.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or when all agents have left.
        """
        episodes = self.episodes
        if not episodes.started or not self.agents:
            episodes.refuse()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ActionError(f"the episode has ended for {agent}; its only action is None.")
            self._was_dead_step(None)
            return
        episodes.play(read_number(action, agent))
        self._cumulative_rewards[agent] = 0.0
        self._show()
        self._accumulate_rewards()

    def _show(self) -> None:
        """Tells all agents how the game stands, and whose turn it is."""
        episodes = self.episodes
        self.rewards = dict(episodes.rewards)
        self.terminations = dict.fromkeys(self.agents, episodes.terminated)
        self.truncations = dict.fromkeys(self.agents, episodes.truncated)
        self.infos = {agent: episodes.describe(seat) for agent, seat in self._seats.items()}
        # At the end all agents leave, the first one first.
        self.agent_selection = self.possible_agents[max(episodes.mover, 0)]
        if self.render_mode == HUMAN:
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What this agent sees now."""
        if not self.episodes.started:
            self.episodes.refuse()
        seat = self._seats[self._check_agent(agent)]
        episodes = self.episodes
        return {"observation": episodes.observe(seat), "action_mask": episodes.mask(seat)}

    # -- drawing -----------------------------------------------------------------------------------

    def render(self) -> Any:
        """The state as text; for "human" it is printed."""
        if not self.episodes.started:
            self.episodes.refuse()
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; give one when making the env.")
            return None
        if self.render_mode != HUMAN:
            return self.episodes.draw()
        print(self.episodes.draw())
        return None

    def close(self) -> None:
        """There is nothing to free."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says why something is missing that exists only after a reset."""
            if name in _KNOWN_AFTER_RESET:
                raise AttributeError(f"{name} exists only after reset(): call reset() first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
