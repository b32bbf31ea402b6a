"""OpenSpiel's classes of game, state and observer; see `axiom_gym.adapters.openspiel`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyspiel

from axiom_gym.adapters.openspiel import Position, Table

_Type = pyspiel.GameType


def register_table(name: str, table: Table) -> None:
    """Register a table's game with OpenSpiel under this name."""
    facts = _find_type(name, table)
    # A class lives until the process ends. OpenSpiel frees what makes its games after Python has
    # ended, and freeing another callable, such as a partial, would then crash.
    made = type("OpenSpielGame", (OpenSpielGame,), {"name": name, "table": table, "facts": facts})
    pyspiel.register_game(facts, made)


def _shows_history(table: Table) -> bool:
    """Return whether the history of actions is what each player knows."""
    info = table.one.batch.game.info
    return info.perfect_information and not info.chance


def _find_type(name: str, table: Table) -> Any:
    info, dynamics = table.one.batch.game.info, _Type.Dynamics
    sees_all = table.is_sequential and info.perfect_information
    kinds, modes, sums = _Type.Information, _Type.ChanceMode, _Type.Utility
    return _Type(
        short_name=name,
        long_name=info.title,
        dynamics=dynamics.SEQUENTIAL if table.is_sequential else dynamics.SIMULTANEOUS,
        chance_mode=modes.SAMPLED_STOCHASTIC if info.chance else modes.DETERMINISTIC,
        information=kinds.PERFECT_INFORMATION if sees_all else kinds.IMPERFECT_INFORMATION,
        utility=sums.ZERO_SUM if info.zero_sum else sums.GENERAL_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=table.num_players,
        min_num_players=table.num_players,
        provides_information_state_string=_shows_history(table),
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0},
    )


def _find_info(table: Table) -> Any:
    batch, info = table.one.batch, table.one.batch.game.info
    limits = [limit for limit in (info.max_length, batch.max_turns) if limit]
    return pyspiel.GameInfo(
        num_distinct_actions=table.num_actions,
        max_chance_outcomes=0,
        num_players=table.num_players,
        min_utility=float(info.min_outcome),
        max_utility=float(info.max_outcome),
        utility_sum=0.0 if info.zero_sum else None,
        max_game_length=min(limits),
    )


class OpenSpielGame(pyspiel.Game):
    """A registered game. Its parameter `seed` is the seed of its first initial state."""

    name: str
    table: Table
    facts: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Create the game with these parameters."""
        chosen = dict(params or {})
        super().__init__(self.facts, _find_info(self.table), chosen)
        self._seeds = itertools.count(int(chosen.get("seed", 0)))

    def new_initial_state(self, state: str | None = None) -> OpenSpielState:
        """Return the first state of an episode, with the next seed."""
        return OpenSpielState(self, Position(self.name, self._seeds))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> OpenSpielObserver:
        """Return an observer that fills a tensor and describes states."""
        return OpenSpielObserver(self.table, iig_obs_type)


class OpenSpielState(pyspiel.State):
    """A state of a registered game."""

    def __init__(self, game: OpenSpielGame, position: Position) -> None:
        """Create the state at a position."""
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for the end or a simultaneous turn."""
        saved = self.position.saved
        if saved.ended:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(saved.actor if saved.actor >= 0 else pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.table.legal_actions(self.position.saved, player)

    def _apply_action(self, action: int) -> None:
        self.position.play({self.position.saved.actor: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self.position.play(dict(enumerate(actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.table.describe_action(self.position.saved, player, action)

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self.position.saved.ended

    def returns(self) -> list[float]:
        """Return the outcomes of all players, zero before the end."""
        return list(self.position.saved.outcomes)

    def __str__(self) -> str:
        return self.position.table.describe(self.position.saved)


class OpenSpielObserver:
    """An observer of states, as `open_spiel.python.observation` describes it.

    Attributes:
        tensor: float32, the observation of the player that was last set, flat.
        dict: the same under the key "observation", in the layout's shape.
    """

    def __init__(self, table: Table, iig_obs_type: Any = None) -> None:
        """Create an observer. With perfect recall it only makes strings."""
        self._table = table
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        shape = table.one.batch.layout.observation_shape
        view = np.zeros(shape, np.float32)
        self.tensor = None if self._recalls else view.reshape(-1)
        self.dict = {} if self._recalls else {"observation": view}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        if self.tensor is not None:
            self.tensor[:] = self._table.observe(state.position.saved, player).reshape(-1)

    def string_from(self, state: OpenSpielState, player: int) -> str | None:
        """Return what a player sees as text; with perfect recall the history, if all see it."""
        if self._recalls:
            return str(state.history_str()) if _shows_history(self._table) else None
        if self._table.one.batch.game.info.perfect_information:
            return str(state)
        seen = self._table.observe(state.position.saved, player).reshape(-1)
        return " ".join(f"{value:g}" for value in seen.tolist())
