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

from axiom_gym.batch.types import Buffers
from axiom_gym.records import field_names
from axiom_gym.seeded_rng import SeededRNG, mix_seed

_CHANGING = frozenset({"reset_batch", "step_batch", "play_on", "play_others", "look_batch"})
"""After an error in one of these, some games of a batch have been played on and others have not."""


class PlainCalls:
    """The functions of a template with a game's parts in it; stands in for `CompiledCalls`.

    Exceptions of the rules come out as they are. The record of the game in whose `step` one was
    raised is as before.
    """

    def __init__(
        self, template: str, parts: Mapping[str, Callable[..., Any]], on_error: Callable[[], Any]
    ) -> None:
        """Takes the functions of `template`, with `parts` instead of the null kernel's.

        Args:
            template: name of the template's module, such as "axiom_gym.batch.driver".
            parts: for each name that the template imports from the null kernel, the function to use
                instead.
            on_error: called after an exception that leaves a batch half played on.
        """
        self._functions = _rebind(template, parts)
        self._on_error = on_error
        self._given: Buffers | None = None
        self._quick: Buffers | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The function `name`."""
        if name.startswith("_"):
            raise AttributeError(name)
        function = self._functions[name]
        tells = name in _CHANGING

        def call(*args: Any) -> Any:
            try:
                return function(*[self._quicken(a) if type(a) is Buffers else a for a in args])
            except BaseException:  # Ctrl-C, too, can come in the middle of a step
                if tells:
                    self._on_error()
                raise

        # Not kept here: it would hold itself, and with it the buffers, until Python looks for that.
        return call

    def bind(self, name: str, *_: Any) -> Callable[..., Any]:
        """The function `name`, as `CompiledCalls.bind` gives it."""
        bound: Callable[..., Any] = getattr(self, name)
        return bound

    def _quicken(self, buffers: Buffers) -> Buffers:
        """The same buffers, of which records need not be taken out anew at every look."""
        if self._given is not buffers:
            self._given = buffers
            rows: dict[str, Any] = {
                "states": _Rows(buffers.states),
                "episodes": _Rows(_rows_of(buffers.episodes)),
                "courses": _Rows(_rows_of(buffers.courses)),
            }
            self._quick = buffers._replace(**rows)
        assert self._quick is not None
        return self._quick


def random_bot(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Any
) -> None:
    """As `null_kernel.bot`, draw by draw, but not choice by choice: that is slow in Python.

    mask: (K, N) int8; orders: (K,) int64, written; draws from `stream.rng`, once per order.
    """
    rng = SeededRNG(stream.rng)
    for k in range(mask.shape[0]):
        legal = mask[k].nonzero()[0]
        n = rng.below(len(legal))
        if len(legal):
            orders[k] = legal[n]
    stream.rng = rng.state


def as_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python of a function that may be one for the compiler."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


def _rebind(template: str, parts: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """All names of a template's module, its functions as Python that sees `parts`."""
    found = dict(vars(importlib.import_module(template)))
    found.update((name, as_python(part)) for name, part in parts.items())
    if "step" in parts:
        found["step"] = _undone_by_errors(found["step"])
    if "mix_seed" in found:
        found["mix_seed"] = _mix_seed
    for name, value in list(found.items()):
        function = as_python(value) if callable(value) else value
        if isinstance(function, FunctionType) and function.__module__ == template:
            found[name] = FunctionType(function.__code__, found, name, function.__defaults__)
    return found


def _mix_seed(seed: int, salt: int) -> int:
    """As `mix_seed`, of a NumPy integer, which would warn when it wraps."""
    return mix_seed(int(seed), salt)


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


class _Rows(list[Any]):
    """The records of an array (B,), taken out once."""

    shape: tuple[int, ...]

    def __init__(self, rows: Iterable[Any]) -> None:
        super().__init__(rows)
        self.shape = (len(self),)


def _rows_of(records: npt.NDArray[Any]) -> list[Any]:
    """The records of an array (B,) with fields as attributes, several times as quick as NumPy's.

    A field of one number is looked up in a view of it; one of several numbers is that view.
    """
    names = field_names(records.dtype)
    arrays = {name: records[name] for name in names}
    single = [name for name in names if arrays[name].ndim == 1]
    members = {name: _number(f"_{name}") for name in single}
    kind = type(
        "Row", (), {"__slots__": [f"_{n}" if n in members else n for n in names], **members}
    )
    rows = []
    for i in range(len(records)):
        row = kind()
        for name, array in arrays.items():
            setattr(row, f"_{name}" if name in members else name, array[i, ...])
        rows.append(row)
    return rows


def _number(slot: str) -> property:
    """A field of one number, whose view () is in `slot`."""

    def get(row: Any) -> Any:
        return getattr(row, slot)[()]

    def put(row: Any, value: Any) -> None:
        getattr(row, slot)[()] = value

    return property(get, put)
