"""What a match's replay holds, and that it is saved whole or not at all."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import GameError, ReplayError
from axiom_gym.game import GameLoop, GameResult, Player, state_digest
from axiom_gym.replay.match_reader import load
from axiom_gym.seeded_rng import SeededRNG

Play = Callable[..., GameResult]


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def crash(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    raise KeyError


def test_save__and_load_give_the_same_replay(play: Play, tmp_path: Path) -> None:
    results = [play(1), play(2, ann=walk, bob=crash, cid=walk), play(1, max_turns=3, game_id="é")]
    for number, result in enumerate(results):
        path = tmp_path / f"{number}.jsonl"
        result.replay.save(path)
        assert load(path) == result.replay
        assert path.read_bytes().decode() == result.replay.to_text() == load(path).to_text()


def test_save__writes_json_lines(play: Play, race: ModuleType) -> None:
    result = play(1, ann=walk, bob=crash, cid=walk, goal=2)
    lines = [json.loads(line) for line in result.replay.to_text().splitlines()]
    header, first, second, *_, footer = lines
    assert [line["type"] for line in lines] == [
        "header",
        "action",
        "forfeit",
        *["action"] * 2,
        "footer",
    ]
    assert (header["game"], header["version"], header["seed"]) == ("race", 3, 1)
    assert header["options"] == {"goal": 2, "lives": 1}
    assert header["players"][1] == {"id": "bob", "name": "crash"}
    assert header["fields"] == sorted(field.name for field in dataclasses.fields(race.RaceState))
    assert "fields" not in first
    assert first["action"] == {"type": "walk", "player_id": "ann"}
    assert (first["number"], first["turn"], first["player"]) == (1, 1, "ann")
    assert (first["by"], first["valid"], first["rng"]) == ("agent", 2, 1)
    assert (second["player"], second["why"], second["turn"]) == ("bob", "raised", 2)
    assert (footer["actions"], footer["reason"], footer["winner"]) == (4, "over", "ann")
    assert footer["rankings"][0] == {"player": "ann", "rank": 1, "score": 2.0}
    assert footer["hash"] == lines[-2]["hash"] == state_digest(result.final_state)


def test_steps__record_the_generator_before_each_action(play: Play) -> None:
    def roll(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[1]

    result = play(4, ann=walk, bob=roll, lives=9)
    rng = SeededRNG(4)
    for step in result.replay.steps:
        assert step.rng == rng.state
        if step.action["type"] == "roll":
            rng.next()
    assert rng.state != 4


def test_steps__name_the_fields_again_where_they_change(race: ModuleType) -> None:
    class Loose(race.Scribble):  # type: ignore[misc, name-defined]
        """Its state is a mapping, with a key more in each turn."""

        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            self.players = players
            return {}

        def execute_action(self, state: Any, action: str, rng: Any) -> Any:
            return {**state, f"turn {len(state)}": action}

        def is_game_over(self, state: Any) -> bool:
            return len(state) == 3

    replay = GameLoop(Loose(""), {"ann": walk}).run(1).replay
    lines = [json.loads(line) for line in replay.to_text().splitlines()]
    assert [line.get("fields") for line in lines] == [
        [],
        ["turn 0"],
        ["turn 0", "turn 1"],
        ["turn 0", "turn 1", "turn 2"],
        None,
    ]


def test_replay__needs_actions_that_json_can_say(race: ModuleType) -> None:
    class Odd(race.Scribble):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return [print]

        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            return super().execute_action(state, action.__name__, rng)

    with pytest.raises(GameError, match=r"print.* cannot be written as JSON"):
        GameLoop(Odd(""), {"ann": walk}).run(1)

    class Told(Odd):
        def encode_action(self, action: Any) -> Any:
            return {"name": action.__name__}

    replay = GameLoop(Told(""), {"ann": walk}).run(1).replay
    assert replay.steps[0].action == {"name": "print"}


def test_replay__needs_options_that_json_can_say(play: Play) -> None:
    with pytest.raises(GameError, match="cannot be written as JSON"):
        play(1, goal=float("nan"))


def test_save__that_fails_leaves_everything_as_it_was(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.jsonl"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(ReplayError, match=r"cannot write replay .*a.jsonl.*: No space left"):
        play(1).replay.save(path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]
    assert path.read_text() == "old"


def test_header__names_the_agents(play: Play) -> None:
    replay = play(1, ann=walk, bob=walk).replay
    assert replay.header.players == (Player("ann", "walk"), Player("bob", "walk"))
    assert replay.header.made_with.startswith("axiom-gym ")
