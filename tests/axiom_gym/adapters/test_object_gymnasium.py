"""A plain Python game as a Gymnasium environment: the learner against opponents."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env

from axiom_gym.adapters.gymnasium import object_env
from axiom_gym.adapters.object_gymnasium import ObjectEnv
from axiom_gym.errors import ConfigError, GameError, IllegalActionError, ResetNeededError
from axiom_gym.game import BaseAction, GameLoop, MatchConfig

ROLL, WALK = 0, 1


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


async def think(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


@pytest.mark.filterwarnings("ignore:.*A Box observation space m")
@pytest.mark.parametrize("options", [{}, {"seat": 1}, {"seat": "random", "on_illegal": "forfeit"}])
def test_env__passes_gymnasiums_checks(
    race: ModuleType, heap: ModuleType, options: dict[str, Any]
) -> None:
    check_env(ObjectEnv(race.Race(), **options), skip_render_check=True)
    check_env(ObjectEnv(heap.Heap(), **options), skip_render_check=True)


def test_object_env__makes_it(race: ModuleType) -> None:
    env = object_env(race.Race(), opponent=walk, goal=9)
    assert type(env) is ObjectEnv
    env.reset(seed=1)
    assert env.episodes.progress.state.goal == 9


def test_reset__waits_for_the_learners_turn(race: ModuleType) -> None:
    env = ObjectEnv(race.Race(), players=3, opponent=walk, seat=2)
    seen, info = env.reset(seed=4)
    assert env.action_space == Discrete(2)
    assert env.observation_space.contains(seen)
    assert env.episodes.progress.state.steps == (1, 1, 0)
    assert info["action_mask"].tolist() == [1, 1]
    assert (info["seat"], info["illegal_action"]) == (2, False)
    assert env.action_masks().tolist() == [True, True]


def test_step__goes_on_to_the_learners_next_decision(race: ModuleType) -> None:
    env = ObjectEnv(race.Race(), opponent=walk, goal=3)
    env.reset(seed=4)
    for steps in ((1, 1), (2, 2)):
        _, reward, terminated, truncated, _ = env.step(np.int64(WALK))
        assert env.episodes.progress.state.steps == steps
        assert (reward, terminated, truncated) == (0.0, False, False)
    _, reward, terminated, truncated, info = env.step(WALK)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert (info["episode_return"], info["episode_length"]) == (1.0, 5)
    assert not info["action_mask"].any()
    with pytest.raises(ResetNeededError, match="the episode is over"):
        env.step(WALK)


def test_step__sums_what_comes_meanwhile(race: ModuleType) -> None:
    env = ObjectEnv(
        race.Race(), players=3, opponent=walk, seat=1, rewards=lambda *_: {"player_1": 1}
    )
    env.reset(seed=4)
    assert env.step(WALK)[1] == 3.0


def test_step__plays_to_the_end_for_a_learner_who_is_out(race: ModuleType) -> None:
    env = ObjectEnv(race.Race(), players=3, opponent=walk, goal=50)
    for seed in range(5):
        env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            _, reward, over, _, _ = env.step(ROLL)
        state = env.episodes.progress.state
        if "player_0" in state.eliminated:
            assert (reward, max(state.steps)) == (-1.0, 50)


def test_episode__is_the_match_of_a_game_loop(race: ModuleType) -> None:
    def draw(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return rng.pick(actions)

    agents = {"player_0": walk, "player_1": draw, "player_2": draw}
    env = ObjectEnv(race.Race(), players=3, lives=2)
    for seed in (0, 5, 9):
        result = GameLoop(race.Race(), agents, MatchConfig(options={"lives": 2})).run(seed)
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, _ = env.step(WALK)
        assert env.episodes.progress.state == result.final_state
        assert (reward == 1.0) == (result.winner is not None and result.winner.id == "player_0")


def test_episodes__follow_their_seeds(race: ModuleType) -> None:
    def play(env: ObjectEnv) -> list[Any]:
        env.reset(seed=3)
        ends = []
        for _ in range(4):
            over = False
            while not over:
                _, _, over, _, info = env.step(WALK)
            ends.append((env.episodes.progress.state, info["seat"]))
            env.reset()
        return ends

    made = [play(ObjectEnv(race.Race(), seat="random")) for _ in range(2)]
    assert made[0] == made[1]
    assert {seat for _, seat in made[0]} == {0, 1}


def test_opponents__take_their_seats(race: ModuleType) -> None:
    asked = []

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
            asked.append((self.name, player_id))
            chosen = actions[0]
            actions.clear()  # the list is its own
            return chosen

    ObjectEnv(race.Race(), players=3, seat=1, opponent=[Named("x"), Named("y")]).reset(seed=1)
    env = ObjectEnv(race.Race(), players=3, seat=0, opponent=[Named("x"), Named("y")])
    env.reset(seed=1)
    env.step(WALK)
    assert asked == [("x", "player_0"), ("x", "player_1"), ("y", "player_2")]


def test_opponents__see_what_the_game_lets_them(race: ModuleType) -> None:
    seen = []

    class Hiding(race.Race):  # type: ignore[misc, name-defined]
        def view(self, state: Any, player_id: str) -> Any:
            return f"view of {player_id}"

        def encode(self, state: Any, player_id: str) -> Any:
            return np.zeros(3)

    def look(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        seen.append(state)
        return actions[0]

    ObjectEnv(Hiding(), seat=1, opponent=look).reset(seed=1)
    assert seen == ["view of player_0"]


def test_step__names_an_opponent_who_cheats(race: ModuleType) -> None:
    env = ObjectEnv(race.Race(), opponent=lambda *_: "fly")
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError,
        match="race: the opponent 'player_1' wants 'fly', which is none of its 2",
    ):
        env.step(WALK)


def test_step__says_that_an_action_was_illegal(heap: ModuleType) -> None:
    env = ObjectEnv(heap.Heap(), low=3, high=3, on_illegal="noop")
    env.reset(seed=0)
    assert env.step(0)[4]["illegal_action"] is True
    assert env.step(1)[4]["illegal_action"] is False
    env = ObjectEnv(heap.Heap(), on_illegal="forfeit")
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (-1.0, True, True)


def test_reset__passes_over_matches_that_end_too_early(race: ModuleType) -> None:
    def roll(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[1]

    env = ObjectEnv(race.Race(), seat=1, goal=4, opponent=roll)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
    with pytest.raises(GameError, match="1000 matches in a row ended before 'player_1' could act"):
        ObjectEnv(race.Race(), seat=1, goal=1, opponent=walk).reset(seed=0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"opponent": "greedy"}, "unknown player of race 'greedy'"),
        ({"opponent": 3}, 'an opponent is "random", or a callable'),
        ({"opponent": think}, "that is not async"),
        ({"opponent": ["random", "random"]}, "there are 1 other seats, got 2 opponents"),
        ({"seat": 2}, "seat must be a whole number from 0 to 1, got 2"),
        ({"seat": "first"}, "unknown seat 'first'"),
        ({"render_mode": "human"}, "unknown render mode 'human'"),
        ({"gaol": 3}, "unknown option of race 'gaol'"),
    ],
)
def test_env__refuses_options_that_do_not_fit(
    race: ModuleType, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        ObjectEnv(race.Race(), **options)


def test_env__draws_seats_only_where_all_have_as_many_actions(race: ModuleType) -> None:
    class Uneven(race.Race):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[Any]:
            rare = [BaseAction("fly", player_id)] * (player_id == "player_1")
            return [BaseAction("roll", player_id), BaseAction("walk", player_id), *rare]

    assert ObjectEnv(Uneven(), seat=1).action_space == Discrete(3)
    with pytest.raises(ConfigError, match="seat='random' needs as many actions for every player"):
        ObjectEnv(Uneven(), seat="random")


def test_env__wants_a_reset_first(heap: ModuleType) -> None:
    env = ObjectEnv(heap.Heap(), render_mode="ansi", low=5, high=5)
    for call in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(ResetNeededError, match="no episode has begun"):
            call()
    with pytest.raises(ConfigError, match="unknown reset options"):
        env.reset(options={"a": 1})
    env.reset(seed=1)
    assert env.render() == "(5, 0, 0)"
    plain = ObjectEnv(heap.Heap())
    plain.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert plain.render() is None
