"""A stable-baselines3 `VecEnv` over a batch, without a Python loop over environments.

Axis letters: R rows (each is one learner in one game), K sub-actions, M the sum of all sub-actions'
choices, J joint actions.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.vec_env import VecEnv

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.illegal import warn_illegal
from axiom_gym.adapters.spaces import Bools, Floats, action_space, name_game, observation_space
from axiom_gym.adapters.threads import warn_threads
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.errors import ClosedEnvironmentError, ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, OpponentPool
from axiom_gym.opponents.rows import Ends, own
from axiom_gym.opponents.seating import Seating, make_seating
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import check_options
from axiom_gym.render import check_render_mode, render_games


def make_vec_env(
    game: GameLike,
    num_envs: int = 1,
    *,
    opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
    seat: int | str = 0,
    self_play_games: int = 0,
    actions: str = "sub_actions",
    seed: int | None = None,
    on_illegal: str = "forfeit",
    max_turns: int = 0,
    num_threads: int = 1,
    preset: str | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> AxiomVecEnv:
    """Return a vector environment for stable-baselines3.

    On the CPU, call `torch.set_num_threads(1)` before: by default PyTorch uses all cores, which is
    slower with small networks, and many times slower on a busy machine. A `ThreadsWarning` says so
    once, unless the environment variable `OMP_NUM_THREADS` is set.

    Args:
        game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
        num_envs: the number of games.
        opponent: the player at the seats that are not rows; see `axiom_gym.opponents`.
        seat: the learner's seat in games with one row, or "random" to draw one for each episode.
        self_play_games: the number of games, from the first on, in which all seats are rows of the
            learner. Their episodes last until the end of the game, also for eliminated players.
        actions: "sub_actions" or "joint"; see `axiom_gym.adapters.gymnasium.AxiomVectorEnv`.
        seed: the seed of the first reset; None draws one.
        on_illegal: "forfeit", "noop" or "raise"; see
            `axiom_gym.adapters.gymnasium.AxiomVectorEnv`.
        max_turns: the number of turns after which an episode is truncated; 0 for no limit except
            those of the rules.
        num_threads: the number of threads that share a step.
        preset: the name of a configuration of the game.
        render_mode: None, "ansi" or "rgb_array".
        **options: the game's own options.

    Raises:
        UnknownOptionError: for an option that does not exist; it is also a TypeError.
        ConfigError: for a value that is not allowed; the message has the allowed ones.
    """
    warn_threads(torch.get_num_threads())
    loaded = get_game(game)
    check_options(loaded, options, make_vec_env)
    batch = Batch(
        loaded,
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

    Infos have these entries:

    - `illegal_action`: True, only after an illegal sub-action;
    - `terminal_observation`, `TimeLimit.truncated` and `episode`, as stable-baselines3's `Monitor`
      writes it, only at the end of an episode;
    - `fault`: a text, only at the end of an episode whose rules could not compute a turn.

    If `TimeLimit.truncated` is True, a learner bootstraps from the value of the final observation.
    It is False in a game for several players that ends by a limit of its own rules, because the
    rules have then paid all players.

    Attributes:
        ended: the number of episodes that have ended.
        faults: the number of episodes that each fault of the rules has ended, by its description.
    """

    def __init__(
        self,
        seating: Seating,
        *,
        actions: str = "sub_actions",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Build the environment for a seating whose batch has the autoreset mode "same_step".

        Raises:
            ConfigError: if the batch has another mode.
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
        self.ended = 0
        self.faults: Counter[str] = Counter()
        seen = name_game(observation_space(self.batch.layout), self.batch, self._form)
        super().__init__(seating.num_rows, seen, action_space(self._form))
        if seed is not None:
            self.seed(seed)

    def reset(self) -> Floats:
        """Start an episode in every game and return observations (R, *shape)."""
        self._check_open()
        rows = self.seating.reset(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return own(rows.observations)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the actions of the next step: integers (R, K), or (R,) for a Discrete action."""
        self._check_open()
        array = self.batch.check_actions(actions, self._action_shape)
        self._form.check_ranges(array)
        self._pending = self._form.sub_actions(array)

    def step_wait(self) -> tuple[Floats, Floats, Bools, list[dict[str, Any]]]:
        """Play the step and return observations (R, *shape), rewards (R,), dones (R,) and infos."""
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
            warn_illegal(self.batch.on_illegal, stacklevel=4)
            infos[row]["illegal_action"] = True
        return own(rows.observations), own(rows.rewards), over, infos

    def _add_ends(self, infos: list[dict[str, Any]], ends: Ends) -> None:
        """Add the entries that stable-baselines3 expects at the end of an episode."""
        games = self.seating.row_games[ends.rows]
        truncated = self.undecided()[games].tolist()
        returns, lengths = ends.returns.tolist(), ends.lengths.tolist()
        now = round(time.time() - self._started_at, 6)
        for k, row in enumerate(ends.rows.tolist()):
            infos[row]["terminal_observation"] = ends.final_observations[k]
            infos[row]["TimeLimit.truncated"] = truncated[k]
            infos[row]["episode"] = {"r": returns[k], "l": lengths[k], "t": now}
        for k in ends.faults.nonzero()[0].tolist():
            infos[ends.rows[k]]["fault"] = fault = describe_fault(self.batch, games[k])
            self.faults[str(fault)] += 1
        self.ended += len(ends.rows)

    def undecided(self) -> Bools:
        """Return which games were truncated in the last step before the rules paid, (B,) bool."""
        buffers, batch = self.batch.buffers, self.batch
        if batch.num_players == 1:
            return buffers.truncated.copy()
        episodes = buffers.episodes
        at_limit = (batch.max_turns > 0) & (episodes["final_length"] >= batch.max_turns)
        cut: Bools = buffers.truncated & (at_limit | (episodes["fault"] != 0))
        return cut

    def action_masks(self) -> Bools:
        """Return masks (R, M) bool, or (R, J) for joint actions; True = legal."""
        masks = self._form.flat_masks(self.seating.select(self.batch.buffers.masks))
        return own(masks).view(np.bool_)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of this environment and return a list with an entry for each row.

        The entries of `action_masks` are its rows. Other methods are called once, and all entries
        are their result.
        """
        rows = self._get_indices(indices)
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        if method_name == "action_masks":
            return result if indices is None else result[list(rows)]  # type: ignore[no-any-return]
        return [result for _ in rows]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return the attribute, which all rows share, once for each row."""
        value = self._row_render_mode if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the attribute, which all rows share.

        Raises:
            ConfigError: if `indices` selects only some of the rows.
        """
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise ConfigError(
                "rows share their attributes; set_attr must be called for all of them."
            )
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Return True for `Monitor`, because infos have its entry `episode`, else False."""
        from stable_baselines3.common.monitor import Monitor

        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Return a picture of each row's game."""
        pictures = render_games(self.batch, "rgb_array")
        return [pictures[game] for game in self.seating.row_games.tolist()]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset: game i gets seed + i.

        None continues with the generators as they are.
        """
        self._seeds = [seed] + [None] * (self.num_envs - 1)
        return self._seeds

    def close(self) -> None:
        """Close the environment; later calls raise `ClosedEnvironmentError`."""
        self._closed = True
        self.batch.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("this environment was closed; make a new one.")
