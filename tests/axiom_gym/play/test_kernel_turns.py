"""Sequential kernel games with the object-level interface, and their bots as agents."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import IllegalActionError, UnknownOpponentError
from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig, Player, ReplayPlayer, SeededRNG
from axiom_gym.play.agents import agent_seed

SEED = 5


@pytest.fixture
def game(brawl: ModuleType) -> KernelGameObject:
    return KernelGameObject(brawl.GAME)


def start(game: KernelGameObject, players: str = "abc") -> tuple[Any, SeededRNG]:
    rng = SeededRNG(SEED)
    return game.initialize({}, [Player(name) for name in players], rng), rng


def test_match__is_the_batch_game_of_that_seed(game: KernelGameObject, brawl: ModuleType) -> None:
    """Each decision has the same player, actions, observation and eliminations; so has the end."""
    batch = Batch(brawl.GAME, autoreset="disabled", on_illegal="raise")
    batch.reset(SEED)
    state, rng = start(game)
    names = np.array(list("abc"))
    while not game.is_game_over(state):
        buffers, (actor,) = batch.buffers, batch.to_act()
        assert state.active_player_id == names[actor]
        assert set(state.eliminated) == set(names[~batch.alive()])
        for seat, name in enumerate(names):
            assert np.array_equal(game.encode(state, name), batch.views()[seat])
            legal = np.flatnonzero(buffers.masks[0, 0, 0]).tolist() if seat == actor else []
            actions = game.get_valid_actions(state, name)
            assert [action.sub_actions[0] for action in actions] == legal
        action = game.get_valid_actions(state, state.active_player_id)[-1]
        assert game.describe_action(action, state).startswith(f"{state.active_player_id}: ")
        buffers.actions[0, 0] = action.sub_actions
        before = state
        state = game.execute_action(state, action, rng)
        batch.step()
        assert rng.state == int(buffers.states["rng"][0])
        assert state.turn == before.turn + 1
    assert batch.buffers.episodes["ended"][0]
    assert state.scores == tuple(batch.outcomes()[0].tolist())
    winner = names[int(np.argmax(state.scores))]
    assert game.get_winner(state) == Player(winner)


def test_state__can_be_restored_after_the_end(game: KernelGameObject) -> None:
    state, rng = start(game)
    states = []
    while not game.is_game_over(state):
        states.append((state, rng.state))
        actions = game.get_valid_actions(state, state.active_player_id)
        state = game.execute_action(state, actions[-1], rng)
    last, generator = states[-1]
    again = SeededRNG(generator)
    actions = game.get_valid_actions(last, last.active_player_id)
    assert game.execute_action(last, actions[-1], again) == state
    assert len(game.get_valid_actions(states[0][0], "a")) == 3


def test_action__of_another_player_is_refused(game: KernelGameObject) -> None:
    state, rng = start(game)
    (action, *_) = game.get_valid_actions(state, "a")
    later = game.execute_action(state, action, rng)
    with pytest.raises(IllegalActionError, match="it is b's turn"):
        game.execute_action(later, action, rng)


def test_forfeit__ends_a_match_that_cannot_go_on(game: KernelGameObject) -> None:
    def quitter(*_: Any) -> Any:
        raise RuntimeError("no more")

    agents = {"a": "bully", "b": quitter, "c": "random"}
    result = GameLoop(game, agents, MatchConfig(fallback="forfeit"), on_error="forfeit").run(SEED)
    assert result.reason == "forfeit"
    assert result.rankings[-1].player.id == "b"


def test_bot__decides_as_in_the_batch(game: KernelGameObject, brawl: ModuleType) -> None:
    """It draws from the same stream; `random` is a bot of the game, too."""
    result = GameLoop(game, {"a": game.bot("random"), "b": "bully", "c": "bully"}).run(SEED)
    batch = Batch(brawl.GAME, autoreset="disabled", on_illegal="raise")
    batch.reset(SEED)
    batch.buffers.streams["rng"][0] = [agent_seed(SEED, seat) for seat in range(3)]
    for turn in result.replay.turns:
        seats = np.array([[1, 2, 2]], np.int16)
        batch.act("random", seats, 1)
        batch.act("bully", seats, 2)
        assert list(turn.orders[0]) == batch.buffers.actions[0, 0].tolist()
        batch.step()
    assert batch.buffers.episodes["ended"][0]
    assert [player.name for player in result.replay.header.players] == ["random", "bully", "bully"]
    assert ReplayPlayer(game).verify(result.replay).ok


def test_bot__keeps_its_plan_if_sub_actions_are_chosen_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The match equals one in which each bot chooses all sub-actions at once."""
    whole = GameLoop(KernelGameObject("quantaris"), {"a": "greedy", "b": "guardian"}).run(SEED)
    monkeypatch.setattr("axiom_gym.play.kernel_object.MOST_JOINT_ACTIONS", 1)
    game = KernelGameObject("quantaris")
    assert game.one_by_one
    single = GameLoop(game, {"a": "greedy", "b": "guardian"}).run(SEED)
    assert single.final_state.data == whole.final_state.data
    assert single.turns == whole.turns > 1


def test_bot__must_be_one_of_the_game(game: KernelGameObject, race: ModuleType) -> None:
    with pytest.raises(UnknownOpponentError, match="bot of brawl 'bullies'"):
        GameLoop(game, {"a": "bullies", "b": "bully", "c": "bully"})
    with pytest.raises(UnknownOpponentError, match="player of race 'greedy'"):
        GameLoop(race.Race(), {"a": "greedy", "b": "random"})
    result = GameLoop(race.Race(), {"a": "random", "b": "random"}).run(1)
    assert result.rankings[0].rank == 1


def test_all_actions__have_the_order_of_the_kernels_choices(
    game: KernelGameObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, _ = start(game)
    assert list(game.get_all_actions("a", {})) == game.get_valid_actions(state, "a")
    quantaris = KernelGameObject("quantaris")
    assert len(set(quantaris.get_all_actions("a", {}))) == 13**3
    monkeypatch.setattr("axiom_gym.play.kernel_object.MOST_JOINT_ACTIONS", 1)
    by_order = KernelGameObject("quantaris").get_all_actions("a", {})
    assert [(one.first, one.sub_actions[0]) for one in by_order[12:15]] == [(0, 12), (1, 0), (1, 1)]
    assert len(by_order) == 39
