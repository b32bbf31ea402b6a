"""Self-play training, snapshots as opponents, evaluation, ratings and reports.

This package needs the extra `train`. It uses only the core's public names, and it names no game:
algorithms read what they need from a game's facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_training.facts import GameFacts
    from axiom_training.policy import ModelPolicy, load_policy, save_model
    from axiom_training.sb3_policy import Sb3Policy

__all__ = ["GameFacts", "ModelPolicy", "Sb3Policy", "load_policy", "save_model"]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ["axiom_training.facts", "axiom_training.policy"])
