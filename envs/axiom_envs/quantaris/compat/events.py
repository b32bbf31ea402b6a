"""Typed log entries, the log of a turn, and the results that contain it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from axiom_envs.quantaris.compat.types import (
    ActionLike,
    Direction,
    EntityType,
    GameState,
    Player,
    Position,
    PulseDirection,
    Record,
)


class EventType(StrEnum):
    """The kinds of entries of a turn's log."""

    MOVE = "MOVE"
    MOVE_BLOCKED = "MOVE_BLOCKED"
    PULSE_FIRED = "PULSE_FIRED"
    PULSE_HIT = "PULSE_HIT"
    PULSE_MISS = "PULSE_MISS"
    SHIELD_ACTIVATED = "SHIELD_ACTIVATED"
    DAMAGE_APPLIED = "DAMAGE_APPLIED"
    ENTITY_DESTROYED = "ENTITY_DESTROYED"
    GAME_OVER = "GAME_OVER"
    TERMINAL_LOSS = "TERMINAL_LOSS"
    DRAW = "DRAW"


class BlockReason(StrEnum):
    """The reason of a blocked move."""

    OUT_OF_BOUNDS = "out of bounds"
    CORE = "blocked by Core"
    COLLISION = "collision with another Quantar"
    STATIONARY = "blocked by stationary Quantar"
    SWAP = "swap collision"


class EndReason(StrEnum):
    """The reason of a loss with the core intact, or of a draw."""

    NO_QUANTARS = "no_quantars"
    MAX_TURNS = "max_turns"
    MUTUAL_DESTRUCTION = "mutual_destruction"


class Event(Record):
    """An entry of a turn's log; `str` gives one line."""

    __slots__ = ()
    type: ClassVar[EventType]
    text: ClassVar[str]

    def __str__(self) -> str:
        return self.text.format(self)


@dataclass(frozen=True, slots=True)
class MoveEvent(Event):
    """A unit moved to another cell."""

    type: ClassVar[EventType] = EventType.MOVE
    text: ClassVar[str] = "{0.quantar_id} moves {0.from_} -> {0.to}"
    quantar_id: str
    from_: Position
    to: Position


@dataclass(frozen=True, slots=True)
class MoveBlockedEvent(Event):
    """The move of a unit was blocked."""

    type: ClassVar[EventType] = EventType.MOVE_BLOCKED
    text: ClassVar[str] = "{0.quantar_id} at {0.from_} cannot move {0.direction}: {0.reason}"
    quantar_id: str
    from_: Position
    direction: Direction
    reason: BlockReason


@dataclass(frozen=True, slots=True)
class PulseFiredEvent(Event):
    """A unit fired; a hit or a miss follows."""

    type: ClassVar[EventType] = EventType.PULSE_FIRED
    text: ClassVar[str] = "{0.quantar_id} at {0.from_} fires {0.direction}"
    quantar_id: str
    from_: Position
    direction: PulseDirection


@dataclass(frozen=True, slots=True)
class PulseHitEvent(Event):
    """The pulse of the entry before hit a unit or a core."""

    type: ClassVar[EventType] = EventType.PULSE_HIT
    text: ClassVar[str] = "  hits {0.target_id} for {0.damage}"
    target_id: str
    target_type: EntityType
    damage: int


@dataclass(frozen=True, slots=True)
class PulseMissEvent(Event):
    """The pulse of the entry before, fired by this unit, hit nothing."""

    type: ClassVar[EventType] = EventType.PULSE_MISS
    text: ClassVar[str] = "  misses"
    quantar_id: str


@dataclass(frozen=True, slots=True)
class ShieldActivatedEvent(Event):
    """A unit raised its shield for this turn."""

    type: ClassVar[EventType] = EventType.SHIELD_ACTIVATED
    text: ClassVar[str] = "{0.quantar_id} raises its shield"
    quantar_id: str


@dataclass(frozen=True, slots=True)
class DamageAppliedEvent(Event):
    """The total damage of this turn to one target, after its shield; 0 if the shield took it."""

    type: ClassVar[EventType] = EventType.DAMAGE_APPLIED
    text: ClassVar[str] = "{0.target_id} takes {0.damage}, {0.remaining_hp} hp left"
    target_id: str
    damage: int
    remaining_hp: int


@dataclass(frozen=True, slots=True)
class EntityDestroyedEvent(Event):
    """A unit was removed from the board, or a core has at most 0 hp."""

    type: ClassVar[EventType] = EventType.ENTITY_DESTROYED
    text: ClassVar[str] = "{0.entity_id} is destroyed"
    entity_id: str
    entity_type: EntityType


@dataclass(frozen=True, slots=True)
class GameOverEvent(Event):
    """A player won the game."""

    type: ClassVar[EventType] = EventType.GAME_OVER
    text: ClassVar[str] = "{0.winner} wins"
    winner: Player


@dataclass(frozen=True, slots=True)
class TerminalLossEvent(Event):
    """A player has no units left; ruleset 0.2."""

    type: ClassVar[EventType] = EventType.TERMINAL_LOSS
    text: ClassVar[str] = "{0.loser} loses: {0.reason}"
    loser: Player
    reason: EndReason


@dataclass(frozen=True, slots=True)
class DrawEvent(Event):
    """The game ended in a draw."""

    type: ClassVar[EventType] = EventType.DRAW
    text: ClassVar[str] = "draw: {0.reason}"
    reason: EndReason


@dataclass(frozen=True, slots=True)
class TurnLog(Record):
    """The events of a turn, in order; `str` gives one line for each.

    `turn` is the number of the turn before its resolution.
    """

    turn: int
    events: tuple[Event, ...]

    def __str__(self) -> str:
        return "\n".join([f"turn {self.turn}", *(f"  {event}" for event in self.events)])


@dataclass(frozen=True, slots=True)
class TurnResult(Record):
    """The state after a turn, and the log of the turn."""

    state: GameState
    log: TurnLog


@dataclass(frozen=True, slots=True)
class ReplayTurn(Record):
    """A turn of a recorded game; `state_hash` is the hash of the state before it."""

    turn: int
    state_hash: str
    actions_a: tuple[ActionLike, ...]
    actions_b: tuple[ActionLike, ...]
    log: TurnLog
