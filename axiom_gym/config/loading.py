"""Finds the config that `FILE.py:NAME` or `MODULE:NAME` stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.task import Task
from axiom_gym.registry.targets import find_named, split_target


def load_config(target: str) -> tuple[GameConfig, Task | None]:
    """Return a config, and the task that belongs to it.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME`. The file's folder can be imported from, as if
            Python ran it.

    Raises:
        ConfigError: if there is no such file, module or config, or the file raises.
    """
    module, config = find_named(target, lambda value: isinstance(value, GameConfig), "config")
    return config, find_task(vars(module), split_target(target)[1])


def find_task(beside: Mapping[str, Any], name: str) -> Task | None:
    """Return the task of the config of this name.

    It is the one that is called as the config with `_task` at its end, in capitals or not; or else
    the only one that there is.
    """
    tasks = {key: value for key, value in beside.items() if isinstance(value, Task)}
    for key, task in tasks.items():
        if key.lower() == f"{name}_task".lower():
            return task
    return next(iter(tasks.values())) if len(tasks) == 1 else None
