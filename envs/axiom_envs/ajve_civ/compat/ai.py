"""AIs: the base class of your own, the built-in AIs by name, and a person at the terminal.

    class Isolationist(civ.AI):
        def turn(self, choices, player, world):
            return "discover" if "discover" in choices else choices[0]

        def inflection(self, choices, player, world):
            return choices[0]

`basic["conquer"]`, or `basic.conquer`, is a built-in AI; `get` finds any AI by its full name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from axiom_envs.ajve_civ.compat.playing import BUILT_IN, ask_built_in, is_built_in
from axiom_envs.ajve_civ.compat.worlds import World
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.priorities import FAMILIES
from axiom_gym.errors import ConfigError, UnknownNameError, check_choice
from axiom_gym.seeded_rng import SeededRNG


class AI(ABC):
    """The player of a people; a subclass must define `turn` and `inflection`.

    A series that gets a class makes a new AI for each seat of each game. An object plays all its
    seats, and can keep a memory. Random numbers come from `self.rng`, which the game sets before
    each call. Each seat of each game has its own generator, so that a game can be repeated.
    """

    name: str
    """The name in reports; by default the name of the class."""
    rng: SeededRNG
    """The random number generator of the seat."""

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def init(self, player: int, world: World) -> None:  # noqa: B027 - may well do nothing
        """Prepare for a game, at its start; the arguments are those of `turn`."""

    @abstractmethod
    def turn(self, choices: Sequence[str], player: int, world: World) -> str:
        """Choose the value on which a people acts in a turn; dead peoples do not choose.

        Args:
            choices: the values of the offer, 1 to 6.
            player: the number of the people, from 0.
            world: the world before the turn. It is read-only (writing raises ValueError) and
                changes with the game; `world.copy()` does not change, and is writable.

        Returns:
            One of the choices.
        """

    @abstractmethod
    def inflection(self, choices: Sequence[str], player: int, world: World) -> str:
        """Choose the value that rises at an inflection; dead peoples choose too.

        The chosen value rises by 2, and the other choices fall by 1. Arguments and result are those
        of `turn`.
        """


class BuiltIn(AI):
    """A built-in AI. Games between built-in AIs alone are played by compiled code."""

    def __init__(self, name: str) -> None:
        """Make the AI of this name.

        Args:
            name: "random", "greedy", "diplomat", or values in their order of priority, such as
                "consent-expand".

        Raises:
            UnknownNameError: if the name is unknown.
        """
        if not is_built_in(name):
            raise UnknownNameError("AI", name, BUILT_IN)
        self.name = name
        self.rng = SeededRNG(0)

    def turn(self, choices: Sequence[str], player: int, world: World) -> str:
        return self._choose(choices, player, world)

    def inflection(self, choices: Sequence[str], player: int, world: World) -> str:
        return self._choose(choices, player, world)

    def _choose(self, choices: Sequence[str], player: int, world: World) -> str:
        """Return the choice that the AI makes in a compiled game with this offer."""
        record, params = world.record, world.params
        if tuple(choices) != world.offer_of(player):
            offered = [VALUES.index(check_choice("value", choice, VALUES)) for choice in choices]
            rest = [value for value in range(len(VALUES)) if value not in offered]
            record = world.copy().record
            record["offer"][player] = offered + rest
            params = params._replace(offer_size=len(offered))
        return VALUES[ask_built_in(record, player, self.name, self.rng, params)]

    def __repr__(self) -> str:
        return f"<AI {self.name}>"


class Family(Mapping[str, AI]):
    """A family of built-in AIs, by name: `basic2["conquer-discover"]`, or `basic.conquer`."""

    def __init__(self, name: str) -> None:
        """Make the family "basic", "basic2" or "basic3": all AIs of one, two or three values."""
        self.name = name
        self._members = {member: BuiltIn(member) for member in FAMILIES[name]}

    def __getitem__(self, name: str) -> AI:
        if name not in self._members:
            raise UnknownNameError(f"AI of {self.name}", name, self._members)
        return self._members[name]

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __getattr__(self, name: str) -> AI:
        members = self.__dict__.get("_members", {})
        if name.replace("_", "-") in members:
            found: AI = members[name.replace("_", "-")]
            return found
        raise AttributeError(f"no AI {name!r} in {self.__dict__.get('name')}: {', '.join(members)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"<{len(self)} AIs of {self.name}>"


class Person(AI):
    """A person at the terminal, who sees the world and types a value."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input, *, to_stderr: bool = False) -> None:
        """Make a person.

        Args:
            ask: a function that takes a prompt and returns a line. It raises EOFError at the end
                of the input, which ends the series.
            to_stderr: if True, show everything on standard error instead of standard output.
        """
        self._ask, self._to_stderr = ask, to_stderr
        self._seen: dict[int, list[int]] = {}

    def init(self, player: int, world: World) -> None:
        self._seen[player] = [society.score for society in world.societies]

    def turn(self, choices: Sequence[str], player: int, world: World) -> str:
        return self._choose(choices, player, world)

    def inflection(self, choices: Sequence[str], player: int, world: World) -> str:
        return self._choose(choices, player, world)

    def _choose(self, choices: Sequence[str], player: int, world: World) -> str:
        from axiom_envs.ajve_civ.compat import terminal

        screen = terminal.Screen(self._to_stderr)
        before = self._seen.get(player, [])
        self._seen[player] = [society.score for society in world.societies]
        if world.societies[player].dead:
            return choices[0]
        screen.show_world(player, world, before)
        return screen.ask(choices, player, world, self._ask)


def priority(*values: str) -> AI:
    """Return the AI that chooses the first of these values that is offered.

    If none of them is offered, it chooses the first value of the offer.

    Raises:
        UnknownNameError: if a value is unknown.
        ConfigError: if there is no value, or one of them occurs twice.
    """
    for value in values:
        check_choice("value", value, VALUES)
    if not values or len({*values}) < len(values):
        raise ConfigError(f"priorities are one or more different values, got {values!r}.")
    return BuiltIn("-".join(values))


basic, basic2, basic3 = (Family(name) for name in FAMILIES)
random, greedy, diplomat = (BuiltIn(name) for name in ("random", "greedy", "diplomat"))
terminal = Person()


def get(name: str) -> AI | Family:
    """Return a built-in AI, or a whole family, by its name.

    Args:
        name: a family ("basic"), an AI of a family ("basic.conquer" or "conquer"), "random",
            "greedy", "diplomat", "human", or different values in their order of priority
            ("consent-expand").

    Raises:
        UnknownNameError: if the name is unknown; the message lists the known names.
    """
    families = {"basic": basic, "basic2": basic2, "basic3": basic3}
    if name in families:
        return families[name]
    if name == Person.name:
        return terminal
    family, dot, member = name.partition(".")
    if dot and family in families:
        return families[family][member]
    if not is_built_in(name):
        raise UnknownNameError("AI", name, [*families, Person.name, *BUILT_IN])
    return BuiltIn(name)


def get_all(name: str) -> list[AI]:
    """Return a list of all AIs of a family, or of the one AI of this name; see `get`."""
    found: Any = get(name)
    return list(found.values()) if isinstance(found, Family) else [found]
