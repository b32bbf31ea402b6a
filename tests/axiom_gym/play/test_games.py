"""The loop of matches, simulations and evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, IllegalActionError
from axiom_gym.opponents import Opponent
from axiom_gym.play.games import Games, name_player, play_in_parts


def first_legal(observations: Any, masks: npt.NDArray[np.int8], rng: Any) -> npt.NDArray[np.int64]:
    chosen: npt.NDArray[np.int64] = masks.argmax(axis=2)
    return chosen


def make_rngs(players: int) -> list[np.random.Generator]:
    return [np.random.default_rng(seed) for seed in range(players)]


def play_brawl(brawl: ModuleType, players: Sequence[Opponent], count: int, seed: int) -> Any:
    """Return outcomes (B, P), and the turn (B,) in which each game ended."""
    batch = Batch(brawl.GAME, count, on_illegal="raise", turn_limit=6)
    games = Games(batch, players, seed, make_rngs(3))
    outcomes, ends = np.zeros((count, 3), np.float32), np.zeros(count, np.int64)
    for turn, over in enumerate(games.play(), start=1):
        outcomes[over] = batch.outcomes()[over]
        ends[over] = turn
    assert not games.running.any()
    return outcomes, ends


@pytest.mark.parametrize(
    "players", [["bully", "random", "random"], ["random", first_legal, "bully"]]
)
def test_games__do_not_depend_on_the_others_of_the_batch(
    brawl: ModuleType, players: list[Opponent]
) -> None:
    outcomes, ends = play_brawl(brawl, players, 12, 30)
    assert len(set(ends.tolist())) > 1
    for game in range(12):
        alone = play_brawl(brawl, players, 1, 30 + game)
        np.testing.assert_array_equal(alone[0][0], outcomes[game])
        assert alone[1][0] == ends[game]


def test_games__report_each_end_once(brawl: ModuleType) -> None:
    """Ended games are reset and end again, which is not reported."""
    batch = Batch(brawl.GAME, 60, on_illegal="raise", turn_limit=60, lives=1)
    games = Games(batch, ["random"] * 3, 1, make_rngs(3))
    before: list[tuple[int, bool]] = []

    def note() -> None:
        before.append((int(games.running.sum()), bool(batch.buffers.episodes["length"].any())))

    ended, all_ends = np.zeros(60, np.int64), np.zeros(60, np.int64)
    for over in games.play(note):
        ended += over
        all_ends += batch.buffers.terminated | batch.buffers.truncated
    assert (ended == 1).all()
    assert (all_ends > 1).any()
    assert before[:2] == [(60, False), (60, True)]
    assert before == sorted(before, reverse=True, key=lambda entry: entry[0])
    assert list(games.play()) == []


def test_games__ask_callables_only_where_they_are_to_act(brawl: ModuleType) -> None:
    batch = Batch(brawl.GAME, 20, on_illegal="raise", turn_limit=6)
    waiting: list[int] = []
    asked: list[int] = []

    def count(observations: Any, masks: npt.NDArray[np.int8], rng: Any) -> npt.NDArray[np.int64]:
        asked.append(len(masks))
        return first_legal(observations, masks, rng)

    def note() -> None:
        mine = int((games.running & (batch.buffers.acting == 1)).sum())
        waiting.extend([mine] if mine else [])

    games = Games(batch, ["random", count, "random"], 1, make_rngs(3))
    for _ in games.play(note):
        pass
    assert asked == waiting


def test_games__give_each_callable_its_generator(pennies: ModuleType) -> None:
    rngs = make_rngs(2)
    given: list[Any] = []

    def spy(observations: Any, masks: Any, rng: Any) -> npt.NDArray[np.int64]:
        given.append(rng)
        return first_legal(observations, masks, rng)

    next(Games(Batch(pennies.GAME, 3), [spy, spy], 1, rngs).play())
    assert given == rngs


def test_games__ask_equal_bots_in_one_call(
    pennies: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, int]] = []
    act = Batch.act

    def note(self: Batch, bot: str, seats: npt.NDArray[np.int16], number: int) -> None:
        calls.append((bot, int((seats == number).sum())))
        act(self, bot, seats, number)

    monkeypatch.setattr(Batch, "act", note)
    next(Games(Batch(pennies.TRIO, 4), ["highest", "random", "highest"], 1, make_rngs(3)).play())
    assert calls == [("highest", 8), ("random", 4)]


def test_games__play_no_turn_with_an_illegal_sub_action(brawl: ModuleType) -> None:
    def cheat(observations: Any, masks: npt.NDArray[np.int8], rng: Any) -> npt.NDArray[np.int64]:
        return np.full(masks.shape[:2], 99)

    batch = Batch(brawl.GAME, 4, on_illegal="raise")
    games = Games(batch, [first_legal, cheat, cheat], 1, make_rngs(3))
    turns = games.play()
    next(turns)
    before = batch.get_state()
    with pytest.raises(IllegalActionError):
        next(turns)
    assert batch.get_state() == before


def test_games__need_a_player_for_each_seat(brawl: ModuleType) -> None:
    with pytest.raises(ConfigError, match=r"brawl has 3 players \(.*\), got 2"):
        Games(Batch(brawl.GAME), ["random"] * 2, 1, make_rngs(3))


@pytest.mark.parametrize("take_turns", [False, True])
def test_parts__seat_players_by_the_numbers_of_the_games(
    pennies: ModuleType, monkeypatch: pytest.MonkeyPatch, take_turns: bool
) -> None:
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 4)
    players = ["highest", "lowest", "random"]
    parts = list(play_in_parts(pennies.TRIO, players, 6, 2**32 - 5, take_turns=take_turns))
    seeds = np.concatenate([part.batch.buffers.episodes["seed"] for part in parts])
    assert seeds.tolist() == [2**32 - 5 + game for game in range(5)] + [0]
    seats = np.concatenate([part.seats for part in parts])
    for game, row in enumerate(seats):
        moved = game if take_turns else 0
        assert [row[(player + moved) % 3] for player in range(3)] == [0, 1, 2]


def test_name_player__prefers_the_players_own_name(tmp_path: Path) -> None:
    class Named:
        name = "Ada"

    class Plain:
        pass

    assert name_player("random") == "random"
    assert name_player(tmp_path / "best.zip") == name_player(f"{tmp_path}/best.zip") == "best.zip"
    assert name_player(first_legal) == "first_legal"
    assert name_player(Named()) == "Ada"
    assert name_player(Plain()) == "Plain"
