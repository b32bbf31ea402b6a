"""The current state of a batch: records, buffers, and methods that read them.

Axis letters as in `axiom_gym.kernel`: B games, P players, V who act at once (P, or 1 in a
sequential game), K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import dataclasses
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
        layout: the shapes of observations and actions.
        agents: the names of the players, by seat.
        buffers: all arrays; see `axiom_gym.batch.types.Buffers`.
        params: the parameters that the kernel's functions receive.
    """

    def __init__(self, game: KernelGame, config: Any, num_envs: int, *, with_final: bool) -> None:
        """Allocate the buffers; arguments as for `axiom_gym.batch.buffers.allocate`.

        Raises:
            RegistrationError: if the last field of the kernel's state is not its generator.
        """
        self.game = game
        self.config = config
        self.layout = game.layout(config)
        self.num_envs = num_envs
        self.agents = game.agents(config)
        self.num_players = len(self.agents)
        self.buffers = allocate(game, config, num_envs, with_final=with_final)

    def _load_code(self, on_error: Callable[[], Any]) -> None:
        """Load what is not pickled: the code, and parameters, which may hold live objects.

        Args:
            on_error: see `axiom_gym.batch.scripted.load_calls`.
        """
        self.params = self.game.params(self.config)
        self._calls = load_calls(self.game, on_error)

    def config_of(self, game: int) -> Any:
        """Return the configuration of one game, with its own values of `game_options`."""
        values = {option: getattr(self.config, option) for option in self.game.game_options}
        own = {name: one[game] for name, one in values.items() if isinstance(one, tuple)}
        return dataclasses.replace(self.config, **own) if own else self.config

    def view_of(self, seat: int) -> int:
        """Return the index on axis V of a player who is to act."""
        return 0 if self.game.is_sequential else seat

    def to_act(self, game: int = 0) -> list[int]:
        """Return the seats of the players to act in one game."""
        actor = int(self.buffers.acting[game])
        if actor != EVERYONE:
            return [actor]
        return [] if self.game.is_sequential else list(range(self.num_players))

    def views(self, game: int = 0) -> npt.NDArray[np.float32]:
        """Return what each player of one game sees, also those not to act, (P, *shape) float32."""
        seen: npt.NDArray[np.float32] = self._view(game, self._make_views(1))[0]
        return seen

    def all_views(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return `views` of every game, (B, P, *shape) float32, in `out` if it is given."""
        return self._view(0, self._make_views(self.num_envs) if out is None else out)

    def _make_views(self, games: int) -> npt.NDArray[np.float32]:
        return np.zeros((games, self.num_players, *self.layout.observation_shape), np.float32)

    def _view(self, low: int, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        self._calls.observe_batch(low, seen, self.buffers, self.params)
        return seen

    def alive(self, game: int = 0) -> npt.NDArray[np.bool_]:
        """Return which players of one game are not eliminated, (P,) bool."""
        found = np.zeros(self.num_players, np.bool_)
        self._calls.find_alive(game, found, self.buffers, self.params)
        return found

    def outcomes(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return the current outcome of every game, (B, P) float32, in `out` if it is given.

        See `axiom_gym.kernel`.
        """
        shape = (self.num_envs, self.num_players)
        returns = np.zeros(shape, np.float32) if out is None else out
        self._calls.outcome_batch(self.buffers.states, returns, self.params)
        return returns

    def refresh(self) -> None:
        """Write observations and masks again, after `buffers.states` was changed directly."""
        self._calls.write_views_batch(self.buffers, self.params)

    def describe_state(self, game: int = 0) -> str:
        """Return the position of one game as text."""
        return self.game.describe_state(self.buffers.states[game])
