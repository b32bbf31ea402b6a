"""The file of a replay, which is written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from axiom_gym import replay
from axiom_gym.errors import ReplayError
from axiom_gym.game import Player
from axiom_gym.replay import Replay

Change = Callable[..., Replay]


def test_save__and_load_give_the_same_replay(game: Replay, trio: Replay, tmp_path: Path) -> None:
    for number, one in enumerate((game, trio)):
        path = tmp_path / f"{number}.jsonl"
        one.save(path)
        loaded = replay.load(path)
        assert loaded == one
        assert loaded.to_text() == one.to_text() == path.read_bytes().decode("utf-8")
        assert replay.verify(path).ok


def test_save__writes_json_lines(game: Replay, tmp_path: Path) -> None:
    game.save(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    assert [entry["type"] for entry in entries] == ["header", *["turn"] * 31, "footer"]
    assert (entries[0]["game"], entries[0]["options"]["ruleset"]) == ("quantaris", "0.2")
    assert [entry["turn"] for entry in entries[1:-1]] == list(range(1, 32))
    assert entries[-1]["rankings"][0] == {"player": "player_0", "rank": 1, "score": 1.0}
    assert entries[-1]["hash"] == entries[-2]["hash"]


def test_save__keeps_the_digest_of_a_model(game: Replay, change: Change, tmp_path: Path) -> None:
    players = (Player("player_0", "random", "0123456789abcdef"), game.header.players[1])
    played = change(game, "header", players=players)
    played.save(tmp_path / "a.jsonl")
    loaded = replay.load(tmp_path / "a.jsonl")
    assert [player.model for player in loaded.header.players] == ["0123456789abcdef", ""]
    entries = json.loads(played.to_text().splitlines()[0])["players"]
    assert [sorted(entry) for entry in entries] == [["id", "model", "name"], ["id", "name"]]
    assert replay.verify(played).ok


@pytest.mark.slow
def test_save__gives_the_same_bytes_in_another_process(
    game: Replay, python: Callable[..., str]
) -> None:
    code = (
        "import sys; from axiom_gym.play.match import Match\n"
        "replay = Match('quantaris', ['random', 'random'], seed=1).play()\n"
        "sys.stdout.write(replay.to_text())"
    )
    assert python(code) == game.to_text()


def test_save__that_fails_leaves_everything_as_it_was(
    game: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.jsonl"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(ReplayError, match=r"cannot write replay '.*a\.jsonl': No space left"):
        game.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("place", ["missing/a.jsonl", "file/a.jsonl", "folder"])
def test_save__reports_a_path_that_cannot_be_written(
    game: Replay, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReplayError, match="cannot write replay"):
        game.save(tmp_path / place)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]
