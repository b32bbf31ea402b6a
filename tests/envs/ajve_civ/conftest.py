"""A game of AjveCiv that a test plays step by step, and recorded games of the original."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ import kernel
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.game import GAME
from axiom_gym.backend.codegen import compile_function
from axiom_gym.kernel import ILLEGAL, zero_records

VECTORS = Path(__file__).parents[2] / "vectors" / "ajve"
NUMBER = {name: number for number, name in enumerate(VALUES)}


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the kernel or a bot, compiled and cached on disk."""
    return compile_function(function, f"ajve_civ_{function.__name__}")


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function as plain Python."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


class Table:
    """One game: its record, the kernel's functions on it, and the results of the last step.

    `rewards` is (P,) float32; `log` has the events of the last step as sentences.
    """

    prepare = staticmethod(plain)

    def __init__(self, seed: int = 1, **options: Any) -> None:
        self.config = AjveCivConfig(**options)
        self.params = GAME.params(self.config)
        self.layout = GAME.layout(self.config)
        self.players = self.config.players
        assert GAME.state_dtype is not None
        self.state: Any = zero_records(1, GAME.state_dtype(self.config))[0]
        self.rewards = np.full(self.players, 9, np.float32)
        self.rows = np.zeros((2 * self.players + 1, 8), np.int16)
        self.log: list[str] = []
        self.state.rng = seed
        self.prepare(kernel.reset)(self.state, self.params)

    def offer(self, player: int, *names: str) -> None:
        """Put these values first in the offer of a player."""
        first = [NUMBER[name] for name in names]
        self.state.offer[player] = first + [value for value in range(6) if value not in first]

    def offered(self, player: int) -> list[str]:
        """Return the names of the values that a player is offered, in their order."""
        return [VALUES[int(k)] for k in self.state.offer[player, : self.config.offer_size]]

    def mask(self, player: int) -> list[int]:
        """Return the action mask of a player: 1 or 0 for each of the six values."""
        mask = np.full((1, 6), 7, np.int8)
        self.prepare(kernel.legal_actions)(self.state, player, mask, self.params)
        return [int(legal) for legal in mask[0]]

    def step(self, choices: Sequence[int]) -> int:
        """Play a step with these numbers of values, legal or not, and return the code."""
        self.rows[:] = 0
        self.rewards[:] = 9
        actions = np.array(choices, np.int64).reshape(-1, 1)
        code = self.prepare(kernel.step)(self.state, actions, self.rewards, self.rows, self.params)
        rows = self.rows[1 : 1 + self.rows[0, 0]]
        self.log = [GAME.describe_event(self.state, row.tolist()) for row in rows]
        return int(code)

    def play(self, *names: str) -> int:
        """Play a step in which each player is offered its choice; "-" for no choice."""
        for player, name in enumerate(names):
            if name != "-" and name not in self.offered(player):
                self.offer(player, name)
        code = self.step([NUMBER.get(name, -1) for name in names])
        assert code != ILLEGAL
        return code

    def turn(self, *names: str) -> int:
        """Play a step as `play` does, but make sure that it is a turn."""
        if self.params.period and int(self.state.turn) % self.params.period == 0:
            self.state.turn += 1
        return self.play(*names)

    def nation(self, player: int) -> tuple[int, int]:
        """Return the population and yield of a people."""
        return int(self.state.population[player]), int(self.state.yields[player])

    def value(self, player: int, name: str) -> int:
        return int(self.state.values[player, NUMBER[name]])

    def alive(self) -> list[bool]:
        return [
            bool(self.prepare(kernel.alive)(self.state, p, self.params))
            for p in range(self.players)
        ]

    def outcome(self) -> list[float]:
        returns = np.full(self.players, 9, np.float32)
        self.prepare(kernel.outcome)(self.state, returns, self.params)
        numbers: list[float] = returns.tolist()
        return numbers

    def observe(self, player: int) -> dict[str, float]:
        """Return the observation of a player by the names of its features."""
        seen = np.full(self.layout.observation_shape, 9, np.float32)
        self.prepare(kernel.observe)(self.state, player, seen, self.params)
        return dict(zip(self.layout.feature_names, seen.tolist(), strict=True))

    def world(self) -> list[Any]:
        """Return the world as it is recorded.

        The form is `[yield, feelings, [[six values, population, yield, dead], ...]]`.
        """
        state = self.state
        societies = [
            [*values, population, income, int(death != 0)]
            for values, population, income, death in zip(
                state["values"].tolist(),
                state.population.tolist(),
                state.yields.tolist(),
                state.death.tolist(),
                strict=True,
            )
        ]
        return [int(state.world_yield), state.feelings.tolist(), societies]

    def set_world(self, world: list[Any]) -> None:
        """Write a recorded world; its dead count as dead since step 1."""
        self.state.world_yield, feelings, societies = world
        self.state.feelings[:] = feelings
        for player, (*values, population, income, dead) in enumerate(societies):
            self.state["values"][player] = values
            self.state.population[player], self.state.yields[player] = population, income
            self.state.death[player] = dead


def read_vectors(name: str) -> Iterator[Any]:
    """Read the records of one file."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


class CompiledTable(Table):
    """A `Table` with compiled functions; slow, since each number of players is compiled anew."""

    prepare = staticmethod(compiled)


@pytest.fixture(scope="session")
def table(backend: str) -> type[Table]:
    """Return a class of games that are played by hand."""
    return CompiledTable if backend == "compiled" else Table


@pytest.fixture(scope="session")
def vectors() -> Callable[[str], Iterator[Any]]:
    return read_vectors


@pytest.fixture(scope="session")
def reference() -> Iterator[ModuleType]:
    """Return the module of the slow reference."""
    name = "ajve_civ_reference"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]
