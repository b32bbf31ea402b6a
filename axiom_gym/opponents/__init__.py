"""Opponents and the seats that they hold."""

from __future__ import annotations

from axiom_gym.opponents.names import load_opponent
from axiom_gym.opponents.pool import (
    Opponent,
    OpponentPool,
    Policy,
    as_pool,
    call_policy,
    check_game,
)

__all__ = [
    "Opponent",
    "OpponentPool",
    "Policy",
    "as_pool",
    "call_policy",
    "check_game",
    "load_opponent",
]
