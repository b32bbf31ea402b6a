"""Invariants of all games, tested with Hypothesis: money, houses, the acting player, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.destreect import log
from axiom_envs.destreect.config import PRESETS, DestreectConfig
from axiom_envs.destreect.game import INFO, longest_turn
from axiom_envs.destreect.log import MAX_EVENTS
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED

PAID_TO_BANK = (log.BOUGHT, log.WON, log.BUILT, log.REDEEMED)
PAID_BY_BANK = (log.SOLD, log.MORTGAGED)


def flows(rows: list[list[int]]) -> Counter[int]:
    """Return what each seat gains according to a log; -1 is the bank."""
    gains: Counter[int] = Counter()
    for kind, a, b, c, *_ in rows:
        if kind in (log.PAID, log.BANKRUPT):
            payer, payee, amount = a, b, c
        elif kind in PAID_TO_BANK:
            payer, payee, amount = a, -1, c
        elif kind in PAID_BY_BANK:
            payer, payee, amount = -1, a, c
        elif kind in (log.START_PAID, log.GAINED):
            payer, payee, amount = -1, a, b
        else:
            continue
        gains[payer] -= amount
        gains[payee] += amount
    return gains


def check_deeds(game: Any) -> None:
    """Check houses, mortgages and owners.

    Houses are even, and only on complete districts without mortgages. Free deeds have neither
    houses nor mortgages, and bankrupt players have neither deeds nor cash.
    """
    state, params = game.state, game.params
    for group in range(len(params.sizes)):
        deeds = params.members[group, : params.sizes[group]]
        houses, owners = state.houses[deeds], set(state.owner[deeds].tolist())
        if houses.any():
            assert group != params.lines
            assert len(owners) == 1
            assert houses.max() - houses.min() <= 1
            assert not state.mortgaged[deeds].any()
        assert -1 not in owners or not houses[state.owner[deeds] == -1].any()
    free = state.owner == -1
    assert not state.mortgaged[free].any()
    out = np.flatnonzero(state.alive == 0)
    assert not np.isin(state.owner[: len(params.places)], out).any()
    assert (state.cash >= 0).all()
    assert not state.cash[out].any()


def check_step(game: Any, cash: list[int], alive: list[int]) -> None:
    """Check a decision: the log accounts for all money, and each place is rewarded once."""
    gains = flows(game.rows)
    assert game.cash == [before + gains[seat] for seat, before in enumerate(cash)]
    assert len(game.rows) < MAX_EVENTS
    for seat, was_alive in enumerate(alive[: len(cash)]):
        decided = bool(was_alive) and (not game.state.alive[seat] or game.is_over)
        assert (int(game.state.standing[seat]) >= 0) == (decided or not was_alive)
        assert decided or game.rewards[seat] == 0
    assert not game.is_over or abs(sum(game.outcome())) < 1e-6


options = st.fixed_dictionaries(
    {
        "preset": st.sampled_from(sorted(PRESETS)),
        "players": st.integers(2, 6),
        "start_cash": st.sampled_from([0, 150, 600, 2000]),
        "start_pay": st.sampled_from([0, 100]),
        "turn_limit": st.sampled_from([1, 15, 60]),
        "action_limit": st.sampled_from([1, 5, 100]),
    }
)


@pytest.mark.boundscheck
@settings(max_examples=25, deadline=None)
@given(chosen=options, seed=st.integers(0, 2**32 - 1), numbers=st.lists(st.integers(0, 99)))
def test_game__keeps_the_invariants_and_ends(
    chosen: dict[str, Any], seed: int, numbers: list[int], table: Callable[..., Any]
) -> None:
    """Play the n-th legal action with n from `numbers`, then with bits of the seed."""
    game = table(seed=seed, **chosen)
    returns = np.zeros(len(game.cash))
    for count in range(600):
        cash, alive = game.cash, game.state.alive.tolist()
        legal = np.flatnonzero(game.mask)
        assert alive[game.actor]
        assert len(legal) > 0
        wanted = numbers[count] if count < len(numbers) else seed >> count % 31
        game.step(int(legal[wanted % len(legal)]))
        check_step(game, cash, alive)
        check_deeds(game)
        returns += game.rewards
        if game.code != RUNNING:
            break
    turns = min(int(game.state.turn), game.config.turn_limit)
    assert count < turns * longest_turn(game.config.action_limit)
    if game.code != RUNNING:
        assert game.code in (ENDED, TRUNCATED)
        assert (game.code == ENDED) == (int(game.state.alive.sum()) == 1)
        assert game.outcome() == pytest.approx(returns.tolist(), abs=1e-6)


def test_length__is_bounded_for_every_configuration() -> None:
    widest = DestreectConfig(turn_limit=2000, action_limit=200)
    assert INFO.max_length == widest.turn_limit * longest_turn(widest.action_limit)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_outcome__sums_to_zero_for_every_ranking(players: int, table: Callable[..., Any]) -> None:
    game = table(players=players, turn_limit=1)
    for worths in ([100 * seat for seat in range(players)], [5, 5, 7, 7, 7, 9][:players]):
        other = table(players=players, turn_limit=1)
        other.set_cash(*worths)
        other.put(0)
        other.state.phase = 4
        other.do("end")
        order = np.argsort(worths, kind="stable")
        outcome = np.array(other.outcome())
        assert (np.diff(outcome[order]) >= 0).all()
        assert abs(outcome.sum()) < 1e-6
    assert game.outcome() == [0] * players
