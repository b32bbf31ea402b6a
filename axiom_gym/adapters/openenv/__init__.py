"""Every game as an OpenEnv environment, for trainers of language models.

`python -m axiom_gym.adapters.openenv` serves all games. Needs the extra `openenv`.
"""
