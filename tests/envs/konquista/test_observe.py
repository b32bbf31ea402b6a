"""Legal actions and observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.konquista.constants import PHASES
from axiom_gym.kernel import ILLEGAL

# --------------------------------------------------------------------------------------------------
# Illegal actions, and the mask


@pytest.mark.parametrize("phase", PHASES)
def test_step__refuses_masked_actions_and_leaves_the_state(table: Any, phase: str) -> None:
    game = table(board="island")
    game.hold(0, phase=phase, Torvane=3, Quell=2, Almery=9)
    if phase == "reinforce":
        game.state.to_place = 3
    if phase == "advance":
        game.state.advance = game.board.borders.index((2, 5))
    mask, before = game.mask()[0], game.state.copy()
    assert set(mask.tolist()) == {0, 1}
    for action in [-(2**63), -2, -1, *range(len(mask)), len(mask), 2**62]:
        legal = 0 <= action < len(mask) and mask[action] == 1
        assert (game.step(action) != ILLEGAL) == legal, action
        if not legal:
            assert game.state == before
            assert game.rewards.tolist() == [0, 0]
        game.state = before.copy()


def test_step__refuses_everything_when_the_game_is_over(table: Any) -> None:
    game = table(board="island", turn_limit=1)
    game.hold(0, phase="fortify", Torvane=3)
    game.play("end")
    before = game.state.copy()
    actions = range(game.layout.num_choices[0])
    assert {game.step(action) for action in actions} == {ILLEGAL}
    assert game.state == before


# --------------------------------------------------------------------------------------------------
# Observation


def test_observation__has_the_entries_of_the_card(table: Any) -> None:
    game = table(board="island", turn_limit=40)
    game.hold(0, Almery=31, Torvane=1, Brindle=1, Quell=1)
    seen = game.observe(0)
    assert (seen["Almery.owner0"], seen["Almery.owner1"], seen["Luntar.owner1"]) == (1, 0, 1)
    assert seen["Almery.armies"] == 1
    assert seen["Quell.armies"] == pytest.approx(1 / 30)
    assert seen["Almery.armies_log"] == pytest.approx(np.log(32) / np.log(256))
    game.give(0, Almery=200)
    assert game.observe(0)["Almery.armies_log"] == pytest.approx(np.log(201) / np.log(256))
    assert (seen["Verrin.share0"], seen["Verrin.share1"], seen["Siska.share1"]) == (1, 0, 1)
    assert [seen[f"phase.{phase}"] for phase in PHASES] == [0, 1, 0, 0]
    assert seen["turn"] == pytest.approx(1 / 40)
    assert seen["seat0.territories"] == pytest.approx(1 / 3)
    assert seen["seat1.armies"] == pytest.approx(8 / 42)
    assert (seen["seat0.in"], seen["seat1.in"], seen["to_place"]) == (1, 1, 0)
    assert sum(value for name, value in seen.items() if ".advance_" in name) == 0


def test_observation__shows_where_armies_may_advance(table: Any) -> None:
    game = table(board="island")
    game.conquer(9)
    seen = game.observe(0)
    marked = {name for name, value in seen.items() if ".advance_" in name and value == 1}
    assert marked == {"Almery.advance_from", "Luntar.advance_to"}
    assert seen["phase.advance"] == 1


def test_observation__shows_the_armies_to_place(table: Any) -> None:
    game = table(board="island")
    assert game.observe(0)["to_place"] == pytest.approx(int(game.state.to_place) / 30)


def test_observation__starts_with_the_observing_players_seat(table: Any) -> None:
    game = table(board="island", players=3)
    game.hold(0, rest=1, Torvane=3)
    game.give(2, Maldir=6)
    game.state.place[0] = 3
    for player in range(3):
        seen = game.observe(player)
        for name, owner in (("Torvane", 0), ("Pellow", 1), ("Maldir", 2)):
            flags = [seen[f"{name}.owner{seat}"] for seat in range(3)]
            assert flags == [float((player + seat) % 3 == owner) for seat in range(3)]
        assert [seen[f"seat{(p - player) % 3}.in"] for p in range(3)] == [0, 1, 1]
        assert seen[f"seat{(1 - player) % 3}.territories"] == pytest.approx(10 / 12)


def test_observation__stays_within_its_bounds_with_huge_armies(table: Any) -> None:
    game = table(board="continent", players=6)
    game.state.armies[:42] = 100_000
    game.state.to_place = 30_000
    values = list(game.observe(3).values())
    assert min(values) >= 0
    assert max(values) <= 1
