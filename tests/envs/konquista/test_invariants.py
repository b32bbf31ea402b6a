"""Invariants of all games, tested with Hypothesis."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from axiom_envs.konquista.config import PRESETS, count_most_decisions
from axiom_envs.konquista.game import GAME
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED

play_up = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
GAMES = st.fixed_dictionaries(
    {
        "board": st.sampled_from(["island", "classic"]),
        "players": st.integers(2, 3),
        "turn_limit": st.integers(1, 12),
        "blitz": st.booleans(),
    }
)


@play_up
@given(options=GAMES, seed=st.integers(0, 2**32 - 1), choices=st.randoms(use_true_random=False))
def test_game__keeps_the_invariants_of_positions_and_rewards(
    table: Any, options: dict[str, Any], seed: int, choices: Any
) -> None:
    game, code, paid = table(seed=seed, **options), RUNNING, np.zeros(options["players"])
    for _ in range(150):
        keys = game.choices()
        assert game.alive()[game.player]
        before, armies, player = game.phase, int(game.state.armies.sum()), game.player
        key = choices.choice(sorted(keys))
        code = game.step(keys[key])
        check_position(game)
        grown = int(game.state.armies.sum()) - armies
        if before == "reinforce":
            assert grown >= 1
        elif before == "attack" and key != "stop":
            assert grown < 0
        else:
            assert grown == 0
        paid += game.rewards
        if code != RUNNING:
            break
        assert (game.player == player) == (before != "fortify") or game.alive().count(True) == 1
    if code != RUNNING:
        check_end(game, code, paid)


def check_position(game: Any) -> None:
    """Check that each territory has an owner in the game and an army, and the mask is not empty."""
    count = len(game.board.territories)
    owners = set(game.state.owner[:count].tolist())
    assert owners == {player for player, alive in enumerate(game.alive()) if alive}
    assert (game.state.armies[:count] >= 1).all()
    assert (game.state.advance >= 0) == (game.phase == "advance")
    if game.phase != "over":
        assert game.mask().sum() >= 1
        assert game.outcome() == [0] * game.config.players


def check_end(game: Any, code: int, paid: Any) -> None:
    """Check that the rewards add up to the outcome, sum to 0, and follow the ranks."""
    assert code in (ENDED, TRUNCATED)
    assert np.allclose(paid, game.outcome(), atol=1e-6)
    assert abs(sum(paid)) < 1e-6
    last = game.config.players - 1
    for one in paid:
        better, equal = sum(paid > one + 1e-6), sum(abs(paid - one) < 1e-6)
        assert abs(one - (last - 2 * better - (equal - 1)) / last) < 1e-6


@play_up
@given(options=GAMES, seed=st.integers(0, 2**32 - 1))
def test_game__ends_within_its_bound(table: Any, options: dict[str, Any], seed: int) -> None:
    """Long games have one army per placement, and every attack that is possible."""
    game, decisions, code = table(seed=seed, **options), 0, RUNNING
    start, placed = int(game.state.armies.sum()), 0
    while code == RUNNING:
        phase = game.phase
        code = game.step(min(game.choices().values()))
        placed += phase == "reinforce"
        decisions += 1
    assert decisions <= placed + 2 * options["turn_limit"] + 2 * (start + placed)
    assert decisions < GAME.info.max_length == count_most_decisions()


def test_presets__are_named_after_their_boards() -> None:
    assert {name: values["board"] for name, values in PRESETS.items()} == {
        name: name for name in ("island", "classic", "continent")
    }
