from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType

import gymnasium
import pettingzoo
import pytest
from pettingzoo.env_registry import registration

import axiom_gym
from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv
from axiom_gym.errors import IncompatibleGameError
from axiom_gym.registry import game_ids, get_game, gymnasium_id, register
from axiom_gym.registry import games as registry
from axiom_gym.registry.games import _registered


@pytest.mark.parametrize("game_id", game_ids())
def test_games__are_known_to_gymnasium_and_pettingzoo(game_id: str) -> None:
    assert type(gymnasium.make(gymnasium_id(game_id)).unwrapped) is AxiomEnv
    assert type(gymnasium.make_vec(gymnasium_id(game_id), num_envs=2)) is AxiomVectorEnv
    name = f"axiom/{game_id}"
    if get_game(game_id).is_sequential:
        assert type(pettingzoo.make("aec", name)) is AxiomAECEnv
        with pytest.raises(IncompatibleGameError, match=r"is sequential: .*Use the AEC form, env"):
            pettingzoo.make("parallel", name)
    else:
        assert type(pettingzoo.make("parallel", name)) is AxiomParallelEnv
        assert type(pettingzoo.make("aec", name)) is AxiomAECEnv


def test_pettingzoo_make__passes_options_on() -> None:
    env = pettingzoo.make("parallel", "axiom/quantaris-v0", max_cycles=7, preset="v0.1")
    assert env.batch.max_turns == 7
    assert env.batch.config.ruleset == "0.1"


def test_register_all__can_be_called_again() -> None:
    before = dict(gymnasium.registry), dict(registration.aec_registry)
    axiom_gym.register_all()
    assert (gymnasium.registry, registration.aec_registry) == before


def test_register_all__finds_games_of_this_process(pennies: ModuleType) -> None:
    game_id = register(pennies.GAME)
    try:
        axiom_gym.register_all()
        single = gymnasium.make(gymnasium_id(game_id)).unwrapped
        assert isinstance(single, AxiomEnv)
        assert single.batch.game is pennies.GAME
        assert pettingzoo.make("aec", f"axiom/{game_id}").batch.game is pennies.GAME
    finally:
        _registered.pop(game_id)
        gymnasium.registry.pop(gymnasium_id(game_id), None)
        registration.aec_registry.pop(f"axiom/{game_id}", None)
        registration.parallel_registry.pop(f"axiom/{game_id}", None)


def test_register_all__leaves_out_malformed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_installed", lambda: {"no game": "", "broken": "nowhere:GAME"})
    before = dict(gymnasium.registry), dict(registration.aec_registry)
    axiom_gym.register_all()
    assert (gymnasium.registry, registration.aec_registry) == before


def test_import__neither_compiles_nor_loads_a_game(python: Callable[..., str]) -> None:
    code = """
import sys, json, axiom_gym
heavy = ("numba", "torch", "stable_baselines3", "axiom_envs", "axiom_training", "matplotlib")
print(json.dumps(sorted(name for name in heavy if name in sys.modules)))
"""
    assert json.loads(python(code)) == []


def test_import__does_without_pettingzoos_registry(python: Callable[..., str]) -> None:
    """PettingZoo before 1.27 has no registry."""
    code = """
import sys
sys.modules["pettingzoo.env_registry"] = None
import axiom_gym, gymnasium
print("axiom/Quantaris-v0" in gymnasium.registry)
"""
    assert python(code).strip() == "True"
