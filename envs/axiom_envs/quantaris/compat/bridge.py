"""Conversion between immutable values and the kernel's records, orders and event rows.

Slot s of a record is `state.quantars[s]`. A slot without a unit has the hp `c.REMOVED`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris import constants as c
from axiom_envs.quantaris import log, rules
from axiom_envs.quantaris.compat.events import (
    BlockReason,
    DamageAppliedEvent,
    DrawEvent,
    EndReason,
    EntityDestroyedEvent,
    Event,
    GameOverEvent,
    MoveBlockedEvent,
    MoveEvent,
    PulseFiredEvent,
    PulseHitEvent,
    PulseMissEvent,
    ShieldActivatedEvent,
    TerminalLossEvent,
)
from axiom_envs.quantaris.compat.types import (
    ALL_DIRECTIONS,
    ALL_PULSE_DIRECTIONS,
    BOARD_SIZE,
    ActionLike,
    ActionType,
    Core,
    Cores,
    Direction,
    Entity,
    EntityType,
    GamePhase,
    GameState,
    Player,
    Position,
    PulseDirection,
    Quantar,
    js_text,
    read_action,
)
from axiom_envs.quantaris.orders import MAX_ORDERS, pack_order
from axiom_envs.quantaris.state import STATE, Params, make_params
from axiom_gym.backend.codegen import compile_function
from axiom_gym.kernel import EVENT_COLUMNS

PLAYERS = tuple(Player)
_PHASES = {c.PLAYING: GamePhase.PLAYING, c.OVER: GamePhase.ENDED}
_BLOCK_REASONS = tuple(BlockReason)
_DRAW_REASONS = {
    log.REASON_MAX_TURNS: EndReason.MAX_TURNS,
    log.REASON_MUTUAL_DESTRUCTION: EndReason.MUTUAL_DESTRUCTION,
}
_KINDS = {
    ActionType.MOVE: c.MOVE,
    ActionType.PULSE: c.PULSE,
    ActionType.SHIELD: c.SHIELD,
}
# Plain Python, because compiling so small a function takes longer than playing a game.
_pack_order = getattr(pack_order, "py_func", pack_order)
_DELTAS = {
    direction: (int(c.DX[i]), int(c.DY[i])) for i, direction in enumerate(ALL_PULSE_DIRECTIONS)
}


def neighbour(position: Position, direction: str) -> Position:
    """Return the next cell in a direction; it may be off the board.

    Original names: `applyDirection`, `applyPulseDirection`.
    """
    dx, dy = _DELTAS[PulseDirection(direction)]
    return Position(position.x + dx, position.y + dy)


def directions_of(kind: ActionType, ruleset: str) -> tuple[Direction | PulseDirection, ...]:
    """Return the directions that an action of this type can have; a SHIELD has none."""
    if kind == ActionType.SHIELD:
        return ()
    return ALL_PULSE_DIRECTIONS if kind == ActionType.PULSE and ruleset == "0.2" else ALL_DIRECTIONS


def to_record(state: GameState) -> Any:
    """Return the kernel's record of a state.

    Raises:
        ValueError: if the record cannot hold the state, because it has more than six units, two
            units of one name, a unit or core off the board, or too many hp.
    """
    _check_state(state)
    record = np.zeros(1, STATE)[0]
    record.turn = state.turn
    record.phase = c.PLAYING if state.phase == GamePhase.PLAYING else c.OVER
    record.winner = c.NOBODY if state.winner is None else PLAYERS.index(state.winner)
    record.hp[:] = c.REMOVED
    for slot, quantar in enumerate(state.quantars):
        record.x[slot], record.y[slot] = quantar.position.x, quantar.position.y
        record.hp[slot] = quantar.hp
    record.core_hp[:] = state.cores.A.hp, state.cores.B.hp
    return record


def _most_hp(entity: Entity) -> int:
    return 30_000 if isinstance(entity, Core) else -1 - c.REMOVED


def _check_state(state: GameState) -> None:
    if len(state.quantars) > c.UNITS:
        raise ValueError(f"a state has at most {c.UNITS} units, got {len(state.quantars)}.")
    names = [quantar.id for quantar in state.quantars]
    if len(set(names)) < len(names):
        raise ValueError(f"the units of a state have different names, got {', '.join(names)}.")
    entities: list[Entity] = [*state.quantars, state.cores.A, state.cores.B]
    for entity in entities:
        cell = entity.position
        if not (0 <= cell.x < BOARD_SIZE and 0 <= cell.y < BOARD_SIZE):
            edge = BOARD_SIZE - 1
            raise ValueError(f"{entity.id} stands at {cell}; x and y must be from 0 to {edge}.")
        if abs(entity.hp) > _most_hp(entity):
            most = _most_hp(entity)
            raise ValueError(f"{entity.id} has {entity.hp} hp; it must be from -{most} to {most}.")


def to_params(state: GameState, ruleset: str) -> Params:
    """Return the kernel's parameters for a ruleset, with the cores and owners of this state."""
    owners = sum(1 << slot for slot, unit in enumerate(state.quantars) if unit.owner == Player.B)
    return _params(ruleset, state.cores.A.position, state.cores.B.position, owners)


@lru_cache(maxsize=256)
def _params(ruleset: str, core_a: Position, core_b: Position, owners: int) -> Params:
    cores = ((core_a.x, core_a.y), (core_b.x, core_b.y))
    return make_params(ruleset, cores, owners)


def to_orders(
    state: GameState, actions: Iterable[ActionLike], ruleset: str
) -> npt.NDArray[np.int64]:
    """Return the kernel's orders for a list of actions, (O,).

    Actions of unknown or dead units and of unknown types give no order.

    Raises:
        TypeError: if an action is None.
        ValueError: if a MOVE or PULSE of a living unit has a direction that the ruleset does not
            have, or there are more than `MAX_ORDERS` orders.
    """
    slots = {quantar.id: slot for slot, quantar in enumerate(state.quantars) if quantar.hp > 0}
    orders = []
    for action in actions:
        kind, unit, direction = read_action(action)
        if isinstance(unit, str) and unit in slots and isinstance(kind, str) and kind in _KINDS:
            kind = ActionType(kind)
            number = _direction_number(kind, unit, direction, ruleset)
            orders.append(_pack_order(slots[unit], _KINDS[kind], number))
    if len(orders) > MAX_ORDERS:
        raise ValueError(f"a turn has at most {MAX_ORDERS} orders, got {len(orders)}.")
    return np.array(orders, dtype=np.int64)


def _direction_number(kind: ActionType, unit: str, direction: object, ruleset: str) -> int:
    if kind == ActionType.SHIELD:
        return 0
    allowed = directions_of(kind, ruleset)
    if not isinstance(direction, str) or direction not in allowed:
        raise ValueError(
            f"{kind} of {unit} has the direction {js_text(direction)!r}; ruleset {ruleset} allows "
            f"{', '.join(allowed)}. Check the list with validate_player_actions first."
        )
    return allowed.index(direction)


def event_buffer(orders: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    """Return an empty log that is long enough for these orders, (E, 8)."""
    # One row with the count, three for each order (shot, hit, damage), eight for destroyed units
    # and cores, two for the end of the game.
    return np.zeros((16 + 3 * len(orders), EVENT_COLUMNS), dtype=np.int16)


def resolve(
    record: Any, orders: npt.NDArray[np.int64], events: npt.NDArray[np.int16], params: Params
) -> None:
    """Call the compiled `rules.resolve`, which writes into `record` and `events`."""
    _resolve()(record, orders, events, params)


@cache
def _resolve() -> Callable[..., int]:
    return compile_function(rules.resolve, "quantaris_resolve")


def from_record(before: GameState, record: Any) -> GameState:
    """Return the state in a record; names, owners and cores are those of the state before."""
    winner = int(record.winner)
    kept = [(slot, unit) for slot, unit in enumerate(before.quantars) if record.hp[slot] > 0]
    return GameState(
        turn=int(record.turn),
        phase=_PHASES[int(record.phase)],
        quantars=tuple(_moved(unit, record, slot) for slot, unit in kept),
        cores=Cores(
            replace(before.cores.A, hp=int(record.core_hp[0])),
            replace(before.cores.B, hp=int(record.core_hp[1])),
        ),
        winner=None if winner == c.NOBODY else PLAYERS[winner],
    )


def _moved(unit: Quantar, record: Any, slot: int) -> Quantar:
    position = Position(int(record.x[slot]), int(record.y[slot]))
    return replace(unit, position=position, hp=int(record.hp[slot]))


def from_events(before: GameState, buffer: npt.NDArray[np.int16]) -> tuple[Event, ...]:
    """Return the events of a log; the state before the turn gives the names of the slots."""
    names = {slot: quantar.id for slot, quantar in enumerate(before.quantars)}
    names |= {c.CORE_A: before.cores.A.id, c.CORE_B: before.cores.B.id}
    rows = buffer[1 : 1 + int(buffer[0, 0])].tolist()
    return tuple(_read_event(names, *row[:6]) for row in rows)


def _read_event(
    names: dict[int, str], kind: int, subject: int, b: int, c: int, d: int, e: int
) -> Event:
    """Return the event of a row; `subject` is a slot, a core, a player or the reason of a draw."""
    match kind:
        case log.EVENT_MOVE:
            return MoveEvent(names[subject], Position(b, c), Position(d, e))
        case log.EVENT_MOVE_BLOCKED:
            cell, direction = Position(b, c), ALL_DIRECTIONS[d]
            return MoveBlockedEvent(names[subject], cell, direction, _BLOCK_REASONS[e])
        case log.EVENT_PULSE_FIRED:
            return PulseFiredEvent(names[subject], Position(b, c), ALL_PULSE_DIRECTIONS[d])
        case log.EVENT_PULSE_HIT:
            return PulseHitEvent(names[subject], _entity_type(subject), b)
        case log.EVENT_PULSE_MISS:
            return PulseMissEvent(names[subject])
        case log.EVENT_SHIELD_ACTIVATED:
            return ShieldActivatedEvent(names[subject])
        case log.EVENT_DAMAGE_APPLIED:
            return DamageAppliedEvent(names[subject], b, c)
        case log.EVENT_ENTITY_DESTROYED:
            return EntityDestroyedEvent(names[subject], _entity_type(subject))
        case log.EVENT_GAME_OVER:
            return GameOverEvent(PLAYERS[subject])
        case log.EVENT_TERMINAL_LOSS:
            return TerminalLossEvent(PLAYERS[subject], EndReason.NO_QUANTARS)
        case _:
            return DrawEvent(_DRAW_REASONS[subject])


def _entity_type(target: int) -> EntityType:
    return EntityType.QUANTAR if target < c.UNITS else EntityType.CORE
