"""The rules of a plain Python game with its options and players, as the driver plays them."""

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
"""Decisions after which an episode is truncated where nothing else is said."""

MOST_MASKS = 4096
"""Masks that are kept, since most come again."""

_NARROW = 2**15
"""Actions that an int16 can number."""


class Rules:
    """A game with its options and players: what its sessions are made of.

    Attributes:
        game: the rules.
        players, ids: by seat.
        options: all that the game is told.
        fingerprint: of the configuration.
        get_rewards: what an action was worth, if the game says so.
        catalogue: the actions by number.
        encoder: of observations.
        limit: decisions after which an episode is truncated.
        room: entries of the log that a record has.
    """

    def __init__(self, bridge: Bridge, config: Any) -> None:
        """Find actions and shapes, unless the bridge knows them."""
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
        """Return (N,) with 1 at these numbers, which is not to be changed."""
        mask = self._masks.get(numbers)
        if mask is None:
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            mask = self._masks[numbers] = np.zeros(max(self.catalogue.counts), np.int8)
            mask[list(numbers)] = 1
        return mask

    @property
    def is_narrow(self) -> bool:
        """Whether an int16 can number all actions."""
        return max(self.catalogue.counts) <= _NARROW

    def start(self, seed: int) -> MatchProgress[Any, Any]:
        """Return an episode that has just begun."""
        return MatchProgress(self.game, self.players, self.options, seed=seed)


def _own_limit(state: Any) -> int:
    limit = getattr(state, "max_turns", 0)
    return limit if isinstance(limit, int) else 0
