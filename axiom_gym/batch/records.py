"""The games of a batch as they stand: records, buffers, and what can be read of them.

Axis letters as in `axiom_gym.kernel`: B games, P players, V who act at once (P, or 1 in a
sequential game), K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.buffers import allocate
from axiom_gym.batch.scripted import load_calls
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVERYONE


class GameRecords:
    """B games of one kind with their buffers; `Batch` plays them.

    Attributes:
        game: the game.
        config: its configuration.
        layout: the shapes.
        agents: the players' names, by seat.
        buffers: all arrays; see `axiom_gym.batch.types.Buffers`.
        params: what the kernel gets.
    """

    def __init__(self, game: KernelGame, config: Any, num_envs: int, *, with_final: bool) -> None:
        """Allocate the buffers; arguments as for `axiom_gym.batch.buffers.allocate`.

        Raises:
            RegistrationError: for a kernel whose state does not end with its generator.
        """
        self.game = game
        self.config = config
        self.layout = game.layout(config)
        self.num_envs = num_envs
        self.agents = game.agents(config)
        self.num_players = len(self.agents)
        self.buffers = allocate(game, config, num_envs, with_final=with_final)

    def _load_code(self, on_error: Callable[[], Any]) -> None:
        """Make what is not pickled: code, and parameters, which may hold live objects.

        Args:
            on_error: see `axiom_gym.batch.scripted.load_calls`.
        """
        self.params = self.game.params(self.config)
        self._calls = load_calls(self.game, on_error)

    def view_of(self, seat: int) -> int:
        """Where on axis V a player who is to act stands."""
        return 0 if self.game.is_sequential else seat

    def to_act(self, game: int = 0) -> list[int]:
        """The seats of those who are to act in one game now."""
        actor = int(self.buffers.acting[game])
        if actor != EVERYONE:
            return [actor]
        return [] if self.game.is_sequential else list(range(self.num_players))

    def views(self, game: int = 0) -> npt.NDArray[np.float32]:
        """(P, *shape): what each player sees of one game, whoever is to act."""
        seen: npt.NDArray[np.float32] = self._view(game, 1)[0]
        return seen

    def all_views(self) -> npt.NDArray[np.float32]:
        """(B, P, *shape): what each player sees of every game, whoever is to act."""
        return self._view(0, self.num_envs)

    def _view(self, low: int, games: int) -> npt.NDArray[np.float32]:
        seen = np.zeros((games, self.num_players, *self.layout.observation_shape), np.float32)
        self._calls.observe_batch(low, seen, self.buffers, self.params)
        return seen

    def alive(self, game: int = 0) -> npt.NDArray[np.bool_]:
        """(P,) bool: which players of one game still take part."""
        found = np.zeros(self.num_players, np.bool_)
        self._calls.find_alive(game, found, self.buffers, self.params)
        return found

    def outcomes(self) -> npt.NDArray[np.float32]:
        """(B, P): the outcome of every game as it stands; 0 for a game that is not decided."""
        returns = np.zeros((self.num_envs, self.num_players), np.float32)
        self._calls.outcome_batch(self.buffers.states, returns, self.params)
        return returns

    def refresh(self) -> None:
        """Writes observations and masks anew, after `buffers.states` was changed by hand."""
        self._calls.write_views_batch(self.buffers, self.params)

    def describe_state(self, game: int = 0) -> str:
        """One game's position as text."""
        return self.game.describe_state(self.buffers.states[game])
