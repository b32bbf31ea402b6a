"""Functions that the game packages share: lazy imports (PEP 562) and PettingZoo's forms."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv

__all__ = ["lazy_names", "pettingzoo_forms"]


def lazy_names(
    package: str, names: Sequence[str], modules: Sequence[str]
) -> Callable[[str], object]:
    """Return the `__getattr__` of a game's package.

    Args:
        package: the name of the package.
        names: the names that the package exports.
        modules: the submodules that define the names, relative to the package.
    """

    def find(name: str) -> object:
        # Imported here, so that importing a game's package is free until a name is used.
        from axiom_gym import lazy

        return lazy.lazy_names(package, names, [f"{package}.{module}" for module in modules])(name)

    return find


def pettingzoo_forms(
    package: str,
) -> tuple[Callable[..., AxiomAECEnv], Callable[..., AxiomAECEnv], Callable[..., AxiomParallelEnv]]:
    """Return `env`, `raw_env` and `parallel_env`, which make a game's package a PettingZoo module.

    They import the game and PettingZoo when they are called. Their keyword arguments are those of
    `axiom_gym.adapters.one_game.OneGame`, such as `max_cycles`, and `render_mode`. The first two
    are the same function. The third raises `IncompatibleGameError` for a sequential game.
    """

    def env(**options: Any) -> AxiomAECEnv:
        from axiom_gym.adapters import pettingzoo

        return pettingzoo.env(importlib.import_module(f"{package}.game").GAME, **options)

    def parallel_env(**options: Any) -> AxiomParallelEnv:
        from axiom_gym.adapters import pettingzoo

        return pettingzoo.parallel_env(importlib.import_module(f"{package}.game").GAME, **options)

    return env, env, parallel_env
