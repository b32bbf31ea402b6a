"""The first difference of two replays."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig, Player
from axiom_gym.replay import Replay
from axiom_gym.replay.diff import diff

Change = Callable[..., Any]
Matches = Callable[..., Replay]


def test_diff__of_the_same_game_is_nothing(
    game: Replay, race_match: Matches, change: Change
) -> None:
    assert diff(game, game) == ""
    assert diff(game, change(game, "header", made_with="another package")) == ""
    assert diff(race_match(), race_match()) == ""


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"seed": 7}, "line 1, the header: seed is 1 in the first, and 7 in the second."),
        ({"version": 1}, "line 1, the header: version is 0 in the first, and 1 in the second."),
        ({"max_turns": 5}, "line 1, the header: max_turns is 0 in the first, and 5 in the second."),
        (
            {"options": {"ruleset": "0.1", "obs": "features", "shaping": 0.0}},
            "line 1, the header: option ruleset is 0.2 in the first, and 0.1 in the second.",
        ),
        (
            {"options": {"obs": "features", "shaping": 0.0}},
            "line 1, the header: option ruleset is 0.2 in the first, and not there in the second.",
        ),
        (
            {"players": (Player("player_0", "ann"), Player("player_1", "bob"))},
            "line 1, the header: players is player_0 = random, player_1 = random in the first, and "
            "player_0 = ann, player_1 = bob in the second.",
        ),
    ],
)
def test_diff__names_facts_of_the_header(
    game: Replay, change: Change, entries: dict[str, Any], said: str
) -> None:
    assert diff(game, change(game, "header", **entries)) == said


def test_diff__names_the_differing_sub_action(game: Replay, four: Replay, change: Change) -> None:
    mine, other = game.turns[6].orders
    changed = (mine, (other[0], other[1] + 1, other[2]))
    assert diff(game, change(game, 7, orders=changed)) == (
        f"line 8, turn 7: sub-action 1 of player_1 is {other[1]} in the first, and {other[1] + 1} "
        "in the second."
    )
    column = four.turns[1].orders[0][0]
    assert diff(change(four, 2, orders=((column + 1,),)), four) == (
        f"line 3, turn 2: sub-action 0 of player_1 is {column + 1} in the first, and {column} in "
        "the second."
    )
    assert diff(four, change(four, 2, player=0)) == (
        "line 3, turn 2: player_1 acts in the first, and player_0 in the second."
    )


def test_diff__names_the_fields_of_states(game: Replay, change: Change) -> None:
    turn = game.turns[4]
    place = game.header.fields.index("hp")
    hashes = turn.field_hashes[: 4 * place] + "0000" + turn.field_hashes[4 * place + 4 :]
    changed = change(game, 5, hash="0" * 16, field_hashes=hashes)
    assert diff(game, changed) == (
        f"line 6, turn 5: both did the same, but the states differ in hp: {turn.hash} in the "
        f"first, and {'0' * 16} in the second."
    )
    first = change(game, "header", hash="1" * 16)
    assert diff(first, game).startswith("line 1, the header: the states differ: 1111111111111111")


def test_diff__names_other_entries_lengths_and_ends(game: Replay, change: Change) -> None:
    assert diff(game, change(game, 5, draws=3)) == (
        "line 6, turn 5: draws is 0 in the first, and 3 in the second."
    )
    short = dataclasses.replace(game, turns=game.turns[:20])
    assert diff(game, short) == (
        "line 22: the second ends after turn 20, and the first continues to turn 31."
    )
    assert diff(short, game).startswith("line 22: the first ends after turn 20, and the second")
    assert diff(game, change(game, "footer", outcome=(0.0, 0.0))) == (
        "line 33, the footer: outcome is 1.0, -1.0 in the first, and 0.0, 0.0 in the second."
    )


def test_diff__of_plain_games(race_match: Matches, change: Change) -> None:
    one = race_match(1)
    assert diff(one, race_match(2)) == (
        "line 1, the header: seed is 1 in the first, and 2 in the second."
    )
    action = one.turns[2].orders[0]
    assert diff(one, change(one, 3, orders=("jump",))) == (
        f"line 4, turn 3: the action of cid is {action} in the first, and jump in the second."
    )
    assert diff(one, change(one, 3, player=0)) == (
        "line 4, turn 3: cid acts in the first, and ann in the second."
    )
    assert diff(one, change(one, 3, why="late", orders=(), legal=())) == (
        "line 4, turn 3: cid acts in the first, and forfeits (late) in the second."
    )
    changed = change(one, 3, hash="0" * 16, fields=("a",), field_hashes="1234")
    assert "both did the same, but the states differ in " in diff(one, changed)
    assert diff(one, change(one, 3, fallback=(2,))) == (
        "line 4, turn 3: fallback is nothing in the first, and 2 in the second."
    )
    assert diff(one, change(one, "footer", rankings=one.footer.rankings[:1])).startswith(
        f"line {len(one.turns) + 2}, the footer: rankings is 1. "
    )


def test_diff__names_other_games_and_models(
    game: Replay, race_match: Matches, change: Change
) -> None:
    assert diff(game, race_match()) == (
        "line 1, the header: game is quantaris in the first, and race in the second."
    )
    players = (Player("player_0", "random", "0123456789abcdef"), game.header.players[1])
    assert diff(game, change(game, "header", players=players)) == (
        "line 1, the header: players is player_0 = random, player_1 = random in the first, and "
        "player_0 = random, model 0123456789abcdef, player_1 = random in the second."
    )


def test_diff__of_a_match_and_a_batch_finds_the_sub_action(four: Replay, change: Change) -> None:
    """Both write the same lines, so the first difference is a decision."""
    column = four.turns[4].orders[0][0]

    def play(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        wanted = (column + 1) % 7 if state.turn == 5 else four.turns[state.turn - 1].orders[0][0]
        return next((one for one in actions if one.sub_actions == (wanted,)), actions[0])

    agents = {"player_0": play, "player_1": play}
    match = GameLoop(KernelGameObject("connect_four"), agents, MatchConfig(max_turns=8)).run(1)
    other = change(match.replay, "header", max_turns=0, players=four.header.players)
    assert diff(four, other) == (
        f"line 6, turn 5: sub-action 0 of player_0 is {column} in the first, and "
        f"{(column + 1) % 7} in the second."
    )
