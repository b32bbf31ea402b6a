"""The rules of deeds on the board "town": purchases, auctions, rents, houses, mortgages.

The spaces of "town": 0 start, 1 2 Riverside, 3 fate, 4 line, 5 6 Kilns, 7 tax of 200, 8 park,
9 10 Gardens, 11 fate, 12 detour, 13 15 Heights, 14 line. Players start with 600.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


# -- buying and auctions ---------------------------------------------------------------------------


def test_offer__buy_costs_the_price(table: Make) -> None:
    game = table()
    game.roll(2, 3)
    assert (game.phase, game.legal) == ("offer", {"buy", "decline"})
    game.do("buy")
    assert (game.owner(5), game.cash[0], game.phase) == (0, 400, "manage")


def test_offer__buy_needs_the_cash(table: Make) -> None:
    game = table()
    game.set_cash(199)
    game.roll(2, 3)
    assert game.legal == {"decline"}


@pytest.mark.parametrize("space", [0, 8])
def test_space__park_and_start_need_no_decision(table: Make, space: int) -> None:
    game = table()
    game.put((space - 3) % 16)
    game.roll(1, 2)
    assert game.phase == "manage"


def test_auction__starts_at_the_next_player_and_the_highest_bidder_pays(table: Make) -> None:
    game = table(players=3)
    game.roll(2, 3)
    game.do("decline")
    order = []
    for key in ("raise 10", "raise 50", "raise 10", "pass", "pass"):
        order.append(game.actor)
        game.do(key)
    assert order == [1, 2, 0, 1, 2]
    assert (game.owner(5), game.cash, game.phase) == (0, [530, 600, 600], "manage")
    assert "player_0 wins Kiln Street for 70." in game.log


def test_auction__opponents_may_win_and_the_active_player_continues(table: Make) -> None:
    game = table(players=3)
    game.roll(2, 3)
    game.do("decline", "pass", "raise 10", "pass")
    assert (game.owner(5), game.cash, game.actor) == (2, [600, 600, 590], 0)


def test_auction__without_a_bid_the_deed_stays_free(table: Make) -> None:
    game = table(players=3)
    game.roll(2, 3)
    game.do("decline", "pass", "pass")
    assert game.actor == 0  # who declined may bid, last of all
    game.do("pass")
    assert (game.owner(5), game.cash, game.phase) == (-1, [600, 600, 600], "manage")
    assert game.log == ["Nobody buys Kiln Street."]


def test_auction__a_player_who_passed_bids_no_more(table: Make) -> None:
    game = table(players=3)
    game.roll(2, 3)
    game.do("decline", "raise 10", "pass", "raise 10")
    assert game.actor == 1
    game.do("raise 10")
    assert game.actor == 0


def test_auction__a_bid_may_not_exceed_the_cash(table: Make) -> None:
    game = table(players=3)
    game.set_cash(600, 49, 60)
    game.roll(2, 3)
    game.do("decline")
    assert game.legal == {"pass", "raise 10"}
    game.do("raise 10")
    assert game.legal == {"pass", "raise 10", "raise 50"}
    game.do("raise 50", "pass")
    assert game.legal == {"pass"}


def test_auction__skips_bankrupt_players(table: Make) -> None:
    game = table(players=4)
    game.state.alive[2] = 0
    game.roll(2, 3)
    game.do("decline", "pass")
    assert game.actor == 3


def test_auction__has_a_limit_of_raises(table: Make) -> None:
    game = table(action_limit=2)
    game.roll(2, 3)
    game.do("decline", "raise 10", "raise 10")
    assert game.legal == {"pass"}


# -- rent ------------------------------------------------------------------------------------------


def test_rent__goes_to_the_owner(table: Make) -> None:
    game = table(players=3)
    game.give(2, 5)
    game.roll(2, 3)
    assert (game.cash, game.phase, game.actor) == ([510, 600, 690], "manage", 0)


def test_rent__doubles_on_a_whole_district_without_houses(table: Make) -> None:
    game = table()
    game.give(1, 5, 6)
    game.roll(2, 3)
    assert game.cash == [420, 780]


@pytest.mark.parametrize(("houses", "rent"), [(1, 210), (2, 340), (3, 480), (4, 620)])
def test_rent__follows_the_houses(table: Make, houses: int, rent: int) -> None:
    game = table()
    game.give(1, 5, 6, houses=houses)
    game.set_cash(1000, 0)
    game.roll(2, 3)
    assert game.cash == [1000 - rent, rent]


def test_rent__of_a_whole_district_doubles_even_if_the_other_street_is_mortgaged(
    table: Make,
) -> None:
    game = table()
    game.give(1, 5)
    game.give(1, 6, mortgaged=True)
    game.roll(2, 3)
    assert game.cash == [420, 780]


@pytest.mark.parametrize(
    ("others", "rent"), [((), 10), ((12,), 25), ((12, 17), 50), ((12, 17, 24), 100)]
)
def test_rent__of_a_line_follows_how_many_the_owner_has(
    table: Make, others: tuple[int, ...], rent: int
) -> None:
    game = table(preset="city")
    game.give(1, 4, *others)
    game.roll(1, 3)
    assert game.cash == [1000 - rent, 1000 + rent]


@pytest.mark.parametrize(("owner", "mortgaged"), [(0, False), (1, True)])
def test_rent__is_not_due_on_ones_own_or_mortgaged_deeds(
    table: Make, owner: int, mortgaged: bool
) -> None:
    game = table()
    game.give(owner, 5, mortgaged=mortgaged)
    game.roll(2, 3)
    assert (game.cash, game.phase) == ([600, 600], "manage")


# -- manage ----------------------------------------------------------------------------------------


def manage(game: Any) -> Any:
    """Bring player 0 to the `manage` phase, on the park."""
    game.put(0)
    game.roll(3, 5)
    assert game.phase == "manage"
    return game


def test_build__needs_the_whole_district(table: Make) -> None:
    game = table()
    game.give(0, 5)
    assert "build 5" not in manage(game).legal
    game.give(0, 6)
    assert {"build 5", "build 6"} <= game.legal
    game.do("build 5")
    assert (game.cash[0], game.state.houses[game.deed(5)]) == (500, 1)


def test_build__needs_a_district_without_a_mortgage(table: Make) -> None:
    game = table()
    game.give(0, 5)
    game.give(0, 6, mortgaged=True)
    assert "build 5" not in manage(game).legal


def test_build__is_even(table: Make) -> None:
    game = table()
    game.give(0, 5, 6)
    manage(game).do("build 5")
    assert "build 5" not in game.legal
    assert "build 6" in game.legal


def test_build__at_most_four_houses_and_within_the_cash(table: Make) -> None:
    game = table()
    game.give(0, 5, 6, houses=4)
    game.give(0, 1, 2)
    game.set_cash(65)
    assert {key for key in manage(game).legal if "build" in key} == {"build 1"}


def test_build__never_on_lines(table: Make) -> None:
    game = table()
    game.give(0, 4, 14)
    assert not any("build" in key for key in manage(game).legal)


def test_sell__gives_half_the_cost_and_is_even(table: Make) -> None:
    game = table()
    game.give(0, 5, houses=2)
    game.give(0, 6, houses=1)
    assert {key for key in manage(game).legal if "sell" in key} == {"sell 5"}
    game.do("sell 5")
    assert (game.cash[0], game.state.houses[game.deed(5)]) == (650, 1)


def test_mortgage__gives_half_the_price(table: Make) -> None:
    game = table()
    game.give(0, 5, 4)
    manage(game).do("mortgage 5", "mortgage 4")
    assert game.cash[0] == 600 + 100 + 75
    assert not {"mortgage 5", "mortgage 4"} & game.legal


def test_mortgage__needs_a_district_without_houses(table: Make) -> None:
    game = table()
    game.give(0, 5)
    game.give(0, 6, houses=1)
    assert not {"mortgage 5", "mortgage 6"} & manage(game).legal


def test_redeem__costs_a_tenth_more_than_the_loan_rounded_up(table: Make) -> None:
    game = table()
    game.give(0, 4, mortgaged=True)
    game.set_cash(82)
    assert "redeem 4" not in manage(game).legal
    game.set_cash(83)
    game.do("redeem 4")
    assert (game.cash[0], game.state.mortgaged[game.deed(4)]) == (0, 0)


def test_manage__is_of_ones_own_deeds(table: Make) -> None:
    game = table()
    game.give(1, 5, 6)
    assert manage(game).legal == {"end"}


def test_manage__has_a_limit_of_actions(table: Make) -> None:
    game = table(action_limit=2)
    game.give(0, 5)
    manage(game).do("mortgage 5", "redeem 5")
    assert game.legal == {"end"}
