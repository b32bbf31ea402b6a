"""`axiom-gym replay`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from axiom_gym.play.match import Match

Run = Callable[..., str]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A replay of 31 turns."""
    path = tmp_path / "game.jsonl"
    Match("quantaris", ["random", "random"], seed=1).play().save(path)
    return path


def test_replay_verify__exits_with_1_where_a_game_differs_and_2_where_none_is(
    run: Run, saved: Path, tmp_path: Path
) -> None:
    changed, cut = tmp_path / "changed.jsonl", tmp_path / "cut.jsonl"
    lines = saved.read_text().splitlines(keepends=True)
    orders = re.sub(r'"orders":[^"]*,', '"orders":[[0,0,0],[0,0,0]],', lines[3])
    changed.write_text("".join([*lines[:3], orders, *lines[4:]]))
    cut.write_text("".join(lines[:9]))
    assert run("replay", "verify", saved).startswith(f"ok  {saved}: quantaris-v0: 31 turns play")
    text = run("replay", "verify", changed, saved, status=1)
    assert text.startswith(f"DIFFERS  {changed}: the state after turn 3 differs: expected hash ")
    assert "\nok  " in text
    text = run("replay", "verify", cut, changed, saved, status=2)
    assert text.startswith(f"error: replay '{cut}' has no footer after turn 8: it was cut off")
    assert "DIFFERS" in text


def test_replay_show__prints_the_game_or_one_turn(run: Run, saved: Path) -> None:
    text = run("replay", "show", saved)
    assert text.startswith("Quantaris; ruleset=0.2")
    assert len(re.findall(r"^Turn ", text, re.MULTILINE)) == 31
    assert text.endswith("player_0 (random) wins after 31 turns.\n\n")
    one = run("replay", "show", saved, "--turn", "7")
    assert one.startswith("Turn 7\n")
    assert one.rstrip() in text
    assert run("replay", "show", saved, "--turn", "0").startswith("turn 1; cores A=5 B=5")
    assert "turn must be an integer from 0 to 31" in run(
        "replay", "show", saved, "--turn", "32", status=2
    )


def test_replay_show__of_a_damaged_file_names_the_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    text = run("replay", "show", path, status=2)
    assert text == f"error: replay '{path}', line 1: entry 'type' is missing.\n"
