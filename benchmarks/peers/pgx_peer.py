"""Pgx's Connect Four, jitted for the CPU over a batch with automatic resets, as its documents do.

A state of Pgx holds observation, mask, rewards and flags, and all of it is carried along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from contestants import Contestant, timed
from pgx.experimental.wrappers import auto_reset

STEPS = 100
"""Steps in one call, where the loop is inside."""


def draw(key: Any, masks: Any) -> Any:
    """Return (B,) random legal actions, drawn as in Pgx's documentation. masks: (B, 7)."""
    return jax.random.categorical(key, jnp.where(masks, 0.0, -jnp.inf), axis=1)


def pick_without_chance(number: Any, masks: Any) -> Any:
    """Return (B,) legal actions that cost almost nothing and vary. masks: (B, 7)."""
    wanted = (number * 5 + jnp.arange(masks.shape[0]) * 3) % masks.sum(axis=1)
    return jnp.argmax(jnp.cumsum(masks, axis=1) > wanted[:, None], axis=1)


class Games:
    """A batch of games with the jitted functions that play it."""

    def __init__(self, num_envs: int) -> None:
        env = pgx.make("connect_four")
        self.num_envs = num_envs
        self.step_games = jax.vmap(auto_reset(env.step, env.init))
        self.keys = jax.random.split(jax.random.PRNGKey(0), num_envs)
        self.state = jax.jit(jax.vmap(env.init))(self.keys)
        self.key = jax.random.PRNGKey(1)

    def _step(self, state: Any, key: Any) -> tuple[Any, None]:
        for_actions, for_games = jax.random.split(key)
        actions = draw(for_actions, state.legal_action_mask)
        keys = jax.random.split(for_games, self.num_envs)
        return self.step_games(state, actions, keys), None

    def _step_without_chance(self, state: Any, number: Any) -> tuple[Any, None]:
        actions = pick_without_chance(number, state.legal_action_mask)
        return self.step_games(state, actions, self.keys), None

    def play_inside(self) -> Callable[[], int]:
        """Play with the loop over steps compiled too."""
        run = jax.jit(lambda state, keys: jax.lax.scan(self._step, state, keys)[0])

        def play() -> int:
            self.key, key = jax.random.split(self.key)
            self.state = run(self.state, jax.random.split(key, STEPS))
            self.state.observation.block_until_ready()
            return STEPS * self.num_envs

        return play

    def play_without_chance(self) -> Callable[[], int]:
        """Play without random numbers, which the rules hardly need."""
        numbers = jnp.arange(STEPS)
        run = jax.jit(lambda state: jax.lax.scan(self._step_without_chance, state, numbers)[0])

        def play() -> int:
            self.state = run(self.state)
            self.state.observation.block_until_ready()
            return STEPS * self.num_envs

        return play

    def play_outside(self) -> Callable[[], int]:
        """Play with one call from Python for each step of the batch."""
        step = jax.jit(lambda state, key: self._step(state, key)[0])

        def play() -> int:
            self.key, key = jax.random.split(self.key)
            self.state = step(self.state, key)
            self.state.observation.block_until_ready()
            return self.num_envs

        return play


def contestants(num_envs: int, seconds: float) -> list[Contestant]:
    """Return contestants with the loop inside jit, in Python, and without random numbers."""
    made = Games(num_envs)
    return [
        timed("Pgx, loop inside jit", made.play_inside(), seconds),
        timed("Pgx, loop inside jit, no random numbers", made.play_without_chance(), seconds),
        timed("Pgx, loop in Python", made.play_outside(), seconds),
    ]
