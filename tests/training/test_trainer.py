from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from axiom_gym.errors import CheckpointError, ConfigError, RegistrationError, UnknownGameError
from axiom_training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.directories import CHECKPOINT, CONFIG, MODEL, STUDY
from axiom_training.evaluation import Measurement, play_alone, score_against
from axiom_training.finish import _save_results, read_results
from axiom_training.learner import fit_batch_size
from axiom_training.policy import load_policy
from axiom_training.runlog import EVALUATIONS, ITERATIONS, read_rows
from axiom_training.trainer import Trainer, TrainingProgress
from axiom_training.weights import weights_digest

Make = Callable[..., Any]

ITERATION = 64
"""Agent-steps of an iteration of the small run: 4 turns of 4 games (2 rows) and of 8 (1 row)."""

TIMES = ("charts/seconds", "charts/SPS")


def timeless(directory: Path, name: str) -> list[dict[str, float]]:
    """Return the rows of a log without times, and with None for NaN, so that they compare equal."""
    rows = read_rows(directory / name)
    return [
        {key: None if value != value else value for key, value in row.items() if key not in TIMES}  # type: ignore[misc]
        for row in rows
    ]


def assert_same_run(first: Trainer, second: Trainer) -> None:
    """Check that weights, optimizer, games, generators, pool and logs have the same bits."""
    saved = [load_checkpoint(one.directory / CHECKPOINT) for one in (first, second)]
    texts = [json.dumps(one.meta["config"], sort_keys=True) for one in saved]
    assert texts[0] == texts[1]
    for run in saved:
        # Wall-clock times of episodes.
        for episode in run.state["episodes"]:
            del episode["t"]
    assert_equal(saved[0].state, saved[1].state)
    assert_equal(saved[0].parameters, saved[1].parameters)
    assert weights_digest(first.model.policy) == weights_digest(second.model.policy)
    for name in (ITERATIONS, EVALUATIONS):
        assert timeless(first.directory, name) == timeless(second.directory, name)


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_equal(found[key], expected[key])
    elif isinstance(expected, torch.Tensor):
        assert torch.equal(found, expected)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected)
    else:
        assert found == expected


def changed(run: Trainer) -> dict[str, Any]:
    """Return the game and the budget of a run."""
    return {"game": run.config.game, "steps": run.config.steps}


def run_to_iteration(
    trainer: Trainer, iteration: int, stop: signal.Signals = signal.SIGINT
) -> Trainer:
    """Run until a signal in this iteration."""

    def interrupt(progress: TrainingProgress) -> None:
        if progress.iteration == iteration:
            signal.raise_signal(stop)

    trainer.run(interrupt)
    return trainer


# A run


def test_run__ends_with_its_budget_of_steps(trainer: Make) -> None:
    run: Trainer = trainer(steps=10 * ITERATION)
    run.run()
    assert run.progress.iteration == 10
    assert run.progress.steps == 640
    assert run.spent() == 1
    assert not run.interrupted


def test_run__ends_with_its_budget_of_minutes(trainer: Make) -> None:
    run: Trainer = trainer(minutes=0.2 / 60)
    run.run()
    assert run.progress.iteration > 1
    assert 0.2 <= run.progress.seconds < 2


def test_run__ends_with_the_budget_that_is_spent_first(trainer: Make) -> None:
    run: Trainer = trainer(steps=2 * ITERATION, minutes=60)
    run.run()
    assert run.progress.iteration == 2


def test_run__writes_its_files(trainer: Make) -> None:
    run: Trainer = trainer(steps=2 * ITERATION)
    run.run()
    names = {path.name for path in run.directory.iterdir()}
    assert names == {CONFIG, MODEL, CHECKPOINT, ITERATIONS, EVALUATIONS, "tensorboard"}
    assert load_policy(run.directory / MODEL).digest() == run.policy().digest()
    saved = json.loads((run.directory / CONFIG).read_text(encoding="utf-8"))
    versions = saved.pop("versions")
    assert TrainConfig.from_json(saved) == run.config
    assert {"axiom_gym", "torch", "stable_baselines3", "sb3_contrib"} <= versions.keys()


def test_run__logs_every_iteration(trainer: Make) -> None:
    run: Trainer = trainer(steps=6 * ITERATION)
    run.run()
    rows = read_rows(run.directory / ITERATIONS)
    assert [row["steps"] for row in rows] == [ITERATION * i for i in range(1, 7)]
    for row in rows:
        assert row["losses/entropy"] > 0
        assert row["charts/episodic_length"] == 2
        assert all(np.isfinite(value) for value in row.values())
    assert rows[-1]["pool/snapshots"] == 2
    assert {name for name in rows[0] if name.startswith("losses/")} == {
        "losses/policy_loss",
        "losses/value_loss",
        "losses/entropy",
        "losses/approx_kl",
        "losses/clip_fraction",
        "losses/explained_variance",
    }


def test_run__logs_no_length_before_an_episode_has_ended(trainer: Make) -> None:
    run: Trainer = trainer(options={"turns": 6}, steps=2 * ITERATION)
    run.run()
    lengths = [row["charts/episodic_length"] for row in read_rows(run.directory / ITERATIONS)]
    assert np.isnan(lengths[0])
    assert lengths[1] == 6


def test_run__lowers_the_entropy_coefficient_with_the_budget(trainer: Make) -> None:
    run: Trainer = trainer(
        steps=4 * ITERATION, entropy_coefficient=0.05, final_entropy_coefficient=0.01
    )
    run.run()
    rows = read_rows(run.directory / ITERATIONS)
    coefficients = [row["charts/entropy_coefficient"] for row in rows]
    assert coefficients == pytest.approx([0.05, 0.04, 0.03, 0.02])
    assert run.model.ent_coef == pytest.approx(0.02)


def test_run__lowers_the_learning_rate_with_the_budget(trainer: Make) -> None:
    run: Trainer = trainer(steps=4 * ITERATION, learning_rate=0.01, final_learning_rate=0.002)
    run.run()
    rates = [row["charts/learning_rate"] for row in read_rows(run.directory / ITERATIONS)]
    assert rates == pytest.approx([0.01, 0.008, 0.006, 0.004])
    (group,) = run.model.policy.optimizer.param_groups
    assert group["lr"] == pytest.approx(0.004)


def test_run__evaluates_at_the_start_at_intervals_and_at_the_end(trainer: Make) -> None:
    run: Trainer = trainer(steps=10 * ITERATION, evaluate_every=3 * ITERATION / 1e5)
    run.run()
    rows = read_rows(run.directory / EVALUATIONS)
    assert [row["steps"] for row in rows] == [ITERATION * i for i in (0, 3, 6, 9, 10)]
    assert set(rows[0]) == {
        "steps",
        "charts/seconds",
        "eval/random",
        "eval/perfect",
        "eval/wrong",
    }
    assert run.progress.scores == {
        name.removeprefix("eval/"): score
        for name, score in rows[-1].items()
        if name.startswith("eval/")
    }


def test_run__evaluates_once_at_a_time(trainer: Make) -> None:
    run: Trainer = trainer(steps=4 * ITERATION, evaluate_every=2 * ITERATION / 1e5)
    run.run()
    steps = [row["steps"] for row in read_rows(run.directory / EVALUATIONS)]
    assert steps == [0, 2 * ITERATION, 4 * ITERATION]


def test_run__learns_the_same_with_any_number_of_evaluations(trainer: Make) -> None:
    often: Trainer = trainer("often", evaluate_every=0.0, evaluation_games=4)
    often.run()
    seldom: Trainer = trainer("seldom", evaluate_every=1e6)
    seldom.run()
    assert often.policy().digest() == seldom.policy().digest()


def test_run__takes_a_snapshot_every_few_iterations(trainer: Make) -> None:
    run: Trainer = trainer(steps=7 * ITERATION, snapshot_every=3, pool_size=9)
    run.run()
    assert [s.steps for s in run.selfplay.snapshots] == [0, 3 * ITERATION, 6 * ITERATION]


def test_run__shows_its_progress(trainer: Make) -> None:
    run: Trainer = trainer(steps=3 * ITERATION)
    shown: list[tuple[int, float]] = []
    run.run(lambda progress: shown.append((progress.iteration, run.spent())))
    assert shown == [(0, 0), (1, 1 / 3), (2, 2 / 3), (3, 1), (3, 1)]


def test_run__takes_the_last_seed(trainer: Make) -> None:
    run: Trainer = trainer(seed=2**32 - 1, steps=ITERATION)
    run.run()
    assert run.progress.steps == ITERATION


@pytest.mark.parametrize("parity", [pytest.param(False, marks=pytest.mark.slow), True])
def test_run__learns_the_probe_game(trainer: Make, parity: bool) -> None:
    options = {"turns": 6, "parity": parity}
    run: Trainer = trainer(
        options=options,
        steps=24_000,
        num_games=64,
        rollout_turns=8,
        batch_size=256,
        network=(32,),
        learning_rate=0.01,
        final_learning_rate=0.003,
        evaluate_every=1e6,
    )

    def score(opponent: str) -> float:
        policy = run.policy()
        return score_against("probe-v0", policy, opponent, 500, options=options).score

    assert score("random") == pytest.approx(0.5, abs=0.15)
    assert score("perfect") < 0.1
    run.run()
    assert score("random") > 0.95
    # Nobody can do better than draw against the bot that is always right.
    assert 0.45 < score("perfect") <= 0.5


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            {"game": "quantaris-v0", "options": {"obs": "planes"}},
            id="quantaris-v0 obs",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"game": "quantaris-v0", "options": {"ruleset": "0.1"}},
            id="quantaris-v0 ruleset",
            marks=pytest.mark.slow,
        ),
        {"game": "probe-v0", "options": {"parity": True}},
        pytest.param({"game": "probe_trio-v0"}, marks=pytest.mark.slow),
    ],
    ids=lambda changes: " ".join([changes["game"], *changes.get("options", {})]),
)
def test_run__trains_on_other_games(trainer: Make, changes: dict[str, Any]) -> None:
    run: Trainer = trainer(**changes, steps=100)
    before = run.policy().digest()
    run.run()
    assert run.policy().digest() != before
    policy = load_policy(run.directory / MODEL)
    score_against(run.config.game, policy, "random", 4, options=run.config.options)


# What cannot be trained


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"game": "prob-v0"}, UnknownGameError),
        ({"options": {"speed": 1}}, ConfigError),
        ({"options": {"turns": 0}}, ConfigError),
        ({"game": "probe_in_turn-v0"}, RegistrationError),
    ],
)
def test_trainer__refuses_games_that_cannot_be_trained(
    trainer: Make, tmp_path: Path, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        trainer(**changes)
    assert not (tmp_path / "run" / CONFIG).exists()


@pytest.mark.parametrize("name", [STUDY, CONFIG, MODEL, CHECKPOINT, ITERATIONS, EVALUATIONS])
def test_trainer__does_not_overwrite_another_run(trainer: Make, tmp_path: Path, name: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).write_bytes(b"dear")
    with pytest.raises(
        ConfigError, match=r"run' already contains a run: .* another directory, or .*"
    ):
        trainer()
    assert [path.read_bytes() for path in (tmp_path / "run").iterdir()] == [b"dear"]


def test_trainer__has_the_old_name_of_its_opponents(trainer: Make) -> None:
    run: Trainer = trainer()
    for old in ("anchors", "default_opponents"):
        message = f"Trainer.{old} is now Trainer.evaluation_opponents"
        with pytest.warns(DeprecationWarning, match=message):
            assert getattr(run, old) == run.evaluation_opponents == ["random", "perfect", "wrong"]


def test_trainer__needs_a_directory(trainer: Make, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"")
    with pytest.raises(ConfigError, match="cannot be made: "):
        trainer()


@pytest.mark.parametrize("wanted", [2, 3, 16, 415, 8192])
def test_fit_batch_size__leaves_no_minibatch_of_one(wanted: int) -> None:
    for decisions in range(2, 600):
        size = fit_batch_size(wanted, decisions)
        assert size >= min(wanted, decisions)
        assert decisions % size != 1
        assert size == min(wanted, decisions) or decisions % min(wanted, decisions) == 1


def test_run__stays_finite_with_an_unlucky_batch_size(trainer: Make) -> None:
    run: Trainer = trainer(batch_size=ITERATION - 1, steps=2 * ITERATION)
    run.run()
    assert all(torch.isfinite(one).all() for one in run.model.policy.state_dict().values())


# One player


CLIMB = {"game": "climb-v0", "options": {"limit": 5}, "steps": 6 * 48}
"""Agent-steps of an iteration: 4 turns of 12 games."""


@pytest.mark.usefixtures("climb")
def test_run__of_one_player_has_every_game_and_no_snapshots(trainer: Make) -> None:
    run: Trainer = trainer(**CLIMB, snapshot_every=1)
    run.run()
    rows = read_rows(run.directory / ITERATIONS)
    assert [row["steps"] for row in rows] == [48 * i for i in range(1, 7)]
    assert {row["pool/snapshots"] for row in rows} == {0}
    assert rows[-1]["charts/episodic_length"] <= 5
    assert run.learner.opponents_playing() == set()


@pytest.mark.usefixtures("climb")
def test_run__counts_faults_also_over_an_interruption(trainer: Make) -> None:
    run = trainer(**{**CLIMB, "options": {"limit": 5, "tool": True}})
    run.run()
    ((text, count),) = run.progress.faults.items()
    assert text == "fault 7: the tool is broken, limit 5"
    assert 0 < count < run.progress.episodes
    _save_results(run, Measurement({}, {}), [])
    results = read_results(run.directory)
    assert (results["faults"], results["episodes"]) == ({text: count}, run.progress.episodes)
    again = Trainer.resume(run.directory, steps=2 * run.config.steps)
    again.run()
    assert again.progress.faults[text] > count


@pytest.mark.usefixtures("climb")
def test_run__of_one_player_reports_outcomes(trainer: Make) -> None:
    run: Trainer = trainer(**CLIMB)
    run.run()
    rows = read_rows(run.directory / EVALUATIONS)
    assert {"eval/random", "eval/careful"} < set(rows[0])
    # Heights 0 to 4, a quarter of each.
    assert {row["outcome/careful"] for row in rows} == {2.5}
    assert rows[-1]["outcome/model"] == pytest.approx(run.progress.outcome)
    assert run.progress.scores.keys() == {"random", "careful"}


def test_run__of_several_players_reports_no_outcomes(trainer: Make) -> None:
    run: Trainer = trainer(steps=ITERATION)
    run.run()
    assert run.progress.outcome is None


@pytest.mark.usefixtures("climb")
def test_run__of_one_player_resumes_exactly(trainer: Make) -> None:
    whole: Trainer = trainer("whole", **CLIMB)
    whole.run()
    half: Trainer = run_to_iteration(trainer("half", **CLIMB), 3)
    resumed = Trainer.resume(half.directory)
    resumed.run()
    assert resumed.progress.iteration == 6
    state = load_checkpoint(whole.directory / CHECKPOINT).state
    assert state["reward_spread"][2] > 6 * 48
    assert_same_run(whole, resumed)


@pytest.mark.usefixtures("climb")
def test_run__learns_the_climb(trainer: Make) -> None:
    options = {"limit": 8}
    run: Trainer = trainer(
        game="climb-v0",
        options=options,
        steps=16_000,
        num_games=64,
        rollout_turns=8,
        batch_size=256,
        network=(32,),
        learning_rate=0.01,
        final_learning_rate=0.003,
        evaluate_every=1e6,
    )

    def mean() -> float:
        return float(play_alone("climb", run.policy(), 500, options=options).mean())

    assert mean() < 4
    run.run()
    # 7 for a step in every turn; leaps make it a little more or less.
    assert mean() > 6.5


# The same bits


def test_run__depends_on_its_seed(trainer: Make) -> None:
    digests = []
    for number, seed in enumerate((1, 1, 2)):
        np.random.seed(number)
        torch.manual_seed(number)
        run: Trainer = trainer(str(number), seed=seed, steps=4 * ITERATION)
        run.run()
        digests.append(run.policy().digest())
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["probe-v0", "brawl-v0"])
@pytest.mark.usefixtures("brawl")
def test_run__resumes_exactly_after_an_interruption(trainer: Make, game: str) -> None:
    whole: Trainer = trainer("whole", game=game, steps=640 if game == "probe-v0" else 480)
    whole.run()
    half: Trainer = run_to_iteration(trainer("half", **changed(whole)), 5)
    assert half.interrupted
    assert half.progress.iteration == 5
    np.random.seed(1)
    torch.manual_seed(1)
    resumed = Trainer.resume(half.directory)
    assert resumed.progress == half.progress
    resumed.run()
    assert resumed.progress.iteration == 10
    assert_same_run(whole, resumed)


def test_run__resumes_exactly_after_many_interruptions(trainer: Make) -> None:
    changes = {"options": {"turns": 7}, "snapshot_every": 1, "share_pool": 0.6}
    whole: Trainer = trainer("whole", **changes)
    whole.run()
    run: Trainer = trainer("parts", **changes)
    for iteration in range(1, 10):
        run_to_iteration(run, iteration)
        run = Trainer.resume(run.directory)
    run.run()
    assert_same_run(whole, run)


@pytest.mark.slow
def test_run__resumes_exactly_in_another_process(
    trainer: Make, python: Callable[[str], str]
) -> None:
    whole: Trainer = trainer("whole")
    whole.run()
    half: Trainer = run_to_iteration(trainer("half"), 5)
    code = (
        "from pathlib import Path\n"
        "from axiom_training.trainer import Trainer\n"
        f"run = Trainer.resume(Path({str(half.directory)!r}))\n"
        "run.run()\n"
    )
    python(code)
    assert_same_run(whole, Trainer.resume(half.directory))


@pytest.mark.slow
def test_run__is_the_same_in_another_process(
    trainer: Make, python: Callable[[str], str], tmp_path: Path
) -> None:
    whole: Trainer = trainer("whole")
    whole.run()
    other = tmp_path / "other"
    code = (
        "import json\n"
        "from pathlib import Path\n"
        "from axiom_training.config import TrainConfig\n"
        "from axiom_training.trainer import Trainer\n"
        f"config = TrainConfig.from_json(json.loads({json.dumps(whole.config.to_json())!r}))\n"
        f"Trainer(config, Path({str(other)!r})).run()\n"
    )
    python(code)
    assert_same_run(whole, Trainer.resume(other))


@pytest.mark.slow
def test_run__resumes_from_its_last_checkpoint_after_it_was_killed(
    trainer: Make, python: Callable[[str], str], tmp_path: Path
) -> None:
    # Evaluations and checkpoints after iterations 4 and 8; killed in the seventh.
    whole: Trainer = trainer("whole", evaluate_every=4 * ITERATION / 1e5)
    whole.run()
    killed = tmp_path / "killed"
    code = (
        "import json, os, signal\n"
        "from pathlib import Path\n"
        "from axiom_training.config import TrainConfig\n"
        "from axiom_training.trainer import Trainer\n"
        f"config = TrainConfig.from_json(json.loads({json.dumps(whole.config.to_json())!r}))\n"
        "def show(progress):\n"
        "    if progress.iteration == 7:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        f"Trainer(config, Path({str(killed)!r})).run(show)\n"
    )
    with pytest.raises(AssertionError):
        python(code)
    assert [row["steps"] for row in read_rows(killed / ITERATIONS)][-1] == 7 * ITERATION
    resumed = Trainer.resume(killed)
    assert resumed.progress.iteration == 4
    resumed.run()
    assert_same_run(whole, resumed)


# Going on


def test_resume__takes_a_larger_budget(trainer: Make) -> None:
    run: Trainer = trainer(steps=4 * ITERATION)
    run.run()
    longer = Trainer.resume(run.directory, steps=6 * ITERATION)
    assert longer.spent() == pytest.approx(4 / 6)
    longer.run()
    assert longer.progress.iteration == 6
    saved = json.loads((run.directory / CONFIG).read_text(encoding="utf-8"))
    assert (saved["steps"], saved["minutes"]) == (6 * ITERATION, 0)
    assert Trainer.resume(run.directory).config.steps == 6 * ITERATION


def test_resume__takes_a_budget_of_another_kind(trainer: Make) -> None:
    run: Trainer = trainer(steps=2 * ITERATION)
    run.run()
    longer = Trainer.resume(run.directory, minutes=1)
    assert (longer.config.minutes, longer.config.steps) == (1, 0)
    assert longer.spent() < 0.5
    longer.iterate()
    assert longer.progress.iteration == 3


def test_resume__of_a_finished_run_does_nothing(trainer: Make) -> None:
    run: Trainer = trainer(steps=4 * ITERATION)
    run.run()
    rows = [read_rows(run.directory / name) for name in (ITERATIONS, EVALUATIONS)]
    again = Trainer.resume(run.directory)
    again.run()
    assert again.policy().digest() == run.policy().digest()
    assert [read_rows(run.directory / name) for name in (ITERATIONS, EVALUATIONS)] == rows


def test_resume__needs_a_run(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"no directory '.*nothing': name the directory"):
        Trainer.resume(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(CheckpointError, match=r"contains no run: checkpoint.zip is missing"):
        Trainer.resume(tmp_path)


def test_resume__refuses_a_damaged_checkpoint(trainer: Make) -> None:
    run: Trainer = trainer()
    run.save()
    path = run.directory / CHECKPOINT
    path.write_bytes(path.read_bytes()[:-100])
    before = {file: file.stat().st_mtime_ns for file in run.directory.iterdir()}
    with pytest.raises(CheckpointError, match=r"checkpoint.zip' "):
        Trainer.resume(run.directory)
    assert {file: file.stat().st_mtime_ns for file in run.directory.iterdir()} == before


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (lambda c: Checkpoint(without(c.meta, "config"), c.parameters, c.state), "KeyError"),
        (lambda c: Checkpoint(without(c.meta, "progress"), c.parameters, c.state), "KeyError"),
        (lambda c: Checkpoint({**c.meta, "progress": {"x": 1}}, c.parameters, c.state), "'x'"),
        (
            lambda c: Checkpoint(
                {**c.meta, "facts": {**c.meta["facts"], "game": "probe-v7"}}, c.parameters, c.state
            ),
            "the checkpoint's game is 'probe-v7', but the run's is 'probe-v0'",
        ),
        (lambda c: Checkpoint(c.meta, c.parameters, without(c.state, "updates")), "updates"),
        (lambda c: Checkpoint(c.meta, {}, c.state), "parameters"),
        (lambda c: Checkpoint(c.meta, c.parameters, {**c.state, "pool_0": b"abc"}), "weights"),
        (
            lambda c: Checkpoint(c.meta, c.parameters, {**c.state, "seating_batch": b"abc"}),
            "StateError",
        ),
        (
            lambda c: Checkpoint(
                {**c.meta, "config": {**c.meta["config"], "num_games": 5}}, c.parameters, c.state
            ),
            "StateError",
        ),
        (
            lambda c: Checkpoint(
                {**c.meta, "config": {**c.meta["config"], "network": [9]}}, c.parameters, c.state
            ),
            "network",
        ),
    ],
)
def test_resume__refuses_parts_that_do_not_fit(
    trainer: Make, change: Callable[[Checkpoint], Checkpoint], pattern: str
) -> None:
    run: Trainer = trainer()
    run.save()
    path = run.directory / CHECKPOINT
    save_checkpoint(path, change(load_checkpoint(path)))
    with pytest.raises(CheckpointError, match=pattern):
        Trainer.resume(run.directory)


# Signals

STOPS = (signal.SIGINT, signal.SIGTERM)


@pytest.mark.parametrize("stop", STOPS)
def test_signal__stops_the_run_after_its_iteration(trainer: Make, stop: signal.Signals) -> None:
    before = [signal.getsignal(one) for one in STOPS]
    run = run_to_iteration(trainer(steps=10**6), 3, stop)
    assert run.interrupted == stop
    assert run.progress.iteration == 3
    assert load_checkpoint(run.directory / CHECKPOINT).meta["progress"]["iteration"] == 3
    assert [signal.getsignal(one) for one in STOPS] == before


def test_signal__stops_the_run_immediately_the_second_time(trainer: Make) -> None:
    before = signal.getsignal(signal.SIGINT)
    run: Trainer = trainer(steps=10**6)

    def interrupt(progress: TrainingProgress) -> None:
        if progress.iteration == 3:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run.run(interrupt)
    assert signal.getsignal(signal.SIGINT) is before
    assert Trainer.resume(run.directory).progress.iteration <= 3


def test_run__works_outside_of_the_main_thread(trainer: Make) -> None:
    run: Trainer = trainer(steps=2 * ITERATION)
    thread = threading.Thread(target=run.run)
    thread.start()
    thread.join()
    assert run.progress.iteration == 2


@pytest.mark.parametrize(
    ("game", "choice", "expected"),
    [
        ("probe-v0", "auto", ["perfect", "wrong"]),
        ("probe-v0", "yes", ["random", "perfect", "wrong"]),
        ("brawl-v0", "auto", ["random", "bully"]),
        ("brawl-v0", "no", ["bully"]),
    ],
)
@pytest.mark.usefixtures("brawl")
def test_trainer__plays_against_random_by_its_option(
    trainer: Make, game: str, choice: str, expected: list[str]
) -> None:
    run: Trainer = trainer(game=game, random_opponent=choice)
    assert run.selfplay.pool.members[: len(expected)] == expected
    assert run.selfplay.bots == len(expected)
