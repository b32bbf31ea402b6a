from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from axiom_gym import replay
from axiom_training.showcase import REPLAY, TEXT, save_showcase

Make = Callable[..., Any]


def test_showcase__is_a_replay_that_verifies(make_model: Make, tmp_path: Path) -> None:
    path, _ = save_showcase(make_model(turns=3), "perfect", "probe-v0", {"turns": 3}, 5, tmp_path)
    assert path == tmp_path / REPLAY
    assert replay.verify(path).ok
    header = replay.load(path).header
    assert [player.name for player in header.players] == ["random weights", "perfect"]
    assert header.options["turns"] == 3
    assert header.seed == 5


def test_showcase__is_a_text_of_every_turn(make_model: Make, tmp_path: Path) -> None:
    _, path = save_showcase(make_model(turns=3), "wrong", "probe-v0", {"turns": 3}, 5, tmp_path)
    assert path == tmp_path / TEXT
    text = path.read_text(encoding="utf-8")
    assert "random weights" in text
    assert all(f"turn {turn}, number" in text for turn in range(4))
    assert text.endswith("turns.\n")


def test_showcase__depends_on_its_seed(make_model: Make, tmp_path: Path) -> None:
    texts = []
    for seed in (1, 1, 2):
        _, path = save_showcase(make_model(), "random", "probe-v0", {}, seed, tmp_path)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1] != texts[2]


def test_showcase__fills_all_other_seats(
    make_model: Make, probe: ModuleType, tmp_path: Path
) -> None:
    path, _ = save_showcase(make_model(probe.TRIO), "wrong", "probe_trio-v0", {}, 0, tmp_path)
    names = [player.name for player in replay.load(path).header.players]
    assert names == ["random weights", "wrong", "wrong"]
