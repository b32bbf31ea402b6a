from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ConfigError, ResetNeededError, UnknownNameError
from axiom_gym.text import TextGame

WRONG = '{"move": "z"}'


@pytest.fixture
def four() -> TextGame:
    game = TextGame("connect_four")
    game.reset(1)
    return game


def test_prompt__has_rules_history_position_and_legal_moves(four: TextGame) -> None:
    four.submit("player_0", "d")
    text = four.prompt("player_1")
    assert text.startswith("You play ConnectFour as player_1.")
    assert "four of their own stones wins" in text
    assert "1. player_0 drops a stone into column d" in text
    assert ". . . x . . .\na b c d e f g" in text
    assert "\nd: drops a stone into column d\n" in text
    assert text.endswith('{"move": "..."}.')


def test_prompt__is_the_same_for_the_same_position(four: TextGame) -> None:
    other = TextGame("connect_four")
    other.reset(2)
    assert four.prompt("player_0") == other.prompt("player_0")


def test_prompt__leaves_out_what_is_not_wanted() -> None:
    game = TextGame("connect_four", legal_moves=False, history=0, rules="Four in a line.")
    game.reset(1)
    game.submit("player_0", "d")
    text = game.prompt("player_1")
    assert "# Rules\nFour in a line.\n" in text
    assert "turns" not in text
    assert "Legal" not in text
    assert "column a | d: drops a stone into column d | g: drops a stone into column g" in text


def test_history__keeps_the_last_turns() -> None:
    game = TextGame("connect_four", history=2)
    game.reset(1)
    for column in "abc":
        game.submit(game.to_act[0], column)
    text = game.prompt("player_1")
    assert "1. player_0" not in text
    assert "2. player_1 drops a stone into column b\n3. player_0 drops" in text


def test_history__hides_the_actions_of_others(four: TextGame) -> None:
    four.submit("player_0", "a")
    four.submit("player_1", "b")
    info = four.batch.game.info
    object.__setattr__(info, "perfect_information", False)
    try:
        text = four.prompt("player_0")
    finally:
        object.__setattr__(info, "perfect_information", True)
    assert "1. player_0 drops a stone into column a" in text
    assert "column b\n\n" not in text


def test_submit__plays_a_game_to_its_end(four: TextGame) -> None:
    for column in "abababa":
        (player,) = four.to_act
        assert four.submit(player, column).category == "ok"
    assert four.over
    assert four.to_act == ()
    assert four.rewards == four.returns == {"player_0": 1.0, "player_1": -1.0}
    assert four.legal("player_0") == []


def test_submit__forfeits_after_the_last_attempt(four: TextGame) -> None:
    four.submit("player_0", "a")
    for left, (reply, cut, category) in enumerate(
        [(WRONG, False, "illegal"), ("", False, "empty"), ("d", True, "truncated")]
    ):
        assert four.attempts_left("player_1") == 3 - left
        assert not four.over
        assert four.submit("player_1", reply, truncated=cut).category == category
    assert four.over
    assert four.forfeited == ("player_1",)
    assert four.returns == {"player_0": 1.0, "player_1": -1.0}


def test_submit__gives_new_attempts_for_each_decision(four: TextGame) -> None:
    for column in "ab":
        four.submit(four.to_act[0], WRONG)
        four.submit(four.to_act[0], WRONG)
        four.submit(four.to_act[0], column)
    assert not four.over
    assert four.attempts_left("player_0") == 3


def test_opponents__move_by_themselves() -> None:
    game = TextGame("connect_four", opponents={"player_0": "minimax2"})
    game.reset(5)
    assert game.to_act == ("player_1",)
    first = game.board("player_1")
    assert first.count("x") == 1
    game.reset(5)
    assert game.board("player_1") == first
    with pytest.raises(ConfigError, match="there is nobody to ask"):
        TextGame("connect_four", opponents={"player_0": "random", "player_1": "random"})
    with pytest.raises(UnknownNameError, match="player_2"):
        TextGame("connect_four", opponents={"player_2": "random"})


def test_simultaneous__plays_the_turn_when_all_have_submitted(pennies: ModuleType) -> None:
    game = TextGame(pennies.GAME)
    game.reset(1)
    assert game.to_act == game.players
    before = {player: game.board(player) for player in game.players}
    for player in game.players:
        assert game.board(player) == before[player]
        parts = game.choices(player)
        assert game.submit(player, "; ".join(part[0] for part in parts)).category == "ok"
    assert game.to_act == game.players
    assert game.board("player_0") != before["player_0"]


def test_plain_game__shows_the_players_view(race: ModuleType) -> None:
    class Blind(race.Race):  # type: ignore[misc, name-defined]
        def view(self, state: Any, player_id: str) -> Any:
            seat = state.player_order.index(player_id)
            return dataclasses.replace(state, goal=100 + seat)

    game = TextGame(Blind(), players=3)
    game.reset(1)
    assert game.players == ("player_0", "player_1", "player_2")
    assert "goal=101" in game.board("player_1")
    assert "goal=101" in _prompt_after(game, 1)


def _prompt_after(game: TextGame, turns: int) -> str:
    for _ in range(turns):
        game.submit(game.to_act[0], game.legal(game.to_act[0])[0])
    return game.prompt(game.to_act[0])


def test_errors__name_the_remedy(four: TextGame) -> None:
    with pytest.raises(ResetNeededError, match=r"call reset\(\) first"):
        TextGame("connect_four").prompt("player_0")
    with pytest.raises(ResetNeededError, match="player_1 is not to act; to act: player_0"):
        four.submit("player_1", "a")
    with pytest.raises(UnknownNameError, match="player_9"):
        four.prompt("player_9")
    assert four.attempts_left("player_1") == 3
