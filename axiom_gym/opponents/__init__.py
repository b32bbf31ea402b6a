"""Opponents and the seats that they hold."""

from __future__ import annotations

from axiom_gym.opponents.pool import (
    Opponent,
    OpponentPool,
    Policy,
    as_pool,
    call_policy,
    check_game,
    load_opponent,
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
