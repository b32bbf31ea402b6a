"""The compiled code of a game: the driver of a batch, and what lets scripted players act in it.

Axis letters: B games, P players.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym import null_kernel
from axiom_gym.batch_types import Buffers, Rules, Scratch
from axiom_gym.codegen import CompiledCalls
from axiom_gym.errors import ConfigError, RegistrationError, UnknownOpponentError
from axiom_gym.game import KernelGame
from axiom_gym.kernel import KERNEL_FUNCTIONS, OPTIONAL_FUNCTIONS

RANDOM = "random"
"""The scripted player that every game has."""

Compiled = Callable[..., None]


def load_driver(game: KernelGame, bot: str = RANDOM) -> CompiledCalls:
    """The compiled loop over a batch of this game; `bot` is who plays in its `play_on`.

    Raises:
        RegistrationError: for a sequential game whose kernel does not say whose turn it is.
        UnknownOpponentError: if the game has no such bot.
    """
    kernel = game.kernel()
    if game.is_sequential and not hasattr(kernel, "acting"):
        raise RegistrationError(
            f"{game.info.name} is sequential; its kernel must have the function acting."
        )
    parts = {name: getattr(kernel, name) for name in KERNEL_FUNCTIONS}
    for name in OPTIONAL_FUNCTIONS:
        parts[name] = getattr(kernel, name, getattr(null_kernel, name))
    parts["bot"] = _find_bot(game, bot)
    label = game.info.name if bot == RANDOM else f"{game.info.name}_{bot}"
    return CompiledCalls("axiom_gym.driver", parts, label)


def _find_bot(game: KernelGame, bot: str) -> Callable[..., Any]:
    """The bot's function."""
    if bot != RANDOM and bot not in game.bots:
        raise UnknownOpponentError(f"bot of {game.info.name}", bot, [RANDOM, *game.bots])
    target = "axiom_gym.null_kernel:bot" if bot == RANDOM else game.bots[bot]
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


class ScriptedPlayers:
    """The compiled calls of a batch's scripted players, each loaded when it is first asked for."""

    def __init__(self, game: KernelGame, buffers: Buffers, params: Any) -> None:
        """For the batch of a game with these buffers and parameters."""
        self._game = game
        self._buffers = buffers
        self._params = params
        self._acts: dict[str, Compiled] = {}
        self._play_ons: dict[str, Compiled] = {}

    def load_act(self, bot: str, seats: npt.NDArray[np.int16]) -> Compiled:
        """`bot_driver.act_batch` with this bot. seats: (B, P) int16."""
        self._check_seats(seats)
        if bot not in self._acts:
            parts = {"bot": _find_bot(self._game, bot)}
            calls = CompiledCalls("axiom_gym.bot_driver", parts, f"{self._game.info.name}_{bot}")
            arguments = (0, 0, seats, 0, self._buffers, self._params)
            self._acts[bot] = calls.bind("act_batch", *arguments)
        return self._acts[bot]

    def load_play_on(
        self, bot: str, seats: npt.NDArray[np.int16], scratch: Scratch, rules: Rules
    ) -> Compiled:
        """`driver.play_on` with this bot. seats: (B, P) int16."""
        if bot not in self._play_ons:
            self._check_seats(seats)
            arguments = (0, 0, seats, 0, self._buffers, scratch, rules, self._params)
            calls = load_driver(self._game, bot)
            self._play_ons[bot] = calls.bind("play_on", *arguments)
        return self._play_ons[bot]

    def _check_seats(self, seats: npt.NDArray[np.int16]) -> None:
        shape = self._buffers.rewards.shape
        if seats.dtype != np.int16 or seats.shape != shape or not seats.flags.c_contiguous:
            raise ConfigError(f"seats must be a contiguous int16 array of shape {shape}.")

    def __getstate__(self) -> dict[str, Any]:
        """Without what belongs to this process: compiled code."""
        return {**self.__dict__, "_acts": {}, "_play_ons": {}}
