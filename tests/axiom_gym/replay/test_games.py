"""The search for the game of a replay."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from axiom_gym import registry
from axiom_gym.errors import ReplayError
from axiom_gym.game import KernelGameObject
from axiom_gym.replay import Replay
from axiom_gym.replay.games import find_game

Matches = Callable[..., Replay]
Change = Callable[..., Replay]


def test_find_game__returns_the_given_game(
    race: ModuleType, race_match: Matches, four: Replay
) -> None:
    game, kernel = race.Race(), registry.get_game("connect_four")
    assert find_game(race_match().header, game) is game
    assert find_game(four.header, kernel) is kernel
    assert find_game(four.header, KernelGameObject("connect_four")) is kernel
    with pytest.raises(ReplayError, match=r"a game of race-v3, .* this is scribble-v0\.$"):
        find_game(race_match().header, race.Scribble(""))


def test_find_game__finds_installed_games(four_match: Replay, four: Replay) -> None:
    kernel = registry.get_game("connect_four")
    assert find_game(four_match.header) is find_game(four.header) is kernel


def test_find_game__names_the_game_that_is_missing(
    race: ModuleType, race_match: Matches, four_match: Replay, change: Change
) -> None:
    with pytest.raises(
        ReplayError,
        match=r"of race-v3, made with axiom-gym .*, and playing it again needs exactly that "
        r"version of the rules; installed are .*quantaris-v0.* by verify\(path, game=MyGame",
    ):
        find_game(race_match().header)
    with pytest.raises(ReplayError, match=r"connect_four-v9, .* installed are connect_four-v0\."):
        find_game(change(four_match, "header", version=9).header)
    few = race_match().header.players[:1]
    with pytest.raises(ReplayError, match=r"replay has 1 players, and the game is for 2 to 4\."):
        find_game(change(race_match(), "header", players=few).header, race.Race())


def test_find_game__distinguishes_plain_games_from_kernels(
    race: ModuleType, race_match: Matches, four: Replay, change: Change
) -> None:
    with pytest.raises(ReplayError, match="of a plain game, and this connect_four is a kernel"):
        find_game(change(four, "header", plain=True).header)
    with pytest.raises(ReplayError, match="is of a kernel, and this race is a plain game"):
        find_game(change(race_match(), "header", plain=False).header, race.Race())
