"""Each way to damage a match's replay has its message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym import replay
from axiom_gym.errors import ReplayError
from axiom_gym.game import GameResult
from axiom_gym.replay.format import hash_options
from axiom_gym.replay.match_reader import load, parse

Play = Callable[..., GameResult]
Edit = Callable[[list[str]], list[str]]


def entry(line: int, **changes: Any) -> Edit:
    """Changes entries of a line; ... removes one."""

    def edit(lines: list[str]) -> list[str]:
        entries = {**json.loads(lines[line]), **changes}
        lines[line] = json.dumps({key: value for key, value in entries.items() if value is not ...})
        return lines

    return edit


def text(line: int, written: str) -> Edit:
    def edit(lines: list[str]) -> list[str]:
        lines[line] = written
        return lines

    return edit


HEX = "0123456789abcdef"

DAMAGES: dict[str, tuple[Edit, str]] = {
    "empty": (lambda lines: [], "is empty"),
    "no object": (text(0, "[]"), "line 1: expected a JSON object, got list"),
    "no json": (text(2, '{"type":'), "line 3: no valid JSON"),
    "nan": (entry(1, rng=float("nan")), "line 2: no valid JSON .*NaN"),
    "no header": (lambda lines: lines[1:], "line 1: this is no replay of an object-level game"),
    "kernel replay": (entry(0, format="axiom-gym-replay"), "read by axiom_gym.replay.load"),
    "format version": (entry(0, format_version=2), "line 1: format version 2 is unknown"),
    "game": (entry(0, game=3), "'game' must be of type str, got 3"),
    "seed": (entry(0, seed=2**32), "'seed' must be from 0 to 4294967295"),
    "options": (entry(0, options={"goal": 3}), "'options' were changed: their hash is"),
    "no players": (
        entry(0, players=[]),
        "'players' must be 1 to 1000 with ids of their own, got 0",
    ),
    "twins": (entry(0, players=[{"id": "a", "name": ""}] * 2), "ids of their own, got 2"),
    "fields": (entry(0, fields=[1]), "'fields' must be names"),
    "field hashes": (entry(0, field_hashes="00"), "'field_hashes' must be 36 hex digits"),
    "hash": (entry(1, hash="xyz"), "line 2: 'hash' must be 16 hex digits, got 'xyz'"),
    "kind": (entry(1, type="turn"), "line 2: expected an action, a forfeit or the footer, got"),
    "number": (entry(2, number=5), "line 3: expected number 2, got 5; lines are missing"),
    "missing line": (lambda lines: [lines[0], *lines[2:]], "line 2: expected number 1, got 2"),
    "player": (entry(1, player="zoe"), "line 2: 'player' must be one of ann, bob, got 'zoe'"),
    "no action": (entry(1, action=...), "line 2: entry 'action' is missing"),
    "valid": (entry(1, valid=-1), "line 2: 'valid' must be from 0"),
    "rng": (entry(1, rng=True), "line 2: 'rng' must be of type int, got True"),
    "why": (entry(1, type="forfeit"), "line 2: entry 'why' is missing"),
    "cut off": (lambda lines: lines[:-1], "has no footer after 39 actions: it was cut off"),
    "half a line": (lambda lines: [*lines[:-1], lines[-1][:30]], "line 41: no valid JSON"),
    "footer first": (lambda lines: [*lines, lines[1]], "line 41: nothing may follow the footer"),
    "count": (entry(-1, actions=4), "line 41: the match has 4 actions, but 39 are recorded"),
    "reason": (entry(-1, reason="bored"), "'reason' must be 'over', 'max_turns' or 'forfeit'"),
    "winner": (entry(-1, winner="zoe"), "'winner' must be one of ann, bob, got 'zoe'"),
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


@pytest.mark.parametrize("place", ["missing.jsonl", "."])
def test_load__of_what_is_no_file_says_so(tmp_path: Path, place: str) -> None:
    with pytest.raises(ReplayError, match="cannot read replay"):
        load(tmp_path / place)


def test_parse__takes_options_in_any_order_and_other_line_ends(play: Play) -> None:
    recorded = play(1).replay
    data = recorded.to_text().encode()
    assert parse(data.replace(b"\n", b"\r\n")) == recorded
    assert parse(data.removesuffix(b"\n")) == recorded
    assert hash_options({"goal": 20, "lives": 1}).encode() in data


def test_replay_of_kernel_games__refuses_a_match(play: Play, tmp_path: Path) -> None:
    play(1).replay.save(tmp_path / "match.jsonl")
    with pytest.raises(ReplayError, match="this is no replay"):
        replay.load(tmp_path / "match.jsonl")
