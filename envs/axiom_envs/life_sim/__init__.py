"""LifeSim: one decision a year, from 18 to 78.

`CONFIG` is the game as data, `TASK` what is wanted of a player, and `GAME` the two together, as the
registry knows them. They are imported when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiom_envs.life_sim.config import CONFIG
    from axiom_envs.life_sim.game import GAME
    from axiom_envs.life_sim.task import TASK

__all__ = ["CONFIG", "GAME", "TASK"]

_HOMES = {"CONFIG": "config", "GAME": "game", "TASK": "task"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Imports a name of `__all__` when it is first asked for (PEP 562)."""
        if name in _HOMES:
            module = importlib.import_module(f"{__name__}.{_HOMES[name]}")
            globals()[name] = getattr(module, name)
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
