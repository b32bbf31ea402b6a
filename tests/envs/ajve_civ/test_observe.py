"""Tests of observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ.constants import MAX_PLAYERS, VALUES
from axiom_envs.ajve_civ.features import feature_names


def in_the_middle(table: Any, players: int, steps: int = 13) -> Any:
    """Return a game in which all peoples differ from each other."""
    game = table(seed=5, players=players, choices="any", start_population=9)
    rng = np.random.default_rng(players)
    for _ in range(steps):
        game.step(rng.integers(6, size=players).tolist())
    return game


def turned(table: Any, game: Any, player: int) -> Any:
    """Return the same game with the seats rotated, so that `player` is first."""
    other = table(players=game.players, choices="any")
    other.state = game.state.copy()
    for name in ("values", "population", "yields", "death", "offer"):
        other.state[name][:] = np.roll(game.state[name], -player, axis=0)
    other.state.feelings[:] = np.roll(game.state.feelings, (-player, -player), axis=(0, 1))
    return other


@pytest.mark.parametrize("players", [1, 2, 7])
def test_observation__has_the_entries_of_the_card(table: Any, players: int) -> None:
    game = in_the_middle(table, players)
    game.state.death[players - 1] = 4
    seen, state = game.observe(0), game.state
    assert len(seen) == len(game.layout.feature_names) == 11 * players + 7
    for i in range(players):
        for k, value in enumerate(VALUES):
            number = int(state["values"][i, k])
            assert seen.pop(f"people{i}.{value}") == pytest.approx(number / (16 + abs(number)))
        for name, number in (("population", state.population[i]), ("yield", state.yields[i])):
            half = int(number) / (300 + abs(int(number)))
            assert seen.pop(f"people{i}.{name}") == pytest.approx(half)
        assert seen.pop(f"people{i}.dead") == (i == players - 1 or state.death[i] != 0)
    for j in range(1, players):
        for name, number in (
            (f"feels_about_people{j}", int(state.feelings[0, j])),
            (f"people{j}_feels_about_it", int(state.feelings[j, 0])),
        ):
            assert seen.pop(name) == pytest.approx(number / (32 + abs(number)))
    offered = [value for value in VALUES if seen.pop(f"offered.{value}") == 1]
    assert offered == [value for value in VALUES if value in game.offered(0)]
    world = int(state.world_yield)
    assert seen.pop("world_yield") == pytest.approx(world / (100 + abs(world)))
    assert seen.pop("turn") == pytest.approx(0.13)
    assert seen.pop("inflection") == 0
    assert not seen


@pytest.mark.parametrize("players", [2, 3, 7])
def test_observation__is_that_of_the_first_seat_of_the_rotated_game(
    table: Any, players: int
) -> None:
    game = in_the_middle(table, players)
    game.state.death[:] = 0
    game.state.death[1] = 3
    for player in range(players):
        assert game.observe(player) == turned(table, game, player).observe(0)
    assert game.observe(0) != game.observe(1)


def test_observation__of_others_does_not_show_their_offers(table: Any) -> None:
    game = in_the_middle(table, 2)
    seen = game.observe(0)
    game.state.offer[1] = np.roll(game.state.offer[1], 1)
    assert game.observe(0) == seen
    game.state.offer[0] = np.roll(game.state.offer[0], 1)
    assert game.observe(0) != seen


def test_observation__says_when_an_inflection_comes(table: Any) -> None:
    game = table(players=2, duration=20)
    assert (game.observe(1)["inflection"], game.observe(1)["turn"]) == (1, 0)
    game.play("discover", "discover")
    assert (game.observe(1)["inflection"], game.observe(1)["turn"]) == (0, np.float32(0.05))
    assert table(players=2, inflections=False).observe(0)["inflection"] == 0


def test_observation__stays_within_its_bounds(table: Any) -> None:
    game = table(players=2)
    huge = 2**30
    for number in (huge, -huge):
        game.state["values"][:] = game.state.population[:] = game.state.yields[:] = number
        game.state.feelings[:] = game.state.world_yield = number
        seen = game.observe(1).values()
        assert min(seen) >= -1
        assert max(seen) <= 1


def test_feature_names__are_unique_for_every_number_of_players() -> None:
    for players in range(1, MAX_PLAYERS + 1):
        names = feature_names(players)
        assert len(set(names)) == len(names) == 11 * players + 7
