"""Worlds as objects, and rulesets that can be extended.

A `World` is a view of the kernel's record: nothing is converted, and what is written into it is
written into the game. A `Ruleset` has the original's rules, which stand in `rules` and are called
compiled; a subclass overrides what it wants to be different:

    class GentleWorld(civ.Ruleset):
        def turn(self, choices, world):
            super().turn(choices, world)
            world.yield_ += 1

Axis letters: P peoples.
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
    """A people's devotion to each of the six values, by name; any int32, written in place."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: npt.NDArray[np.int32]) -> None:
        """A view. numbers: (6,) int32."""
        self._numbers = numbers

    def __getitem__(self, name: str) -> int:
        return int(self._numbers[_number_of(name)])

    def __setitem__(self, name: str, devotion: int) -> None:
        self._numbers[_number_of(name)] = devotion

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"a people has all six values always; {name!r} cannot be deleted.")

    def __iter__(self) -> Iterator[str]:
        return iter(VALUES)

    def __len__(self) -> int:
        return len(VALUES)

    def __repr__(self) -> str:
        return repr(dict(self))


def _number_of(name: str) -> int:
    if name not in VALUES:
        # A mapping answers with a KeyError, so that `in` and `get` work.
        raise KeyError(f"{name!r} is no value; there are {', '.join(VALUES)}")
    return VALUES.index(name)


class Society:
    """A people: a view of its place in a world. All numbers are int32."""

    __slots__ = ("_record", "index")

    def __init__(self, record: Any, index: int) -> None:
        """The people of this number, from 0, in a record of `state_dtype`."""
        self._record, self.index = record, index

    @property
    def values(self) -> Values:
        """Its devotion to each value; can be written."""
        return Values(self._record["values"][self.index])

    @property
    def population(self) -> int:
        """How many they are; can be set."""
        return int(self._record["population"][self.index])

    @population.setter
    def population(self, number: int) -> None:
        self._record["population"][self.index] = number

    @property
    def yield_(self) -> int:
        """What its nation yields; can be set. For the underscore see `World.yield_`."""
        return int(self._record["yields"][self.index])

    @yield_.setter
    def yield_(self, number: int) -> None:
        self._record["yields"][self.index] = number

    @property
    def dead(self) -> bool:
        """Whether it has died; who is set dead dies in the step that is being played."""
        return bool(self._record["death"][self.index])

    @dead.setter
    def dead(self, is_dead: bool) -> None:
        if bool(is_dead) != self.dead:
            self._record["death"][self.index] = int(self._record["turn"]) + 1 if is_dead else 0

    @property
    def died_in(self) -> int | None:
        """The step, from 1, in which it died; None if it lives."""
        return int(self._record["death"][self.index]) or None

    @property
    def score(self) -> int:
        """Yield and population."""
        return self.yield_ + self.population

    def to_json(self) -> dict[str, Any]:
        """The people as JSON has it."""
        return {
            "values": dict(self.values),
            "population": self.population,
            "yield": self.yield_,
            "died_in": self.died_in,
        }


class World:
    """A world with its peoples and their feelings, as a view of the kernel's record."""

    __slots__ = ("_records", "config", "params", "record", "societies")

    def __init__(self, config: AjveCivConfig, records: npt.NDArray[Any] | None = None) -> None:
        """A world at its start, or a view of one.

        Args:
            config: with the number of peoples and all starting values.
            records: (1,) `state_dtype(config.players)`, the world to view.
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
        """How many steps have been played, 0 to the game's duration."""
        return int(self.record["turn"])

    @property
    def yield_(self) -> int:
        """What the world yields, an int32; can be set.

        `yield` is a word of Python and cannot be an attribute's name, hence the underscore.
        """
        return int(self.record["world_yield"])

    @yield_.setter
    def yield_(self, number: int) -> None:
        self.record["world_yield"] = number

    @property
    def feelings(self) -> npt.NDArray[np.int32]:
        """(P, P) int32: [i, j] is what people i feels about people j; can be written."""
        feelings: npt.NDArray[np.int32] = self.record["feelings"]
        return feelings

    @property
    def is_inflection(self) -> bool:
        """Whether the step that is being played, or comes next, is an inflection."""
        return is_inflection(self.record, self.params)

    def offer_of(self, player: int) -> tuple[str, ...]:
        """The values that a people can choose between in this step, in the order of the offer."""
        numbers = self.record["offer"][player][: self.config.offer_size]
        return tuple(VALUES[value] for value in numbers.tolist())

    def apply(self, part: int, choices: Sequence[int] = ()) -> None:
        """Applies a part of the original's rules; see `playing.apply_rules`.

        Raises:
            ValueError: if this is a view that cannot be written.
        """
        if not self._records.flags.writeable:
            # Compiled code would not heed that.
            raise ValueError("this world can only be looked at; change a copy() of it.")
        apply_rules(part, self.record, choices, self.params)

    def view(self) -> World:
        """The same world, to be looked at alone: writing into it raises ValueError.

        It shows the game as it goes on; what shall stay as it is needs a `copy`.
        """
        records = self._records.view()
        records.flags.writeable = False
        return World(self.config, records)

    def copy(self) -> World:
        """Another world that is equal, and can be written."""
        return World(self.config, self._records.copy())

    def take(self, other: World) -> None:
        """Becomes equal to another world of as many peoples."""
        self._records[:] = other._records

    def to_json(self) -> dict[str, Any]:
        """The world as JSON has it; `from_json` reads it again."""
        return {
            "turn": self.turn,
            "yield": self.yield_,
            "feelings": self.feelings.tolist(),
            "societies": [society.to_json() for society in self.societies],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], **options: Any) -> World:
        """A world from what `to_json` gave; its offers are those of its start.

        Args:
            data: turn, yield, feelings and societies.
            options: fields of `AjveCivConfig` but `players`.

        Raises:
            StateError: if anything in it is missing or has another form.
        """
        try:
            world = cls(AjveCivConfig(players=len(data["societies"]), **options))
            world._read_json(data)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            if isinstance(error, ConfigError):
                raise
            raise StateError(
                f"no world: {type(error).__name__}: {error}. `World.to_json` shows the form."
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
    """The original's rules, and the base of others.

    An override changes the world in place, or returns another one. It is called once for each step;
    the series itself counts the steps and makes the offers. Chance comes from `self.rng`, which is
    seeded anew for each game.
    """

    name: ClassVar[str] = "original"
    """What reports call it; by default a subclass's own name."""
    options: ClassVar[Mapping[str, Any]] = {}
    """Fields of `AjveCivConfig` that it sets, such as `{"start_yield": 9}`."""
    rng: SeededRNG

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def init(self, world: World) -> World | None:
        """Called with the world at its start, before the first offers are made."""
        return None

    def turn(self, choices: Sequence[str | None], world: World) -> World | None:
        """Plays a turn.

        Args:
            choices: a value for each people, the dead too; None for one that does nothing.
            world: changed.

        Returns:
            Another world, or None for the one given.

        Raises:
            UnknownNameError: for a choice that is no value.
        """
        world.apply(TURN, _numbers_of(choices, world))
        return None

    def inflection(self, choices: Sequence[str | None], world: World) -> World | None:
        """Plays an inflection, between the values that each people was offered; as `turn`."""
        world.apply(INFLECTION, _numbers_of(choices, world))
        return None


def _numbers_of(choices: Sequence[str | None], world: World) -> list[int]:
    """The numbers of the values that are chosen, -1 for None."""
    if len(choices) != len(world.societies):
        raise ConfigError(f"{len(world.societies)} peoples choose, got {len(choices)} choices.")
    for choice in choices:
        if choice is not None and choice not in VALUES:
            raise UnknownNameError("value", choice, VALUES)
    return [-1 if choice is None else VALUES.index(choice) for choice in choices]


def make_offers(world: World) -> None:
    """Offers values to all peoples for the step that comes, with the world's own generator."""
    world.apply(OFFER)


class Text(Ruleset):
    """The rules as the original's text has them, where that and its code part."""

    name = "text"
    options: ClassVar[Mapping[str, Any]] = {"rules": "text"}


original = Ruleset
text = Text
RULESETS: dict[str, type[Ruleset]] = {"original": original, "text": text}


def get(name: str) -> type[Ruleset]:
    """The ruleset of this name.

    Raises:
        UnknownNameError: if there is none; it lists them.
    """
    if name not in RULESETS:
        raise UnknownNameError("world", name, RULESETS)
    return RULESETS[name]
