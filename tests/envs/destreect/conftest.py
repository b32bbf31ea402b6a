"""Games of Destreect that tests play with the words that users type."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.destreect import kernel
from axiom_envs.destreect.boards import load_board
from axiom_envs.destreect.config import PRESETS, DestreectConfig
from axiom_envs.destreect.constants import OVER
from axiom_envs.destreect.game import GAME
from axiom_envs.destreect.log import MAX_EVENTS
from axiom_gym.backend.codegen import compile_function
from axiom_gym.kernel import ILLEGAL, RUNNING, zero_records
from axiom_gym.seeded_rng import SeededRNG

PHASES = ("rolling", "offer", "auction", "debt", "manage", "over")


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the kernel or a bot, compiled and cached on disk."""
    return compile_function(function, f"destreect_{function.__name__}")


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function as plain Python."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


@cache
def seed_of(*dice: int) -> int:
    """Return a seed whose first draws are these dice."""
    for seed in range(1, 2_000_000):
        rng = SeededRNG(seed)
        if all(rng.range(1, 6) == die for die in dice):
            return seed
    raise AssertionError(dice)


class Table:
    """Test double: a game without a batch; its record and the results of the last step.

    `rewards` is (P,) float32, `rows` is the log of the last step and `log` the same as sentences.
    """

    prepare = staticmethod(plain)

    def __init__(self, seed: int = 1, preset: str = "town", **options: Any) -> None:
        self.config = DestreectConfig(**{**PRESETS[preset], "seat_bonus": 0, **options})
        self.board = load_board(self.config.board)
        self.params = GAME.params(self.config)
        self.layout = GAME.layout(self.config)
        self.state: Any = zero_records(1, kernel.STATE)[0]
        self.rewards = np.full(self.config.players, 9, np.float32)
        self.rows: list[list[int]] = []
        self.code = RUNNING
        self.state.rng = seed
        self.prepare(kernel.reset)(self.state, self.params)
        every = range(self.layout.num_choices[0])
        self.keys = [GAME.sub_action_key(self.state, 0, 0, action) for action in every]

    # -- queries -----------------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        return int(self.prepare(kernel.acting)(self.state, self.params))

    @property
    def phase(self) -> str:
        return PHASES[int(self.state.phase)]

    @property
    def is_over(self) -> bool:
        return int(self.state.phase) == OVER

    @property
    def cash(self) -> list[int]:
        return [int(amount) for amount in self.state.cash[: self.config.players]]

    @property
    def log(self) -> list[str]:
        texts = [GAME.describe_event(self.state, row) for row in self.rows]
        return [text for text in texts if text]

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The mask of the acting player, (N,) int8."""
        mask = np.full((1, *self.layout.num_choices), 9, np.int8)
        self.prepare(kernel.legal_actions)(self.state, self.actor, mask, self.params)
        return mask[0]

    @property
    def legal(self) -> set[str]:
        """The legal actions as the texts that users type."""
        return {self.keys[action] for action in np.flatnonzero(self.mask).tolist()}

    def observe(self, seat: int) -> dict[str, float]:
        names = self.layout.feature_names
        observation = np.full(len(names), 9, np.float32)
        self.prepare(kernel.observe)(self.state, seat, observation, self.params)
        return dict(zip(names, observation.tolist(), strict=True))

    def outcome(self) -> list[float]:
        returns = np.full(self.config.players, 9, np.float32)
        self.prepare(kernel.outcome)(self.state, returns, self.params)
        return returns.tolist()

    def owner(self, place: int) -> int:
        return int(self.state.owner[self.deed(place)])

    def deed(self, place: int) -> int:
        return self.board.deeds.index(place)

    # -- setting up --------------------------------------------------------------------------------

    def give(self, seat: int, *places: int, houses: int = 0, mortgaged: bool = False) -> None:
        for place in places:
            deed = self.deed(place)
            self.state.owner[deed] = seat
            self.state.houses[deed] = houses
            self.state.mortgaged[deed] = mortgaged

    def put(self, *positions: int) -> None:
        self.state.position[: len(positions)] = positions

    def set_cash(self, *amounts: int) -> None:
        self.state.cash[: len(amounts)] = amounts

    def stack(self, kind: str, amount: int | None = None, space: int | None = None) -> None:
        """Put a card on top of the deck: the first one of this kind, amount and space."""
        kinds = ("cash", "move", "lockup", "repairs", "collect")
        for number, card in enumerate(self.board.cards):
            if kinds[card.kind] == kind and amount in (None, card.amount):
                if space in (None, card.space):
                    place = self.state.deck.tolist().index(number)
                    top = int(self.state.top)
                    self.state.deck[place] = self.state.deck[top]
                    self.state.deck[top] = number
                    return
        raise AssertionError(kind)

    # -- playing -----------------------------------------------------------------------------------

    def step(self, action: int) -> int:
        events = np.zeros((MAX_EVENTS + 1, 8), np.int16)
        actions = np.array([[action]], np.int64)
        run_step = self.prepare(kernel.step)
        self.code = run_step(self.state, actions, self.rewards, events, self.params)
        self.rows = events[1 : 1 + int(events[0, 0])].tolist()
        return int(self.code)

    def do(self, *keys: str) -> None:
        for key in keys:
            assert self.step(self.keys.index(key)) != ILLEGAL, key

    def roll(self, *dice: int) -> None:
        self.state.rng = seed_of(*dice)
        self.do("roll")


class CompiledTable(Table):
    """A `Table` with compiled functions; slow, since each number of players is compiled anew."""

    prepare = staticmethod(compiled)


@pytest.fixture(scope="session")
def table(backend: str) -> type[Table]:
    """Return a class of games that are played by hand."""
    return CompiledTable if backend == "compiled" else Table


@pytest.fixture(params=["town", "city"])
def preset(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def reference() -> Iterator[ModuleType]:
    """Yield the module of the slow reference."""
    name = "destreect_reference"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]
