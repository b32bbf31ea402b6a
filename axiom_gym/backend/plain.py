"""Runs a game whose rules are plain Python in the same templates, of which nothing is compiled.

The functions of a template are taken as they stand, as Python, and look their globals up in a copy
of the template's, in which the game's functions stand in the place of the null kernel's. So what
`axiom_gym.batch.driver` decides is decided there for these games too, and gives the same bits.

Such a game may keep live objects beside its records, on `params`. They are a cache: a record alone
says everything, and what is not at hand is made from it. See `KernelGame.compiled`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.game.history import quick_fields
from axiom_gym.seeded_rng import SeededRNG, mix_seed

_CHANGING = frozenset(
    {
        "reset_batch",
        "step_batch",
        "play_opponents",
        "play_opponent_actions",
        "write_views_batch",
    }
)
"""After an error in one of these, some games of a batch have been played on and others have not."""


class PlainCalls:
    """The functions of a template with a game's parts in it; stands in for `CompiledCalls`.

    Exceptions of the rules come out as they are. The record of the game in whose `step` one was
    raised is as before.
    """

    def __init__(
        self,
        template: str,
        parts: Mapping[str, Callable[..., Any]],
        on_error: Callable[[], Any],
        quicken: Callable[[tuple[Any, ...]], Iterable[Any]],
    ) -> None:
        """Takes the functions of `template`, with `parts` instead of the null kernel's.

        Args:
            template: name of the template's module, such as "axiom_gym.batch.driver".
            parts: for each name that the template imports from the null kernel, the function to use
                instead.
            on_error: called after an exception that leaves a batch half played on.
            quicken: gets the arguments of each call; may replace some by equivalents that Python
                reads faster.
        """
        self._functions = _rebind(template, parts)
        self._on_error = on_error
        self._quicken = quicken

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The function `name`."""
        if name.startswith("_"):
            raise AttributeError(name)
        function = self._functions[name]
        tells = name in _CHANGING

        def call(*args: Any) -> Any:
            try:
                return function(*self._quicken(args))
            except BaseException:  # Ctrl-C, too, can come in the middle of a step
                if tells:
                    self._on_error()
                raise

        # Not kept here: it would hold itself, and with it the buffers, until Python looks for that.
        return call

    def bind(self, name: str, *args: Any) -> Callable[..., Any]:
        """Return the function `name` in a form that is to be called with these very buffers."""
        function, tells, on_error = self._functions[name], name in _CHANGING, self._on_error
        quick = list(self._quicken(args))
        (place,) = [
            k for k, (old, new) in enumerate(zip(args, quick, strict=True)) if new is not old
        ]
        buffers, after = quick[place], place + 1

        def call(*args: Any) -> Any:
            try:
                return function(*args[:place], buffers, *args[after:])
            except BaseException:
                if tells:
                    on_error()
                raise

        return call


def random_bot(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, sub_actions: Any, params: Any
) -> None:
    """As `null_kernel.bot`, draw by draw, but not choice by choice: that is slow in Python.

    mask: (K, N) int8; sub_actions: (K,) int64, written; draws from `stream.rng`, once per
    sub-action.
    """
    fields = quick_fields(stream)
    rng = SeededRNG(fields.rng)
    for k in range(mask.shape[0]):
        legal = mask[k].nonzero()[0]
        n = rng.below(len(legal))
        if len(legal):
            sub_actions[k] = legal[n]
    fields.rng = rng.state


def as_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python of a function that may be one for the compiler."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


def _rebind(template: str, parts: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return the names of a template's module, its functions as Python that calls `parts`.

    Functions of the template's room, which it imports, also call the short cuts of this module.
    """
    found = dict(vars(importlib.import_module(template)))
    found.update((name, as_python(part)) for name, part in parts.items())
    if "step" in parts and not getattr(parts["step"], "writes_last", False):
        found["step"] = _undone_by_errors(found["step"])
    quick: dict[str, Any] = {"add_rewards": _add_rewards, "mix_seed": _mix_seed}
    if "collect_sub_actions" in found:
        collect = as_python(found["collect_sub_actions"])
        quick["collect_sub_actions"] = _for_one_sub_action(collect)
    found.update(quick)
    room = template.rpartition(".")[0]
    for name, value in list(found.items()):
        function = as_python(value) if callable(value) else value
        if isinstance(function, FunctionType) and function.__module__.startswith(f"{room}."):
            is_own = function.__module__ == template
            names = found if is_own else {**function.__globals__, **quick}
            found[name] = FunctionType(function.__code__, names, name, function.__defaults__)
    return found


def _mix_seed(seed: int, salt: int) -> int:
    """As `mix_seed`, of a NumPy integer, which would warn when it wraps."""
    return mix_seed(int(seed), salt)


def _add_rewards(total: npt.NDArray[np.float32], rewards: npt.NDArray[np.float32]) -> None:
    """As `add_rewards`, at once; most decisions bring nothing."""
    if any(rewards.tolist()):
        total += rewards


def _for_one_sub_action(collect_sub_actions: Callable[..., bool]) -> Callable[..., bool]:
    """Return `collect_sub_actions` with a short cut for a single legal sub-action."""

    def collect(i: int, buffers: Any, sub_actions: npt.NDArray[np.int64]) -> bool:
        if sub_actions.size == 1:
            action = buffers.action_cells[i, 0, 0]
            if 0 <= action < buffers.choices and buffers.mask_cells[i, 0, 0, action]:
                sub_actions[0, 0] = action
                return False
        return collect_sub_actions(i, buffers, sub_actions)

    return collect


def _undone_by_errors(step: Callable[..., int]) -> Callable[..., int]:
    """A kernel's `step`, which puts the record back where it raises."""

    def call(state: Any, actions: Any, rewards: Any, events: Any, params: Any) -> int:
        before = state.copy()
        try:
            return step(state, actions, rewards, events, params)
        except BaseException:
            state.setfield(before, before.dtype)
            raise

    return call
