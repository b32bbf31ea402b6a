"""A slow reference of AjveCiv, written from the rules, with a dict of numbers for each people.

It shares no code with the kernel, but uses the generator of the object-level games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from axiom_gym.seeded_rng import SeededRNG

NAMES = ["discover", "conquer", "expand", "exchange", "consent", "develop"]
DEFAULTS: dict[str, Any] = {
    **{"players": 7, "duration": 100, "inflections": True, "inflection_period": 10},
    **{"offer_size": 3, "start_value": 2, "start_population": 3, "start_yield": 3},
    **{"start_world_yield": 20, "rules": "0.1.3", "winner": None, "exchange": None},
    **{"inflection_offer": None, "choices": "offered", "reward": "score", "black_death": False},
    **{"teams": "", "team_share": 1.0},
}


@dataclass
class Reference:
    """One game. `offers[i]` has names; `play` takes a name or None for each player."""

    seed: int
    options: dict[str, Any]
    step: int = 0
    paid: list[Fraction] = field(default_factory=list)
    left: dict[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.options = {**DEFAULTS, **self.options}
        self.rng = SeededRNG(self.seed)
        self.count = self.options["players"]
        self.world = self.options["start_world_yield"]
        self.peoples = [self.new_people() for _ in range(self.count)]
        self.feels = {(i, j): 0 for i in range(self.count) for j in range(self.count)}
        self.offers = self.make_offers()

    def new_people(self) -> dict[str, Any]:
        return {
            **dict.fromkeys(NAMES, self.options["start_value"]),
            "population": self.options["start_population"],
            "yield": self.options["start_yield"],
            "died": None,
        }

    def follows_text(self, name: str, text: str) -> bool:
        chosen = self.options[name]
        return self.options["rules"] == "text" if chosen is None else chosen == text

    # -- offers

    @property
    def inflection(self) -> bool:
        return (
            bool(self.options["inflections"]) and self.step % self.options["inflection_period"] == 0
        )

    def make_offers(self) -> list[list[str]]:
        size = self.options["offer_size"]
        if self.inflection and not self.follows_text("inflection_offer", "random"):
            return [sorted(NAMES, key=lambda n: -one[n])[:size] for one in self.peoples]
        return [self.shuffled()[:size] for _ in self.peoples]

    def shuffled(self) -> list[str]:
        names = list(NAMES)
        for i in (6, 5, 4, 3, 2, 1):
            j = int(self.rng.next() * i)
            names[i - 1], names[j] = names[j], names[i - 1]
        return names

    # -- steps

    def play(self, choices: list[str | None]) -> bool:
        """Play a step and return True if it was the last."""
        before = [self.score(i) for i in range(self.count)]
        if self.inflection:
            for people, offer, choice in zip(self.peoples, self.offers, choices, strict=True):
                for name in offer:
                    people[name] += 2 if name == choice else -1
        else:
            for i, choice in enumerate(choices):
                if self.peoples[i]["died"] is None and choice is not None:
                    self.act(i, choice)
            self.feed()
        self.step += 1
        over = bool(self.step == self.options["duration"])
        self.paid = self.rewards(before, over)
        if not over:
            self.offers = self.make_offers()
        return over

    def favourite(self, i: int, sign: int) -> int:
        others = [j for j in range(self.count) if j != i]
        return max(others, key=lambda j: (sign * self.feels[i, j], j))

    def act(self, i: int, name: str) -> None:
        people, others = self.peoples[i], [j for j in range(self.count) if j != i]
        if name in ("conquer", "exchange") and not others:
            return
        people[name] += 1
        power = people[name]
        match name:
            case "conquer":
                victim = self.favourite(i, -1)
                people["yield"] += power
                self.peoples[victim]["yield"] -= power
                for j in others:
                    self.feels[j, i] -= 5 if j == victim else 1
            case "exchange":
                friend = self.favourite(i, 1)
                people["yield"] += power
                self.peoples[friend]["yield"] += self.peoples[friend]["exchange"]
                self.feels[friend, i] += 1
                if not self.follows_text("exchange", "partner"):
                    self.feels[i, friend] += 1
            case "discover":
                people["yield"] += power
            case "expand":
                people["population"] += power
            case "develop":
                people["yield"] += 2 * power
                self.world -= power
                for j in others:
                    self.feels[j, i] -= 1
            case "consent":
                self.world += power
                for j in others:
                    self.feels[j, i] += power

    def feed(self) -> None:
        for people in self.peoples:
            if people["population"] < 0:
                people["died"] = self.step + 1 if people["died"] is None else people["died"]
            else:
                people["population"] = min(people["population"], people["yield"] + self.world)

    # -- rewards, as fractions

    def score(self, i: int) -> int:
        return int(self.peoples[i]["yield"] + self.peoples[i]["population"])

    def worth(self, i: int) -> Fraction:
        """Return the outcome of a player if the game ended now, for rewards "score" and "rank"."""
        scores = [self.score(j) for j in range(self.count)]
        others = scores[:i] + scores[i + 1 :]
        if self.options["reward"] == "rank":
            keys = [self.rank_key(j) for j in range(self.count)]
            places = [p for p, key in enumerate(sorted(keys, reverse=True)) if key == keys[i]]
            mean = Fraction(sum(places), len(places))
            return 1 - 2 * mean / (self.count - 1) if others else Fraction(0)
        if not others:
            return Fraction(scores[i], 300 + abs(scores[i]))
        total = sum(map(abs, scores))
        lead = scores[i] - Fraction(sum(others), len(others))
        return lead / total if total else Fraction(0)

    def rank_key(self, i: int) -> tuple[bool, int]:
        lives = self.peoples[i]["died"] is None
        return lives and self.follows_text("winner", "living"), self.score(i)

    def rewards(self, before: list[int], over: bool) -> list[Fraction]:
        paid = [self.pay(i, before[i], over) for i in range(self.count)]
        if not self.options["teams"]:
            return paid
        share = Fraction(self.options["team_share"])
        teams = self.options["teams"]
        mates = [[j for j in range(self.count) if teams[j] == teams[i]] for i in range(self.count)]
        means = [sum((paid[j] for j in team), Fraction(0)) / len(team) for team in mates]
        return [own + share * (mean - own) for own, mean in zip(paid, means, strict=True)]

    def pay(self, i: int, before: int, over: bool) -> Fraction:
        died = self.peoples[i]["died"]
        leaves = died is not None and not self.options["black_death"]
        if leaves and died < self.step:
            return Fraction(0)
        match self.options["reward"]:
            case "survival":
                return Fraction(int(died is None), self.options["duration"])
            case "delta":
                now = self.score(i)
                return Fraction(now, 300 + abs(now)) - Fraction(before, 300 + abs(before))
        return self.worth(i) if over or leaves else Fraction(0)
