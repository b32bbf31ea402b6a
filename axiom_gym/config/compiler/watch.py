"""The supervision of a callable while it is traced.

A trace is right only if the callable does the same in every call: no chance, no clock, nothing that
it remembers. Python's profiler reports every function that runs, Python's own and the user's. Each
of the user's is scanned for what symbols do not see, and each of Python's must be one that is known
to depend on its arguments only.
"""

from __future__ import annotations

import builtins
import gc
import operator
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.purity import Memory, is_library
from axiom_gym.config.compiler.scan import Operand, resolve, scan
from axiom_gym.config.compiler.substitutes import replacing

_OURS = "axiom_gym.config.compiler."
_SEEN_OURS = ("axiom_gym.config.expressions", "axiom_gym.config.compiler.substitutes")
"""Modules of ours that call the callable's own functions, and are watched like these."""

_PURE_MODULES = frozenset(
    [
        *("builtins", "math", "cmath", "_operator", "itertools", "_functools", "_collections"),
        *("_bisect", "_heapq", "_statistics", "_abc", "re", "_sre", "_string", "enum", "types"),
    ]
)
_IMPURE_BUILTINS = frozenset(
    [
        *("input", "open", "id", "hash", "print", "exec", "eval", "compile"),
        *("globals", "locals", "vars", "breakpoint", "__import__"),
    ]
)
_HIDDEN = frozenset([operator.is_, operator.is_not])
"""Functions that are refused as soon as they are named."""
_CHANCE = frozenset(["random", "_random", "secrets", "uuid", "_uuid"])
_CLOCKS = frozenset(["time", "datetime", "_datetime", "calendar"])
_LIBRARY = str(Path(os.__file__).parent) + os.sep
_PACKAGES = f"{os.sep}site-packages{os.sep}"
_CATCHABLE = (ArithmeticError, LookupError, ValueError, AssertionError, StopIteration)


class RestartError(BaseException):
    """All paths of the callable must be followed again, with more care."""


class Watch:
    """The supervision of one callable.

    Args:
        graph: the graph, whose `identities` and `raising` are set as the callable needs.
        memory: the pictures of what the callable can remember.

    Attributes:
        must_restart: whether the paths must be followed again.
    """

    def __init__(self, graph: Graph, memory: Memory) -> None:
        self._graph = graph
        self._memory = memory
        self._codes: set[CodeType] = set()
        self._ours: FrameType | None = None
        self.must_restart = False

    def call(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Call the callable under supervision.

        Raises:
            TraceError: if it does something that no trace can see.
            RestartError: if it needs more care than was taken so far.
        """
        self._codes.clear()
        self._ours, self.must_restart = None, False
        earlier, collects = sys.getprofile(), gc.isenabled()
        gc.disable()  # its callbacks would be taken for functions of the callable
        with replacing() as self._replace:
            sys.setprofile(self._observe)
            try:
                return function(*arguments)
            finally:
                sys.setprofile(earlier)
                if collects:
                    gc.enable()

    def _observe(self, frame: FrameType, event: str, function: Any) -> None:
        """Handle one event of the profiler; calls inside of our own functions are ignored."""
        if self._ours is not None:
            if event == "return" and frame is self._ours:
                self._ours = None
        elif event == "call":
            module = frame.f_globals.get("__name__") or ""
            if _is_own(module):
                self._ours = frame
            elif frame.f_code not in self._codes:
                self._codes.add(frame.f_code)
                self._enter(frame, module)
        elif event == "c_call" and not _is_own(frame.f_globals.get("__name__") or ""):
            self._check_builtin(function, frame)

    # -- functions of Python -----------------------------------------------------------------------

    def _check_builtin(self, function: Any, frame: FrameType) -> None:
        """Refuse a built-in function unless its result depends on its arguments alone."""
        owner = getattr(function, "__self__", None)
        name = getattr(function, "__name__", repr(function))
        if isinstance(owner, ModuleType) or owner is None:
            module = getattr(function, "__module__", None) or ""
            if owner is not None:
                module = owner.__name__
            is_impure = module == "builtins" and name in _IMPURE_BUILTINS
            if module in _PURE_MODULES and not (is_impure or function in _HIDDEN):
                return
            shown = name if module == "builtins" else f"{module.lstrip('_')}.{name}"
        else:
            kind = owner if isinstance(owner, type) else type(owner)
            module = kind.__module__
            if module in _PURE_MODULES or module in ("collections", "decimal", "fractions"):
                return
            shown = f"{kind.__name__}.{name}"
        self._refuse(f"calls {shown}(), {_remedy(module)}", frame.f_lineno, frame.f_code)

    # -- functions of the user ---------------------------------------------------------------------

    def _enter(self, frame: FrameType, module: str) -> None:
        """Check a function that starts to run, and prepare its module for symbols."""
        code = frame.f_code
        package = module.partition(".")[0]
        if package in ("importlib", "_frozen_importlib", "_frozen_importlib_external"):
            self._ours = frame  # what an import runs is no part of the rule
            return
        is_library = _is_library(code)
        if is_library and package in _CHANCE | _CLOCKS:
            caller = frame.f_back or frame
            message = f"calls {package}.{code.co_name}(), {_remedy(package)}"
            self._refuse(message, caller.f_lineno, caller.f_code)
        traits = scan(code)
        if not is_library:
            self._note_memory(frame)
            self._check_writes(frame)
            for operand in traits.specials:
                self._refuse(f"asks for {operand.name}; write the operator.", operand.line, code)
            for operand in traits.caught:
                self._check_caught(operand, frame)
            self._replace_names(frame)
        needed = self._needed_identities(frame, is_library)
        raising = traits.handles_exceptions and not is_library
        if not needed <= self._graph.identities or (raising and not self._graph.raising):
            self._graph.identities |= needed
            self._graph.raising |= raising
            self.must_restart = True
            raise RestartError

    def _note_memory(self, frame: FrameType) -> None:
        code, variables = frame.f_code, frame.f_globals
        for name in code.co_names:
            if name in variables:
                self._note_name(variables, name, frame)
        if code.co_freevars and not self._is_local(code):
            values = frame.f_locals
            for name in code.co_freevars:
                if name in values:
                    self._memory.note(code, name, values[name])

    def _note_name(self, variables: dict[str, Any], name: str, frame: FrameType) -> None:
        """Take a picture of a variable. Of a module, take one of each variable that is named."""
        value = variables[name]
        self._memory.note(variables, name, value)
        self._check_hidden(value, frame)
        if not isinstance(value, ModuleType):
            return
        for part in frame.f_code.co_names:
            inner = vars(value).get(part)
            if inner is np.random and value is np:
                self._memory.note(np, f"{name}.random", np.random)
            elif is_library(value.__name__):
                self._check_hidden(inner, frame)
            elif part in vars(value) and not isinstance(inner, ModuleType):
                self._note_name(vars(value), part, frame)

    def _check_hidden(self, function: Any, frame: FrameType) -> None:
        """Refuse a built-in function that no trace sees if another one calls it, as map() does."""
        if not isinstance(function, BuiltinFunctionType):
            return
        owner = function.__self__
        kind = owner if isinstance(owner, (type, ModuleType)) else type(owner)
        module = kind.__name__ if isinstance(kind, ModuleType) else kind.__module__
        if module in _CHANCE | _CLOCKS or function in _HIDDEN:
            self._check_builtin(function, frame)

    def _is_local(self, code: CodeType) -> bool:
        """Return True if a function was made by another one that runs in this trace."""
        return any(code in outer.co_consts for outer in self._codes)

    def _replace_names(self, frame: FrameType) -> None:
        if frame.f_globals.get("__name__") not in _SEEN_OURS:
            self._replace(frame.f_globals, frame.f_code.co_names)

    def _check_writes(self, frame: FrameType) -> None:
        traits = scan(frame.f_code)
        for name in traits.globals_written:
            self._refuse(
                f"assigns the global variable {name!r}; keep what rules change in the state.",
                frame.f_code.co_firstlineno,
                frame.f_code,
            )
        for name in traits.outer_written:
            if not self._is_local(frame.f_code):
                self._refuse(
                    f"assigns {name!r} of the function around it, which lasts from call to call; "
                    "keep what rules change in the state.",
                    frame.f_code.co_firstlineno,
                    frame.f_code,
                )

    def _check_caught(self, operand: Operand, frame: FrameType) -> None:
        """Refuse an `except` that could catch more than the errors of plain values."""
        error = self._resolve(operand, frame)
        if isinstance(error, type) and issubclass(error, Exception):
            if issubclass(error, _CATCHABLE) or error.__module__ != "builtins":
                return
        name = getattr(error, "__name__", operand.name)
        self._refuse(
            f"catches {name}, and with it errors that only a trace raises; name the exception: "
            "ZeroDivisionError, KeyError, IndexError, ValueError.",
            operand.line,
            frame.f_code,
        )

    def _needed_identities(self, frame: FrameType, is_library: bool) -> set[str]:
        """Return which values an `is` in a function asks for.

        Refuses an `is` whose right side is a number or a string, or is not known in advance.
        """
        needed = set()
        for operand in scan(frame.f_code).identities:
            value = self._resolve(operand, frame)
            if isinstance(value, type) and "__class__" in frame.f_code.co_names and not is_library:
                self._refuse(
                    "compares a class with `is`; write isinstance().", operand.line, frame.f_code
                )
            elif value is None:
                needed.add("None")
            elif isinstance(value, bool):
                needed |= {"None", "bools"}
            elif not is_library and (value is _UNKNOWN or isinstance(value, (int, float, str))):
                self._refuse(
                    "compares with `is`, which asks for the same object and not for an equal "
                    "value; write == (`is` is compiled with None, True, False, and names of "
                    "objects that are no numbers or strings).",
                    operand.line,
                    frame.f_code,
                )
        return needed

    def _resolve(self, operand: Operand, frame: FrameType) -> Any:
        if not operand.name:
            return operand.value
        if operand.name == "?":
            return _UNKNOWN
        try:
            return resolve(operand.name, frame.f_globals, vars(builtins))
        except LookupError:
            return _UNKNOWN

    def _refuse(self, message: str, line: int, code: CodeType) -> None:
        place = f"({Path(code.co_filename).name}, line {line or code.co_firstlineno})"
        raise self._graph.refuse(f"{message} {place}")


_UNKNOWN = object()


def _is_library(code: CodeType) -> bool:
    """Return True for a function of Python's own library, by its file: a game can have any name."""
    path = code.co_filename
    return path.startswith("<frozen ") or (path.startswith(_LIBRARY) and _PACKAGES not in path)


def _is_own(module: str) -> bool:
    return module.startswith(_OURS) and module not in _SEEN_OURS


def _remedy(module: str) -> str:
    if module in _CHANCE:
        return "random numbers of its own; in a compiled game only events are random."
    if module in _CLOCKS:
        return "a clock; the game's own is s['tick']."
    return (
        "whose result may differ from call to call, or which has an effect of its own; compute it "
        "before, outside of the rule."
    )
