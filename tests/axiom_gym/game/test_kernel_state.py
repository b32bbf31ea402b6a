"""States of kernel games, and the choices that they hide."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.game import (
    GameLoop,
    KernelGameObject,
    Player,
    state_digest,
)
from axiom_gym.game.kernel_state import KernelAction, KernelState
from axiom_gym.seeded_rng import SeededRNG


def start(game: KernelGameObject, seed: int = 7, players: str = "ab") -> tuple[Any, SeededRNG]:
    rng = SeededRNG(seed)
    return game.initialize({"game_id": "g"}, [Player(name) for name in players], rng), rng


# States


def test_states__cannot_be_changed_and_compare_by_content(quantaris: KernelGameObject) -> None:
    state, _ = start(quantaris)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.turn = 2
    with pytest.raises(ValueError, match="read-only"):
        state.record.hp[0] = 9
    with pytest.raises(ValueError, match="read-only"):
        state.record.turn = 9
    again, _ = start(quantaris)
    assert state == again
    assert hash(state) == hash(again)
    assert state_digest(state) == state_digest(again)
    action = quantaris.get_valid_actions(state, "a")[5]
    after = quantaris.execute_action(state, action, SeededRNG(7))
    assert after != state == again
    assert state_digest(after) != state_digest(state)


def test_states__describe_themselves(quantaris: KernelGameObject, climb: ModuleType) -> None:
    state, _ = start(quantaris)
    assert state.describe().startswith("turn 1; cores A=5 B=5; units A1=2")
    climber = KernelGameObject(climb.GAME, tool=True)
    state, rng = start(climber, players="a")
    broken = climber.execute_action(state, KernelAction("sub_actions", "a", (3,)), rng)
    assert (broken.ended, broken.fault) == ("truncated", 7)
    assert broken.describe().endswith("fault 7: the tool is broken, limit 30")
    plain = dataclasses.replace(
        broken, kernel_game=dataclasses.replace(climb.GAME, describe_fault=None)
    )
    assert plain.describe().endswith("fault 7 of the rules")


def test_states__can_be_continued_by_another_object(quantaris: KernelGameObject) -> None:
    state, rng = start(quantaris)
    last = quantaris.get_valid_actions(state, "a")[3]
    halfway = quantaris.execute_action(state, last, rng)
    action = quantaris.get_valid_actions(halfway, "b")[3]
    after = quantaris.execute_action(halfway, action, SeededRNG(rng.state))
    other = KernelGameObject("quantaris")  # it has not played anything yet
    assert other.execute_action(halfway, action, rng) == after


def test_states__may_be_observed_in_any_order(quantaris: KernelGameObject) -> None:
    state, rng = start(quantaris)
    after = state
    for name in "ab":
        after = quantaris.execute_action(after, quantaris.get_valid_actions(after, name)[20], rng)
    seen = [quantaris.encode(one, "a") for one in (after, state, after, state)]
    assert (seen[0] != seen[1]).any()
    np.testing.assert_array_equal(seen[:2], seen[2:])


def test_states__of_two_matches_do_not_disturb_each_other(trio: KernelGameObject) -> None:
    def finish(state: Any, rng: SeededRNG, steps: int) -> Any:
        for _ in range(steps):
            actions = trio.get_valid_actions(state, state.active_player_id)
            state = trio.execute_action(state, actions[-1], rng)
            yield state

    one, other = start(trio, 1, "abc"), start(trio, 2, "abc")
    apart = [list(finish(*start(trio, seed, "abc"), 12))[-1] for seed in (1, 2)]
    turns = zip(finish(*one, 12), finish(*other, 12), strict=True)
    assert list(list(turns)[-1]) == apart


def test_encode__is_what_the_player_observes(quantaris: KernelGameObject) -> None:
    state, _ = start(quantaris)
    batch = Batch("quantaris")
    batch.reset(7)
    for seat, name in enumerate("ab"):
        seen = quantaris.encode(state, name)
        np.testing.assert_array_equal(seen, batch.buffers.observations[0, seat])
        seen[:] = 9
        assert not (quantaris.encode(state, name) == 9).any()


# Hidden choices


def test_view__hides_the_choices_of_the_current_turn(trio: KernelGameObject) -> None:
    state, rng = start(trio, players="abc")
    seen = {trio.view(state, "c")}
    for name in "ab":
        for choice in (0, 4):
            actions = trio.get_valid_actions(state, name)
            chosen = trio.execute_action(state, actions[choice], rng)
            seen.add(trio.view(chosen, "c"))
            assert "pending" not in repr(chosen)
        state = chosen
    assert len({state_digest(view) for view in seen}) == len(seen) == 1
    (view,) = seen
    assert (view.active_player_id, view.pending) == ("c", (None, None, None))


def test_view__is_the_state_that_agents_get(trio: KernelGameObject) -> None:
    seen: list[tuple[str, KernelState]] = []

    def look(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        assert trio.get_valid_actions(state, player_id) == actions
        seen.append((player_id, state))
        return rng.pick(actions)

    GameLoop(trio, dict.fromkeys("abc", look)).run(2)
    assert len(seen) % 3 == 0
    assert {view.pending for _, view in seen} == {(None, None, None)}
    assert all(view.active_player_id == name for name, view in seen)
    records = [view.data for _, view in seen]
    assert records[0::3] == records[1::3] == records[2::3]


def test_view__hides_the_turns_for_the_replay(trio: KernelGameObject) -> None:
    """The choices of the last turn may be hidden too."""
    state, rng = start(trio, players="abc")
    for name in "abc":
        assert state.played == ()
        state = trio.execute_action(state, trio.get_valid_actions(state, name)[0], rng)
    (turn,) = state.played
    assert len(turn.sub_actions) == 3
    assert trio.view(state, "a").played == ()


def test_view__can_be_continued(trio: KernelGameObject) -> None:
    state, rng = start(trio, players="abc")
    state = trio.execute_action(state, trio.get_valid_actions(state, "a")[0], rng)
    view = trio.view(state, "b")
    order = []
    while view.turn == 1:
        order.append(view.active_player_id)
        actions = trio.get_valid_actions(view, view.active_player_id)
        view = trio.execute_action(view, actions[0], SeededRNG(0))
    assert order == ["b", "c", "a"]
    assert view.active_player_id == "a"


@pytest.mark.usefixtures("one_by_one")
def test_view__shows_a_player_only_its_own_sub_actions(pennies: ModuleType) -> None:
    game = KernelGameObject(pennies.GAME)
    state, rng = start(game)
    state = game.execute_action(state, game.get_valid_actions(state, "a")[1], rng)
    assert game.view(state, "a").partial == (1,)
    assert game.view(state, "b").partial == ()
    assert game.view(state, "b").active_player_id == "b"
