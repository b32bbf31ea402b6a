"""Gymnasium: the native vector environment.

It is single-agent: the learner sits at one seat, opponents at the others (see
`axiom_gym.opponents`).

Axis letters: B games, K sub-actions, N choices per sub-action, J joint actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import action_space, batch_space, observation_space
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_faults
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.rows import Ends, Rows, own
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
        game: GameLike,
        num_envs: int = 1,
        *,
        opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
        seat: int | str = 0,
        actions: str = "sub_actions",
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
            game: the game's name, such as "quantaris", or the game itself; see `GameLike`.
            num_envs: B.
            opponent: a bot's name, a callable, a model's path, a pool or a list; the other seats'.
            seat: the learner's seat, or "random" to draw one for each episode.
            actions: "sub_actions" for one entry per sub-action, "joint" for one Discrete action.
            autoreset_mode: a `gymnasium.vector.AutoresetMode` or its name.
            on_illegal: "noop", "forfeit" or "raise"; see `axiom_gym.batch.Batch`.
            max_turns: truncates an episode after so many turns; 0 for no limit but the rules' own.
            num_threads: threads that share a step.
            copy: False hands out own buffers where it can; they change with the next step.
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
        self.form = ActionForm(self.batch.layout, actions)
        self._action_shape = (self.num_envs, *self.form.shape)
        self.single_observation_space = observation_space(self.batch.layout)
        self.single_action_space = action_space(self.form)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

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
        rows = self.seating.reset(seed, which)
        return self._hand_out(rows.observations), self._infos(rows)

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
            actions: integers, (B, K), or (B,) for a Discrete action.

        Returns:
            Observations, rewards (B,) float32, terminations and truncations (B,) bool, infos.

        Raises:
            ActionError: for another shape or dtype.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of an episode without
            autoreset.
        """
        self._check_open()
        sub_actions = self.form.sub_actions(self.batch.check_actions(actions, self._action_shape))
        rows = self.seating.step(sub_actions)
        return (
            self._hand_out(rows.observations),
            own(rows.rewards),
            own(rows.terminated),
            own(rows.truncated),
            self._step_infos(rows),
        )

    def _hand_out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What the caller gets of an array that may be the batch's own."""
        return own(array) if self.copy else array

    def _infos(self, rows: Rows) -> dict[str, Any]:
        masks = self.form.masks(self._hand_out(rows.masks))
        return {"action_mask": masks, "illegal_action": rows.illegal != 0}

    def _step_infos(self, rows: Rows) -> dict[str, Any]:
        infos, done = self._infos(rows), rows.terminated | rows.truncated
        if not done.any():
            return infos
        ends = self.seating.find_ends(done)
        returns, lengths = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.int32)
        returns[ends.rows], lengths[ends.rows] = ends.returns, ends.lengths
        infos["episode_return"], infos["_episode_return"] = returns, done
        infos["episode_length"], infos["_episode_length"] = lengths, done
        faults = describe_faults(self.batch)
        if faults is not None:
            infos["fault"], infos["_fault"] = faults, self.batch.buffers.episodes["fault"] != 0
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_final(infos, done, ends)
        return infos

    def _add_final(self, infos: dict[str, Any], done: npt.NDArray[np.bool_], ends: Ends) -> None:
        """What the learner saw at the end of the episodes that ended."""
        final = np.empty(self.num_envs, dtype=object)
        for game, seen in zip(ends.rows.tolist(), ends.final_observations, strict=True):
            final[game] = seen
        infos["final_obs"], infos["_final_obs"] = final, done
        keys = ("episode_return", "episode_length", "illegal_action")
        inner = {key: infos[key] for key in keys}
        inner.update({f"_{key}": done for key in keys})
        if "fault" in infos:
            inner["fault"], inner["_fault"] = infos["fault"], infos["_fault"]
        infos["final_info"], infos["_final_info"] = inner, done

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(B, sum of choices) bool, 1 = legal, as sb3-contrib wants it; (B, J) for joint ones."""
        masks = self.form.flat_masks(self.seating.select(self.batch.buffers.masks))
        return masks.astype(np.bool_)

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Random legal actions of the learner in the environment's form, drawn by compiled code."""
        self.batch.act("random", self.seating.learner_seats(), 1)
        return self.form.actions(own(self.seating.select(self.batch.buffers.actions)))

    def get_state(self) -> dict[str, Any]:
        """All games, seats and generators, for `set_state`."""
        self._check_open()
        return self.seating.get_state()

    def set_state(self, state: dict[str, Any]) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Goes back to what `get_state` gave; returns observations and infos as `reset` does."""
        self._check_open()
        rows = self.seating.set_state(state)
        return self._hand_out(rows.observations), self._infos(rows)

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
