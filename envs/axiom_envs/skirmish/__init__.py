"""Skirmish: two sides of creatures fight on squares by the rules of the SRD 5.1.

`GAME` is the record by which Axiom Gym knows the game, `SkirmishConfig` its options. They are
imported when they are first asked for. `env` and `raw_env` make the game a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import aec_form, lazy_names

if TYPE_CHECKING:
    from axiom_envs.skirmish.config import PRESETS, SkirmishConfig
    from axiom_envs.skirmish.game import GAME

__all__ = ["GAME", "PRESETS", "SkirmishConfig", "env", "raw_env"]

env = raw_env = aec_form(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("config", "game"))


def __dir__() -> list[str]:
    return list(__all__)
