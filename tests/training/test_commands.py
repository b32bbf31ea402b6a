from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from axiom_gym import replay
from axiom_gym.cli import app
from axiom_gym.commands.games import describe_options
from axiom_gym.commands.group import load_plugin
from axiom_gym.errors import ConfigError
from axiom_gym.registry import games as registry
from axiom_training import commands
from axiom_training.checkpoint import load_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.runlog import ITERATIONS, read_rows
from axiom_training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("probe")

SMALL = [
    *("--games", "12", "--rollout-turns", "4", "--batch-size", "16", "--network", "8"),
    *("--share-latest", "0.34", "--share-pool", "0.33", "--share-bots", "0.33"),
    *("--evaluation-games", "10", "--final-games", "20", "--evaluate-every", "0.002"),
]
FILES = {
    "checkpoint.zip",
    "config.json",
    "evaluations.csv",
    "game.jsonl",
    "game.txt",
    "learning_curve.png",
    "model.zip",
    "progress.csv",
    "results.json",
    "tensorboard",
}


def call(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(one) for one in arguments], prog_name="axiom-gym")


@pytest.fixture(scope="module")
def trained(probe: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Return the directory of a run of the command, and the command's result."""
    out = tmp_path_factory.mktemp("runs") / "run"
    options = ["-o", "turns=3", "-o", "label=a b", "--demo"]
    result = call("train", "probe", "--steps", 256, "--out", out, "--seed", 3, *options, *SMALL)
    assert result.exit_code == 0, result.output
    return out, result


# train


def test_train__writes_all_files(trained: tuple[Path, Any]) -> None:
    out, _ = trained
    assert {path.name for path in out.iterdir()} == FILES


def test_train__uses_its_options(trained: tuple[Path, Any]) -> None:
    out, _ = trained
    saved = json.loads((out / "config.json").read_text(encoding="utf-8"))
    del saved["versions"]
    assert TrainConfig.from_json(saved) == TrainConfig(
        game="probe-v0",
        options={"turns": 3, "label": "a b"},
        seed=3,
        steps=256,
        num_games=12,
        share_latest=0.34,
        share_pool=0.33,
        share_bots=0.33,
        rollout_turns=4,
        batch_size=16,
        network=(8,),
        evaluation_games=10,
        final_games=20,
        evaluate_every=0.002,
    )
    assert [row["steps"] for row in read_rows(out / ITERATIONS)] == [64, 128, 192, 256]


def test_train__saves_a_replay_that_verifies(trained: tuple[Path, Any]) -> None:
    out, _ = trained
    assert replay.verify(out / "game.jsonl").ok
    header = replay.load(out / "game.jsonl").header
    assert header.options["turns"] == 3
    digest = hashlib.sha256((out / "model.zip").read_bytes()).hexdigest()[:16]
    assert (header.players[0].name, header.players[0].model) == ("model.zip", digest)
    assert "turn 3, number" in (out / "game.txt").read_text(encoding="utf-8")


def test_train__saves_results(trained: tuple[Path, Any]) -> None:
    out, _ = trained
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert results["steps"] == 256
    assert results["scores"].keys() == {"random", "perfect", "wrong"}
    assert sum(results["scores"]["random"][key] for key in ("wins", "draws", "losses")) == 20
    assert results["ratings"].keys() == {"model", "random", "perfect", "wrong"}
    assert results["ratings"]["random"]["points"] == 0


def test_train__prints_tables_and_paths(trained: tuple[Path, Any]) -> None:
    out, result = trained
    printed = result.output
    assert f"Training Probe by self-play in {out}" in printed
    assert "Score after 0.00 M steps" in printed
    assert "Ratings (random = 0)" in printed
    for name in ("model.zip", "learning_curve.png", "game.jsonl", "game.txt"):
        assert f": {out / name}\n" in printed


def test_train__prints_a_game_for_a_demo(trained: tuple[Path, Any]) -> None:
    out, result = trained
    assert (out / "game.txt").read_text(encoding="utf-8") in result.output


def test_train__prints_the_command_to_play_against_the_model(trained: tuple[Path, Any]) -> None:
    out, result = trained
    (line,) = (line for line in result.output.splitlines() if "play it:" in line)
    command = line.partition("axiom-gym ")[2]
    assert command == (
        f"play probe-v0 -o turns=3 -o 'label=a b' --players {out / 'model.zip'},human"
    )
    words = ["play", "probe-v0", "--players", f"{out / 'model.zip'},wrong", "--seed", 1]
    assert call(*words, "-o", "turns=3", "-o", "label=a b").exit_code == 0
    refused = call(*words)
    assert refused.exit_code == 2
    assert "was trained on probe-v0 with turns=3, label=a b" in refused.output


def test_train__has_a_default_budget_of_five_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[TrainConfig] = []

    def start(config: TrainConfig, out: Path | None) -> Trainer:
        seen.append(config)
        raise ConfigError("enough")

    monkeypatch.setattr(commands, "_start", start)
    call("train", "probe")
    call("train", "probe", "--steps", 5)
    call("train", "probe", "--minutes", 2)
    budgets = [(config.minutes, config.steps) for config in seen]
    assert budgets == [(5.0, 0), (0.0, 5), (2.0, 0)]


def test_train__names_a_new_directory_by_game_and_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call("train", "probe", "--steps", 64, *SMALL)
    assert result.exit_code == 0, result.output
    (out,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"probe-v0-\d{8}-\d{6}", out.name)


def test_train__names_the_directory_of_a_file_by_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_targets", "_registered"):  # so that other tests do not know the game
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    target = f"{Path(__file__).parents[1] / 'games' / 'race_game.py'}:Race"
    assert re.fullmatch(r"race-v3-\d{8}-\d{6}", commands._name_run(target))


def test_train__prints_json_alone(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = call("train", "probe", "--steps", 64, "--out", out, "--json", *SMALL)
    found = json.loads(result.stdout)
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert found == {
        "directory": str(out),
        "game": "probe-v0",
        "options": {},
        "seed": 0,
        "interrupted": False,
        **results,
    }
    assert "Score after" in result.stderr


def test_train__reports_a_game_for_three(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = call("train", "probe_trio", "--steps", 64, "--out", out, *SMALL)
    assert result.exit_code == 0, result.output
    assert {path.name for path in out.iterdir()} == FILES
    assert "Ratings (random = 0)" in result.output
    assert "Score after" in result.output
    ratings = json.loads((out / "results.json").read_text(encoding="utf-8"))["ratings"]
    assert ratings.keys() == {"model", "random", "perfect", "wrong"}


def test_train__chooses_its_opponents(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--steps", 64, "--against", "wrong, random", "--share-pool", 0]
    result = call("train", "probe", "--out", out, *SMALL, *words)
    assert result.exit_code == 0, result.output
    line = "Games against: 51% itself; 49% wrong and random. Evaluated against wrong and random."
    assert line in result.output
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert results["scores"].keys() == {"wrong", "random"}
    assert replay.load(out / "game.jsonl").header.players[1].name == "random"
    assert "Ratings (random = 0)" in result.output


def test_train__resumes_a_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert call("train", "probe", "--steps", 128, "--out", out, *SMALL).exit_code == 0
    result = call("train", "--resume", out, "--steps", 192)
    assert result.exit_code == 0, result.output
    assert [row["steps"] for row in read_rows(out / ITERATIONS)] == [64, 128, 192]


def test_train__does_nothing_for_a_spent_budget(trained: tuple[Path, Any]) -> None:
    out, _ = trained
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    for budget in ([], ["--steps", 200]):
        result = call("train", "--resume", out, *budget)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"The run in {out} has spent its budget")
        assert "give a larger budget" in result.stdout
        assert result.stdout.count("\n") == 1
    found = call("train", "--resume", out, "--json")
    assert json.loads(found.stdout)["steps"] == 256
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train"], "error: name a game to train"),
        (["train", "prob"], "error: unknown game 'prob'. Did you mean 'probe-v0'?"),
        (["train", "probe", "-o", "speed=1"], "error: unknown option of probe 'speed'."),
        (["train", "probe", "--gamma", "2"], "error: gamma must be a number from 0 to 1, got 2.0."),
        (["train", "probe", "--steps", "-5"], "--steps must be an integer of at least 1, got -5;"),
        (["train", "probe", "--steps", "0"], "got 0; leave it out for the other budget; without"),
        (["train", "probe", "--minutes", "0"], "--minutes must be a number above 0, got 0; leave"),
        (["train", "probe", "--minutes", "nan"], "--minutes must be a number above 0, got nan;"),
        (["train", "--resume", "{here}/run", "--steps", "0"], "the budget is that of the run."),
        (
            ["train", "probe", "--network", "8,x"],
            "error: network must be integers separated by commas",
        ),
        (["train", "probe", "--network", "0"], "error: network must be"),
        (["train", "probe", "--against", "wrung"], "opponent 'wrung'. Did you mean 'wrong'?"),
        (["train", "probe", "--against", ""], "such as random,runs/first, got ''; leave it out"),
        (["train", "probe", "--against", "wrong,"], "separated by commas, such as random,runs/fir"),
        (["train", "probe", "--seeds", "a"], "error: seeds must be a range or a list"),
        (["train", "probe", "--seeds", "0-1", "--seed", "3"], "give --seed or --seeds, not both."),
        (["train", "probe", "--sweep", "gama=1"], "training option 'gama'. Did you mean 'gamma'?"),
        (["train", "probe", "--sweep", "gamma=0.9,2"], "gamma must be a number from 0 to 1, got 2"),
        (["train", "probe", "--seeds", "0-1", "--out", "{here}"], "is not empty: choose another"),
        (["train", "probe", "--out", "{here}"], "is not empty: choose another"),
        (["train", "probe", "--out", "{here}/file"], "cannot be made: "),
        (["train", "probe", "--out", "{here}/run"], "already contains a run"),
        (["train", "probe", "--normalize-rewards", "maybe"], "of normalize_rewards 'maybe'."),
        (["train", "probe", "--random-opponent", "some"], "of random_opponent 'some'."),
        (
            ["train", "probe_in_turn", "--out", "{here}/x"],
            "must have the function acting",
        ),
        (["train", "--resume", "{here}/nothing"], "nothing': name the directory of a run, as"),
        (["train", "--resume", "{here}"], "contains no run: checkpoint.zip is missing."),
        (["train", "probe", "--resume", "{here}/run"], "own options; remove GAME."),
        (
            ["train", "--resume", "{here}/run", "--gamma", "0.99", "--games", "3"],
            "own options; remove --games, --gamma.",
        ),
        (["train", "probe", "--players", "perfect"], "--against chooses the opponents."),
        (["train", "probe", "--players", "3"], "probe is for 2 players, got --players 3."),
        (["train", "probe", "--preset", "fast"], "unknown preset of probe 'fast'."),
        (["train", "--resume", "{here}/run", "-o", "turns=3"], "remove --option."),
        (["evaluate", "probe", "-p", "perfekt"], "error: unknown opponent 'perfekt'."),
        (["evaluate", "probe", "-p", "{here}/file"], "no package can load"),
        (["evaluate", "probe", "-p", "random", "--games", "0"], "games must be"),
        (["evaluate", "probe", "-p", "random", "--seed", "-1"], "seed must be"),
    ],
)
def test_errors__are_one_line_and_status_2(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_bytes(b"{}")
    result = call(*(one.replace("{here}", str(tmp_path)) for one in arguments))
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.slow
def test_train__stops_and_resumes_several_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    out, game = tmp_path / "few", Path(__file__).parents[1] / "games" / "tally_game.py"
    words = ["train", f"{game}:GAME", *SMALL, "--learning-rate", "0.001"]
    main = [sys.executable, "-c", "from axiom_gym.cli import main; main()"]
    many = [*words, "--seeds", "0-1", "--sweep", "epochs=1", "--steps", "100000", "--out", str(out)]
    process = subprocess.Popen([*main, *many], env=environment, stdout=subprocess.PIPE, text=True)
    runs = [out / "epochs=1" / f"seed-{seed}" for seed in (0, 1)]
    wait_for(lambda: all((run / ITERATIONS).exists() for run in runs), process)
    os.kill(process.pid, signal.SIGINT)
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert printed.splitlines()[-1].endswith(f"Resume with: axiom-gym train --resume {out}")
    assert all((run / "checkpoint.zip").exists() for run in runs)
    steps = 64 + max(int(read_rows(run / ITERATIONS)[-1]["steps"]) for run in runs)
    result = call("train", "--resume", out, "--steps", steps, "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert (facts["runs"], facts["finished"]) == (2, 2)
    assert facts["results"][0]["setting"] == {"epochs": 1}
    assert {path.name for path in runs[1].iterdir()} == FILES
    assert (out / "summary.csv").exists()
    again = call("train", "--resume", out)
    assert "2 runs in" in again.output
    assert "of which 2 are finished" in again.output


# Help


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_help__explains_every_option(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    listed = result.output.partition("Options:\n")[2]
    options = [" ".join(one.split()) for one in re.split(r"\n  (?=-)", f"\n{listed}")[1:]]
    assert len(options) > 7
    for option in options:
        assert re.search(r" [A-Z][^[]+\w\.?( |$)", option), option


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_help__has_no_brackets_that_a_terminal_would_take_for_markup(command: str) -> None:
    (entry,) = entry_points(group="axiom_gym.commands", name=command)
    texts = [getattr(one, "help", "") for one in load_plugin(entry).params]
    assert any(text and "default" in text for text in texts)
    assert [text for text in texts if text and "[" in text] == []


def test_help__has_the_texts_and_defaults_of_the_configuration() -> None:
    printed = " ".join(CliRunner().invoke(app, ["train", "--help"]).output.split())
    for entry in describe_options(TrainConfig):
        if entry["name"] in commands._APART:
            continue
        default = entry["default"]
        if isinstance(default, tuple):
            default = ",".join(map(str, default))
        flag = f"--{entry['name'].replace('_', '-')}"
        text = f"{entry['doc']} [default: {default}]" if default != "" else entry["doc"]
        assert re.search(rf" {flag} \S+ {re.escape(text)}", printed), entry["name"]


def test_errors__come_before_torch(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    commands = [
        ["evaluate", "quantariz", "--players", "greedy"],
        ["evaluate", "quantaris", "--players", "gredy"],
        ["evaluate", "quantaris", "--players", "greedy,runs/x/model.zip"],
        ["evaluate", "quantaris", "--players", "greedy", "--against", "guardiam"],
        ["train", "quantariz"],
        ["train", "quantaris", "--preset", "v1"],
        ["train", "quantaris", "--against", "greedy,guardiam"],
        ["train", "quantaris", "--against", ""],
        ["train", "quantaris", "--steps", "0"],
        ["train", "quantaris", "--out", str(tmp_path)],
        ["train", "quantaris", "--seeds", "0-1", "--out", str(tmp_path)],
        ["train", "--resume", str(tmp_path)],
    ]
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from axiom_gym.cli import app\n"
        f"for words in {commands!r}:\n"
        "    result = CliRunner().invoke(app, words)\n"
        "    slow = {'torch', 'numba', 'stable_baselines3', 'matplotlib'} & set(sys.modules)\n"
        "    print(result.exit_code, result.output.startswith('error: '), sorted(slow))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.splitlines() == ["2 True []"] * len(commands)


def test_help__needs_no_torch() -> None:
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from axiom_gym.cli import app\n"
        "result = CliRunner().invoke(app, ['train', '--help'])\n"
        "assert 'self-play' in result.output\n"
        "print([name for name in ('torch', 'stable_baselines3') if name in sys.modules])\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout == "[]\n"


def test_commands__need_their_packages() -> None:
    code = (
        "import sys\n"
        "sys.modules['openskill'] = None\n"
        "from axiom_gym.cli import app\n"
        "app(['train', 'probe'])\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert output.returncode == 2
    assert "pip install 'axiom-gym[train]' (No module named 'openskill')" in output.stderr


# evaluate


def test_evaluate__measures_models_and_bots(trained: tuple[Path, Any]) -> None:
    model = trained[0] / "model.zip"
    options = ["-o", "turns=3", "-o", "label=a b"]
    result = call("evaluate", "probe", "-p", f"{model},perfect", "--games", 20, *options)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == str(model)
    assert [line.split()[0] for line in lines[2:5]] == ["random", "perfect", "wrong"]
    assert "Ratings (random = 0)" in lines


def test_train_and_evaluate__take_old_spellings_with_a_note() -> None:
    words = ["train", "probe", "--num-games", "0"]
    found = call(*words).output.splitlines()
    assert found == [
        "note: write --games instead of --num-games.",
        "error: games must be an integer at least 1, got 0.",
    ]
    words = ["evaluate", "probe", "--games", 4, "--json"]
    old, new = (
        call(*words, "--player=perfect", "--player", "wrong"),
        call(*words, "-p", "perfect,wrong"),
    )
    assert old.stderr == "note: write --players instead of --player.\n" * 2
    assert (old.stdout, new.stderr) == (new.stdout, "")
    assert json.loads(new.stdout)["scores"].keys() == {"perfect", "wrong"}


def test_evaluate__measures_the_default_opponents_without_players() -> None:
    found = json.loads(call("evaluate", "probe", "-p", 2, "--games", 4, "--json").stdout)
    assert found["scores"].keys() == {"perfect", "wrong"}
    assert (found["seed"], found["games"]) == (0, 4)


def test_evaluate__refuses_a_model_of_other_options(trained: tuple[Path, Any]) -> None:
    result = call("evaluate", "probe", "-p", trained[0] / "model.zip", "--games", 4)
    assert result.exit_code == 2
    assert "was trained on probe-v0 with turns=3" in result.output


def test_evaluate__prints_json() -> None:
    result = call("evaluate", "probe", "-p", "perfect", "--games", 10, "--json")
    found = json.loads(result.output)
    assert found["scores"]["perfect"].keys() == {"random", "wrong"}
    score = found["scores"]["perfect"]["wrong"]
    assert (score["score"], score["wins"]) == (1.0, 10)
    assert score["interval"] == pytest.approx([0.7225, 1.0], abs=1e-4)
    ratings = found["ratings"]
    assert ratings["random"]["points"] == 0
    assert ratings["perfect"]["points"] > 0 > ratings["wrong"]["points"]


def test_evaluate__depends_on_its_seed() -> None:
    words = ["evaluate", "probe", "-p", "random", "--against", "random", "--games", 50, "--json"]
    first = call(*words, "--seed", 1).output
    assert call(*words, "--seed", 1).output == first
    assert call(*words, "--seed", 2).output != first


def test_evaluate__plays_against_the_given_opponents() -> None:
    words = ["evaluate", "probe", "-p", "random", "--against", "wrong", "--games", 10, "--json"]
    found = json.loads(call(*words).output)
    assert found["scores"].keys() == {"random"}
    assert found["scores"]["random"].keys() == {"wrong"}
    found = json.loads(call(*words, "--no-ratings").output)
    assert found["ratings"] == {}


def test_evaluate__puts_the_first_opponent_at_0_without_random() -> None:
    words = ["evaluate", "probe", "-p", "perfect", "--against", "wrong", "--games", 10]
    assert "Ratings (wrong = 0)" in call(*words).output


def test_evaluate__rates_the_players_who_fill_a_table() -> None:
    result = call("evaluate", "probe_trio", "-p", "perfect", "--games", 9, "--json")
    found = json.loads(result.output)
    assert found["scores"]["perfect"]["wrong"]["wins"] == 9
    games = {name: one["games"] for name, one in found["ratings"].items()}
    assert games == dict.fromkeys(("perfect", "random", "wrong"), 9)
    words = ["evaluate", "probe_trio", "-p", "perfect", "--against", "wrong", "--games", 9]
    assert json.loads(call(*words, "--json").output)["ratings"] == {}


# One player


@pytest.fixture(scope="module")
def climbed(climb: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Return the directory of a run in a game for one player, and the command's result."""
    out = tmp_path_factory.mktemp("runs") / "run"
    options = ["-o", "limit=9", "--demo"]
    result = call("train", "climb", "--steps", 96, "--out", out, "--seed", 3, *options, *SMALL)
    assert result.exit_code == 0, result.output
    return out, result


def test_train__reports_a_game_for_one_player(climbed: tuple[Path, Any]) -> None:
    out, result = climbed
    printed = result.output
    assert {path.name for path in out.iterdir()} == FILES
    assert f"Training Climb in {out}, seed 3\n" in printed
    assert "M steps (against: the same seeds, each player alone; the higher outcome" in printed
    assert "Outcomes of each player alone on the same seeds\n" in printed
    assert "Ratings" not in printed
    assert (
        f"watch it: axiom-gym play climb-v0 -o limit=9 --players {out / 'model.zip'}\n" in printed
    )
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert results["ratings"] == {}
    assert results["scores"].keys() == {"random", "careful"}
    assert results["outcomes"].keys() == {"model", "random", "careful"}
    # Heights 0 to 8, a quarter of each.
    careful = {"mean": 9.0, "standard_error": 0.0, "lowest": 9.0, "highest": 9.0, "games": 20}
    assert results["outcomes"]["careful"] == careful


def test_train__saves_a_replay_of_one_player(climbed: tuple[Path, Any]) -> None:
    out, _ = climbed
    assert replay.verify(out / "game.jsonl").ok
    (player,) = replay.load(out / "game.jsonl").header.players
    assert player.name == "model.zip"
    assert " with a score of " in (out / "game.txt").read_text(encoding="utf-8")


def test_play__takes_the_model_of_a_game_for_one_player(climbed: tuple[Path, Any]) -> None:
    result = call("play", "climb", "-o", "limit=9", "--a", climbed[0] / "model.zip", "-q")
    assert result.exit_code == 0, result.output
    assert "player_0 = model.zip\n" in result.output


def test_evaluate__compares_players_of_a_game_for_one(climbed: tuple[Path, Any]) -> None:
    model = climbed[0] / "model.zip"
    result = call("evaluate", "climb", "-p", model, "--games", 20, "-o", "limit=9")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == (
        f"{model} (against: the same seeds, each player alone; the higher outcome wins)"
    )
    assert [line.split()[0] for line in lines[2:4]] == ["random", "careful"]
    assert lines[5] == "Outcomes of each player alone on the same seeds"
    means = [float(line.split()[1]) for line in lines[7:10]]
    assert means == sorted(means, reverse=True)
    assert ["careful", "9", "0", "9", "9", "20"] in [line.split() for line in lines[7:10]]


def test_evaluate__prints_outcomes_as_json(climb: ModuleType) -> None:
    words = ["evaluate", "climb", "-p", "careful", "-p", "random", "--games", 30, "--json"]
    found = json.loads(call(*words, "-o", "limit=9").output)
    assert found["ratings"] == {}
    assert found["scores"]["careful"].keys() == {"random"}
    wins = found["scores"]["careful"]["random"]["wins"]
    assert wins == found["scores"]["random"]["careful"]["losses"] > 20
    assert found["outcomes"]["careful"]["mean"] == 9.0
    assert found["outcomes"]["random"]["standard_error"] > 0


def test_evaluate__counts_equal_outcomes_as_draws_in_a_game_for_one(climb: ModuleType) -> None:
    words = ["evaluate", "climb", "-p", "random", "--against", "random", "--games", 9, "--json"]
    found = json.loads(call(*words).output)
    assert found["scores"]["random"]["random"]["draws"] == 9
    assert found["outcomes"].keys() == {"random"}


# Signals


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("stop", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_train__saves_a_checkpoint_after_a_signal(
    tmp_path: Path, environment: dict[str, str], stop: signal.Signals, status: int
) -> None:
    out = tmp_path / "a run"
    words = ["train", "quantaris", "--steps", "10000000", "--out", str(out), *SMALL]
    process = subprocess.Popen(
        [sys.executable, "-c", "from axiom_gym.cli import main; main()", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: len(read_rows(out / ITERATIONS)) >= 3, process)
    os.kill(process.pid, stop)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in errors
    last = printed.splitlines()[-1]
    assert last == (
        f"Interrupted; the checkpoint is saved. Resume with: axiom-gym train --resume '{out}'"
    )
    steps = load_checkpoint(out / "checkpoint.zip").meta["progress"]["steps"]
    assert read_rows(out / ITERATIONS)[-1]["steps"] == steps
    assert (out / "learning_curve.png").exists()
    result = call("train", "--resume", out, "--steps", steps + 64)
    assert result.exit_code == 0, result.output
    rows = [int(row["steps"]) for row in read_rows(out / ITERATIONS)]
    assert rows == list(range(64, steps + 65, 64))
