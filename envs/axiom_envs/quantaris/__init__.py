"""Quantaris: two players give simultaneous orders to three units each on a 9 x 9 board.

The package exports these names and imports each of them on first use:

- `GAME`, the description of the game that Axiom Gym works with;
- the rules on immutable values: `create_initial_state`, `legal_actions`, `resolve_turn`, ...;
- `env`, `raw_env` and `parallel_env`, the game as a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

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
"""The modules that define the exported names. A name that two of them have is the same object."""


env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, _MODULES)


def __dir__() -> list[str]:
    return list(__all__)
