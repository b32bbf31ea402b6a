"""Skirmish: two sides of creatures fight on a grid by the rules of the SRD 5.1.

`GAME` holds the game's facts for Axiom Gym, `SkirmishConfig` its options. Both are imported at
their first use. `env`, `raw_env` and `parallel_env` make the package a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

if TYPE_CHECKING:
    from axiom_envs.skirmish.config import PRESETS, SkirmishConfig
    from axiom_envs.skirmish.game import GAME

__all__ = ["GAME", "PRESETS", "SkirmishConfig", "env", "parallel_env", "raw_env"]

env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("config", "game"))


def __dir__() -> list[str]:
    return list(__all__)
