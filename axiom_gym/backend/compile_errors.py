"""Short messages for the errors of Numba in a game's kernel.

A message of Numba has hundreds of lines, most of which are about the generated driver and Numba's
own files. It names locations from the innermost to the outermost. Some errors, such as that for a
field that a record lacks, have no location; then Numba's local variables in the traceback have it.
"""

from __future__ import annotations

import ast
import difflib
import gc
import linecache
import re
import textwrap
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

import numba
from numba import types
from numba.core import ir
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from axiom_gym.errors import CompileError

_HINT = (
    "Run it with NUMBA_DISABLE_JIT=1: as plain Python, most such mistakes raise an ordinary error "
    "with a traceback."
)
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_LOCATION = re.compile(
    r"\b(?:at|[Rr]aised from) (\S[^\n]*?) \((\d+)\)|File \"([^\"\n]+)\", line (\d+)"
)
_CALLEE = re.compile(r"resolving callee type: [^\n]*?(<function \S+ at 0x[0-9a-f]+>)")
_NOISE = re.compile(r"^\s*(?:\w+: )?Failed in \w+ mode pipeline.*\n", re.MULTILINE)
_REASON_ENDS = re.compile(
    r"\n\s*(?:There (?:is|are) \d|During: |File \"|raised from )|, defined at |\.+ Raised from "
)
_NO_IMPLEMENTATION = re.compile(r"No implementation of function .* found for signature: >>> ")
_ANNOTATION = re.compile(r"(?::| ->) '[^']*'")
_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
_WRONG_CALL = re.compile(r"Cannot bind .* to signature '(.*)' due to \"(?:\w+: )?(.*)\"")
_RECORD = re.compile(r"Record\(\w+\[type=.*?;\d+;(?:True|False)\)")
_ALLOCATES = ("NRT required", "returning of array")
_LONGEST_REASON = 300
_NUMBA = Path(numba.__file__).parent
_FOREIGN = (_NUMBA.resolve(), Path(__file__).resolve().parent.parent)
"""Directories whose files are not the place of a mistake in a kernel."""


class _Place(NamedTuple):
    file: str
    line: int


def is_from_compiler(error: Exception) -> bool:
    """Return True if Numba raised this error while it compiled a function."""
    if isinstance(error, NumbaError | UnsupportedBytecodeError):
        return True
    # Compiled code that raises leaves no frame of Numba, and Numba's cache infers no types.
    return any(_find_place(names) is not None for names in _frames(error))


def explain(error: Exception, label: str, generated: str) -> CompileError:
    """Return an error with five lines: the function, its file and line, the code, reason, hint.

    Args:
        error: an error for which `is_from_compiler` is True.
        label: the name of the game.
        generated: the file of the generated driver, which is not the place of a mistake.
    """
    text = _COLOR.sub("", str(error))
    own, before = [], len(text)
    generated = _make_place(generated, 0).file
    for place, start in [*_named_places(text), *_places_of_frames(error)]:
        if place.file != generated and not any(d in Path(place.file).parents for d in _FOREIGN):
            own.append(place)
            before = min(before, start)
    reason = _find_reason(error, text[:before])
    undefined = _UNDEFINED.search(text)
    if undefined or not own:
        called = _find_callee(text[undefined.start() if undefined else 0 :])
        if called is not None:
            own.insert(0, _find_use(called, undefined[1] if undefined else ""))
    lines = [f"{label}: Numba cannot compile the kernel."]
    if own:
        inner, outer = own[0], own[-1]
        name, caller = _enclosing_function(inner), _enclosing_function(outer)
        through = "" if name == caller else f", called from {caller!r}"
        lines = [f"{label}: Numba cannot compile {name!r}{through}."]
        lines += [f'  File "{inner.file}", line {inner.line}, in {name}']
        lines += [f"    {linecache.getline(*inner).strip()}"]
    return CompileError("\n".join([*lines, f"Reason: {reason}", _HINT]))


def _make_place(file: str, line: int) -> _Place:
    """Return a place with the absolute path of its file, unless the code is not in a file."""
    path = Path(file)
    return _Place(str(path.resolve()) if path.exists() else file, line)


def _named_places(text: str) -> Iterator[tuple[_Place, int]]:
    """Yield the places that a message names, each with its position in the text."""
    for match in _LOCATION.finditer(text):
        file, line = match[1] or match[3], match[2] or match[4]
        yield _make_place(file, int(line)), match.start()


def _places_of_frames(error: Exception) -> Iterator[tuple[_Place, int]]:
    """Yield the places that Numba was compiling, in the form of `_named_places`."""
    for names in _frames(error):
        place = _find_place(names)
        if place is not None:
            yield place, len(str(error))


def _frames(error: Exception) -> list[dict[str, object]]:
    """Return the local variables of Numba's frames, innermost first."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [frame for frame in frames if _NUMBA in Path(frame.f_code.co_filename).parents]
    return [frame.f_locals for frame in reversed(own)]


def _find_place(names: dict[str, object]) -> _Place | None:
    """Return the place that a frame of Numba works on, or None."""
    loc, function = names.get("loc"), names.get("func")
    if isinstance(loc, ir.Loc):
        return _make_place(loc.filename, loc.line)
    if isinstance(function, FunctionType):
        return _find_use(function, "")
    return None


def _find_reason(error: Exception, text: str) -> str:
    """Return one sentence. text: the message up to the first place in the kernel's files."""
    if isinstance(error, KeyError):
        for names in _frames(error):
            record = names.get("self")
            if isinstance(record, types.Record):
                return _describe_missing_field(str(error.args[0]), list(record.fields))
    text = _NOISE.sub("", text.rpartition("specific error:")[2])
    reason = _REASON_ENDS.split(text, maxsplit=1)[0]
    reason = " ".join(_RECORD.sub("Record", reason).split()).rstrip(".")
    reason = _NO_IMPLEMENTATION.sub("Numba has no ", reason.removesuffix(", defined"))
    if not isinstance(error, NumbaError | UnsupportedBytecodeError):
        reason = f"{type(error).__name__}: {reason}"
    if match := _WRONG_CALL.search(reason):
        reason = f"parameters {_ANNOTATION.sub('', match[1])} do not fit a call: {match[2]}"
    if any(part in reason for part in _ALLOCATES):
        reason = f"a kernel must not allocate memory, such as a new array (Numba: {reason})"
    return textwrap.shorten(reason, _LONGEST_REASON, placeholder=" ...") + "."


def _describe_missing_field(name: str, fields: list[str]) -> str:
    fields = sorted(field for field in fields if not field.startswith("_padding"))
    close = difflib.get_close_matches(name, fields, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = textwrap.shorten(", ".join(fields), _LONGEST_REASON, placeholder=" ...")
    return f"the record has no field {name!r}.{hint} Fields: {listed}."


def _find_callee(text: str) -> FunctionType | None:
    """Return the first function that the message says was called, if it still exists."""
    match = _CALLEE.search(text)
    if match is None:
        return None
    # `isinstance` looks through weak proxies, and raises an error if their object is gone.
    functions = (found for found in gc.get_objects() if type(found) is FunctionType)
    return next((found for found in functions if repr(found) == match[1]), None)


def _find_use(function: FunctionType, name: str) -> _Place:
    """Return the first line of a function that uses a name, or else the line of its `def`."""
    file, first = _make_place(function.__code__.co_filename, function.__code__.co_firstlineno)
    lines = linecache.getlines(file)[first - 1 :]
    wanted = re.compile(rf"\b{name}\b" if name else r"^\s*def ")
    for k, line in enumerate(lines):
        if wanted.search(line):
            return _Place(file, first + k)
    return _Place(file, first)


def _enclosing_function(place: _Place) -> str:
    """Return the name of the innermost function around a line."""
    try:
        tree = ast.parse("".join(linecache.getlines(place.file)))
    except SyntaxError:
        return "the kernel"
    found = "the kernel"
    for node in ast.walk(tree):  # outer nodes come before those inside them
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= place.line <= (node.end_lineno or first):
                found = node.name
    return found
