"""Property-based tests of invariants that hold in every game."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from axiom_envs.ajve_civ import log
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.state import is_inflection
from axiom_gym.kernel import ENDED, RUNNING

play_up = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(1, 4),
        "duration": st.integers(1, 30),
        "inflection_period": st.integers(1, 12),
        "start_population": st.integers(-1, 40),
        "start_yield": st.integers(-9, 9),
        "start_world_yield": st.integers(-30, 30),
        "rules": st.sampled_from(["0.1.3", "text"]),
        "choices": st.sampled_from(["offered", "any"]),
    }
)
DEVELOP, CONSENT, EXPAND, DISCOVER = (
    VALUES.index(name) for name in ("develop", "consent", "expand", "discover")
)


@play_up
@given(options=OPTIONS, seed=st.integers(0, 2**32 - 1), choices=st.randoms(use_true_random=False))
def test_game__changes_agree_with_its_log(
    table: Any, options: dict[str, Any], seed: int, choices: Any
) -> None:
    game, code, steps = table(seed=seed, **options), RUNNING, 0
    while code == RUNNING:
        masks = [game.mask(player) for player in range(game.players)]
        assert all(sum(mask) >= 1 for mask in masks)
        chosen = [choices.choice([v for v in range(6) if mask[v]]) for mask in masks]
        before, inflection = game.state.copy(), is_inflection(game.state, game.params)
        code = game.step(chosen)
        steps += 1
        check_nations(before, game)
        check_peoples(before, game.state, inflection, steps)
    assert (code, steps) == (ENDED, options["duration"])


def check_nations(before: Any, game: Any) -> None:
    """Check that the log explains all changes of yields, populations and the world."""
    yields, world = int(before.yields.sum()), int(before.world_yield)
    population = int(before.population.sum())
    for kind, _, a, b, c, *_ in game.rows[1 : 1 + game.rows[0, 0]].tolist():
        if kind == log.EXCHANGED:
            yields += b + c
        elif kind == log.FIRST_ALONE + DISCOVER:
            yields += a
        elif kind == log.FIRST_ALONE + DEVELOP:
            yields, world = yields + 2 * a, world - a
        elif kind == log.FIRST_ALONE + CONSENT:
            world += a
        elif kind == log.FIRST_ALONE + EXPAND:
            population += a
        elif kind == log.STARVED:
            population -= a
    after = game.state
    assert int(after.yields.sum()) == yields
    assert int(after.world_yield) == world
    assert int(after.population.sum()) == population


def check_peoples(before: Any, after: Any, inflection: bool, steps: int) -> None:
    """Check that offers are permutations, the dead stay dead, and self-feelings are 0."""
    assert (np.sort(after.offer, axis=1) == np.arange(6)).all()
    assert not np.diagonal(after.feelings).any()
    dead = before.death != 0
    assert (after.death[dead] == before.death[dead]).all()
    assert (after.death[~dead & (after.death != 0)] == steps).all()
    change = after["values"] - before["values"]
    if inflection:
        assert (after.death == before.death).all()
        assert after.feelings.tolist() == before.feelings.tolist()
        assert set(change.ravel().tolist()) <= {-1, 0, 2}
    else:
        assert not change[dead].any()
        assert change.sum(axis=1).max() <= 1
        assert change.min() >= 0
        food = after.yields + after.world_yield
        fed = (after.death == 0) & (after.population >= 0)
        assert (after.population[fed] <= food[fed]).all()
