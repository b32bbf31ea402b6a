"""Episodes of a config on the interpreter, as its task defines them, with the texts of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from axiom_gym.config.compiler.step import Move, moves
from axiom_gym.config.definitions import Action, HistoryEntry, State
from axiom_gym.config.ending import compute_score, find_score
from axiom_gym.config.engine import Engine
from axiom_gym.config.task import Task
from axiom_gym.errors import AxiomError, CallableError, EngineError


class Moment(NamedTuple):
    """The whole state of an episode."""

    state: State
    rng: int
    moved: int
    """The number of actions since the last tick."""
    total: float
    """The sum of the rewards."""
    steps: int
    reward: float
    """The reward of the last step."""


class Episode:
    """A game of a config that is played like its environment: the same steps, ticks and end.

    Without a task, only `wait` starts a tick, and only the config can end the game.

    Attributes:
        engine: the interpreter; `restore` replaces it.
        moves: the discrete actions except `wait`, whose number follows theirs.
        over: "" while the game is in progress, else "terminated" or "truncated".
        reward: the reward of the last step.
    """

    def __init__(
        self, engine: Engine, task: Task | None = None, moved: int = 0, total: float = 0.0
    ) -> None:
        """Continue a game.

        Args:
            engine: the interpreter.
            task: the task.
            moved: the number of actions since the last tick.
            total: the sum of the rewards so far.
        """
        self.engine, self._task = engine, task
        self.moves: Sequence[Move] = moves(engine.config)
        self._moved, self._total, self._steps = moved, total, 0
        self.reward = 0.0
        self.over = "terminated" if engine.outcome else ""

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return self._steps

    @property
    def score(self) -> float:
        """The score of the state: that of the task or the config, else the sum of the rewards.

        Raises:
            CallableError: if its function fails.
        """
        score = find_score(self.engine.config, self._task)
        if score is None:
            return self._total
        return compute_score(score, self.engine.current)

    @property
    def has_score(self) -> bool:
        """True if the task or the config has a score, or there are rewards."""
        return self._task is not None or self.engine.config.score is not None

    def is_legal(self, number: int) -> bool:
        """Return True if an action is available; an action that fails is not."""
        if number == len(self.moves):
            return True
        move = self.moves[number]
        try:
            return self.engine.is_available(move.action.id, move.context)
        except EngineError:
            return False

    def list_failing(self) -> list[tuple[Action, str]]:
        """Return the actions whose conditions fail, with the reasons."""
        failing: dict[str, tuple[Action, str]] = {}
        for move in self.moves:
            try:
                self.engine.is_available(move.action.id, move.context)
            except EngineError as error:
                failing.setdefault(move.action.id, (move.action, str(error)))
        return list(failing.values())

    def step(self, number: int) -> list[HistoryEntry]:
        """Take an action, and return the entries of the history that it and its tick added.

        Raises:
            EngineError: if the action is not available; the episode is unchanged.
            CallableError: if a callable fails; the episode is unchanged.
        """
        before = self.get_moment()
        try:
            self._move(number)
            after = self.engine.current
            if self._task is not None:
                self._judge(self._task, before.state, after)
            if self.engine.outcome:
                self.over = "terminated"
        except AxiomError:
            self.restore(before)
            raise
        self._steps += 1
        return list(after["history"][len(before.state["history"]) :])

    def _move(self, number: int) -> None:
        """Take an action, and tick if it was the last one before the tick."""
        waits = number == len(self.moves)
        if not waits:
            move = self.moves[number]
            self.engine.apply_action(move.action.id, move.context)
        self._moved += 1
        last = self._task is not None and self._moved == self._task.actions_per_tick
        if (waits or last) and not self.engine.outcome:
            self._moved = 0
            self.engine.tick()

    def _judge(self, task: Task, before: State, after: State) -> None:
        """Add the reward of a step, and find the end of the episode."""
        try:
            self.reward = float(task.reward(before, after))
            self._total += self.reward
            terminated = task.terminated is not None and bool(task.terminated(after))
        except Exception as error:  # the functions of a task may raise anything
            raise CallableError(f"the task failed: {type(error).__name__}: {error}") from error
        if terminated:
            self.over = "terminated"
        elif task.max_ticks and after["tick"] >= task.max_ticks:
            self.over = "truncated"

    def get_moment(self) -> Moment:
        """Return the whole state, for `restore`."""
        state, rng = self.engine.current, self.engine.rng.state
        return Moment(state, rng, self._moved, self._total, self._steps, self.reward)

    def restore(self, moment: Moment) -> None:
        """Return to an earlier moment."""
        rng = self.engine.rng
        rng.state = moment.rng
        parameters = self.engine.params
        self.engine = Engine(self.engine.config, dict(moment.state), rng, parameters=parameters)
        self._moved, self._total, self._steps = moment.moved, moment.total, moment.steps
        self.reward = moment.reward
        self.over = "terminated" if self.engine.outcome else ""
