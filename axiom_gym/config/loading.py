"""Loading of configs and their tasks from Python files and modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.task import Task
from axiom_gym.registry.targets import find_named, split_target


def load_config(target: str) -> tuple[GameConfig, Task | None]:
    """Return a config, and its task if there is one.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME`. The file can import modules from its folder, as
            if Python ran it.

    Raises:
        ConfigError: if there is no such file, module or config, or the file raises an exception.
    """
    module, config = find_named(target, lambda value: isinstance(value, GameConfig), "config")
    # A package may load its task lazily: it is then listed by `dir`, and not among its `vars`.
    lazy = {name: getattr(module, name) for name in dir(module) if name.lower().endswith("task")}
    return config, find_task({**vars(module), **lazy}, split_target(target)[1])


def find_task(names: Mapping[str, Any], name: str) -> Task | None:
    """Return the task of a config, or None.

    The task is named `NAME_task`, ignoring case. If there is no such name, the only task of the
    module is returned, if it has exactly one.

    Args:
        names: the names and values of the module.
        name: the name of the config.
    """
    tasks = {key: value for key, value in names.items() if isinstance(value, Task)}
    for key, task in tasks.items():
        if key.lower() == f"{name}_task".lower():
            return task
    return next(iter(tasks.values())) if len(tasks) == 1 else None
