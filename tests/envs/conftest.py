"""Fixtures for the tests of several games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.engine import create_engine
from axiom_gym.config.task import Task
from axiom_gym.game import KernelGame

SEATS = np.zeros((1, 1), np.int16)


class Both:
    """Test double: a game, interpreted and in a batch of one, compared after every step."""

    def __init__(
        self, config: GameConfig, task: Task, game: KernelGame, compiled: CompiledConfig
    ) -> None:
        self.config, self.task, self.compiled = config, task, compiled
        self.batch = Batch(game, 1, autoreset="disabled", on_illegal="raise")

    def start(self, seed: int) -> None:
        self.engine = create_engine(self.config, seed)
        self.batch.reset(seed)
        self.compare()

    def compare(self) -> None:
        record = self.batch.buffers.states[0]
        state = self.engine.get_state()
        known = self.compiled.decode(record)
        assert known == {key: state[key] for key in known}
        assert int(record["rng"]) == self.engine.rng.state
        legal = self.batch.buffers.masks[0, 0, 0]
        moves = self.compiled.source.moves
        available = [self.engine.is_available(move.action.id, move.context) for move in moves]
        assert legal.tolist() == [*map(int, available), 1]

    def step(self, action: int) -> None:
        before = self.engine.get_state()
        moves = self.compiled.source.moves
        if action < len(moves):
            self.engine.apply_action(moves[action].action.id, moves[action].context)
        self.engine.tick()
        self.batch.buffers.actions[0, 0, 0] = action
        self.batch.step()
        self.compare()
        after = self.engine.get_state()
        assert self.batch.buffers.rewards[0, 0] == np.float32(self.task.reward(before, after))
        assert bool(self.batch.buffers.terminated[0]) == bool(self.task.terminated(after))

    def play(self, bot: str, seed: int) -> Any:
        """Play an episode and return the interpreter's last state."""
        self.start(seed)
        while not (self.batch.buffers.terminated[0] or self.batch.buffers.truncated[0]):
            self.batch.act(bot, SEATS, 0)
            self.step(int(self.batch.buffers.actions[0, 0, 0]))
        return self.engine.get_state()


@pytest.fixture(scope="session")
def both() -> Callable[[GameConfig, Task, KernelGame], Both]:
    def make(config: GameConfig, task: Task, game: KernelGame) -> Both:
        return Both(config, task, game, CompiledConfig(config, task))

    return make


@pytest.fixture(
    scope="session",
    params=[
        "python",
        # Slow, since each number of players is compiled separately.
        pytest.param("compiled", marks=[pytest.mark.slow, pytest.mark.compiled_only]),
    ],
)
def backend(request: pytest.FixtureRequest) -> str:
    """Return "python" or "compiled": the way in which hand-played games run their rules."""
    chosen: str = request.param
    return chosen
