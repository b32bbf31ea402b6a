"""A training run: MaskablePPO by self-play, in a loop that can stop anywhere and go on exactly.

In a game for one player there is nobody to play: every game is the learner's, there are no
snapshots, and it is measured by its outcomes on the seeds that the scripted players get as well.

    trainer = Trainer(TrainConfig(game="quantaris-v0", steps=2_000_000), Path("runs/first"))
    trainer.run()

One iteration: every game is played for some turns, all decisions of the learner are learned from,
now and then a snapshot joins the pool, and now and then the policy is measured against the game's
scripted players. A run has a directory of its own, with

    config.json        the options, and the versions of what the result depends on
    progress.csv       a row per iteration
    evaluations.csv    a row per evaluation: scores against the scripted players, and in a game for
                       one player everybody's mean outcome
    tensorboard/       the same numbers
    model.zip          the policy; an opponent as it is (`opponent="runs/first/model.zip"`), and
                       readable by `sb3_contrib.MaskablePPO.load`
    checkpoint.zip     everything that `Trainer.resume` goes on from

Model and checkpoint are written after each evaluation and at the end. A run that was interrupted
and resumed ends with the same weights as one that was not, if its budget is in steps: in seconds it
never goes the same way twice. A run that was killed goes on from its last checkpoint.
"""

from __future__ import annotations

import dataclasses
import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import AxiomError, CheckpointError, ConfigError
from axiom_gym.files import replacing
from axiom_gym.registry import count_players, get_game
from axiom_training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.evaluation import Measurement, measure
from axiom_training.facts import ModelFacts, versions
from axiom_training.learner import Learner
from axiom_training.policy import ModelPolicy, save_model
from axiom_training.runlog import EVALUATIONS, ITERATIONS, RunLog
from axiom_training.selfplay import SelfPlay

CHECKPOINT = "checkpoint.zip"
MODEL = "model.zip"
CONFIG = "config.json"

_STOPS: dict[signal.Signals, Callable[..., Any] | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""The signals that end a run, each with what it does the second time."""


@dataclass(slots=True)
class TrainingProgress:
    """How far a run is; part of the checkpoint."""

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0
    """Of training; evaluations do not count."""
    evaluated_at: int = -1
    """Agent-steps at the last evaluation."""
    next_evaluation: float = 0.0
    """In the unit of `TrainConfig.evaluate_every`."""
    scores: dict[str, float] = field(default_factory=dict)
    """Of the last evaluation, by scripted player."""
    outcome: float | None = None
    """The mean of the last evaluation in a game for one player."""


class Trainer:
    """One training run in one directory.

    Attributes:
        config: its options.
        directory: where everything is written.
        game: the game.
        facts: what its models belong to.
        anchors: the scripted players that it is measured against.
        progress: how far it is.
        selfplay: its pool of opponents.
        learner, model: what plays and is trained.
        interrupted: the number of the signal that ended it, SIGINT (Ctrl-C) or SIGTERM; 0 for none.
    """

    def __init__(
        self, config: TrainConfig, directory: Path, checkpoint: Checkpoint | None = None
    ) -> None:
        """Prepares a new run; or, as `Trainer.resume` does, one that goes on from a checkpoint.

        Raises:
            ConfigError: for a game or option that does not exist, or a directory that holds a run
                already.
            CheckpointError: if the checkpoint is of another game or configuration.
        """
        torch.set_num_threads(config.torch_threads)
        self.config = config
        self.directory = directory
        self.game = get_game(config.game)
        self.facts = ModelFacts.of(self.game, config.options, config.network)
        self.anchors = ["random", *self.game.standard_bots]
        if checkpoint is None:
            _make_directory(directory)
        self.progress = TrainingProgress()
        self.interrupted = 0
        self.selfplay = SelfPlay.start(config, self._scripted_opponents())
        self.learner = Learner(config, self.selfplay.pool)
        self.model = self.learner.model
        if checkpoint is None:
            self._add_snapshot()
            self.learner.start()
        else:
            self._restore(checkpoint)
        self._write_config()
        self._log = RunLog(directory, self._logged() if checkpoint else None)

    def _scripted_opponents(self) -> list[str]:
        """The scripted players that it plays against."""
        wanted = self.config.random_opponent
        plays_random = wanted == "yes" or (wanted == "auto" and self.game.is_sequential)
        bots = self.game.standard_bots
        return [*(["random"] if plays_random or not bots else []), *bots]

    @classmethod
    def resume(cls, directory: Path, minutes: float = 0.0, steps: int = 0) -> Trainer:
        """The run in a directory, as its checkpoint left it.

        Args:
            directory: of the run.
            minutes, steps: a new budget for the whole run, if one of them is above 0.

        Raises:
            CheckpointError: if there is no checkpoint, or it is damaged, or of another game.
        """
        if not (directory / CHECKPOINT).is_file():
            raise CheckpointError(f"{str(directory)!r} holds no run: {CHECKPOINT} is missing.")
        checkpoint = load_checkpoint(directory / CHECKPOINT)
        try:
            values = dict(checkpoint.meta["config"])
            if minutes or steps:
                values.update(minutes=minutes, steps=steps)
            config = TrainConfig.from_json(values)
        except (KeyError, TypeError) as error:
            raise _not_this_run(directory, error) from error
        return cls(config, directory, checkpoint)

    def _write_config(self) -> None:
        text = json.dumps(
            {**self.config.to_json(), "versions": versions()}, indent=2, sort_keys=True
        )
        with replacing(self.directory / CONFIG) as file:
            file.write(f"{text}\n".encode())

    # -- the loop ----------------------------------------------------------------------------------

    def run(self, on_progress: Callable[[TrainingProgress], None] = lambda progress: None) -> None:
        """Train until the budget is spent or a signal arrives; leave a model and a checkpoint.

        Args:
            on_progress: called after each iteration and evaluation.
        """
        try:
            with _catch_interrupt(self):
                if self.progress.evaluated_at < 0:
                    self._evaluate()
                    self.save()
                    on_progress(self.progress)
                while not self.interrupted and self.spent() < 1:
                    self.iterate()
                    on_progress(self.progress)
                if not self.interrupted and self.progress.evaluated_at < self.progress.steps:
                    self._evaluate()
                    on_progress(self.progress)
                self.save()
        finally:
            self._log.close()

    def spent(self) -> float:
        """The share of the budget that is spent, 0..1; of two budgets the one nearer its end."""
        shares = [0.0]
        if self.config.minutes:
            shares.append(self.progress.seconds / (60 * self.config.minutes))
        if self.config.steps:
            shares.append(self.progress.steps / self.config.steps)
        return min(max(shares), 1.0)

    def iterate(self) -> None:
        """One iteration, with all that may follow from it."""
        started = time.perf_counter()
        config = self.config
        metrics = self.learner.iterate(
            self._anneal(config.learning_rate, config.final_learning_rate),
            self._anneal(config.entropy_coefficient, config.final_entropy_coefficient),
        )
        progress, before = self.progress, self.progress.steps
        progress.iteration += 1
        progress.steps = self.learner.steps
        if progress.iteration % self.config.snapshot_every == 0:
            self._add_snapshot()
        seconds = time.perf_counter() - started
        progress.seconds += seconds
        values = {
            "charts/seconds": progress.seconds,
            "charts/SPS": (progress.steps - before) / seconds,
            **metrics,
            "pool/snapshots": len(self.selfplay.snapshots),
        }
        self._log.write(ITERATIONS, progress.steps, values)
        if self._clock() >= progress.next_evaluation:
            self._evaluate()
            self.save()

    def _anneal(self, first: float, last: float) -> float:
        """The value between the two that goes with the spent share of the budget."""
        return first + self.spent() * (last - first)

    def _clock(self) -> float:
        """What evaluations are timed by: seconds, or 100,000 steps where steps are the budget."""
        return self.progress.seconds if self.config.minutes else self.progress.steps / 1e5

    @property
    def is_alone(self) -> bool:
        """Whether the game is for one player."""
        return count_players(self.game, self.config.options) == 1

    def _add_snapshot(self) -> None:
        if self.is_alone:
            return
        name = f"step {self.progress.steps}"
        policy = ModelPolicy(self.facts, self.model.policy.state_dict(), name)
        self.selfplay.add(policy, self.progress.steps, self.learner.opponents_playing())

    # -- measuring ---------------------------------------------------------------------------------

    def policy(self) -> ModelPolicy:
        """A frozen copy of the policy as it is now."""
        return ModelPolicy(self.facts, self.model.policy.state_dict(), "model")

    def measure(self, num_games: int, seed: int) -> Measurement:
        """The policy's results against every anchor, seat-balanced."""
        policy, config = self.policy(), self.config
        anchors = {anchor: anchor for anchor in self.anchors}
        return measure(config.game, policy.name, policy, anchors, num_games, seed, config.options)

    def _evaluate(self) -> None:
        """Scores against the anchors, with a seed that the iteration decides."""
        progress = self.progress
        seed = (self.config.seed + 1 + progress.iteration) % (MAX_SEED + 1)
        found = self.measure(self.config.evaluation_games, seed)
        progress.scores = {anchor: result.score for anchor, result in found.results.items()}
        progress.evaluated_at = progress.steps
        progress.next_evaluation = self._clock() + self.config.evaluate_every
        values = {f"eval/{anchor}": score for anchor, score in progress.scores.items()}
        if found.outcomes:
            progress.outcome = found.outcomes["model"].mean
            values.update({f"outcome/{name}": one.mean for name, one in found.outcomes.items()})
        self._log.write(EVALUATIONS, progress.steps, {"charts/seconds": progress.seconds, **values})

    # -- saving ------------------------------------------------------------------------------------

    def save(self) -> None:
        """Writes model and checkpoint."""
        steps = self.progress.steps
        save_model(self.model, self.directory / MODEL, self.facts, steps=steps)
        pool, snapshots = self.selfplay.get_state()
        meta = {
            "facts": self.facts.to_json(),
            "config": self.config.to_json(),
            "progress": dataclasses.asdict(self.progress),
            "versions": versions(),
        }
        state = {
            **self.learner.get_state(),
            "snapshots": snapshots,
            **{f"pool_{number}": weights for number, weights in enumerate(pool)},
        }
        parameters = self.model.get_parameters()
        save_checkpoint(self.directory / CHECKPOINT, Checkpoint(meta, parameters, state))

    def _restore(self, checkpoint: Checkpoint) -> None:
        """Takes over everything from a checkpoint."""
        try:
            self._check_facts(checkpoint.meta["facts"])
            self.progress = TrainingProgress(**checkpoint.meta["progress"])
            state = checkpoint.state
            count = sum(name.startswith("pool_") for name in state)
            weights = [state[f"pool_{number}"] for number in range(count)]
            policies = [ModelPolicy.from_bytes(self.facts, one, "snapshot") for one in weights]
            self.selfplay.set_state(policies, state["snapshots"])
            self.learner.set_state(state, checkpoint.parameters)
        except CheckpointError:
            raise
        except (AxiomError, KeyError, RuntimeError, TypeError, ValueError) as error:
            raise _not_this_run(self.directory, error) from error

    def _check_facts(self, saved: dict[str, Any]) -> None:
        for key, value in self.facts.to_json().items():
            if saved.get(key) != value:
                raise CheckpointError(
                    f"the checkpoint's {key} is {saved.get(key)!r}, but the run's is {value!r}."
                )

    def _logged(self) -> dict[str, int]:
        """Agent-steps of the last row of each file of the log."""
        return {ITERATIONS: self.progress.steps, EVALUATIONS: self.progress.evaluated_at}


def _make_directory(directory: Path) -> None:
    """A directory for a new run.

    Raises:
        ConfigError: if it holds a run already, or cannot be made.
    """
    names = (CONFIG, MODEL, CHECKPOINT, ITERATIONS, EVALUATIONS)
    if any((directory / name).exists() for name in names):
        raise ConfigError(
            f"{str(directory)!r} holds a run already: choose another directory, or go on with that "
            "run by --resume."
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{str(directory)!r} cannot be made a directory: {error}.") from error


def _not_this_run(directory: Path, error: Exception) -> CheckpointError:
    """The error for a checkpoint whose parts are sound and do not belong together."""
    where = str(directory / CHECKPOINT)
    return CheckpointError(
        f"checkpoint {where!r} does not fit its run: {type(error).__name__}: {error}"
    )


@contextmanager
def _catch_interrupt(trainer: Trainer) -> Iterator[None]:
    """The first signal to stop ends the run after its iteration; the second one at once."""

    def on_signal(number: int, frame: object) -> None:
        trainer.interrupted = number
        for stop, at_once in _STOPS.items():
            signal.signal(stop, at_once)

    try:
        before = {stop: signal.signal(stop, on_signal) for stop in _STOPS}
    except ValueError:  # not in the main thread, where signals do not arrive
        yield
        return
    try:
        yield
    finally:
        for stop, handler in before.items():
            signal.signal(stop, handler)
