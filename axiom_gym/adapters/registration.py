"""Makes every installed game known to Gymnasium and PettingZoo, as strings: nothing of a game is imported here."""

from __future__ import annotations

import gymnasium

from axiom_gym.registry import game_ids, gymnasium_id


def register_all() -> None:
    """Registers each game that is not registered yet."""
    for game_id in game_ids():
        env_id = gymnasium_id(game_id)
        if env_id not in gymnasium.registry:
            gymnasium.register(
                id=env_id,
                entry_point="axiom_gym.adapters.gymnasium:AxiomEnv",
                vector_entry_point="axiom_gym.adapters.gymnasium:AxiomVectorEnv",
                kwargs={"game": game_id},
            )
