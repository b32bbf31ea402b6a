"""Replays of kernel games with forfeits and fallbacks."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, ReplayError
from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig
from axiom_gym.registry import games as registry
from axiom_gym.replay import Recorder, Replay, load, verify
from axiom_gym.replay.diff import diff

Change = Callable[..., Replay]
SAFE, DEADLY, NOTHING = (0, 0), (0, 1), (-1, -1)


def scripted(crashes: dict[str, int], deadly: dict[str, int]) -> dict[str, Any]:
    """Return agents that raise, or go overboard, in these turns."""

    def decide(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        if crashes.get(player_id) == state.turn:
            raise KeyError
        wanted = DEADLY if deadly.get(player_id) == state.turn else SAFE
        return next(action for action in actions if action.sub_actions == wanted)

    return dict.fromkeys("abcd", decide)


@pytest.fixture
def play(raft: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Replay]:
    """`play({"b": 2}, {"c": 3})`: of four players, b forfeits in turn 2, c drowns in turn 3."""
    monkeypatch.setitem(registry._registered, "raft-v0", raft.GAME)

    def make(crashes: dict[str, int], deadly: dict[str, int], **config: Any) -> Replay:
        game = KernelGameObject(raft.GAME, preset="sharks", players=4, turns=6)
        agents = scripted(crashes, deadly)
        return GameLoop(game, agents, MatchConfig(**config), on_error="forfeit").run(1).replay

    return make


def test_forfeit__is_a_line_before_the_turn(play: Callable[..., Replay], tmp_path: Path) -> None:
    replay = play({"b": 2}, {"c": 3})
    lines = [json.loads(line) for line in replay.to_text().splitlines()]
    assert [line["type"] for line in lines[1:4]] == ["turn", "forfeit", "turn"]
    forfeit = lines[2]
    assert (forfeit["turn"], forfeit["player"], forfeit["why"]) == (2, 1, "raised")
    assert (forfeit["hash"], forfeit["draws"]) == (lines[1]["hash"], 0)
    assert {turn.orders[1] for turn in replay.turns[2:]} == {NOTHING}
    assert (replay.footer.turns, replay.footer.ended) == (7, "terminated")
    assert replay.footer.rankings[-1].player.id == "b"
    replay.save(tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == replay
    assert verify(tmp_path / "a.jsonl").ok


@pytest.mark.parametrize(
    ("crashes", "deadly", "ended"),
    [
        ({"a": 1, "c": 3}, {}, "terminated"),
        ({"d": 2}, {}, "terminated"),  # the other players have chosen
        ({"a": 2, "b": 2, "c": 2}, {}, "forfeit"),
        ({"a": 3}, {"b": 1, "c": 2}, "forfeit"),
        ({"a": 3}, {"b": 4, "c": 4, "d": 4}, "terminated"),  # no player is left to ask
        ({}, {"a": 2, "b": 2, "c": 2, "d": 2}, "terminated"),
    ],
)
def test_forfeit__plays_out_in_a_batch(
    play: Callable[..., Replay], crashes: Any, deadly: Any, ended: str
) -> None:
    replay = play(crashes, deadly)
    result = verify(replay)
    assert result.ok, result.message
    assert replay.footer.ended == ended
    assert sum(bool(turn.why) for turn in replay.turns) == len(crashes)


def test_fallback__is_recorded_with_the_turn(play: Callable[..., Replay]) -> None:
    replay = play({"a": 2, "c": 2}, {}, fallback="random")
    assert [turn.fallback for turn in replay.turns[:3]] == [(), (0, 2), ()]
    assert verify(replay).ok


def test_verify__refuses_sub_actions_of_a_player_who_forfeited(
    play: Callable[..., Replay], change: Change
) -> None:
    replay = play({"b": 2}, {"c": 3})
    orders = list(replay.turns[3].orders)
    cases = [
        (change(replay, 4, orders=(orders[0], SAFE, *orders[2:])), "is 0, .* legal are \\[-1\\]"),
        (
            change(replay, 4, orders=(NOTHING, *orders[1:])),
            "sub-action 0 of player_0 is -1, which is",
        ),
    ]
    again = dataclasses.replace(replay.turns[1], number=5)
    twice = dataclasses.replace(replay, turns=(*replay.turns[:4], again))
    cases.append((twice, "turn 5: seat 1 forfeits and is not to act"))
    gone = dataclasses.replace(again, player=2)
    drowned = dataclasses.replace(replay, turns=(*replay.turns[:4], gone))
    cases.append((drowned, "turn 5: seat 2 forfeits and was eliminated before"))
    for changed, said in cases:
        result = verify(changed)
        assert not result.ok
        with pytest.raises(ReplayError, match=said):
            raise ReplayError(result.message)


def test_verify__compares_forfeits(play: Callable[..., Replay], change: Change) -> None:
    replay = play({"b": 2}, {"c": 3})
    result = verify(change(replay, "footer", ended="forfeit"))
    assert "ended was forfeit, and is now terminated" in result.message
    result = verify(change(replay, 2, player=0))
    assert (result.ok, result.turn) == (False, 3)  # its sub-actions are not ignored
    assert diff(replay, change(replay, 2, why="late")) == (
        "line 3, turn 2: b forfeits (raised) in the first, and forfeits (late) in the second."
    )


def test_forfeit__in_a_sequential_game_ends_it(four: Replay, change: Change) -> None:
    def crash(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        if state.turn > 3:
            raise KeyError
        return actions[0]

    game = KernelGameObject("connect_four")
    replay = GameLoop(game, {"a": crash, "b": crash}, on_error="forfeit").run(1).replay
    assert (replay.footer.ended, replay.turns[-1].player, replay.footer.turns) == ("forfeit", 1, 4)
    assert verify(replay).ok
    assert "seat 0 forfeits and is not to act" in verify(change(replay, 4, player=0)).message


def test_recorder__with_forfeits_needs_a_batch_that_ignores_illegal_actions() -> None:
    batch = Batch("quantaris", autoreset="disabled", on_illegal="raise")
    batch.reset(0)
    with pytest.raises(ConfigError, match="on_illegal='noop', got 'disabled' and 'raise'"):
        Recorder(batch, ["a", "b"], forfeits=True)
