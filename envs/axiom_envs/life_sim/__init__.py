"""LifeSim: one decision a year, from 18 to 78.

`CONFIG` is the game as data, `TASK` defines rewards and end, and `GAME` combines the two for the
registry. They are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_envs.life_sim.game import GAME
    from axiom_envs.life_sim.rules import CONFIG
    from axiom_envs.life_sim.task import TASK

__all__ = ["CONFIG", "GAME", "TASK"]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("rules", "task", "game"))


def __dir__() -> list[str]:
    return list(__all__)
