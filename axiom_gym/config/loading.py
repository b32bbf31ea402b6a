"""Finds the config that `FILE.py:NAME` or `MODULE:NAME` stands for."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.environment import as_game
from axiom_gym.config.task import Task
from axiom_gym.errors import ConfigError
from axiom_gym.game import KernelGame

_FORM = "Write FILE.py:NAME or MODULE:NAME"


def load_config(target: str) -> tuple[GameConfig, Task | None]:
    """A config, and the task that belongs to it.

    The task is the one that is called as the config with `_task` at its end, in capitals or not; or
    else the only one that there is.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME`. The file's folder can be imported from, as if
            Python ran it.

    Raises:
        ConfigError: if there is no such file, module or config, or the file raises.
    """
    source, colon, name = target.rpartition(":")
    if not colon:
        source, name = target, ""
    is_file = source.endswith(".py")
    module = _load_file(Path(source)) if is_file else _load_module(source)
    return _find_config(module, source, name), _find_task(module, name)


_games: dict[str, KernelGame] = {}


def load_game(target: str) -> KernelGame:
    """A config and its task as a game; the same one whenever the same target is asked for.

    Args:
        target: as for `load_config`.

    Raises:
        ConfigError: as `load_config`, or if there is no task beside the config.
    """
    source, _, name = target.rpartition(":")
    key = f"{Path(source).resolve() if source.endswith('.py') else source}:{name}"
    if key not in _games:
        config, task = load_config(target)
        if task is None:
            raise ConfigError(
                f"there is no Task for {name!r} in {source!r}, so nothing to be rewarded for: add "
                f"{name}_TASK = Task(reward=..., max_ticks=...)."
            )
        _games[key] = as_game(config, task)
    return _games[key]


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ConfigError(f"there is no file {str(path)!r}. {_FORM}.")
    spec = importlib.util.spec_from_file_location(f"axiom_gym_config_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{str(path)!r} is no Python file. {_FORM}.")
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


def _load_module(name: str) -> ModuleType:
    if not name or not all(part.isidentifier() for part in name.split(".")):
        raise ConfigError(f"{name!r} is neither a Python file nor a module. {_FORM}.")
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise _cannot_load(name, error) from error


def _cannot_load(source: str, error: Exception) -> ConfigError:
    return ConfigError(f"{source!r} cannot be loaded: {type(error).__name__}: {error}")


def _find_config(module: ModuleType, source: str, name: str) -> GameConfig:
    found = getattr(module, name, None)
    if isinstance(found, GameConfig):
        return found
    names = [key for key, value in vars(module).items() if isinstance(value, GameConfig)]
    listed = ", ".join(f"{source}:{one}" for one in names) or "none"
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if not name:
        problem = f"{source!r} alone does not say which config. {_FORM}."
    elif hasattr(module, name):
        problem = f"{name!r} in {source!r} is no GameConfig, but {type(found).__name__}.{hint}"
    else:
        problem = f"there is no config {name!r} in {source!r}.{hint}"
    raise ConfigError(f"{problem} The configs there: {listed}.")


def _find_task(module: ModuleType, name: str) -> Task | None:
    tasks = {key: value for key, value in vars(module).items() if isinstance(value, Task)}
    for key, task in tasks.items():
        if key.lower() == f"{name}_task".lower():
            return task
    return next(iter(tasks.values())) if len(tasks) == 1 else None
