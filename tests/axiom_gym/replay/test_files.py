"""Replays of both formats, and the games that they need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ReplayError
from axiom_gym.game import KernelGameObject
from axiom_gym.replay import Replay
from axiom_gym.replay.files import find_game, load_any, refuse
from axiom_gym.replay.match_format import MatchReplay

Matches = Callable[..., MatchReplay]


def test_load_any__reads_both_formats(game: Replay, race_match: Matches, tmp_path: Path) -> None:
    for replay in (game, race_match()):
        replay.save(tmp_path / "a.jsonl")
        assert load_any(tmp_path / "a.jsonl") == replay


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"a\.jsonl' is empty"),
        ("{}", "line 1: entry 'type' is missing"),
        ('{"type":"header","format":"chess"}', "'format' must be 'axiom-gym-replay', a game of a "),
        ("nonsense", "line 1: no valid JSON"),
    ],
)
def test_load_any__names_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(ReplayError, match=said):
        load_any(path)
    with pytest.raises(ReplayError, match=r"cannot read replay .*none\.jsonl': No such file"):
        load_any(tmp_path / "none.jsonl")


def test_find_game__takes_the_given_one(race: ModuleType, race_match: Matches) -> None:
    game = race.Race()
    assert find_game(race_match().header, game) is game
    with pytest.raises(ReplayError, match=r"is of 'race', version 3, .* this is 'scribble'"):
        find_game(race_match().header, race.Scribble(""))


def test_find_game__knows_installed_games(four_match: MatchReplay) -> None:
    found = find_game(four_match.header)
    assert isinstance(found, KernelGameObject)
    assert found.metadata.name == "connect_four"


def test_find_game__tells_what_would_be_needed(
    race_match: Matches, four_match: MatchReplay, change: Callable[..., Any]
) -> None:
    with pytest.raises(
        ReplayError,
        match=r"'race', version 3, made with axiom-gym .*; playing it again needs just that "
        r"version of the rules: verify\(path, game=MyGame\(\)\), or --game FILE\.py:NAME",
    ):
        find_game(race_match().header)
    with pytest.raises(ReplayError, match=r"version 9, .* installed is connect_four-v0; playing"):
        find_game(change(four_match, "header", version=9).header)
    with pytest.raises(ReplayError, match="do not fit connect_four-v0: unknown option"):
        find_game(change(four_match, "header", options={"size": 3}).header)


def test_refuse__raises_for_a_difference(race_match: Matches) -> None:
    class Difference:
        message = "turn 3 differs."

    refuse(None)
    with pytest.raises(ReplayError, match="does not play out as recorded: turn 3 differs"):
        refuse(Difference())
