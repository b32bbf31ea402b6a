"""`axiom-gym playthrough`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from axiom_gym import replay
from axiom_gym.play import playthrough

Run = Callable[..., str]
GAMES = Path(__file__).parents[2] / "games"
RACE = f"{GAMES / 'race_game.py'}:Race"
SLIP = f"{GAMES / 'slip_game.py'}:GAME"


def test_playthrough__records_a_whole_game_that_can_be_verified(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new" / "race-v3.jsonl"
    text = run("playthrough", RACE, "--out", path.parent, "--players", "3", "--seed", "5")
    assert text == f"{path}: {replay.load(path).footer.turns} turns, seed 5.\n"
    loaded = replay.load(path)
    assert [player.name for player in loaded.header.players] == ["random"] * 3
    assert (loaded.header.seed, loaded.footer.ended) == (5, "terminated")
    assert replay.verify(loaded, RACE).ok


def test_playthrough__refuses_a_seed_with_which_nobody_wins(run: Run, tmp_path: Path) -> None:
    text = run("playthrough", SLIP, "--out", tmp_path / "one", "--seed", "3", status=2)
    assert "error: with seed 3, random, random: nobody wins. A playthrough is a whole game" in text
    assert not (tmp_path / "one").exists()


def test_playthrough__searches_for_a_seed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = playthrough.find_flaw
    dull = {1, 2}
    monkeypatch.setattr(
        playthrough,
        "find_flaw",
        lambda played: "dull" if played.header.seed in dull else find(played),
    )
    assert run("playthrough", SLIP, "--out", tmp_path).endswith(" seed 5.\n")


def test_playthrough__never_overwrites_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "race-v3.jsonl"
    path.write_text("mine")
    text = run("playthrough", RACE, "--out", tmp_path, status=2)
    assert f"'{path}' exists already, and is not overwritten" in text
    assert path.read_text() == "mine"


@pytest.mark.slow
def test_playthrough__records_every_preset(run: Run, tmp_path: Path) -> None:
    run("playthrough", "quantaris", "--out", tmp_path)
    names = ["quantaris-v0.1.jsonl", "quantaris-v0.2.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_find_flaw__tells_of_games_that_a_limit_ended(run: Run, tmp_path: Path) -> None:
    text = run(
        "playthrough", RACE, "-o", "lives=99", "-o", "max_decisions=3", "--out", tmp_path, status=2
    )
    seeds = f"each seed from 1 to {playthrough.MOST_SEEDS}"
    assert f"with {seeds}, random, random: the game is truncated after 3 turns" in text
