"""The same games in the forms that the field uses; the only place that imports their packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_modules

if TYPE_CHECKING:
    from axiom_gym.adapters import gymnasium as gymnasium
    from axiom_gym.adapters import openspiel as openspiel
    from axiom_gym.adapters import pettingzoo as pettingzoo
    from axiom_gym.adapters import rllib as rllib
    from axiom_gym.adapters import sb3 as sb3

_MODULES = ("gymnasium", "openspiel", "pettingzoo", "rllib", "sb3")

if not TYPE_CHECKING:
    __getattr__ = lazy_modules(__name__, _MODULES)


def __dir__() -> list[str]:
    return list(_MODULES)
