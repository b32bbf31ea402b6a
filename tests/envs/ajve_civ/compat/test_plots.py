from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.image
import matplotlib.pyplot
import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.ajve_civ.compat import plots
from axiom_envs.ajve_civ.compat.playing import play
from axiom_envs.ajve_civ.compat.plots import COURSE, FEELINGS, SCORES, save_plots, shorten, spread
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.state import state_dtype
from axiom_gym.errors import ConfigError

AIS = ("greedy", "conquer", "develop-consent")


def draw(directory: Path, names: Sequence[str] = AIS, labels: Sequence[str] = ()) -> list[Path]:
    """Save the plots of a game of 20 steps, and return their paths."""
    config = AjveCivConfig(players=len(names), duration=20)
    trace = play([names], [3], config, trace=True)[1]
    return save_plots(trace.states[0], trace.chosen[0], labels or names, directory)


def read(path: Path) -> npt.NDArray[Any]:
    """Return the pixels of a file, (height, width, 3)."""
    return np.asarray(matplotlib.image.imread(path)[..., :3])


def rows_of(picture: npt.NDArray[Any], colour: str, least: int = 30) -> list[int]:
    """Return the rows with at least a number of pixels of a colour."""
    wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    is_colour = (np.abs(picture * 255 - wanted) < 2).all(axis=-1)
    return np.flatnonzero(is_colour.sum(axis=1) >= least).tolist()


def test_pictures__are_drawn_into_a_new_directory(tmp_path: Path) -> None:
    directory = tmp_path / "a" / "b"
    paths = draw(directory)
    assert paths == [directory / name for name in (FEELINGS, COURSE, SCORES)]
    assert sorted(directory.iterdir()) == sorted(paths)  # and no temporary file
    for path in paths:
        height, width, _ = read(path).shape
        assert 500 < height < width < 2500
    assert rows_of(read(directory / COURSE), plots.VALUE_COLOURS["develop"])
    for colour in plots.COLOURS[: len(AIS)]:
        assert rows_of(read(directory / SCORES), colour)
    assert matplotlib.pyplot.get_fignums() == []


def test_pictures__replace_older_ones_and_leave_the_rest(tmp_path: Path) -> None:
    (tmp_path / SCORES).write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    draw(tmp_path)
    assert read(tmp_path / SCORES).ndim == 3
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.slow
def test_pictures__of_a_single_people_have_no_feelings(tmp_path: Path) -> None:
    assert draw(tmp_path, ["greedy"]) == [tmp_path / COURSE, tmp_path / SCORES]


@pytest.mark.slow
def test_pictures__of_many_players_name_the_best_and_the_last(tmp_path: Path) -> None:
    states = np.zeros(3, state_dtype(14))
    states["yields"] = np.arange(14) * 10  # level lines
    save_plots(states, np.zeros((2, 14), np.int8), [f"people {k}" for k in range(14)], tmp_path)
    picture = read(tmp_path / SCORES)
    named = [rows_of(picture, colour, 400) for colour in plots.COLOURS]
    faint = rows_of(picture, plots.FAINT, 400)
    assert max(named[5]) < min(faint) < max(faint) < min(named[6]) < min(named[7])
    height, width, _ = read(tmp_path / FEELINGS).shape
    assert height > width / 2  # in two rows


@pytest.mark.slow
def test_pictures__take_names_as_they_are(tmp_path: Path) -> None:
    draw(tmp_path, labels=["$x_{$", "_hidden", "x" * 300])
    assert read(tmp_path / FEELINGS).shape[1] < 2500


def test_names__are_cut_where_they_are_too_long() -> None:
    assert shorten("exchange-develop-consent") == "exchange-develop-consent"
    assert shorten("x" * 27) == "x" * 25 + "…"


def test_pictures__are_of_one_game_with_a_name_for_each_player(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"each of its 3 players; got .* \(20, 3\) and 2 names"):
        draw(tmp_path, labels=["a", "b"])
    trace = play([AIS], [3], AjveCivConfig(players=len(AIS)), trace=True)[1]
    with pytest.raises(ConfigError, match="show one game"):
        save_plots(trace.states, trace.chosen, AIS, tmp_path)
    with pytest.raises(ConfigError, match="at least one step"):
        save_plots(trace.states[0, :1], trace.chosen[0, :0], AIS, tmp_path)
    with pytest.raises(ConfigError, match="chosen must be of shape"):
        save_plots(trace.states[0], trace.chosen[0, :, 0], AIS, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_pictures__need_a_directory_that_can_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"cannot write plots to '.*file'.*Choose a directory"):
        draw(tmp_path / "file")


def test_pictures__need_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install axiom-gym\[train\] or axiom-gym\[bench\]"):
        draw(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ([0.9, 0.5, 0.1], [0.9, 0.5, 0.1]),
        ([0.9, 0.85, 0.84], [0.9, 0.8, 0.7]),
        ([0.5, 0.05, 0.0], [0.5, 0.1, 0.0]),
        ([1.2, 1.1], [1.0, 0.9]),
        ([], []),
    ],
)
def test_spread__keeps_names_apart(heights: list[float], expected: list[float]) -> None:
    assert spread(heights, 0.1) == pytest.approx(expected)
