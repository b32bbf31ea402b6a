"""The events of single turns as text, found by playing each turn once more with an event log."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from axiom_gym.backend.codegen import compile_function
from axiom_gym.backend.plain import as_python
from axiom_gym.event_log import MOST_ROWS
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVENT_COLUMNS


class TurnEvents:
    """The events of a game's turns as text; nothing is loaded before the first turn."""

    def __init__(self, game: KernelGame, config: Any, compiled: bool = True) -> None:
        """Prepare the description of turns.

        Args:
            game: the game.
            config: its configuration.
            compiled: if False, the rules run as plain Python, which is slower by turn and spares
                the compilation.
        """
        self._game, self._config = game, config
        self._compiled = compiled and game.compiled
        self._step: Any = None

    def describe(self, before: Any, actions: Sequence[Sequence[int]]) -> list[str]:
        """Return the sentences of a turn.

        Args:
            before: the state record before the turn; the turn is played on it, in place.
            actions: (V, K), the sub-actions of the players who acted.
        """
        game = self._game
        if game.describe_turn is not None:
            return game.describe_turn(before, actions)
        if game.describe_event is None:
            return []
        rows = self._play(before, actions)
        return [text for text in (game.describe_event(before, row) for row in rows) if text]

    def _play(self, before: Any, actions: Sequence[Sequence[int]]) -> list[list[int]]:
        if self._step is None:
            step, label = self._game.kernel().step, f"{self._game.info.name}_logged"
            self._step = compile_function(step, label) if self._compiled else as_python(step)
            self._params = self._game.params(self._config)
        events = np.zeros((MOST_ROWS, EVENT_COLUMNS), np.int16)
        rewards = np.zeros(len(self._game.agents(self._config)), np.float32)
        with warnings.catch_warnings():
            # Integers of a fixed size wrap around in plain Python as in compiled code.
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            self._step(before, np.array(actions, np.int64), rewards, events, self._params)
        rows: list[list[int]] = events[1 : 1 + int(events[0, 0])].tolist()
        return rows
