"""Connect Four: seven columns, six rows, four in a line. The tutorial of this suite.

`GAME` describes the game to Axiom Gym, and `ConnectFourConfig` holds its options. Both are imported
on first use. `env`, `raw_env` and `parallel_env` make this package usable as a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

if TYPE_CHECKING:
    from axiom_envs.connect_four.config import ConnectFourConfig
    from axiom_envs.connect_four.game import GAME

__all__ = ["GAME", "ConnectFourConfig", "env", "parallel_env", "raw_env"]

env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("config", "game"))


def __dir__() -> list[str]:
    return list(__all__)
