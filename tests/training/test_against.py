from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import CheckpointError, ConfigError, UnknownOpponentError
from axiom_gym.registry import get_game
from axiom_training.against import describe_opponents, name_training_opponents
from axiom_training.config import TrainConfig
from axiom_training.policy import load_policy
from axiom_training.runlog import EVALUATIONS, read_rows
from axiom_training.trainer import Trainer

Make = Callable[..., Any]

MATCHES = {"share_latest": 0.0, "share_pool": 0.0, "share_bots": 1.0}


@pytest.fixture
def saved(trainer: Make) -> Path:
    """Return the file of a model of the probe game."""
    run: Trainer = trainer("teacher", steps=64)
    run.run()
    return run.directory / "model.zip"


def opponents_in_play(run: Trainer) -> set[Any]:
    """Return the opponents that play in the games of a run."""
    return {run.selfplay.pool.members[place] for place in run.learner.opponents_playing()}


def test_against__replaces_the_default_opponents(trainer: Make) -> None:
    run: Trainer = trainer(against=("wrong",), **MATCHES)
    run.run()
    assert opponents_in_play(run) == {"wrong"}
    names = [name for name in read_rows(run.directory / EVALUATIONS)[-1] if "eval/" in name]
    assert names == ["eval/wrong"]


def test_against__takes_saved_models(trainer: Make, saved: Path) -> None:
    run: Trainer = trainer(against=(str(saved), "perfect"), num_games=40, **MATCHES)
    run.run()
    model, bot = run.opponents.values()
    assert model.digest() == load_policy(saved).digest()  # type: ignore[union-attr]
    assert opponents_in_play(run) == {model, bot}
    assert run.progress.scores.keys() == {str(saved), "perfect"}


def test_against__shares_the_games_equally(trainer: Make, saved: Path) -> None:
    run: Trainer = trainer(against=(str(saved), "perfect"))
    assert run.selfplay.pool.weights == pytest.approx([0.165, 0.165, 0.33])


@pytest.mark.parametrize(
    ("against", "random", "expected"),
    [
        ((), "auto", ["perfect", "wrong"]),
        ((), "yes", ["random", "perfect", "wrong"]),
        (("wrong",), "auto", ["wrong"]),
        (("wrong",), "yes", ["random", "wrong"]),
        (("wrong", "random"), "yes", ["wrong", "random"]),
        (("random",), "no", ["random"]),
    ],
)
def test_against__goes_with_the_random_opponent(
    tiny: Make, against: tuple[str, ...], random: str, expected: list[str]
) -> None:
    config: TrainConfig = tiny(against=against, random_opponent=random)
    assert name_training_opponents(get_game(config.game), config) == expected


def test_against__has_the_random_bot_in_sequential_games_only_by_default(
    brawl: ModuleType, tiny: Make
) -> None:
    config: TrainConfig = tiny(game="brawl-v0", random_opponent="auto")
    assert name_training_opponents(brawl.GAME, config)[0] == "random"
    config = tiny(game="brawl-v0", against=("bully",))
    assert name_training_opponents(brawl.GAME, config) == ["bully"]


def test_against__is_recorded_and_resumed(trainer: Make, saved: Path) -> None:
    run: Trainer = trainer(against=(str(saved), "wrong"), steps=64)
    run.run()
    text = (run.directory / "config.json").read_text(encoding="utf-8")
    assert json.loads(text)["against"] == [str(saved), "wrong"]
    again = Trainer.resume(run.directory, steps=128)
    assert again.evaluation_opponents == [str(saved), "wrong"]
    assert again.selfplay.bots == 2
    again.run()
    assert again.progress.steps == 128


def test_against__notices_a_model_that_changed(trainer: Make, saved: Path) -> None:
    run: Trainer = trainer(against=(str(saved),), steps=64)
    run.run()
    other: Trainer = trainer("other", seed=9, steps=64)
    other.run()
    saved.write_bytes((other.directory / "model.zip").read_bytes())
    with pytest.raises(CheckpointError, match=r"model\.zip' has changed since the checkpoint"):
        Trainer.resume(run.directory, steps=128)


def test_against__refuses_what_is_no_opponent(trainer: Make, tmp_path: Path) -> None:
    with pytest.raises(UnknownOpponentError, match="Did you mean 'perfect'"):
        trainer(against=("perfekt",))
    assert not (tmp_path / "run").exists()


def test_against__refuses_a_model_of_other_options(trainer: Make, saved: Path) -> None:
    with pytest.raises(CheckpointError, match="was trained on probe-v0 with turns=2"):
        trainer(against=(str(saved),), options={"turns": 3})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("greedy", "must be a tuple of opponents"),
        (("",), "must be a tuple of opponents"),
        (("wrong", "wrong"), "each opponent once, got 'wrong' twice"),
    ],
)
def test_against__is_checked(tiny: Make, value: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        tiny(against=value)


def test_description__has_the_shares_of_the_games(tiny: Make) -> None:
    shares = {"share_latest": 0.5, "share_pool": 0.0, "share_bots": 1.5}
    with pytest.raises(ConfigError):
        tiny(**shares)
    config: TrainConfig = tiny(share_latest=0.25, share_pool=0.0, share_bots=0.75)
    assert describe_opponents(get_game("probe"), config) == (
        "Games against: 25% itself; 75% perfect and wrong. "
        "Evaluated against random, perfect and wrong."
    )
    config = tiny(share_latest=0.2, share_pool=0.2, share_bots=0.4, against=("wrong",))
    assert describe_opponents(get_game("probe"), config) == (
        "Games against: 25% itself; 25% its past; 50% wrong. Evaluated against wrong."
    )


def test_description__names_whom_a_single_player_is_compared_with(
    climb: ModuleType, tiny: Make
) -> None:
    config: TrainConfig = tiny(game="climb-v0", against=("careful",))
    assert describe_opponents(climb.GAME, config) == "Compared with careful on the same seeds."


def test_against__takes_a_run_directory_and_a_function(
    trainer: Make, saved: Path, tmp_path: Path
) -> None:
    file = tmp_path / "agents.py"
    file.write_text(
        "def first(observation, mask, rng):\n    return int(mask.argmax())\n", encoding="utf-8"
    )
    names = (str(saved.parent), f"{file}:first")
    run: Trainer = trainer(against=names, num_games=40, steps=64, **MATCHES)
    run.run()
    assert opponents_in_play(run) == set(run.opponents.values())
    assert run.progress.scores.keys() == set(names)
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(CheckpointError, match="first' has changed since the checkpoint"):
        Trainer.resume(run.directory, steps=128)
