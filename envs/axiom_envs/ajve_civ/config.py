"""The options of AjveCiv, and its presets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from axiom_envs.ajve_civ.constants import MAX_DURATION, MAX_PLAYERS, MAX_START, REWARDS, VALUES
from axiom_gym.errors import ConfigError, check_choice, check_range

RULES = ("0.1.3", "text")
WINNERS = ("all", "living")
EXCHANGES = ("both", "partner")
INFLECTION_OFFERS = ("highest", "random")
CHOICES = ("offered", "any")


@dataclass(frozen=True, slots=True, kw_only=True)
class AjveCivConfig:
    """The options of AjveCiv.

    Raises:
        ConfigError: if a value is not allowed.
    """

    players: int = 7
    """The number of players, 1 to 64; each plays one people."""
    duration: int = 100
    """The number of steps of a game, inflections included; 1 to 1000."""
    inflections: bool = True
    """If True, some steps are inflections; otherwise all steps are turns."""
    inflection_period: int = 10
    """The period of inflections, 1 to 1000: a step is an inflection if its number, from 0, is a
    multiple of it."""
    offer_size: int = 3
    """The number of values, of six, that each player is offered; 1 to 6."""
    start_value: int = 2
    """The devotion of every people to every value at the start, -1000 to 1000."""
    start_population: int = 3
    """The population of every people at the start, -1000 to 1000."""
    start_yield: int = 3
    """The yield of every people at the start, -1000 to 1000."""
    start_world_yield: int = 20
    """The yield of the world at the start, -1000 to 1000."""
    rules: str = "0.1.3"
    """The rules where the text and the code of the original differ: those of its code, "0.1.3", or
    of its "text". This sets each of the next three options that is None."""
    winner: str | None = None
    """The peoples that can win: "all" (code), or only the "living" (text)."""
    exchange: str | None = None
    """The peoples whose feelings an exchange improves: "both" (code), or the "partner" (text)."""
    inflection_offer: str | None = None
    """The values offered at inflections: the "highest" (code), or "random" ones (text)."""
    choices: str = "offered"
    """The legal choices: only those "offered", or "any". The original carries out any choice."""
    reward: str = "score"
    """The reward: "score", "rank", "survival" or "delta"; see the card."""
    black_death: bool = False
    """If True, a player whose people has died stays in the game, and gets its outcome at the end.
    Otherwise the player is terminated at the death and gets its outcome then."""
    teams: str = ""
    """The teams that share rewards, as a letter for each player such as "aabb"; "" for no teams."""
    team_share: float = 1.0
    """The part of a reward that is shared within the team, 0 to 1."""

    def __post_init__(self) -> None:
        """Check all options."""
        self._check_numbers()
        self._check_names()
        self._check_teams()

    def _check_numbers(self) -> None:
        check_range("players", self.players, 1, MAX_PLAYERS)
        check_range("duration", self.duration, 1, MAX_DURATION)
        check_range("inflection_period", self.inflection_period, 1, MAX_DURATION)
        check_range("offer_size", self.offer_size, 1, len(VALUES))
        for name in ("value", "population", "yield", "world_yield"):
            check_range(f"start_{name}", getattr(self, f"start_{name}"), -MAX_START, MAX_START)
        for name in ("inflections", "black_death"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be True or False, got {getattr(self, name)!r}.")

    def _check_names(self) -> None:
        check_choice("rules", self.rules, RULES)
        check_choice("choices", self.choices, CHOICES)
        check_choice("reward", self.reward, REWARDS)
        for name, allowed in (
            ("winner", WINNERS),
            ("exchange", EXCHANGES),
            ("inflection_offer", INFLECTION_OFFERS),
        ):
            if getattr(self, name) is not None:
                check_choice(name, getattr(self, name), allowed)

    def _check_teams(self) -> None:
        if not isinstance(self.teams, str) or len(self.teams) not in (0, self.players):
            raise ConfigError(
                f"teams must be a letter for each of the {self.players} players, such as "
                f"{'ab' * self.players:.{self.players}}, got {self.teams!r}."
            )
        share, number = self.team_share, isinstance(self.team_share, int | float)
        if isinstance(share, bool) or not number or not math.isfinite(share) or not 0 <= share <= 1:
            raise ConfigError(f"team_share must be a number from 0 to 1, got {share!r}.")
        if self.teams and not self.black_death:
            raise ConfigError(
                "teams need black_death=True, because a dead player still gets a share at the end."
            )

    def resolve(self, name: str) -> str:
        """Return `winner`, `exchange` or `inflection_offer`; `rules` decides if it is None."""
        chosen: str | None = getattr(self, name)
        if chosen is not None:
            return chosen
        pairs = {
            "winner": WINNERS,
            "exchange": EXCHANGES,
            "inflection_offer": INFLECTION_OFFERS,
        }
        return pairs[name][RULES.index(self.rules)]


PRESETS: dict[str, dict[str, Any]] = {
    "original": {},
    "text": {"rules": "text", "reward": "rank"},
    "duel": {"players": 2, "black_death": True},
    "teams": {"players": 4, "black_death": True, "teams": "aabb"},
}
