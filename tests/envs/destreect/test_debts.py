"""The rules of debts, bankruptcy and the end of the game, on the board "town".

The spaces of "town": 0 start, 1 2 Riverside, 3 fate, 4 line, 5 6 Kilns, 7 tax of 200, 8 park,
9 10 Gardens, 11 fate, 12 detour, 13 15 Heights, 14 line. Players start with 600.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED

Make = Callable[..., Any]


# -- debts and bankruptcy --------------------------------------------------------------------------


def test_debt__lasts_until_it_is_paid(table: Make) -> None:
    game = table()
    game.give(0, 1, 4)
    game.give(1, 5, 6)
    game.set_cash(60)
    game.roll(2, 3)
    assert (game.actor, game.phase, int(game.state.debt)) == (0, "debt", 180)
    assert game.legal == {"mortgage 1", "mortgage 4"}
    game.do("mortgage 1")
    assert (game.phase, game.cash) == ("debt", [120, 600])
    game.do("mortgage 4")
    assert (game.phase, game.cash, int(game.state.debt)) == ("manage", [15, 780], 0)


def test_debt__allows_only_selling_and_mortgaging(table: Make) -> None:
    game = table()
    game.give(0, 5, 6, houses=1)
    game.give(0, 1, 2)
    game.give(0, 4, mortgaged=True)
    game.set_cash(150)
    game.roll(4, 3)
    assert game.legal == {"sell 5", "sell 6", "mortgage 1", "mortgage 2"}


def test_bankruptcy__the_creditor_gets_all_and_mortgages_stay(table: Make) -> None:
    game = table(players=3)
    game.give(0, 1, 4, mortgaged=True)
    game.give(2, 5, 6)
    game.set_cash(60)
    game.roll(2, 3)
    assert (game.cash, game.actor, game.phase) == ([0, 600, 660], 1, "rolling")
    assert (game.owner(1), game.owner(4)) == (2, 2)
    assert game.state.mortgaged[game.deed(1)] == 1
    assert game.log[-3:] == [
        "Rope Lane goes to player_2.",
        "Mill Ferry goes to player_2.",
        "player_1 is next.",
    ]


def test_bankruptcy__to_the_bank_makes_deeds_free_and_unmortgaged(table: Make) -> None:
    game = table(players=3)
    game.give(0, 1, 4, mortgaged=True)
    game.set_cash(60)
    game.roll(4, 3)
    assert (game.owner(1), game.owner(4), game.cash) == (-1, -1, [0, 600, 600])
    assert not game.state.mortgaged.any()


def test_bankruptcy__follows_if_the_last_deed_does_not_suffice(table: Make) -> None:
    game = table(players=3)
    game.give(0, 1)
    game.set_cash(60)
    game.roll(4, 3)
    game.do("mortgage 1")
    assert (game.state.alive[0], game.actor) == (0, 1)


def test_bankruptcy__after_a_double_the_next_player_has_the_turn(table: Make) -> None:
    game = table(players=3)
    game.give(1, 4)
    game.set_cash(5)
    game.roll(2, 2)
    assert (game.actor, int(game.state.doubles)) == (1, 0)


def test_bankruptcy__is_rewarded_at_once_and_only_once(table: Make) -> None:
    game = table(players=3)
    game.set_cash(5, 5, 600)
    game.roll(4, 3)
    assert (game.code, game.rewards.tolist()) == (RUNNING, [-1, 0, 0])
    assert game.outcome() == [0, 0, 0]
    game.roll(4, 3)
    assert (game.code, game.rewards.tolist()) == (ENDED, [0, 0, 1])
    assert game.outcome() == [-1, 0, 1]
    assert game.log[-1] == "player_2 wins."


def test_collect__a_debtor_acts_in_an_opponents_turn_and_the_next_pay_after_it(
    table: Make,
) -> None:
    game = table(players=4)
    game.give(2, 1)
    game.set_cash(600, 600, 5, 600)
    game.stack("collect")
    game.roll(1, 2)
    assert (game.actor, game.phase, game.cash) == (2, "debt", [620, 580, 5, 600])
    assert game.legal == {"mortgage 1"}
    game.do("mortgage 1")
    assert (game.actor, game.phase, game.cash) == (0, "manage", [660, 580, 45, 580])


def test_collect__continues_after_a_bankruptcy(table: Make) -> None:
    game = table(players=4)
    game.give(1, 1, mortgaged=True)
    game.set_cash(600, 5, 600, 7)
    game.stack("collect")
    game.roll(1, 2)
    assert game.cash == [600 + 5 + 20 + 7, 0, 580, 0]
    assert game.owner(1) == 0
    assert game.rewards == pytest.approx([0, -1, 0, -1 / 3])
    assert (game.actor, game.phase) == (0, "manage")


def test_collect__ends_the_game_if_all_others_go_bankrupt(table: Make) -> None:
    game = table(players=3)
    game.set_cash(600, 5, 7)
    game.stack("collect")
    game.roll(1, 2)
    assert (game.code, game.rewards.tolist()) == (ENDED, [1, -1, 0])


# -- the end ---------------------------------------------------------------------------------------


def test_limit__truncates_and_ranks_by_net_worth(table: Make) -> None:
    game = table(players=3, turn_limit=1)
    game.give(0, 5)  # 200, with 600 in cash
    game.give(1, 9, mortgaged=True)  # 140
    game.give(2, 1, 2, houses=1)  # 260 and houses 65
    game.set_cash(600, 740, 600)
    game.roll(3, 5)
    game.do("end")
    assert (game.code, game.is_over) == (TRUNCATED, True)
    assert game.rewards.tolist() == [-1, 0, 1]  # 800, 880, 925
    assert game.outcome() == [-1, 0, 1]


def test_limit__equals_share_the_mean_of_their_places(table: Make) -> None:
    game = table(players=4, turn_limit=1)
    game.set_cash(500, 700, 700, 700)
    game.roll(3, 5)
    game.do("end")
    assert game.rewards == pytest.approx([-1, 1 / 3, 1 / 3, 1 / 3])


def test_limit__bankrupt_players_keep_their_places(table: Make) -> None:
    game = table(players=3, turn_limit=1)
    game.set_cash(5)
    game.roll(4, 3)
    assert (game.code, game.rewards.tolist()) == (TRUNCATED, [-1, 0.5, 0.5])


def test_limit__of_two_equals_nobody_wins(table: Make) -> None:
    game = table(turn_limit=1)
    game.roll(3, 5)
    game.do("end")
    assert game.rewards.tolist() == [0, 0]


def test_turns__doubles_count_as_turns_of_their_own(table: Make) -> None:
    game = table(turn_limit=2)
    game.roll(4, 4)
    game.do("end")
    game.roll(2, 6)
    game.do("end")
    assert game.code == TRUNCATED
