"""Actions and observations, on the board "town".

The spaces of "town": 0 start, 1 2 Riverside, 3 fate, 4 line, 5 6 Kilns, 7 tax of 200, 8 park,
9 10 Gardens, 11 fate, 12 detour, 13 15 Heights, 14 line. Players start with 600.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_envs.destreect.catalogue import count_actions
from axiom_gym.kernel import ILLEGAL

Make = Callable[..., Any]


@pytest.mark.boundscheck
def test_step__refuses_masked_actions(table: Make) -> None:
    game = table()
    game.give(0, 5, 6)
    for _ in range(3):
        before = game.state.tobytes()
        illegal = np.flatnonzero(game.mask == 0).tolist()
        for action in [*illegal, -1, len(game.mask), 2**62, -(2**63)]:
            assert game.step(action) == ILLEGAL
        assert game.state.tobytes() == before
        game.step(int(np.flatnonzero(game.mask)[0]))


def test_step__refuses_everything_after_the_end(table: Make) -> None:
    game = table(turn_limit=1)
    game.roll(3, 5)
    game.do("end")
    assert all(game.step(action) == ILLEGAL for action in range(len(game.mask)))


def test_catalogue__is_as_the_card_says(table: Make) -> None:
    game = table()
    deeds = (1, 2, 4, 5, 6, 9, 10, 13, 14, 15)
    plain = ["roll", "pay", "buy", "decline", "raise 10", "raise 50", "pass", "end"]
    verbs = ("build", "sell", "mortgage", "redeem")
    assert game.keys == plain + [f"{verb} {place}" for verb in verbs for place in deeds]
    assert len(game.keys) == count_actions(len(deeds))


def test_observation__is_from_the_players_own_side(table: Make) -> None:
    game = table(players=3)
    game.give(1, 5, 6, houses=2)
    game.give(2, 4, mortgaged=True)
    game.put(0, 3, 15)
    game.set_cash(600, 1000, 3000)
    seen = game.observe(1)
    assert seen["Kiln Street.owned_by_player0"] == 1
    assert seen["Kiln Street.houses"] == 0.5
    assert (seen["Mill Ferry.owned_by_player1"], seen["Mill Ferry.mortgaged"]) == (1, 1)
    assert seen["Beacon Hill.player1_here"] == seen["Notice Board.player0_here"] == 1
    cash = [seen[f"player{seat}.cash"] for seat in range(3)]
    assert cash == pytest.approx([0.5, 1, 0.3])  # of 2000, at most 1
    assert (seen["player2.active"], seen["player2.acting"], seen["player0.acting"]) == (1, 1, 0)
    assert seen["player0.worth_log"] == pytest.approx(np.log2(1 + (1000 + 420 + 210) // 4) / 12)
    assert seen["phase_rolling"] == 1


def test_observation__shows_auctions_debts_and_the_bankrupt(table: Make) -> None:
    game = table(players=3)
    game.roll(2, 3)
    game.do("decline", "raise 50", "pass")
    seen = game.observe(0)
    assert (seen["player1.bidder"], seen["player2.passed"]) == (1, 1)
    assert seen["bid"] == pytest.approx(50 / 2000)
    assert seen["first_die"] == pytest.approx(2 / 6)
    game = table(players=3)
    game.give(0, 1)
    game.give(2, 5, 6)
    game.set_cash(0)
    game.roll(2, 3)
    seen = game.observe(0)
    assert (seen["player2.creditor"], seen["phase_debt"]) == (1, 1)
    assert seen["debt"] == pytest.approx(0.09)
    game.do("mortgage 1")
    seen = game.observe(0)
    assert [seen[f"player0.{what}"] for what in ("alive", "cash", "worth_log")] == [0, 0, 0]


def test_observation__does_not_show_the_order_of_the_deck(table: Make) -> None:
    game = table()
    before = game.observe(0)
    game.state.deck[:10] = game.state.deck[:10][::-1].copy()
    game.state.rng = 12345
    assert game.observe(0) == before
