"""One game as PettingZoo's forms share it: spaces, views, orders, saving and drawing, by seat.

Axis letters: P players, V of them who act at once, K sub-actions, N choices of a sub-action, M the
sum of all orders' choices, J joint actions.
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
from axiom_gym.errors import (
    AxiomError,
    ClosedEnvironmentError,
    ConfigError,
    IllegalActionError,
    ResetNeededError,
    StateError,
)
from axiom_gym.game.facts import GameLike
from axiom_gym.registry.games import get_game
from axiom_gym.render import render_state

Observation = dict[str, npt.NDArray[Any]]
Info = dict[str, Any]

HUMAN = "human"
"""The render mode that prints every position to standard output."""

_BATCH_OPTIONS = ("num_envs", "autoreset", "num_threads")


class OneGame:
    """A batch of one, read and written by seat.

    In a simultaneous game each seat has a row of the batch's buffers. In a sequential one there is
    a single row, of the player who is to act: the orders of any seat go there, and the masks of all
    others are zero.

    Attributes:
        batch: the game.
        form: the form of actions and masks.
        sub_actions: (K,) each, where a seat's orders are written.
        masks: (K, N) int8 each, a seat's masks, one for each sub-action.
        rewards: (P,) float32, of the last step.
        acting: () int16, the seat to act in a sequential game that has not ended, else EVERYONE.
        started: whether there is an episode to play, or one that has ended.
    """

    sub_actions: tuple[npt.NDArray[np.int64], ...]
    masks: tuple[npt.NDArray[np.int8], ...]
    rewards: npt.NDArray[np.float32]
    acting: npt.NDArray[np.int16]

    def __init__(
        self,
        game: GameLike,
        *,
        actions: str = "sub_actions",
        on_illegal: str = "noop",
        max_turns: int = 0,
        max_cycles: int | None = None,
        preset: str | None = None,
        **options: Any,
    ) -> None:
        """Build the game; the kernel is compiled, or loaded from disk, at the first reset.

        Args:
            game: the game's name, such as "quantaris", or the game itself; see `GameLike`.
            actions: "sub_actions" for an entry per sub-action, "joint" for one Discrete action.
            on_illegal: "noop", "forfeit" or "raise"; see `axiom_gym.batch.Batch`. An action that is
                not in the action space is an error under each of them.
            max_turns: truncates an episode after so many turns; 0 for no limit but the rules' own.
            max_cycles: PettingZoo's name for `max_turns`; give one of the two.
            preset: a named configuration of the game.
            **options: the game's own options.

        Raises:
            ConfigError: for any value that is not allowed, with the valid ones.
        """
        loaded = get_game(game)
        for name in _BATCH_OPTIONS:
            if name in options:
                raise ConfigError(f"a PettingZoo environment is one game; it has no {name!r}.")
        self.batch = Batch(
            loaded,
            preset=preset,
            autoreset="disabled",
            on_illegal=on_illegal,
            max_turns=_turn_limit(max_turns, max_cycles),
            **options,
        )
        self.form = ActionForm(self.batch.layout, actions)
        self.is_sequential = loaded.is_sequential
        self._everybody_stays = loaded.is_sequential or not hasattr(loaded.kernel(), "alive")
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
        self._seen = tuple(buffers.observations[0])
        self._offenders = buffers.episodes["offenders"][0]
        self._refresh_masks()
        self._no_mask = np.zeros_like(self._flat_masks[0])

    # -- spaces ------------------------------------------------------------------------------------

    def make_observation_space(self) -> spaces.Dict:
        """Return the space of what a player sees."""
        mask = spaces.Box(0, 1, (sum(self.form.choices),), np.int8)
        seen = observation_space(self.batch.layout)
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

    # -- what players are shown --------------------------------------------------------------------

    def state(self) -> npt.NDArray[np.float32]:
        """Return the whole position; see `axiom_gym.adapters.pettingzoo`."""
        self.check_started()
        seen = list(self.batch.views()) if self.is_sequential else self._seen
        return seen[0].copy() if self.batch.game.info.perfect_information else np.concatenate(seen)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """Return a player's flat mask, (M,) or (J,); not the caller's to keep."""
        mask: npt.NDArray[np.int8]
        if self.is_sequential:
            mask = self._flat_masks[0] if seat == self.acting.item() else self._no_mask
        else:
            mask = self._flat_masks[seat]
        return mask

    def _refresh_masks(self) -> None:
        """Keep the flat masks of all who act, where it can be as views of the buffer."""
        self._flat_masks = tuple(self.form.flat_masks(self.batch.buffers.masks[0]))

    def observe(self, seat: int) -> Observation:
        """Return what a player sees."""
        if not self.is_sequential:
            seen = self._seen[seat].copy()
        elif seat == self.acting.item():
            seen = self._seen[0].copy()
        else:
            seen = self.batch.views()[seat]
        return {"observation": seen, "action_mask": self.mask(seat).copy()}

    def describe(self, seat: int, over: bool) -> Info:
        """Return a player's info; `over`: whether its episode has ended."""
        illegal = self._offenders.item(seat) == 1
        info: Info = {"action_mask": self.mask(seat).copy(), "illegal_action": illegal}
        if over:
            episode = self.batch.buffers.episodes[0]
            info["episode_return"] = float(episode["returns"][seat])
            info["episode_length"] = int(episode["length"])
            fault = describe_fault(self.batch)
            if fault is not None:
                info["fault"] = fault
        return info

    def find_end(self) -> tuple[bool, bool]:
        """Return whether the last turn terminated or truncated the episode."""
        buffers = self.batch.buffers
        return buffers.terminated.item(), buffers.truncated.item()

    def find_out(self) -> Collection[int]:
        """Return the seats that are out of a simultaneous game while others play on."""
        if self._everybody_stays or any(self.find_end()):
            return ()
        found: list[int] = np.flatnonzero(~self.batch.alive()).tolist()
        return found

    # -- playing -----------------------------------------------------------------------------------

    def begin(self, seed: int | None) -> None:
        """Start an episode."""
        if self.closed:
            raise self.refusal()
        self.batch.reset(seed)
        self.started = True
        self._refresh_masks()

    def check_legal(self, seat: int, agent: str, sub_actions: Sequence[int]) -> None:
        """Refuse an illegal sub-action when it is given, and not only when the turn is played."""
        masks = self.masks[seat]
        for k, order in enumerate(sub_actions):
            if not masks[k, order]:
                legal = np.flatnonzero(masks[k]).tolist()
                raise IllegalActionError(
                    f"action {order} of {agent}, order {k}, is not legal; legal are {legal}.\n"
                    f"{self.batch.describe_state()}"
                )

    def step(self) -> None:
        """Play the orders that were written."""
        self.batch.step()
        if not self.form.flat_is_view:
            self._refresh_masks()

    def order_lowest(self, seats: list[int]) -> None:
        """Write the lowest legal sub-actions of these seats of a simultaneous game."""
        buffers = self.batch.buffers
        buffers.actions[0, seats] = buffers.masks[0, seats].argmax(axis=2)

    def check_started(self) -> None:
        """Refuse what needs an episode."""
        if not self.started:
            raise self.refusal()

    def refusal(self) -> AxiomError:
        """Return the error that says why nothing can be played now."""
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
        """Return the game and its generators."""
        self.check_started()
        return {"batch": self.batch.get_state()}

    def set_state(self, state: Any, keys: set[str], form: str) -> None:
        """Go back to a saved state of an environment of this form, which holds these keys.

        Raises:
            StateError: if it does not, or its bytes are not of this game; nothing was changed then.
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
        self.started = True
        self._refresh_masks()

    def __getstate__(self) -> dict[str, Any]:
        # A pickled view would no longer be one of the batch.
        views = ("sub_actions", "masks", "rewards", "acting", "_seen", "_offenders", "_flat_masks")
        return {**self.__dict__, **dict.fromkeys(views)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def render(self, mode: str | None) -> Any:
        """Draw the position: as text or (H, W, 3) uint8 by the mode; for "human" print it."""
        self.check_started()
        if mode is None:
            gymnasium.logger.warn("render() without a render_mode; give one when making the env.")
            return None
        batch = self.batch
        form = "ansi" if mode == HUMAN else mode
        drawn = render_state(batch.game, batch.buffers.states[0], batch.config, form)
        if mode != HUMAN:
            return drawn
        print(drawn)
        return None


def _turn_limit(max_turns: int, max_cycles: int | None) -> int:
    if max_cycles is None:
        return max_turns
    if max_turns != 0:
        raise ConfigError("max_cycles is another name for max_turns; give one of the two.")
    return max_cycles
