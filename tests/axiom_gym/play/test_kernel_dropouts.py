"""Eliminations in simultaneous kernel games with the object-level interface."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig, Player, ReplayPlayer, SeededRNG
from axiom_gym.game.kernel_state import KernelAction
from axiom_gym.play.events import ActionTaken, PlayerEliminated

SAFE, DEADLY = (0, 0), (0, 1)
"""Sub-actions of a player who is aboard: to bail nothing, and a bucket, which is one too many."""


def make(raft: ModuleType, **options: Any) -> KernelGameObject:
    return KernelGameObject(raft.GAME, preset="sharks", **options)


def start(game: KernelGameObject) -> tuple[Any, SeededRNG]:
    rng = SeededRNG(1)
    return game.initialize({}, [Player(name) for name in "abc"], rng), rng


def give(game: KernelGameObject, state: Any, rng: SeededRNG, *turns: dict[str, Any]) -> Any:
    """Play turns in which these players choose these sub-actions, and the others SAFE."""
    for orders in turns:
        turn = state.turn
        while state.turn == turn and not state.ended:
            name = state.active_player_id
            action = KernelAction("sub_actions", name, orders.get(name, SAFE))
            state = game.execute_action(state, action, rng)
    return state


def scripted(deadly: dict[str, int]) -> dict[str, Any]:
    """Return agents that go overboard in these turns."""

    def decide(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        wanted = DEADLY if deadly.get(player_id) == state.turn else SAFE
        return next(action for action in actions if action.sub_actions == wanted)

    return dict.fromkeys("abc", decide)


def test_turn__does_not_ask_eliminated_players(raft: ModuleType) -> None:
    """It gets the lowest legal sub-actions, and the game equals that of a batch."""
    game, batch = make(raft), Batch(raft.GAME, preset="sharks", autoreset="disabled")
    batch.reset(1)
    state, rng = start(game)
    plan: list[dict[str, Any]] = [{}, {"b": DEADLY}, {}, {"a": (1, 3)}, {}]
    for turn, orders in enumerate(plan, start=1):
        alive = batch.alive().tolist()
        assert [name not in state.eliminated for name in "abc"] == alive
        asked = [name for name, is_in in zip("abc", alive, strict=True) if is_in]
        for name in asked:
            assert (state.active_player_id, state.turn) == (name, turn)
            assert len(game.get_valid_actions(state, name)) == 8
            action = KernelAction("sub_actions", name, orders.get(name, SAFE))
            state = game.execute_action(state, action, rng)
        rows = [orders.get(n, SAFE) if n in asked else (raft.SWIM, 1) for n in "abc"]
        batch.buffers.actions[0] = rows
        batch.step()
        assert np.array_equal(state.record.given, batch.buffers.states["given"][0])
        assert rng.state == batch.buffers.states["rng"][0]
        assert state.record.paid.tolist() == batch.buffers.states["paid"][0].tolist()
    assert state.eliminated == ("b", "a")


def test_loop__reports_eliminations_and_stops_asking(raft: ModuleType) -> None:
    heard: list[Any] = []
    loop = GameLoop(make(raft, turns=6), scripted({"b": 2, "a": 4}), listeners=[heard.append])
    result = loop.run(1)
    gone = [event for event in heard if isinstance(event, PlayerEliminated)]
    assert [(event.player_id, event.turn, event.reason) for event in gone] == [
        ("b", 2, "rules"),
        ("a", 4, "rules"),
    ]
    taken = [(one.turn, one.player_id) for one in heard if isinstance(one, ActionTaken)]
    asked = ["abc", "abc", "ac", "ac", "c", "c"]
    assert taken == [(turn, name) for turn, names in enumerate(asked, start=1) for name in names]
    assert (result.turns, result.reason) == (6, "over")
    assert result.rankings[0].player.id == "c"
    assert ReplayPlayer(make(raft, turns=6)).verify(result.replay).ok


def test_match__is_played_to_its_end_when_all_are_eliminated(raft: ModuleType) -> None:
    """The match continues without questions to the end of the game or to its limit."""
    game = make(raft, turns=9)
    state, rng = start(game)
    state = give(game, state, rng, {"a": DEADLY}, {"b": DEADLY, "c": DEADLY})
    assert (state.ended, state.turn) == ("terminated", 10)
    assert set(state.eliminated) == set("abc")
    assert any(state.scores)
    assert game.get_valid_actions(state, state.active_player_id) == []
    agents = scripted(dict.fromkeys("abc", 2))
    for limit, turns, reason in (0, 9, "over"), (5, 5, "max_turns"):
        result = GameLoop(game, agents, MatchConfig(max_turns=limit)).run(1)
        assert (result.turns, result.reason) == (turns, reason)


def test_forfeit__ignores_sub_actions_until_the_player_is_eliminated(raft: ModuleType) -> None:
    """A player who forfeits does not swim: it has no sub-actions, and stays aboard."""
    game = make(raft, turns=5)
    state, rng = start(game)
    state = give(game, state, rng, {"c": DEADLY})
    left = game.eliminate(state, "a", rng)
    assert left is not None
    assert (left.eliminated, left.active_player_id) == (("c", "a"), "b")
    after = give(game, left, rng, {})
    assert after.record.given[:3].tolist() == [[-1, -1], [0, 0], [raft.SWIM, 1]]
    assert after.record.aboard[:3].tolist() == [1, 1, 0]


@pytest.mark.parametrize("players", [2, pytest.param(64, marks=pytest.mark.slow)])
def test_match__of_many_bots_is_played_to_its_end(raft: ModuleType, players: int) -> None:
    game = KernelGameObject(raft.GAME, players=players, danger=40, turns=12)
    names = [f"p{place}" for place in range(players)]
    result = GameLoop(game, dict.fromkeys(names, "random")).run(3)
    assert result.turns == 12
    assert result.final_state.eliminated
    assert len(result.rankings) == players
    assert ReplayPlayer(game).verify(result.replay).ok
