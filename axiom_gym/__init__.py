"""Axiom Gym: strategy games for reinforcement learning.

All interfaces of a game share one set of compiled rules.

`import axiom_gym` registers the games with Gymnasium and PettingZoo. A game is imported when an
environment of it is made, and compiled at the first reset. The submodules are attributes of the
package; each is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.adapters.registration import register_all
from axiom_gym.lazy import lazy_modules, lazy_names

if TYPE_CHECKING:
    from axiom_gym import adapters as adapters
    from axiom_gym import backend as backend
    from axiom_gym import balance as balance
    from axiom_gym import batch as batch
    from axiom_gym import check as check
    from axiom_gym import config as config
    from axiom_gym import errors as errors
    from axiom_gym import game as game
    from axiom_gym import kernel as kernel
    from axiom_gym import opponents as opponents
    from axiom_gym import play as play
    from axiom_gym import registry as registry
    from axiom_gym import render as render
    from axiom_gym import replay as replay
    from axiom_gym import rng as rng
    from axiom_gym import seeded_rng as seeded_rng
    from axiom_gym import text as text
    from axiom_gym.adapters.making import make as make
    from axiom_gym.adapters.making import make_vec as make_vec

__version__ = "0.1.0"

__all__ = ["__version__", "make", "make_vec", "register_all"]

_MODULES = (
    "adapters",
    "backend",
    "balance",
    "batch",
    "check",
    "config",
    "errors",
    "game",
    "kernel",
    "opponents",
    "play",
    "registry",
    "render",
    "replay",
    "rng",
    "seeded_rng",
    "text",
)

if not TYPE_CHECKING:
    _find_module = lazy_modules(__name__, _MODULES)
    _find_name = lazy_names(__name__, ["make", "make_vec"], ["axiom_gym.adapters.making"])

    def __getattr__(name: str) -> object:
        return _find_module(name) if name in _MODULES else _find_name(name)


def __dir__() -> list[str]:
    return [*__all__, *_MODULES]


register_all()
