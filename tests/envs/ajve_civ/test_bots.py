"""Tests of the bots: legality in any state, each of their rules, and their strength."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ import bots, rules
from axiom_envs.ajve_civ.compat.playing import BUILT_IN, play
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.game import GAME
from axiom_envs.ajve_civ.priorities import PRIORITIES, function_name
from axiom_envs.ajve_civ.state import score_of
from axiom_gym.batch import Batch

NO_MASK = np.zeros((1, 6), np.int8)


def decide(game: Any, bot: Callable[..., None], player: int = 0) -> str:
    """Return the choice of a bot, run as plain Python; it changes no state and draws no number."""
    orders, before = np.full(1, -5, np.int64), game.state.copy()
    getattr(bot, "py_func", bot)(game.state, player, NO_MASK, None, orders, game.params)
    assert game.state == before
    return VALUES[int(orders[0])]


def random_game(table: Any, rng: np.random.Generator) -> Any:
    """Return a game at a turn in a random world; many peoples starve, or are about to die."""
    players = int(rng.integers(1, 5))
    game = table(players=players, offer_size=int(rng.integers(1, 7)))
    state = game.state
    state.turn = 1
    state["values"][:] = rng.integers(-2, 9, (players, 6))
    state.population[:] = rng.integers(-9, 20, players)
    state.yields[:] = rng.integers(-30, 20, players)
    state.world_yield = rng.integers(-20, 30)
    state.feelings[:] = rng.integers(-3, 4, (players, players))
    rules.make_offers(state, game.params)
    return game


# --------------------------------------------------------------------------------------------------
# Any state


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("options", [{}, {"rules": "text", "offer_size": 2}])
def test_built_in__every_choice_is_legal(options: dict[str, Any]) -> None:
    """The test relies on the fact that an illegal choice ends a game early."""
    config = AjveCivConfig(players=4, duration=40, **options)
    lineups = [[name, "random", "greedy", name] for name in BUILT_IN]
    ends, trace = play(lineups, range(len(lineups)), config, trace=True)
    assert set(ends["turn"].tolist()) == {40}
    offered = trace.states["offer"][:, :-1, :, : config.offer_size]
    chosen = trace.chosen[..., None]
    assert (offered == chosen).any(axis=-1).all()


def test_bots__are_all_that_the_game_lists() -> None:
    assert [*BUILT_IN] == ["random", *GAME.bots]
    for name, place in GAME.bots.items():
        assert hasattr(bots, place.removeprefix("axiom_envs.ajve_civ.bots:")), name


@pytest.mark.parametrize("name", ["greedy", "diplomat", "conquer"])
def test_bots__of_a_dead_people_make_legal_choices(table: Any, name: str) -> None:
    game = table(players=2, choices="any")
    game.state.turn, game.state.death[0] = 1, 1
    game.offer(0, "consent", "develop", "conquer")
    assert decide(game, getattr(bots, name)) == "consent"
    assert game.mask(0) == [0, 0, 0, 0, 1, 0]


# --------------------------------------------------------------------------------------------------
# Priorities


def test_priorities__choose_the_first_value_that_is_offered(table: Any) -> None:
    rng = np.random.default_rng(4)
    game = table(players=2)
    game.state.turn = 1
    for name, wishes in PRIORITIES.items():
        bot = getattr(bots, function_name(name))
        for _ in range(8):
            game.offer(0, *rng.permutation(VALUES).tolist())
            offered = game.offered(0)
            wanted = [wish for wish in wishes if wish in offered] or offered
            assert decide(game, bot) == wanted[0]


def test_priorities__follow_the_offer_even_if_all_choices_are_legal(table: Any) -> None:
    game = table(players=2, choices="any")
    game.state.turn = 1
    game.offer(0, "expand", "discover", "exchange")
    assert decide(game, bots.develop_consent) == "expand"
    assert decide(game, bots.discover_exchange) == "discover"


# --------------------------------------------------------------------------------------------------
# Greedy


def test_greedy__maximises_its_score_if_others_do_nothing(table: Any) -> None:
    rng, seen = np.random.default_rng(8), set()
    for _ in range(300):
        game = random_game(table, rng)
        player = int(rng.integers(game.players))
        scores = {}
        for name in game.offered(player):
            after = game.state.copy()
            choices = np.full((game.players, 1), -1, np.int64)
            choices[player] = VALUES.index(name)
            rules.take_turn(after, choices, None, game.params)
            scores[name] = score_of(after, player)
        best = [name for name, score in scores.items() if score == max(scores.values())]
        assert decide(game, bots.greedy, player) == best[0]
        seen.add(best[0])
    assert seen == set(VALUES)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5, 4, 4, 4, 4, 4], "discover"),
        ([5, 1, 1, 1, 5, 4], "develop"),
        ([1, 1, 1, 4, 9, 1], "exchange"),
        ([3, 3, 3, 1, 1, 1], "discover"),
    ],
)
def test_inflection__bots_raise_the_most_useful_value(
    table: Any, values: list[int], expected: str
) -> None:
    game = table(players=2)
    game.state["values"][0] = values
    rules.make_offers(game.state, game.params)
    assert decide(game, bots.greedy) == decide(game, bots.diplomat) == expected


# --------------------------------------------------------------------------------------------------
# Diplomat


def diplomatic(table: Any) -> Any:
    """Return a game of three players at a turn without feelings; offers have all six values."""
    game = table(players=3, offer_size=6)
    game.state.turn = 1
    return game


def test_diplomat__is_greedy_without_other_peoples(table: Any) -> None:
    game = table(players=1, offer_size=6)
    game.state.turn = 1
    assert decide(game, bots.diplomat) == decide(game, bots.greedy) == "develop"


def test_diplomat__keeps_its_friends(table: Any) -> None:
    game = diplomatic(table)
    # Both others like player 0 slightly better than each other; Develop would lose it both friends.
    game.state.feelings[1] = game.state.feelings[2] = (1, 1, 1)
    game.state.feelings[0] = 0
    game.state.feelings[1, 2] = game.state.feelings[2, 1] = 0
    game.state["values"][0] = [5, 0, 0, 9, 0, 3]
    game.offer(0, "develop", "discover", "expand", "exchange", "consent", "conquer")
    game.params = game.params._replace(offer_size=2)
    assert decide(game, bots.greedy) == "develop"
    assert decide(game, bots.diplomat) == "discover"


def test_diplomat__robs_a_people_that_already_hates_it(table: Any) -> None:
    game = diplomatic(table)
    game.state["values"][0] = [3, 4, 0, 0, 0, 0]
    game.params = game.params._replace(offer_size=2)
    game.offer(0, "conquer", "discover")
    # Conquer would rob the last people. It dislikes the second a little, and would dislike the
    # first more.
    game.state.feelings[1] = (0, 0, -9)
    game.state.feelings[2] = (0, -3, 0)
    assert decide(game, bots.greedy) == "conquer"
    assert decide(game, bots.diplomat) == "discover"
    game.state.feelings[2, 0] = -30
    assert decide(game, bots.diplomat) == "conquer"


# --------------------------------------------------------------------------------------------------
# Strength


def mean_lead(one: str, field: list[list[str]]) -> float:
    """Return a bot's mean lead over the others as a share of all scores, over all seats in turn."""
    players, games = 7, np.arange(len(field))
    lineups = [list(names) for names in field]
    for number, lineup in enumerate(lineups):
        lineup[number % players] = one
    ends, _ = play(lineups, games, AjveCivConfig(black_death=True), trace=False)
    scores = ends["yields"].astype(float) + ends["population"]
    leads = scores - (scores.sum(axis=1, keepdims=True) - scores) / (players - 1)
    leads /= np.abs(scores).sum(axis=1, keepdims=True)
    return float(leads[games, games % players].mean())


@pytest.mark.slow
@pytest.mark.compiled_only
def test_strength__diplomat_before_greedy_before_random_among_all_built_in_ais() -> None:
    """The three bots play the same 560 games, each of them equally often at each seat."""
    draw = np.random.default_rng(1)
    field = [[str(name) for name in draw.choice(BUILT_IN, 7)] for _ in range(560)]
    leads = {name: mean_lead(name, field) for name in ("diplomat", "greedy", "random")}
    assert leads["diplomat"] > leads["greedy"] + 0.02
    assert leads["greedy"] > leads["random"] + 0.1


# --------------------------------------------------------------------------------------------------
# Compiled games


@pytest.mark.slow
@pytest.mark.compiled_only
def test_play__equals_a_batch_with_the_same_seeds_and_bots() -> None:
    names, seeds = ["random", "greedy", "diplomat", "develop-consent"], [11, 12, 13]
    config = AjveCivConfig(players=4, duration=60, black_death=True)
    ends, trace = play([names] * 3, seeds, config, trace=True)
    batch = Batch(GAME, 3, players=4, duration=60, black_death=True, autoreset="disabled")
    batch.reset(seeds)
    seats = np.tile(np.arange(4, dtype=np.int16), (3, 1))
    for turn in range(60):
        assert (batch.buffers.states == trace.states[:, turn]).all()
        for number, name in enumerate(names):
            batch.act(name, seats, number)
        assert batch.buffers.actions[..., 0].tolist() == trace.chosen[:, turn].tolist()
        batch.step()
    assert (batch.buffers.states == ends).all()
