"""Writes a driver template out for one game, so that Numba can keep the compiled result on disk.

A driver that receives its kernel as an argument or a closure is compiled anew in every process, and
a cached function does not notice an edit in a function that it calls. So a template's one import
of the null kernel is pointed at the game's kernel, and the copy is written to the user's cache
directory under a name that is a hash of everything it depends on: the template, the sources of the
kernel and of all modules that these import, and the versions of Python, NumPy and Numba. Same hash,
same code.

The directory is `AXIOM_GYM_CACHE_DIR`, or the platform's cache directory for `axiom-gym`. Where it
cannot be written, and for kernels that cannot be imported by name (a notebook, a script), the copy
lives in memory and is compiled in each process.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import os
import platform
import re
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import platformdirs

from axiom_gym.backend.numba_internals import entry_point
from axiom_gym.files import replacing

_IMPORT_LINE = re.compile(
    r"^from axiom_gym\.backend\.null_kernel import (?:\([^)]*\)|.+)$", re.MULTILINE
)
_CACHE_LINE = re.compile(r"^CACHE = False$", re.MULTILINE)
# What Numba's own cache does not tell apart, though it compiles to different code.
_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
_loading = threading.Lock()
_FOREIGN = frozenset(sys.stdlib_module_names) | {"numba", "numpy", "llvmlite", "__future__"}


def cache_directory() -> Path:
    """Where generated drivers and their compiled code are kept."""
    chosen = os.environ.get("AXIOM_GYM_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("axiom-gym"))


def load_template(
    template: str,
    parts: Mapping[str, Callable[..., Any]],
    label: str,
    arguments_of: Iterable[str] = (),
) -> types.ModuleType:
    """Return the module that `template` becomes with `parts` in the place of the null kernel.

    Args:
        template: name of the template's module, such as "axiom_gym.batch.driver".
        parts: for each name that the template imports from the null kernel, the function to use
            instead.
        label: what the file is called after, such as the game's name.
        arguments_of: modules with the classes of the arguments, if no part imports them: Numba
            keeps these classes beside the code, and cannot load it once they have moved.

    Returns:
        A module; from disk and with its compiled code kept there where that is possible.
    """
    source = Path(inspect.getfile(importlib.import_module(template))).read_text(encoding="utf-8")
    if all(_is_importable(part) for part in parts.values()):
        text = _CACHE_LINE.sub(
            "CACHE = True", _IMPORT_LINE.sub(lambda _: _import_lines(parts), source)
        )
        roots = {template, *arguments_of, *(part.__module__ for part in parts.values())}
        name = f"{label}_{template.rpartition('.')[2]}_{_fingerprint(text, roots)}"
        try:
            with _loading:
                return _load_from_disk(name, text)
        except OSError as error:
            _warn_of_memory(error)
    return load_in_memory(source, parts, label)


def _warn_of_memory(error: OSError) -> None:
    warnings.warn(
        f"cannot keep compiled code in {str(cache_directory())!r} ({error}); compiling in memory, "
        "which every process repeats. Set AXIOM_GYM_CACHE_DIR to a writable directory.",
        RuntimeWarning,
        stacklevel=3,
    )


def load_source(text: str, imports: Iterable[str], label: str) -> types.ModuleType:
    """The module that a written text is; from disk, so that what imports it can be kept there too.

    Args:
        text: its source.
        imports: the modules of ours that it imports.
        label: what the file is called after.
    """
    name = f"{label}_{_fingerprint(text, set(imports))}"
    try:
        with _loading:
            return _load_from_disk(name, text)
    except OSError as error:
        # The driver cannot name a module that is in no file, and is silent.
        _warn_of_memory(error)
        module = types.ModuleType(f"axiom_gym_generated.{name}")
        exec(compile(text, f"<kernel of {label}>", "exec"), module.__dict__)
        return module


def load_in_memory(
    source: str, parts: Mapping[str, Callable[..., Any]], label: str
) -> types.ModuleType:
    """The template's source as a module that is compiled in this process and not kept."""
    module = types.ModuleType(f"axiom_gym_generated.{label}")
    module.__dict__.update(parts)
    exec(compile(_IMPORT_LINE.sub("", source), f"<driver of {label}>", "exec"), module.__dict__)
    return module


def _is_importable(part: Callable[..., Any]) -> bool:
    """Whether another process finds this very function by its module and name."""
    name = getattr(part, "__module__", None)
    module = sys.modules.get(name) if name and name != "__main__" else None
    return (
        module is not None
        and getattr(module, "__file__", None) is not None
        and getattr(module, part.__name__, None) is part
    )


def _import_lines(parts: Mapping[str, Callable[..., Any]]) -> str:
    lines = [
        f"from {part.__module__} import {part.__name__} as {name}"
        for name, part in sorted(parts.items())
    ]
    return "\n".join(lines)


def _fingerprint(text: str, roots: set[str]) -> str:
    """A hash of a text that imports these modules, and of everything it depends on."""
    digest = hashlib.sha256(text.encode())
    versions = [platform.python_version(), np.__version__, numba.__version__]
    settings = [getattr(numba.config, name, None) for name in _SETTINGS]
    digest.update(repr(versions + settings).encode())
    for name, source in sorted(_sources(roots).items()):
        digest.update(f"\n{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:16]


def _sources(roots: set[str]) -> dict[str, bytes]:
    """The sources of these modules and of all that they import, by name.

    The standard library, NumPy and Numba are left out; their versions are known.
    """
    waiting, seen, sources = set(roots), set[str](), {}
    while waiting:
        name = waiting.pop()
        seen.add(name)
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if module is None or file is None or not file.endswith(".py"):
            continue
        read = _read_once(name, module, Path(file))
        sources[name] = read.source
        waiting |= read.imports - seen
    return sources


class _Read(NamedTuple):
    """The source of a module, and what it imports."""

    of: tuple[types.ModuleType, object]  # the module and its spec, which a reload replaces
    source: bytes
    imports: set[str]


_reads: dict[str, _Read] = {}


def _read_once(name: str, module: types.ModuleType, path: Path) -> _Read:
    """Reads a module's source, once for each time that it is imported.

    A file that is edited while the process runs does not change the module that it was imported as;
    the code compiled from that one must not be kept under the name of the edited one.
    """
    known, of = _reads.get(name), (module, module.__spec__)
    if known is None or known.of[0] is not of[0] or known.of[1] is not of[1]:
        source = path.read_bytes()
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        known = _reads[name] = _Read(of, source, set(_imported_names(source, package)))
    return known


def _imported_names(source: bytes, package: str) -> Iterator[str]:
    """Names of modules that a source imports; `from a import b` gives both `a` and `a.b`."""
    for node in _executed(ast.parse(source).body):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                anchor = package.rsplit(".", node.level - 1)[0]
                base = f"{anchor}.{base}" if base else anchor
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] not in _FOREIGN)


def _executed(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that an import executes: none in functions, and none for types alone.

    What is imported later depends on the process, and a name must not.
    """
    for node in body:
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        test = ast.unparse(node.test) if isinstance(node, ast.If) else ""
        for_types = test in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        for part in ("orelse", "finalbody") if for_types else ("body", "orelse", "finalbody"):
            yield from _executed(getattr(node, part, ()))
        for handler in getattr(node, "handlers", ()):
            yield from _executed(handler.body)


def _load_from_disk(name: str, text: str) -> types.ModuleType:
    """Imports the generated file, after writing it if it is not there yet.

    Raises:
        OSError: if the directory or the file cannot be written or read.
    """
    module_name = f"axiom_gym_generated.{name}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    path = cache_directory() / "drivers" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        with replacing(path) as file:
            file.write(text.encode())
    elif not os.access(path.parent, os.W_OK):
        raise PermissionError(f"no permission to write to {path.parent}")
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    # Numba looks the module up by this name when it restores compiled code.
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[module_name]
        if isinstance(error, RuntimeError) and "cannot cache" in str(error):
            # So Numba says that neither this directory nor its own can be written.
            raise OSError(str(error)) from error
        raise
    return module


class CompiledCalls:
    """The functions of a generated module, with what their first call needs.

    The first call compiles, or loads from disk. If that takes longer than a moment, a line says so
    on a terminal; if the compiled code cannot be kept (a full disk), it is compiled in memory
    instead, with a warning.
    """

    def __init__(
        self,
        template: str,
        parts: Mapping[str, Callable[..., Any]],
        label: str,
        arguments_of: Iterable[str] = (),
    ) -> None:
        """Load `template` with `parts`; see `load_template`."""
        self._template = template
        self._parts = dict(parts)
        self._label = label
        self._module = load_template(template, parts, label, arguments_of)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The function `name`; after its first call it is an attribute, and found at no cost."""
        if name.startswith("_"):
            raise AttributeError(name)

        def first_call(*args: Any) -> Any:
            with _Announcement(self._label):
                result = self._call_or_fall_back(name, args)
            setattr(self, name, getattr(self._module, name))
            return result

        return first_call

    def bind(self, name: str, *args: Any) -> Callable[..., Any]:
        """Call function `name` and return it in a form that skips the look at argument types.

        The form returned must only ever be called with arguments of the very types of `args`,
        memory layout included: nothing checks them any more.
        """
        getattr(self, name)(*args)
        return entry_point(getattr(self._module, name), args)

    def _call_or_fall_back(self, name: str, args: tuple[Any, ...]) -> Any:
        try:
            return getattr(self._module, name)(*args)
        except OSError as error:
            # Kernels do no I/O: this came from keeping the compiled code, before anything was
            # executed.
            warnings.warn(
                f"cannot keep compiled code of {self._label!r} ({error}); compiling in memory.",
                RuntimeWarning,
                stacklevel=4,
            )
        source = Path(inspect.getfile(importlib.import_module(self._template))).read_text(
            encoding="utf-8"
        )
        self._module = load_in_memory(source, self._parts, self._label)
        return getattr(self._module, name)(*args)


class _Announcement:
    """Says on the terminal that something is being compiled, if it takes longer than a moment."""

    def __init__(self, label: str) -> None:
        message = f"axiom-gym: compiling {label} (once; kept for the next time) ...\n"
        self._timer = threading.Timer(1.0, self._print, [message])
        self._timer.daemon = True

    @staticmethod
    def _print(message: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(message)
            sys.stderr.flush()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def compile_function(function: Callable[..., Any], label: str) -> Callable[..., Any]:
    """A compiled function that is kept on disk, for callers of a kernel's function in Python."""
    calls = CompiledCalls("axiom_gym.backend.entry_driver", {"function": function}, label)
    return lambda *args: calls.call(*args)
