"""Games in OpenSpiel, and Connect Four against OpenSpiel's own; all need the extra `openspiel`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra 'openspiel'")

from axiom_gym.adapters import openspiel  # noqa: E402  # after the check for pyspiel
from axiom_gym.errors import IllegalActionError  # noqa: E402


@pytest.fixture
def four() -> Any:
    return pyspiel.load_game(openspiel.register("connect_four"))


def play_randomly(state: Any, rng: np.random.Generator) -> Any:
    """Play to the end and return the last state."""
    while not state.is_terminal():
        if state.is_simultaneous_node():
            players = range(state.num_players())
            state.apply_actions([int(rng.choice(state.legal_actions(p))) for p in players])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def test_connect_four__is_openspiels_own(four: Any) -> None:
    own, rng = pyspiel.load_game("connect_four"), np.random.default_rng(1)
    ends = set()
    for _ in range(50):
        ours, theirs = four.new_initial_state(), own.new_initial_state()
        while not theirs.is_terminal():
            assert ours.current_player() == theirs.current_player()
            assert ours.legal_actions() == theirs.legal_actions()
            action = int(rng.choice(theirs.legal_actions()))
            ours.apply_action(action)
            theirs.apply_action(action)
        assert ours.is_terminal()
        assert ours.returns() == theirs.returns()
        ends.add(tuple(ours.returns()))
    assert len(ends) > 1
    assert (four.num_distinct_actions(), four.max_game_length()) == (7, 42)
    assert (four.min_utility(), four.max_utility(), four.utility_sum()) == (-1, 1, 0)


GAMES: dict[str, dict[str, Any]] = {
    "raft": {"danger": 70},
    "pennies": {},
    "brawl": {"players": 3},
    "climb": {},
    "tally": {},
}


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test__passes(request: pytest.FixtureRequest, name: str) -> None:
    """OpenSpiel's own test, with serialization, which it knows only for games without chance."""
    game = pyspiel.load_game(openspiel.register(request.getfixturevalue(name).GAME, **GAMES[name]))
    chance = game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    pyspiel.random_sim_test(game, num_sims=2, serialize=not chance, verbose=False)


def test_random_sim_test__passes_for_a_plain_game(race: ModuleType) -> None:
    game = pyspiel.load_game(openspiel.register(race.Race, short_name="axiom_test_race"))
    assert game.get_type().short_name == "axiom_test_race"
    chance = game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    pyspiel.random_sim_test(game, num_sims=2, serialize=not chance, verbose=False)


def test_mcts__beats_random_play(four: Any) -> None:
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    bot = mcts.MCTSBot(four, uct_c=2, max_simulations=60, evaluator=evaluator, random_state=rng)
    won = 0
    for _ in range(6):
        state = four.new_initial_state()
        while not state.is_terminal():
            ours = state.current_player() == 0
            state.apply_action(bot.step(state) if ours else int(rng.choice(state.legal_actions())))
        won += state.returns()[0] == 1
    assert won >= 5


@pytest.mark.parametrize("name", ["raft", "brawl"])
def test_serialize__copies_the_state_with_its_generator(
    request: pytest.FixtureRequest, name: str
) -> None:
    game = pyspiel.load_game(openspiel.register(request.getfixturevalue(name).GAME, **GAMES[name]))
    state = game.new_initial_state()
    copies = [state.clone(), game.deserialize_state(state.serialize())]
    assert [str(one) for one in copies] == [str(state)] * 2
    expected = play_randomly(state, np.random.default_rng(3))
    for one in copies:
        assert not one.is_terminal()
        other = play_randomly(one, np.random.default_rng(3))
        assert (str(other), other.returns()) == (str(expected), expected.returns())
        assert other.history() == expected.history()


def test_initial_states__have_their_own_seeds(raft: ModuleType) -> None:
    name = openspiel.register(raft.GAME, danger=70)
    game = pyspiel.load_game(name, {"seed": 7})
    lone = pyspiel.load_game(name, {"seed": 8})
    first, second, other = game.new_initial_state(), game.new_initial_state(), None
    for state in (first, second):
        state.clone()  # makes an initial state inside of OpenSpiel, which takes no seed
    other = lone.new_initial_state()
    ends = [str(play_randomly(s, np.random.default_rng(3))) for s in (first, second, other)]
    assert ends[1] == ends[2] != ends[0]


def test_simultaneous_game__is_played_in_turns(raft: ModuleType) -> None:
    name = openspiel.register(raft.GAME, danger=70)
    game = pyspiel.load_game_as_turn_based(name)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    state = play_randomly(game.new_initial_state(), np.random.default_rng(1))
    assert len(state.returns()) == 3


def test_observations__are_those_of_the_kernel(four: Any) -> None:
    observation = pytest.importorskip("open_spiel.python.observation")
    state = four.new_initial_state()
    for action in (3, 3, 2):
        state.apply_action(action)
    table = openspiel.find_table("axiom_connect_four")
    for player in range(2):
        seen = table.observe(state.position.saved, player)
        view = observation.make_observation(four)
        view.set_from(state, player)
        assert view.tensor.tolist() == seen.ravel().tolist()
        assert view.dict["observation"].shape == seen.shape
        assert state.observation_tensor(player) == seen.ravel().tolist()
    assert state.information_state_string(0) == state.history_str() == "3, 3, 2"
    assert state.action_to_string(0, 4).startswith("4: ")
    assert len({state.action_to_string(0, a) for a in state.legal_actions()}) == 7


def test_rl_environment__plays_a_game(four: Any) -> None:
    environments = pytest.importorskip("open_spiel.python.rl_environment")
    env = environments.Environment(four)
    step, rng = env.reset(), np.random.default_rng(1)
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = env.step([int(rng.choice(legal))])
    assert sorted(step.rewards) in ([-1, 1], [0, 0])


def test_illegal_action__is_refused(four: Any) -> None:
    state = four.new_initial_state()
    for _ in range(6):
        state.apply_action(0)
    with pytest.raises((IllegalActionError, pyspiel.SpielError)):
        state.apply_action(0)
