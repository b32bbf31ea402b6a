"""What PettingZoo's forms have in common: names, spaces, and what they let their game do.

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
    """What both forms let their game do.

    Attributes:
        possible_agents: names of all players, by seat.
        observation_spaces, action_spaces: the spaces by agent; every agent has its own.
        state_space: the space of `state()`.
        batch: the game, as a batch of one.
    """

    agents: list[str]

    def __init__(self, game: GameLike, *, render_mode: str | None = None, **options: Any) -> None:
        """Build the environment.

        Args:
            game: the game's name, such as "quantaris", or the game itself; see `GameLike`.
            render_mode: None, "human", "ansi" or "rgb_array".
            **options: those of `axiom_gym.adapters.one_game.OneGame`.

        Raises:
            ConfigError: for any value that is not allowed, with the valid ones.
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

    def observation_space(self, agent: str) -> spaces.Dict:
        """What this agent sees; always the same object."""
        return self.observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> spaces.Discrete | spaces.MultiDiscrete:
        """What this agent can order; always the same object."""
        return self.action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: str) -> str:
        if agent not in self._seats:
            raise UnknownNameError("agent", agent, self.possible_agents)
        return agent

    def state(self) -> npt.NDArray[np.float32]:
        """The whole position, for a central critic.

        Where every player sees everything it is what the first one sees; otherwise what all see,
        one after the other along the first axis.
        """
        return self._game.state()

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Each agent's flat mask as bool, 1 = legal, as sb3-contrib wants it."""
        self._game.check_started()
        mask = self._game.mask
        return {agent: mask(self._seats[agent]).astype(np.bool_) for agent in self.agents}

    def _find_out(self) -> list[str]:
        """Those of `agents` who are out of a simultaneous game, while the others play on."""
        out = self._game.find_out()
        return [agent for agent in self.agents if self._seats[agent] in out] if out else []

    def _find_ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Whether the last turn terminated or truncated the episode, for each of `agents`."""
        terminated, truncated = self._game.find_end()
        terminations = dict.fromkeys(self.agents, terminated)
        for agent in self._find_out():
            terminations[agent] = True
        return terminations, dict.fromkeys(self.agents, truncated)

    def _play_turn(self) -> None:
        """Plays the turn with the orders of `agents`; the rules want some of the others, too."""
        if len(self.agents) < len(self.possible_agents):
            present = set(self.agents)
            absent = [seat for agent, seat in self._seats.items() if agent not in present]
            self._game.order_lowest(absent)
        self._game.step()

    def get_state(self) -> dict[str, Any]:
        """The game and its generators, for `set_state` of the same form."""
        return self._game.get_state()

    def render(self) -> Any:
        """The position: as text or (H, W, 3) uint8 by `render_mode`; for "human" it is printed."""
        return self._game.render(self.render_mode)

    def close(self) -> None:
        """Ends the environment; later calls raise `ClosedEnvironmentError`."""
        self.agents = []
        self._game.close()
