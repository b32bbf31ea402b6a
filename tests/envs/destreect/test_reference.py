"""The kernel against a slow reference that was written from the rules: decision by decision."""

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
    """Buys and builds rather than not, and ends turns: so that much is owned, and much is owed."""
    wanted = [key for key in legal if key.split()[0] in ("buy", "build", "roll", "redeem")]
    likely = wanted or [key for key in legal if key == "end"] or legal
    return source.choice(likely if source.random() < 0.9 else legal)


def compare(game: Any, other: Any) -> None:
    """Everything that both know, after each decision."""
    state, people = game.state, other.people
    count = len(people)
    assert int(state.rng) == other.rng.state
    assert game.cash == [one.cash for one in people]
    assert state.alive[:count].tolist() == [int(not one.out) for one in people]
    places = [one.place for one in people if not one.out]
    assert [int(state.position[one.seat]) for one in people if not one.out] == places
    fails = [0 if one.fails is None else one.fails + 1 for one in people]
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
    """A game in lockstep, or `limit` decisions of it."""
    other = module.Reference(game.board, game.config, seed)
    course, source = other.run(), random.Random(seed)
    seat, legal = next(course)
    paid = [0.0] * len(other.people)
    for _ in range(limit):
        compare(game, other)
        assert (game.actor, game.legal) == (seat, legal)
        assert int(game.state.debt) == other.owed
        known = {one.seat for one in other.people if one.reward is not None}
        key = choose(source, sorted(legal))
        game.do(key)
        asked = next_question(course, key)
        for one in other.people:
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


def next_question(course: Any, key: str) -> tuple[int, set[str]] | None:
    try:
        return course.send(key)
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
def test_kernel__is_the_reference(
    players: int,
    choose: Choose,
    options: dict[str, int],
    preset: str,
    table: Callable[..., Any],
    reference: ModuleType,
) -> None:
    game = table(seed=players, preset=preset, players=players, **options)
    play(game, reference, choose, players, 300)  # asserts that the two agree


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_kernel__is_the_reference_over_a_whole_game(
    players: int, preset: str, table: Callable[..., Any], reference: ModuleType
) -> None:
    game = table(seed=players, preset=preset, players=players, seat_bonus=5)
    other = play(game, reference, eagerly, players, 4000)
    assert other.over
