from __future__ import annotations

from importlib.metadata import entry_points, version
from pathlib import Path

import gymnasium
import pytest

import axiom_gym
from axiom_gym.registry import game_ids, gymnasium_id


def test_version__is_that_of_the_distribution() -> None:
    assert axiom_gym.__version__ == version("axiom-gym")


def test_import__registers_every_game_with_gymnasium() -> None:
    assert game_ids()
    for game_id in game_ids():
        spec = gymnasium.registry[gymnasium_id(game_id)]
        assert spec.kwargs == {"game": game_id}
        assert spec.vector_entry_point is not None


def test_register_all__may_be_called_again() -> None:
    before = dict(gymnasium.registry)
    axiom_gym.register_all()
    assert gymnasium.registry == before


def test_entry_points__are_where_the_distribution_says() -> None:
    for group in ("axiom_gym.games", "axiom_gym.policies", "axiom_gym.commands"):
        assert entry_points(group=group), group
    (script,) = entry_points(group="console_scripts", name="axiom-gym")
    assert callable(script.load())


def test_submodules__are_attributes_and_are_listed() -> None:
    folders = {path.parent.name for path in Path(axiom_gym.__file__).parent.glob("*/__init__.py")}
    assert folders - {"commands"} <= set(dir(axiom_gym))
    assert dir(axiom_gym.adapters) == ["gymnasium", "openspiel", "pettingzoo", "rllib", "sb3"]
    for name in dir(axiom_gym):
        assert getattr(axiom_gym, name), name


def test_submodules__have_no_others() -> None:
    with pytest.raises(AttributeError, match="module 'axiom_gym' has no attribute 'nonsense'"):
        _ = axiom_gym.nonsense
    with pytest.raises(AttributeError, match=r"'axiom_gym\.adapters' has no attribute 'nonsense'"):
        _ = axiom_gym.adapters.nonsense
