"""The rules of turns, moves and the lock-up, on the board "town".

The spaces of "town": 0 start, 1 2 Riverside, 3 fate, 4 line, 5 6 Kilns, 7 tax of 200, 8 park,
9 10 Gardens, 11 fate, 12 detour, 13 15 Heights, 14 line. Players start with 600.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_gym.seeded_rng import SeededRNG

Make = Callable[..., Any]


# -- the start -------------------------------------------------------------------------------------


def test_start__players_have_only_cash(table: Make) -> None:
    game = table(players=3)
    assert (game.actor, game.phase, game.legal) == (0, "rolling", {"roll"})
    assert game.cash == [600, 600, 600]
    assert set(game.state.owner.tolist()) == {-1}
    assert game.outcome() == [0, 0, 0]


def test_start__seat_bonus_grows_from_seat_to_seat(table: Make) -> None:
    assert table(players=3, seat_bonus=25).cash == [600, 625, 650]


def test_start__shuffles_the_deck_from_the_back(table: Make) -> None:
    game = table(seed=99)
    deck = SeededRNG(99).shuffle(range(10))
    assert game.state.deck[:10].tolist() == deck
    assert set(game.state.deck[10:].tolist()) == {-1}


# -- rolls and moves -------------------------------------------------------------------------------


def test_roll__is_the_first_die_then_the_second(table: Make) -> None:
    game = table()
    game.state.rng = 5
    game.do("roll")
    rng = SeededRNG(5)
    assert game.state.dice.tolist() == [rng.range(1, 6), rng.range(1, 6)]
    assert int(game.state.rng) == rng.state


def test_move__passing_the_start_pays(table: Make) -> None:
    game = table()
    game.put(14)
    game.roll(2, 1)
    assert game.state.position[0] == 1
    assert game.cash[0] == 700
    assert "player_0 passes the start and gets 100." in game.log


def test_move__reaching_the_start_pays_and_leaving_it_does_not(table: Make) -> None:
    game = table()
    game.roll(6, 2)
    assert game.cash[0] == 600
    game.put(8)
    game.do("end")
    game.state.active = game.state.acting = 0
    game.roll(6, 2)
    assert (game.state.position[0], game.cash[0]) == (0, 700)


def test_double__gives_another_turn(table: Make) -> None:
    game = table()
    game.roll(4, 4)
    game.do("end")
    assert (game.actor, game.phase, int(game.state.turn)) == (0, "rolling", 2)
    assert "player_0 plays again after a double." in game.log
    game.put(3)
    game.roll(2, 3)
    game.do("end")
    assert game.actor == 1


def test_double__the_third_in_a_row_leads_to_the_lockup_without_a_move(table: Make) -> None:
    game = table()
    game.state.doubles = 2
    game.put(14)
    game.roll(1, 1)
    assert (game.state.position[0], game.state.locked[0], game.cash[0]) == (8, 1, 600)
    assert game.phase == "manage"
    game.do("end")
    assert game.actor == 1


def test_turn__passes_to_the_next_player_in_the_game(table: Make) -> None:
    game = table(players=4)
    game.state.alive[1] = 0
    game.roll(3, 5)
    game.do("end")
    assert game.actor == 2
    assert "player_2 is next." in game.log


# -- the lock-up -----------------------------------------------------------------------------------


def test_lockup__pay_frees_and_the_player_still_rolls(table: Make) -> None:
    game = table()
    game.put(8)
    game.state.locked[0] = 1
    assert game.legal == {"roll", "pay"}
    game.do("pay")
    assert (game.cash[0], game.state.locked[0], game.legal) == (550, 0, {"roll"})
    game.roll(3, 3)
    assert game.state.position[0] == 14
    game.do("decline", "pass", "pass", "end")
    assert game.actor == 0  # a double as any other


def test_lockup__pay_needs_the_cash(table: Make) -> None:
    game = table()
    game.state.locked[0] = 1
    game.set_cash(49)
    assert game.legal == {"roll"}


def test_lockup__a_double_frees_and_moves_but_gives_no_further_turn(table: Make) -> None:
    game = table()
    game.put(8)
    game.state.locked[0] = 2
    game.roll(4, 4)
    assert (game.state.position[0], game.state.locked[0], game.cash[0]) == (0, 0, 700)
    game.do("end")
    assert game.actor == 1


def test_lockup__a_failed_roll_stays_and_the_third_pays_and_moves(table: Make) -> None:
    game = table()
    game.put(8)
    game.state.locked[0] = 1
    for failed in (2, 3):
        game.roll(3, 5)
        assert (game.state.position[0], game.state.locked[0]) == (8, failed)
        game.do("end")
        game.state.active = game.state.acting = 0
    game.roll(3, 5)
    assert (game.state.position[0], game.state.locked[0]) == (0, 0)
    assert game.cash[0] == 600 - 50 + 100


def test_lockup__a_debtor_of_the_fee_raises_money_and_then_moves(table: Make) -> None:
    game = table()
    game.put(8)
    game.give(0, 1)
    game.set_cash(20)
    game.state.locked[0] = 3
    game.roll(3, 5)
    assert (game.phase, game.legal, game.state.position[0]) == ("debt", {"mortgage 1"}, 8)
    assert game.observe(0)["debt_is_fee"] == 1
    game.do("mortgage 1")
    assert (game.phase, game.state.position[0], game.cash[0]) == ("manage", 0, 20 + 60 - 50 + 100)


def test_lockup__a_debtor_of_the_fee_without_deeds_is_bankrupt_and_does_not_move(
    table: Make,
) -> None:
    game = table(players=3)
    game.put(8)
    game.set_cash(20)
    game.state.locked[0] = 3
    game.roll(3, 5)
    assert (game.state.position[0], game.actor, game.phase) == (8, 1, "rolling")
    assert game.rewards.tolist() == [-1, 0, 0]


def test_lockup__a_detour_leads_there_without_pay_and_resets_doubles(table: Make) -> None:
    game = table()
    game.put(6)
    game.roll(3, 3)
    assert (game.state.position[0], game.state.locked[0], game.phase) == (8, 1, "manage")
    game.do("end")
    assert game.actor == 1


def test_lockup__owners_still_collect_rent(table: Make) -> None:
    game = table()
    game.give(1, 4)
    game.state.locked[1] = 1
    game.roll(1, 3)
    assert game.cash == [590, 610]


# -- taxes and cards -------------------------------------------------------------------------------


def test_tax__is_paid(table: Make) -> None:
    game = table()
    game.roll(4, 3)
    assert (game.cash, game.phase) == ([400, 600], "manage")


@pytest.mark.parametrize(("amount", "cash"), [(60, 660), (-140, 460)])
def test_card__cash(table: Make, amount: int, cash: int) -> None:
    game = table()
    game.stack("cash", amount)
    game.roll(1, 2)
    assert (game.cash, game.phase) == ([cash, 600], "manage")


def test_card__move_leads_forward_over_the_start_and_lands(table: Make) -> None:
    game = table()
    game.put(8)
    game.stack("move", space=4)
    game.roll(1, 2)
    assert (game.state.position[0], game.cash[0], game.phase) == (4, 700, "offer")


def test_card__lockup(table: Make) -> None:
    game = table()
    game.put(8)
    game.stack("lockup")
    game.roll(1, 2)
    assert (game.state.position[0], game.state.locked[0], game.cash[0]) == (8, 1, 600)


def test_card__repairs_cost_by_the_house(table: Make) -> None:
    game = table()
    game.give(0, 5, 6, houses=3)
    game.give(1, 1, 2, houses=4)
    game.stack("repairs")
    game.roll(1, 2)
    assert game.cash == [600 - 6 * 15, 600]


def test_card__repairs_without_houses_are_free(table: Make) -> None:
    game = table()
    game.stack("repairs")
    game.roll(1, 2)
    assert (game.cash, game.phase) == ([600, 600], "manage")


def test_card__collect_takes_from_each_player_in_the_game(table: Make) -> None:
    game = table(players=4)
    game.state.alive[2] = 0
    game.stack("collect")
    game.roll(1, 2)
    assert game.cash == [640, 580, 600, 580]


def test_card__goes_under_the_deck(table: Make) -> None:
    game = table()
    game.stack("collect")
    for _ in range(10):
        top = int(game.state.top)
        game.put(0, 0)
        game.state.active = game.state.acting = 0
        game.state.phase = 0
        game.state.locked[:] = 0
        game.set_cash(5000, 5000)
        game.roll(1, 2)
        assert int(game.state.top) == (top + 1) % 10
    assert int(game.state.top) == 0
