"""Quantaris: two players order three units each on a 9x9 board, at the same time.

Everything is here under one name, and is imported when it is first asked for:

- `GAME`, the record by which Axiom Gym knows the game;
- the rules on immutable values: `create_initial_state`, `legal_actions`, `resolve_turn`, ...;
- `env`, `raw_env` and `parallel_env`, the game as a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axiom_envs.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_envs.quantaris.compat.events import (
        BlockReason,
        DamageAppliedEvent,
        DrawEvent,
        EndReason,
        EntityDestroyedEvent,
        Event,
        EventType,
        GameOverEvent,
        MoveBlockedEvent,
        MoveEvent,
        PulseFiredEvent,
        PulseHitEvent,
        PulseMissEvent,
        ReplayTurn,
        ShieldActivatedEvent,
        TerminalLossEvent,
        TurnLog,
        TurnResult,
    )
    from axiom_envs.quantaris.compat.hashing import (
        canonicalize_actions,
        canonicalize_state,
        hash_actions,
        hash_state,
        hash_turn,
    )
    from axiom_envs.quantaris.compat.rules import (
        create_initial_state,
        create_replay_turn,
        get_entity_at,
        get_opponent,
        get_player_core,
        get_player_quantars,
        get_quantar,
        is_in_bounds,
        legal_actions,
        positions_equal,
        resolve_turn,
        states_equal,
        validate_action,
        validate_player_actions,
    )
    from axiom_envs.quantaris.compat.types import (
        ALL_DIRECTIONS,
        ALL_PULSE_DIRECTIONS,
        BOARD_SIZE,
        CORE_HP,
        DEFAULT_RULESET,
        DIAGONAL_DIRECTIONS,
        MAX_TURNS,
        PULSE_DAMAGE,
        QUANTAR_HP,
        QUANTARS_PER_PLAYER,
        RULESETS,
        SHIELD_REDUCTION,
        Action,
        ActionLike,
        ActionType,
        Core,
        Cores,
        Direction,
        Entity,
        EntityType,
        GamePhase,
        GameState,
        MoveAction,
        Player,
        Position,
        PulseAction,
        PulseDirection,
        Quantar,
        Record,
        ShieldAction,
        ValidationCode,
        ValidationResult,
    )
    from axiom_envs.quantaris.game import GAME
    from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv

__all__ = [
    "ALL_DIRECTIONS",
    "ALL_PULSE_DIRECTIONS",
    "BOARD_SIZE",
    "CORE_HP",
    "DEFAULT_RULESET",
    "DIAGONAL_DIRECTIONS",
    "GAME",
    "MAX_TURNS",
    "PULSE_DAMAGE",
    "QUANTARS_PER_PLAYER",
    "QUANTAR_HP",
    "RULESETS",
    "SHIELD_REDUCTION",
    "Action",
    "ActionLike",
    "ActionType",
    "BlockReason",
    "Core",
    "Cores",
    "DamageAppliedEvent",
    "Direction",
    "DrawEvent",
    "EndReason",
    "Entity",
    "EntityDestroyedEvent",
    "EntityType",
    "Event",
    "EventType",
    "GameOverEvent",
    "GamePhase",
    "GameState",
    "MoveAction",
    "MoveBlockedEvent",
    "MoveEvent",
    "Player",
    "Position",
    "PulseAction",
    "PulseDirection",
    "PulseFiredEvent",
    "PulseHitEvent",
    "PulseMissEvent",
    "Quantar",
    "Record",
    "ReplayTurn",
    "ShieldAction",
    "ShieldActivatedEvent",
    "TerminalLossEvent",
    "TurnLog",
    "TurnResult",
    "ValidationCode",
    "ValidationResult",
    "canonicalize_actions",
    "canonicalize_state",
    "create_initial_state",
    "create_replay_turn",
    "env",
    "get_entity_at",
    "get_opponent",
    "get_player_core",
    "get_player_quantars",
    "get_quantar",
    "hash_actions",
    "hash_state",
    "hash_turn",
    "is_in_bounds",
    "legal_actions",
    "parallel_env",
    "positions_equal",
    "raw_env",
    "resolve_turn",
    "states_equal",
    "validate_action",
    "validate_player_actions",
]

_MODULES = ("game", "compat.types", "compat.events", "compat.hashing", "compat.rules")
"""Where the names stand. What a module itself imports from another is the same object there."""


def parallel_env(**options: Any) -> AxiomParallelEnv:
    """PettingZoo's parallel form; for the options see `axiom_gym.adapters.pettingzoo`."""
    from axiom_envs.quantaris.game import GAME
    from axiom_gym.adapters import pettingzoo

    return pettingzoo.parallel_env(GAME, **options)


def env(**options: Any) -> AxiomAECEnv:
    """PettingZoo's AEC form, with all checks; options as for `parallel_env`."""
    from axiom_envs.quantaris.game import GAME
    from axiom_gym.adapters import pettingzoo

    return pettingzoo.env(GAME, **options)


raw_env = env


if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, _MODULES)


def __dir__() -> list[str]:
    return list(__all__)
