"""The types of Quantaris: enums, constants, and immutable values for states and actions.

Values are immutable and compare by content; `to_json()` gives the original engine's JSON. The
events of a turn have their types in `events`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, StrEnum
from typing import Any, ClassVar, NamedTuple

from axiom_envs.quantaris import constants

BOARD_SIZE = constants.SIZE
CORE_HP = constants.CORE_HP
QUANTAR_HP = constants.UNIT_HP
PULSE_DAMAGE = 1
SHIELD_REDUCTION = 1
QUANTARS_PER_PLAYER = constants.UNITS_PER_PLAYER
MAX_TURNS = constants.MAX_TURNS
RULESETS = constants.RULESETS
DEFAULT_RULESET = constants.DEFAULT_RULESET


class Player(StrEnum):
    """The players: A starts at the bottom of the board, B at the top."""

    A = "A"
    B = "B"


class Direction(StrEnum):
    """The directions of a move; north is towards y = 0."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


class PulseDirection(StrEnum):
    """The directions of a pulse; diagonals reach one cell, and ruleset 0.1 does not have them."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH_EAST = "NE"
    NORTH_WEST = "NW"
    SOUTH_EAST = "SE"
    SOUTH_WEST = "SW"


ALL_DIRECTIONS = tuple(Direction)
ALL_PULSE_DIRECTIONS = tuple(PulseDirection)
DIAGONAL_DIRECTIONS = ALL_PULSE_DIRECTIONS[len(ALL_DIRECTIONS) :]


class ActionType(StrEnum):
    """The types of actions."""

    MOVE = "MOVE"
    PULSE = "PULSE"
    SHIELD = "SHIELD"


class GamePhase(StrEnum):
    """The phases of a game: in progress or over."""

    PLAYING = "playing"
    ENDED = "ended"


class EntityType(StrEnum):
    """The types of entities, which occupy a cell and take damage."""

    QUANTAR = "quantar"
    CORE = "core"


class ValidationCode(StrEnum):
    """The error of an action or a list of actions that is not valid."""

    INVALID_ACTION_TYPE = "INVALID_ACTION_TYPE"
    INVALID_DIRECTION = "INVALID_DIRECTION"
    QUANTAR_NOT_FOUND = "QUANTAR_NOT_FOUND"
    QUANTAR_NOT_OWNED = "QUANTAR_NOT_OWNED"
    QUANTAR_DEAD = "QUANTAR_DEAD"
    MOVE_OUT_OF_BOUNDS = "MOVE_OUT_OF_BOUNDS"
    DUPLICATE_QUANTAR_ACTION = "DUPLICATE_QUANTAR_ACTION"
    MISSING_QUANTAR_ACTION = "MISSING_QUANTAR_ACTION"
    GAME_NOT_IN_ACTION_PHASE = "GAME_NOT_IN_ACTION_PHASE"


def _plain(value: Any) -> Any:
    """Return the JSON form; a record is an object with camelCase keys, its `type` first if any."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if is_dataclass(value):
        head = {"type": value.type.value} if hasattr(value, "type") else {}
        return head | {_camel_case(f.name): _plain(getattr(value, f.name)) for f in fields(value)}
    return value


def _camel_case(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


class Record:
    """The base class of all values of this module."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return the original engine's JSON object for this value."""
        plain: dict[str, Any] = _plain(self)
        return plain


@dataclass(frozen=True, slots=True)
class Position(Record):
    """A cell: x increases to the right, y downward, both 0..8."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"({self.x},{self.y})"


@dataclass(frozen=True, slots=True)
class Quantar(Record):
    """A unit of a player; `id` is its name, such as "A1"."""

    entity_type: ClassVar[EntityType] = EntityType.QUANTAR
    id: str
    owner: Player
    position: Position
    hp: int


@dataclass(frozen=True, slots=True)
class Core(Record):
    """The core of a player, which loses the game if it is destroyed."""

    entity_type: ClassVar[EntityType] = EntityType.CORE
    owner: Player
    position: Position
    hp: int

    @property
    def id(self) -> str:
        """The name of the core in events: `core_A` or `core_B`."""
        return f"core_{self.owner}"


Entity = Quantar | Core


@dataclass(frozen=True, slots=True)
class Cores(Record):
    """The cores of both players; the core of A is `cores.A`, or `cores[Player.A]`."""

    A: Core
    B: Core

    def __getitem__(self, player: Player) -> Core:
        return self.A if player == Player.A else self.B


@dataclass(frozen=True, slots=True)
class GameState(Record):
    """A state of the game; it does not include the ruleset.

    The order of `quantars` matters if units share a cell: the rules then use the first living one.
    `winner` is None while the game is in progress and after a draw.
    """

    turn: int
    phase: GamePhase
    quantars: tuple[Quantar, ...]
    cores: Cores
    winner: Player | None


@dataclass(frozen=True, slots=True)
class MoveAction(Record):
    """A move by one cell."""

    type: ClassVar[ActionType] = ActionType.MOVE
    quantar_id: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class PulseAction(Record):
    """A shot that hits the first unit or core in its direction."""

    type: ClassVar[ActionType] = ActionType.PULSE
    quantar_id: str
    direction: Direction | PulseDirection


@dataclass(frozen=True, slots=True)
class ShieldAction(Record):
    """A shield that takes one point of damage this turn."""

    type: ClassVar[ActionType] = ActionType.SHIELD
    quantar_id: str


Action = MoveAction | PulseAction | ShieldAction
ActionLike = Action | Mapping[str, Any]
"""An action, or a mapping `{type, quantarId or quantar_id, direction}` as read from JSON."""


class Undefined(Enum):
    """The value of a field that an action does not have; None is a different value."""

    UNDEFINED = "undefined"


class ActionFields(NamedTuple):
    """The fields of an action, unchecked."""

    type: object
    quantar_id: object
    direction: object


def read_action(action: object) -> ActionFields:
    """Return the fields of an action or mapping; of other objects, all are `Undefined.UNDEFINED`.

    Raises:
        TypeError: if `action` is None, as in the original.
    """
    missing = Undefined.UNDEFINED
    if action is None:
        raise TypeError("an action is None; give an action, or leave it out of the list.")
    if isinstance(action, Action):
        direction = getattr(action, "direction", missing)
        return ActionFields(action.type, action.quantar_id, direction)
    if isinstance(action, Mapping):
        unit = action.get("quantarId", action.get("quantar_id", missing))
        return ActionFields(action.get("type", missing), unit, action.get("direction", missing))
    return ActionFields(missing, missing, missing)


def js_text(value: object) -> str:
    """Return `value` as the original's messages and hashes print it: None as `null`, 3.0 as `3`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Undefined):
        return str(value.value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return ",".join("" if entry is None else js_text(entry) for entry in value)
    return "[object Object]" if isinstance(value, Mapping) else str(value)


@dataclass(frozen=True, slots=True)
class ValidationResult(Record):
    """The result of a validation; its truth value is `valid`.

    `code` and `message` describe the error if there is one.
    """

    valid: bool
    code: ValidationCode | None = None
    message: str = ""

    def __bool__(self) -> bool:
        return self.valid
