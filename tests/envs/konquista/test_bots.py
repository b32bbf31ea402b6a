"""The scripted opponents: legal everywhere, each of their rules, and their strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.konquista import bots
from axiom_envs.konquista.game import GAME
from axiom_envs.konquista.odds import ODDS, loss_chances
from axiom_gym.batch import Batch
from axiom_gym.kernel import zero_records
from axiom_gym.rng import STREAM

BOTS = ("greedy", "planner")


def decide(game: Any, bot: str, streams: int = 12) -> set[str]:
    """Return a bot's choices in a position, as typed texts, over several random streams."""
    act = game.prepare(getattr(bots, bot))
    mask, stream, before = game.mask(), zero_records(1, STREAM)[0], game.state.copy()
    keys = {action: key for key, action in game.choices().items()}
    chosen = set()
    for number in range(streams):
        stream.rng = 1000 * number
        sub_actions = np.full(1, -5, np.int64)
        act(game.state, game.player, mask, stream, sub_actions, game.params)
        chosen.add(keys[int(sub_actions[0])])
    assert game.state == before
    return chosen


def seats_of(games: int, players: int) -> npt.NDArray[np.int16]:
    """Return seats (B, P): player 1 has one seat of each game, in rotation, and 0 the others."""
    seats = np.zeros((games, players), np.int16)
    seats[np.arange(games), np.arange(games) % players] = 1
    return seats


# --------------------------------------------------------------------------------------------------
# Both bots


@pytest.mark.boundscheck
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    ("preset", "players", "blitz"),
    [
        ("island", 2, False),
        pytest.param("classic", 6, True, marks=pytest.mark.slow),
        pytest.param("continent", 4, False, marks=pytest.mark.slow),
    ],
)
def test_bots__every_action_is_legal(bot: str, preset: str, players: int, blitz: bool) -> None:
    batch = Batch(GAME, 3, preset=preset, players=players, blitz=blitz, on_illegal="raise")
    batch.reset(5)
    seats = seats_of(3, players)
    for _ in range(60):
        batch.act(bot, seats, 0)
        batch.act("random", seats, 1)
        batch.step()  # raises for an illegal action


@pytest.mark.parametrize("bot", BOTS)
def test_bots__same_seed_same_actions(bot: str) -> None:
    assert played(bot, 1) == played(bot, 1)
    assert played(bot, 1) != played(bot, 2)


def played(bot: str, seed: int) -> list[int]:
    batch = Batch(GAME, 1, preset="island")
    batch.reset(seed)
    actions = []
    for _ in range(25):
        batch.act(bot, np.zeros((1, 2), np.int16), 0)
        actions.append(int(batch.buffers.actions[0, 0, 0]))
        batch.step()
    return actions


# --------------------------------------------------------------------------------------------------
# Greedy


def test_greedy__places_all_where_the_surplus_is_largest(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="reinforce", Almery=3, Maldir=6, Torvane=9)
    game.give(1, Quell=8, Brindle=8)
    game.state.to_place = 4
    assert decide(game, "greedy") == {"maldir"}


def test_greedy__attacks_with_the_largest_surplus(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Almery=7, Maldir=5)
    game.give(1, Luntar=4, Ragnas=5, Quell=6, Brindle=6, Orvik=5, Senna=2)
    assert decide(game, "greedy") == {"almery > luntar", "maldir > senna"}
    game.give(1, Luntar=3)
    assert decide(game, "greedy") == {"almery > luntar"}


def test_greedy__stops_without_a_surplus(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Maldir=4)
    game.give(1, Orvik=4, Senna=5)
    assert decide(game, "greedy") == {"stop"}


def test_greedy__follows_if_the_new_territory_has_an_enemy_neighbour(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="advance", Luntar=4, Pellow=1, Dorrim=1, Istrel=3)
    game.state.advance = game.board.borders.index((game.number["Istrel"], game.number["Pellow"]))
    assert decide(game, "greedy") == {"hold"}
    game.state.advance = game.board.borders.index((game.number["Istrel"], game.number["Luntar"]))
    assert decide(game, "greedy") == {"advance"}


def test_greedy__moves_the_largest_idle_army_to_the_front(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="fortify", rest=1, Torvane=5, Quell=6, Brindle=3, Almery=9)
    assert decide(game, "greedy") == {"quell > almery", "quell > brindle"}
    game.give(0, Quell=1, Torvane=1)
    assert decide(game, "greedy") == {"end"}


# --------------------------------------------------------------------------------------------------
# Planner


def test_odds__have_the_probabilities_of_the_dice() -> None:
    # Counted by hand over all 36 and 7,776 outcomes.
    assert loss_chances(1, 1) == pytest.approx({0: 21 / 36, 1: 15 / 36})
    three_dice = loss_chances(3, 2)
    assert three_dice == pytest.approx({2: 2890 / 7776, 1: 2611 / 7776, 0: 2275 / 7776})
    assert ODDS[2, 1] == 416
    assert ODDS[1].tolist() == [1000] + [0] * 40
    assert (np.diff(ODDS[:, 1:], axis=0) >= 0).all()
    assert (np.diff(ODDS[1:], axis=1) <= 0).all()


def test_planner__places_where_the_best_attack_is(table: Any) -> None:
    game = table(board="island")
    # With 4 more armies, Maldir takes Senna, which completes Siska.
    game.hold(0, phase="reinforce", Torvane=2, Orvik=1, Maldir=2)
    game.state.to_place = 4
    game.give(1, Quell=3, Brindle=3, Almery=3, Senna=2)
    assert decide(game, "planner") <= {"maldir", "orvik"}


def test_planner__takes_the_last_territory_of_a_region_first(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Torvane=1, Orvik=6, Maldir=1)
    game.give(1, Senna=2, Brindle=2, Almery=2)
    assert decide(game, "planner") == {"orvik > senna"}


def test_planner__breaks_a_region_that_an_opponent_holds_all_of(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Orvik=6, Maldir=1)
    game.give(1, Senna=2, Brindle=2, Almery=2)
    assert decide(game, "planner") <= {"orvik > brindle", "orvik > almery"}


def test_planner__takes_more_risk_against_a_single_opponent(table: Any) -> None:
    three, two = table(board="island", players=3), table(board="island")
    for game in (three, two):
        game.hold(0, Maldir=2)
    three.give(2, Pellow=1)
    assert decide(three, "planner") == {"stop"}
    assert decide(two, "planner") <= {"maldir > orvik", "maldir > senna"}


def test_planner__stays_where_the_enemies_are_stronger(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="advance", Almery=5, Luntar=3)
    game.state.advance = game.board.borders.index((game.number["Almery"], game.number["Luntar"]))
    game.give(1, Orvik=9)
    assert decide(game, "planner") == {"hold"}
    game.give(1, Dorrim=20)
    assert decide(game, "planner") == {"advance"}


def test_planner__moves_idle_armies_towards_the_front(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="fortify", rest=0, Pellow=7)
    game.give(1, Torvane=1)
    assert decide(game, "planner") <= {"pellow > dorrim", "pellow > istrel"}
    game.give(0, Pellow=1)
    assert decide(game, "planner") == {"end"}


@pytest.mark.parametrize("bot", BOTS)
def test_bots__handle_armies_larger_than_the_table(table: Any, bot: str) -> None:
    game = table(board="island")
    game.hold(0, Maldir=500)
    game.give(1, Orvik=100, Senna=90_000)
    assert decide(game, bot) == {"maldir > orvik"}


# --------------------------------------------------------------------------------------------------
# Strength


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("preset", "players", "bot", "foe", "least"),
    [
        ("island", 2, "planner", "greedy", 0.55),
        ("classic", 2, "planner", "greedy", 0.55),
        pytest.param("classic", 4, "planner", "greedy", 0.5, marks=pytest.mark.slow),
        ("classic", 2, "greedy", "random", 0.9),
    ],
)
def test_bots__are_stronger(preset: str, players: int, bot: str, foe: str, least: float) -> None:
    """Play 400 games with one seat of each for `bot`."""
    batch = Batch(GAME, 400, preset=preset, players=players, autoreset="disabled")
    batch.reset(1)
    seats = seats_of(400, players)
    wins, over = np.zeros(400), np.zeros(400, np.bool_)
    while not over.all():
        batch.act(foe, seats, 0)
        batch.act(bot, seats, 1)
        batch.step()
        ended = batch.buffers.terminated | batch.buffers.truncated
        wins[ended] = batch.buffers.rewards[seats == 1][ended] == 1
        over |= ended
        batch.reset(which=ended)
    assert wins.mean() > least
