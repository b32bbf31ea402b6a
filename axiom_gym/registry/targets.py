"""Targets, which name a value in a Python file or module: `FILE.py:NAME` or `MODULE:NAME`."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame, missing_members

FORM = "Write FILE.py:NAME or MODULE:NAME"


def split_target(target: str) -> tuple[str, str]:
    """Return the file or module, and the name in it; the name is "" if the target has none."""
    source, colon, name = target.rpartition(":")
    return (source, name) if colon else (target, "")


def find_named(
    target: str,
    is_one: Callable[[Any], bool],
    kind: str,
    takes: Callable[[Any], bool] = lambda value: False,
) -> tuple[ModuleType, Any]:
    """Return a module and the value that a target names in it.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME`.
        is_one: the test for the wanted kind of value; errors list the values that pass it.
        kind: the name of that kind, for errors.
        takes: the test for other values that are accepted too, but not listed in errors.

    Raises:
        ConfigError: if there is no such file, module or name, or its value is of another kind; the
            message lists the values of the wanted kind.
    """
    source, name = split_target(target)
    module = load_module(source)
    found = getattr(module, name, None)
    if name and hasattr(module, name) and (is_one(found) or takes(found)):
        return module, found
    names = [key for key, value in vars(module).items() if is_one(value)]
    listed = ", ".join(f"{source}:{one}" for one in names) or "none"
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if not name:
        problem = f"{source!r} alone does not say which {kind}. {FORM}."
    elif hasattr(module, name):
        problem = f"{name!r} in {source!r} is no {kind}, but {type(found).__name__}.{hint}"
    else:
        problem = f"there is no {kind} {name!r} in {source!r}.{hint}"
    raise ConfigError(f"{problem} The {kind}s there: {listed}.")


def is_game(value: Any) -> bool:
    """Return True if a value is a game or can be converted to one."""
    if getattr(value, "_is_protocol", False):
        return False
    is_ready = isinstance(value, KernelGame) or has_converter(value)
    return is_ready or not missing_members(value)


def has_converter(value: Any) -> bool:
    """Return True if a value has the method `to_kernel_game(target, beside)`, as a config has."""
    return not isinstance(value, type) and hasattr(value, "to_kernel_game")


def load_module(source: str) -> ModuleType:
    """Return the module of a file, or the module of this name.

    During the import of a file, its folder is on the import path, as if Python ran the file. During
    the import of a module, the current folder is.

    Raises:
        ConfigError: if there is no such file or module, or it raises.
    """
    return _load_file(Path(source)) if source.endswith(".py") else _import(source)


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ConfigError(f"there is no file {str(path)!r}. {FORM}.")
    spec = importlib.util.spec_from_file_location(f"axiom_gym_file_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{str(path)!r} is no Python file. {FORM}.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module
    sys.path.insert(0, str(path.absolute().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _cannot_load(str(path), error) from error
    finally:
        sys.path.pop(0)
    return module


def _import(name: str) -> ModuleType:
    if not name or not all(part.isidentifier() for part in name.split(".")):
        raise ConfigError(f"{name!r} is neither a Python file nor a module. {FORM}.")
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise _cannot_load(name, error) from error
    finally:
        sys.path.remove(here)


def _cannot_load(source: str, error: Exception) -> ConfigError:
    frames = traceback.extract_tb(error.__traceback__)
    path = str(Path(source).absolute())
    lines = [frame.lineno for frame in frames if frame.filename == path]
    where = f", line {lines[-1]}" if lines else ""
    return ConfigError(f"{source!r}{where} cannot be loaded: {type(error).__name__}: {error}")
