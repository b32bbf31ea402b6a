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
    """What can be chosen about AjveCiv.

    Raises:
        ConfigError: for a value that is not allowed.
    """

    players: int = 7
    """Peoples, 1 to 64."""
    duration: int = 100
    """Steps of a game, inflections included; 1 to 1000."""
    inflections: bool = True
    """Whether there are inflections."""
    inflection_period: int = 10
    """Every step whose number, from 0, is a multiple of this is an inflection; 1 to 1000."""
    offer_size: int = 3
    """How many of the six values a people is offered; 1 to 6."""
    start_value: int = 2
    """Of every value at the start, -1000 to 1000."""
    start_population: int = 3
    """Of every people at the start, -1000 to 1000."""
    start_yield: int = 3
    """Of every people's nation at the start, -1000 to 1000."""
    start_world_yield: int = 20
    """At the start, -1000 to 1000."""
    rules: str = "0.1.3"
    """Where the original's text and code part: "0.1.3" is its code, "text" its text. It decides the
    three options below that are None."""
    winner: str | None = None
    """Who can have won: "all" (code) or only the "living" (text)."""
    exchange: str | None = None
    """Whose feelings an exchange warms: those of "both" (code) or of the "partner" (text)."""
    inflection_offer: str | None = None
    """What inflections offer: the "highest" values (code) or "random" ones (text)."""
    choices: str = "offered"
    """"offered": a choice outside the offer is illegal. "any": it is carried out, as the original
    does."""
    reward: str = "score"
    """"score", "rank", "survival" or "delta"; see the card."""
    black_death: bool = False
    """Whether a people that has died goes on as an agent until the end, when it is paid; otherwise
    it is paid and terminated at its death."""
    teams: str = ""
    """A letter for each people, such as "aabb": who shares rewards; "" for nobody."""
    team_share: float = 1.0
    """How much of a reward is shared within the team, 0 to 1."""

    def __post_init__(self) -> None:
        """Refuses what is not allowed."""
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
                f"teams must be a letter for each of the {self.players} peoples, such as "
                f"{'ab' * self.players:.{self.players}}, got {self.teams!r}."
            )
        share, number = self.team_share, isinstance(self.team_share, int | float)
        if isinstance(share, bool) or not number or not math.isfinite(share) or not 0 <= share <= 1:
            raise ConfigError(f"team_share must be a number from 0 to 1, got {share!r}.")
        if self.teams and not self.black_death:
            raise ConfigError(
                "teams need black_death=True: who has died still gets its share at the end."
            )

    def resolve(self, name: str) -> str:
        """The value of `winner`, `exchange` or `inflection_offer`, by `rules` where it is None."""
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
