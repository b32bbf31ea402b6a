"""Ways to damage the replay of a plain Python game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.errors import ReplayError
from axiom_gym.game import GameResult
from axiom_gym.replay.format import hash_options
from axiom_gym.replay.reader import load, parse

Play = Callable[..., GameResult]
Edit = Callable[[list[str]], list[str]]


def entry(line: int, **changes: Any) -> Edit:
    """Changes entries of a line; ... removes one."""

    def edit(lines: list[str]) -> list[str]:
        entries = {**json.loads(lines[line]), **changes}
        lines[line] = json.dumps({key: value for key, value in entries.items() if value is not ...})
        return lines

    return edit


DAMAGES: dict[str, tuple[Edit, str]] = {
    "nan": (entry(1, draws=float("nan")), "line 2: no valid JSON .*NaN"),
    "no header": (lambda lines: lines[1:], "line 1: this is no replay"),
    "game": (entry(0, game=3), "'game' must be of type str, got 3"),
    "kernel": (entry(0, plain=False), "line 1: it is a game of race-v3, .* installed are"),
    "match": (entry(0, match_id=3), "'match_id' must be of type str, got 3"),
    "no players": (
        entry(0, players=[]),
        "'players' must be 1 to 1000 with ids of their own, got 0",
    ),
    "field hashes": (entry(0, field_hashes="00"), "'field_hashes' must be 36 hex digits"),
    "fields": (entry(2, fields=["a"]), "line 3: 'field_hashes' must be 4 hex digits"),
    "turn": (entry(2, turn=5), "line 3: expected turn 2, got turn 5; lines are missing"),
    "player": (entry(1, player=2), "line 2: 'player' must be from 0 to 1, got 2"),
    "no player": (entry(1, player=None), "line 2: 'player' must be of type int, got None"),
    "no orders": (entry(1, orders=...), "line 2: entry 'orders' is missing"),
    "two actions": (entry(1, orders=[1, 2]), "line 2: 'orders' must have 1 items"),
    "legal": (entry(1, legal=[[2, 2]]), "line 2: 'legal' must be 1 integers for each player"),
    "cut off": (lambda lines: lines[:-1], "has no footer after turn 39: it was cut off"),
    "places": (entry(-1, rankings=[]), "'rankings' must have 2 items"),
    "rank": (
        entry(-1, rankings=[{"player": "ann", "rank": 0, "score": 1.0}] * 2),
        "'rank' must be from 1",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_load__says_what_is_damaged_and_where(play: Play, tmp_path: Path, name: str) -> None:
    edit, said = DAMAGES[name]
    walk = lambda state, actions, player_id, rng: actions[0]  # noqa: E731 - shorter
    lines = edit(play(1, ann=walk, bob=walk).replay.to_text().splitlines())
    path = tmp_path / "damaged.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(ReplayError, match=said) as error:
        load(path)
    assert "damaged.jsonl" in str(error.value)


def test_parse__takes_options_in_any_order_and_other_line_ends(play: Play) -> None:
    recorded = play(1).replay
    data = recorded.to_text().encode()
    assert parse(data.replace(b"\n", b"\r\n")) == recorded
    assert parse(data.removesuffix(b"\n")) == recorded
    assert hash_options({"goal": 20, "lives": 1}).encode() in data
