"""Matches of plain games that are played again, and their first difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ReplayError
from axiom_gym.game import BaseAction, GameLoop, GameMetadata, GameResult, ReplayPlayer
from axiom_gym.replay import Replay

Play = Callable[..., GameResult]
Change = Callable[..., Replay]


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def crash(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    raise KeyError


@pytest.fixture
def replay(play: Play) -> Replay:
    """A match with dice, played to its goal."""
    return play(1, lives=9).replay


@pytest.fixture
def player(race: ModuleType) -> ReplayPlayer[Any, Any]:
    return ReplayPlayer(race.Race())


def test_verify__of_an_untouched_replay_is_ok(
    play: Play, player: ReplayPlayer[Any, Any], tmp_path: Path
) -> None:
    for result in (
        play(1),
        play(2, ann=walk, bob=crash, cid=walk),
        play(3, ann=crash, bob=walk),
        play(4, ann=crash, bob=crash, fallback="random", lives=50),
        play(5, max_turns=4, game_id="x"),
        play(6, goal=0),
        play(7, strict=True),
    ):
        found = player.verify(result.replay)
        assert found.ok, found.message
        assert (found.turn, found.fields, found.expected) == (None, (), "")
        result.replay.save(tmp_path / "a.jsonl")
        assert (
            player.verify(tmp_path / "a.jsonl") == player.verify(str(tmp_path / "a.jsonl")) == found
        )
    count = len(result.replay.turns)
    assert found.message.startswith(
        f"race-v3: {count} turns play out as recorded; the last state is"
    )


def test_verify__finds_another_action(
    replay: Replay, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    rolls = [turn for turn in replay.turns if turn.orders[0]["type"] == "roll"]
    turn = next(turn for turn in rolls if turn.number > 3)
    name = turn.orders[0]["player_id"]
    other = change(replay, turn.number, orders=({"type": "walk", "player_id": name},))
    found = player.verify(other)
    assert (found.ok, found.turn) == (False, turn.number)
    assert found.expected == turn.hash != found.found
    assert set(found.fields) <= {"steps", "lives", "eliminated"}
    assert "steps" in found.fields
    assert f"the state after turn {turn.number} differs: expected hash" in found.message
    assert "; steps is now [" in found.message


@pytest.mark.parametrize(
    "action", [{"type": "fly", "player_id": "ann"}, "walk", None, {"type": "walk"}]
)
def test_verify__plays_no_action_that_is_not_valid(
    replay: Replay, player: ReplayPlayer[Any, Any], action: Any, change: Change
) -> None:
    found = player.verify(change(replay, 3, orders=(action,)))
    assert (found.ok, found.turn) == (False, 3)
    assert f"turn 3: {action} is none of the 2 valid actions of ann" in found.message


def test_verify__finds_a_changed_hash(
    replay: Replay, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    found = player.verify(change(replay, 5, hash="0" * 16))
    assert (found.turn, found.fields) == (5, ())
    assert "no field does, so the recorded hash itself was changed" in found.message
    fields = "ffff" + replay.turns[4].field_hashes[4:]
    found = player.verify(change(replay, 5, hash="0" * 16, field_hashes=fields))
    assert (found.turn, found.fields) == (5, ("active_player_id",))
    found = player.verify(change(replay, 5, field_hashes=fields))
    assert "turn 5 differs: field_hashes was ffff" in found.message


def test_verify__names_fields_that_only_one_state_has(
    replay: Replay, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    names = ("actor", *replay.turns[0].fields[1:])
    found = player.verify(change(replay, 1, hash="0" * 16, fields=names))
    assert set(found.fields) == {"active_player_id", "actor"}
    assert "actor is now not there" in found.message


def test_verify__finds_another_start(
    replay: Replay, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    found = player.verify(change(replay, "header", options={"goal": 21, "lives": 9}))
    assert (found.turn, found.fields) == (0, ("goal",))
    assert "the state at the start differs" in found.message
    found = player.verify(change(replay, "header", match_id="x"))
    assert (found.turn, found.fields) == (0, ("game_id",))


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        (4, {"draws": 7}, "turn 4 differs: draws was 7, and is now"),
        (4, {"legal": ((3,),)}, "turn 4 differs: legal was ((3,),), and is now ((2,),)"),
        (4, {"fallback": (0,)}, "turn 4 differs: fallback was (0,), and is now (1,)"),
        (4, {"player": 0}, "turn 4: it is bob's turn, and not ann's"),
        ("footer", {"turns": 1}, "the footer differs: turns was 1"),
        ("footer", {"ended": "forfeit"}, "ended was forfeit, and is now terminated"),
        ("footer", {"outcome": (0.0, 0.0)}, "the footer differs: outcome was (0.0, 0.0)"),
        ("footer", {"rankings": ()}, "the footer differs: rankings was ()"),
        ("footer", {"hash": "0" * 16}, "the footer differs: hash was 0000"),
    ],
)
def test_verify__compares_each_entry(
    replay: Replay,
    player: ReplayPlayer[Any, Any],
    part: Any,
    changes: dict[str, Any],
    said: str,
    change: Change,
) -> None:
    found = player.verify(change(replay, part, **changes))
    assert not found.ok
    assert found.turn == (4 if part == 4 else len(replay.turns))
    assert said in found.message


def test_verify__finds_the_first_of_several_differences(
    replay: Replay, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    both = change(change(replay, 6, draws=9), 2, draws=9)
    assert player.verify(both).turn == 2


def test_verify__reports_a_match_that_is_too_short_or_too_long(
    replay: Replay, player: ReplayPlayer[Any, Any]
) -> None:
    count = len(replay.turns)
    short = dataclasses.replace(replay, turns=replay.turns[:-1])
    message = f"ends after turn {count - 1}, but the game is still in progress"
    assert message in player.verify(short).message
    extra = dataclasses.replace(replay.turns[-1], number=count + 1)
    found = player.verify(dataclasses.replace(replay, turns=(*replay.turns, extra)))
    assert (found.turn, found.message) == (
        count + 1,
        f"turn {count + 1}: the game is over after turn {count}.",
    )


def test_verify__finds_an_inserted_forfeit(
    play: Play, player: ReplayPlayer[Any, Any], change: Change
) -> None:
    replay = play(1, ann=walk, bob=walk, cid=walk, goal=3).replay
    found = player.verify(change(replay, 4, why="late", orders=(), legal=()))
    assert (found.turn, "eliminated" in found.fields) == (4, True)


def test_verify__refuses_another_game(replay: Replay, race: ModuleType) -> None:
    with pytest.raises(ReplayError, match=r"of race-v3, made with .*; this is scribble-v0"):
        ReplayPlayer(race.Scribble("")).verify(replay)


def test_verify__uses_decode_action_and_catches_its_errors(
    race: ModuleType, play: Play, change: Change
) -> None:
    class Short(race.Race):  # type: ignore[misc, name-defined]
        def encode_action(self, action: Any) -> str:
            return f"{action.player_id} {action.type}"

        def decode_action(self, text: str, state: Any) -> Any:
            player_id, kind = text.split()
            return BaseAction(kind, player_id)

    replay = GameLoop(Short(), {"ann": walk, "bob": walk}).run(1).replay
    assert replay.turns[1].orders == ("bob walk",)
    assert ReplayPlayer(Short()).verify(replay).ok
    found = ReplayPlayer(Short()).verify(change(replay, 2, orders=("nonsense",)))
    assert "turn 2: nonsense is none of the 2 valid actions of bob" in found.message


def test_verify__refuses_actions_that_json_cannot_tell_apart(race: ModuleType) -> None:
    @dataclasses.dataclass(frozen=True)
    class Left:
        n: int

    @dataclasses.dataclass(frozen=True)
    class Right:
        n: int

    class Ambiguous(race.Scribble):  # type: ignore[misc, name-defined]
        metadata = GameMetadata("ambiguous", 1, 1)

        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return [Left(1), Right(1), Left(2)]

    replay = GameLoop(Ambiguous(""), {"ann": walk}).run(1).replay
    with pytest.raises(
        ReplayError, match=r"2 valid actions are \{'n': 1\}.*Left.*Right.*by a field"
    ):
        ReplayPlayer(Ambiguous("")).verify(replay)


def test_verify__of_a_state_without_fields_reports_the_hash_only(
    race: ModuleType, change: Change
) -> None:
    class Bare(race.Scribble):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            self.players = players
            return ()

        def execute_action(self, state: Any, action: str, rng: Any) -> Any:
            return (*state, action)

        def is_game_over(self, state: Any) -> bool:
            return len(state) == 3

    replay = GameLoop(Bare(""), {"ann": walk}).run(1).replay
    assert replay.turns[0].fields == ()
    found = ReplayPlayer(Bare("")).verify(change(replay, 2, orders=("o",)))
    assert (found.turn, found.fields) == (2, ())
    assert found.message.endswith(f"found {found.found}.")
