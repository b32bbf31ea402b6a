"""The rules of Quantaris on immutable values: queries, validation, legal actions and resolution.

No function changes its arguments. The resolution of a turn is the compiled code of
`axiom_envs.quantaris.rules`; this module passes it the state and the orders, and converts the
result to a new state and a log.

Functions that depend on the rules take `ruleset`, "0.2" or "0.1". In ruleset 0.1 a pulse has four
directions, and a player loses only when its core is destroyed. An unknown ruleset raises
`axiom_gym.errors.ConfigError`.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiom_envs.quantaris.compat import bridge
from axiom_envs.quantaris.compat.events import ReplayTurn, TurnLog, TurnResult
from axiom_envs.quantaris.compat.hashing import canonicalize_state, hash_state
from axiom_envs.quantaris.compat.types import (
    ALL_DIRECTIONS,
    ALL_PULSE_DIRECTIONS,
    BOARD_SIZE,
    CORE_HP,
    DEFAULT_RULESET,
    QUANTAR_HP,
    QUANTARS_PER_PLAYER,
    RULESETS,
    Action,
    ActionFields,
    ActionLike,
    ActionType,
    Core,
    Cores,
    Entity,
    GamePhase,
    GameState,
    MoveAction,
    Player,
    Position,
    PulseAction,
    Quantar,
    ShieldAction,
    Undefined,
    ValidationCode,
    ValidationResult,
    js_text,
    read_action,
)
from axiom_envs.quantaris.constants import CORES, START_X, START_Y
from axiom_gym.errors import check_choice

VALID = ValidationResult(True)

# --------------------------------------------------------------------------------------------------
# States and queries


def create_initial_state() -> GameState:
    """Return the initial state, which is the same in both rulesets.

    Original name: `createInitialState`.
    """
    quantars = (*_starting_row(Player.A, START_Y[0]), *_starting_row(Player.B, START_Y[1]))
    cores = Cores(
        Core(Player.A, Position(*CORES[0]), CORE_HP),
        Core(Player.B, Position(*CORES[1]), CORE_HP),
    )
    return GameState(1, GamePhase.PLAYING, quantars, cores, None)


def _starting_row(player: Player, y: int) -> list[Quantar]:
    return [
        Quantar(f"{player}{i + 1}", player, Position(START_X + i, y), QUANTAR_HP)
        for i in range(QUANTARS_PER_PLAYER)
    ]


def get_quantar(state: GameState, quantar_id: str) -> Quantar | None:
    """Return the unit of this name, or None. Original name: `getQuantar`."""
    return next((quantar for quantar in state.quantars if quantar.id == quantar_id), None)


def get_player_quantars(state: GameState, player: Player) -> tuple[Quantar, ...]:
    """Return the units of a player in state order. Original name: `getPlayerQuantars`."""
    return tuple(quantar for quantar in state.quantars if quantar.owner == player)


def get_player_core(state: GameState, player: Player) -> Core:
    """Return the core of a player, dead or alive. Original name: `getPlayerCore`."""
    return state.cores[player]


def get_entity_at(state: GameState, position: Position) -> Entity | None:
    """Return the unit or core on a cell, or None; `entity_type` distinguishes the two.

    On a shared cell it is the first unit in state order, else core A, else core B.
    Original name: `getEntityAt`.
    """
    everything: list[Entity] = [*state.quantars, state.cores.A, state.cores.B]
    return next((entity for entity in everything if entity.position == position), None)


def is_in_bounds(position: Position) -> bool:
    """Return True if a position is on the board. Original name: `isInBounds`."""
    return 0 <= position.x < BOARD_SIZE and 0 <= position.y < BOARD_SIZE


def positions_equal(a: Position, b: Position) -> bool:
    """Return True if two positions are the same cell: `a == b`. Original name: `positionsEqual`."""
    return a == b


def get_opponent(player: Player) -> Player:
    """Return the other player. Original name: `getOpponent`."""
    return Player.B if player == Player.A else Player.A


def states_equal(a: GameState, b: GameState) -> bool:
    """Return True if two states are equal except for the order of units.

    Original name: `statesEqual`.
    """
    return canonicalize_state(a) == canonicalize_state(b)


# --------------------------------------------------------------------------------------------------
# Validation


def validate_action(
    state: GameState, action: object, player: Player, *, ruleset: str = DEFAULT_RULESET
) -> ValidationResult:
    """Check one action of a player, whatever the phase of the game.

    A move must stay on the board. A move into a core or a unit is valid; the resolution blocks it.
    The action may be any object. Original name: `validateAction`.

    Raises:
        ConfigError: if the ruleset is unknown.
    """
    check_choice("ruleset", ruleset, RULESETS)
    return _check_action(state, action, player, ruleset)


def _check_action(
    state: GameState, action: object, player: Player, ruleset: str
) -> ValidationResult:
    if action is None or read_action(action).type is Undefined.UNDEFINED:
        return _invalid(ValidationCode.INVALID_ACTION_TYPE, "Invalid action format")
    order = read_action(action)
    name = js_text(order.quantar_id)
    quantar = get_quantar(state, order.quantar_id) if isinstance(order.quantar_id, str) else None
    if quantar is None:
        return _invalid(ValidationCode.QUANTAR_NOT_FOUND, f"Quantar {name} not found")
    if quantar.owner != player:
        message = f"Quantar {name} is not owned by player {player}"
        return _invalid(ValidationCode.QUANTAR_NOT_OWNED, message)
    if quantar.hp <= 0:
        return _invalid(ValidationCode.QUANTAR_DEAD, f"Quantar {name} is dead")
    return _check_by_type(quantar, order, ruleset)


def _check_by_type(quantar: Quantar, order: ActionFields, ruleset: str) -> ValidationResult:
    if not isinstance(order.type, str) or order.type not in tuple(ActionType):
        message = f"Unknown action type: {js_text(order.type)}"
        return _invalid(ValidationCode.INVALID_ACTION_TYPE, message)
    kind, direction = ActionType(order.type), order.direction
    if kind == ActionType.SHIELD:
        return VALID
    if not isinstance(direction, str) or direction not in bridge.directions_of(kind, ruleset):
        noun = "pulse direction" if kind == ActionType.PULSE and ruleset == "0.2" else "direction"
        message = f"Invalid {noun}: {js_text(direction)}"
        return _invalid(ValidationCode.INVALID_DIRECTION, message)
    if kind == ActionType.PULSE or is_in_bounds(bridge.neighbour(quantar.position, direction)):
        return VALID
    return _invalid(ValidationCode.MOVE_OUT_OF_BOUNDS, "Move would go out of bounds")


def _invalid(code: ValidationCode, message: str) -> ValidationResult:
    return ValidationResult(False, code, message)


def validate_player_actions(
    state: GameState,
    actions: Sequence[object],
    player: Player,
    *,
    ruleset: str = DEFAULT_RULESET,
) -> ValidationResult:
    """Check that a player's list has one valid action for each living unit.

    The result reports the first error in this order: the phase of the game; for each action of the
    list, a second action of the same unit, then the error of `validate_action`; the first living
    unit without an action. For None in the list it reports `INVALID_ACTION_TYPE`, where the
    original throws. Original name: `validatePlayerActions`.

    Raises:
        ConfigError: if the ruleset is unknown.
    """
    check_choice("ruleset", ruleset, RULESETS)
    if state.phase != GamePhase.PLAYING:
        code = ValidationCode.GAME_NOT_IN_ACTION_PHASE
        return _invalid(code, "Game is not in playing phase")
    ordered: list[object] = []
    for action in actions:
        name = None if action is None else read_action(action).quantar_id
        if name in ordered:
            message = f"Duplicate action for Quantar {js_text(name)}"
            return _invalid(ValidationCode.DUPLICATE_QUANTAR_ACTION, message)
        result = _check_action(state, action, player, ruleset)
        if not result.valid:
            return result
        ordered.append(name)
    for quantar in get_player_quantars(state, player):
        if quantar.hp > 0 and quantar.id not in ordered:
            message = f"Missing action for Quantar {quantar.id}"
            return _invalid(ValidationCode.MISSING_QUANTAR_ACTION, message)
    return VALID


def legal_actions(
    state: GameState, player: Player, *, ruleset: str = DEFAULT_RULESET
) -> tuple[Action, ...]:
    """Return all actions of a player that `validate_action` accepts.

    The units are in state order. Each has MOVE N, E, S, W, then PULSE N, E, S, W (in ruleset 0.2
    also NE, NW, SE, SW), then SHIELD.

    Raises:
        ConfigError: if the ruleset is unknown.
    """
    check_choice("ruleset", ruleset, RULESETS)
    candidates = (
        action
        for quantar in get_player_quantars(state, player)
        for action in _all_actions(quantar.id)
    )
    return tuple(a for a in candidates if _check_action(state, a, player, ruleset).valid)


def _all_actions(quantar_id: str) -> list[Action]:
    moves = [MoveAction(quantar_id, direction) for direction in ALL_DIRECTIONS]
    pulses = [PulseAction(quantar_id, direction) for direction in ALL_PULSE_DIRECTIONS]
    return [*moves, *pulses, ShieldAction(quantar_id)]


# --------------------------------------------------------------------------------------------------
# Resolution and replay


def resolve_turn(
    state: GameState,
    actions_a: Sequence[ActionLike],
    actions_b: Sequence[ActionLike],
    *,
    ruleset: str = DEFAULT_RULESET,
) -> TurnResult:
    """Play one turn: the actions of A, then those of B, in the given order.

    As in the original, nothing is validated: actions of unknown or dead units and of unknown types
    are skipped, all actions of a unit count if it has several, and a game that has ended can
    continue. Check the lists with `validate_player_actions` first. Original name: `resolveTurn`.

    Raises:
        ConfigError: if the ruleset is unknown.
        TypeError: if an action is None.
        ValueError: if a MOVE or PULSE of a living unit has a direction that the ruleset does not
            have; or there are more actions, units or hp than the kernel can hold (see `bridge`).
    """
    check_choice("ruleset", ruleset, RULESETS)
    record = bridge.to_record(state)
    orders = bridge.to_orders(state, (*actions_a, *actions_b), ruleset)
    events = bridge.event_buffer(orders)
    bridge.resolve(record, orders, events, bridge.to_params(state, ruleset))
    log = TurnLog(state.turn, bridge.from_events(state, events))
    return TurnResult(bridge.from_record(state, record), log)


def create_replay_turn(
    state: GameState,
    actions_a: Sequence[ActionLike],
    actions_b: Sequence[ActionLike],
    log: TurnLog,
) -> ReplayTurn:
    """Return a turn of a replay; `state` is the state before it.

    Original name: `createReplayTurn`.
    """
    return ReplayTurn(state.turn, hash_state(state), tuple(actions_a), tuple(actions_b), log)
