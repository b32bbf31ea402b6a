"""Loading the code that plays a game: the driver of a batch, and the loops of scripted players.

It is compiled, or runs as plain Python for games in plain Python.

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
    """Return the driver for this game, compiled if the game is.

    Args:
        game: the game.
        on_error: the function to call after an exception in plain Python rules during a step.
        bot: the scripted player in the driver's `play_opponents`.

    Raises:
        RegistrationError: if the kernel of a sequential game has no function `acting`.
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
    """Load a template in which `parts` replace the functions that it imports."""
    if not game.compiled:
        return PlainCalls(template, parts, on_error, Quicken())
    label = game.info.name if bot == RANDOM and "step" in parts else f"{game.info.name}_{bot}"
    return CompiledCalls(template, parts, label, [game.kernel().__name__])


def _find_bot(game: KernelGame, bot: str) -> Callable[..., Any]:
    """Return the function of a bot."""
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
    """The functions of a batch's scripted players; each is loaded at its first use."""

    def __init__(
        self, game: KernelGame, buffers: Buffers, params: Any, on_error: Callable[[], Any]
    ) -> None:
        """Serve the batch with these buffers and parameters; see `load_calls` for `on_error`."""
        self._game, self._buffers, self._params = game, buffers, params
        self._on_error = on_error
        self._acts: dict[str, Act] = {}
        self._play_opponents: dict[str, Act] = {}

    def load_act(self, bot: str, seats: npt.NDArray[np.int16]) -> Act:
        """Return `bot_driver.act_batch` with this bot. seats: (B, P) int16."""
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
        """Return `driver.play_opponents` with this bot. seats: (B, P) int16."""
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
