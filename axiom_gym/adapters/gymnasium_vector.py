"""Gymnasium's vector environment, without a Python loop over environments.

It is single-agent: the learner holds one seat, and opponents hold the others (see
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
from axiom_gym.adapters.illegal import warn_illegal
from axiom_gym.adapters.spaces import (
    Bools,
    Floats,
    action_space,
    batch_space,
    name_game,
    observation_space,
)
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_faults
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.rows import Ends, Rows, own
from axiom_gym.opponents.seating import make_seating
from axiom_gym.render import RENDER_MODES, check_render_mode, render_games, render_modes

METADATA = {"render_modes": RENDER_MODES, "render_fps": 4}


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode that is given as the enum, its value, or its name in any case."""
    for known in AutoresetMode:
        if mode in (known, known.value) or str(mode).upper() == known.name:
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise ConfigError(f"autoreset_mode must be one of {names}, got {mode!r}.")


class AxiomVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """B games of one kind, stepped together by compiled code.

    An episode is terminated in the step in which its learner is eliminated; the game of the other
    players is not played to its end.

    Infos always have these entries:

    - `action_mask`: int8, (B, K, N), (B, N) for a Discrete action, or (B, J) for joint actions;
    - `illegal_action`: bool, (B,), True if the learner's last action had an illegal sub-action.

    If episodes ended in the step, infos also have these entries, each with a bool mask (B,) of the
    games that they apply to, under the same name with a leading underscore:

    - `episode_return`: float32, (B,), and `episode_length`: int32, (B,);
    - `fault`: object, (B,), a text or None, if the rules could not compute a turn, which truncates
      the episode;
    - `final_obs` and `final_info`, in mode SAME_STEP, as in Gymnasium's vector environments.
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
        on_illegal: str = "forfeit",
        max_turns: int = 0,
        num_threads: int = 1,
        copy: bool = True,
        preset: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Build the environment. Its kernel is compiled, or loaded from disk, at the first reset.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            num_envs: the batch size B.
            opponent: the player at the other seats; see `axiom_gym.opponents`.
            seat: the learner's seat, or "random" to draw one for each episode.
            actions: "sub_actions" for one entry per sub-action, "joint" for one Discrete action.
            autoreset_mode: a `gymnasium.vector.AutoresetMode` or its name.
            on_illegal: the policy for illegal actions: "forfeit" ends the episode with a reward of
                -1, "noop" omits them, "raise" refuses the step; see `axiom_gym.batch.Batch`. An
                action outside of the action space is an error with every policy.
            max_turns: the turns after which an episode is truncated; 0 for the rules' limits only.
            num_threads: the number of threads that share a step.
            copy: if False, return own buffers where possible; they change with the next step.
            preset: the name of a configuration of the game.
            render_mode: None, "ansi" or "rgb_array".
            **options: the game's own options.

        Raises:
            ConfigError: for a value that is not allowed; the message has the allowed ones.
        """
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.render_mode = check_render_mode(render_mode)
        self.batch = Batch(
            game,
            num_envs,
            preset=preset,
            autoreset=self.autoreset_mode.name.lower(),
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
        seen = observation_space(self.batch.layout)
        self.single_observation_space = name_game(seen, self.batch, self.form)
        self.single_action_space = action_space(self.form)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Start new episodes.

        Args:
            seed: an integer s gives game i the seed s + i; a sequence holds the seed of each game;
                None continues with the generators as they are.
            options: `{"reset_mask": (B,) bool}` resets only these games. Other keys are errors.

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

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]:
        """Play one turn in every game.

        Args:
            actions: integers (B, K), or (B,) for a Discrete action.

        Returns:
            Observations, rewards (B,) float32, terminations and truncations (B,) bool, infos.

        Raises:
            ActionError: for another shape or dtype, or an action outside of the action space.
            IllegalActionError: for an illegal action with the policy "raise"; nothing is changed.
            ResetNeededError: before the first reset; or if autoreset is disabled and an episode has
                ended.
        """
        self._check_open()
        array = self.batch.check_actions(actions, self._action_shape)
        self.form.check_ranges(array, self.batch.buffers.episodes["ended"])
        rows = self.seating.step(self.form.sub_actions(array))
        return (
            self._hand_out(rows.observations),
            own(rows.rewards),
            own(rows.terminated),
            own(rows.truncated),
            self._step_infos(rows),
        )

    def _hand_out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a copy of an array of the batch, unless `copy` is False."""
        return own(array) if self.copy else array

    def _infos(self, rows: Rows) -> dict[str, Any]:
        masks, illegal = self.form.masks(self._hand_out(rows.masks)), rows.illegal != 0
        if illegal.any():
            warn_illegal(self.batch.on_illegal)
        return {"action_mask": masks, "illegal_action": illegal}

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

    def _add_final(self, infos: dict[str, Any], done: Bools, ends: Ends) -> None:
        """Add the final observations and infos of the episodes that ended."""
        final = np.empty(self.num_envs, dtype=object)
        for game, seen in zip(ends.rows.tolist(), ends.final_observations, strict=True):
            final[game] = seen
        inner = {key: value for key, value in infos.items() if key != "action_mask"}
        infos["final_info"], infos["_final_info"] = {**inner, "_illegal_action": done}, done
        infos["final_obs"], infos["_final_obs"] = final, done

    def action_masks(self) -> Bools:
        """Return the flat masks, True = legal, as sb3-contrib expects them.

        Their shape is (B, sum of all sub-actions' choices), or (B, J) for joint actions.
        """
        masks = self.form.flat_masks(self.seating.select(self.batch.buffers.masks))
        return masks.astype(np.bool_)

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Return random legal actions of the learner, drawn by compiled code."""
        self.batch.act("random", self.seating.learner_seats(), 1)
        return self.form.actions(own(self.seating.select(self.batch.buffers.actions)))

    def get_state(self) -> dict[str, Any]:
        """Return the state of all games, seats and generators, for `set_state`."""
        self._check_open()
        return self.seating.get_state()

    def set_state(self, state: dict[str, Any]) -> tuple[Floats, dict[str, Any]]:
        """Restore a state that `get_state` returned; return what `reset` does."""
        self._check_open()
        rows = self.seating.set_state(state)
        return self._hand_out(rows.observations), self._infos(rows)

    def render(self) -> tuple[Any, ...] | None:
        """Return each game as text or picture, by `render_mode`."""
        self._check_open()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() without a render_mode: pass 'ansi' or 'rgb_array' to make or make_vec."
            )
            return None
        return tuple(render_games(self.batch, self.render_mode))

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads, if there are any."""
        # Gymnasium's finalizer also calls this for an environment whose constructor has raised.
        if hasattr(self, "batch"):
            self.batch.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("this environment was closed; make a new one.")
