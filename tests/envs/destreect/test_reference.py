"""The kernel and the slow reference of `reference` in lockstep, decision by decision."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.kernel import ENDED, TRUNCATED

Choose = Callable[[random.Random, list[str]], str]


def anything(source: random.Random, legal: list[str]) -> str:
    return source.choice(legal)


def eagerly(source: random.Random, legal: list[str]) -> str:
    """Prefer buying, building and ending turns, so that players own much and owe much."""
    wanted = [key for key in legal if key.split()[0] in ("buy", "build", "roll", "redeem")]
    likely = wanted or [key for key in legal if key == "end"] or legal
    return source.choice(likely if source.random() < 0.9 else legal)


def compare(game: Any, other: Any) -> None:
    """Check that the two games have equal positions."""
    state, players = game.state, other.players
    count = len(players)
    assert int(state.rng) == other.rng.state
    assert game.cash == [one.cash for one in players]
    assert state.alive[:count].tolist() == [int(not one.bankrupt) for one in players]
    places = [one.place for one in players if not one.bankrupt]
    assert [int(state.position[one.seat]) for one in players if not one.bankrupt] == places
    fails = [0 if one.fails is None else one.fails + 1 for one in players]
    assert state.locked[:count].tolist() == fails
    for deed, here in enumerate(other.deeds.values()):
        assert int(state.owner[deed]) == (-1 if here.owner is None else here.owner.seat)
        assert int(state.houses[deed]) == here.houses
        assert bool(state.mortgaged[deed]) == here.mortgaged
    assert int(state.bid) == other.bid
    assert int(state.turn) == other.turns
    top = int(state.top)
    deck = [int(card) for card in state.deck[: len(other.deck)]]
    cards = [game.board.cards[card] for card in deck[top:] + deck[:top]]
    assert cards == other.deck


def play(game: Any, module: ModuleType, choose: Choose, seed: int, limit: int) -> Any:
    """Play a game, or `limit` decisions of it, in lockstep; return the reference."""
    other = module.Reference(game.board, game.config, seed)
    game_run, source = other.run(), random.Random(seed)
    seat, legal = next(game_run)
    paid = [0.0] * len(other.players)
    for _ in range(limit):
        compare(game, other)
        assert (game.actor, game.legal) == (seat, legal)
        assert int(game.state.debt) == other.owed
        known = {one.seat for one in other.players if one.reward is not None}
        key = choose(source, sorted(legal))
        game.do(key)
        asked = next_question(game_run, key)
        for one in other.players:
            new = one.reward is not None and one.seat not in known
            assert game.rewards[one.seat] == pytest.approx(
                float(one.reward) if new else 0, abs=1e-6
            )
            paid[one.seat] += float(game.rewards[one.seat])
        if asked is None:
            break
        seat, legal = asked
        assert game.outcome() == [0.0] * len(paid)
    if other.over:
        assert game.code == (TRUNCATED if other.truncated else ENDED)
        assert game.outcome() == pytest.approx(paid, abs=1e-6)
        assert game.is_over
    compare(game, other)
    return other


def next_question(game_run: Any, key: str) -> tuple[int, set[str]] | None:
    try:
        return game_run.send(key)
    except StopIteration:
        return None


@pytest.mark.parametrize(
    ("players", "choose", "options"),
    [
        (2, anything, {}),
        (2, eagerly, {}),
        (4, eagerly, {}),
        (6, eagerly, {"start_cash": 300}),
        (3, anything, {"start_cash": 0, "action_limit": 3, "start_pay": 0}),
        (5, eagerly, {"turn_limit": 40, "seat_bonus": 7}),
    ],
)
def test_kernel__equals_the_reference(
    players: int,
    choose: Choose,
    options: dict[str, int],
    preset: str,
    table: Callable[..., Any],
    reference: ModuleType,
) -> None:
    game = table(seed=players, preset=preset, players=players, **options)
    play(game, reference, choose, players, 300)  # checks that the two agree


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_kernel__equals_the_reference_over_a_whole_game(
    players: int, preset: str, table: Callable[..., Any], reference: ModuleType
) -> None:
    game = table(seed=players, preset=preset, players=players, seat_bonus=5)
    other = play(game, reference, eagerly, players, 4000)
    assert other.over
