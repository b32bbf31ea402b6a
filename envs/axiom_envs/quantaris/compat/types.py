"""The words of Quantaris: enums, constants, and immutable values for states and actions.

Values compare by content, cannot be changed, and turn into the original engine's JSON with
`to_json()`. What a turn did is told in the words of `events`.
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
    """A starts at the bottom of the board, B at the top."""

    A = "A"
    B = "B"


class Direction(StrEnum):
    """Where a unit can move; north is towards y = 0."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


class PulseDirection(StrEnum):
    """Where a unit can fire; the diagonals reach one cell and exist from ruleset 0.2 on."""

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
    """What a unit can be ordered to do."""

    MOVE = "MOVE"
    PULSE = "PULSE"
    SHIELD = "SHIELD"


class GamePhase(StrEnum):
    """Whether the game goes on."""

    PLAYING = "playing"
    ENDED = "ended"


class EntityType(StrEnum):
    """What can stand on a cell and take damage."""

    QUANTAR = "quantar"
    CORE = "core"


class ValidationCode(StrEnum):
    """Why an action, or a list of actions, is not accepted."""

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
    """JSON form: a record is an object with camelCase keys, and its `type` first if it has one."""
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
    """Base of all values here."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """The original engine's JSON object for this value."""
        plain: dict[str, Any] = _plain(self)
        return plain


@dataclass(frozen=True, slots=True)
class Position(Record):
    """A cell: x to the right, y downward, both 0..8."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"({self.x},{self.y})"


@dataclass(frozen=True, slots=True)
class Quantar(Record):
    """A unit."""

    entity_type: ClassVar[EntityType] = EntityType.QUANTAR
    id: str
    owner: Player
    position: Position
    hp: int


@dataclass(frozen=True, slots=True)
class Core(Record):
    """What a player has to protect."""

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
    """Both cores: `cores.A`, or `cores[Player.A]`."""

    A: Core
    B: Core

    def __getitem__(self, player: Player) -> Core:
        return self.A if player == Player.A else self.B


@dataclass(frozen=True, slots=True)
class GameState(Record):
    """A position of the game; the ruleset is not part of it.

    The order of `quantars` matters where units share a cell: the first living one stands for all.
    `winner` is None while the game goes on and after a draw.
    """

    turn: int
    phase: GamePhase
    quantars: tuple[Quantar, ...]
    cores: Cores
    winner: Player | None


@dataclass(frozen=True, slots=True)
class MoveAction(Record):
    """Go one cell."""

    type: ClassVar[ActionType] = ActionType.MOVE
    quantar_id: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class PulseAction(Record):
    """Fire; hits the first unit or core in that direction."""

    type: ClassVar[ActionType] = ActionType.PULSE
    quantar_id: str
    direction: Direction | PulseDirection


@dataclass(frozen=True, slots=True)
class ShieldAction(Record):
    """Take one damage less this turn."""

    type: ClassVar[ActionType] = ActionType.SHIELD
    quantar_id: str


Action = MoveAction | PulseAction | ShieldAction
ActionLike = Action | Mapping[str, Any]
"""An action, or a mapping `{type, quantarId or quantar_id, direction}` as read from JSON."""


class Undefined(Enum):
    """Stands for a field that an action does not have; a field may also be None."""

    UNDEFINED = "undefined"


class ActionFields(NamedTuple):
    """The three fields that an action may have, unchecked."""

    type: object
    quantar_id: object
    direction: object


def read_action(action: object) -> ActionFields:
    """Fields of an action or mapping; of anything else, all are `Undefined.UNDEFINED`.

    Raises:
        TypeError: `action` is None, as in the original.
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
    """`value` as the original's messages and hashes print it: None as `null`, 3.0 as `3`."""
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
    """Whether an action or a list is accepted; true in a condition if it is.

    `code` and `message` say why it is not.
    """

    valid: bool
    code: ValidationCode | None = None
    message: str = ""

    def __bool__(self) -> bool:
        return self.valid
