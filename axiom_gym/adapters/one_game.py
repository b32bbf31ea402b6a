"""The part that PettingZoo's two forms share: one game, whose players are seat numbers.

Axis letters: P players, K sub-actions, N choices per sub-action, M the sum of all sub-actions'
choices, J joint actions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import ChoiceSpace, SubActionSpace, observation_space
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.errors import (
    AxiomError,
    ClosedEnvironmentError,
    ConfigError,
    ResetNeededError,
    StateError,
    check_choice,
)
from axiom_gym.game.facts import GameLike
from axiom_gym.render import render_games

Observation = Any
"""An array with `mask_in="info"`, else a dict of arrays, which a type checker cannot know."""
Info = dict[str, Any]

HUMAN = "human"
"""The render mode in which every position is printed to standard output."""

MASK_PLACES = ("obs", "info", "both")
DROPOUTS = ("leave", "stay")

_BATCH_OPTIONS = ("num_envs", "autoreset", "num_threads")


class OneGame:
    """A batch of one that is read and written by seat.

    In a simultaneous game each seat has a row in the batch's buffers. In a sequential game there is
    one row, of the player to act: the sub-actions of any seat are written there, and the masks of
    all other seats are zero.

    Attributes:
        batch: the game.
        form: the form of actions and masks.
        sub_actions: an array (K,) for each seat, in which its sub-actions are written.
        masks: an array (K, N) int8 for each seat, with the mask of each sub-action.
        rewards: (P,) float32, the rewards of the last step.
        acting: () int16, the seat to act in a sequential game in progress, else EVERYONE.
        started: True if there is an episode, in progress or ended.
        idle: the seats of eliminated agents that stay; their actions have no effect.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        actions: str = "sub_actions",
        mask_in: str = "both",
        dropouts: str = "leave",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        """Build the game. Its kernel is compiled, or loaded from disk, at the first reset.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            actions: "sub_actions" for an entry per sub-action, "joint" for one Discrete action.
            mask_in: the place of the action mask: "obs", "info" or "both". With "info" an
                observation is a plain array.
            dropouts: "leave" if eliminated agents of a simultaneous game leave, "stay" if they
                stay without effect until the episode ends for all.
            max_cycles: PettingZoo's name for `max_turns`; give one of the two.
            **options: `preset`, `on_illegal`, `max_turns` and the game's options, as for
                `axiom_gym.batch.Batch`. An action outside of the action space is an error with
                every policy for illegal actions.

        Raises:
            ConfigError: for a value that is not allowed; the message has the allowed ones.
        """
        for name in _BATCH_OPTIONS:
            if name in options:
                raise ConfigError(f"a PettingZoo environment is one game; it has no {name!r}.")
        if max_cycles is not None:
            if options.get("max_turns", 0) != 0:
                raise ConfigError("max_cycles is another name for max_turns; give one of the two.")
            options["max_turns"] = max_cycles
        place = check_choice("value of mask_in", mask_in, MASK_PLACES)
        self._mask_in_obs, self._mask_in_info = place != "info", place != "obs"
        check_choice("value of dropouts", dropouts, DROPOUTS)
        self.batch = Batch(game, autoreset="disabled", **options)
        self.form = ActionForm(self.batch.layout, actions)
        loaded = self.batch.game
        self.is_sequential = loaded.is_sequential
        self._can_eliminate = not loaded.is_sequential and hasattr(loaded.kernel(), "alive")
        self._dropouts_stay = self._can_eliminate and dropouts == "stay"
        self.idle: list[int] = []
        self.started = False
        self.closed = False
        self._bind()

    def _bind(self) -> None:
        """Take views of the batch's buffers."""
        buffers, players = self.batch.buffers, self.batch.num_players
        rows = np.zeros(players, np.intp) if self.is_sequential else np.arange(players)
        self.sub_actions = tuple(buffers.actions[0, row] for row in rows)
        self.masks = tuple(buffers.masks[0, row] for row in rows)
        self.rewards = buffers.rewards[0]
        self.acting = buffers.acting[0, ...]
        self._observations = tuple(buffers.observations[0])
        self._offenders = buffers.episodes["offenders"][0]
        self._returns = buffers.episodes["returns"][0]
        self._length = buffers.episodes["length"][0, ...]
        self._refresh_masks()
        self._no_mask = np.zeros_like(self._flat_masks[0])

    # -- spaces ------------------------------------------------------------------------------------

    def make_observation_space(self) -> spaces.Box | spaces.Dict:
        """Return the space of what a player sees."""
        seen = observation_space(self.batch.layout)
        if not self._mask_in_obs:
            return seen
        mask = spaces.Box(0, 1, (sum(self.form.choices),), np.int8)
        return spaces.Dict({"observation": seen, "action_mask": mask})

    def make_action_space(self) -> spaces.Discrete | spaces.MultiDiscrete:
        """Return the space of a player's actions."""
        choices = self.form.choices
        if self.form.shape:
            return SubActionSpace(np.array(choices, np.int64))
        return ChoiceSpace(choices[0])

    def make_state_space(self) -> spaces.Box:
        """Return the space of `state`."""
        layout = self.batch.layout
        shape = layout.observation_shape
        if not self.batch.game.info.perfect_information:
            shape = (self.batch.num_players * shape[0], *shape[1:])
        return spaces.Box(layout.observation_low, layout.observation_high, shape, np.float32)

    # -- what players see --------------------------------------------------------------------------

    def state(self) -> npt.NDArray[np.float32]:
        """Return the whole position; see `axiom_gym.adapters.pettingzoo`."""
        self.check_started()
        seen = list(self.batch.views()) if self.is_sequential else self._observations
        return seen[0].copy() if self.batch.game.info.perfect_information else np.concatenate(seen)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """Return a player's flat mask, (M,) or (J,), which may be a view: copy it to keep it."""
        mask: npt.NDArray[np.int8]
        if self.is_sequential:
            mask = self._flat_masks[0] if seat == self.acting.item() else self._no_mask
        else:
            mask = self._flat_masks[seat]
        return mask

    def _refresh_masks(self) -> None:
        """Store the flat masks of all players who act, if possible as views of the buffer."""
        self._flat_masks = tuple(self.form.flat_masks(self.batch.buffers.masks[0]))

    def observe(self, seat: int) -> Observation:
        """Return a player's observation."""
        if not self.is_sequential:
            seen = self._observations[seat].copy()
        elif seat == self.acting.item():
            seen = self._observations[0].copy()
        else:
            seen = self.batch.views()[seat]
        if not self._mask_in_obs:
            return seen
        return {"observation": seen, "action_mask": self.mask(seat).copy()}

    def describe(self, seat: int, over: bool) -> Info:
        """Return a player's info; `over`: True if its episode has ended."""
        info: Info = {"action_mask": self.mask(seat).copy()} if self._mask_in_info else {}
        info["illegal_action"] = self._offenders[seat] == 1
        info["episode_return"] = self._returns.item(seat)
        info["episode_length"] = self._length.item()
        fault = describe_fault(self.batch) if over else None
        if fault is not None:
            info["fault"] = fault
        if over and self.batch.game.has_score:
            info["score"] = self.batch.outcomes().item(seat)
        return info

    def find_end(self) -> tuple[bool, bool]:
        """Return whether the last turn terminated or truncated the episode.

        If eliminated agents stay, the elimination of all also terminates it.
        """
        buffers, truncated = self.batch.buffers, self.batch.buffers.truncated.item()
        nobody_plays = self.idle and len(self.idle) == self.batch.num_players and not truncated
        return buffers.terminated.item() or bool(nobody_plays), truncated

    def find_leaving(self) -> Collection[int]:
        """Return the eliminated seats of a simultaneous game in progress, if they leave."""
        if not self._can_eliminate or self._dropouts_stay or any(self.find_end()):
            return ()
        return self._find_eliminated()

    def _find_eliminated(self) -> list[int]:
        found: list[int] = np.flatnonzero(~self.batch.alive()).tolist()
        return found

    # -- playing -----------------------------------------------------------------------------------

    def begin(self, seed: int | None) -> None:
        """Start an episode."""
        if self.closed:
            raise self.refusal()
        self.batch.reset(seed)
        self.refresh()

    def refresh(self) -> None:
        """Find idle seats and masks again, after the batch was reset or changed directly."""
        self.started = True
        self._restrict_idle()
        self._refresh_masks()

    def check_legal(self, seat: int, sub_actions: Sequence[int]) -> None:
        """Refuse an illegal sub-action when it is given, before the turn is played."""
        if seat in self.idle:
            return
        masks = self.masks[seat]
        for k, value in enumerate(sub_actions):
            if not masks[k, value]:
                raise illegal_action(self.batch, 0, self.batch.view_of(seat), k, value)

    def step(self) -> None:
        """Play a turn with the sub-actions that were written."""
        if self.idle:
            self.write_lowest(self.idle)
        self.batch.step()
        if self._dropouts_stay:
            self._restrict_idle()
        if not self.form.flat_is_view:
            self._refresh_masks()

    def write_lowest(self, seats: list[int]) -> None:
        """Write the lowest legal sub-actions for these seats of a simultaneous game."""
        buffers = self.batch.buffers
        buffers.actions[0, seats] = buffers.masks[0, seats].argmax(axis=2)

    def _restrict_idle(self) -> None:
        """Find the idle seats, and leave only the lowest legal sub-actions in their masks."""
        if not self._dropouts_stay:
            return
        self.idle = self._find_eliminated()
        self.write_lowest(self.idle)
        buffers = self.batch.buffers
        buffers.masks[0, self.idle] = 0
        for seat in self.idle:
            np.put_along_axis(self.masks[seat], self.sub_actions[seat][:, None], 1, axis=1)

    def check_started(self) -> None:
        """Raise an error if there is no episode."""
        if not self.started:
            raise self.refusal()

    def refusal(self) -> AxiomError:
        """Return the error that says why no turn can be played now."""
        if self.closed:
            return ClosedEnvironmentError("this environment was closed; make a new one.")
        reason = "the episode is over" if self.started else "no episode has begun"
        return ResetNeededError(f"{reason}: call reset() first.")

    def close(self) -> None:
        """End the game; later calls raise `ClosedEnvironmentError`."""
        self.closed = True
        self.started = False
        self.batch.close()

    # -- saving and drawing ------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return the state of the game and its generators."""
        self.check_started()
        return {"batch": self.batch.get_state()}

    def set_state(self, state: Any, keys: set[str], form: str) -> None:
        """Restore a saved state, which must come from an environment of this form.

        Args:
            state: the saved state.
            keys: the keys that it must have.
            form: the name of the form, for errors.

        Raises:
            StateError: if it has other keys, or its bytes do not fit this game; nothing is changed.
        """
        if self.closed:
            raise self.refusal()
        if not isinstance(state, dict) or state.keys() != keys:
            given = sorted(state) if isinstance(state, dict) else type(state).__name__
            raise StateError(
                f"a saved state of {form} is a dict of {sorted(keys)}, got {given}; "
                "get it from get_state() of the same form."
            )
        self.batch.set_state(state["batch"])
        self.refresh()

    def __getstate__(self) -> dict[str, Any]:
        # After unpickling, a view would no longer share the memory of the batch.
        views = (
            "sub_actions",
            "masks",
            "rewards",
            "acting",
            "_observations",
            "_offenders",
            "_returns",
            "_length",
            "_flat_masks",
        )
        return {**self.__dict__, **dict.fromkeys(views)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def render(self, mode: str | None) -> Any:
        """Draw the position in this mode: as text or (H, W, 3) uint8; for "human" print it."""
        self.check_started()
        if mode is None:
            gymnasium.logger.warn("render() without a render_mode; give one when making the env.")
            return None
        (drawn,) = render_games(self.batch, "ansi" if mode == HUMAN else mode)
        if mode == HUMAN:
            print(drawn)
            return None
        return drawn
