"""Games for OpenSpiel's algorithms: `register` makes a game known to `pyspiel.load_game`.

Actions are numbers: those of the environments' option `actions="joint"`. A game whose players act
at once is a simultaneous game; `pyspiel.load_game_as_turn_based` makes it sequential. A game for
one player is sequential. Rewards are terminal: the outcome of the game. Eliminated players keep one
legal action, without effect.

A game with chance is sampled stochastic: it has no chance nodes, and applying an action draws. The
generator is part of the state, so a clone draws the same numbers as the original, and a search in
such a game knows them in advance. Each new initial state takes the next seed, from the game's
parameter `seed` upward.

States are copies of the kernel's record. `State.clone`, `State.serialize` and
`Game.deserialize_state` copy it exactly, with its generator.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.adapters.one_game import OneGame
from axiom_gym.errors import ConfigError, IncompatibleGameError
from axiom_gym.game.facts import GameLike
from axiom_gym.game.joint import MOST_JOINT_ACTIONS
from axiom_gym.kernel import EVERYONE
from axiom_gym.registry.games import get_game

__all__ = ["Position", "Saved", "Table", "find_table", "register"]

_ARRAYS = ("states", "episodes", "rewards", "terminated", "truncated")
"""The buffers of a batch that make up a position; all others follow from them."""

_tables: dict[str, Table] = {}


class Saved(NamedTuple):
    """A position, which never changes."""

    arrays: tuple[npt.NDArray[Any], ...]
    """Copies of `_ARRAYS`."""
    actor: int
    """The seat to act; EVERYONE if all act at once."""
    ended: bool
    """True if the rules or a limit ended the game."""
    outcomes: tuple[float, ...]
    """The outcomes of all players, zero before the end."""


class Table:
    """A game that is loaded with one position after another.

    Attributes:
        one: the game.
        num_players: the number of players.
        num_actions: the number of actions of a player.
        is_sequential: True if players act one at a time, or there is only one.
    """

    def __init__(self, game: GameLike, **options: Any) -> None:
        """Build the game.

        Raises:
            IncompatibleGameError: if a turn has more than `MOST_JOINT_ACTIONS` joint actions.
            ConfigError: for an option that is not allowed.
        """
        for name in ("actions", "mask_in", "dropouts", "on_illegal", "max_cycles"):
            if name in options:
                raise ConfigError(f"a game of OpenSpiel has no option {name!r}; leave it out.")
        settings: dict[str, Any] = {"actions": "joint", "mask_in": "info", "dropouts": "stay"}
        self.one = OneGame(get_game(game), on_illegal="raise", **settings, **options)
        batch = self.one.batch
        self.num_players = batch.num_players
        self.num_actions = math.prod(batch.layout.num_choices)
        if self.num_actions > MOST_JOINT_ACTIONS:
            raise IncompatibleGameError(
                f"{batch.game.info.name} has {self.num_actions} joint actions with these options; "
                f"OpenSpiel numbers them, which is supported up to {MOST_JOINT_ACTIONS}."
            )
        self.is_sequential = self.one.is_sequential or self.num_players == 1
        self._loaded: Saved | None = None

    def start(self, seed: int) -> Saved:
        """Return the first position of an episode with this seed."""
        self.one.begin(seed)
        return self._save()

    def play(self, saved: Saved, actions: Mapping[int, int]) -> Saved:
        """Return the position after a turn. actions: by seat, of all who are to act.

        Raises:
            ActionError: for an action out of range.
            IllegalActionError: for an illegal action.
        """
        self.load(saved)
        agents, read = self.one.batch.agents, self.one.form.read
        rows = {seat: read(agents[seat], int(action)) for seat, action in actions.items()}
        for seat, sub_actions in rows.items():
            self.one.sub_actions[seat][:] = sub_actions
        self.one.step()
        return self._save()

    def legal_actions(self, saved: Saved, seat: int) -> list[int]:
        """Return a player's legal actions in ascending order, [] if it is not to act."""
        if saved.ended or saved.actor not in (seat, EVERYONE):
            return []
        self.load(saved)
        legal: list[int] = np.flatnonzero(self.one.mask(seat)).tolist()
        return legal

    def observe(self, saved: Saved, seat: int) -> npt.NDArray[np.float32]:
        """Return what a player sees."""
        self.load(saved)
        seen: npt.NDArray[np.float32] = self.one.observe(seat)
        return seen

    def describe_action(self, saved: Saved, seat: int, action: int) -> str:
        """Return the number of an action and its meaning in this position, such as "3: drop d"."""
        batch = self.one.batch
        sub_actions = self.one.form.read(batch.agents[seat], int(action))
        text = batch.game.describe_action(saved.arrays[0][0], seat, sub_actions)
        return f"{action}: {text}"

    def describe(self, saved: Saved) -> str:
        """Return the position as text."""
        return self.one.batch.game.describe_state(saved.arrays[0][0])

    def load(self, saved: Saved) -> None:
        """Put a position into the batch."""
        if saved is self._loaded:
            return
        one = self.one
        if not one.started:
            one.begin(0)
        for name, array in zip(_ARRAYS, saved.arrays, strict=True):
            getattr(one.batch.buffers, name)[...] = array
        one.batch.refresh()
        one.refresh()
        self._loaded = saved

    def _save(self) -> Saved:
        """Return the batch's position."""
        one = self.one
        ended = any(one.find_end())
        outcomes = one.batch.outcomes()[0].tolist() if ended else [0.0] * self.num_players
        actor = one.acting.item() if one.is_sequential else EVERYONE
        arrays = tuple(getattr(one.batch.buffers, name).copy() for name in _ARRAYS)
        self._loaded = Saved(
            arrays, 0 if self.num_players == 1 else actor, ended, tuple(map(float, outcomes))
        )
        return self._loaded


def find_table(name: str) -> Table:
    """Return the table of a game that was registered with OpenSpiel under this name.

    Raises:
        ConfigError: if it was not registered in this process.
    """
    if name not in _tables:
        raise ConfigError(f"{name!r} is not registered here: call register() with its options.")
    return _tables[name]


class Position:
    """The position of a state of OpenSpiel, which starts an episode when it is first needed.

    OpenSpiel makes an initial state for each clone, before it copies the attributes.
    """

    def __init__(self, name: str, seeds: Iterator[int], saved: Saved | None = None) -> None:
        """Create a position. seeds: where the seed comes from if there is no position `saved`."""
        self._name = name
        self._seeds = seeds
        self._saved = saved

    @property
    def table(self) -> Table:
        """The game."""
        return find_table(self._name)

    @property
    def saved(self) -> Saved:
        """The position itself."""
        if self._saved is None:
            self._saved = self.table.start(next(self._seeds) % 2**32)
        return self._saved

    def play(self, actions: Mapping[int, int]) -> None:
        """Play a turn; arguments and errors as for `Table.play`."""
        self._saved = self.table.play(self.saved, actions)

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return Position(self._name, self._seeds, self.saved)

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self._name, iter(()), self.saved)


def register(
    game: GameLike,
    *,
    preset: str | None = None,
    short_name: str | None = None,
    max_turns: int | None = None,
    **options: Any,
) -> str:
    """Register a game with OpenSpiel and return its name for `pyspiel.load_game`.

    Args:
        game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
        preset: the name of a configuration of the game.
        short_name: the name in OpenSpiel; None for "axiom_" and the game's own. A name that is
            registered again is replaced for games that are loaded afterwards.
        max_turns: the number of turns after which an episode ends; None for the rules' limit, or
            1000 if they have none.
        **options: the game's own options.

    Raises:
        ConfigError: if OpenSpiel is not installed, or for a value that is not allowed.
        IncompatibleGameError: if a turn has more than `MOST_JOINT_ACTIONS` joint actions.
    """
    if importlib.util.find_spec("pyspiel") is None:
        raise ConfigError("this needs OpenSpiel: pip install 'axiom-gym[openspiel]'.")
    loaded = get_game(game)
    if max_turns is None:
        max_turns = 0 if loaded.info.max_length else 1000
    table = Table(loaded, preset=preset, max_turns=max_turns, **options)
    name = short_name or f"axiom_{loaded.info.name}"
    _tables[name] = table
    from axiom_gym.adapters import openspiel_game

    openspiel_game.register_table(name, table)
    return name
