"""Axiom Gym: strategy games for reinforcement learning.

One set of compiled rules stands behind every interface.

`import axiom_gym` makes the games known to Gymnasium and PettingZoo; nothing of a game is imported
or compiled before it is made.
"""

from __future__ import annotations

from axiom_gym.adapters.registration import register_all

__version__ = "0.1.0"

__all__ = ["__version__", "register_all"]

register_all()
