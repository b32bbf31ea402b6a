"""Reading of replays: every kind of damage has its message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym import replay
from axiom_gym.errors import ReplayError
from axiom_gym.game import GameResult
from axiom_gym.replay import Replay
from axiom_gym.replay import format as replay_format
from axiom_gym.replay import reader as replay_reader

Play = Callable[..., GameResult]
Edit = Callable[[list[str]], list[str]]


@pytest.mark.parametrize("place", ["missing.jsonl", "."])
def test_load__reports_a_path_that_is_no_file(tmp_path: Path, place: str) -> None:
    with pytest.raises(ReplayError, match="cannot read replay"):
        replay.load(tmp_path / place)


def header(**changes: Any) -> Edit:
    """Return an edit that changes entries of the first line."""
    return entry(0, **changes)


def entry(line: int, **changes: Any) -> Edit:
    """Return an edit that changes entries of a line; ... removes one."""

    def edit(lines: list[str]) -> list[str]:
        entries = {**json.loads(lines[line]), **changes}
        lines[line] = json.dumps({key: value for key, value in entries.items() if value is not ...})
        return lines

    return edit


def text(line: int, written: str) -> Edit:
    """Return an edit that replaces a line."""

    def edit(lines: list[str]) -> list[str]:
        lines[line] = written
        return lines

    return edit


DAMAGES: dict[str, tuple[Edit, str]] = {
    "empty": (lambda lines: [], "is empty"),
    "other json": (lambda lines: ['{"a": 1}'], "line 1: entry 'type' is missing"),
    "no object": (text(0, "[]"), "line 1: expected a JSON object, got list"),
    "no header": (lambda lines: lines[1:], "line 1: .*no replay|line 1: entry 'format' is missing"),
    "another format": (header(format="chess"), "line 1: this is no replay"),
    "format version": (
        header(format_version=4),
        "format version 4 is unknown.*made with axiom-gym",
    ),
    "unknown game": (header(game="chess"), "a game of chess-v0.*installed are .*quantaris-v0"),
    "unknown version": (header(version=7), "a game of quantaris-v7.*installed are .*quantaris-v0"),
    "options": (header(options={"ruleset": "0.1"}), "'options' were changed"),
    "unknown option": (
        header(
            options={"rulset": "0.1"},
            options_hash=replay_format.hash_options({"rulset": "0.1"}),
        ),
        "unknown option of quantaris 'rulset'. Did you mean 'ruleset'",
    ),
    "one player": (header(players=[{"id": "a", "name": "b"}]), "'players' must have 2 items"),
    "player": (header(players=["a", "b"]), "'players' must hold JSON objects"),
    "seed": (header(seed=2**32), "'seed' must be from 0 to 4294967295, got 4294967296"),
    "seed type": (header(seed="1"), "'seed' must be of type int, got '1'"),
    "seed truth": (header(seed=True), "'seed' must be of type int, got True"),
    "fields": (header(fields=[1]), "'fields' must be names"),
    "plain": (header(plain="no"), "'plain' must be of type bool, got 'no'"),
    "twins": (
        header(players=[{"id": "a", "name": ""}] * 2),
        "'players' must be 1 to 1000 with ids of their own, got 2",
    ),
    "model": (
        header(players=[{"id": "a", "name": "", "model": "x"}, {"id": "b", "name": ""}]),
        "'model' must be 16 hex digits, got 'x'",
    ),
    "older": (
        header(format_version=2),
        "the format is an older one.*axiom-gym replay convert",
    ),
    "match": (
        header(format="axiom-gym-match", format_version=1),
        "line 1: the format is an older one: convert the file by `axiom-gym replay convert FILE`",
    ),
    "hash": (header(hash="xyz"), "'hash' must be 16 hex digits"),
    "json": (text(3, '{"type":"turn",'), "line 4: no valid JSON"),
    "not a number": (text(3, '{"type":NaN}'), "line 4: no valid JSON .NaN"),
    "deep": (text(3, "[" * 100_000), "line 4: no valid JSON"),
    "blank line": (text(3, ""), "line 4: no valid JSON"),
    "type": (entry(3, type="move"), "line 4: expected a turn, a forfeit or the footer, got 'move'"),
    "second header": (
        lambda lines: [lines[0], *lines],
        "line 2: expected a turn",
    ),
    "missing turn": (lambda lines: [*lines[:3], *lines[4:]], "line 4: expected turn 3, got turn 4"),
    "orders": (entry(3, orders=[[1, 2, 3]]), "line 4: 'orders' must have 2 items"),
    "order": (entry(3, orders=[[1, 2, 3], [1, 2]]), "line 4: 'orders' must be 3 integers"),
    "order type": (entry(3, orders=[[1, 2, 3], [1, 2, 0.5]]), "'orders' must be 3 integers"),
    "order size": (entry(3, orders=[[1, 2, 3], [1, 2, 2**70]]), "must be 3 integers"),
    "player of all": (entry(3, player=0), "line 4: 'player' must be null"),
    "legal": (entry(3, legal=[[1, 2, 3]]), "line 4: 'legal' must have 2 items"),
    "fallback": (entry(3, fallback=[2]), r"line 4: 'fallback' must hold seats, got \[2\]"),
    "no why": (entry(3, type="forfeit"), "line 4: entry 'why' is missing"),
    "empty why": (entry(3, type="forfeit", why=""), "'why' must say how the player failed"),
    "forfeit of all": (entry(3, type="forfeit", why="late"), "'player' must be of type int"),
    "no draws": (entry(3, draws=...), "line 4: entry 'draws' is missing"),
    "cut line": (lambda lines: [*lines[:-1], lines[-1][:40]], "line 33: no valid JSON.*cut off"),
    "no footer": (lambda lines: lines[:-1], "has no footer after turn 31: it was cut off"),
    "only header": (lambda lines: lines[:1], "has no footer after turn 0"),
    "after footer": (lambda lines: [*lines, lines[-1]], "line 33: nothing may follow the footer"),
    "turns": (entry(-1, turns=30), "line 33: the game has 30 turns, but 31 are recorded"),
    "ended": (
        entry(-1, ended="soon"),
        "'ended' must be one of .*, forfeit, got 'soon'",
    ),
    "outcome": (entry(-1, outcome=[1.0]), "'outcome' must have 2 items"),
    "infinite": (
        text(-1, '{"type":"footer","turns":31,"ended":"terminated","outcome":[1e999,0]}'),
        "'outcome' must hold finite numbers",
    ),
    "rankings": (
        entry(-1, rankings=[{"player": "x", "rank": 1, "score": 1.0}] * 2),
        "'player' must be one of player_0, player_1, got 'x'",
    ),
}


PLAIN_DAMAGES: dict[str, tuple[Edit, str]] = {
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


def check_damage(recorded: Replay, folder: Path, edit: Edit, message: str) -> None:
    """Check that `load` refuses an edited replay with this message, which names the file."""
    path = folder / "damaged.jsonl"
    lines = edit(recorded.to_text().splitlines())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with pytest.raises(ReplayError, match=message) as caught:
        replay.load(path)
    assert "damaged.jsonl" in str(caught.value)


@pytest.mark.parametrize("name", DAMAGES)
def test_load__of_a_damaged_replay_names_the_damage(
    game: Replay, tmp_path: Path, name: str
) -> None:
    check_damage(game, tmp_path, *DAMAGES[name])


@pytest.mark.parametrize("name", PLAIN_DAMAGES)
def test_load__of_a_damaged_plain_replay_names_the_damage(
    play: Play, tmp_path: Path, name: str
) -> None:
    def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[0]

    edit, message = PLAIN_DAMAGES[name]
    check_damage(play(1, ann=walk, bob=walk).replay, tmp_path, edit, message)


def test_load__of_bytes_that_are_no_text_names_the_line(game: Replay, tmp_path: Path) -> None:
    lines = game.to_text().encode().splitlines()
    lines[2] = b"\xff\xfe"
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(ReplayError, match=r"line 3: no valid JSON"):
        replay.load(tmp_path / "a.jsonl")


def test_parse__accepts_other_line_ends_and_a_missing_last_one(game: Replay, play: Play) -> None:
    for recorded in (game, play(1).replay):
        data = recorded.to_text().encode()
        assert replay_reader.parse(data.replace(b"\n", b"\r\n")) == recorded
        assert replay_reader.parse(data.removesuffix(b"\n")) == recorded


def test_hash_options__does_not_depend_on_their_order(play: Play) -> None:
    hashed = replay_format.hash_options({"lives": 1, "goal": 20})
    assert hashed in play(1).replay.to_text().splitlines()[0]
