from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from typer.testing import CliRunner

from axiom_gym.cli import app
from axiom_gym.commands import group
from axiom_training.runlog import EVALUATIONS, ITERATIONS


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that runs `axiom-gym plot`, which an older installation may not have."""
    entry = EntryPoint("plot", "axiom_training.plot_command:plot", group.PLUGINS)
    monkeypatch.setattr(group, "_plugins", lambda: {"plot": entry})
    return lambda *words: CliRunner().invoke(app, ["plot", *map(str, words)])


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return a directory with two seeds of one setting and one of another."""
    for name, end in {"a/seed-0": 0.5, "a/seed-1": 0.9, "b/seed-0": 0.2}.items():
        (tmp_path / "runs" / name).mkdir(parents=True)
        rows = f"steps,charts/seconds,eval/random,eval/greedy\n0,0,0.5,0\n1000000,60,1,{end}\n"
        (tmp_path / "runs" / name / EVALUATIONS).write_text(rows, encoding="utf-8")
        rows = "steps,charts/episodic_return,charts/episodic_length\n0,0,1\n"
        (tmp_path / "runs" / name / ITERATIONS).write_text(rows, encoding="utf-8")
    return tmp_path / "runs"


def test_plot__writes_an_image_into_the_directory(call: Callable[..., Any], runs: Path) -> None:
    result = call(runs)
    assert result.exit_code == 0, result.output
    path = runs / "learning_curves.png"
    assert result.output == f"Drew eval/random, eval/greedy of 3 runs (2 lines) in {path}\n"
    pixels = matplotlib.image.imread(path)[..., :3].reshape(-1, 3)
    for color in ("#1f77b4", "#ff7f0e"):  # the first two colours of matplotlib
        wanted = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        assert (abs(pixels - wanted) < 0.02).all(axis=1).sum() > 100, color
    band = 1 - 0.2 * (1 - np.array([0x1F, 0x77, 0xB4]) / 255)  # of the group with two runs
    assert (abs(pixels - band) < 0.01).all(axis=1).sum() > 1000


def test_plot__draws_the_labels_as_text_in_svg(
    call: Callable[..., Any], runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")
    out = tmp_path / "curves.svg"
    result = call(runs / "a", runs / "b", "--metric", "greedy", "--x", "minutes", "--out", out)
    assert result.exit_code == 0, result.output
    text = out.read_text(encoding="utf-8")
    for label in (
        "a (2 runs)",
        ">b<",
        "against greedy",
        "minutes of training",
        "lowest to highest",
    ):
        assert label in text, label


def test_plot__of_several_directories_writes_into_the_current_one(
    call: Callable[..., Any], runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(runs / "a", runs / "b", "--band", "interval").exit_code == 0
    assert (tmp_path / "learning_curves.png").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{here}"], "contains no run"),
        (["{here}/none"], "there is no directory"),
        (["{here}/runs", "--metric", "gredy"], "unknown metric 'gredy'. Did you mean 'eval/greedy"),
        (
            ["{here}/runs", "--metric", "leng"],
            "Did you mean 'charts/episodic_length'? Valid: 'ch",
        ),
        (["{here}/runs", "--metric", "rewad"], "'eval/random'. The sum of an episode's rewards is"),
        (["{here}/runs", "--x", "hours"], "unknown horizontal axis 'hours'"),
        (["{here}/runs", "--band", "all"], "unknown band 'all'"),
        (["{here}/runs", "--out", "{here}/x.pgn"], "needs one of the suffixes"),
        (["{here}/runs", "--out", "{here}/none/x.png"], "there is no folder"),
    ],
)
def test_plot__reports_errors_in_one_line(
    call: Callable[..., Any], runs: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    if words == ["{here}"]:
        words = [str(tmp_path / "empty")]
        (tmp_path / "empty").mkdir()
    result = call(*(word.replace("{here}", str(tmp_path)) for word in words))
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert len(result.output.splitlines()) == 1
