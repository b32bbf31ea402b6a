"""stable-baselines3: a `VecEnv` over a batch, without a Python loop over environments.

Axis letters: R rows (one learner at one game each), K sub-actions, M the sum of all orders'
choices, J joint actions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import action_space, observation_space
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.rows import Ends, own
from axiom_gym.opponents.seating import Seating, make_seating
from axiom_gym.render import check_render_mode, render_state


def make_vec_env(
    game: GameLike,
    num_envs: int = 1,
    *,
    opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
    seat: int | str = 0,
    self_play_games: int = 0,
    actions: str = "sub_actions",
    seed: int | None = None,
    on_illegal: str = "noop",
    max_turns: int = 0,
    num_threads: int = 1,
    preset: str | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> AxiomVecEnv:
    """A vector environment for stable-baselines3.

    Args:
        game: the game's name, such as "quantaris", or the game itself; see `GameLike`.
        num_envs: how many games.
        opponent: who plays the seats that are no row; see `axiom_gym.opponents`.
        seat: the learner's seat where a game has one row, or "random" to draw one for each episode.
        self_play_games: in the first so many games all seats are rows of the learner, and go on to
            the end of the game, also those of players who have dropped out.
        actions: "sub_actions" or "joint"; see `axiom_gym.adapters.gymnasium.AxiomVectorEnv`.
        seed: of the first reset; None draws one.
        on_illegal: "noop", "forfeit" or "raise".
        max_turns: truncates an episode after so many turns; 0 for no limit but the rules' own.
        num_threads: threads that share a step.
        preset: a named configuration of the game.
        render_mode: None, "ansi" or "rgb_array".
        **options: the game's own options.

    Raises:
        ConfigError: for any value that is not allowed, with the valid ones.
    """
    batch = Batch(
        game,
        num_envs,
        preset=preset,
        autoreset="same_step",
        on_illegal=on_illegal,
        max_turns=max_turns,
        num_threads=num_threads,
        **options,
    )
    seating = make_seating(batch, opponent, seat, self_play_games)
    return AxiomVecEnv(seating, actions=actions, seed=seed, render_mode=render_mode)


class AxiomVecEnv(VecEnv):
    """The rows of a seating as a stable-baselines3 `VecEnv`.

    An info is empty but at the end of an episode, where it holds `terminal_observation`,
    `TimeLimit.truncated` and `episode`, as stable-baselines3's `Monitor` writes it, and `fault`, a
    text, if the rules could not be computed; and but for `illegal_action` after an illegal
    sub-action. `TimeLimit.truncated` makes a learner count on what could have come after the end.
    It is False where a game for several players is ended by its own limit, since its rules have
    paid everybody.
    """

    def __init__(
        self,
        seating: Seating,
        *,
        actions: str = "sub_actions",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Takes a seating whose batch resets in the same step.

        Raises:
            ConfigError: if the batch resets in another way.
        """
        self.batch = seating.batch
        if self.batch.autoreset != "same_step":
            raise ConfigError(
                f"AxiomVecEnv needs autoreset='same_step', got {self.batch.autoreset!r}."
            )
        self.seating = seating
        self._form = ActionForm(self.batch.layout, actions)
        self._action_shape = (seating.num_rows, *self._form.shape)
        self._row_render_mode = check_render_mode(render_mode)
        self._pending: npt.NDArray[np.int64] | None = None
        self._started_at = time.time()
        self._closed = False
        spaces = observation_space(self.batch.layout), action_space(self._form)
        super().__init__(seating.num_rows, *spaces)
        if seed is not None:
            self.seed(seed)

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts an episode in every game; returns observations (R, *shape)."""
        self._check_open()
        rows = self.seating.reset(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return own(rows.observations)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the next step's actions: integers, (R, K), or (R,) for a Discrete action."""
        self._check_open()
        self._pending = self._form.sub_actions(
            self.batch.check_actions(actions, self._action_shape)
        )

    def step_wait(
        self,
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        list[dict[str, Any]],
    ]:
        """Plays the step: observations (R, *shape), rewards (R,), dones (R,), infos."""
        if self._pending is None:
            raise ConfigError(
                "step_wait() without step_async(): call step(actions) or step_async(actions)."
            )
        rows = self.seating.step(self._pending)
        self._pending = None
        over = rows.terminated | rows.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            self._add_ends(infos, self.seating.find_ends(over))
        for row in rows.illegal.nonzero()[0].tolist():
            infos[row]["illegal_action"] = True
        return own(rows.observations), own(rows.rewards), over, infos

    def _add_ends(self, infos: list[dict[str, Any]], ends: Ends) -> None:
        """What stable-baselines3 wants to know of episodes that have ended."""
        games = self.seating.row_games[ends.rows]
        truncated = self.undecided()[games].tolist()
        returns, lengths = ends.returns.tolist(), ends.lengths.tolist()
        now = round(time.time() - self._started_at, 6)
        for k, row in enumerate(ends.rows.tolist()):
            infos[row]["terminal_observation"] = ends.final_observations[k]
            infos[row]["TimeLimit.truncated"] = truncated[k]
            infos[row]["episode"] = {"r": returns[k], "l": lengths[k], "t": now}
        for k in ends.faults.nonzero()[0].tolist():
            infos[ends.rows[k]]["fault"] = describe_fault(self.batch, games[k])

    def undecided(self) -> npt.NDArray[np.bool_]:
        """(B,) bool: the games that were cut off in the last step before their result was paid."""
        buffers, batch = self.batch.buffers, self.batch
        if batch.num_players == 1:
            return buffers.truncated.copy()
        episodes = buffers.episodes
        at_limit = (batch.max_turns > 0) & (episodes["final_length"] >= batch.max_turns)
        cut: npt.NDArray[np.bool_] = buffers.truncated & (at_limit | (episodes["fault"] != 0))
        return cut

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(R, M) bool, or (R, J) for joint actions; 1 = legal."""
        masks = self._form.flat_masks(self.seating.select(self.batch.buffers.masks))
        return own(masks).view(np.bool_)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method of this environment.

        `action_masks` gives a row each; others give their result once per row.
        """
        rows = self._get_indices(indices)
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        if method_name == "action_masks":
            return result if indices is None else result[list(rows)]  # type: ignore[no-any-return]
        return [result for _ in rows]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once per row; all rows share it."""
        value = self._row_render_mode if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets the attribute for all rows, which share it.

        Raises:
            ConfigError: for some rows only.
        """
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise ConfigError(
                "rows share their attributes; set_attr must be called for all of them."
            )
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Episodes are recorded as `Monitor` records them; nothing else wraps a row."""
        from stable_baselines3.common.monitor import Monitor

        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """A picture of each row's game."""
        batch = self.batch
        pictures = [
            render_state(batch.game, state, batch.config, "rgb_array")
            for state in batch.buffers.states
        ]
        return [pictures[game] for game in self.seating.row_games.tolist()]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset: game i gets seed + i. None leaves the generators alone."""
        self._seeds = [seed] + [None] * (self.num_envs - 1)
        return self._seeds

    def close(self) -> None:
        """Ends the environment; later calls raise `ClosedEnvironmentError`."""
        self._closed = True
        self.batch.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("this environment was closed; make a new one.")
