"""The seating of sequential games, whose players act one at a time.

A step is one decision of the learner and all decisions of opponents until the learner's next turn
or the end of the episode. Its reward is the sum of the learner's rewards from all of these. The
episode ends when the learner is eliminated; any reward for its rank is paid by then.

The opening, which is all that opponents decide before the learner's first decision, is part of the
first step. If the opening ends the episode, the first step only reports the end, and its action has
no effect. `axiom_gym.batch.sequence` describes the states of this cycle.

Each row is a game. In a self-play game the learner holds all seats: the row has the observation of
the player to act, and the reward of the player who has acted.

Axis letters: B games, P players, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.batch.scripted import RANDOM
from axiom_gym.batch.seeds import Seeds
from axiom_gym.batch.sequence import find_new
from axiom_gym.errors import IllegalActionError
from axiom_gym.opponents.pool import Policy, call_policy
from axiom_gym.opponents.rows import Rows
from axiom_gym.opponents.seating import LEARNER, Seating

NOBODY = -1
"""A number in `seats` that no player has."""

_Players = tuple[dict[int, str], dict[int, Policy]]

MOST_REFUSALS = 100
"""The number of times in a row that callables may return only illegal actions ("noop" policy)."""


class TurnSeating(Seating):
    """A seating whose opponents act between the learner's turns; as `Seating`, with R = B."""

    def __init__(self, batch: Batch, *args: Any, **options: Any) -> None:
        """Take the arguments of `Seating`. The batch must not be used by anything else."""
        super().__init__(batch, *args, **options)
        self._sole_players: tuple[Any, _Players] | None = None
        batch.seat_learners()

    def _set_rows(self) -> None:
        """Make a row for each game."""
        self.num_rows, full = self.batch.num_envs, self._self_play_games
        self.row_games = np.arange(self.num_rows)
        self.row_seats = np.where(self.row_games < full, 0, self._seat).astype(np.int16)
        self._first_single = full

    # -- the learner's rows ------------------------------------------------------------------------

    def select(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array[:, 0]

    def _lengths(self) -> npt.NDArray[np.int32]:
        lengths: npt.NDArray[np.int32] = self.batch.buffers.cycles["steps"]
        return lengths

    def _final_lengths(self) -> npt.NDArray[np.int32]:
        lengths: npt.NDArray[np.int32] = self.batch.buffers.cycles["final_steps"]
        return lengths

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, which: npt.NDArray[np.bool_] | None = None) -> Rows:
        super().reset(seed, which)
        self._settle()
        self._follow_turns()
        return self._find_rows()

    def step(self, actions: npt.NDArray[np.int64]) -> Rows:
        self.batch.check_ready()
        self.batch.buffers.actions[:, 0] = actions
        acted = self.batch.buffers.acting.copy() if self._self_play_games else None
        if self.batch.on_illegal == "raise" and self._has_policies():
            self._step_or_restore()
        else:
            self._play_step()
        if acted is not None:
            held = self.final_seats().copy()
            held[: self._self_play_games] = np.maximum(acted[: self._self_play_games], 0)
            self._final_seats = held
        self._follow_turns()
        return self._find_rows()

    def _step_or_restore(self) -> None:
        """Play a step; if an opponent's action is refused, restore everything."""
        before = self.get_state()
        try:
            self._play_step()
        except IllegalActionError:
            self.set_state(before)
            raise

    def _play_step(self) -> None:
        """Play the learner's decision, then the opponents'; seat the players of new episodes."""
        self.batch.step()
        if not self._reseats:
            self._settle()
            return
        self._settle(play_new=False)
        self._final_seats = self.row_seats.copy()
        new = np.flatnonzero(find_new(self.batch.buffers))
        if len(new):
            self._seat_players(new)
            self._settle()

    def _follow_turns(self) -> None:
        """Set the row's seat in self-play games to that of the player to act."""
        full = self._self_play_games
        if full:
            self.row_seats[:full] = np.maximum(self.batch.buffers.acting[:full], 0)

    # -- opponents' turns --------------------------------------------------------------------------

    def _has_policies(self) -> bool:
        if len(self.pool.members) == 1:
            return bool(self._players()[1])
        return any(not isinstance(self._member(k), str) for k in range(len(self.pool.members)))

    def _settle(self, play_new: bool = True) -> None:
        """Let opponents decide until every game waits for the learner or is over.

        play_new: if False, leave out episodes that have just begun.
        """
        scripted, policies = self._players()
        refusals = 0
        while True:
            for number, bot in scripted.items():
                self.batch.play_opponents(bot, self.seats, number, play_new)
            if not scripted:  # this call ends the episodes of eliminated learners
                self.batch.play_opponents(RANDOM, self.seats, NOBODY, play_new)
            if not policies and len(scripted) < 2:
                return
            waiting = self._waiting_for(play_new)
            if not waiting.any():
                return
            asked = np.isin(waiting, list(policies))
            if asked.any():
                refusals = 0 if self._ask(policies, waiting) else refusals + 1
                self._check_refusals(refusals)
                self.batch.play_opponent_actions(asked, play_new)

    def _players(self) -> _Players:
        """Return the bots and the callables that hold seats, by their numbers in `seats`."""
        members = self.pool.members
        if len(members) > 1:
            return self._find_players(n for n in np.unique(self.seats).tolist() if n != LEARNER)
        # Called at every step, so the result for a sole opponent is cached.
        if self._sole_players is None or self._sole_players[0] is not members[0]:
            is_there = not self._one_player and self._self_play_games < self.batch.num_envs
            players = self._find_players([1] if is_there else [])
            self._sole_players = members[0], players
        return self._sole_players[1]

    def _find_players(self, numbers: Iterable[int]) -> _Players:
        members = {number: self._member(number - 1) for number in numbers}
        return (
            {number: one for number, one in members.items() if isinstance(one, str)},
            {number: one for number, one in members.items() if not isinstance(one, str)},
        )

    def _waiting_for(self, play_new: bool) -> npt.NDArray[np.int16]:
        """Return the number of the opponent to act, or LEARNER if there is none, (B,) int16."""
        acting = self.batch.buffers.acting
        numbers: npt.NDArray[np.int16] = self.seats[self.row_games, np.maximum(acting, 0)]
        numbers[acting < 0] = LEARNER
        if not play_new:
            numbers[find_new(self.batch.buffers)] = LEARNER
        return numbers

    def _ask(self, policies: dict[int, Policy], waiting: npt.NDArray[np.int16]) -> bool:
        """Let callables write their actions; return whether any is legal.

        waiting: (B,) int16, the result of `_waiting_for`.
        """
        buffers, any_legal = self.batch.buffers, False
        for number, policy in policies.items():
            at = np.flatnonzero(waiting == number)
            if not len(at):
                continue
            masks = buffers.masks[at, 0]
            actions = call_policy(policy, buffers.observations[at, 0], masks, self._rng)
            buffers.actions[at, 0] = actions
            inside = np.clip(actions, 0, masks.shape[2] - 1)
            legal = np.take_along_axis(masks, inside[..., None], axis=2)[..., 0] != 0
            refused = np.argwhere(~legal | (inside != actions))
            any_legal = any_legal or len(np.unique(refused[:, 0])) < len(at)
            if len(refused) and self.batch.on_illegal == "raise":
                row, k = refused[0].tolist()
                raise illegal_action(self.batch, int(at[row]), 0, k, int(actions[row, k]))
        return any_legal

    def _check_refusals(self, refusals: int) -> None:
        """Raise an error if callables keep returning only illegal actions."""
        if self.batch.on_illegal == "noop" and refusals > MOST_REFUSALS:
            raise IllegalActionError(
                f"opponents returned only illegal actions {refusals} times in a row; choose from "
                "the mask, or let them lose with on_illegal='forfeit'."
            )
