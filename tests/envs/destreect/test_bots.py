"""The scripted opponents: always legal, each of their rules, and their strength."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.destreect import bots
from axiom_envs.destreect.game import GAME
from axiom_gym.batch import Batch
from axiom_gym.rng import STREAM

Make = Callable[..., Any]
FUNCTIONS = {"greedy": bots.greedy, "planner": bots.planner}
BOTS = sorted(FUNCTIONS)


def decide(bot: str, game: Any) -> str:
    """Return a bot's choice as users type it; check that it is legal and keeps the state."""
    orders, stream, before = np.zeros(1, np.int64), np.zeros(1, STREAM)[0], game.state.tobytes()
    act = game.prepare(FUNCTIONS[bot])
    act(game.state, game.actor, game.mask[None], stream, orders, game.params)
    assert game.state.tobytes() == before
    key: str = game.keys[orders[0]]
    assert key in game.legal
    return key


@pytest.mark.boundscheck
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 6])
def test_bot__is_legal_in_all_positions(bot: str, players: int, preset: str, table: Make) -> None:
    """Random decisions alternate with the bot's, to reach positions that it would avoid."""
    source = np.random.default_rng(players)
    game = table(seed=3, preset=preset, players=players, start_cash=400)
    for count in range(250):
        key = decide(bot, game)  # asserts that it is legal
        game.do(key if count % 2 else source.choice(sorted(game.legal)))
        if game.is_over:
            break


# -- greedy ----------------------------------------------------------------------------------------


def test_greedy__buys_and_bids_up_to_the_price(table: Make) -> None:
    game = table()
    game.roll(1, 3)
    assert decide("greedy", game) == "buy"
    game.do("decline")
    game.state.bid = 140
    assert decide("greedy", game) == "raise 10"
    game.state.bid = 150
    assert decide("greedy", game) == "pass"


def test_greedy__builds_then_redeems_the_most_expensive(table: Make) -> None:
    game = table()
    game.roll(3, 5)
    game.give(0, 1, 2, 5, 6)
    game.give(0, 9, mortgaged=True)
    assert decide("greedy", game) == "build 6"
    game.set_cash(155)
    game.give(0, 1, 2, 5, 6, houses=4)
    assert decide("greedy", game) == "redeem 9"
    game.set_cash(0)
    assert decide("greedy", game) == "end"


def test_greedy__mortgages_before_it_sells(table: Make) -> None:
    game = table()
    game.give(0, 1, 2, houses=1)
    game.give(0, 9)
    game.give(0, 4, mortgaged=True)
    game.set_cash(0)
    game.roll(4, 3)
    assert decide("greedy", game) == "mortgage 9"
    game.do("mortgage 9")
    assert decide("greedy", game) == "sell 2"


def test_bots__roll_in_the_lockup(table: Make) -> None:
    game = table()
    game.state.locked[0] = 1
    assert {decide(bot, game) for bot in BOTS} == {"roll"}


# -- planner ---------------------------------------------------------------------------------------


def test_planner__buys_streets_and_no_lines(table: Make) -> None:
    game = table()
    game.roll(2, 3)
    assert decide("planner", game) == "buy"
    game = table()
    game.roll(1, 3)
    assert decide("planner", game) == "decline"


def test_planner__declines_what_no_opponent_can_pay(table: Make) -> None:
    game = table()
    game.set_cash(600, 189)
    game.roll(2, 3)
    assert decide("planner", game) == "decline"
    game.set_cash(600, 190)
    assert decide("planner", game) == "buy"


@pytest.mark.parametrize(
    ("owner", "limit"),
    [(None, 220), (1, 300), (0, 400)],  # nobody, the rival, itself has the other street
)
def test_planner__bids_by_what_a_street_is_worth(
    table: Make, owner: int | None, limit: int
) -> None:
    game = table()
    if owner is not None:
        game.give(owner, 6)
    game.set_cash(2000, 2000)
    game.roll(2, 3)
    game.do("decline", "raise 10")
    game.state.bid = limit - 10
    assert decide("planner", game) == "raise 10"
    game.state.bid = limit - 9
    assert decide("planner", game) == "pass"


def test_planner__bids_little_for_lines(table: Make) -> None:
    game = table()
    game.roll(1, 3)
    game.do("decline")
    game.state.bid = 50
    assert decide("planner", game) == "raise 10"
    game.state.bid = 60
    assert decide("planner", game) == "pass"


def test_planner__keeps_what_the_next_roll_can_cost(table: Make) -> None:
    game = table()
    game.roll(3, 5)  # to 8, so that 15 is ahead, with a doubled rent of 188
    game.give(0, 5, 6)
    game.give(1, 13, 15)
    game.set_cash(2 * 188 + 100)
    assert decide("planner", game) == "build 5"
    game.set_cash(2 * 188 + 99)
    assert decide("planner", game) == "end"


def test_planner__redeems_what_yields_enough(table: Make) -> None:
    game = table()
    game.roll(3, 5)
    game.give(0, 4, 5, mortgaged=True)
    assert decide("planner", game) == "redeem 5"
    game.do("redeem 5")
    assert decide("planner", game) == "end"


def test_planner__gives_up_what_loses_least_rent(table: Make) -> None:
    game = table()
    game.give(0, 5, 6, houses=2)
    game.give(0, 1, 2)
    game.give(0, 4, 9)
    game.set_cash(0)
    game.roll(4, 3)
    order = []
    while game.phase == "debt":
        order.append(decide("planner", game))
        game.do(order[-1])
    assert order == ["mortgage 4", "mortgage 9"]


# -- strength --------------------------------------------------------------------------------------


def returns_of(preset: str, seats: npt.NDArray[np.int16], names: list[str]) -> npt.NDArray[Any]:
    """Return the returns (B, P) of one game for each row of `seats` (B, P).

    An entry of `seats` is the index in `names` of the bot in this seat.
    """
    batch = Batch(GAME, len(seats), preset=preset, players=seats.shape[1])
    batch.reset(7)
    over = np.zeros(len(seats), bool)
    returns = np.zeros(seats.shape, np.float32)
    while not over.all():
        for number, name in enumerate(names):
            batch.act(name, seats, number)
        batch.step()
        ended = (batch.buffers.terminated | batch.buffers.truncated) & ~over
        returns[ended] = batch.buffers.episodes["final_returns"][ended]
        over |= ended
    return returns


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 4])
def test_planner__beats_greedy(players: int, preset: str) -> None:
    """One planner plays against greedy players, in every seat equally often."""
    games = 1200
    seats = np.ones((games, players), np.int16)
    seats[np.arange(games), np.arange(games) % players] = 0
    returns = returns_of(preset, seats, ["planner", "greedy"])
    scores = returns[seats == 0]
    assert scores.mean() > 2 * scores.std() / np.sqrt(games)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 4])
def test_greedy__wins_from_every_seat(players: int, preset: str) -> None:
    """No seat wins more than 1.15 times its share, within the statistical error."""
    returns = returns_of(preset, np.zeros((2000, players), np.int16), ["greedy"])
    best = returns == returns.max(axis=1, keepdims=True)
    share = (best / best.sum(axis=1, keepdims=True)).mean(axis=0) * players
    assert share.max() < 1.15 + 0.05
