"""Python files and modules that people name: `FILE.py:NAME` or `MODULE:NAME`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from axiom_gym.errors import ConfigError

FORM = "Write FILE.py:NAME or MODULE:NAME"


def split_target(target: str) -> tuple[str, str]:
    """The file or module, and the name in it, which is empty if none is given."""
    source, colon, name = target.rpartition(":")
    return (source, name) if colon else (target, "")


def load_module(source: str) -> ModuleType:
    """The module of a file or of this name.

    A file's folder can be imported from while it runs, as if Python ran it; for a module, that is
    the folder we are in.

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
    sys.modules[spec.name] = module  # dataclasses look their module up
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
    return ConfigError(f"{source!r} cannot be loaded: {type(error).__name__}: {error}")
