"""MaskablePPO by self-play over the native vector environment, in a loop that can stop anywhere and go on exactly.

One iteration: every game is played for some turns, all decisions of the learner are learned from, now and then a snapshot joins
the pool, and now and then the policy is measured against the game's scripted players.
"""

from __future__ import annotations

import io
import json
import platform
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import FloatSchedule, set_random_seed

import axiom_gym
from axiom_gym.adapters.sb3 import AxiomVecEnv, make_vec_env
from axiom_gym.errors import CheckpointError, ConfigError
from axiom_gym.registry import get_game, resolve_id
from axiom_training.checkpoint import load_checkpoint, restore_generators, save_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.evaluation import Result, score_against
from axiom_training.policy import ModelPolicy, save_model
from axiom_training.runlog import EVALUATIONS, ITERATIONS, RunLog
from axiom_training.selfplay import SelfPlay, Snapshot, self_play_games

CHECKPOINT = "checkpoint.zip"
MODEL = "model.zip"
CONFIG = "config.json"


@dataclass(slots=True)
class Progress:
    """How far a run is; part of the checkpoint."""

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0
    next_evaluation: float = 0.0
    scores: dict[str, float] = field(default_factory=dict)


class Trainer:
    """One training run in one directory.

    Attributes:
        config: its options.
        directory: where everything is written.
        progress: how far it is.
        interrupted: whether Ctrl-C ended it.
    """

    def __init__(self, config: TrainConfig, directory: Path, resume: bool = False) -> None:
        """Prepares a new run, or goes on from the directory's checkpoint.

        Raises:
            CheckpointError: if the checkpoint is missing, damaged, or of another game.
            ConfigError: for a game or option that does not exist, or a directory that holds a run already.
        """
        torch.set_num_threads(config.torch_threads)
        self.config = config
        self.directory = directory
        self.game = get_game(config.game)
        self.progress = Progress()
        self.interrupted = False
        self.anchors = ["random", *self.game.bots]
        self.selfplay = SelfPlay.start(config, self.anchors)
        set_random_seed(config.seed)
        self.env = self._make_env()
        self.model = self._make_model()
        if resume:
            self._restore()
        else:
            self._begin()
        self.log = RunLog(directory, self.progress.steps if resume else None)

    def _begin(self) -> None:
        """The first files of a new run."""
        if (self.directory / CONFIG).exists():
            raise ConfigError(
                f"{str(self.directory)!r} holds a run already: choose another --out, or go on with it by --resume."
            )
        self.directory.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**self.config.to_json(), "versions": versions()}, indent=2, sort_keys=True)
        (self.directory / CONFIG).write_text(text + "\n", encoding="utf-8")
        self._add_snapshot()
        # Takes the first observations; no schedule of stable-baselines3 is used, so its total does not matter.
        self.model._setup_learn(1, None, True, "run", False)

    def _make_env(self) -> AxiomVecEnv:
        return make_vec_env(
            self.config.game,
            self.config.num_games,
            opponent=self.selfplay.pool,
            seat="random",
            self_play_games=self_play_games(self.config),
            seed=self.config.seed,
            **self.config.options,
        )

    def _make_model(self) -> MaskablePPO:
        config = self.config
        flat = len(self.env.observation_space.shape or ()) == 1
        model = MaskablePPO(
            "MlpPolicy" if flat else "CnnPolicy",
            self.env,
            n_steps=config.rollout_turns,
            batch_size=min(config.batch_size, config.rollout_turns * self.env.num_envs),
            n_epochs=config.epochs,
            learning_rate=config.learning_rate,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip_range,
            ent_coef=config.entropy_coefficient,
            policy_kwargs=policy_arguments(config, flat),
            device="cpu",
            seed=config.seed,
        )
        model.set_logger(Logger(folder=None, output_formats=[]))
        return model

    # -- the loop -----------------------------------------------------------------------------------------------------

    def run(self, on_iteration: Callable[[Progress], None] = lambda progress: None) -> None:
        """Trains until the budget is spent or Ctrl-C is pressed, and leaves a model and a checkpoint.

        Args:
            on_iteration: called after each iteration and evaluation, to show progress.
        """
        with _catch_interrupt(self):
            if self.progress.iteration == 0:
                self._evaluate()
                on_iteration(self.progress)
            while not self.interrupted and self.spent() < 1:
                self.iterate()
                on_iteration(self.progress)
            if not self.interrupted:
                self._evaluate()
                on_iteration(self.progress)
        self.save()
        self.log.close()

    def spent(self) -> float:
        """The share of the budget that is spent, 0..1; of the two budgets the one that is nearer to its end."""
        shares = [0.0]
        if self.config.minutes:
            shares.append(self.progress.seconds / (60 * self.config.minutes))
        if self.config.steps:
            shares.append(self.progress.steps / self.config.steps)
        return min(max(shares), 1.0)

    def iterate(self) -> None:
        """One iteration, with all that may follow from it."""
        started = time.perf_counter()
        self._set_learning_rate()
        assert self._collect()
        self.model.train()
        self.progress.iteration += 1
        self.progress.steps = self.model.num_timesteps
        if self.progress.iteration % self.config.snapshot_every == 0:
            self._add_snapshot()
        self.progress.seconds += time.perf_counter() - started
        self._log_iteration(time.perf_counter() - started)
        if self._clock() >= self.progress.next_evaluation:
            self._evaluate()
            self.save()

    def _collect(self) -> bool:
        """One rollout of every game into the model's buffer."""
        from stable_baselines3.common.callbacks import ConvertCallback

        callback = ConvertCallback(None)
        callback.init_callback(self.model)
        return self.model.collect_rollouts(self.env, callback, self.model.rollout_buffer, self.config.rollout_turns)

    def _set_learning_rate(self) -> None:
        config, share = self.config, self.spent()
        rate = config.learning_rate + share * (config.final_learning_rate - config.learning_rate)
        self.model.lr_schedule = FloatSchedule(rate)

    def _clock(self) -> float:
        """What evaluations are timed by: seconds, or 100,000 steps where only steps are the budget."""
        return self.progress.seconds if self.config.minutes else self.progress.steps / 1e5

    def _add_snapshot(self) -> Snapshot | None:
        facts = self.facts()
        policy = ModelPolicy(self.model.policy, facts, f"step {self.progress.steps}")
        return self.selfplay.add(policy, self.progress.steps)

    # -- measuring ----------------------------------------------------------------------------------------------------

    def policy(self) -> ModelPolicy:
        """A frozen copy of the policy as it is now."""
        return ModelPolicy(self.model.policy, self.facts(), "model")

    def measure(self, num_games: int, seed: int) -> dict[str, Result]:
        """The policy's results against every anchor, seat-balanced."""
        policy, config = self.policy(), self.config
        return {
            anchor: score_against(config.game, policy, anchor, num_games, seed, config.options) for anchor in self.anchors
        }

    def _evaluate(self) -> None:
        """Scores against the anchors, with a seed that the iteration decides."""
        results = self.measure(self.config.evaluation_games, self.config.seed + 1 + self.progress.iteration)
        self.progress.scores = {anchor: result.score for anchor, result in results.items()}
        values = {f"eval/{anchor}": score for anchor, score in self.progress.scores.items()}
        self.log.write(EVALUATIONS, self.progress.steps, {"charts/seconds": self.progress.seconds, **values})
        self.progress.next_evaluation = self._clock() + self.config.evaluate_every

    def _log_iteration(self, seconds: float) -> None:
        episodes = list(self.model.ep_info_buffer or ())
        losses = self.model.logger.name_to_value
        decisions = self.config.rollout_turns * self.env.num_envs
        values = {
            "charts/seconds": self.progress.seconds,
            "charts/SPS": decisions / seconds,
            "charts/episodic_return": _mean([episode["r"] for episode in episodes]),
            "charts/episodic_length": _mean([episode["l"] for episode in episodes]),
            "losses/policy_loss": losses["train/policy_gradient_loss"],
            "losses/value_loss": losses["train/value_loss"],
            "losses/entropy": -losses["train/entropy_loss"],
            "losses/approx_kl": losses["train/approx_kl"],
            "losses/clip_fraction": losses["train/clip_fraction"],
            "losses/explained_variance": losses["train/explained_variance"],
            "charts/learning_rate": self.model.lr_schedule(1.0),
            "pool/snapshots": len(self.selfplay.snapshots),
        }
        self.log.write(ITERATIONS, self.progress.steps, {key: float(value) for key, value in values.items()})
        self.model.logger.name_to_value.clear()

    # -- saving -------------------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """What a model or checkpoint belongs to."""
        info = self.game.info
        return {"game": resolve_id(self.config.game), "version": info.version, "options": self.config.options}

    def save(self) -> None:
        """Writes model and checkpoint."""
        save_model(self.model, self.directory / MODEL, {**self.facts(), "steps": self.progress.steps})
        progress = {name: getattr(self.progress, name) for name in Progress.__slots__}
        meta = {**self.facts(), "config": self.config.to_json(), "progress": progress, "versions": versions()}
        state = {
            "seating": self.env.seating.get_state(),
            "observations": self.model._last_obs,
            "episode_starts": self.model._last_episode_starts,
            "episodes": list(self.model.ep_info_buffer or ()),
            "updates": self.model._n_updates,
            "steps": self.model.num_timesteps,
            "pool": [
                member if isinstance(member, str) else member.to_bytes()  # type: ignore[union-attr]
                for member in self.selfplay.pool.members
            ],
            "snapshots": self.selfplay.facts(),
        }
        save_checkpoint(self.directory / CHECKPOINT, meta, self.model, state)

    def _restore(self) -> None:
        """Takes over everything from the directory's checkpoint."""
        meta, model, state = load_checkpoint(self.directory / CHECKPOINT)
        for key, value in self.facts().items():
            if meta.get(key) != value:
                raise CheckpointError(f"the checkpoint's {key} is {meta.get(key)!r}, but the run's is {value!r}.")
        self.model._setup_learn(1, None, True, "run", False)
        self.model.set_parameters(io.BytesIO(model), exact_match=True, device="cpu")
        for member in state["pool"][self.selfplay.bots :]:
            policy = ModelPolicy(self.model.policy, self.facts(), "snapshot")
            policy.load_weights(member)
            self.selfplay.pool.add(policy, 0.0)
        self.selfplay.snapshots = [Snapshot(**snapshot) for snapshot in state["snapshots"]]
        self.selfplay.set_weights()
        self.env.seating.set_state(state["seating"])
        self.model._last_obs = state["observations"]
        self.model._last_episode_starts = state["episode_starts"]
        self.model.ep_info_buffer.extend(state["episodes"])  # type: ignore[union-attr]
        self.model._n_updates = state["updates"]
        self.model.num_timesteps = state["steps"]
        self.progress = Progress(**meta["progress"])
        restore_generators(state)


def policy_arguments(config: TrainConfig, flat: bool) -> dict[str, Any]:
    """What stable-baselines3's policy is built with; planes go through a small convolutional network first."""
    if flat:
        return {"net_arch": list(config.network)}
    from axiom_training.networks import PlanesExtractor

    return {
        "net_arch": list(config.network),
        "features_extractor_class": PlanesExtractor,
        "normalize_images": False,
    }


def versions() -> dict[str, str]:
    """Of what a run's result depends on."""
    import stable_baselines3

    return {
        "axiom_gym": axiom_gym.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "stable_baselines3": stable_baselines3.__version__,
        "torch": torch.__version__,
    }


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


@contextmanager
def _catch_interrupt(trainer: Trainer) -> Iterator[None]:
    """The first Ctrl-C ends the run after its iteration; the second one at once."""

    def on_signal(number: int, frame: object) -> None:
        trainer.interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        before = signal.signal(signal.SIGINT, on_signal)
    except ValueError:  # not in the main thread, where signals do not arrive
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
