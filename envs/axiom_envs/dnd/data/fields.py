"""The base of all entries, and the types of their fields; only this module imports pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias, TypeVar

from axiom_envs.dnd.constants import (
    MAX_SHARE,
    MAX_SIDE,
    MIN_SIDE,
    MOST_PROFILES,
    MOST_UNITS,
    AbilityName,
    SideName,
)
from axiom_envs.dnd.data.dice import DiceSpec, parse_dice
from axiom_envs.dnd.data.tables import TRAITS, XP_BY_CR
from axiom_gym.errors import ConfigError, check_choice

try:
    from pydantic import (
        AfterValidator,
        BaseModel,
        BeforeValidator,
        ConfigDict,
        Field,
        PlainValidator,
        ValidationError,
        WithJsonSchema,
    )
except ImportError as _error:
    raise ConfigError(
        "the data files of D&D are validated by pydantic, which is not installed. "
        'Run: pip install "axiom-gym[dnd]"'
    ) from _error

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def _dice(value: object) -> DiceSpec:
    return value if isinstance(value, DiceSpec) else parse_dice(value)


def _rating(value: object) -> Fraction:
    names = [str(rating) for rating in XP_BY_CR]
    if value not in names:
        raise ConfigError(f"a challenge rating is one of {', '.join(map(repr, names))}")
    return Fraction(str(value))


def _six(scores: Mapping[AbilityName, int]) -> Mapping[AbilityName, int]:
    missing = [name for name in ("str", "dex", "con", "int", "wis", "cha") if name not in scores]
    if missing:
        raise ConfigError(f"all six abilities are needed; missing: {', '.join(missing)}")
    return scores


def _bare_name(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


def _trait_name(name: str) -> str:
    return check_choice("trait", name, TRAITS)


def _both(sides: Mapping[SideName, T]) -> Mapping[SideName, T]:
    if len(sides) < 2:
        raise ConfigError("both sides are needed: party and foes")
    return sides


T = TypeVar("T")
Path: TypeAlias = tuple[int | str, ...]
BothSides = Annotated[Mapping[SideName, T], AfterValidator(_both)]
OneToFour = Annotated[tuple[T, ...], Field(min_length=1, max_length=MOST_PROFILES)]
OneToEight = Annotated[tuple[T, ...], Field(min_length=1, max_length=MOST_UNITS)]

OneTo30 = Annotated[int, Field(ge=1, le=30)]
ZeroTo30 = Annotated[int, Field(ge=0, le=30)]
ZeroToThree = Annotated[int, Field(ge=0, le=3)]
Bonus = Annotated[int, Field(ge=-5, le=30)]
Count = Annotated[int, Field(ge=1, le=1000)]
Points = Annotated[int, Field(ge=0)]
Feet = Annotated[int, Field(ge=0, le=1000, multiple_of=5)]
Range = tuple[Feet, Feet]
Level = Annotated[int, Field(ge=1, le=20)]
LevelName = Annotated[str, Field(pattern=r"^([1-9]|1\d|20)$")]
MapSide = Annotated[int, Field(ge=MIN_SIDE, le=MAX_SIDE)]
Position = tuple[Points, Points]
Share = Annotated[float, Field(ge=0, le=MAX_SHARE)]

Abilities = Annotated[Mapping[AbilityName, OneTo30], AfterValidator(_six)]
Dice = Annotated[
    DiceSpec,
    PlainValidator(_dice),
    WithJsonSchema({"type": "string", "examples": ["2d6+3"]}),
]
Rating = Annotated[Fraction, PlainValidator(_rating), WithJsonSchema({"type": "string"})]
TraitName = Annotated[str, AfterValidator(_trait_name)]
# A trait without parameters may be given by its name alone.
BARE_NAME = BeforeValidator(_bare_name)


def _message(line: ErrorDetails) -> str:
    if line["type"] == "missing":
        return "missing"
    if line["type"] == "extra_forbidden":
        return "there is no such field"
    if line["type"] in ("too_short", "too_long"):
        limits = line["ctx"]
        least = f"at least {limits['min_length']}" if "min_length" in limits else ""
        return f"{least or 'at most ' + str(limits['max_length'])} needed"
    # Our own errors are complete; pydantic would add a prefix.
    message = str(line["ctx"]["error"]) if line["type"] == "value_error" else line["msg"]
    given = repr(line["input"])
    return f"{message} (got {given if len(given) <= 60 else given[:57] + '...'})"


def _within(path: Path, paths: list[Path]) -> bool:
    return any(len(other) > len(path) and other[: len(path)] == path for other in paths)


class Entry(BaseModel):
    """Base class of all entries: frozen, strict, and without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def parse(cls, text: str) -> tuple[Self | None, list[tuple[Path, str]]]:
        """Return the entry that JSON text describes, or None, and all mistakes: (path, message)."""
        try:
            return cls.model_validate_json(text), []
        except ValidationError as error:
            lines = error.errors()
        paths = [line["loc"] for line in lines]
        # pydantic does not count invalid entries of a list, and so may also call it too short.
        return None, [
            (line["loc"], _message(line))
            for line in lines
            if line["type"] != "too_short" or not _within(line["loc"], paths)
        ]
