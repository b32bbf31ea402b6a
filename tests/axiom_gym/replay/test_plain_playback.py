"""A match that is played again, and where it differs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ReplayError
from axiom_gym.game import BaseAction, GameLoop, GameMetadata, GameResult, ReplayPlayer
from axiom_gym.game.canonical import StateHash
from axiom_gym.replay.match_format import MatchReplay, Step

Play = Callable[..., GameResult]


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def crash(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    raise KeyError


def change(replay: MatchReplay, part: str | int, **changes: Any) -> MatchReplay:
    """`change(replay, "footer", turns=3)`, and `change(replay, 7, rng=1)` for step 7."""
    if isinstance(part, str):
        changed = dataclasses.replace(getattr(replay, part), **changes)
        return dataclasses.replace(replay, **{part: changed})
    steps = list(replay.steps)
    steps[part - 1] = dataclasses.replace(steps[part - 1], **changes)
    return dataclasses.replace(replay, steps=tuple(steps))


@pytest.fixture
def replay(play: Play) -> MatchReplay:
    """With dice, to the goal."""
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
        assert (found.action, found.fields, found.expected) == (None, (), "")
        result.replay.save(tmp_path / "a.jsonl")
        assert (
            player.verify(tmp_path / "a.jsonl") == player.verify(str(tmp_path / "a.jsonl")) == found
        )
    count = len(result.replay.steps)
    assert found.message.startswith(
        f"race: {count} actions play out as recorded; the last state is"
    )


def test_verify__finds_another_action(replay: MatchReplay, player: ReplayPlayer[Any, Any]) -> None:
    rolls = [step for step in replay.steps if step.action["type"] == "roll"]
    step = next(step for step in rolls if step.number > 3)
    other = change(replay, step.number, action={"type": "walk", "player_id": step.player})
    found = player.verify(other)
    assert (found.ok, found.action) == (False, step.number)
    assert found.expected == step.hash.whole != found.found
    assert set(found.fields) <= {"steps", "lives", "eliminated"}
    assert "steps" in found.fields
    assert f"the state after action {step.number} differs: expected digest" in found.message
    assert "the fields that differ are" in found.message


@pytest.mark.parametrize(
    "action", [{"type": "fly", "player_id": "ann"}, "walk", None, {"type": "walk"}]
)
def test_verify__plays_no_action_that_is_not_valid(
    replay: MatchReplay, player: ReplayPlayer[Any, Any], action: Any
) -> None:
    found = player.verify(change(replay, 3, action=action))
    assert (found.ok, found.action) == (False, 3)
    assert f"action 3: {action} is none of the 2 valid actions of ann" in found.message


def test_verify__finds_a_changed_digest(
    replay: MatchReplay, player: ReplayPlayer[Any, Any]
) -> None:
    recorded = replay.steps[4].hash
    found = player.verify(change(replay, 5, hash=recorded._replace(whole="0" * 16)))
    assert (found.action, found.fields) == (5, ())
    assert "no field does, so the recorded digest itself was changed" in found.message
    fields = "ffff" + recorded.fields[4:]
    found = player.verify(change(replay, 5, hash=recorded._replace(fields=fields)))
    assert (found.action, found.fields) == (5, ("active_player_id",))


def test_verify__names_fields_that_only_one_state_has(
    replay: MatchReplay, player: ReplayPlayer[Any, Any]
) -> None:
    recorded = replay.steps[0].hash
    names = ("actor", *recorded.names[1:])
    found = player.verify(change(replay, 1, hash=recorded._replace(names=names)))
    assert found.fields == ("active_player_id", "actor")


def test_verify__finds_another_seed(replay: MatchReplay, player: ReplayPlayer[Any, Any]) -> None:
    found = player.verify(change(replay, "header", seed=2))
    assert (found.ok, found.action) == (False, 1)
    assert found.message == "action 1 differs: rng was 1, and is now 2."


def test_verify__finds_another_start(replay: MatchReplay, player: ReplayPlayer[Any, Any]) -> None:
    found = player.verify(change(replay, "header", options={"goal": 21, "lives": 9}))
    assert (found.action, found.fields) == (0, ("goal",))
    assert "the state at the start differs" in found.message
    found = player.verify(change(replay, "header", game_id="x"))
    assert (found.action, found.fields) == (0, ("game_id",))


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        (4, {"rng": 0}, "action 4 differs: rng was 0, and is now"),
        (4, {"turn": 9}, "action 4 differs: turn was 9, and is now 4"),
        (4, {"valid": 3}, "action 4 differs: valid was 3, and is now 2"),
        (4, {"player": "ann"}, "action 4: it is bob's turn, and not ann's"),
        ("footer", {"turns": 1}, "the footer differs: turns was 1"),
        (
            "footer",
            {"reason": "forfeit"},
            "the footer differs: reason was forfeit, and is now over",
        ),
        ("footer", {"winner": None}, "the footer differs: winner was None"),
        ("footer", {"rankings": ()}, "the footer differs: rankings was ()"),
        ("footer", {"hash": "0" * 16}, "the footer differs: hash was 0000"),
    ],
)
def test_verify__compares_each_entry(
    replay: MatchReplay,
    player: ReplayPlayer[Any, Any],
    part: Any,
    changes: dict[str, Any],
    said: str,
) -> None:
    found = player.verify(change(replay, part, **changes))
    assert not found.ok
    assert found.action == (4 if part == 4 else len(replay.steps))
    assert said in found.message


def test_verify__finds_the_first_of_several_differences(
    replay: MatchReplay, player: ReplayPlayer[Any, Any]
) -> None:
    both = change(change(replay, 6, rng=0), 2, rng=0)
    assert player.verify(both).action == 2


def test_verify__of_a_match_that_goes_on_or_was_over_says_so(
    replay: MatchReplay, player: ReplayPlayer[Any, Any]
) -> None:
    count = len(replay.steps)
    short = dataclasses.replace(replay, steps=replay.steps[:-1])
    assert f"ends after action {count - 1}, but the match goes on" in player.verify(short).message
    extra = dataclasses.replace(replay.steps[-1], number=count + 1)
    found = player.verify(dataclasses.replace(replay, steps=(*replay.steps, extra)))
    assert (found.action, found.message) == (
        count + 1,
        f"action {count + 1}: the match is over after action {count}.",
    )


def test_verify__finds_a_forfeit_that_was_put_in(
    play: Play, player: ReplayPlayer[Any, Any]
) -> None:
    replay = play(1, ann=walk, bob=walk, cid=walk, goal=3).replay
    step = replay.steps[3]
    fake = Step(
        type="forfeit", number=4, turn=4, player="ann", why="late", rng=step.rng, hash=step.hash
    )
    found = player.verify(dataclasses.replace(replay, steps=(*replay.steps[:3], fake)))
    assert (found.action, "eliminated" in found.fields) == (4, True)


def test_verify__refuses_a_replay_of_another_game_version_or_number_of_players(
    replay: MatchReplay, race: ModuleType, player: ReplayPlayer[Any, Any]
) -> None:
    found = ReplayPlayer(race.Scribble("")).verify(replay)
    assert (found.ok, found.action) == (False, 0)
    assert "the replay is of 'race', version 3, made with axiom-gym" in found.message
    assert "this is 'scribble', version 0" in found.message
    found = player.verify(change(replay, "header", version=2))
    assert "version 2, made with" in found.message
    alone = change(replay, "header", players=replay.header.players[:1])
    assert player.verify(alone).message == "the replay has 1 players, and the game is for 2 to 4."


def test_verify__uses_decode_action_and_survives_it(race: ModuleType, play: Play) -> None:
    class Short(race.Race):  # type: ignore[misc, name-defined]
        def encode_action(self, action: Any) -> str:
            return f"{action.player_id} {action.type}"

        def decode_action(self, text: str, state: Any) -> Any:
            player_id, kind = text.split()
            return BaseAction(kind, player_id)

    replay = GameLoop(Short(), {"ann": walk, "bob": walk}).run(1).replay
    assert replay.steps[1].action == "bob walk"
    assert ReplayPlayer(Short()).verify(replay).ok
    found = ReplayPlayer(Short()).verify(change(replay, 2, action="nonsense"))
    assert "action 2: nonsense is none of the 2 valid actions of bob" in found.message


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
        ReplayError, match=r"2 valid actions read \{'n': 1\}.*Left.*Right.*by a field"
    ):
        ReplayPlayer(Ambiguous("")).verify(replay)


def test_verify__of_a_state_without_fields_tells_the_digest_only(race: ModuleType) -> None:
    class Bare(race.Scribble):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            self.players = players
            return ()

        def execute_action(self, state: Any, action: str, rng: Any) -> Any:
            return (*state, action)

        def is_game_over(self, state: Any) -> bool:
            return len(state) == 3

    replay = GameLoop(Bare(""), {"ann": walk}).run(1).replay
    assert replay.steps[0].hash.names == ()
    found = ReplayPlayer(Bare("")).verify(change(replay, 2, action="o"))
    assert (found.action, found.fields) == (2, ())
    assert found.message.endswith(f"found {found.found}.")
    assert isinstance(replay.steps[1].hash, StateHash)
