"""The base class of PettingZoo's two forms: agents, spaces, and calls that it leaves to the game.

Axis letters: P players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from axiom_gym.adapters.one_game import HUMAN, OneGame
from axiom_gym.errors import UnknownNameError, check_choice
from axiom_gym.game.facts import GameLike
from axiom_gym.registry.games import get_game
from axiom_gym.render import RENDER_MODES, render_modes


class GameEnv:
    """Base class of `AxiomAECEnv` and `AxiomParallelEnv`.

    Attributes:
        possible_agents: the names of all players, by seat.
        observation_spaces, action_spaces: the spaces by agent; each agent has its own.
        state_space: the space of `state()`.
        batch: the game, as a batch of one.
    """

    agents: list[str]

    def __init__(self, game: GameLike, *, render_mode: str | None = None, **options: Any) -> None:
        """Build the environment.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            render_mode: None, "human", "ansi" or "rgb_array".
            **options: the options of `axiom_gym.adapters.one_game.OneGame`.

        Raises:
            ConfigError: for a value that is not allowed; the message has the allowed ones.
        """
        super().__init__()
        loaded = get_game(game)
        if render_mode is not None:
            check_choice("render mode", render_mode, [HUMAN, *RENDER_MODES])
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{loaded.info.name}_v{loaded.info.version}",
            "render_modes": [HUMAN, *render_modes(loaded)],
            "render_fps": 4,
            "is_parallelizable": not loaded.is_sequential,
        }
        self._game = one = OneGame(loaded, **options)
        self.batch = one.batch
        self.possible_agents = agents = list(one.batch.agents)
        self._seats = {agent: seat for seat, agent in enumerate(agents)}
        self.observation_spaces = {agent: one.make_observation_space() for agent in agents}
        self.action_spaces = {agent: one.make_action_space() for agent in agents}
        self.state_space = one.make_state_space()

    def observation_space(self, agent: str) -> spaces.Box | spaces.Dict:
        """Return the space of this agent's observations, always the same object."""
        return self.observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> spaces.Discrete | spaces.MultiDiscrete:
        """Return the space of this agent's actions, always the same object."""
        return self.action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: str) -> str:
        if agent not in self._seats:
            raise UnknownNameError("agent", agent, self.possible_agents)
        return agent

    def state(self) -> npt.NDArray[np.float32]:
        """Return the whole position, for a centralized critic.

        In a game with perfect information this is the first player's observation. In other games it
        is the observations of all players, concatenated along the first axis.
        """
        return self._game.state()

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Return each agent's flat mask as bool, True = legal, as sb3-contrib expects it."""
        self._game.check_started()
        mask = self._game.mask
        return {agent: mask(self._seats[agent]).astype(np.bool_) for agent in self.agents}

    def _find_leaving(self) -> list[str]:
        """Return those of `agents` that leave a simultaneous game that is in progress."""
        seats = self._game.find_leaving()
        return [agent for agent in self.agents if self._seats[agent] in seats] if seats else []

    def _find_ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Return the terminations and the truncations of `agents` after the last turn."""
        terminated, truncated = self._game.find_end()
        terminations = dict.fromkeys(self.agents, terminated)
        for agent in self._find_leaving():
            terminations[agent] = True
        return terminations, dict.fromkeys(self.agents, truncated)

    def _play_turn(self) -> None:
        """Play the turn with the sub-actions of `agents`, and legal ones for absent players."""
        if len(self.agents) < len(self.possible_agents):
            present = set(self.agents)
            absent = [seat for agent, seat in self._seats.items() if agent not in present]
            self._game.write_lowest(absent)
        self._game.step()

    def get_state(self) -> dict[str, Any]:
        """Return the state of the game and its generators, for `set_state` of the same form."""
        return self._game.get_state()

    def render(self) -> Any:
        """Draw the position by `render_mode`: as text or (H, W, 3) uint8; for "human" print it."""
        return self._game.render(self.render_mode)

    def close(self) -> None:
        """Close the environment; later calls raise `ClosedEnvironmentError`."""
        self.agents = []
        self._game.close()
