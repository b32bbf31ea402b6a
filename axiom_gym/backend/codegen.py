"""Copies of driver templates for single games, so that Numba can keep compiled code on disk.

Numba compiles a driver that receives its kernel as an argument or a closure in every process, and
its cache does not notice an edit in a function that a cached function calls. Therefore, this module
copies a template for each game, and replaces its only import of the null kernel by an import of the
game's kernel. The name of the copy is a hash of everything it depends on: the template, the sources
of the kernel and of all modules that these import, and the versions of Python, NumPy and Numba.
Equal hashes mean equal code.

The copies are in `AXIOM_GYM_CACHE_DIR`, or in the platform's cache directory for `axiom-gym`. If
that is not writable, or if a kernel cannot be imported by name (in a notebook or a script), the
copy stays in memory and every process compiles it.
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

from axiom_gym.backend.compile_errors import explain, is_from_compiler
from axiom_gym.backend.numba_internals import entry_point
from axiom_gym.files import replacing

_IMPORT_LINE = re.compile(
    r"^from axiom_gym\.backend\.null_kernel import (?:\([^)]*\)|.+)$", re.MULTILINE
)
_CACHE_LINE = re.compile(r"^CACHE = False$", re.MULTILINE)
# Settings that change the compiled code, but that Numba's own cache ignores.
_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
_loading = threading.Lock()
_FOREIGN = frozenset(sys.stdlib_module_names) | {"numba", "numpy", "llvmlite", "__future__"}


def cache_directory() -> Path:
    """Return the directory of generated drivers and their compiled code."""
    chosen = os.environ.get("AXIOM_GYM_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("axiom-gym"))


def load_template(
    template: str,
    parts: Mapping[str, Callable[..., Any]],
    label: str,
    arguments_of: Iterable[str] = (),
) -> types.ModuleType:
    """Return a module with the code of `template`, with `parts` instead of the null kernel.

    Args:
        template: the name of the template's module, such as "axiom_gym.batch.driver".
        parts: for each name that the template imports from the null kernel, the function to use
            instead.
        label: the start of the file's name, such as the game's name.
        arguments_of: the modules with the classes of the arguments, if no part imports them. Numba
            stores these classes with the code, and cannot load the code after they were moved.

    Returns:
        A module that is stored on disk with its compiled code if possible.
    """
    source = Path(inspect.getfile(importlib.import_module(template))).read_text(encoding="utf-8")
    if all(_is_importable(part) for part in parts.values()):
        text = _CACHE_LINE.sub(
            "CACHE = True", _IMPORT_LINE.sub(lambda _: _import_lines(parts), source)
        )
        roots = {template, *arguments_of, *(part.__module__ for part in parts.values())}
        name = f"{label}_{template.rpartition('.')[2]}_{_fingerprint(text, roots)}"
        module = _load_or_warn(name, text)
        if module is not None:
            return module
    return load_in_memory(source, parts, label)


def _load_or_warn(name: str, text: str) -> types.ModuleType | None:
    """Return `_load_from_disk`; warn and return None if the directory cannot be used."""
    try:
        with _loading:
            return _load_from_disk(name, text)
    except OSError as error:
        warnings.warn(
            f"cannot keep compiled code in {str(cache_directory())!r} ({error}); compiling in "
            "memory, which every process repeats. Set AXIOM_GYM_CACHE_DIR to a writable directory.",
            RuntimeWarning,
            stacklevel=3,
        )
        return None


def load_source(text: str, imports: Iterable[str], label: str) -> types.ModuleType:
    """Return a module with this source, stored on disk if possible.

    Numba can keep the compiled code of modules that import it only if it is on disk.

    Args:
        text: the source.
        imports: the names of modules of this project that it imports.
        label: the start of the file's name.
    """
    name = f"{label}_{_fingerprint(text, set(imports))}"
    module = _load_or_warn(name, text)  # the driver does not warn for a kernel without a file
    if module is None:
        module = types.ModuleType(f"axiom_gym_generated.{name}")
        exec(compile(text, f"<kernel of {label}>", "exec"), module.__dict__)
    return module


def load_in_memory(
    source: str, parts: Mapping[str, Callable[..., Any]], label: str
) -> types.ModuleType:
    """Return a module with the template's source that this process compiles and does not store."""
    module = types.ModuleType(f"axiom_gym_generated.{label}")
    module.__dict__.update(parts)
    exec(compile(_IMPORT_LINE.sub("", source), f"<driver of {label}>", "exec"), module.__dict__)
    return module


def _is_importable(part: Callable[..., Any]) -> bool:
    """Return True if another process can import this function by its module and name."""
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
    """Return a hash of a source and of everything it depends on. roots: the modules it imports."""
    digest = hashlib.sha256(text.encode())
    versions = [platform.python_version(), np.__version__, numba.__version__]
    settings = [getattr(numba.config, name, None) for name in _SETTINGS]
    digest.update(repr(versions + settings).encode())
    for name, source in sorted(_sources(roots).items()):
        digest.update(f"\n{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:16]


def _sources(roots: set[str]) -> dict[str, bytes]:
    """Return the sources of these modules and of all modules they import, by name.

    The standard library, NumPy and Numba are left out, because the hash covers their versions.
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
    """The source of a module, and the names of modules it imports."""

    of: tuple[types.ModuleType, object]  # the module and its spec, which a reload replaces
    source: bytes
    imports: set[str]


_reads: dict[str, _Read] = {}


def _read_once(name: str, module: types.ModuleType, path: Path) -> _Read:
    """Return the source of a module, read once for each import or reload.

    Editing a file does not change a module that was imported from it. Code compiled from the
    module must not be stored under the hash of the edited file.
    """
    known, of = _reads.get(name), (module, module.__spec__)
    if known is None or known.of[0] is not of[0] or known.of[1] is not of[1]:
        source = path.read_bytes()
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        known = _reads[name] = _Read(of, source, set(_imported_names(source, package)))
    return known


def _imported_names(source: bytes, package: str) -> Iterator[str]:
    """Yield the names of modules that a source imports: `a` and `a.b` for `from a import b`."""
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
    """Yield the statements that an import executes, without functions and type-checking blocks.

    Lazy imports are excluded: cache names must be the same in every process.
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
    """Import the generated file, and write it first if it does not exist.

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
    # Numba imports the module by this name when it loads compiled code.
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[module_name]
        if isinstance(error, RuntimeError) and "cannot cache" in str(error):
            # Numba's error if neither this directory nor its own cache is writable.
            raise OSError(str(error)) from error
        raise
    return module


class CompiledCalls:
    """The functions of a generated module.

    The first call of a function compiles it or loads it from disk. If that takes longer than a
    second, a message appears on the terminal. If the compiled code cannot be stored, for example on
    a full disk, a warning is given and the code is compiled in memory.
    """

    def __init__(
        self,
        template: str,
        parts: Mapping[str, Callable[..., Any]],
        label: str,
        arguments_of: Iterable[str] = (),
    ) -> None:
        """Load `template` with `parts`; arguments as for `load_template`."""
        self._template = template
        self._parts = dict(parts)
        self._label = label
        self._module = load_template(template, parts, label, arguments_of)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return the function `name`; its first call makes it an attribute of this object."""
        if name.startswith("_"):
            raise AttributeError(name)

        def first_call(*args: Any) -> Any:
            with _Announcement(self._label):
                result = self._compile(name, args)
            setattr(self, name, getattr(self._module, name))
            return result

        return first_call

    def bind(self, name: str, *args: Any) -> Callable[..., Any]:
        """Call function `name` and return a form of it that does not check argument types.

        The arguments of the returned form must always have the types of `args`, including their
        memory layout.
        """
        getattr(self, name)(*args)
        return entry_point(getattr(self._module, name), args)

    def _compile(self, name: str, args: tuple[Any, ...]) -> Any:
        """Make the first call of a function.

        Raises:
            CompileError: if Numba cannot compile it.
        """
        try:
            return self._call_or_fall_back(name, args)
        except Exception as error:
            if not is_from_compiler(error):
                raise
            generated = getattr(self._module, "__file__", f"<driver of {self._label}>")
            raise explain(error, self._label, generated) from error

    def _call_or_fall_back(self, name: str, args: tuple[Any, ...]) -> Any:
        try:
            return getattr(self._module, name)(*args)
        except OSError as error:
            # Kernels do no I/O. The error came from storing compiled code, before the call.
            warnings.warn(
                f"cannot keep compiled code of {self._label!r} ({error}); compiling in memory.",
                RuntimeWarning,
                stacklevel=5,
            )
        source = Path(inspect.getfile(importlib.import_module(self._template))).read_text(
            encoding="utf-8"
        )
        self._module = load_in_memory(source, self._parts, self._label)
        return getattr(self._module, name)(*args)


class _Announcement:
    """A message on the terminal if compiling or loading takes longer than a second."""

    def __init__(self, label: str) -> None:
        message = f"axiom-gym: preparing {label} (compiled once, then loaded from disk) ...\n"
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
    """Return a compiled function that is stored on disk, for calls of a kernel from Python."""
    calls = CompiledCalls("axiom_gym.backend.entry_driver", {"function": function}, label)
    return lambda *args: calls.call(*args)
