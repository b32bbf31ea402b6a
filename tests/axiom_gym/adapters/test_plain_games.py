"""Plain Python games in the ordinary environments."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from stable_baselines3.common.vec_env import VecEnv

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv, object_env
from axiom_gym.adapters.pettingzoo import aec_env, env
from axiom_gym.adapters.sb3 import make_vec_env
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, GameError, UnknownNameError, UnknownOpponentError
from axiom_gym.game import GameLoop, KernelGameObject, MatchConfig
from axiom_gym.opponents import OpponentPool

ROLL, WALK = 0, 1
TAKE = 1


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def draw(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return rng.pick(actions)


def state_of(batch: Batch) -> Any:
    return batch.params.find(batch.buffers.states[0]).progress.state


# -- PettingZoo ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*(should be gymnasium.spaces|is not a NumPy array)")
@pytest.mark.parametrize("name", ["race", "heap", "limited"])
def test_aec_env__passes_pettingzoos_tests(
    race: ModuleType, heap: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def make() -> Any:
        if name == "heap":
            return aec_env(heap.Heap())
        options = {"lives": 2} if name == "race" else {"max_turns": 9}
        return aec_env(race.Race, players=3, **options)

    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=50)


def test_aec_env__has_the_facts_of_its_game(race: ModuleType) -> None:
    made = aec_env(race.Race, players=["ann", "bob", "cid"], goal=9)
    assert made.metadata["name"] == "race_v3"
    assert made.possible_agents == ["ann", "bob", "cid"]
    assert made.action_space("bob") == Discrete(2)
    made.reset(seed=1)
    assert state_of(made.batch).goal == 9
    assert state_of(made.batch).player_order == ("ann", "bob", "cid")


def test_aec_env__shows_observation_mask_and_info(heap: ModuleType) -> None:
    made = aec_env(heap.Heap, low=5, high=5)
    made.reset(seed=1)
    seen, reward, terminated, truncated, info = made.last()
    assert seen is not None
    assert seen["observation"].tolist() == [1, 0, 5, 0, 0]
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == [0, 1]
    assert (reward, terminated, truncated, info["illegal_action"]) == (0.0, False, False, False)
    assert made.observation_space("player_0").contains(seen)
    movers = []
    for action in (1, 1, 0, 1, 1):
        movers.append(made.agent_selection[-1])
        made.step(action)
    assert "".join(movers) == "00011"


def test_aec_env__ends_for_all_with_the_same_flag(race: ModuleType) -> None:
    made = OrderEnforcingWrapper(aec_env(race.Race, players=3, lives=2))
    for seed in range(8):
        made.reset(seed=seed)
        returns, ends = dict.fromkeys(made.possible_agents, 0.0), set()
        for agent in made.agent_iter():
            seen, reward, terminated, truncated, info = made.last()
            assert seen is not None
            returns[agent] += reward
            over = terminated or truncated
            if over:
                ends.add((terminated, truncated))
                assert info["episode_return"] == pytest.approx(returns[agent])
            made.step(None if over else made.action_space(agent).sample(seen["action_mask"]))
        assert ends == {(True, False)}
        assert not made.agents
        assert sum(returns.values()) == pytest.approx(0, abs=1e-6)


def test_aec_env__takes_rewards(race: ModuleType) -> None:
    made = aec_env(race.Race, rewards=lambda before, after: {"player_0": 1, "player_1": 2})
    made.reset(seed=1)
    made.step(WALK)
    made.step(WALK)
    assert made.rewards == {"player_0": 1.0, "player_1": 2.0}
    assert (made.agent_selection, made.last()[1]) == ("player_0", 2.0)


def test_aec_env__can_be_copied_in_the_middle(race: ModuleType) -> None:
    made = aec_env(race.Race())
    made.reset(seed=1)
    made.step(WALK)
    other = copy.deepcopy(made)
    while not any(made.terminations.values()):
        made.step(ROLL)
        other.step(ROLL)
    assert state_of(made.batch) == state_of(other.batch)
    assert other.rewards == made.rewards


def test_aec_env__plays_a_kernel_game_as_its_batch_does() -> None:
    made, batch = env(KernelGameObject("connect_four")), Batch("connect_four")
    made.reset(seed=3)
    batch.reset(3)
    while not any(made.terminations.values()):
        assert made.agent_selection == f"player_{batch.to_act()[0]}"
        seen = made.observe(made.agent_selection)
        assert np.array_equal(seen["observation"], batch.buffers.observations[0, 0])
        assert np.array_equal(seen["action_mask"], batch.buffers.masks[0, 0, 0])
        column = int(np.flatnonzero(seen["action_mask"])[0])
        made.step(column)
        batch.buffers.actions[0] = column
        batch.step()
    assert list(made.rewards.values()) == batch.buffers.rewards[0].tolist()


# -- Gymnasium -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*A Box observation space m")
@pytest.mark.parametrize("options", [{}, {"seat": 1}, {"seat": "random", "on_illegal": "forfeit"}])
def test_object_env__passes_gymnasiums_checks(
    race: ModuleType, heap: ModuleType, options: dict[str, Any]
) -> None:
    check_env(object_env(race.Race(), **options), skip_render_check=True)
    check_env(object_env(heap.Heap, **options), skip_render_check=True)


def test_object_env__plays_to_the_learners_next_decision(race: ModuleType) -> None:
    made = object_env(race.Race, opponent=walk, goal=3)
    _, info = made.reset(seed=4)
    assert info["action_mask"].tolist() == [1, 1]
    for steps in ((1, 1), (2, 2)):
        _, reward, terminated, truncated, _ = made.step(WALK)
        assert state_of(made.batch).steps == steps
        assert (reward, terminated, truncated) == (0.0, False, False)
    _, reward, terminated, truncated, info = made.step(WALK)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert (info["episode_return"], info["episode_length"]) == (1.0, 3)


def test_object_env__ends_for_an_eliminated_learner(race: ModuleType) -> None:
    made, outs = object_env(race.Race, players=3, opponent=walk, goal=50), 0
    for seed in range(5):
        made.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            _, reward, over, _, _ = made.step(ROLL)
        state = state_of(made.batch)
        if "player_0" in state.eliminated:
            assert (reward, max(state.steps) < 50) == (-1.0, True)
            outs += 1
    assert outs


def test_object_env__plays_the_match_of_a_game_loop(race: ModuleType) -> None:
    agents = {"player_0": walk, "player_1": draw, "player_2": draw}
    made = object_env(race.Race, players=3, lives=2, opponent=draw)
    for seed in (0, 5, 9):
        result = GameLoop(race.Race(), agents, MatchConfig(options={"lives": 2})).run(seed)
        made.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, _ = made.step(WALK)
        assert state_of(made.batch) == result.final_state
        assert (reward == 1.0) == (result.winner is not None and result.winner.id == "player_0")


def test_object_env__takes_opponents_of_all_kinds(race: ModuleType) -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def decide(self, state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
            return actions[0]

    made = object_env(race.Race, opponent=["random", Named("x"), Named("x"), Named("random")])
    assert made.batch.bot_names() == ["random", "x", "x_2", "random_3"]
    assert object_env(race.Race, opponent=OpponentPool(["random"])).batch.bot_names() == ["random"]
    with pytest.raises(GameError, match="the opponent 'player_1' chose 'fly'"):
        _play_once(object_env(race.Race, opponent=lambda *_: "fly"))


def _play_once(made: AxiomEnv) -> None:
    made.reset(seed=1)
    made.step(WALK)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"opponent": "greedy"}, UnknownOpponentError, "unknown opponent 'greedy'"),
        ({"opponent": 3}, ConfigError, 'an opponent is "random", or a callable'),
        ({"seat": 2}, ConfigError, "must be an integer from 0 to 1, got 2"),
        ({"render_mode": "human"}, UnknownNameError, "unknown render mode 'human'"),
        ({"gaol": 3}, UnknownNameError, "unknown option of race 'gaol'"),
        ({"players": ["ann"]}, ConfigError, "players must be an integer from 2 to 4"),
    ],
)
def test_object_env__refuses_what_does_not_fit(
    race: ModuleType, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        object_env(race.Race, **options)


def test_object_env__renders_as_text(heap: ModuleType) -> None:
    made = object_env(heap.Heap, render_mode="ansi", low=5, high=5)
    made.reset(seed=1)
    assert made.render() == "(5, 0, 0)"


# -- vectors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_vector_env__plays_as_single_ones_do(race: ModuleType, mode: str) -> None:
    vector = AxiomVectorEnv(f"{race.__file__}:Race", 3, autoreset_mode=mode, players=3)
    singles = [AxiomEnv(race.Race, players=3) for _ in range(3)]
    seen, _ = vector.reset(seed=5)
    for i, single in enumerate(singles):
        assert np.array_equal(single.reset(seed=5 + i)[0], seen[i])
    running = [True] * 3
    for _ in range(12):
        seen, rewards, ended, _, _ = vector.step(np.full(3, ROLL))
        for i, single in enumerate(singles):
            if running[i]:
                own, reward, over, _, _ = single.step(ROLL)
                assert (reward, over) == (rewards[i], ended[i])
                assert over or np.array_equal(own, seen[i])
                running[i] = not over
    assert not any(running)


def test_vec_env__of_stable_baselines_has_rows_for_all_seats(race: ModuleType) -> None:
    made = make_vec_env(race.Race, 3, self_play_games=2, seed=0, players=3)
    assert isinstance(made, VecEnv)
    seen = made.reset()
    assert seen.shape == (3, *made.observation_space.shape)
    ends = 0
    for _ in range(60):
        masks = made.action_masks()
        made.step_async(masks.argmax(axis=1))
        _, _, dones, infos = made.step_wait()
        ends += int(dones.sum())
        assert all("episode" in info for info, done in zip(infos, dones, strict=True) if done)
    assert ends > 3


def test_state__is_saved_and_restored(heap: ModuleType) -> None:
    one, other = AxiomEnv(heap.Heap, seat="random"), AxiomEnv(heap.Heap, seat="random")
    one.reset(seed=3)
    one.step(TAKE)
    other.set_state(one.get_state())
    for _ in range(20):
        number = int(one.action_masks()[TAKE])
        results = [made.step(number) for made in (one, other)]
        assert np.array_equal(results[0][0], results[1][0])
        assert results[0][1:4] == results[1][1:4]
        if results[0][2]:
            break
    assert results[0][2]
