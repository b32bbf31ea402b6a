"""What the packages of games share: names that are imported when they are asked for (PEP 562)."""

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
    """Return the `__getattr__` of a game's package; `modules` are named relative to it."""

    def find(name: str) -> object:
        # Imported here, so that the package of a game costs nothing until a name is asked for.
        from axiom_gym import lazy

        return lazy.lazy_names(package, names, [f"{package}.{module}" for module in modules])(name)

    return find


def aec_form(package: str) -> Callable[..., AxiomAECEnv]:
    """A function that makes PettingZoo's AEC form of the game whose package this is.

    Its keyword arguments are the options of `axiom_gym.adapters.pettingzoo.env`.
    """

    def env(**options: Any) -> AxiomAECEnv:
        from axiom_gym.adapters import pettingzoo

        return pettingzoo.env(importlib.import_module(f"{package}.game").GAME, **options)

    return env
