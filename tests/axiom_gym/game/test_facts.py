from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.batch import Batch
from axiom_gym.game import (
    Game,
    GameInfo,
    GameMetadata,
    KernelGame,
    Layout,
    Player,
    PlayerRanking,
)
from axiom_gym.rng import SeededRNG

PLAYERS = (Player("a", "Anna"), Player("b"))


class Countdown:
    """Nim with one heap, without any base class: the player who takes the last stone wins."""

    metadata = GameMetadata("countdown", 2, 2)

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> tuple[int, int]:
        return int(config.get("stones", 5)), rng.below(2)

    def get_valid_actions(self, state: tuple[int, int], player_id: str) -> list[int]:
        stones, turn = state
        return [n for n in (1, 2) if n <= stones] if PLAYERS[turn].id == player_id else []

    def execute_action(
        self, state: tuple[int, int], action: int, rng: SeededRNG
    ) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def is_game_over(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def get_winner(self, state: tuple[int, int]) -> Player | None:
        return PLAYERS[1 - state[1]] if self.is_game_over(state) else None

    def get_rankings(self, state: tuple[int, int]) -> list[PlayerRanking]:
        winner = self.get_winner(state)
        return [PlayerRanking(p, 1 if p == winner else 2, float(p == winner)) for p in PLAYERS]

    def describe_action(self, action: int, state: tuple[int, int]) -> str:
        return f"takes {action}"


def test_game__is_any_class_with_its_methods() -> None:
    game: Game[tuple[int, int], int] = Countdown()
    assert isinstance(game, Game)
    assert not isinstance(object(), Game)
    rng = SeededRNG(0)
    state = game.initialize({"stones": 3}, PLAYERS, rng)
    while not game.is_game_over(state):
        mover = PLAYERS[state[1]]
        state = game.execute_action(state, game.get_valid_actions(state, mover.id)[-1], rng)
    winner = game.get_winner(state)
    assert winner in PLAYERS
    assert [r.player for r in game.get_rankings(state) if r.rank == 1] == [winner]


@pytest.mark.parametrize("kind", [GameInfo, Layout, KernelGame])
def test_records__take_keywords_only_and_cannot_be_changed(kind: Any, pennies: ModuleType) -> None:
    game = pennies.GAME
    made = {GameInfo: game.info, Layout: game.layout(None), KernelGame: game}[kind]
    field = dataclasses.fields(kind)[0].name
    with pytest.raises(TypeError, match="positional"):
        kind(getattr(made, field))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(made, field, None)
    assert not hasattr(made, "__dict__")


def test_kernel_game__needs_neither_bots_nor_presets(pennies: ModuleType) -> None:
    names = [field.name for field in dataclasses.fields(KernelGame)]
    given = {name: getattr(pennies.GAME, name) for name in names}
    del given["bots"], given["presets"]
    game = KernelGame(**given)
    assert (game.bots, game.presets, game.standard_bots) == ({}, {}, ())
    assert Batch(game, 2).bot_names() == ["random"]


@pytest.mark.usefixtures("known_climb")
def test_kernel_game__is_pickled_by_its_id_if_it_is_registered(climb: ModuleType) -> None:
    for by in (lambda game: pickle.loads(pickle.dumps(game)), copy.deepcopy, copy.copy):
        assert by(climb.GAME) is climb.GAME


@pytest.mark.usefixtures("known_climb")
def test_kernel_game__is_pickled_whole_if_another_one_has_its_id(climb: ModuleType) -> None:
    other = dataclasses.replace(climb.GAME, params=climb._layout)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(other, protocol))
        assert twin is not other
        assert twin == other
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(dataclasses.replace(other, params=climb.GAME.params))


def test_kernel_game__is_pickled_whole_if_nobody_knows_it(pennies: ModuleType) -> None:
    assert pickle.loads(pickle.dumps(pennies.TRIO)) == pennies.TRIO


def test_player__is_equal_by_value() -> None:
    assert Player("a") == Player("a", "")
    assert len({Player("a"), Player("a"), Player("b")}) == 2


def test_metadata__has_options_of_its_own() -> None:
    assert GameMetadata("x", 1, 2).options is not GameMetadata("x", 1, 2).options
