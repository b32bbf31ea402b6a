"""Axiom Gym: strategy games for reinforcement learning.

All interfaces of a game share one set of compiled rules.

`import axiom_gym` registers the games with Gymnasium and PettingZoo. A game is imported when an
environment of it is made, and compiled at the first reset.
"""

from __future__ import annotations

from axiom_gym.adapters.registration import register_all

__version__ = "0.1.0"

__all__ = ["__version__", "register_all"]

register_all()
