"""Finds the config that `FILE.py:NAME` or `MODULE:NAME` stands for."""

from __future__ import annotations

import difflib
from pathlib import Path
from types import ModuleType

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.environment import as_game
from axiom_gym.config.task import Task
from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.targets import FORM, load_module, split_target


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
    source, name = split_target(target)
    module = load_module(source)
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


def _find_config(module: ModuleType, source: str, name: str) -> GameConfig:
    found = getattr(module, name, None)
    if isinstance(found, GameConfig):
        return found
    names = [key for key, value in vars(module).items() if isinstance(value, GameConfig)]
    listed = ", ".join(f"{source}:{one}" for one in names) or "none"
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if not name:
        problem = f"{source!r} alone does not say which config. {FORM}."
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
