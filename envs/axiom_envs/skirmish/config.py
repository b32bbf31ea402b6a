"""The options of the skirmish, its presets, and the sizes that follow from them.

Sizes are read from the scenario file without validation, so the shapes of a game are known without
the engine and without pydantic.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from axiom_envs.dnd.constants import (
    DIAGONALS,
    MAX_SHARE,
    MAX_SIDE,
    MIN_SIDE,
    MOST_UNITS,
    ROUND_LIMIT,
    SIDES,
)
from axiom_envs.skirmish.constants import (
    AGENTS,
    DECISIONS_PER_TURN,
    GENERATED,
    GENERATED_BOARD,
    GENERATED_HELD_OUT,
    GENERATED_ROUNDS,
    GENERATED_UNITS,
    HELD_OUT,
    MAX_BUDGET,
    MAX_ROUNDS,
    MIN_BUDGET,
    POOLS,
    REACTIONS,
    SURPRISED,
    TRAINING,
)
from axiom_envs.skirmish.own_scenarios import is_own, load_own, mark_of
from axiom_gym.errors import ConfigError, UnknownNameError, check_choice, check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import ScenarioSpec

_FILE = Path(__file__).parents[1] / "dnd" / "data" / "scenarios.json"


class Sizes(NamedTuple):
    """The sizes of a scenario, or the maxima over several scenarios."""

    units: int
    """Maximum number of creatures on a side."""
    width: int
    height: int
    rounds: int
    """The round limit."""
    creatures: tuple[int, int] | None
    """Number of creatures of the party and of the foes; None if it differs between episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkirmishConfig:
    """The options of the skirmish.

    Raises:
        ConfigError: if a value is not allowed, or does not fit the scenario.
    """

    scenario: str = "2v2-goblins"
    """The name of a scenario; "training" or "held_out", to draw one of these for each episode;
    "generated" or "generated_held_out", to generate one for each episode; or a file, such as
    "mine.json:ford"."""
    agents: str = "sides"
    """"sides": one agent plays a whole side; "creatures": each creature is an agent."""
    reactions: str = "ask"
    """"ask": a reaction is a decision of its owner; "auto": reactions are always taken."""
    units: int = 0
    """Maximum number of creatures on a side, 1 to 8; 0 for as many as the scenario needs."""
    width: int = 0
    """Width of the board in squares, 4 to 16; 0 for the width of the scenario."""
    height: int = 0
    """Height of the board, like `width`."""
    round_limit: int = 0
    """Rounds after which the game is truncated, 1 to 100; 0 for the scenario's own limit."""
    shaping: float = 0.0
    """Factor of the shaping reward, 0 or more; see the card."""
    gamma: float = 1.0
    """Discount factor of the shaping reward, above 0 and at most 1."""
    tie_break: bool = False
    """If True, a truncated game pays 0.2 times the difference of the hit point shares."""
    diagonals: str = "5"
    """"5": a diagonal step is 5 ft; "5-10-5": every second one is 10 ft."""
    surprise: str = "nobody"
    """The side that is surprised in the first round: "nobody", "party" or "foes"."""
    light: bool = False
    """If True, dim light and darkness affect sight in scenarios that have them."""
    ready: bool = False
    """If True, creatures can ready an attack for an enemy that comes near."""
    knock_out: bool = False
    """If True, a melee attack that reduces a creature to 0 hit points knocks it out (stable)."""
    shared_initiative: bool = False
    """If True, creatures of one kind on one side share an initiative roll."""
    budget: int = 400
    """Experience points that each side of a generated scenario is worth, 10 to 14,400."""
    mirrored: bool = True
    """If True, both sides of a generated scenario are the same."""
    walls: float = 0.1
    """Share of walls on a generated map, 0 to 0.4."""
    water: float = 0.05
    """Share of water on a generated map, 0 to 0.4."""
    difficult: float = 0.1
    """Share of difficult ground on a generated map, 0 to 0.4."""

    def __post_init__(self) -> None:
        """Validate all options."""
        for name, valid in _CHOICES.items():
            check_choice(name, getattr(self, name), valid)
        for name in _FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be True or False, got {getattr(self, name)!r}.")
        for name, (low, high) in _NUMBERS.items():
            _check_number(name, getattr(self, name), low, high)
        if self.gamma == 0:
            raise ConfigError("gamma must be above 0 and at most 1, got 0.")
        check_range("budget", self.budget, MIN_BUDGET, MAX_BUDGET)
        if not isinstance(self.scenario, str):
            raise ConfigError(f"scenario must be a name or a path, got {self.scenario!r}.")
        sizes = read_sizes(self.scenario)
        self._check_size("units", sizes.units, 1, MOST_UNITS)
        self._check_size("width", sizes.width, MIN_SIDE, MAX_SIDE)
        self._check_size("height", sizes.height, MIN_SIDE, MAX_SIDE)
        if self.round_limit != 0:
            check_range("round_limit", self.round_limit, 1, MAX_ROUNDS)
        if self.agents == "creatures" and sizes.creatures is None:
            raise ConfigError(
                f'agents="creatures" needs a scenario whose number of creatures is fixed, got '
                f"{self.scenario!r}: name one of {', '.join(sorted(read_scenarios()))}."
            )

    def _check_size(self, name: str, needed: int, low: int, high: int) -> None:
        """Check a size: 0, or large enough for the scenario unless that is generated to fit."""
        value = getattr(self, name)
        if value == 0:
            return
        check_range(name, value, low, high)
        if value < needed and self.scenario not in (GENERATED, GENERATED_HELD_OUT):
            raise ConfigError(
                f"{name} must be at least {needed} for the scenario {self.scenario!r}, got {value}:"
                f" {name}=0 takes the size of the scenario."
            )


_CHOICES = {
    "agents": AGENTS,
    "reactions": REACTIONS,
    "diagonals": DIAGONALS,
    "surprise": SURPRISED,
}
_FLAGS = ("tie_break", "light", "ready", "knock_out", "shared_initiative", "mirrored")
_NUMBERS: dict[str, tuple[float, float]] = {
    "shaping": (0.0, 1e6),
    "gamma": (0.0, 1.0),
    "walls": (0.0, MAX_SHARE),
    "water": (0.0, MAX_SHARE),
    "difficult": (0.0, MAX_SHARE),
}

PRESETS: dict[str, dict[str, Any]] = {
    "duel": {"scenario": "duel-fighters"},
    "2v2": {"scenario": "2v2-goblins"},
    "creatures": {"scenario": "2v2-goblins", "agents": "creatures"},
    "4v4": {"scenario": "4v4-mixed"},
    "bandits": {"scenario": "bandits-vs-party"},
    "training": {"scenario": TRAINING},
    "held_out": {"scenario": HELD_OUT},
    "generated": {"scenario": GENERATED},
}


def _check_number(name: str, value: object, low: float, high: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # type: ignore[operator]
        raise ConfigError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}.")


# -- sizes -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def read_scenarios() -> Mapping[str, Any]:
    """Return the built-in scenarios by name, as in their file."""
    found: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found


def names_of(pool: str) -> tuple[str, ...]:
    """Return the scenarios of the pool "training" or "held_out", in the order of their file."""
    wanted = pool == HELD_OUT
    return tuple(
        name for name, entry in read_scenarios().items() if entry.get("held_out", False) == wanted
    )


@lru_cache(maxsize=64)
def read_sizes(scenario: str) -> Sizes:
    """Return the sizes of a scenario, or the maxima over a pool.

    Raises:
        UnknownNameError: if there is no such scenario.
    """
    if scenario in (GENERATED, GENERATED_HELD_OUT):
        board = GENERATED_BOARD
        return Sizes(GENERATED_UNITS, board, board, GENERATED_ROUNDS, None)
    if scenario in (TRAINING, HELD_OUT):
        several = [_read_size(read_scenarios()[name]) for name in names_of(scenario)]
        return Sizes(
            max(one.units for one in several),
            max(one.width for one in several),
            max(one.height for one in several),
            max(one.rounds for one in several),
            None,
        )
    if is_own(scenario):
        return _measure(load_own(scenario)[1])
    if scenario not in read_scenarios():
        raise UnknownNameError("scenario", scenario, [*read_scenarios(), *POOLS])
    return _read_size(read_scenarios()[scenario])


def _measure(spec: ScenarioSpec) -> Sizes:
    """Return the sizes of a validated scenario."""
    party, foes = len(spec.sides["party"]), len(spec.sides["foes"])
    if spec.map is not None:
        width, height = len(spec.map[0]), len(spec.map)
    else:
        assert spec.generate is not None
        width, height = spec.generate.width, spec.generate.height
    rounds = min(MAX_ROUNDS, spec.round_limit)
    return Sizes(max(party, foes), width, height, rounds, (party, foes))


def _read_size(entry: Mapping[str, Any]) -> Sizes:
    counts = (len(entry["sides"]["party"]), len(entry["sides"]["foes"]))
    if "map" in entry:
        width, height = len(entry["map"][0]), len(entry["map"])
    else:
        width, height = entry["generate"]["width"], entry["generate"]["height"]
    return Sizes(max(counts), width, height, entry.get("round_limit", ROUND_LIMIT), counts)


@lru_cache(maxsize=256)
def sizes_of(config: SkirmishConfig) -> Sizes:
    """Return the sizes of a game with this configuration."""
    sizes = read_sizes(config.scenario)
    return Sizes(
        config.units or sizes.units,
        config.width or sizes.width,
        config.height or sizes.height,
        config.round_limit or sizes.rounds,
        sizes.creatures,
    )


def count_players(config: SkirmishConfig) -> int:
    """Return the number of agents."""
    creatures = sizes_of(config).creatures
    return sum(creatures) if config.agents == "creatures" and creatures else len(SIDES)


def count_room(config: SkirmishConfig) -> int:
    """Return the maximum number of decisions that a record of this configuration holds."""
    sizes = sizes_of(config)
    creatures = sum(sizes.creatures) if sizes.creatures else 2 * sizes.units
    return sizes.rounds * creatures * DECISIONS_PER_TURN


def count_most_decisions() -> int:
    """Return a bound on the decisions of a game with any configuration."""
    return MAX_ROUNDS * 2 * MOST_UNITS * DECISIONS_PER_TURN


@lru_cache(maxsize=256)
def fingerprint(config: SkirmishConfig) -> int:
    """Return a number that identifies a configuration and its file, the same in every process."""
    text = json.dumps(dataclasses.asdict(config), sort_keys=True) + mark_of(config.scenario)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") or 1
