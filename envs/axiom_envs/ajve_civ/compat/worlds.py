"""Worlds as objects, and rulesets that can be extended.

A `World` is a view of the kernel's record, so that writing into it changes the game. A `Ruleset`
has the original's rules, the compiled code of `rules`; a subclass overrides the rules that differ:

    class GentleWorld(civ.Ruleset):
        def turn(self, choices, world):
            super().turn(choices, world)
            world.yield_ += 1

Axis letters: P players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.compat.playing import INFLECTION, OFFER, RESET, TURN, apply_rules
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.state import is_inflection, make_params, state_dtype
from axiom_gym.errors import ConfigError, StateError, UnknownNameError
from axiom_gym.kernel import zero_records
from axiom_gym.seeded_rng import SeededRNG


class Values(MutableMapping[str, int]):
    """A people's devotion to each of the six values, by name; int32, and writable in place."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: npt.NDArray[np.int32]) -> None:
        """Make a view. numbers: (6,) int32."""
        self._numbers = numbers

    def __getitem__(self, name: str) -> int:
        return int(self._numbers[_number_of(name)])

    def __setitem__(self, name: str, devotion: int) -> None:
        self._numbers[_number_of(name)] = devotion

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"a people always has all six values; {name!r} cannot be deleted.")

    def __iter__(self) -> Iterator[str]:
        return iter(VALUES)

    def __len__(self) -> int:
        return len(VALUES)

    def __repr__(self) -> str:
        return repr(dict(self))


def _number_of(name: str) -> int:
    if name not in VALUES:
        # The `in` and `get` of a mapping need a KeyError.
        raise KeyError(f"{name!r} is not a value; the values are {', '.join(VALUES)}")
    return VALUES.index(name)


class Society:
    """A people, as a view of its entries in the record of a world. All numbers are int32."""

    __slots__ = ("_record", "index")

    def __init__(self, record: Any, index: int) -> None:
        """Make a view of the people `index`, from 0, in a record of `state_dtype`."""
        self._record, self.index = record, index

    @property
    def values(self) -> Values:
        """The devotion to each value; writable."""
        return Values(self._record["values"][self.index])

    @property
    def population(self) -> int:
        """The population; writable."""
        return int(self._record["population"][self.index])

    @population.setter
    def population(self, number: int) -> None:
        self._record["population"][self.index] = number

    @property
    def yield_(self) -> int:
        """The yield; writable. `World.yield_` explains the underscore."""
        return int(self._record["yields"][self.index])

    @yield_.setter
    def yield_(self, number: int) -> None:
        self._record["yields"][self.index] = number

    @property
    def dead(self) -> bool:
        """True if the people has died; writable. Setting True means death in the current step."""
        return bool(self._record["death"][self.index])

    @dead.setter
    def dead(self, is_dead: bool) -> None:
        if bool(is_dead) != self.dead:
            self._record["death"][self.index] = int(self._record["turn"]) + 1 if is_dead else 0

    @property
    def died_in(self) -> int | None:
        """The step of its death, from 1; None if the people is alive."""
        return int(self._record["death"][self.index]) or None

    @property
    def score(self) -> int:
        """The score: yield plus population."""
        return self.yield_ + self.population

    def to_json(self) -> dict[str, Any]:
        """Return the people as a dictionary for JSON."""
        return {
            "values": dict(self.values),
            "population": self.population,
            "yield": self.yield_,
            "died_in": self.died_in,
        }


class World:
    """A world with its peoples and their feelings; a view of the kernel's record."""

    __slots__ = ("_records", "config", "params", "record", "societies")

    def __init__(self, config: AjveCivConfig, records: npt.NDArray[Any] | None = None) -> None:
        """Make a world at its start, or a view of a record.

        Args:
            config: the options, with the number of players and all starting values.
            records: the record to view, (1,) `state_dtype(config.players)`; None for a new world.
        """
        is_new = records is None
        kept = zero_records(1, state_dtype(config.players)) if records is None else records
        self.config, self.params, self._records = config, make_params(config), kept
        self.record: Any = kept[0]
        self.societies = tuple(Society(self.record, i) for i in range(config.players))
        if is_new:
            self.apply(RESET)

    @property
    def turn(self) -> int:
        """The number of steps played, 0 to the duration of the game."""
        return int(self.record["turn"])

    @property
    def yield_(self) -> int:
        """The yield of the world, an int32; writable.

        The name has an underscore because `yield` is a keyword of Python.
        """
        return int(self.record["world_yield"])

    @yield_.setter
    def yield_(self, number: int) -> None:
        self.record["world_yield"] = number

    @property
    def feelings(self) -> npt.NDArray[np.int32]:
        """The feelings, (P, P) int32: [i, j] is that of people i about people j; writable."""
        feelings: npt.NDArray[np.int32] = self.record["feelings"]
        return feelings

    @property
    def is_inflection(self) -> bool:
        """True if the current step, or the next one between steps, is an inflection."""
        return is_inflection(self.record, self.params)

    def offer_of(self, player: int) -> tuple[str, ...]:
        """Return the values that a player is offered in this step, in the order of the offer."""
        numbers = self.record["offer"][player][: self.config.offer_size]
        return tuple(VALUES[value] for value in numbers.tolist())

    def apply(self, part: int, choices: Sequence[int] = ()) -> None:
        """Apply a part of the original's rules; see `playing.apply_rules`.

        Raises:
            ValueError: if the world is a read-only view.
        """
        if not self._records.flags.writeable:
            # Compiled code would ignore the flag.
            raise ValueError("this world is read-only; change a copy() of it.")
        apply_rules(part, self.record, choices, self.params)

    def view(self) -> World:
        """Return a read-only view of this world; writing into it raises ValueError.

        The view changes with the game; a `copy` does not.
        """
        records = self._records.view()
        records.flags.writeable = False
        return World(self.config, records)

    def copy(self) -> World:
        """Return a writable copy of the world."""
        return World(self.config, self._records.copy())

    def take(self, other: World) -> None:
        """Copy another world of the same number of players into this one."""
        self._records[:] = other._records

    def to_json(self) -> dict[str, Any]:
        """Return the world as JSON, which `from_json` reads."""
        return {
            "turn": self.turn,
            "yield": self.yield_,
            "feelings": self.feelings.tolist(),
            "societies": [society.to_json() for society in self.societies],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], **options: Any) -> World:
        """Return a world from the result of `to_json`; its offers are those of a new world.

        Args:
            data: turn, yield, feelings and societies.
            options: fields of `AjveCivConfig` other than `players`.

        Raises:
            StateError: if an entry of the data is missing or has another form.
        """
        try:
            world = cls(AjveCivConfig(players=len(data["societies"]), **options))
            world._read_json(data)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            if isinstance(error, ConfigError):
                raise
            raise StateError(
                f"not a world: {type(error).__name__}: {error}. `World.to_json` shows the form."
            ) from error
        return world

    def _read_json(self, data: Mapping[str, Any]) -> None:
        self.record["turn"], self.yield_ = data["turn"], data["yield"]
        feelings = np.array(data["feelings"], dtype=np.int32)
        self.feelings[:] = feelings.reshape(self.feelings.shape)
        for society, entry in zip(self.societies, data["societies"], strict=True):
            society.population, society.yield_ = entry["population"], entry["yield"]
            self.record["death"][society.index] = entry["died_in"] or 0
            for name in VALUES:
                society.values[name] = entry["values"][name]

    def __repr__(self) -> str:
        return f"<World of {len(self.societies)} peoples after {self.turn} steps>"


class Ruleset:
    """The original's rules, and the base class of others.

    A method changes the world in place, or returns another one. The series calls it once for each
    step, counts the steps, and makes the offers. Random numbers come from `self.rng`, which each
    game seeds anew.
    """

    name: ClassVar[str] = "original"
    """The name in reports; by default the name of the subclass."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The fields of `AjveCivConfig` that the ruleset sets, such as `{"start_yield": 9}`."""
    rng: SeededRNG
    """The random number generator of the ruleset."""

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def init(self, world: World) -> World | None:
        """Change the world at its start, before the first offers."""
        return None

    def turn(self, choices: Sequence[str | None], world: World) -> World | None:
        """Play a turn.

        Args:
            choices: a value for each player, including the dead; None for no choice.
            world: the world; changed.

        Returns:
            Another world, or None for the given one.

        Raises:
            UnknownNameError: if a choice is not a value.
        """
        world.apply(TURN, _numbers_of(choices, world))
        return None

    def inflection(self, choices: Sequence[str | None], world: World) -> World | None:
        """Play an inflection; arguments and result are those of `turn`."""
        world.apply(INFLECTION, _numbers_of(choices, world))
        return None


def _numbers_of(choices: Sequence[str | None], world: World) -> list[int]:
    """Return the numbers of the chosen values, -1 for None."""
    if len(choices) != len(world.societies):
        raise ConfigError(
            f"choices must have one entry for each of the {len(world.societies)} players, "
            f"got {len(choices)}."
        )
    for choice in choices:
        if choice is not None and choice not in VALUES:
            raise UnknownNameError("value", choice, VALUES)
    return [-1 if choice is None else VALUES.index(choice) for choice in choices]


def make_offers(world: World) -> None:
    """Make the offers of all players for the next step, with the world's own generator."""
    world.apply(OFFER)


class Text(Ruleset):
    """The rules of the original's text, where its text and its code differ."""

    name = "text"
    options: ClassVar[Mapping[str, Any]] = {"rules": "text"}


original = Ruleset
text = Text
RULESETS: dict[str, type[Ruleset]] = {"original": original, "text": text}


def get(name: str) -> type[Ruleset]:
    """Return the ruleset of this name.

    Raises:
        UnknownNameError: if the name is unknown; the message lists the known names.
    """
    if name not in RULESETS:
        raise UnknownNameError("world", name, RULESETS)
    return RULESETS[name]
