"""Games with AIs or rulesets of your own, played step by step.

Offers, random draws and results are those of compiled games. Axis letters: P players, T steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.compat.ai import AI, BuiltIn
from axiom_envs.ajve_civ.compat.worlds import Ruleset, World, make_offers
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import MAX_PLAYERS, VALUES
from axiom_envs.ajve_civ.state import state_dtype
from axiom_gym.errors import GameError, IllegalActionError
from axiom_gym.kernel import zero_records
from axiom_gym.seeded_rng import SeededRNG, mix_seed

T = TypeVar("T")

ON_ILLEGAL = ("raise", "forfeit", "accept")
NONE = -1
"""The entry in a trace for a player that was not asked, or that forfeited its choice."""


class Trace(NamedTuple):
    """The recording of one game."""

    states: npt.NDArray[Any]  # (T + 1,) state_dtype: with the offers of each step, and at the end
    chosen: npt.NDArray[np.int8]  # (T, P) the value that each player chose, or NONE


@dataclass(slots=True)
class Seat:
    """The player of a seat: an AI, or a class that makes one for each game."""

    source: AI | type[AI]
    team: int  # from 1
    name: str = field(init=False)

    def __post_init__(self) -> None:
        """Set the name of the AI."""
        self.name = self.source.name

    @property
    def is_built_in(self) -> bool:
        """True if compiled code can play the AI."""
        return type(self.source) is BuiltIn


class GameLoop:
    """A game that is played step by step."""

    def __init__(
        self,
        number: int,
        seed: int,
        seats: Sequence[Seat],
        ruleset: Ruleset,
        config: AjveCivConfig,
        on_illegal: str,
    ) -> None:
        """Set up a game.

        Args:
            number: the number of the game in its series, from 0, for messages.
            seed: the seed of the game, 0 to 2**32 - 1.
            seats: the AIs, (P,).
            ruleset: the rules; `play` sets its `rng`.
            config: the options of the game.
            on_illegal: one of ON_ILLEGAL.
        """
        self._number, self._seed, self._seats = number, seed, seats
        self._ruleset, self._on_illegal, self._config = ruleset, on_illegal, config
        self._streams = [SeededRNG(mix_seed(seed, place + 1)) for place in range(len(seats))]
        self.world = World(config)
        self._view = self.world.view()

    def play(self, duration: int) -> Trace:
        """Play all steps and return the recording of the game.

        Raises:
            GameError: if an AI or the ruleset raised an error; the message has game, step and
                people.
            IllegalActionError: if a choice is not a value, or is not allowed.
        """
        self._ruleset.rng = SeededRNG(mix_seed(self._seed, MAX_PLAYERS + 1))
        self._apply(self._ruleset.init, "init")
        self.world.record["rng"] = self._seed  # undo the draws of the first offers
        minds = self._start_minds()
        states = zero_records(duration + 1, state_dtype(self._config.players))
        chosen = np.full((duration, len(self._seats)), NONE, np.int8)
        for step in range(duration):
            make_offers(self.world)
            states[step] = self.world.record
            chosen[step] = [self._ask(mind, place) for place, mind in enumerate(minds)]
            self._take_step(chosen[step].tolist(), step)
        states[duration] = self.world.record
        return Trace(states, chosen)

    def _start_minds(self) -> list[AI]:
        minds = []
        for place, seat in enumerate(self._seats):
            make = seat.source
            mind = self._call(make, place, "()") if isinstance(make, type) else make
            mind.rng = self._streams[place]
            self._call(mind.init, place, ".init", place, self._view)
            minds.append(mind)
        return minds

    def _ask(self, mind: AI, place: int) -> int:
        """Return the number of the value that an AI chooses, or NONE."""
        is_turn = not self.world.is_inflection
        # Ask built-in AIs even if the people is dead: in compiled games they draw a number then.
        if is_turn and self.world.societies[place].dead and not self._seats[place].is_built_in:
            return NONE
        mind.rng = self._streams[place]
        method, name = (mind.turn, ".turn") if is_turn else (mind.inflection, ".inflection")
        choices = self.world.offer_of(place)
        answer = self._call(method, place, name, choices, place, self._view)
        return self._check(answer, place, choices)

    def _check(self, answer: object, place: int, choices: Sequence[str]) -> int:
        if not isinstance(answer, str) or answer not in VALUES:
            raise IllegalActionError(
                f"{self._where()}: {self._who(place)} answered {answer!r}, which is not a value; "
                f"the values are {', '.join(VALUES)}, and it was offered {', '.join(choices)}."
            )
        may_choose_any = self._on_illegal == "accept" or self._config.choices == "any"
        if answer in choices or may_choose_any or self._seats[place].is_built_in:
            return VALUES.index(answer)
        if self._on_illegal == "forfeit":
            return NONE
        raise IllegalActionError(
            f"{self._where()}: {self._who(place)} answered {answer!r}, but it was offered "
            f"{', '.join(choices)}; "
            'on_illegal="forfeit" skips such answers, and "accept" carries them out.'
        )

    def _take_step(self, chosen: Sequence[int], step: int) -> None:
        """Play a step; the ruleset cannot change the step number or the world's generator."""
        kept = self.world.record["rng"]
        choices = [None if value == NONE else VALUES[value] for value in chosen]
        if self.world.is_inflection:
            self._apply(self._ruleset.inflection, "inflection", choices)
        else:
            self._apply(self._ruleset.turn, "turn", choices)
        self.world.record["turn"], self.world.record["rng"] = step + 1, kept

    def _apply(self, method: Callable[..., World | None], name: str, *args: Any) -> None:
        """Call a method of the ruleset, and take over the world that it returns, if any."""
        found = self._guard(method, f"ruleset {self._ruleset.name}.{name}", *args, self.world)
        if found is None or found is self.world:
            return
        if not isinstance(found, World) or len(found.societies) != len(self._seats):
            raise GameError(
                f"{self._where()}: ruleset {self._ruleset.name}.{name} returned {found!r}; it must "
                f"return None, or a World of {len(self._seats)} peoples."
            )
        self.world.take(found)

    def _call(self, method: Callable[..., T], place: int, name: str, *args: Any) -> T:
        return self._guard(method, f"{self._who(place)}{name}", *args)

    def _guard(self, method: Callable[..., T], who: str, *args: Any) -> T:
        """Call a function of the user; an exception becomes a GameError."""
        try:
            return method(*args)
        except Exception as error:
            raise GameError(
                f"{self._where()}: {who} failed: {type(error).__name__}: {error}"
            ) from error

    def _where(self) -> str:
        return f"game {self._number} (seed {self._seed}), step {self.world.turn}"

    def _who(self, place: int) -> str:
        return f"people {place + 1}, {self._seats[place].name}"
