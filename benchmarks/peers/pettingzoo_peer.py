"""PettingZoo's own Connect Four in its official loop, bare and behind its standard wrappers."""

from __future__ import annotations

from contestants import SAMPLERS, Contestant, play_aec, timed
from pettingzoo.classic.connect_four import connect_four


def contestants(num_envs: int, seconds: float) -> list[Contestant]:
    """Return `raw_env`, and `env`, which users of PettingZoo get."""
    made = {"raw_env": connect_four.raw_env(), "env": connect_four.env()}
    return [
        timed(f"PettingZoo, {form}, {name}", play_aec(env, sample), seconds)
        for form, env in made.items()
        for name, sample in SAMPLERS.items()
    ]
