"""A plain Python game with fixed options and players, and its actions and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from axiom_gym.game.encoding import Encoder
from axiom_gym.game.facts import Game, Player
from axiom_gym.game.history import LARGEST_ENTRY
from axiom_gym.game.progress import MatchProgress

if TYPE_CHECKING:
    from axiom_gym.game.bridge import Bridge

MOST_DECISIONS = 2000
"""The default of the decisions after which an episode is truncated."""

MOST_MASKS = 4096
"""The most masks in the cache; most masks occur again."""

_NARROW = 2**15
"""The most actions whose numbers fit into int16."""


class Rules:
    """A game with its options and players, from which sessions are made.

    Attributes:
        game: the game.
        name: the name of the game.
        players, ids: the players and their ids, by seat.
        options: the options of the game.
        fingerprint: the hash of the configuration.
        get_rewards: the function that gives rewards; None if they follow from the places.
        view: the game's method `view`; None if it has none.
        catalogue: the numbers of actions.
        encoder: the encoder of observations.
        limit: the decisions after which an episode is truncated.
        room: the log entries of a record.
    """

    def __init__(self, bridge: Bridge, config: Any) -> None:
        """Find the actions, unless the bridge knows them, and the shapes."""
        self.game: Game[Any, Any] = bridge.make()
        self.name = self.game.metadata.name
        self.ids = bridge.ids(config)
        self.players = tuple(map(Player, self.ids))
        self.options = bridge.options(config)
        self.fingerprint = bridge.fingerprint(config)
        self.get_rewards = bridge.rewards or getattr(self.game, "get_rewards", None)
        self.view = getattr(self.game, "view", None)
        self.catalogue = bridge.find_catalogue(self)
        first = self.start(0).state
        self.encoder = Encoder(self.game, self.players, first)
        self.limit = getattr(config, "max_decisions", 0) or max(MOST_DECISIONS, _own_limit(first))
        self.room = self.limit + LARGEST_ENTRY
        self._masks: dict[tuple[int, ...], npt.NDArray[np.int8]] = {}

    def make_mask(self, numbers: tuple[int, ...]) -> npt.NDArray[np.int8]:
        """Return a mask (N,) with 1 at these numbers; callers must not change it."""
        mask = self._masks.get(numbers)
        if mask is None:
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            mask = self._masks[numbers] = np.zeros(max(self.catalogue.counts), np.int8)
            mask[list(numbers)] = 1
        return mask

    @property
    def is_narrow(self) -> bool:
        """True if the numbers of all actions fit into int16."""
        return max(self.catalogue.counts) <= _NARROW

    def start(self, seed: int) -> MatchProgress[Any, Any]:
        """Return a match that has just begun."""
        return MatchProgress(self.game, self.players, self.options, seed=seed)


def _own_limit(state: Any) -> int:
    limit = getattr(state, "max_turns", 0)
    return limit if isinstance(limit, int) else 0
