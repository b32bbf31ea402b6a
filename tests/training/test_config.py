from __future__ import annotations

import dataclasses
import json
import math
import re
from typing import Any

import pytest

from axiom_gym.commands.games import describe_options
from axiom_gym.errors import ConfigError
from axiom_training.config import TrainConfig

WHOLE = {
    "num_games": 1,
    "rollout_turns": 1,
    "batch_size": 2,
    "epochs": 1,
    "snapshot_every": 1,
    "pool_size": 1,
    "torch_threads": 1,
    "evaluation_games": 2,
    "final_games": 2,
    "seed": 0,
}
SHARES = (
    "share_latest",
    "share_pool",
    "share_bots",
    "gamma",
    "gae_lambda",
    "clip_range",
    "learning_rate",
    "final_learning_rate",
)
AMOUNTS = (
    "minutes",
    "entropy_coefficient",
    "final_entropy_coefficient",
    "evaluate_every",
)


def config(**changes: Any) -> TrainConfig:
    return TrainConfig(**{"game": "quantaris-v0", "steps": 1000, **changes})


@pytest.mark.parametrize(("name", "low"), WHOLE.items())
def test_config__takes_integers_from_a_minimum(name: str, low: int) -> None:
    assert getattr(config(**{name: low + 1}), name) == low + 1
    for bad in (low - 1, low + 1.0, True, None, str(low)):
        with pytest.raises(ConfigError) as caught:
            config(**{name: bad})
        assert str(caught.value).startswith(f"{name} must be an integer ")
        assert f" {low}" in str(caught.value)
        assert str(caught.value).endswith(f"got {bad!r}.")


@pytest.mark.parametrize("name", SHARES)
def test_config__takes_shares_from_0_to_1(name: str) -> None:
    for good in (0, 1, 0.5):
        assert getattr(config(**{name: good}), name) == good
    for bad in (-0.1, 1.1, math.nan, math.inf, True, "0.5", None):
        with pytest.raises(ConfigError, match=f"^{name} must be a number from 0 to 1, got {bad!r}"):
            config(**{name: bad})


@pytest.mark.parametrize("name", AMOUNTS)
def test_config__takes_amounts_that_are_finite(name: str) -> None:
    assert getattr(config(**{name: 0.25}), name) == 0.25
    for bad in (-1, math.nan, math.inf, False, "1"):
        pattern = f"^{name} must be a number of at least 0, got {bad!r}"
        with pytest.raises(ConfigError, match=pattern):
            config(**{name: bad})


def test_config__takes_seeds_of_32_bits() -> None:
    assert config(seed=2**32 - 1).seed == 2**32 - 1
    with pytest.raises(ConfigError, match=r"seed must be .* from 0 to 4294967295, got 4294967296"):
        config(seed=2**32)


def test_config__has_a_limit_for_every_number() -> None:
    numbers = {f.name for f in dataclasses.fields(TrainConfig) if f.type in ("int", "float")}
    assert numbers == {*WHOLE, *SHARES, *AMOUNTS, "steps"}


@pytest.mark.parametrize("bad", [(), [8], (0,), (8, -1), (8.0,), (True,), "8", None])
def test_config__takes_a_network_of_widths(bad: Any) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"at least 1, got {bad!r}.")):
        config(network=bad)


@pytest.mark.parametrize("changes", [{"game": ""}, {"game": 3}, {"options": ["a"]}])
def test_config__takes_a_game_and_a_dict_of_its_options(changes: dict[str, Any]) -> None:
    (bad,) = changes.values()
    with pytest.raises(ConfigError, match=re.escape(f"got {bad!r}.")):
        config(**changes)


def test_config__needs_a_budget() -> None:
    with pytest.raises(ConfigError, match="minutes or steps above 0"):
        TrainConfig(game="quantaris-v0")
    assert TrainConfig(game="quantaris-v0", minutes=0.5).steps == 0


def test_config__needs_one_share_above_0() -> None:
    none = {"share_latest": 0, "share_pool": 0}
    assert config(**none, share_bots=0.1).share_bots == 0.1
    with pytest.raises(ConfigError, match="share_latest, share_pool and share_bots"):
        config(**none, share_bots=0.0)


def test_config__needs_two_decisions_to_learn_from() -> None:
    with pytest.raises(ConfigError, match="num_games times rollout_turns must be at least 2"):
        config(num_games=1, rollout_turns=1)


def test_config__cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        config().seed = 1  # type: ignore[misc]


def test_config__is_equal_after_json() -> None:
    first = config(network=(64, 32), options={"ruleset": "0.1"}, minutes=0.5, seed=7)
    text = json.dumps(first.to_json())
    assert TrainConfig.from_json(json.loads(text)) == first
    assert json.loads(text)["network"] == [64, 32]


def test_from_json__refuses_unknown_options() -> None:
    with pytest.raises(ConfigError, match=r"unknown training options \['epoch'\]; valid: .*epochs"):
        TrainConfig.from_json({**config().to_json(), "epoch": 3})
    with pytest.raises(ConfigError, match="must name a game"):
        TrainConfig.from_json({"steps": 5})
    with pytest.raises(ConfigError, match="gamma must be a number from 0 to 1, got 2"):
        TrainConfig.from_json({**config().to_json(), "gamma": 2})


def test_from_json__uses_defaults_for_missing_options() -> None:
    assert TrainConfig.from_json({"game": "quantaris-v0", "steps": 1000}) == config()


def test_config__documents_every_field() -> None:
    entries = describe_options(TrainConfig)
    assert [entry["name"] for entry in entries if not entry["doc"].endswith(".")] == [
        entry["name"] for entry in entries if not entry["doc"]
    ]
    assert all(entry["doc"] for entry in entries)
