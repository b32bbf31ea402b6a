"""Gymnasium: the native vector environment.

It is single-agent: the learner sits at one seat, opponents at the others (see
`axiom_gym.opponents`).

Axis letters: B games, K orders, N choices per order, J joint actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from axiom_gym.adapters.spaces import (
    action_space,
    batch_space,
    joint_actions,
    observation_space,
)
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_faults
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.seating import make_seating
from axiom_gym.render import RENDER_MODES, check_render_mode, render_modes, render_state

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

METADATA = {"render_modes": RENDER_MODES, "render_fps": 4}


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The enum of a mode that may be given as its name or value."""
    for known, name in _MODES.items():
        if mode in (known, known.value, name) or (
            isinstance(mode, str) and mode.upper() == known.name
        ):
            return known
    names = ", ".join(known.name for known in _MODES)
    raise ConfigError(f"autoreset_mode must be one of {names}, got {mode!r}.")


class AxiomVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """B games of one kind, stepped together by compiled code.

    Where the rules let players drop out, the episode is terminated in the step in which the learner
    does, and the others' game is not played to its end.

    Infos hold, for all games: `action_mask`, int8, (B, K, N), or (B, N) for a Discrete action, (B,
    J) for joint ones; `illegal_action`, bool, (B,), whether the learner's last orders held an
    illegal one. For games whose episode ended in this step: `episode_return` float32 (B,) and
    `episode_length` int32 (B,), with the masks `_episode_return` and `_episode_length`; where rules
    could not be computed, which truncates an episode, also `fault`, (B,) object, a text or None,
    with the mask `_fault`; in mode SAME_STEP also `final_obs` and `final_info`, as Gymnasium's own
    vector environments give them.
    """

    def __init__(
        self,
        game: str | KernelGame,
        num_envs: int = 1,
        *,
        opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
        seat: int | str = 0,
        actions: str = "orders",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        on_illegal: str = "noop",
        max_turns: int = 0,
        num_threads: int = 1,
        copy: bool = True,
        preset: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Builds the environment; the kernel is compiled, or loaded from disk, at the first reset.

        Args:
            game: the game's name, such as "quantaris".
            num_envs: B.
            opponent: who plays the other seats: "random", a bot's name, a callable, a saved model's
                path, a pool or a list.
            seat: the learner's seat, or "random" to draw one for each episode.
            actions: "orders" for one entry per order, "joint" for one Discrete action.
            autoreset_mode: a `gymnasium.vector.AutoresetMode` or its name.
            on_illegal: "noop", "forfeit" or "raise"; see `axiom_gym.batch.Batch`.
            max_turns: truncates an episode after so many turns; 0 for no limit but the rules' own.
            num_threads: threads that share a step.
            copy: False hands out the environment's own buffers where it can; they change with the
                next step.
            preset: a named configuration of the game.
            render_mode: None, "ansi" or "rgb_array".
            **options: the game's own options.

        Raises:
            ConfigError: for any value that is not allowed, with the valid ones.
        """
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.render_mode = check_render_mode(render_mode)
        self.batch = Batch(
            game,
            num_envs,
            preset=preset,
            autoreset=_MODES[self.autoreset_mode],
            on_illegal=on_illegal,
            max_turns=max_turns,
            num_threads=num_threads,
            **options,
        )
        self.seating = make_seating(self.batch, opponent, seat)
        modes = render_modes(self.batch.game)
        self.metadata = {**METADATA, "render_modes": modes, "autoreset_mode": self.autoreset_mode}
        self.num_envs = self.batch.num_envs
        self.copy = copy
        self._joint = joint_actions(self.batch.layout, actions)
        self._single_order = len(self.batch.layout.num_choices) == 1
        self._set_spaces()

    def _set_spaces(self) -> None:
        """The spaces of one game and of all, and the shape that actions must have."""
        layout = self.batch.layout
        self.single_observation_space = observation_space(layout)
        self.single_action_space = action_space(layout, self._joint)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        is_discrete = self._joint is not None or self._single_order
        orders = () if is_discrete else (len(layout.num_choices),)
        self._action_shape = (self.num_envs, *orders)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts new episodes.

        Args:
            seed: s gives game i the seed s + i; a sequence gives each game its own; None goes on.
            options: `{"reset_mask": (B,) bool}` resets these games only. Other keys are refused.

        Returns:
            Observations (B, *shape) float32, and infos.
        """
        self._check_open()
        chosen = dict(options or {})
        which = chosen.pop("reset_mask", None)
        if chosen:
            raise ConfigError(f"unknown reset options {sorted(chosen)}; valid: ['reset_mask'].")
        if which is not None and isinstance(which, np.ndarray) and not which.any():
            raise ConfigError("the reset mask selects no game; it needs at least one True.")
        self.seating.reset(seed, which)
        return self._observations(), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """One turn in every game.

        Args:
            actions: whole numbers, (B, K), or (B,) for a Discrete action.

        Returns:
            Observations, rewards (B,) float32, terminations and truncations (B,) bool, infos.

        Raises:
            ActionError: for another shape or dtype.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of an episode without
            autoreset.
        """
        self._check_open()
        self.seating.step(self._orders(self.batch.check_actions(actions, self._action_shape)))
        buffers = self.batch.buffers
        rewards = self.seating.final(buffers.rewards)
        return (
            self._observations(),
            rewards,
            buffers.terminated.copy(),
            buffers.truncated.copy(),
            self._step_infos(),
        )

    def _orders(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """(B, K) from actions in the environment's form."""
        if self._joint is not None:
            return self._joint.orders(actions)
        return actions[:, None] if self._single_order else actions

    def _observations(self) -> npt.NDArray[np.float32]:
        take = self.seating.select if self.copy else self.seating.view
        return take(self.batch.buffers.observations)

    def _masks(self, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Masks (B, K, N) in the environment's form."""
        if self._joint is not None:
            return self._joint.masks(masks)
        return masks[:, 0] if self._single_order else masks

    def _infos(self) -> dict[str, Any]:
        take = self.seating.select if self.copy else self.seating.view
        masks = self._masks(take(self.batch.buffers.masks))
        return {"action_mask": masks, "illegal_action": self.seating.illegal()}

    def _step_infos(self) -> dict[str, Any]:
        infos = self._infos()
        done = self.batch.buffers.terminated | self.batch.buffers.truncated
        if not done.any():
            return infos
        episodes = self.batch.buffers.episodes
        returns = self.seating.final(episodes["final_returns"])
        infos["episode_return"] = np.where(done, returns, np.float32(0))
        lengths = self.seating.final_lengths()
        infos["episode_length"] = np.where(done, lengths, 0).astype(np.int32)
        infos["_episode_return"] = done
        infos["_episode_length"] = done
        faults = describe_faults(self.batch)
        if faults is not None:
            infos["fault"], infos["_fault"] = faults, episodes["fault"] != 0
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_final(infos, done)
        return infos

    def _add_final(self, infos: dict[str, Any], done: npt.NDArray[np.bool_]) -> None:
        """What the learner saw at the end of the episodes that ended."""
        seen = self.seating.final(self.batch.buffers.final_observations)
        final = np.empty(self.num_envs, dtype=object)
        for game in np.flatnonzero(done).tolist():
            final[game] = seen[game].copy()
        infos["final_obs"], infos["_final_obs"] = final, done
        keys = ("episode_return", "episode_length", "illegal_action")
        inner = {key: infos[key] for key in keys}
        inner.update({f"_{key}": done for key in keys})
        if "fault" in infos:
            inner["fault"], inner["_fault"] = infos["fault"], infos["_fault"]
        infos["final_info"], infos["_final_info"] = inner, done

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(B, sum of choices) bool, 1 = legal, as sb3-contrib wants it; (B, J) for joint ones."""
        masks = self._masks(self.seating.select(self.batch.buffers.masks))
        if masks.ndim == 3:
            masks = np.concatenate(
                [masks[:, k, :n] for k, n in enumerate(self.batch.layout.num_choices)], axis=1
            )
        return masks.astype(np.bool_)

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Random legal actions of the learner in the environment's form, drawn by compiled code."""
        self.batch.act("random", self.seating.learner_seats(), 1)
        orders = self.seating.select(self.batch.buffers.actions)
        if self._joint is not None:
            return self._joint.index(orders)
        return orders[:, 0] if self._single_order else orders

    def get_state(self) -> dict[str, Any]:
        """All games, seats and generators, for `set_state`."""
        self._check_open()
        return self.seating.get_state()

    def set_state(self, state: dict[str, Any]) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Goes back to what `get_state` gave; returns observations and infos as `reset` does."""
        self._check_open()
        self.seating.set_state(state)
        return self._observations(), self._infos()

    def render(self) -> tuple[Any, ...] | None:
        """Each game as text or picture, by `render_mode`."""
        self._check_open()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() without a render_mode: give make_vec() 'ansi' or 'rgb_array' as one."
            )
            return None
        batch = self.batch
        return tuple(
            render_state(batch.game, state, batch.config, self.render_mode)
            for state in batch.buffers.states
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads, if there are any."""
        # Gymnasium closes an environment when it is collected, also one whose options were refused.
        if hasattr(self, "batch"):
            self.batch.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("this environment was closed; make a new one.")
