"""Tests of the kernel against a slow reference, step by step, over random games and options."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.kernel import ENDED

PLAYERS = (1, 2, 3, 4, 7)


def draw_options(rng: np.random.Generator) -> dict[str, Any]:
    """Return random options of short games."""
    players = int(rng.choice(PLAYERS))
    options: dict[str, Any] = {
        "players": players,
        "duration": int(rng.integers(1, 45)),
        "inflections": bool(rng.random() < 0.8),
        "inflection_period": int(rng.integers(1, 12)),
        "offer_size": int(rng.integers(1, 7)),
        "start_value": int(rng.integers(-3, 6)),
        "start_population": int(rng.integers(-1, 30)),
        "start_yield": int(rng.integers(-5, 20)),
        "start_world_yield": int(rng.integers(-20, 40)),
        "rules": str(rng.choice(["0.1.3", "text"])),
        "choices": str(rng.choice(["offered", "any"])),
        "reward": str(rng.choice(["score", "rank", "survival", "delta"])),
        "black_death": bool(rng.random() < 0.5),
    }
    for name, allowed in (
        ("winner", ["all", "living"]),
        ("exchange", ["both", "partner"]),
        ("inflection_offer", ["highest", "random"]),
    ):
        if rng.random() < 0.5:
            options[name] = str(rng.choice(allowed))
    if options["black_death"] and rng.random() < 0.5:
        options["teams"] = "".join(str(letter) for letter in rng.choice(list("ab"), players))
        options["team_share"] = float(rng.integers(0, 9) / 8)
    return options


def compare(game: Any, slow: Any) -> None:
    """Compare the worlds, and the steps in which peoples died."""
    world, feelings, societies = game.world()
    assert world == slow.world
    count = slow.count
    assert feelings == [[slow.feels[i, j] for j in range(count)] for i in range(count)]
    for row, people in zip(societies, slow.peoples, strict=True):
        dead = int(people["died"] is not None)
        assert row == [
            *(people[name] for name in VALUES),
            people["population"],
            people["yield"],
            dead,
        ]
    assert game.state.death.tolist() == [people["died"] or 0 for people in slow.peoples]


def choose(rng: np.random.Generator, slow: Any) -> list[str | None]:
    """Return random legal choices of all players; some are None."""
    chosen: list[str | None] = []
    for offer in slow.offers:
        menu = list(VALUES) if slow.options["choices"] == "any" else offer
        chosen.append(None if rng.random() < 0.05 else str(rng.choice(menu)))
    return chosen


@pytest.mark.boundscheck
@pytest.mark.parametrize("seed", range(60))
def test_game__equals_the_reference(table: Any, reference: ModuleType, seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = draw_options(rng)
    game, slow, over = table(seed, **options), reference.Reference(seed, options), False
    total = np.zeros(slow.count)
    compare(game, slow)
    while not over:
        assert [game.offered(i) for i in range(slow.count)] == slow.offers
        assert game.state.rng == slow.rng.state
        choices = choose(rng, slow)
        code = game.step([-1 if c is None else VALUES.index(c) for c in choices])
        over = slow.play(choices)
        assert (code == ENDED) == over
        compare(game, slow)
        assert game.rewards.tolist() == pytest.approx([float(r) for r in slow.paid], abs=1e-6)
        total += [float(reward) for reward in slow.paid]
    assert game.outcome() == pytest.approx(total.tolist(), abs=1e-5)
