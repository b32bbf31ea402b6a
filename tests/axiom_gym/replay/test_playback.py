"""Games that are played again, and their first difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from axiom_gym import replay
from axiom_gym.errors import ReplayError
from axiom_gym.play.match import Match
from axiom_gym.replay import Replay

Change = Callable[..., Replay]


def test_verify__of_an_untouched_replay_is_ok(game: Replay, trio: Replay) -> None:
    result = replay.verify(game)
    assert result.ok
    assert (result.turn, result.fields) == (None, ())
    assert result.message.startswith("quantaris-v0: 31 turns play out as recorded; the last state")
    assert replay.verify(trio).ok


def test_verify__names_turn_hashes_and_fields_if_sub_actions_differ(
    game: Replay, change: Change
) -> None:
    result = replay.verify(change(game, 3, orders=((0, 0, 0), (0, 0, 0))))
    assert not result.ok
    assert result.turn == 3
    assert result.expected == game.turns[2].hash != result.found
    assert "y" in result.fields
    assert not {"turn", "rng", "winner"} & set(result.fields)
    assert f"after turn 3 differs: expected hash {result.expected}" in result.message
    assert "y is now [" in result.message


def test_verify__distinguishes_a_changed_hash_from_a_changed_game(
    game: Replay, change: Change
) -> None:
    result = replay.verify(change(game, 5, hash="0" * 16))
    assert (result.turn, result.fields) == (5, ())
    assert "the recorded hash itself was changed" in result.message


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (
            ((13, 0, 0), (0, 0, 0)),
            "sub-action 0 of player_0 is 13, which is not legal; legal are [0, 1,",
        ),
        (((0, 0, 0), (0, -1, 0)), "sub-action 1 of player_1 is -1, which is not legal"),
    ],
)
def test_verify__refuses_illegal_sub_actions(
    game: Replay, orders: tuple[tuple[int, ...], ...], said: str, change: Change
) -> None:
    result = replay.verify(change(game, 2, orders=orders))
    assert (result.ok, result.turn) == (False, 2)
    assert said in result.message


def test_verify__compares_each_entry(game: Replay, trio: Replay, change: Change) -> None:
    cases = [
        (change(game, 4, draws=1), 4, "turn 4 differs: draws was 1, and is now 0"),
        (change(game, 4, field_hashes="0" * 32), 4, "turn 4 differs: field_hashes"),
        (change(trio, 1, draws=0), 1, "draws was 0, and is now 1"),
        (change(game, "header", fields=("a",)), 0, "the header differs: fields was"),
        (change(game, "header", field_hashes="0" * 32), 0, "the header differs: field_hashes"),
        (change(game, "footer", outcome=(0.0, 0.0)), 31, "outcome was (0.0, 0.0), and is now (1.0"),
        (change(game, "footer", rankings=game.footer.rankings[::-1]), 31, "rankings was"),
        (change(game, "footer", hash="0" * 16), 31, "the footer differs: hash was 0000"),
        (change(game, "footer", ended="truncated"), 31, "ended was truncated"),
    ]
    for changed, turn, said in cases:
        result = replay.verify(changed)
        assert (result.ok, result.turn) == (False, turn)
        assert said in result.message


def test_verify__of_another_seed_differs_at_the_start(game: Replay, change: Change) -> None:
    result = replay.verify(change(game, "header", seed=2))
    assert (result.turn, result.fields) == (0, ("rng",))
    assert "at the start differs" in result.message


def test_verify__reports_a_game_that_is_too_short_or_too_long(game: Replay) -> None:
    short = dataclasses.replace(game, turns=game.turns[:-1])
    message = "the replay ends after turn 30, but the game is still in progress."
    assert replay.verify(short).message == message
    longer = dataclasses.replace(
        game, turns=(*game.turns, dataclasses.replace(game.turns[-1], number=32))
    )
    result = replay.verify(longer)
    assert (result.turn, result.message) == (32, "turn 32: the game is over after turn 31.")


def test_verify__of_a_truncated_game_is_ok(change: Change) -> None:
    short = Match("quantaris", ["random", "random"], seed=1, max_turns=3).play()
    assert (short.footer.ended, short.footer.turns, short.footer.outcome) == (
        "truncated",
        3,
        (0.0, 0.0),
    )
    assert replay.verify(short).ok
    assert not replay.verify(change(short, "header", max_turns=0)).ok


def test_verify__ignores_options_that_are_newer_than_the_replay(
    game: Replay, change: Change
) -> None:
    fewer = {key: value for key, value in game.header.options.items() if key != "shaping"}
    assert replay.verify(change(game, "header", options=fewer)).ok


def test_verify__reports_a_game_that_is_not_registered(trio: Replay, change: Change) -> None:
    with pytest.raises(ReplayError, match="a game of absent-v0, made with"):
        replay.verify(change(trio, "header", game="absent"))
