"""AjveCiv: a game of peoples with six values and with feelings about each other.

The package exports these names and imports each of them on first use:

- `Series`, a series of games between AIs; `AI` and `Ruleset`, the base classes of your own;
  `World` and `Society`, which AIs and rulesets get; `load_report`, which reads a report;
- `ai`, `worlds` and `common`: the built-in AIs, the built-in rulesets, and functions for offers;
- `GAME`, the description of the game that Axiom Gym works with, and its options `AjveCivConfig`;
- `env`, `raw_env` and `parallel_env`, the game as a PettingZoo module.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

if TYPE_CHECKING:
    from axiom_envs.ajve_civ.compat import ai, common, worlds
    from axiom_envs.ajve_civ.compat.ai import AI
    from axiom_envs.ajve_civ.compat.reports import load_report
    from axiom_envs.ajve_civ.compat.series import Series
    from axiom_envs.ajve_civ.compat.worlds import Ruleset, Society, World
    from axiom_envs.ajve_civ.config import PRESETS, AjveCivConfig
    from axiom_envs.ajve_civ.game import GAME

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
"""The modules that define the exported names. A name that two of them have is the same object."""
_PARTS = ("ai", "common", "worlds")
"""The modules of `compat` that the package exports as a whole."""


env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    _find = lazy_names(__name__, __all__, _MODULES)

    def __getattr__(name: str) -> object:
        if name in _PARTS:
            return importlib.import_module(f"{__name__}.compat.{name}")
        return _find(name)


def __dir__() -> list[str]:
    return list(__all__)
