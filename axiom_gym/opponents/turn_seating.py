"""The seating of games whose players act one at a time.

A step is one decision of the learner and all that others decide until it is the learner's turn
again, or the episode has ended; its rewards are the sum of what the learner got on the way. Where
the learner is out of the game its episode has ended: what it has earned by its place is paid.

What happens before the learner's first decision, an opening, belongs to the first step. An opening
that ends the episode is told by that step too: the learner is asked once for an action, which does
nothing.

A row is a game. In self-play games, where all seats are the learner's, it is whoever is to act: the
row's observation is that player's, and its reward the one of the player who has acted.

Axis letters: B games, P players, K sub-actions, N choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.batch.scripted import RANDOM
from axiom_gym.batch.seeds import Seeds
from axiom_gym.batch.sequence import find_new
from axiom_gym.errors import IllegalActionError
from axiom_gym.opponents.pool import Opponent, OpponentPool, Policy, call_policy
from axiom_gym.opponents.rows import Rows
from axiom_gym.opponents.seating import LEARNER, Seating

NOBODY = -1
"""A number that no player has in `seats`."""

_Players = tuple[dict[int, str], dict[int, Policy]]

MOST_REFUSALS = 100
"""So often in a row a callable may answer with illegal actions where these are left out."""


class TurnSeating(Seating):
    """Plays the opponents' turns between the learner's; attributes as of `Seating`, R = B."""

    def __init__(
        self,
        batch: Batch,
        opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
        seat: int | str = 0,
        self_play_games: int = 0,
    ) -> None:
        """As `Seating`; the batch then is this seating's alone."""
        super().__init__(batch, opponent, seat, self_play_games)
        self._sole: tuple[Any, _Players] | None = None
        batch.seat_learners()

    def _set_rows(self) -> None:
        """A row for each game."""
        games = self.batch.num_envs
        self.row_games = np.arange(games)
        self.row_seats = np.where(self.row_games < self._self_play, 0, self._seat).astype(np.int16)
        self._first_single = self._self_play
        self.num_rows = games

    # -- the learner's rows ------------------------------------------------------------------------

    def select(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array[:, 0]

    def _final_lengths(self) -> npt.NDArray[np.int32]:
        lengths: npt.NDArray[np.int32] = self.batch.buffers.cycles["final_steps"]
        return lengths

    # -- playing -----------------------------------------------------------------------------------

    def reset(
        self,
        seed: Seeds = None,
        which: npt.NDArray[np.bool_] | None = None,
    ) -> Rows:
        super().reset(seed, which)
        self._settle()
        self._follow_turns()
        return self._find_rows()

    def step(self, actions: npt.NDArray[np.int64]) -> Rows:
        self.batch.check_ready()
        self.batch.buffers.actions[:, 0] = actions
        acted = self.batch.buffers.acting.copy() if self._self_play else None
        if self.batch.on_illegal == "raise" and self._has_policies():
            self._step_or_restore()
        else:
            self._play_step()
        if acted is not None:
            held = self.final_seats().copy()
            held[: self._self_play] = np.maximum(acted[: self._self_play], 0)
            self._final_seats = held
        self._follow_turns()
        return self._find_rows()

    def _step_or_restore(self) -> None:
        """Steps; where an opponent's action is refused, everything is put back."""
        kept = self.get_state()
        try:
            self._play_step()
        except IllegalActionError:
            self.set_state(kept)
            raise

    def _play_step(self) -> None:
        """The learner's decision, then the others'; new episodes get their players before."""
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
        """In self-play games the row's seat is that of the player to act."""
        double = self._self_play
        if double:
            self.row_seats[:double] = np.maximum(self.batch.buffers.acting[:double], 0)

    # -- others' turns -----------------------------------------------------------------------------

    def _has_policies(self) -> bool:
        if len(self.pool.members) == 1:
            return bool(self._players()[1])
        return any(not isinstance(self._member(k), str) for k in range(len(self.pool.members)))

    def _settle(self, play_new: bool = True) -> None:
        """Plays on until every game waits for the learner, or is over.

        Args:
            play_new: whether episodes that have just begun are played too.
        """
        scripted, policies = self._players()
        refusals = 0
        while True:
            for number, bot in scripted.items():
                self.batch.play_opponents(bot, self.seats, number, play_new)
            if not scripted:  # what ends episodes of learners who are out
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
        """The bots and the callables that sit at a game, by their number in `seats`."""
        members = self.pool.members
        if len(members) > 1:
            return self._find_players(n for n in np.unique(self.seats).tolist() if n != LEARNER)
        # Of a sole opponent they are kept: this is asked at every step.
        if self._sole is None or self._sole[0] is not members[0]:
            is_there = not self._alone and self._self_play < self.batch.num_envs
            players = self._find_players([1] if is_there else [])
            self._sole = members[0], players
        return self._sole[1]

    def _find_players(self, numbers: Iterable[int]) -> _Players:
        members = {number: self._member(number - 1) for number in numbers}
        return (
            {number: one for number, one in members.items() if isinstance(one, str)},
            {number: one for number, one in members.items() if not isinstance(one, str)},
        )

    def _waiting_for(self, play_new: bool) -> npt.NDArray[np.int16]:
        """(B,) int16: the number of the opponent to act, LEARNER where nobody else is."""
        acting = self.batch.buffers.acting
        numbers: npt.NDArray[np.int16] = self.seats[self.row_games, np.maximum(acting, 0)]
        numbers[acting < 0] = LEARNER
        if not play_new:
            numbers[find_new(self.batch.buffers)] = LEARNER
        return numbers

    def _ask(self, policies: dict[int, Policy], waiting: npt.NDArray[np.int16]) -> bool:
        """Lets callables write their actions; whether any of them is legal. waiting: (B,)."""
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
        """Stops where the callables answer with nothing but illegal actions."""
        if self.batch.on_illegal == "noop" and refusals > MOST_REFUSALS:
            raise IllegalActionError(
                f"opponents gave nothing but illegal actions {refusals} times in a row; choose "
                "from the mask, or make them lose by on_illegal='forfeit'."
            )
