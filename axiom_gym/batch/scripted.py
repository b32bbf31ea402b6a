"""The code that plays a game: the driver of a batch, and what lets scripted players act in it.

It is compiled, or for games that are plain Python the same as plain Python.

Axis letters: B games, P players.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.backend import null_kernel
from axiom_gym.backend.codegen import CompiledCalls
from axiom_gym.backend.plain import PlainCalls, random_bot
from axiom_gym.batch.quick_rows import Quicken
from axiom_gym.batch.types import Buffers, Options, Scratch
from axiom_gym.errors import ConfigError, RegistrationError, UnknownOpponentError
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import KERNEL_FUNCTIONS, OPTIONAL_FUNCTIONS

RANDOM = "random"
"""The scripted player that every game has."""

Act = Callable[..., None]
Calls = CompiledCalls | PlainCalls


def load_calls(game: KernelGame, on_error: Callable[[], Any], bot: str = RANDOM) -> Calls:
    """The loop over a batch of this game, compiled if the game is.

    Args:
        game: the game.
        on_error: called after an exception of plain Python rules in the middle of a step.
        bot: who plays in the loop's `play_opponents`.

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
    return _load_template("axiom_gym.batch.driver", parts, game, bot, on_error)


def _load_template(
    template: str,
    parts: dict[str, Callable[..., Any]],
    game: KernelGame,
    bot: str,
    on_error: Callable[[], Any],
) -> Calls:
    """The template with these parts."""
    if not game.compiled:
        return PlainCalls(template, parts, on_error, Quicken())
    label = game.info.name if bot == RANDOM and "step" in parts else f"{game.info.name}_{bot}"
    return CompiledCalls(template, parts, label, [game.kernel().__name__])


def _find_bot(game: KernelGame, bot: str) -> Callable[..., Any]:
    """The bot's function."""
    if bot != RANDOM and bot not in game.bots:
        raise UnknownOpponentError(f"bot of {game.info.name}", bot, [RANDOM, *game.bots])
    if bot == RANDOM:
        return null_kernel.bot if game.compiled else random_bot
    found = game.bots[bot]
    if callable(found):
        return found
    module, _, name = found.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


class ScriptedPlayers:
    """The calls of a batch's scripted players, each loaded when it is first asked for."""

    def __init__(
        self, game: KernelGame, buffers: Buffers, params: Any, on_error: Callable[[], Any]
    ) -> None:
        """For the batch of a game with these buffers and parameters; see `load_calls`."""
        self._game = game
        self._buffers = buffers
        self._params = params
        self._on_error = on_error
        self._acts: dict[str, Act] = {}
        self._play_opponents: dict[str, Act] = {}

    def load_act(self, bot: str, seats: npt.NDArray[np.int16]) -> Act:
        """`bot_driver.act_batch` with this bot. seats: (B, P) int16."""
        self._check_seats(seats)
        if bot not in self._acts:
            parts = {"bot": _find_bot(self._game, bot)}
            template = "axiom_gym.batch.bot_driver"
            calls = _load_template(template, parts, self._game, bot, self._on_error)
            arguments = (0, 0, seats, 0, self._buffers, self._params)
            self._acts[bot] = calls.bind("act_batch", *arguments)
        return self._acts[bot]

    def load_play_opponents(
        self, bot: str, seats: npt.NDArray[np.int16], scratch: Scratch, options: Options
    ) -> Act:
        """`driver.play_opponents` with this bot. seats: (B, P) int16."""
        if bot not in self._play_opponents:
            self._check_seats(seats)
            arguments = (0, 0, seats, 0, self._buffers, scratch, options, self._params)
            calls = load_calls(self._game, self._on_error, bot)
            self._play_opponents[bot] = calls.bind("play_opponents", *arguments)
        return self._play_opponents[bot]

    def _check_seats(self, seats: npt.NDArray[np.int16]) -> None:
        shape = self._buffers.rewards.shape
        if seats.dtype != np.int16 or seats.shape != shape or not seats.flags.c_contiguous:
            raise ConfigError(f"seats must be a contiguous int16 array of shape {shape}.")
