"""The learner: MaskablePPO and its games. An iteration plays some turns and learns from them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.callbacks import ConvertCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import FloatSchedule, obs_as_tensor
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

from axiom_gym.adapters.sb3 import AxiomVecEnv, make_vec_env
from axiom_gym.errors import ThreadsWarning
from axiom_gym.opponents import OpponentPool
from axiom_gym.registry import count_players, get_game
from axiom_training.checkpoint import get_generators, set_generators
from axiom_training.config import TrainConfig
from axiom_training.networks import policy_arguments
from axiom_training.selfplay import self_play_games
from axiom_training.turn_rollouts import TurnRolloutBuffer

_LOSSES = {
    "losses/policy_loss": "train/policy_gradient_loss",
    "losses/value_loss": "train/value_loss",
    "losses/entropy": "train/entropy_loss",
    "losses/approx_kl": "train/approx_kl",
    "losses/clip_fraction": "train/clip_fraction",
    "losses/explained_variance": "train/explained_variance",
}
"""The names of metrics: our name -> the name in stable-baselines3."""

_SEATING = "seating_"


class Learner:
    """The model and the games that it learns from.

    Attributes:
        env: the games as a vector environment; each row is a seat that the learner plays.
        model: the MaskablePPO model.
    """

    def __init__(self, config: TrainConfig, pool: OpponentPool) -> None:
        """Make the games and the model, and seed the global generators.

        Args:
            config: the run's options.
            pool: the opponents, which play the other seats.
        """
        self._turns = config.rollout_turns
        self.env = _make_env(config, pool)
        self._scaled = _scale_rewards(config, self.env)
        self.model = _make_model(config, self._scaled or self.env)
        if isinstance(self.model.rollout_buffer, TurnRolloutBuffer):
            self.model.rollout_buffer.follow(self.env, self._predict_values, self._get_reward_scale)
        self._callback = ConvertCallback(None)
        self._callback.init_callback(self.model)

    def start(self) -> None:
        """Begin the first games; the pool must have a member with a positive weight."""
        # The total number of steps has no effect, because no schedule of stable-baselines3 is used.
        self.model._setup_learn(1)

    @property
    def steps(self) -> int:
        """The agent-steps so far: decisions of the learner."""
        return self.model.num_timesteps

    def take_ends(self) -> tuple[int, Counter[str]]:
        """Return the episodes that ended since the last call, and those ended by each fault."""
        ended, faults = self.env.ended, self.env.faults
        self.env.ended, self.env.faults = 0, Counter()
        return ended, faults

    def iterate(self, learning_rate: float, entropy_coefficient: float) -> dict[str, float]:
        """Play and learn once; return the metrics of this iteration."""
        model = self.model
        model.lr_schedule = FloatSchedule(learning_rate)
        model.ent_coef = entropy_coefficient
        games = self._scaled or self.env
        model.collect_rollouts(games, self._callback, model.rollout_buffer, self._turns)
        model.train()
        found = model.logger.name_to_value
        losses = {name: float(found[source]) for name, source in _LOSSES.items()}
        losses["losses/entropy"] *= -1  # stable-baselines3 reports the negative entropy
        found.clear()
        episodes = model.ep_info_buffer or ()
        return {
            "charts/episodic_return": _mean([episode["r"] for episode in episodes]),
            "charts/episodic_length": _mean([episode["l"] for episode in episodes]),
            **losses,
            "charts/learning_rate": learning_rate,
            "charts/entropy_coefficient": entropy_coefficient,
        }

    def _predict_values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the policy's value estimates (R,) of observations (R, *shape)."""
        policy = self.model.policy
        with torch.no_grad():
            tensor = obs_as_tensor(observations, self.model.device)
            values: npt.NDArray[np.float32] = policy.predict_values(tensor).flatten().numpy()
        return values

    def _get_reward_scale(self) -> float:
        """Return the number that rewards are divided by."""
        if self._scaled is None:
            return 1.0
        return float(np.sqrt(self._scaled.ret_rms.var + self._scaled.epsilon))

    def opponents_playing(self) -> set[int]:
        """Return the indices in the pool of the opponents that play in the current games."""
        return {number - 1 for number in np.unique(self.env.seating.seats).tolist() if number > 0}

    def get_state(self) -> dict[str, Any]:
        """Return the state of games, generators and the next rollout, without the weights."""
        model = self.model
        return {
            **{_SEATING + key: value for key, value in self.env.seating.get_state().items()},
            "observations": model._last_obs,
            "episode_starts": model._last_episode_starts,
            "episodes": list(model.ep_info_buffer or ()),
            "updates": model._n_updates,
            "steps": model.num_timesteps,
            **self._get_scale(),
            **get_generators(),
        }

    def set_state(self, state: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
        """Restore the state of `get_state` and of the model's `get_parameters`.

        Raises:
            KeyError, RuntimeError, StateError, ValueError: if they belong to another run.
        """
        model = self.model
        self.start()
        model.set_parameters(dict(parameters), exact_match=True, device="cpu")
        seating = {k.removeprefix(_SEATING): v for k, v in state.items() if k.startswith(_SEATING)}
        self.env.seating.set_state(seating)
        model._last_obs = state["observations"]
        model._last_episode_starts = state["episode_starts"]
        if model.ep_info_buffer is not None:
            model.ep_info_buffer.extend(state["episodes"])
        model._n_updates = state["updates"]
        model.num_timesteps = state["steps"]
        self._set_scale(state)
        set_generators(dict(state))

    def _get_scale(self) -> dict[str, Any]:
        """Return the statistics of the reward scale, or nothing if rewards are not scaled."""
        if self._scaled is None:
            return {}
        spread = self._scaled.ret_rms
        values = np.array([spread.mean, spread.var, spread.count], np.float64)
        return {"reward_spread": values, "reward_returns": self._scaled.returns.copy()}

    def _set_scale(self, state: Mapping[str, Any]) -> None:
        if self._scaled is not None:
            spread = self._scaled.ret_rms
            spread.mean, spread.var, spread.count = state["reward_spread"]
            self._scaled.returns = state["reward_returns"].reshape(self._scaled.num_envs)


def _make_env(config: TrainConfig, pool: OpponentPool) -> AxiomVecEnv:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThreadsWarning)  # `torch_threads` is a choice
        return make_vec_env(
            config.game,
            config.num_games,
            opponent="random" if _is_alone(config) else pool,
            seat="random",
            self_play_games=self_play_games(config),
            seed=config.seed,
            **config.options,
        )


def _is_alone(config: TrainConfig) -> bool:
    return count_players(config.game, config.options) == 1


def _scale_rewards(config: TrainConfig, env: AxiomVecEnv) -> VecNormalize | None:
    """Return the games with rewards scaled to about 1, or None if rewards stay as they are.

    The value loss is quadratic in the rewards, so large rewards would dominate the gradient.
    """
    info = get_game(config.game).info
    is_large = max(abs(info.min_outcome), abs(info.max_outcome)) > 1
    if config.normalize_rewards == "no" or (config.normalize_rewards == "auto" and not is_large):
        return None
    return VecNormalize(env, norm_obs=False, gamma=config.gamma)


def _make_model(config: TrainConfig, env: VecEnv) -> MaskablePPO:
    model = MaskablePPO(
        "MlpPolicy",
        env,
        rollout_buffer_class=_rollout_class(config),
        n_steps=config.rollout_turns,
        batch_size=fit_batch_size(config.batch_size, config.rollout_turns * env.num_envs),
        n_epochs=config.epochs,
        learning_rate=config.learning_rate,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        ent_coef=config.entropy_coefficient,
        policy_kwargs=policy_arguments(env.observation_space.shape or (), config.network),
        device="cpu",
        seed=config.seed,
    )
    model.set_logger(Logger(folder=None, output_formats=[]))
    return model


def _rollout_class(config: TrainConfig) -> type[MaskableRolloutBuffer]:
    is_sequential = get_game(config.game).is_sequential
    return TurnRolloutBuffer if is_sequential else MaskableRolloutBuffer


def fit_batch_size(wanted: int, decisions: int) -> int:
    """Return a minibatch size near `wanted` that leaves no minibatch with a single decision.

    The advantages of a minibatch are divided by their standard deviation. The standard deviation of
    a single number is NaN, which would make all weights NaN.
    """
    size = min(wanted, decisions)
    while decisions % size == 1:
        size += 1
    return size


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
