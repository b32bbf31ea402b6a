"""A game of Konquista that tests play with the words that users type."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.konquista import kernel
from axiom_envs.konquista.boards import find_board
from axiom_envs.konquista.config import KonquistaConfig
from axiom_envs.konquista.constants import PHASES
from axiom_envs.konquista.game import GAME
from axiom_envs.konquista.log import MOST_ROWS
from axiom_gym.backend.codegen import compile_function
from axiom_gym.kernel import ILLEGAL, RUNNING, zero_records


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the kernel or a bot, compiled and cached on disk."""
    return compile_function(function, f"konquista_{function.__name__}")


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function as plain Python."""
    python: Callable[..., Any] = getattr(function, "py_func", function)
    return python


class Table:
    """Test double: a game without a batch; its record and the results of the last step.

    `rewards` is (P,) float32; `log` holds the last step's events as sentences.
    """

    prepare = staticmethod(plain)

    def __init__(self, seed: int = 1, **options: Any) -> None:
        self.config = KonquistaConfig(**options)
        self.params = GAME.params(self.config)
        self.layout = GAME.layout(self.config)
        self.state: Any = zero_records(1, kernel.STATE)[0]
        self.rewards = np.full(self.config.players, 9, np.float32)
        self.rows = np.zeros((MOST_ROWS + 1, 8), np.int16)
        self.log: list[str] = []
        self.state.rng = seed
        self.prepare(kernel.reset)(self.state, self.params)
        self.board = find_board(int(self.state.board))
        self.number = {here.name: t for t, here in enumerate(self.board.territories)}

    @property
    def player(self) -> int:
        return int(self.prepare(kernel.acting)(self.state, self.params))

    @property
    def phase(self) -> str:
        return (*PHASES, "over")[int(self.state.phase)]

    def armies(self, name: str) -> int:
        return int(self.state.armies[self.number[name]])

    def owner(self, name: str) -> int:
        return int(self.state.owner[self.number[name]])

    def armies_of(self, player: int) -> int:
        return int(self.state.armies[self.state.owner == player].sum())

    def hold(self, player: int, phase: str = "attack", rest: int = 1, **armies: int) -> None:
        """Give these territories to a player, whose turn it becomes, and all others to `rest`."""
        count = len(self.board.territories)
        self.state.owner[:count], self.state.armies[:count] = rest, 1
        for name, number in armies.items():
            self.state.owner[self.number[name]] = player
            self.state.armies[self.number[name]] = number
        self.state.player, self.state.phase, self.state.to_place = player, PHASES.index(phase), 0

    def give(self, player: int, **armies: int) -> None:
        """Give these territories to a player."""
        for name, number in armies.items():
            self.state.owner[self.number[name]] = player
            self.state.armies[self.number[name]] = number

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the mask of the player whose turn it is, (1, N) int8."""
        mask = np.full((1, self.layout.num_choices[0]), 7, np.int8)
        self.prepare(kernel.legal_actions)(self.state, self.player, mask, self.params)
        return mask

    def choices(self) -> dict[str, int]:
        """Return the legal actions by the texts that users type for them."""
        actions = np.flatnonzero(self.mask()[0]).tolist()
        keys = [GAME.sub_action_key(self.state, self.player, 0, action) for action in actions]
        assert len(set(keys)) == len(keys)
        return dict(zip(keys, actions, strict=True))

    def step(self, action: int) -> int:
        """Play an action by its number, legal or not, and return the code."""
        self.rows[:] = 0
        self.rewards[:] = 9
        actions = np.array([[action]], np.int64)
        code = self.prepare(kernel.step)(self.state, actions, self.rewards, self.rows, self.params)
        rows = self.rows[1 : 1 + self.rows[0, 0]]
        self.log = [GAME.describe_event(self.state, row.tolist()) for row in rows]
        return int(code)

    def play(self, *keys: str) -> int:
        """Play typed actions one after the other; return the last code."""
        code = RUNNING
        for key in keys:
            code = self.step(self.choices()[key])
            assert code != ILLEGAL
        return code

    def play_until(self, key: str, done: Callable[[], bool]) -> int:
        """Repeat a typed action until `done()`; return the last code."""
        code = RUNNING
        while not done():
            code = self.play(key)
        return code

    def conquer(self, own: int) -> None:
        """Let player 0 take Luntar, held by one army, in one roll of `own` armies in Almery."""
        self.hold(0, Almery=own)
        self.play("almery > luntar")
        while self.owner("Luntar") != 0:
            self.hold(0, Almery=own)
            self.play("almery > luntar")

    def outcome(self) -> list[float]:
        returns = np.full(self.config.players, 9, np.float32)
        self.prepare(kernel.outcome)(self.state, returns, self.params)
        return returns.tolist()

    def alive(self) -> list[bool]:
        return [
            bool(self.prepare(kernel.alive)(self.state, player, self.params))
            for player in range(self.config.players)
        ]

    def observe(self, player: int) -> dict[str, float]:
        """Return a player's observation as a dict by the names of the features."""
        observation = np.full(self.layout.observation_shape, 9, np.float32)
        self.prepare(kernel.observe)(self.state, player, observation, self.params)
        return dict(zip(self.layout.feature_names, observation.tolist(), strict=True))


class CompiledTable(Table):
    """A `Table` with compiled functions; slow, since each number of players is compiled anew."""

    prepare = staticmethod(compiled)


@pytest.fixture(scope="session")
def table(backend: str) -> type[Table]:
    """Return a class of games that are played by hand."""
    return CompiledTable if backend == "compiled" else Table
