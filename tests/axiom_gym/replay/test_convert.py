"""Conversion of replays in older formats; the folder `old` has files of that time."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ReplayError, UnknownGameError
from axiom_gym.game import KernelGameObject
from axiom_gym.replay import Replay, verify
from axiom_gym.replay.convert import convert
from axiom_gym.replay.reader import parse

OLD = Path(__file__).parent / "old"
KERNELS = ("match-quantaris", "match-connect_four")


def read(name: str) -> bytes:
    return (OLD / f"{name}.jsonl").read_bytes()


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def find_kernel(game_id: str, options: dict[str, Any]) -> Any:
    return KernelGameObject(game_id, **options)


def loaded(name: str, find: Any = find_kernel) -> Replay:
    return parse(convert(read(name), name, find).encode())


def test_convert__of_version_2_keeps_each_line() -> None:
    old, replay = lines(read("connect_four")), loaded("connect_four")
    new = lines(replay.to_text().encode())
    assert old[1:] == new[1:]
    assert new[0] == {**old[0], "format_version": 3, "plain": False}
    assert verify(replay).ok


@pytest.mark.parametrize("name", KERNELS)
def test_convert__of_a_kernels_match_gives_the_turns_of_a_batch(name: str) -> None:
    old, replay = lines(read(name)), loaded(name)
    assert verify(replay).ok
    assert not replay.header.plain
    given = [tuple(line["action"]["orders"]) for line in old[1:-1]]
    assert given == [orders for turn in replay.turns for orders in turn.orders]
    fallbacks = sum(line["by"] == "fallback" for line in old[1:-1])
    assert fallbacks == sum(len(turn.fallback) for turn in replay.turns)


def test_convert__of_a_plain_match_plays_it_again(race: ModuleType) -> None:
    old, replay = lines(read("match-race")), loaded("match-race", lambda *_: race.Race())
    assert verify(replay, race.Race()).ok
    assert [line["hash"] for line in old[1:-1]] == [turn.hash for turn in replay.turns]
    whys = [(line["number"], line["why"]) for line in old[1:-1] if line["type"] == "forfeit"]
    assert whys == [(turn.number, turn.why) for turn in replay.turns if turn.why] != []
    assert [place.player.id for place in replay.footer.rankings] == ["ann", "cid", "bob"]


def test_convert__keeps_the_current_format(game: Replay) -> None:
    assert convert(game.to_text().encode(), "a", find_kernel) == game.to_text()


def changed(name: str, line: int, **entries: Any) -> bytes:
    rows = lines(read(name))
    rows[line].update(entries)
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def cut(name: str, count: int) -> bytes:
    return b"".join(read(name).splitlines(keepends=True)[:count])


RACE = "match-race"
DAMAGES: dict[str, tuple[bytes, str]] = {
    "format": (changed(RACE, 0, format="chess"), "line 1: format 'chess', version 1, is unknown"),
    "version": (changed("connect_four", 0, format_version=1), "-replay', version 1, is unknown"),
    "version 2": (changed("connect_four", 2, draws=-1), "a.jsonl', line 3: 'draws' must be from 0"),
    "cut": (cut(RACE, 9), "line 9: the match has no footer"),
    "header": (cut(RACE, 1), "line 1: the match has no footer"),
    "game": (changed(RACE, 0, version=2), "line 1: it is a match of race-v2, and this is race-v3"),
    "absent": (changed(RACE, 0, game="absent"), "line 1: unknown game 'absent-v3'"),
    "options": (changed(RACE, 0, options={}), "line 1: 'options' were changed"),
    "seed": (changed(RACE, 0, seed="x"), "line 1: 'seed' must be of type int"),
    "mover": (changed(RACE, 3, player="bob"), "line 4: it is cid's turn, and not bob's"),
    "action": (changed(RACE, 3, action="fly"), "line 4: the action is none of the 2 valid actions"),
    "hash": (changed(RACE, 4, hash="0" * 16), "line 5: the match plays out differently"),
    "start": (changed(RACE, 0, seed=4), "line 2: the match plays out differently"),
    "reason": (changed(RACE, -1, reason="forfeit"), "line 17: the match ended by 'over'"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_convert__names_what_is_wrong(name: str, race: ModuleType) -> None:
    def find(game_id: str, options: dict[str, Any]) -> Any:
        if game_id == "absent-v3":
            raise UnknownGameError("game", game_id, ["race-v3"])
        return race.Race()

    data, said = DAMAGES[name]
    with pytest.raises(ReplayError, match=said):
        convert(data, "a.jsonl", find)


def test_convert__plays_no_line_after_the_end(race: ModuleType) -> None:
    rows = lines(read(RACE))
    data = b"".join(json.dumps(row).encode() + b"\n" for row in [*rows[:-1], rows[-2], rows[-1]])
    with pytest.raises(ReplayError, match="line 17: the match is over before this line"):
        convert(data, "a.jsonl", lambda *_: race.Race())
