"""Series of games between AIs, both built-in AIs and your own.

    series = civ.Series().game(MyAI, civ.ai.greedy, "basic").play(seed=3).report("series.json")

Compiled code plays games between built-in AIs under built-in rules; all other games are played step
by step. The results are the same, bit for bit.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Self

from axiom_envs.ajve_civ.compat import ai, playing, worlds
from axiom_envs.ajve_civ.compat.reports import make_report, print_report, write_report
from axiom_envs.ajve_civ.compat.series_loop import ON_ILLEGAL, GameLoop, Seat, Trace
from axiom_envs.ajve_civ.compat.series_progress import SeriesProgress
from axiom_envs.ajve_civ.compat.series_results import GameResult, read_result
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import MAX_DURATION, MAX_PLAYERS
from axiom_gym.errors import ConfigError, UnknownNameError, check_choice, check_range
from axiom_gym.seeded_rng import MASK

CHUNK = 256
"""The number of games in one call of compiled code; an interruption waits for its end."""
MAX_GAMES = 10_000_000
DEFAULT_DURATION = 100
NO_OPTIONS = ("players", "reward", "black_death", "teams", "team_share")
"""The fields of `AjveCivConfig` that a series does not take: it has its own players and
teams, and no rewards."""

Player = ai.AI | type[ai.AI] | ai.Family | str
"""A player of a series: an AI, a class of AIs, a family of built-in AIs, or a name for `ai.get`."""
Ruleset = worlds.Ruleset | type[worlds.Ruleset] | str
"""A ruleset of a series: an object, a class, or a name for `worlds.get`."""


class Series:
    """A series of games, played one after the other, and its results.

    `results` has the finished games, even after an interruption. `traces` has the recording of the
    first game, or None.
    """

    def __init__(
        self, ruleset: Ruleset = worlds.original, *, on_illegal: str = "raise", **options: Any
    ) -> None:
        """Make a series without games.

        Args:
            ruleset: a class, an object or a name.
            on_illegal: the response to a choice outside of the offer: "raise" an error, "forfeit"
                the choice (in a turn the people does nothing, at an inflection none of its values
                rises), or "accept" it, as the original does.
            options: fields of `AjveCivConfig`; they override those of the ruleset.

        Raises:
            ConfigError: if an argument is not allowed; the message lists the allowed ones.
        """
        self.ruleset = _make_ruleset(ruleset)
        self.on_illegal = check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self.options = {**self.ruleset.options, **options}
        _check_options(self.options)
        self.results: list[GameResult] = []
        self.traces: Trace | None = None
        self.interrupted = False
        self._lineups: list[tuple[Seat, ...]] = []
        self._seed, self._duration = 0, self.options.get("duration", DEFAULT_DURATION)

    def game(self, *players: Player | Sequence[Player]) -> Self:
        """Add a game between these players.

        A list among the players is a team. Teams appear in reports and do not change the rules.

        Raises:
            ConfigError: if a player is not an AI (the message lists the AIs), or there are not 1 to
                64 of them.
        """
        seats: list[Seat] = []
        for entry in players:
            team = max((seat.team for seat in seats), default=0) + 1
            if isinstance(entry, list | tuple):
                if not entry:
                    raise ConfigError(f"team {team} is empty; a team has at least one AI.")
                found = [source for member in entry for source in _find_players(member)]
                seats += [Seat(source, team) for source in found]
            else:
                found = _find_players(entry)
                seats += [Seat(source, team + place) for place, source in enumerate(found)]
        check_range("the number of players of a game", len(seats), 1, MAX_PLAYERS)
        self._lineups.append(tuple(seats))
        return self

    def play(
        self,
        duration: int | None = None,
        seed: int = 0,
        games: int = 1,
        progress: Callable[[int, int], None] | bool | None = None,
    ) -> Self:
        """Play all games and discard the results of an earlier call.

        After an error or an interruption, `results` has the finished games.

        Args:
            duration: the number of steps of a game, 0 to 1000; by default the option of that name,
                or 100.
            seed: the seed of the first game, 0 to 2**32 - 1; game g has the seed `seed + g`.
            games: the number of times that all games are played.
            progress: a function that is called with the numbers of finished games and of all games;
                or True for a progress bar and False for none. By default a long series shows a bar
                on a terminal.

        Raises:
            ConfigError: if an argument is out of range, or the series has no games.
            GameError: if an AI or a ruleset raised an error; the message has game, step and people.
            IllegalActionError: if a choice is not a value, or is not allowed.
            KeyboardInterrupt: if the user interrupted the series.
        """
        if duration is None:
            duration = self.options.get("duration", DEFAULT_DURATION)
        self._duration = check_range("duration", duration, 0, MAX_DURATION)
        self._seed = check_range("seed", seed, 0, MASK)
        check_range("games", games, 1, MAX_GAMES)
        if not self._lineups:
            raise ConfigError("the series has no games; add one by game(ai, ai, ...).")
        self.results, self.traces = [], None
        total = games * len(self._lineups)
        with self._interruptible(), SeriesProgress(self._wants_bar(progress), total) as show:
            while len(self.results) < total:
                self._play_next(total)
                show(len(self.results))
        return self

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Mark the series as interrupted unless the block ends without an exception."""
        self.interrupted = True
        yield
        self.interrupted = False

    def _wants_bar(
        self, progress: Callable[[int, int], None] | bool | None
    ) -> Callable[[int, int], None] | bool:
        if progress is not None:
            return progress
        seats = [seat for lineup in self._lineups for seat in lineup]
        return not any(seat.name == ai.Person.name for seat in seats)

    def _play_next(self, total: int) -> None:
        """Play the next game, or several at once if compiled code can play them."""
        first = len(self.results)
        seats = self._lineup_of(first)
        if not self._is_compiled(seats):
            self._play_by_steps(first)
            return
        # The first game is played alone, because it is recorded.
        last = first + 1
        while first and last < min(total, first + CHUNK) and self._fits(last, seats):
            last += 1
        self._play_compiled(first, last)

    def _lineup_of(self, number: int) -> tuple[Seat, ...]:
        return self._lineups[number % len(self._lineups)]

    def _fits(self, number: int, seats: tuple[Seat, ...]) -> bool:
        """Return True if a game can be played in one call with a game between `seats`."""
        lineup = self._lineup_of(number)
        return len(lineup) == len(seats) and self._is_compiled(lineup)

    def _is_compiled(self, seats: tuple[Seat, ...]) -> bool:
        known = type(self.ruleset) in worlds.RULESETS.values()
        return known and self._duration > 0 and all(seat.is_built_in for seat in seats)

    def _play_compiled(self, first: int, last: int) -> None:
        lineups = [self._lineup_of(number) for number in range(first, last)]
        config = self._config_of(len(lineups[0]))
        names = [[seat.name for seat in seats] for seats in lineups]
        seeds = [self._seed_of(number) for number in range(first, last)]
        states, trace = playing.play(names, seeds, config, trace=first == 0)
        if first == 0:
            self.traces = Trace(trace.states[0], trace.chosen[0])
        winner = config.resolve("winner")
        for state, seats, seed in zip(states, lineups, seeds, strict=True):
            self.results.append(read_result(state, seats, seed, winner))

    def _play_by_steps(self, number: int) -> None:
        seats, seed = self._lineup_of(number), self._seed_of(number)
        config = self._config_of(len(seats))
        loop = GameLoop(number, seed, seats, self.ruleset, config, self.on_illegal)
        trace = loop.play(self._duration)
        if number == 0:
            self.traces = trace
        self.results.append(read_result(loop.world.record, seats, seed, config.resolve("winner")))

    def _seed_of(self, number: int) -> int:
        return (self._seed + number) & MASK

    def _config_of(self, players: int) -> AjveCivConfig:
        """Return the options of a game of this number of players.

        The dead stay in the game, because their choices count at inflections.
        """
        changed = {"players": players, "duration": max(1, self._duration), "black_death": True}
        return AjveCivConfig(**{**self.options, **changed})

    def as_report(self) -> dict[str, Any]:
        """Return the report as data; `reports` documents its format."""
        head = {
            "ruleset": self.ruleset.name,
            "options": self.options,
            "duration": self._duration,
            "seed": self._seed,
            "interrupted": self.interrupted,
        }
        return make_report(self.results, head)

    def report(
        self, to: str | PathLike[str] | Callable[[dict[str, Any]], object] | None = None
    ) -> Self:
        """Report the results; it can be called any number of times.

        Args:
            to: the destination: None for tables on standard output, "-" for JSON on standard
                output, a path for JSON in a file, or a function that gets the report as data.

        Raises:
            ConfigError: if the destination is of another type, or the file cannot be written.
        """
        if to is None:
            print_report(self.results, interrupted=self.interrupted)
        elif to == "-":
            print(json.dumps(self.as_report(), indent=1, ensure_ascii=False))
        elif isinstance(to, str | PathLike) and str(to):
            write_report(self.as_report(), Path(to))
        elif callable(to):
            to(self.as_report())
        else:
            raise ConfigError(
                f'a report goes to None (tables), "-" (JSON on standard output), a path or a '
                f"function, got {to!r}."
            )
        return self


def _make_ruleset(ruleset: object) -> worlds.Ruleset:
    if isinstance(ruleset, str):
        return worlds.get(ruleset)()
    if isinstance(ruleset, type) and issubclass(ruleset, worlds.Ruleset):
        return ruleset()
    if isinstance(ruleset, worlds.Ruleset):
        return ruleset
    raise ConfigError(
        f"a ruleset is a civ.Ruleset, a class of these, or one of the names "
        f"{', '.join(worlds.RULESETS)}; got {ruleset!r}."
    )


def _check_options(options: dict[str, Any]) -> None:
    known = [field.name for field in dataclasses.fields(AjveCivConfig)]
    for name in options:
        if name not in known or name in NO_OPTIONS:
            allowed = [one for one in known if one not in NO_OPTIONS]
            raise UnknownNameError("option of a series", name, allowed)
    AjveCivConfig(**{**options, "duration": options.get("duration") or 1})


def _find_players(player: object) -> list[ai.AI | type[ai.AI]]:
    """Return the AIs of a player: those of a family, or one."""
    if isinstance(player, str):
        return [*ai.get_all(player)]
    if isinstance(player, ai.Family):
        return [*player.values()]
    if isinstance(player, ai.AI):
        return [player]
    if isinstance(player, type) and issubclass(player, ai.AI):
        missing = sorted(getattr(player, "__abstractmethods__", ()))
        if inspect.isabstract(player):
            raise ConfigError(f"AI {player.__name__} has no {' and no '.join(missing)}.")
        return [player]
    raise ConfigError(
        f"a player is a civ.AI, a class of these, or a name such as basic.conquer, basic, greedy "
        f"or human; got {player!r}."
    )
