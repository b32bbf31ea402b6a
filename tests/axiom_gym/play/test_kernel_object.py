"""Kernel games with the object-level interface."""

from __future__ import annotations

import dataclasses
import pickle
import random
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import (
    ConfigError,
    IllegalActionError,
    RegistrationError,
    UnknownNameError,
)
from axiom_gym.game import (
    Game,
    GameLoop,
    GameResult,
    KernelGameObject,
    MatchConfig,
    Player,
    ReplayPlayer,
)
from axiom_gym.game.kernel_state import KernelAction
from axiom_gym.play.match import Match
from axiom_gym.replay import Recorder, hash_state
from axiom_gym.replay.diff import diff
from axiom_gym.seeded_rng import SeededRNG

ANN, BOB = Player("ann"), Player("bob")


def draw(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return rng.pick(actions)


def start(game: KernelGameObject, seed: int = 7, players: str = "ab") -> tuple[Any, SeededRNG]:
    rng = SeededRNG(seed)
    return game.initialize({"game_id": "g"}, [Player(name) for name in players], rng), rng


def crash(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    raise KeyError


# The interface


def test_kernel_object__is_a_game_with_its_facts(quantaris: KernelGameObject) -> None:
    assert isinstance(quantaris, Game)
    metadata = quantaris.metadata
    assert (metadata.name, metadata.version) == ("quantaris", 0)
    assert (metadata.min_players, metadata.max_players) == (2, 2)
    assert metadata.description.startswith("Two players order three units each")
    assert metadata.options == {"ruleset": "0.2", "obs": "features", "shaping": 0.0}
    assert (
        KernelGameObject("quantaris", preset=None, ruleset="0.1").metadata.options["ruleset"]
        == "0.1"
    )


@pytest.mark.parametrize("seed", [0, 5])
def test_match__is_the_game_that_a_batch_plays(
    quantaris: KernelGameObject,
    pennies: ModuleType,
    trio: KernelGameObject,
    seed: int,
) -> None:
    cases: list[Any] = [
        (quantaris, Match("quantaris", ["random", "greedy"], seed=seed)),
        (trio, Match(pennies.TRIO, ["random"] * 3, seed=seed, min_turns=5, stop=128)),
    ]
    for game, match in cases:
        recorded = list(match)
        orders = {
            f"p{seat}": iter([turn.orders[seat] for turn in recorded])
            for seat in range(match.batch.num_players)
        }

        def follow(state: Any, actions: Any, me: str, rng: Any, orders: Any = orders) -> Any:
            return KernelAction("sub_actions", me, next(orders[me]))

        result = GameLoop(game, dict.fromkeys(orders, follow), MatchConfig(strict=True)).run(seed)
        assert result.reason == "over"
        assert result.turns == len(recorded)
        # The records are equal except for the generator, which the match holds.
        record = match.batch.buffers.states[0].copy()
        record["rng"] = 0
        assert hash_state(record) == hash_state(result.final_state.record)
        scores = {place.player.id: place.score for place in result.rankings}
        assert list(map(scores.get, orders)) == match.batch.outcomes()[0].tolist()


def test_match__draws_from_its_own_generator(trio: KernelGameObject) -> None:
    state, rng = start(trio, 5, "abc")
    drawn = SeededRNG(5)
    drawn.next()  # the first side of the game
    assert rng.state == drawn.state
    assert int(state.record.rng) == 0
    for name in "abc":
        before = rng.state
        state = trio.execute_action(state, trio.get_valid_actions(state, name)[0], rng)
    assert (rng.state != before, int(state.record.rng), state.turn) == (True, 0, 2)
    assert int(state.record.coin) == drawn.below(2)
    assert drawn.state == rng.state


def test_match__gives_the_same_replay_and_verifies(
    quantaris: KernelGameObject, trio: KernelGameObject, climb: ModuleType, tmp_path: Path
) -> None:
    climber = KernelGameObject(climb.GAME, danger=2)
    for game, names in ((quantaris, "ab"), (trio, "abc"), (climber, "a")):
        loop = GameLoop(game, dict.fromkeys(names, draw))
        first = loop.run(3)
        assert first.replay.to_text() == loop.run(3).replay.to_text()
        first.replay.save(tmp_path / "a.jsonl")
        found = ReplayPlayer(game).verify(tmp_path / "a.jsonl")
        assert found.ok, found.message


def test_replay__holds_the_turns_of_a_batch(quantaris: KernelGameObject) -> None:
    """A recorder of a batch writes the same file for the same sub-actions."""
    result = GameLoop(quantaris, {"player_0": draw, "player_1": draw}).run(3)
    batch = Batch("quantaris", autoreset="disabled", on_illegal="raise")
    batch.reset(3)
    recorder = Recorder(batch, ["draw", "draw"])
    for turn in result.replay.turns:
        batch.buffers.actions[0] = turn.orders
        batch.step()
        assert recorder.record() == turn
    assert recorder.finish().to_text() == result.replay.to_text()
    assert diff(recorder.finish(), result.replay) == ""


def test_verify__takes_the_options_of_the_replay(quantaris: KernelGameObject) -> None:
    old = KernelGameObject("quantaris", ruleset="0.1")
    replay = GameLoop(old, {"a": draw, "b": draw}).run(3).replay
    assert ReplayPlayer(quantaris).verify(replay).ok


def test_initialize__refuses_options_of_another_object(quantaris: KernelGameObject) -> None:
    rng = SeededRNG(1)
    assert quantaris.initialize({"ruleset": "0.2"}, [ANN, BOB], rng).turn == 1
    with pytest.raises(UnknownNameError, match=r"unknown option of quantaris 'rulset'"):
        quantaris.initialize({"rulset": "0.2"}, [ANN, BOB], rng)
    with pytest.raises(ConfigError, match="quantaris is for 2 players, got 1"):
        quantaris.initialize({}, [ANN], rng)


def test_initialize__names_the_limit(trio: KernelGameObject, quantaris: KernelGameObject) -> None:
    assert start(quantaris)[0].max_turns == 49
    assert start(trio, players="abc")[0].max_turns == 0
    result = GameLoop(trio, dict.fromkeys("abc", draw), MatchConfig(max_turns=2)).run(1)
    assert (result.reason, result.turns, result.winner) == ("max_turns", 2, None)
    assert {place.rank for place in result.rankings} == {1}


def test_kernel_object__refuses_wrong_games_and_options(pennies: ModuleType) -> None:
    in_turn = dataclasses.replace(
        pennies.GAME, info=dataclasses.replace(pennies.GAME.info, dynamics="sequential")
    )
    with pytest.raises(RegistrationError, match="pennies is sequential; its kernel must have"):
        KernelGameObject(in_turn)
    with pytest.raises(UnknownNameError, match="option of pennies 'max_turns'"):
        KernelGameObject(pennies.GAME, max_turns=3)


# Actions


def test_valid_actions__are_all_that_the_mask_allows(quantaris: KernelGameObject) -> None:
    state, rng = start(quantaris)
    chooser = random.Random(1)
    batch = Batch("quantaris", autoreset="disabled", on_illegal="raise")
    batch.reset(7)
    for _ in range(5):
        for seat, name in enumerate("ab"):
            masks = batch.buffers.masks[0, seat]
            actions = quantaris.get_valid_actions(state, name)
            assert len(actions) == len(set(actions)) == masks.sum(axis=1).prod()
            assert all(masks[range(3), action.sub_actions].all() for action in actions)
            assert quantaris.get_valid_actions(state, "ba"[seat]) == []
            action = chooser.choice(actions)
            batch.buffers.actions[0, seat] = action.sub_actions
            state = quantaris.execute_action(state, action, rng)
        batch.step()


def test_valid_actions__are_none_when_the_game_is_over(trio: KernelGameObject) -> None:
    final = GameLoop(trio, dict.fromkeys("abc", draw)).run(1).final_state
    assert trio.is_game_over(final)
    assert [trio.get_valid_actions(final, name) for name in "abc"] == [[], [], []]
    with pytest.raises(IllegalActionError, match="is not legal: the game is over"):
        trio.execute_action(final, KernelAction("sub_actions", "a", (0, 0)), SeededRNG(0))


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (KernelAction("sub_actions", "b", (0, 0)), "is not legal: it is a's turn"),
        (KernelAction("sub_actions", "a", (2, 0)), r"sub-action 0 is 2; legal are \[0, 1\]"),
        (KernelAction("sub_actions", "a", (0, -1)), r"sub-action 1 is -1; legal are \[0, 1, 2\]"),
        (
            KernelAction("sub_actions", "a", (0,)),
            "first must be 0, and the number of sub-actions 2",
        ),
        (
            KernelAction("sub_actions", "a", (0, 0), 1),
            "first must be 0, and the number of sub-actions 2",
        ),
    ],
)
def test_execute_action__refuses_what_is_not_valid(
    trio: KernelGameObject, action: KernelAction, said: str
) -> None:
    state, rng = start(trio, players="abc")
    with pytest.raises(IllegalActionError, match=said):
        trio.execute_action(state, action, rng)


@pytest.mark.usefixtures("one_by_one")
def test_sub_actions__are_chosen_one_by_one_if_there_are_too_many_combinations(
    pennies: ModuleType, quantaris: KernelGameObject
) -> None:
    game = KernelGameObject(pennies.GAME)
    state, rng = start(game)
    assert game.one_by_one
    actions = game.get_valid_actions(state, "a")
    assert actions == [KernelAction("sub_action", "a", (side,), 0) for side in (0, 1)]
    state = game.execute_action(state, actions[1], rng)
    assert (state.active_player_id, state.partial, state.turn) == ("a", (1,), 1)
    actions = game.get_valid_actions(state, "a")
    assert actions == [KernelAction("sub_action", "a", (stake,), 1) for stake in (0, 1, 2)]
    with pytest.raises(
        IllegalActionError, match="first must be 1, and the number of sub-actions 1"
    ):
        game.execute_action(state, KernelAction("sub_action", "a", (0,), 0), rng)
    state = game.execute_action(state, actions[2], rng)
    assert (state.active_player_id, state.partial, state.pending) == ("b", (), ((1, 2), None))
    assert game.describe_action(actions[2], state) == "a: choice 2 (sub-action 2 of 2)."
    result = GameLoop(quantaris, {"ann": draw, "bob": draw}).run(2)
    assert len(result.replay.turns) == result.turns
    assert {len(orders) for turn in result.replay.turns for orders in turn.orders} == {3}
    assert ReplayPlayer(quantaris).verify(result.replay).ok
    state, _ = start(quantaris)
    text = quantaris.describe_action(quantaris.get_valid_actions(state, "a")[1], state)
    assert text == "a: A1 moves N (sub-action 1 of 3)."


def test_kernel_action__still_has_its_old_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"KernelAction.orders is now .*sub_actions"):
        assert KernelAction("sub_actions", "a", (1, 2)).orders == (1, 2)  # type: ignore[attr-defined]


def test_describe_action__is_a_sentence(
    quantaris: KernelGameObject, trio: KernelGameObject, climb: ModuleType
) -> None:
    state, _ = start(quantaris)
    action = KernelAction("sub_actions", "a", (1, 0, 6))
    assert quantaris.describe_action(action, state) == "a: A1 moves N, A2 shields, A3 pulses E."
    state, _ = start(trio, players="abc")
    assert trio.describe_action(KernelAction("sub_actions", "b", (1, 2)), state) == (
        "b: player 1 bets 3 on 1."
    )
    climber = KernelGameObject(climb.GAME)
    state, _ = start(climber, players="a")
    texts = [climber.describe_action(a, state) for a in climber.get_valid_actions(state, "a")]
    assert texts == ["a: rests.", "a: steps.", "a: leaps."]


# Forfeits, winners, threads


def test_eliminate__ignores_the_sub_actions_of_a_player(trio: KernelGameObject) -> None:
    result = GameLoop(trio, {"a": draw, "b": crash, "c": draw}, on_error="forfeit").run(4)
    assert result.reason == "over"
    assert result.final_state.eliminated == ("b",)
    assert int(result.final_state.record.totals[1]) == 0
    assert result.rankings[-1].player.id == "b"
    assert (result.replay.turns[0].player, result.replay.turns[0].why) == (1, "raised")
    assert {turn.orders[1] for turn in result.replay.turns[1:]} == {(-1, -1)}
    assert ReplayPlayer(trio).verify(result.replay).ok


@pytest.mark.parametrize(("names", "turn"), [("abc", 2), ("ab", 1)])
def test_eliminate__plays_the_turn_if_all_others_have_chosen(
    trio: KernelGameObject, names: str, turn: int
) -> None:
    state, rng = start(trio, players="abc")
    for name in "ab":
        state = trio.execute_action(state, trio.get_valid_actions(state, name)[0], rng)
    after = trio.eliminate(state, names[-1], rng)
    assert (after.turn, after.eliminated) == (turn, (names[-1],))
    assert after.active_player_id == ("a" if turn == 2 else "c")
    if turn == 2:
        assert after.record.totals.tolist()[2] == 0
        after = trio.eliminate(after, "a", rng)
        assert after.active_player_id == "b"
        assert trio.view(after, "a").active_player_id == "b"
        final = trio.execute_action(after, trio.get_valid_actions(after, "b")[0], rng)
        assert (final.turn, final.active_player_id) == (3, "b")


def test_forfeit__of_one_of_two_players_lets_the_other_win(quantaris: KernelGameObject) -> None:
    result = GameLoop(quantaris, {"ann": draw, "bob": crash}, on_error="forfeit").run(1)
    assert (result.reason, result.winner) == ("forfeit", Player("ann", "draw"))
    assert ReplayPlayer(quantaris).verify(result.replay).ok


def test_winner__is_the_only_best_player_after_the_end(
    quantaris: KernelGameObject, climb: ModuleType
) -> None:
    state, _ = start(quantaris)
    for scores, ended, winner in [
        ((1.0, -1.0), "terminated", Player("a")),
        ((-1.0, 1.0), "terminated", Player("b")),
        ((0.0, 0.0), "terminated", None),
        ((1.0, -1.0), "", None),
    ]:
        position = dataclasses.replace(state, scores=scores, ended=ended)
        assert quantaris.get_winner(position) == winner
    climber = KernelGameObject(climb.GAME, limit=2)
    result = GameLoop(climber, {"solo": draw}).run(1)
    assert (result.winner, result.final_state.ended) == (None, "truncated")
    assert result.rankings[0].score == result.final_state.scores[0]


def test_kernel_object__can_be_pickled(quantaris: KernelGameObject) -> None:
    result = GameLoop(quantaris, {"a": draw, "b": draw}, MatchConfig(max_turns=2)).run(1)
    twin, final_state = pickle.loads(pickle.dumps((quantaris, result.final_state)))
    assert final_state == result.final_state
    assert twin.get_valid_actions(final_state, "a") == quantaris.get_valid_actions(final_state, "a")
    assert ReplayPlayer(twin).verify(result.replay).ok


def test_kernel_object__may_be_used_by_several_threads(trio: KernelGameObject) -> None:
    expected = [GameLoop(trio, dict.fromkeys("abc", draw)).run(seed).replay for seed in range(4)]
    found: dict[int, GameResult] = {}

    def play(seed: int) -> None:
        found[seed] = GameLoop(trio, dict.fromkeys("abc", draw)).run(seed)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed].replay for seed in range(4)] == expected
