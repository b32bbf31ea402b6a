"""Gymnasium's single environment, which is its vector environment with a batch of one.

Both are single-agent: the learner holds one seat, and opponents hold the others (see
`axiom_gym.opponents`).

Axis letters: K sub-actions, N choices per sub-action, J joint actions.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from axiom_gym.adapters.gymnasium_vector import METADATA, AxiomVectorEnv
from axiom_gym.adapters.illegal import warn_illegal
from axiom_gym.adapters.spaces import Bools
from axiom_gym.batch.faults import describe_fault
from axiom_gym.errors import ConfigError, ResetNeededError, StateError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.rows import Rows

__all__ = ["AxiomEnv", "AxiomVectorEnv", "object_env"]


class AxiomEnv(gymnasium.Env[Any, Any]):
    """One game between the learner and opponents, as a Gymnasium environment.

    An info always has these entries:

    - `action_mask`: a new int8 array of shape (K, N), (N,) for a Discrete action, or (J,) for joint
      actions;
    - `illegal_action`: a bool, True if the last action had an illegal sub-action;
    - `episode_return`: a float32, and `episode_length`: an int32, of the episode so far.

    `fault`, a text, is there only if the rules could not compute the turn, which truncates the
    episode; `score`, a float32, only at the end of an episode of a game with a score.
    """

    metadata = METADATA

    def __init__(self, game: GameLike, *, render_mode: str | None = None, **options: Any) -> None:
        """Build the environment.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            render_mode: None, "ansi" or "rgb_array".
            **options: the options of `AxiomVectorEnv`, except those that only a batch has.

        Raises:
            UnknownOptionError: for an option that does not exist; it is also a TypeError.
            ConfigError: for a value that is not allowed; the message has the allowed ones.
        """
        for name in ("num_envs", "autoreset_mode", "num_threads", "copy"):
            if name in options:
                raise ConfigError(
                    f"a single environment has no option {name!r}; use gymnasium.make_vec()."
                )
        options["render_mode"] = self.render_mode = render_mode
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
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: the seed of the episode; None continues with the generators as they are.
            options: must be empty.
        """
        super().reset(seed=seed)
        if options:
            raise ConfigError(
                f"unknown reset options {sorted(options)}; there are none for a single environment."
            )
        self._check_open()
        rows = self._seating.reset(seed)
        self._over = False
        return self._show(rows), self._info(rows, False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one turn. action: integers (K,), or one integer for a Discrete action.

        Raises:
            ActionError: for another shape or dtype, or an action outside of the action space.
            IllegalActionError: for an illegal action with the policy "raise"; nothing is changed.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if self._over:
            self._check_open()
            raise ResetNeededError("there is no episode to step: call reset() first.")
        sub_actions = self._form.read("the learner", action)
        rows = self._seating.step(np.array([sub_actions], np.int64))
        terminated, truncated = rows.terminated.item(0), rows.truncated.item(0)
        self._over = terminated or truncated
        info = self._info(rows, self._over)
        return self._show(rows), rows.rewards.item(0), terminated, truncated, info

    def _info(self, rows: Rows, over: bool) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._form.masks(rows.masks.copy())[0],
            "illegal_action": np.bool_(rows.illegal.item(0)),
            # Before the learner's first step there may be rewards that the step will pay.
            "episode_return": rows.returns[0] if rows.lengths.item(0) else np.float32(0),
            "episode_length": rows.lengths[0],
        }
        if info["illegal_action"]:
            warn_illegal(self.batch.on_illegal, stacklevel=4)
        fault = describe_fault(self.batch) if over else None
        if fault is not None:
            info["fault"] = fault
        if over and self.batch.game.has_score:
            info["score"] = self.batch.outcomes()[0, rows.seats.item(0)]
        return info

    def _show(self, rows: Rows) -> Any:
        seen = self._vector.views.show(rows.observations, rows.masks)
        if isinstance(seen, dict):
            return {key: array[0].copy() for key, array in seen.items()}
        return seen[0].copy()

    def action_masks(self) -> Bools:
        """Return the flat mask, True = legal, as sb3-contrib expects it.

        Its shape is (sum of all sub-actions' choices,), or (J,) for joint actions.
        """
        masks: Bools = self._vector.action_masks()[0]
        return masks

    def sample_action(self) -> Any:
        """Return a random legal action of the learner, drawn by compiled code."""
        return self._vector.sample_actions()[0]

    def get_state(self) -> dict[str, Any]:
        """Return the state of the game, its seats and generators, for `set_state`."""
        self._check_open()
        return {**self._vector.get_state(), "over": self._over}

    def set_state(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Restore a state that `get_state` returned; return observation and info as `reset` does.

        Raises:
            StateError: if it is of another game, version or configuration, or of a vector
                environment.
        """
        self._check_open()
        if isinstance(state, dict) and "over" not in state:
            raise StateError(
                "this is not a saved state of a single environment; get it from its get_state()."
            )
        rows = self._seating.set_state(state)
        self._over = bool(state["over"])
        return self._show(rows), self._info(rows, self._over)

    def render(self) -> Any:
        """Return the game as text or picture, by `render_mode`."""
        drawn = self._vector.render()
        return None if drawn is None else drawn[0]

    def close(self) -> None:
        """Close the environment; later calls raise `ClosedEnvironmentError`."""
        self._over = True
        self._vector.close()

    def _check_open(self) -> None:
        self._vector._check_open()


def object_env(game: GameLike, **options: Any) -> AxiomEnv:
    """Return a single environment of a plain Python game.

    Args:
        game: the game, or its class.
        **options: those of `AxiomEnv` and of `axiom_gym.adapters.plain_game.adapt_plain_game`.

    Raises:
        ConfigError: for a value that is not allowed.
        GameError: if the game's states cannot be encoded, or its actions cannot be numbered.
    """
    from axiom_gym.adapters.plain_game import adapt_plain_game

    return AxiomEnv(adapt_plain_game(game, options), **options)
