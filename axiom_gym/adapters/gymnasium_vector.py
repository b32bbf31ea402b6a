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
from axiom_gym.adapters.observations import ObservationForm
from axiom_gym.adapters.spaces import Bools, Floats, action_space, batch_space, name_game
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_faults
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.rows import Ends, Rows, own
from axiom_gym.opponents.seating import make_seating
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import check_options
from axiom_gym.render import RENDER_MODES, check_render_mode, render_games, render_modes

METADATA = {"render_modes": RENDER_MODES, "render_fps": 4}


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode that is given as the enum, its value, or its name in any case."""
    for known in AutoresetMode:
        if mode in (known, known.value) or str(mode).upper() == known.name:
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise ConfigError(f"autoreset_mode must be one of {names}, got {mode!r}.")


def _most_turns(max_turns: int, max_episode_steps: int | None) -> int:
    """Return the limit of turns, which has two names."""
    if max_episode_steps is None:
        return max_turns
    if max_turns != 0:
        raise ConfigError("max_episode_steps is another name for max_turns; give one of the two.")
    return max_episode_steps


class AxiomVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """B games of one kind, stepped together by compiled code.

    An episode is terminated in the step in which its learner is eliminated; the game of the other
    players is not played to its end.

    Infos always have these entries:

    - `action_mask`: int8, (B, K, N), (B, N) for a Discrete action, or (B, J) for joint actions;
    - `illegal_action`: bool, (B,), True if the learner's last action had an illegal sub-action;
    - `episode_return`: float32, (B,), and `episode_length`: int32, (B,), of the episodes that ended
      in the step, else 0, with the masks `_episode_return` and `_episode_length`: bool, (B,).

    If episodes ended in the step, infos can also have these entries, each with such a mask:

    - `fault`: object, (B,), a text or None, if the rules could not compute a turn, which truncates
      the episode;
    - `score`: float32, (B,), the scores of the games that ended, of a game with a score and not in
      mode SAME_STEP;
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
        max_episode_steps: int | None = None,
        mask_in_obs: bool | tuple[str, str] = False,
        mask_dtype: str = "int8",
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
                -1, or less if a loss can cost more (`KernelGame.forfeit_reward`); "noop" omits
                them; "raise" refuses the step; see `axiom_gym.batch.Batch`. An action outside of
                the action space is an error with every policy.
            max_turns: the turns after which an episode is truncated; 0 for the rules' limits only.
            max_episode_steps: Gymnasium's name for `max_turns`; give one of the two.
            mask_in_obs: True for observations that are dicts of "observation" and "action_mask",
                the flat mask, (B, M) or (B, J); or a tuple with two other keys. Infos have the mask
                too.
            mask_dtype: the dtype of the mask in observations, "int8", "float32" or "bool".
            num_threads: the number of threads that share a step.
            copy: if False, return own buffers where possible; they change with the next step.
            preset: the name of a configuration of the game.
            render_mode: None, "ansi" or "rgb_array".
            **options: the game's own options.

        Raises:
            UnknownOptionError: for an option that does not exist; it is also a TypeError.
            ConfigError: for a value that is not allowed; the message has the allowed ones.
        """
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.render_mode = check_render_mode(render_mode)
        loaded = get_game(game)
        check_options(loaded, options, AxiomVectorEnv)
        self.batch = Batch(
            loaded,
            num_envs,
            preset=preset,
            autoreset=self.autoreset_mode.name.lower(),
            on_illegal=on_illegal,
            max_turns=_most_turns(max_turns, max_episode_steps),
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
        self.views = ObservationForm(self.batch.layout, self.form, mask_in_obs, mask_dtype)
        self.single_observation_space = seen = self.views.space
        if isinstance(seen, gymnasium.spaces.Box):  # saved models see observations without masks
            name_game(seen, self.batch, self.form)
        self.single_action_space = action_space(self.form)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes.

        Args:
            seed: an integer s gives game i the seed s + i; a sequence holds the seed of each game;
                None continues with the generators as they are.
            options: `{"reset_mask": (B,) bool}` resets only these games. Other keys are errors.

        Returns:
            Observations (B, *shape) float32, or a dict with `mask_in_obs`; and infos.
        """
        self._check_open()
        chosen = dict(options or {})
        which = chosen.pop("reset_mask", None)
        if chosen:
            raise ConfigError(f"unknown reset options {sorted(chosen)}; valid: ['reset_mask'].")
        if which is not None and isinstance(which, np.ndarray) and not which.any():
            raise ConfigError("the reset mask selects no game; it needs at least one True.")
        rows = self.seating.reset(seed, which)
        return self._show(rows), self._infos(rows)

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Floats, Bools, Bools, dict[str, Any]]:
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
            self._show(rows),
            own(rows.rewards),
            own(rows.terminated),
            own(rows.truncated),
            self._step_infos(rows),
        )

    def _hand_out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a copy of an array of the batch, unless `copy` is False."""
        return own(array) if self.copy else array

    def _show(self, rows: Rows) -> Any:
        return self.views.show(self._hand_out(rows.observations), rows.masks)

    def _infos(self, rows: Rows) -> dict[str, Any]:
        masks, illegal = self.form.masks(self._hand_out(rows.masks)), rows.illegal != 0
        if illegal.any():
            warn_illegal(self.batch.on_illegal, stacklevel=5)
        nothing = np.zeros(self.num_envs, np.bool_)
        return {
            "action_mask": masks,
            "illegal_action": illegal,
            "episode_return": np.zeros(self.num_envs, np.float32),
            "_episode_return": nothing,
            "episode_length": np.zeros(self.num_envs, np.int32),
            "_episode_length": nothing,
        }

    def _step_infos(self, rows: Rows) -> dict[str, Any]:
        infos, done = self._infos(rows), rows.terminated | rows.truncated
        infos["_episode_return"] = infos["_episode_length"] = done
        if not done.any():
            return infos
        ends = self.seating.find_ends(done)
        infos["episode_return"][ends.rows] = ends.returns
        infos["episode_length"][ends.rows] = ends.lengths
        faults = describe_faults(self.batch)
        if faults is not None:
            infos["fault"], infos["_fault"] = faults, self.batch.buffers.episodes["fault"] != 0
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_final(infos, done, ends)
        elif self.batch.game.has_score:
            outcomes = self.batch.outcomes()[np.arange(self.num_envs), rows.seats]
            infos["score"], infos["_score"] = np.where(done, outcomes, np.float32(0)), done
        return infos

    def _add_final(self, infos: dict[str, Any], done: Bools, ends: Ends) -> None:
        """Add the final observations and infos of the episodes that ended."""
        final = np.empty(self.num_envs, dtype=object)
        for game, seen in zip(ends.rows.tolist(), ends.final_observations, strict=True):
            final[game] = self.views.show_final(seen)
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

    def set_state(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Restore a state that `get_state` returned; return what `reset` does."""
        self._check_open()
        rows = self.seating.set_state(state)
        return self._show(rows), self._infos(rows)

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
