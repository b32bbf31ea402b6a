"""The driver templates as plain Python, for games whose rules are plain Python.

The functions of a template run uncompiled. Their globals are a copy of the template's globals in
which the game's functions replace those of the null kernel. Therefore `axiom_gym.batch.driver`
defines episodes for these games too, and gives the same bits.

Such a game may keep live objects on `params` as a cache. The records alone define its state, and
missing objects are rebuilt from them. See `KernelGame.compiled`.
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
"""The functions after whose errors only some games of a batch have moved on."""


class PlainCalls:
    """The functions of a template with the functions of a game; the plain form of `CompiledCalls`.

    Exceptions of the rules are passed on. If `step` raises, the record of that game is unchanged.
    """

    def __init__(
        self,
        template: str,
        parts: Mapping[str, Callable[..., Any]],
        on_error: Callable[[], Any],
        quicken: Callable[[tuple[Any, ...]], Iterable[Any]],
    ) -> None:
        """Load the functions of `template`, with `parts` instead of the null kernel's.

        Args:
            template: the name of the template's module, such as "axiom_gym.batch.driver".
            parts: for each name that the template imports from the null kernel, the function to use
                instead.
            on_error: a callback for exceptions after which only some games have moved on.
            quicken: a function that takes the arguments of a call, and replaces the buffers by
                equivalent ones that Python reads faster.
        """
        self._functions = _rebind(template, parts)
        self._on_error = on_error
        self._quicken = quicken

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return the function `name`."""
        if name.startswith("_"):
            raise AttributeError(name)
        # Not kept as an attribute: the reference cycle would delay the release of the buffers.
        return self._make_call(name, self._quicken)

    def bind(self, name: str, *args: Any) -> Callable[..., Any]:
        """Return a form of the function `name` that always uses the buffers in `args`."""
        quick = list(self._quicken(args))
        (place,) = [
            k for k, (old, new) in enumerate(zip(args, quick, strict=True)) if new is not old
        ]
        buffers, after = quick[place], place + 1
        return self._make_call(name, lambda args: (*args[:place], buffers, *args[after:]))

    def _make_call(
        self, name: str, quicken: Callable[[tuple[Any, ...]], Iterable[Any]]
    ) -> Callable[..., Any]:
        function, on_error = self._functions[name], self._on_error

        def call(*args: Any) -> Any:
            try:
                return function(*quicken(args))
            except BaseException:  # Ctrl-C, too, can come in the middle of a step
                if name in _CHANGING:
                    on_error()
                raise

        return call


def random_bot(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, sub_actions: Any, params: Any
) -> None:
    """Draw each sub-action as `null_kernel.bot` does, without its loop over choices.

    mask: (K, N) int8. sub_actions: (K,) int64, written. Each sub-action takes one draw from
    `stream.rng`.
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
    """Return the Python function of a function that may be compiled."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


def _rebind(template: str, parts: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return the names of a template's module, its functions as Python that calls `parts`.

    Functions of the template's room, which it imports, also call the shortcuts of this module.
    """
    found = dict(vars(importlib.import_module(template)))
    found.update((name, as_python(part)) for name, part in parts.items())
    if "step" in parts and not getattr(parts["step"], "writes_last", False):
        found["step"] = _undone_by_errors(found["step"])
    quick: dict[str, Any] = {"add_rewards": _add_rewards, "clear": _clear, "mix_seed": _mix_seed}
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
    """Return `mix_seed` of a NumPy integer without the warning about overflow."""
    return mix_seed(int(seed), salt)


def _clear(values: npt.NDArray[Any]) -> None:
    """Set every entry to 0 as `clear` does, in one operation of NumPy."""
    values.fill(0)


def _add_rewards(total: npt.NDArray[np.float32], rewards: npt.NDArray[np.float32]) -> None:
    """Add rewards as `add_rewards` does, in one operation of NumPy."""
    total += rewards


def _for_one_sub_action(collect_sub_actions: Callable[..., bool]) -> Callable[..., bool]:
    """Return `collect_sub_actions` with a shortcut for a single legal sub-action."""

    def collect(i: int, buffers: Any, sub_actions: npt.NDArray[np.int64]) -> bool:
        if sub_actions.size == 1:
            action = buffers.action_cells[i, 0, 0]
            if 0 <= action < buffers.choices and buffers.mask_cells[i, 0, 0, action]:
                sub_actions[0, 0] = action
                return False
        return collect_sub_actions(i, buffers, sub_actions)

    return collect


def _undone_by_errors(step: Callable[..., int]) -> Callable[..., int]:
    """Return a kernel's `step` that restores the record if it raises."""

    def call(state: Any, actions: Any, rewards: Any, events: Any, params: Any) -> int:
        before = state.copy()
        try:
            return step(state, actions, rewards, events, params)
        except BaseException:
            state.setfield(before, before.dtype)
            raise

    return call
