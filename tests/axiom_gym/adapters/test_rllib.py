"""Training with RLlib; needs the extra `rllib` in an environment of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="needs the extra 'rllib'")
ppo = pytest.importorskip("ray.rllib.algorithms.ppo", reason="needs the extra 'rllib'")

from axiom_gym.adapters.rllib import configure, configure_multi_agent  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of Ray's own code, which has many
]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Start Ray on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(
            num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
        )
        yield
        ray.shutdown()


def train(config: Any, envs: int, workers: int = 0) -> Any:
    """Train for two iterations and return the results of the environments."""
    config.env_runners(num_env_runners=workers, num_envs_per_env_runner=envs)
    config.training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1)
    algorithm = config.debugging(seed=3).build_algo()
    results = [algorithm.train() for _ in range(2)]
    algorithm.stop()
    return results[-1]["env_runners"]


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("game", ["connect_four", "quantaris"])
def test_single_agent__trains_without_illegal_actions(game: str, workers: int) -> None:
    """An illegal action raises. A remote worker imports only what the environment's name says."""
    config = configure(ppo.PPOConfig(), game, opponent="random", on_illegal="raise")
    assert config.env.startswith("axiom_gym:axiom/")
    found = train(config, envs=8, workers=workers)
    assert found["num_env_steps_sampled_lifetime"] >= 512
    assert -1 <= found["episode_return_mean"] <= 1


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("game", ["connect_four", "quantaris"])
def test_multi_agent__trains_without_illegal_actions(game: str, workers: int) -> None:
    config = configure_multi_agent(ppo.PPOConfig(), game, on_illegal="raise")
    found = train(config, envs=2, workers=workers)
    assert found["num_env_steps_sampled_lifetime"] >= 512
    assert found["episode_return_mean"] == pytest.approx(0, abs=1e-6)
