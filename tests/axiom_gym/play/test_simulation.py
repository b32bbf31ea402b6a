"""Statistics of many games."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, UnknownOpponentError
from axiom_gym.play.simulation import Simulation, _count_places, simulate

GAMES = 40


def by_hand(
    brawl: ModuleType, players: list[str], seed: int
) -> tuple[list[int], list[list[float]]]:
    """Return lengths and returns of the games, played one by one."""
    lengths, returns = [], []
    for number in range(GAMES):
        batch = Batch(brawl.GAME, autoreset="disabled", turn_limit=6)
        batch.reset(seed + number)
        while not batch.buffers.episodes["ended"][0]:
            actor = int(batch.buffers.acting[0])
            seats = np.zeros((1, 3), np.int16)
            seats[0, actor] = 1
            batch.act(players[actor], seats, 1)
            batch.step()
        lengths.append(int(batch.buffers.episodes["final_length"][0]))
        returns.append(batch.buffers.episodes["final_returns"][0].tolist())
    return lengths, returns


def test_simulate__counts_what_happens(brawl: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts do not matter, and each game equals that of its seed."""
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 15)
    finished: list[int] = []
    players = ["bully", "random", "random"]
    found = simulate(brawl.GAME, players, GAMES, seed=7, turn_limit=6, on_progress=finished.append)
    lengths, returns = by_hand(brawl, players, 7)
    assert (found.game, found.games, found.players) == ("brawl-v0", GAMES, tuple(players))
    assert found.options == {"players": 3, "lives": 2, "sure": False, "turn_limit": 6}
    assert found.length["mean"] == pytest.approx(np.mean(lengths))
    assert (found.length["least"], found.length["most"]) == (min(lengths), max(lengths))
    assert found.length["median"] == np.median(lengths)
    assert found.outcomes == pytest.approx(np.mean(returns, axis=0), abs=1e-6)
    assert sum(found.wins) == pytest.approx(1)
    places = [sorted(row, reverse=True) for row in returns]
    assert found.draws == np.mean([row[0] == row[2] for row in places])
    assert sum(found.won) == pytest.approx(np.mean([row[0] > row[1] for row in places]))
    two_first = np.mean([row[0] == row[1] > row[2] for row in places])
    assert sum(found.shared) == pytest.approx(2 * two_first)
    assert 0 < found.truncated < 1
    assert finished == sorted(finished)
    assert finished[-1] == GAMES


def test_simulate__shares_wins_among_equals(brawl: ModuleType) -> None:
    found = simulate(brawl.GAME, ["bully"], 10, turn_limit=1, lives=9, sure=True)
    assert found.truncated == 1
    assert found.wins == (1, 0, 0)  # only the first player has struck
    assert found.seat_advantage == 3
    assert found.actions == {"rest": 0, "strike": 1}
    assert found.length["mean"] == 2


def test_simulate__counts_draws_and_shared_places() -> None:
    outcomes = np.array([[1, 0, 0], [1, 1, 0], [2, 2, 2], [0, 0, 3]], np.float32)
    assert _count_places(outcomes) == {
        "wins": pytest.approx((1.5 / 4 + 1 / 12, 0.5 / 4 + 1 / 12, 1 / 4 + 1 / 12)),
        "won": (0.25, 0, 0.25),
        "shared": (0.25, 0.25, 0),
        "draws": 0.25,
    }
    alone = _count_places(np.array([[1], [0]], np.float32))
    assert alone == {"wins": (1,), "won": (1,), "shared": (0,), "draws": 0}


def test_simulate__numbers_choices_without_kinds(pennies: ModuleType) -> None:
    found = simulate(pennies.GAME, games=20)
    assert set(found.actions) <= {"0", "1", "2"}
    assert sum(found.actions.values()) == pytest.approx(1)


def test_simulate__counts_events_by_name(
    pennies: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A coin falls in each turn; rows of kinds without a name do not count; parts do not matter."""
    found = simulate(pennies.GAME, games=20, event_games=12)
    counted = simulate(pennies.GAME, games=12, event_games=0)
    assert found.events == {"coin": pytest.approx(counted.length["mean"])}
    assert (found.event_games, counted.event_games, counted.events) == (12, 0, {})
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 5)
    assert simulate(pennies.GAME, games=20, event_games=12) == found
    assert simulate(pennies.GAME, games=3).event_games == 3


def test_simulate__counts_events_of_plain_rules(tally: ModuleType) -> None:
    """Kinds of one name are added; by default a twentieth of the games is played twice."""
    found = simulate(tally.GAME, games=30, event_games=30, goal=10)
    assert found.events == {"decision": pytest.approx(found.length["mean"])}
    assert simulate(tally.GAME, games=30, goal=10).event_games == 2


def test_simulate__finds_wins_and_draws_by_outcome_in_spite_of_shaping() -> None:
    plain, shaped = (simulate("quantaris", games=30, shaping=one, event_games=0) for one in (0, 1))
    assert plain.draws > 0
    assert (plain.wins, plain.draws, plain.outcomes) == (shaped.wins, shaped.draws, shaped.outcomes)


def test_simulate__takes_a_number_of_players(race: ModuleType) -> None:
    found = simulate(race.Race, games=3, players=4, goal=5)
    assert found.players == ("random",) * 4
    assert found.actions.keys() == {"roll", "walk"}


def test_simulate__is_reproducible(brawl: ModuleType) -> None:
    def run(seed: int) -> Simulation:
        return simulate(brawl.GAME, games=30, seed=seed)

    assert run(3) == run(3)
    assert run(3) != run(4)


def test_simulate__refuses_wrong_arguments(brawl: ModuleType) -> None:
    with pytest.raises(ConfigError, match=r"brawl has 3 players \(.*\), got 2"):
        simulate(brawl.GAME, ["random", "bully"])
    with pytest.raises(UnknownOpponentError, match="bullies"):
        simulate(brawl.GAME, ["bullies"])
    with pytest.raises(ConfigError, match="games"):
        simulate(brawl.GAME, games=0)
