"""A scan of bytecode for operations that a trace does not see.

Symbols see every operator, but not `is`, not an assignment to a global variable, and not a `try`
that would catch the error of a division. Each function that runs in a trace is scanned for them.
"""

from __future__ import annotations

import dis
import functools
from types import CodeType
from typing import Any, NamedTuple

_LOADS = ("LOAD_GLOBAL", "LOAD_NAME")
_PARTS = ("LOAD_ATTR", "LOAD_METHOD")
_HARMLESS = ("__class__", "__init__", "__post_init__", "__name__", "__members__", "__call__")
_NONE_JUMPS = ("IF_NONE", "IF_NOT_NONE")


class Operand(NamedTuple):
    """The right side of an `is`, or the exception of an `except`, as far as bytecode shows it."""

    line: int
    value: Any = None
    """The value of a constant."""
    name: str = ""
    """The dotted name of a global variable; "?" for any other expression, "" for a constant."""


_ALL = Operand(0, name="BaseException")
"""The exceptions of an `except:` without a name."""


class Traits(NamedTuple):
    """The operations of a function that a trace does not see."""

    identities: tuple[Operand, ...]
    """The right sides of `is` and `is not`."""
    caught: tuple[Operand, ...]
    """The exceptions that it catches."""
    handles_exceptions: bool
    """True if it has an `except`, a `finally` or a `with`."""
    globals_written: tuple[str, ...]
    """The global variables that it assigns or deletes."""
    outer_written: tuple[str, ...]
    """The variables of an enclosing function that it assigns."""
    specials: tuple[Operand, ...]
    """The special methods and attributes that it asks for by name, such as `x.__lt__`."""


@functools.lru_cache(maxsize=4096)
def scan(code: CodeType) -> Traits:
    """Return what a function's bytecode shows."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    identities, caught, written, outer, specials, handles = [], [], [], [], [], False
    targets = {step.offset: step.opname for step in steps}
    for number, step in enumerate(steps):
        name = step.opname
        line = (step.positions.lineno if step.positions else None) or code.co_firstlineno
        if name == "IS_OP":
            identities.append(_operand(steps, number, line))
        elif any(jump in name for jump in _NONE_JUMPS):
            identities.append(Operand(line))
        elif name == "CHECK_EXC_MATCH":
            caught += _exceptions(steps, number, line)
            if targets.get(steps[number + 1].argval) == "POP_TOP":
                caught.append(_ALL._replace(line=line))
        elif name == "PUSH_EXC_INFO":
            handles = True
            if _swallows(steps, number):
                caught.append(_ALL._replace(line=line))
        elif name == "WITH_EXCEPT_START":
            caught.append(Operand(line, name="what its `with` statement ignores"))
        elif name in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            written.append(step.argval)
        elif name in ("STORE_DEREF", "DELETE_DEREF") and step.argval in code.co_freevars:
            outer.append(step.argval)
        elif name in _PARTS and _is_special(step.argval):
            specials.append(Operand(line, name=step.argval))
    return Traits(
        tuple(identities), tuple(caught), handles, tuple(written), tuple(outer), tuple(specials)
    )


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _HARMLESS


def _swallows(steps: list[dis.Instruction], number: int) -> bool:
    """Return True for an `except:` without a name, and for a `finally` that returns or breaks."""
    for step in steps[number + 1 :]:
        if step.opname in ("CHECK_EXC_MATCH", "WITH_EXCEPT_START", "RERAISE"):
            return False
        if step.opname == "POP_EXCEPT":
            return True
    return False


def _operand(steps: list[dis.Instruction], number: int, line: int) -> Operand:
    """Return the value that the instruction before `number` loads."""
    parts: list[str] = []
    for step in reversed(steps[:number]):
        if step.opname == "LOAD_CONST" and not parts:
            return Operand(line, value=step.argval)
        if step.opname in _LOADS:
            return Operand(line, name=".".join([step.argval, *parts]))
        if step.opname not in _PARTS:
            break
        parts.insert(0, step.argval)
    return Operand(line, name="?")


def _exceptions(steps: list[dis.Instruction], number: int, line: int) -> list[Operand]:
    """Return the exceptions of an `except`: a name, or a tuple of names."""
    if steps[number - 1].opname != "BUILD_TUPLE":
        return [_operand(steps, number, line)]
    found, at = [], number - 1
    for _ in range(steps[number - 1].arg or 0):
        found.append(_operand(steps, at, line))
        at -= 1
        while steps[at].opname in _PARTS:
            at -= 1
    return found


def resolve(name: str, variables: dict[str, Any], builtins: dict[str, Any]) -> Any:
    """Return the value of a dotted global name.

    Raises:
        LookupError: if there is none.
    """
    first, *parts = name.split(".")
    value = variables[first] if first in variables else builtins[first]
    for part in parts:
        try:
            value = getattr(value, part)
        except AttributeError as error:
            raise LookupError(name) from error
    return value
