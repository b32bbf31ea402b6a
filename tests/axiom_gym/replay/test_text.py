"""Recorded games as text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_gym import replay
from axiom_gym.errors import ReplayError
from axiom_gym.game import Player
from axiom_gym.replay import Replay
from axiom_gym.replay.text import describe_footer, show

Change = Callable[..., Replay]


def test_show__prints_players_sub_actions_states_and_result(game: Replay) -> None:
    blocks = list(show(game))
    assert len(blocks) == 1 + 1 + 31 + 1
    assert blocks[0].startswith("Quantaris; ruleset=0.2 obs=features shaping=0.0; seed 1\n")
    assert "player_0 = random, player_1 = random" in blocks[0]
    assert blocks[1].startswith("turn 1; cores A=5 B=5; units A1=2")
    assert blocks[2].startswith("Turn 1\n  player_0  A1 ")
    assert "\nturn 2; cores" in blocks[2]
    assert blocks[-1] == "player_0 (random) wins after 31 turns."


def test_show__stops_where_the_game_is_not_the_recorded_one(game: Replay, change: Change) -> None:
    blocks = show(change(game, 3, orders=((0, 0, 0), (0, 0, 0))))
    shown = [next(blocks) for _ in range(5)]
    assert shown[-1].startswith("Turn 3")
    with pytest.raises(ReplayError, match="after turn 3 differs"):
        next(blocks)


def test_describe_footer__has_words_for_each_way_to_end(game: Replay, change: Change) -> None:
    def footer(*outcome: float, ended: str = "terminated", fault: str | None = None) -> str:
        players = [Player(f"player_{seat}", f"n{seat}") for seat in range(len(outcome))]
        ranking = replay.rank_players(players, outcome)
        changed = change(game, "footer", outcome=outcome, rankings=ranking, ended=ended, turns=9)
        return describe_footer(changed.footer, fault)

    assert footer(-1.0, 1.0) == "player_1 (n1) wins after 9 turns."
    assert footer(0.0, 0.0) == "Draw after 9 turns."
    assert footer(0.0, 0.0, ended="truncated") == (
        "Draw after 9 turns, where the limit ended the game."
    )
    assert footer(3.5) == "The game ends after 9 turns with a score of 3.5."
    assert footer(-0.25, ended="truncated") == (
        "The limit ends the game after 9 turns with a score of -0.25."
    )
    assert footer(1.0, 0.0, ended="truncated", fault="what") == (
        "player_0 (n0) wins after 9 turns, where a fault of the rules ended the game.\n"
        "The fault: what"
    )
    assert footer(1.0, 2.0, 2.0).splitlines() == [
        "player_1 (n1), player_2 (n2) first after 9 turns.",
        "  1. player_1 (n1): 2",
        "  1. player_2 (n2): 2",
        "  3. player_0 (n0): 1",
    ]
