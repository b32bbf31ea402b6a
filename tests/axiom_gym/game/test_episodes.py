"""Episodes of plain Python games: what adapters share."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import (
    ActionError,
    ConfigError,
    GameError,
    IllegalActionError,
    ResetNeededError,
)
from axiom_gym.game import GameLoop, MatchConfig, canonical
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.episodes import Episodes, read_number

ROLL, WALK = 0, 1
TAKE, PASS = 1, 0


def test_begin__shows_the_first_state(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), low=9, high=9)
    assert episodes.begin(5) == 5
    assert episodes.progress.state == (9, 0, 0)
    assert (episodes.mover, episodes.over, episodes.turns) == (0, False, 0)
    assert episodes.observe(1).tolist() == [0, 1, 9, 0, 0]
    assert episodes.mask(0).tolist() == [0, 1]
    assert episodes.mask(1).tolist() == [0, 0]
    assert episodes.describe(0)["illegal_action"] is False


def test_play__lets_a_player_decide_several_times(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), low=9, high=9)
    episodes.begin(0)
    movers = []
    for number in (TAKE, TAKE, PASS, TAKE, TAKE, TAKE, PASS):
        movers.append(episodes.mover)
        episodes.play(number)
    assert movers == [0, 0, 0, 1, 1, 1, 1]
    assert (episodes.mover, episodes.mask(0).tolist()) == (0, [0, 1])


def test_play__pays_the_places_at_the_end(race: ModuleType) -> None:
    episodes = Episodes(race.Race(), players=3, goal=2)
    episodes.begin(0)
    paid = []
    for _ in range(4):
        episodes.play(WALK)
        paid.append(list(episodes.rewards.values()))
    assert paid == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, -0.5, -0.5]]
    assert (episodes.terminated, episodes.truncated, episodes.mover) == (True, False, -1)
    info = episodes.describe(1)
    assert (info["episode_return"], info["episode_length"]) == (-0.5, 4)


def test_play__pays_nothing_where_a_limit_ends_it(race: ModuleType) -> None:
    episodes = Episodes(race.Race(), max_turns=3)
    episodes.begin(0)
    for _ in range(3):
        assert not episodes.over
        episodes.play(WALK)
    assert (episodes.terminated, episodes.truncated) == (False, True)
    assert list(episodes.returns.values()) == [0, 0]


def test_play__pays_what_the_game_says(race: ModuleType) -> None:
    class Paying(race.Race):  # type: ignore[misc, name-defined]
        def get_rewards(self, before: Any, after: Any) -> dict[str, float]:
            return {
                one: after.steps[i] - before.steps[i] for i, one in enumerate(after.player_order)
            }

    episodes = Episodes(Paying())
    episodes.begin(0)
    episodes.play(WALK)
    assert episodes.rewards == {"player_0": 1.0, "player_1": 0.0}
    episodes = Episodes(Paying(), rewards=lambda before, after: {"player_1": 5})
    episodes.begin(0)
    episodes.play(WALK)
    assert episodes.returns == {"player_0": 0.0, "player_1": 5.0}


def test_play__takes_players_out_by_the_rules(race: ModuleType) -> None:
    episodes = Episodes(race.Race(), players=3, goal=100)
    for seed in range(20):
        episodes.begin(seed)
        while not episodes.over:
            out = episodes.progress.out
            assert episodes.ids[episodes.mover] not in out
            episodes.play(ROLL)
        assert len(episodes.progress.out) == 2 or max(episodes.progress.state.steps) >= 100
        assert sum(episodes.returns.values()) == pytest.approx(0)


@pytest.mark.parametrize("name", ["race", "heap"])
def test_play__is_the_match_of_a_game_loop(request: pytest.FixtureRequest, name: str) -> None:
    game = getattr(request.getfixturevalue(name), name.title())()
    episodes = Episodes(game, max_turns=40)
    for seed in (0, 7):
        taken = []

        def decide(state: Any, actions: list[Any], player_id: str, rng: Any, taken=taken) -> Any:  # type: ignore[no-untyped-def]
            taken.append(rng.pick(actions))
            return taken[-1]

        loop = GameLoop(game, dict.fromkeys(episodes.ids, decide), MatchConfig(max_turns=40))
        result = loop.run(seed)
        episodes.begin(seed)
        for action in taken:
            episodes.play(episodes.catalogue.find(episodes.mover, [action])[0])
        assert episodes.progress.state == result.final_state
        assert episodes.over
        assert episodes.terminated == (result.reason == "over")


def test_begin__without_a_seed_goes_on(heap: ModuleType) -> None:
    one, other = Episodes(heap.Heap()), Episodes(heap.Heap())
    one.begin(3)
    other.begin(3)
    following = [one.begin(None) for _ in range(3)]
    assert following == [other.begin(None) for _ in range(3)]
    assert len(set(following)) == 3
    assert 0 <= Episodes(heap.Heap()).begin(None) < 2**32


def test_episodes__never_hash_a_state(race: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = Episodes(race.Race())
    monkeypatch.setattr(canonical, "canonical", None)
    monkeypatch.setattr(race.RaceState, "__hash__", None)
    episodes.begin(1)
    while not episodes.over:
        episodes.play(WALK)
        episodes.observe(0)


# -- illegal actions -------------------------------------------------------------------------------


def test_noop__changes_nothing_and_asks_again(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), low=9, high=9, max_turns=3)
    episodes.begin(0)
    episodes.play(PASS)
    assert (episodes.progress.state, episodes.mover, episodes.offender) == ((9, 0, 0), 0, 0)
    assert episodes.describe(0)["illegal_action"] is True
    assert episodes.describe(1)["illegal_action"] is False
    episodes.play(TAKE)
    assert (episodes.offender, episodes.over) == (-1, False)
    episodes.play(TAKE)
    assert (episodes.truncated, episodes.turns) == (True, 3)


def test_noop__counts_for_the_limit(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), max_turns=2)
    episodes.begin(0)
    episodes.play(PASS)
    episodes.play(PASS)
    assert (episodes.terminated, episodes.truncated, episodes.mover) == (False, True, -1)


def test_forfeit__costs_the_game(race: ModuleType) -> None:
    class Lame(race.Race):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return super().get_valid_actions(state, player_id)[: 1 + (state.turn > 2)]

    episodes = Episodes(Lame(), players=3, on_illegal="forfeit")
    episodes.begin(0)
    episodes.play(WALK)
    episodes.play(ROLL)
    assert list(episodes.rewards.values()) == [0.5, -1, 0.5]
    assert (episodes.terminated, episodes.offender) == (True, 1)


def test_raise__touches_nothing(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), on_illegal="raise")
    episodes.begin(0)
    state = episodes.progress.state
    with pytest.raises(IllegalActionError, match="heap: 0 of 'player_0' is not legal now"):
        episodes.play(PASS)
    assert (episodes.progress.state, episodes.offender, episodes.turns) == (state, -1, 0)


def test_play__wants_an_episode_and_a_number(heap: ModuleType) -> None:
    episodes = Episodes(heap.Heap(), low=2, high=2)
    with pytest.raises(ResetNeededError, match="no episode has begun"):
        episodes.play(TAKE)
    episodes.begin(0)
    with pytest.raises(ActionError, match="from 0 to 1, got 2"):
        episodes.play(2)
    episodes.play(TAKE)
    episodes.play(TAKE)
    with pytest.raises(ResetNeededError, match="the episode is over"):
        episodes.play(TAKE)


@pytest.mark.parametrize("action", [1, np.int8(1), np.uint64(1), np.array(1)])
def test_read_number__takes_any_whole_number(action: Any) -> None:
    assert read_number(action, "ann") == 1


@pytest.mark.parametrize("action", [1.0, "1", None, [1], np.array([1]), True])
def test_read_number__refuses_all_else(action: Any) -> None:
    with pytest.raises(ActionError, match="the action of ann must be a whole number"):
        read_number(action, "ann")


# -- options ---------------------------------------------------------------------------------------


def test_episodes__takes_players_by_number_or_name(race: ModuleType) -> None:
    assert Episodes(race.Race()).ids == ("player_0", "player_1")
    assert Episodes(race.Race(), players=4).ids[-1] == "player_3"
    assert Episodes(race.Race(), players=["ann", "bob", "cid"]).ids == ("ann", "bob", "cid")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4, got 5"),
        ({"players": ["ann"]}, "race: players must be a number from 2 to 4, or so many different"),
        ({"players": ["ann", "ann"]}, "different ids"),
        ({"players": "abc"}, "got 'abc'"),
        ({"gaol": 3}, "unknown option of race 'gaol'. Did you mean 'goal'"),
        ({"max_turns": -1}, "max_turns must be"),
        ({"on_illegal": "ignore"}, "unknown on_illegal 'ignore'"),
        (
            {"catalogue": Catalogue("race", [["walk"]])},
            "catalogue is for 1 players, and there are 2",
        ),
    ],
)
def test_episodes__refuses_options_that_do_not_fit(
    race: ModuleType, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        Episodes(race.Race(), **options)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5])
def test_begin__refuses_what_is_no_seed(heap: ModuleType, seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed must be a whole number from 0"):
        Episodes(heap.Heap()).begin(seed)


def test_episodes__passes_the_games_own_faults_on(race: ModuleType) -> None:
    class Stuck(race.Race):  # type: ignore[misc, name-defined]
        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            return dataclasses.replace(state, active_player_id="zoe")

    with pytest.raises(GameError, match="active_player_id is 'zoe'"):
        Episodes(Stuck())


def test_draw__is_text(race: ModuleType) -> None:
    class Drawing(race.Race):  # type: ignore[misc, name-defined]
        def describe_state(self, state: Any) -> str:
            return f"turn {state.turn}"

    for game, text in ((Drawing(), "turn 1"), (race.Race(), "RaceState(")):
        episodes = Episodes(game)
        episodes.begin(0)
        assert episodes.draw().startswith(text)
