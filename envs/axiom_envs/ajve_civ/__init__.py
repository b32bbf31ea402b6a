"""AjveCiv: peoples with six values, and feelings between them.

Everything is here under one name, and is imported when it is first asked for:

- `Series`, with games between AIs, `AI` and `Ruleset` to extend, `World` and `Society` as they see
  them, `load_report`;
- `ai`, `worlds` and `common`: the built-in AIs and rulesets, and what offers are made of;
- `GAME`, the record by which Axiom Gym knows the game, `AjveCivConfig` its options;
- `env`, `raw_env` and `parallel_env`, the game as a PettingZoo module.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from axiom_envs.lazy import aec_form, lazy_names

if TYPE_CHECKING:
    from axiom_envs.ajve_civ.compat import ai, common, worlds
    from axiom_envs.ajve_civ.compat.ai import AI
    from axiom_envs.ajve_civ.compat.reports import load_report
    from axiom_envs.ajve_civ.compat.series import Series
    from axiom_envs.ajve_civ.compat.worlds import Ruleset, Society, World
    from axiom_envs.ajve_civ.config import PRESETS, AjveCivConfig
    from axiom_envs.ajve_civ.game import GAME
    from axiom_gym.adapters.pettingzoo import AxiomParallelEnv

__all__ = [
    "AI",
    "GAME",
    "PRESETS",
    "AjveCivConfig",
    "Ruleset",
    "Series",
    "Society",
    "World",
    "ai",
    "common",
    "env",
    "load_report",
    "parallel_env",
    "raw_env",
    "worlds",
]

_MODULES = ("config", "game", "compat.worlds", "compat.ai", "compat.reports", "compat.series")
"""Where the names stand. What a module itself imports from another is the same object there."""
_PARTS = ("ai", "common", "worlds")
"""Modules of `compat` that are names of the package themselves."""


def parallel_env(**options: Any) -> AxiomParallelEnv:
    """PettingZoo's parallel form; for the options see `axiom_gym.adapters.pettingzoo`."""
    from axiom_envs.ajve_civ.game import GAME
    from axiom_gym.adapters import pettingzoo

    return pettingzoo.parallel_env(GAME, **options)


env = raw_env = aec_form(__name__)

if not TYPE_CHECKING:
    _find = lazy_names(__name__, __all__, _MODULES)

    def __getattr__(name: str) -> object:
        if name in _PARTS:
            return importlib.import_module(f"{__name__}.compat.{name}")
        return _find(name)


def __dir__() -> list[str]:
    return list(__all__)
