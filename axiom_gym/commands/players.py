"""The meaning of `--players`: a number of players, or the players by seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.names import has_prefix, look_up
from axiom_gym.registry.games import count_players
from axiom_gym.registry.options import with_players


@dataclass(frozen=True, slots=True)
class Lineup:
    """The value of `--players`.

    Attributes:
        count: the number of players; None if it was not given.
        names: the names of the players; empty if none was given.
    """

    count: int | None
    names: tuple[str, ...]

    def set_count(
        self, game: KernelGame, options: dict[str, Any], preset: str | None = None
    ) -> dict[str, Any]:
        """Return the options of the game with the number of players, if one was given.

        Raises:
            ConfigError: for a number that the game does not allow.
        """
        if self.count is None:
            return options
        options = with_players(game, options, self.count)
        have = count_players(game, options, preset)
        if have != self.count:
            raise ConfigError(
                f"{game.info.name} is for {have} players, got --players {self.count}."
            )
        return options

    def take_seats(
        self, game: KernelGame, options: dict[str, Any], preset: str | None = None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the options with the number of players, and a name for each seat.

        Several names set the number of players; one name takes all seats. Without names the list is
        empty.

        Raises:
            ConfigError: if the numbers of names and seats differ.
        """
        if len(self.names) > 1 and self.count is None:
            options = with_players(game, options, len(self.names))
        options = self.set_count(game, options, preset)
        seats = count_players(game, options, preset)
        if len(self.names) not in (0, 1, seats):
            players = "1 player" if seats == 1 else f"{seats} players"
            raise ConfigError(
                f"{game.info.name} has {players}, got {len(self.names)}: "
                f"{','.join(self.names)}. Name one for each seat, or one for all seats."
            )
        return options, list(self.names) * (seats if len(self.names) == 1 else 1)


def read_players(given: Sequence[str] | None) -> Lineup:
    """Return the value of `--players`, whose entries are separated by commas.

    Raises:
        ConfigError: for an empty entry, a number below 1, or two numbers.
    """
    parts = [part.strip() for text in given or () for part in text.split(",")]
    numbers = [part for part in parts if part.removeprefix("-").isdecimal()]
    if "" in parts or len(numbers) > 1 or any(int(number) < 1 for number in numbers):
        raise ConfigError(
            "--players is a number of players of at least 1, or names separated by commas, got "
            f"{','.join(given or ())!r}."
        )
    names = tuple(part for part in parts if part not in numbers)
    return Lineup(int(numbers[0]) if numbers else None, names)


def check_names(game: KernelGame, names: Sequence[str]) -> None:
    """Check names before slow imports; files that exist are left to the caller.

    Raises:
        UnknownOpponentError, ConfigError: as for `axiom_gym.opponents.names.look_up`.
    """
    for name in names:
        if not has_prefix(name) and not Path(name).exists():
            look_up(name, ["random", *game.bots])
