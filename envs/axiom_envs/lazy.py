"""What the packages of games share: names that are imported when they are asked for (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiom_gym.adapters.pettingzoo import AxiomAECEnv

__all__ = ["aec_form", "lazy_names"]


def lazy_names(
    package: str, names: Sequence[str], modules: Sequence[str]
) -> Callable[[str], object]:
    """The `__getattr__` of a package.

    Args:
        package: its `__name__`.
        names: what it exports.
        modules: of the package, in the order in which they are searched; what a module itself
            imports from another is the same object there, so those that import little come first.
    """

    def find(name: str) -> Any:
        if name in names:
            for module in modules:
                home = importlib.import_module(f"{package}.{module}")
                if hasattr(home, name):
                    setattr(sys.modules[package], name, getattr(home, name))
                    return getattr(home, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


def aec_form(package: str) -> Callable[..., AxiomAECEnv]:
    """A function that makes PettingZoo's AEC form of the game whose package this is.

    Its keyword arguments are the options of `axiom_gym.adapters.pettingzoo.env`.
    """

    def env(**options: Any) -> AxiomAECEnv:
        from axiom_gym.adapters import pettingzoo

        return pettingzoo.env(importlib.import_module(f"{package}.game").GAME, **options)

    return env
