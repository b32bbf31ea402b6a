"""The kernel against a slow reference implementation, written from the rules.

The reference knows territories by name, keeps objects, and lists its legal actions. It uses the
map's file and the core's random number generator, and no code of the kernel.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from axiom_envs.konquista.config import PRESETS
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED
from axiom_gym.seeded_rng import SeededRNG

Action = tuple[str, ...]


@dataclass
class Land:
    owner: int
    armies: int


@dataclass
class Reference:
    """Test double: a game; `play` carries out an action and returns "running", "ended" or
    "truncated"."""

    data: dict[str, Any]
    players: int
    turn_limit: int
    blitz: bool
    rng: SeededRNG
    turn: int = 1
    active: int = 0
    phase: str = "reinforce"
    left: int = 0
    conquered: tuple[str, str] | None = None
    out: list[int] = field(default_factory=list)
    paid: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = [entry["name"] for entry in self.data["territories"]]
        self.region = {entry["name"]: entry["region"] for entry in self.data["territories"]}
        links = {entry["name"]: entry["borders"] for entry in self.data["territories"]}
        self.edges = [(a, b) for a in self.names for b in sorted(links[a], key=self.names.index)]
        self.land: dict[str, Land] = {}
        self.set_up()
        self.left = self.income()

    def set_up(self) -> None:
        for place, name in enumerate(self.rng.shuffle(self.names)):
            self.land[name] = Land(place % self.players, 1)
        goal = self.data["armies"][str(self.players)]
        while any(self.total(seat) < goal[seat] for seat in range(self.players)):
            for seat in range(self.players):
                if self.total(seat) < goal[seat]:
                    self.land[self.rng.pick(self.held(seat))].armies += 1

    def held(self, seat: int) -> list[str]:
        return [name for name in self.names if self.land[name].owner == seat]

    def total(self, seat: int) -> int:
        return sum(self.land[name].armies for name in self.held(seat))

    def income(self) -> int:
        mine = set(self.held(self.active))
        whole = [
            region["bonus"]
            for region in self.data["regions"]
            if {name for name in self.names if self.region[name] == region["name"]} <= mine
        ]
        return max(3, len(mine) // 3) + sum(whole)

    def catalogue(self) -> list[Action]:
        """Return all actions in the order of their numbers."""
        return [
            *(("one", name) for name in self.names),
            *(("all", name) for name in self.names),
            *(("attack", a, b) for a, b in self.edges),
            ("advance",),
            ("hold",),
            ("stop",),
            *(("fortify", a, b) for a, b in self.edges),
            ("end",),
        ]

    def is_legal(self, action: Action) -> bool:
        kind, *where = action
        mine = [self.land[name].owner == self.active for name in where]
        strong = bool(where) and self.land[where[0]].armies >= 2
        match self.phase:
            case "reinforce":
                return kind in ("one", "all") and mine[0]
            case "attack":
                return kind == "stop" or (kind == "attack" and strong and mine == [True, False])
            case "advance":
                return kind in ("advance", "hold")
            case "fortify":
                return kind == "end" or (kind == "fortify" and strong and mine == [True, True])
        return False

    def play(self, action: Action) -> str:
        self.paid = {}
        match action:
            case ("one" | "all" as how, name):
                count = 1 if how == "one" else self.left
                self.land[name].armies += count
                self.left -= count
                if not self.left:
                    self.phase = "attack"
            case ("attack", start, end):
                return self.attack(start, end)
            case ("advance" | "hold" as how,):
                if how == "advance" and self.conquered:
                    self.shift(*self.conquered)
                self.phase, self.conquered = "attack", None
            case ("stop",):
                self.phase = "fortify"
            case ("fortify", start, end):
                self.shift(start, end)
                return self.pass_on()
            case ("end",):
                return self.pass_on()
        return "running"

    def shift(self, start: str, end: str) -> None:
        self.land[end].armies += self.land[start].armies - 1
        self.land[start].armies = 1

    def attack(self, start: str, end: str) -> str:
        here, there = self.land[start], self.land[end]
        while True:
            mine = [self.rng.range(1, 6) for _ in range(min(3, here.armies - 1))]
            theirs = [self.rng.range(1, 6) for _ in range(min(2, there.armies))]
            for a, d in zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False):
                (there if a > d else here).armies -= 1
            if there.armies == 0:
                return self.conquer(start, end, len(mine))
            if not self.blitz or here.armies == 1:
                return "running"

    def conquer(self, start: str, end: str, dice: int) -> str:
        loser = self.land[end].owner
        moved = min(dice, self.land[start].armies - 1)
        self.land[end] = Land(self.active, moved)
        self.land[start].armies -= moved
        if not self.held(loser):
            self.paid[loser] = self.reward([self.players - len(self.out)])
            self.out.append(loser)
            if len(self.out) == self.players - 1:
                self.paid[self.active] = 1.0
                self.phase = "over"
                return "ended"
        if self.land[start].armies > 1:
            self.phase, self.conquered = "advance", (start, end)
        return "running"

    def reward(self, places: list[int]) -> float:
        """Return the mean reward of these places, from 1."""
        return sum(1 - 2 * (place - 1) / (self.players - 1) for place in places) / len(places)

    def pass_on(self) -> str:
        if self.turn == self.turn_limit:
            self.phase = "over"
            self.rank_the_rest()
            return "truncated"
        self.turn += 1
        order = [(self.active + i) % self.players for i in range(1, self.players + 1)]
        self.active = next(seat for seat in order if seat not in self.out)
        self.phase, self.left = "reinforce", self.income()
        return "running"

    def rank_the_rest(self) -> None:
        rest = [seat for seat in range(self.players) if seat not in self.out]
        strength = {seat: (len(self.held(seat)), self.total(seat)) for seat in rest}
        ranked = sorted(rest, key=lambda seat: strength[seat], reverse=True)
        for seat in rest:
            equals = [i + 1 for i, s in enumerate(ranked) if strength[s] == strength[seat]]
            self.paid[seat] = self.reward(equals)


def reference_of(game: Any, seed: int) -> Reference:
    name = f"{game.config.board}.json"
    data = json.loads((files("axiom_envs.konquista") / name).read_text(encoding="utf-8"))
    config = game.config
    return Reference(data, config.players, config.turn_limit, config.blitz, SeededRNG(seed))


def check(game: Any, other: Reference) -> None:
    """Check that the two games have equal positions and legal actions."""
    state, count = game.state, len(other.names)
    lands = [(other.land[name].owner, other.land[name].armies) for name in other.names]
    owners, armies = state.owner[:count].tolist(), state.armies[:count].tolist()
    assert list(zip(owners, armies, strict=True)) == lands
    assert int(state.rng) == other.rng.state
    assert (game.phase, int(state.turn)) == (other.phase, other.turn)
    if other.phase != "over":
        assert game.player == other.active
        assert int(state.to_place) == (other.left if other.phase == "reinforce" else 0)
        assert game.mask()[0].tolist() == [int(other.is_legal(a)) for a in other.catalogue()]
    assert game.alive() == [seat not in other.out for seat in range(other.players)]


def choose(other: Reference, chance: random.Random) -> int:
    """Return a random legal action; 90 % are attacks where there are any, so that games end."""
    legal = [i for i, action in enumerate(other.catalogue()) if other.is_legal(action)]
    attacks = [i for i in legal if other.catalogue()[i][0] == "attack"]
    return chance.choice(attacks if attacks and chance.random() < 0.9 else legal)


CODES = {"running": RUNNING, "ended": ENDED, "truncated": TRUNCATED}
GAMES = [
    ("island", 2, 100, {}),
    ("island", 3, 12, {}),
    ("classic", 4, 200, {}),
    ("classic", 6, 200, {"blitz": True}),
    ("continent", 3, 40, {"blitz": True}),
    ("continent", 6, 300, {}),
]


@pytest.mark.parametrize(("preset", "players", "turn_limit", "more"), GAMES)
def test_reference__plays_the_same_game(
    table: Any, preset: str, players: int, turn_limit: int, more: dict[str, Any]
) -> None:
    options = {**PRESETS[preset], "turn_limit": turn_limit, "players": players, **more}
    chance, decisions, seed = random.Random(preset), 0, 11
    while decisions < 400:
        seed += 1
        game = table(seed=seed, **options)
        other = reference_of(game, seed)
        check(game, other)
        sums, status = np.zeros(players), "running"
        while status == "running" and decisions < 400:
            action = choose(other, chance)
            code, status = game.step(action), other.play(other.catalogue()[action])
            assert code == CODES[status]
            expected = [other.paid.get(seat, 0.0) for seat in range(players)]
            assert game.rewards.tolist() == pytest.approx(expected, abs=1e-6)
            check(game, other)
            sums += game.rewards
            decisions += 1
        if status != "running":
            assert game.outcome() == pytest.approx(sums.tolist(), abs=1e-6)
            assert sum(sums) == pytest.approx(0, abs=1e-6)
