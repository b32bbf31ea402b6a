"""LifeSim: one decision a year, from 18 to 78.

`CONFIG` is the game as data, `TASK` defines rewards and end, and `GAME` combines the two for the
registry. They are imported on first use. `env`, `raw_env` and `parallel_env` make this package
usable as a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

if TYPE_CHECKING:
    from axiom_envs.life_sim.game import GAME
    from axiom_envs.life_sim.rules import CONFIG
    from axiom_envs.life_sim.task import TASK

__all__ = ["CONFIG", "GAME", "TASK", "env", "parallel_env", "raw_env"]

env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("rules", "task", "game"))


def __dir__() -> list[str]:
    return list(__all__)
