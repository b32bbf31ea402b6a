"""Gymnasium: a single environment, which is the vector environment with a batch of one.

Both are single-agent: the learner sits at one seat, opponents at the others (see
`axiom_gym.opponents`).

Axis letters: K sub-actions, N choices per sub-action, J joint actions.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from axiom_gym.adapters.gymnasium_vector import METADATA, AxiomVectorEnv
from axiom_gym.batch.faults import describe_fault
from axiom_gym.errors import ConfigError, ResetNeededError, StateError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.rows import Rows
from axiom_gym.render import check_render_mode, render_state

__all__ = ["AxiomEnv", "AxiomVectorEnv", "object_env"]


class AxiomEnv(gymnasium.Env[npt.NDArray[np.float32], Any]):
    """One game, the learner against opponents: a batch of one with `AxiomVectorEnv`'s options.

    `info["action_mask"]` is a fresh int8 array, (K, N), or (N,) for a Discrete action, (J,) for
    joint ones. `info["fault"]`, a text, is there where the rules could not be computed, which
    truncates the episode.
    """

    metadata = METADATA

    def __init__(self, game: GameLike, *, render_mode: str | None = None, **options: Any) -> None:
        """Takes the options of `AxiomVectorEnv`, less those that only a batch has.

        Raises:
            ConfigError: for any value that is not allowed, with the valid ones.
        """
        for name in ("num_envs", "autoreset_mode", "num_threads", "copy"):
            if name in options:
                raise ConfigError(
                    f"a single environment has no option {name!r}; use gymnasium.make_vec()."
                )
        self.render_mode = check_render_mode(render_mode)
        self._vector = AxiomVectorEnv(game, 1, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.metadata = {**METADATA, "render_modes": self._vector.metadata["render_modes"]}
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.batch = self._vector.batch
        self._seating = self._vector.seating
        self._form = self._vector.form
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts an episode; without a seed the generators go on from where they are."""
        super().reset(seed=seed)
        if options:
            raise ConfigError(
                f"unknown reset options {sorted(options)}; there are none for a single environment."
            )
        self._check_open()
        rows = self._seating.reset(seed)
        self._over = False
        return rows.observations[0].copy(), self._info(rows, False)

    def step(
        self, action: Any
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One turn. action: integers, (K,), or a single one for a Discrete action.

        Raises:
            ActionError: for another shape or dtype.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if self._over:
            self._check_open()
            raise ResetNeededError("there is no episode to step: call reset() first.")
        array = self.batch.check_actions(action, self._form.shape)
        rows = self._seating.step(self._form.sub_actions(array[None]))
        terminated, truncated = rows.terminated.item(0), rows.truncated.item(0)
        self._over = terminated or truncated
        info = self._info(rows, self._over)
        return rows.observations[0].copy(), rows.rewards.item(0), terminated, truncated, info

    def _info(self, rows: Rows, over: bool) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._form.masks(rows.masks.copy())[0],
            "illegal_action": rows.illegal.item(0) != 0,
        }
        if over:
            ends = self._seating.find_ends(np.ones(1, np.bool_))
            info["episode_return"] = ends.returns.item()
            info["episode_length"] = ends.lengths.item()
            fault = describe_fault(self.batch)
            if fault is not None:
                info["fault"] = fault
        return info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(sum of choices,) bool, 1 = legal, as sb3-contrib wants it; (J,) for joint actions."""
        masks: npt.NDArray[np.bool_] = self._vector.action_masks()[0]
        return masks

    def get_state(self) -> dict[str, Any]:
        """The game, its seats and generators, for `set_state`."""
        self._check_open()
        return {**self._vector.get_state(), "over": self._over}

    def set_state(self, state: dict[str, Any]) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Goes back to what `get_state` gave; returns observation and info as `reset` does.

        Raises:
            StateError: if it is of another game, version or configuration, or of a vector
            environment.
        """
        self._check_open()
        if isinstance(state, dict) and "over" not in state:
            raise StateError(
                "this is no saved state of a single environment; get it from its get_state()."
            )
        rows = self._seating.set_state(state)
        self._over = bool(state["over"])
        return rows.observations[0].copy(), self._info(rows, self._over)

    def render(self) -> Any:
        """The game as text or picture, by `render_mode`."""
        self._check_open()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() without a render_mode: pass render_mode='ansi' or 'rgb_array' to make()."
            )
            return None
        return render_state(
            self.batch.game, self.batch.buffers.states[0], self.batch.config, self.render_mode
        )

    def close(self) -> None:
        """Ends the environment; later calls raise `ClosedEnvironmentError`."""
        self._over = True
        self._vector.close()

    def _check_open(self) -> None:
        self._vector._check_open()


def object_env(game: GameLike, **options: Any) -> AxiomEnv:
    """A plain Python game from the seat of one player.

    Args:
        game: the rules, or what makes them.
        **options: those of `AxiomEnv`, and of `axiom_gym.adapters.plain_game.adapt_plain_game`.

    Raises:
        ConfigError: for a value that is not allowed.
        GameError: for a game whose states cannot be encoded, or actions numbered.
    """
    from axiom_gym.adapters.plain_game import adapt_plain_game

    return AxiomEnv(adapt_plain_game(game, options), **options)
