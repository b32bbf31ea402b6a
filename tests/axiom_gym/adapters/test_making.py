"""`axiom_gym.make` and `make_vec`, at run time and as type checkers see them."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import pytest

import axiom_gym
from axiom_gym.adapters import making
from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.errors import ConfigError, UnknownNameError, UnknownOptionError

RACE = Path(__file__).parents[2] / "games" / "race_game.py"

PROGRAM = """
import axiom_gym

env = axiom_gym.make("quantaris", opponent="greedy", max_turns=9, options={"ruleset": "0.1"})
envs = axiom_gym.make_vec("quantaris", 4, opponent=["greedy", "random"], autoreset_mode="same_step")
reveal_type(env)
reveal_type(envs)
actions = envs.sample_actions().shape
axiom_gym.make("quantaris", oppponent="greedy")
axiom_gym.make("quantaris", ruleset="0.1")
axiom_gym.make("quantaris", on_illegal="ignore")
axiom_gym.make("quantaris", num_threads=2)
axiom_gym.make_vec("quantaris", 4, autoreset="same_step")
"""

ERRORS = {
    9: 'Unexpected keyword argument "oppponent" for "make"; did you mean "opponent"?',
    10: 'Unexpected keyword argument "ruleset" for "make"',
    11: 'Argument "on_illegal" to "make" has incompatible type',
    12: 'Unexpected keyword argument "num_threads" for "make"',
    13: 'Unexpected keyword argument "autoreset" for "make_vec"',
}
"""The errors of the program by line."""


@pytest.mark.slow
def test_type_checkers__know_the_classes_and_refuse_wrong_names(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", str(path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = process.stdout.splitlines()
    shown = [line.partition("Revealed type is ")[2].strip('"') for line in lines if "Reve" in line]
    assert shown == [f"{one.__module__}.{one.__name__}" for one in (AxiomEnv, AxiomVectorEnv)]
    found = {int(line.split(":")[1]): line for line in lines if ": error:" in line}
    assert list(found) == list(ERRORS), process.stdout
    assert [line for line, error in ERRORS.items() if error not in found[line]] == []


def test_make__gives_the_environments_with_their_options(pennies: ModuleType) -> None:
    for game in ("quantaris", "quantaris-v0", "axiom/Quantaris-v0"):
        env = axiom_gym.make(game, seat=1, options={"ruleset": "0.1"})
        assert type(env) is AxiomEnv
        assert env.batch.config.ruleset == "0.1"
    assert axiom_gym.make(f"{RACE}:Race", max_turns=3).batch.max_turns == 3
    envs = axiom_gym.make_vec(pennies.GAME, 3, autoreset_mode="disabled", mask_in_obs=True)
    assert type(envs) is AxiomVectorEnv
    assert envs.num_envs == 3
    assert isinstance(envs.observation_space, gymnasium.spaces.Dict)


def test_make__takes_the_class_of_a_game(race: ModuleType) -> None:
    env = axiom_gym.make(race.Race, options={"goal": 4})
    env.reset(seed=1)
    assert env.step(env.sample_action())[4]["episode_length"] == 1


def test_make__has_the_parameters_of_the_environments() -> None:
    """All but the batch's are parameters of a single environment."""
    parameters = inspect.signature(AxiomVectorEnv).parameters.values()
    named = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
    assert set(making.VecOptions.__annotations__) == named
    batch_only = {"autoreset_mode", "num_threads", "copy"}
    assert set(making.EnvOptions.__annotations__) == named - batch_only


# Unknown options


def make_sb3(game: Any, **options: Any) -> Any:
    return pytest.importorskip("axiom_gym.adapters.sb3").make_vec_env(game, **options)


MAKERS = {
    "make": axiom_gym.make,
    "make_vec": axiom_gym.make_vec,
    "gymnasium.make": gymnasium.make,
    "gymnasium.make_vec": gymnasium.make_vec,
    "sb3": make_sb3,
}


@pytest.mark.parametrize("maker", MAKERS)
def test_unknown_option__is_a_type_error_in_pythons_words(maker: str) -> None:
    game = "axiom/ConnectFour-v0"
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as given:
        MAKERS[maker](game, frameskip=4)
    assert isinstance(given.value, UnknownOptionError)
    assert isinstance(given.value, UnknownNameError)
    with pytest.raises(TypeError, match="Did you mean 'opponent'"):
        MAKERS[maker](game, oppponent="random")
    with pytest.raises(TypeError, match="Did you mean 'obs'"):
        MAKERS[maker](game, obss="planes")


def test_known_options__with_wrong_values_are_no_type_errors() -> None:
    with pytest.raises(ConfigError) as given:
        axiom_gym.make("connect_four", options={"obs": "pixels"})
    assert not isinstance(given.value, TypeError)


def test_unknown_option_error__is_made_of_one_text_and_pickled() -> None:
    full = UnknownOptionError("option of chess", "boardd", ["board"])
    assert str(full) == (
        "unexpected keyword argument 'boardd': unknown option of chess 'boardd'. "
        "Did you mean 'board'? Valid: 'board'."
    )
    for error in (full, UnknownOptionError(f"{full} was raised by gymnasium")):
        copied = pickle.loads(pickle.dumps(error))
        assert type(copied) is UnknownOptionError
        assert str(copied) == str(error)
    assert str(error) == f"{full} was raised by gymnasium"
