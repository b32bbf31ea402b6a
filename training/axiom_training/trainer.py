"""A training run: MaskablePPO by self-play, in a loop that can be interrupted and resumed exactly.

    trainer = Trainer(TrainConfig(game="quantaris-v0", steps=2_000_000), Path("runs/first"))
    trainer.run()

An iteration plays each game for some turns and learns from all decisions of the learner. At regular
intervals a snapshot joins the pool of opponents, and the policy is evaluated against the opponents
of `TrainConfig.against`, by default those of the game. In a game for one player there are no
opponents in training and no snapshots, and an evaluation compares the outcomes of the policy and of
the opponents on the same seeds. The directory of a run contains

    config.json        the options, and the versions of packages that the result depends on
    progress.csv       a row for each iteration
    evaluations.csv    a row for each evaluation: scores against the opponents; in a game for one
                       player also the mean outcomes of all players
    tensorboard/       the same numbers
    model.zip          the policy, which can serve as an opponent
                       (`opponent="runs/first/model.zip"`), and which
                       `sb3_contrib.MaskablePPO.load` can read
    checkpoint.zip     the state from which `Trainer.resume` continues

The model and the checkpoint are written after each evaluation and at the end. With a budget in
steps, a run that is interrupted and resumed ends with the same weights as one without interruption.
With a budget in minutes no two runs are equal. A run that is killed resumes from its last
checkpoint.
"""

from __future__ import annotations

import dataclasses
import json
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.deprecated import renamed_members
from axiom_gym.errors import AxiomError, CheckpointError
from axiom_gym.files import replacing
from axiom_gym.registry import count_players, get_game
from axiom_training.against import (
    check_unchanged,
    digest_opponents,
    load_opponents,
    name_evaluation_opponents,
    name_training_opponents,
)
from axiom_training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.directories import (
    CHECKPOINT,
    CONFIG,
    MODEL,
    check_resumable,
    make_run_directory,
)
from axiom_training.evaluation import Measurement, measure
from axiom_training.facts import ModelFacts, versions
from axiom_training.learner import Learner
from axiom_training.policy import ModelPolicy, save_model
from axiom_training.runlog import EVALUATIONS, ITERATIONS, RunLog
from axiom_training.selfplay import SelfPlay

_STOPS: dict[signal.Signals, Callable[..., Any] | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""The signals that stop a run, each with the handler for a second signal."""


@dataclass(slots=True)
class TrainingProgress:
    """The progress of a run; part of the checkpoint."""

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0
    """Training time, without evaluations."""
    evaluated_at: int = -1
    """Agent-steps at the last evaluation."""
    next_evaluation: float = 0.0
    """The time of the next evaluation, in the unit of `TrainConfig.evaluate_every`."""
    scores: dict[str, float] = field(default_factory=dict)
    """Scores of the last evaluation, by opponent."""
    outcome: float | None = None
    """Mean outcome of the last evaluation in a game for one player."""
    episodes: int = 0
    """Episodes of training that have ended."""
    faults: dict[str, int] = field(default_factory=dict)
    """The number of these that each fault of the rules ended, by its description."""

    def add_ends(self, episodes: int, faults: Mapping[str, int]) -> None:
        """Add episodes that have ended."""
        self.episodes += episodes
        for text, count in faults.items():
            self.faults[text] = self.faults.get(text, 0) + count


class Trainer:
    """One training run in one directory.

    Attributes:
        config: the options of the run.
        directory: the directory of all files.
        game: the game.
        facts: the facts of the game that its models store.
        opponents: all opponents but the learner and its snapshots, by name.
        evaluation_opponents: the names of the opponents in evaluations.
        progress: the progress so far.
        selfplay: the pool of opponents in training.
        learner, model: the learner and its MaskablePPO model.
        interrupted: the number of the signal that stopped the run, SIGINT (Ctrl-C) or SIGTERM; 0
            for none.
    """

    def __init__(
        self, config: TrainConfig, directory: Path, checkpoint: Checkpoint | None = None
    ) -> None:
        """Prepare a run.

        Args:
            config: the options.
            directory: the directory of the run.
            checkpoint: the state to continue from, as in `Trainer.resume`; None for a new run.

        Raises:
            ConfigError: for a game or option that does not exist, or a directory that already
                contains a run.
            CheckpointError: if the checkpoint belongs to another game or configuration.
        """
        torch.set_num_threads(config.torch_threads)
        self.config = config
        self.directory = directory
        self.game = get_game(config.game)
        self.facts = ModelFacts.of(self.game, config.options, network=config.network)
        self.opponents = load_opponents(self.game, config)
        self._digests = digest_opponents(self.game, self.opponents)
        self.evaluation_opponents = name_evaluation_opponents(self.game, config)
        if checkpoint is None:
            make_run_directory(directory)
        self.progress = TrainingProgress()
        self.interrupted = 0
        bots = [self.opponents[name] for name in name_training_opponents(self.game, config)]
        self.selfplay = SelfPlay.start(config, bots)
        self.learner = Learner(config, self.selfplay.pool)
        self.model = self.learner.model
        if checkpoint is None:
            self._add_snapshot()
            self.learner.start()
        else:
            self._restore(checkpoint)
        self._write_config()
        self._log = RunLog(directory, self._last_steps() if checkpoint else None)

    @classmethod
    def resume(cls, directory: Path, minutes: float = 0.0, steps: int = 0) -> Trainer:
        """Return the run in a directory in the state of its checkpoint.

        Args:
            directory: the directory of the run.
            minutes, steps: a new budget for the whole run, if one of them is above 0.

        Raises:
            CheckpointError: if the checkpoint is missing, damaged, or of another game.
        """
        config, checkpoint = read_run(directory, minutes, steps)
        return cls(config, directory, checkpoint)

    def _write_config(self) -> None:
        text = json.dumps(
            {**self.config.to_json(), "versions": versions()}, indent=2, sort_keys=True
        )
        with replacing(self.directory / CONFIG) as file:
            file.write(f"{text}\n".encode())

    # -- the loop ----------------------------------------------------------------------------------

    def run(self, on_progress: Callable[[TrainingProgress], None] = lambda progress: None) -> None:
        """Train until the budget is spent or a signal arrives; save the model and a checkpoint.

        Args:
            on_progress: a function that is called after each iteration and evaluation.
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
        """Return the spent share of the budget, 0..1; the larger one if there are two budgets."""
        return self.config.spent_share(self.progress.steps, self.progress.seconds)

    def iterate(self) -> None:
        """Train for one iteration; add a snapshot or evaluate if one is due."""
        started = time.perf_counter()
        config = self.config
        metrics = self.learner.iterate(
            self._anneal(config.learning_rate, config.final_learning_rate),
            self._anneal(config.entropy_coefficient, config.final_entropy_coefficient),
        )
        progress, before = self.progress, self.progress.steps
        progress.iteration += 1
        progress.steps = self.learner.steps
        progress.add_ends(*self.learner.take_ends())
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
        """Interpolate linearly between two values by the spent share of the budget."""
        return first + self.spent() * (last - first)

    def _clock(self) -> float:
        """Return the progress in the unit of `TrainConfig.evaluate_every`.

        That is seconds of training, or 100,000 agent-steps if the budget is in steps alone.
        """
        return self.progress.seconds if self.config.minutes else self.progress.steps / 1e5

    @property
    def is_alone(self) -> bool:
        """True if the game is for one player."""
        return count_players(self.game, self.config.options) == 1

    def _add_snapshot(self) -> None:
        if self.is_alone:
            return
        name = f"step {self.progress.steps}"
        policy = ModelPolicy(self.facts, self.model.policy.state_dict(), name)
        self.selfplay.add(policy, self.progress.steps, self.learner.opponents_playing())

    # -- evaluation --------------------------------------------------------------------------------

    def policy(self) -> ModelPolicy:
        """Return a frozen copy of the current policy."""
        return ModelPolicy(self.facts, self.model.policy.state_dict(), "model")

    def measure(self, num_games: int, seed: int) -> Measurement:
        """Measure the policy against each evaluation opponent, with equal use of all seats."""
        policy, config = self.policy(), self.config
        opponents = {name: self.opponents[name] for name in self.evaluation_opponents}
        return measure(config.game, policy.name, policy, opponents, num_games, seed, config.options)

    def _evaluate(self) -> None:
        """Evaluate the policy and log the scores; the seed depends on the iteration."""
        progress = self.progress
        seed = (self.config.seed + 1 + progress.iteration) % (MAX_SEED + 1)
        found = self.measure(self.config.evaluation_games, seed)
        progress.scores = {name: result.score for name, result in found.results.items()}
        progress.evaluated_at = progress.steps
        progress.next_evaluation = self._clock() + self.config.evaluate_every
        values = {f"eval/{name}": score for name, score in progress.scores.items()}
        if found.outcomes:
            progress.outcome = found.outcomes["model"].mean
            values.update({f"outcome/{name}": one.mean for name, one in found.outcomes.items()})
        self._log.write(EVALUATIONS, progress.steps, {"charts/seconds": progress.seconds, **values})

    # -- saving ------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the model and the checkpoint."""
        steps = self.progress.steps
        save_model(self.model, self.directory / MODEL, self.facts, steps=steps)
        pool, snapshots = self.selfplay.get_state()
        meta = {
            "facts": self.facts.to_json(),
            "config": self.config.to_json(),
            "progress": dataclasses.asdict(self.progress),
            "versions": versions(),
            "opponents": self._digests,
        }
        state = {
            **self.learner.get_state(),
            "snapshots": snapshots,
            **{f"pool_{number}": weights for number, weights in enumerate(pool)},
        }
        parameters = self.model.get_parameters()
        save_checkpoint(self.directory / CHECKPOINT, Checkpoint(meta, parameters, state))

    def _restore(self, checkpoint: Checkpoint) -> None:
        """Restore the state of a checkpoint."""
        try:
            self._check_facts(checkpoint.meta["facts"])
            check_unchanged(self._digests, checkpoint.meta.get("opponents", {}))
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

    def _last_steps(self) -> dict[str, int]:
        """Return the agent-steps of the last row of each log file."""
        return {ITERATIONS: self.progress.steps, EVALUATIONS: self.progress.evaluated_at}


renamed_members(anchors="evaluation_opponents", default_opponents="evaluation_opponents")(Trainer)


def read_run(directory: Path, minutes: float, steps: int) -> tuple[TrainConfig, Checkpoint]:
    """Return the options, with a new budget, and the checkpoint of a run; see `Trainer.resume`."""
    check_resumable(directory)
    checkpoint = load_checkpoint(directory / CHECKPOINT)
    try:
        values = dict(checkpoint.meta["config"])
        if minutes or steps:
            values.update(minutes=minutes, steps=steps)
        config = TrainConfig.from_json(values)
    except (KeyError, TypeError) as error:
        raise _not_this_run(directory, error) from error
    return config, checkpoint


def _not_this_run(directory: Path, error: Exception) -> CheckpointError:
    """Return the error for a readable checkpoint that does not fit its run."""
    where = str(directory / CHECKPOINT)
    return CheckpointError(
        f"checkpoint {where!r} does not fit its run: {type(error).__name__}: {error}"
    )


@contextmanager
def _catch_interrupt(trainer: Trainer) -> Iterator[None]:
    """Catch signals: the first stops the run after the current iteration, the second at once."""

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
