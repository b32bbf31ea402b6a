"""Registering all installed games with Gymnasium and PettingZoo, without importing them."""

from __future__ import annotations

import gymnasium

from axiom_gym.registry.games import game_ids, gymnasium_id, is_game_id

_PETTINGZOO_FORMS = {"aec": "env", "parallel": "parallel_env"}


def register_all() -> None:
    """Register each game that is not registered yet, except those whose id is malformed."""
    for game_id in filter(is_game_id, game_ids()):
        _register_with_gymnasium(game_id)
        _register_with_pettingzoo(game_id)


def _register_with_gymnasium(game_id: str) -> None:
    """Register `quantaris-v0` as `axiom/Quantaris-v0`."""
    env_id = gymnasium_id(game_id)
    if env_id not in gymnasium.registry:
        gymnasium.register(
            id=env_id,
            entry_point="axiom_gym.adapters.gymnasium:AxiomEnv",
            vector_entry_point="axiom_gym.adapters.gymnasium:AxiomVectorEnv",
            kwargs={"game": game_id},
        )


def _register_with_pettingzoo(game_id: str) -> None:
    """Register `quantaris-v0` as `axiom/quantaris-v0`, in both forms.

    Before version 1.27 PettingZoo has no registry.
    """
    try:
        from pettingzoo.env_registry import registration
    except ImportError:
        return
    registries = {"aec": registration.aec_registry, "parallel": registration.parallel_registry}
    env_id = f"axiom/{game_id}"
    for form, function in _PETTINGZOO_FORMS.items():
        if env_id not in registries[form]:
            entry_point = f"axiom_gym.adapters.pettingzoo:{function}"
            registration.register(form, env_id, entry_point, kwargs={"game": game_id})
