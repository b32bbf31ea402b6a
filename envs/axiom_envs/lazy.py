"""Functions that the game packages share: lazy imports (PEP 562) and PettingZoo's `env`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiom_gym.adapters.pettingzoo import AxiomAECEnv

__all__ = ["aec_form", "lazy_names"]


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


def aec_form(package: str) -> Callable[..., AxiomAECEnv]:
    """Return a function that makes PettingZoo's AEC environment of the game in this package.

    Its keyword arguments are those of `axiom_gym.adapters.pettingzoo.env`.
    """

    def env(**options: Any) -> AxiomAECEnv:
        from axiom_gym.adapters import pettingzoo

        return pettingzoo.env(importlib.import_module(f"{package}.game").GAME, **options)

    return env
