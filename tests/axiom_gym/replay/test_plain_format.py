"""The contents of the replay of a plain Python game."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import GameLoop, GameResult, Player, state_digest
from axiom_gym.replay import load

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
        "turn",
        "forfeit",
        *["turn"] * 2,
        "footer",
    ]
    assert (header["game"], header["version"], header["seed"]) == ("race", 3, 1)
    assert header["options"] == {"goal": 2, "lives": 1}
    assert header["players"][1] == {"id": "bob", "name": "crash"}
    assert header["fields"] == sorted(field.name for field in dataclasses.fields(race.RaceState))
    assert "fields" not in first
    assert first["orders"] == [{"type": "walk", "player_id": "ann"}]
    assert (first["turn"], first["player"], first["legal"]) == (1, 0, [[2]])
    assert (second["player"], second["why"], second["turn"]) == (1, "raised", 2)
    assert not {"fallback", "why"} & set(first)
    assert not {"orders", "legal"} & set(second)
    assert (footer["turns"], footer["ended"]) == (4, "terminated")
    assert footer["outcome"] == [2.0, -1.0, 1.0]
    assert footer["rankings"][0] == {"player": "ann", "rank": 1, "score": 2.0}
    assert footer["hash"] == lines[-2]["hash"] == state_digest(result.final_state)


def test_turns__count_draws(play: Play) -> None:
    def roll(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[1]

    result = play(4, ann=walk, bob=roll, lives=9)
    rolls = [int(turn.orders[0]["type"] == "roll") for turn in result.replay.turns]
    assert [turn.draws for turn in result.replay.turns] == rolls
    assert {0, 1} == set(rolls)


def test_turns__name_the_seats_of_fallbacks(play: Play, tmp_path: Path) -> None:
    replay = play(1, ann=crash, bob=walk, goal=2, fallback=walk).replay
    lines = [json.loads(line) for line in replay.to_text().splitlines()]
    assert [line.get("fallback") for line in lines[1:-1]] == [[0], None, [0]]
    replay.save(tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == replay


def test_turns__name_the_fields_when_they_change(race: ModuleType) -> None:
    class Loose(race.Scribble):  # type: ignore[misc, name-defined]
        """A game whose state is a mapping that gets one more key in each turn."""

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


def test_replay__needs_actions_that_json_can_hold(race: ModuleType) -> None:
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
    assert replay.turns[0].orders == ({"name": "print"},)


def test_replay__needs_options_that_json_can_hold(play: Play) -> None:
    with pytest.raises(GameError, match="cannot be written as JSON"):
        play(1, goal=float("nan"))


def test_header__names_the_agents(play: Play) -> None:
    replay = play(1, ann=walk, bob=walk).replay
    assert replay.header.players == (Player("ann", "walk"), Player("bob", "walk"))
    assert replay.header.made_with.startswith("axiom-gym ")
