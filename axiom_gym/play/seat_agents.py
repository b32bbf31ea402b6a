"""Agents that play one game at a time and may forfeit it, such as language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.kernel import NO_SUB_ACTION
from axiom_gym.opponents.pool import Policy
from axiom_gym.replay.format import Asked, Attempt, Turn
from axiom_gym.replay.recorder import Recorder


class Joined(Protocol):
    """An agent in one seat of a match, which may forfeit, and whose attempts the replay holds."""

    failure: str
    """The reason of a forfeit, for the replay."""

    def decide(self) -> Sequence[int] | None:
        """Return sub-actions (K,) in the current state, or None to forfeit the match."""

    def note_turn(self) -> None:
        """Note the actions in the batch's buffers, which are about to be played."""

    def rewind(self, turns: int) -> None:
        """Forget the turns after the first `turns`."""

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return the transcript of the last decision, once."""


@runtime_checkable
class SeatAgent(Protocol):
    """An agent that plays one game at a time.

    It needs more than observations, so it plays only where games are played one by one.
    """

    name: str

    def for_batch(self, batch: Batch, seat: int) -> Joined:
        """Return the agent at a seat of a batch of one."""


class MatchOver(Exception):  # noqa: N818 - it is no error
    """The end of a match by forfeits."""


class SeatAgents:
    """The agents of a match that may forfeit.

    The batch has on_illegal "noop", which leaves out the sub-actions of those who have forfeited.
    """

    def __init__(self, batch: Batch, agents: Mapping[int, SeatAgent]) -> None:
        """Take the agents by seat, of which there may be none."""
        self._batch = batch
        self._joined = {seat: agent.for_batch(batch, seat) for seat, agent in agents.items()}
        self._forfeited: Sequence[int] = ()
        self._asked: list[Asked] = []

    def make_policy(self, seat: int) -> Policy:
        """Return the agent of a seat as a callable."""
        return lambda *_: self._ask(seat)

    def _ask(self, seat: int) -> npt.NDArray[np.int64]:
        """Return the sub-actions (1, K) of a player, NO_SUB_ACTION if it forfeits or has."""
        masks = self._batch.buffers.masks[0, self._batch.view_of(seat)]
        if not self._batch.alive()[seat]:
            return np.array([masks.argmax(axis=1)], np.int64)
        chosen: Sequence[int] | None = None
        if seat not in self._forfeited:
            joined = self._joined[seat]
            chosen = joined.decide()
            attempts = joined.take_attempts()
            self._asked += [Asked(seat, attempts)] if attempts else []
        return np.array([[NO_SUB_ACTION] * len(masks) if chosen is None else chosen], np.int64)

    def check_turn(self, recorder: Recorder) -> list[Turn]:
        """Record the forfeits in the buffers, check all other actions, and note the turn.

        If several players forfeit in a turn, they do in the order of their seats, as in `GameLoop`.
        The last one who is left has won and forfeits no more.

        Returns:
            The lines of the forfeits.

        Raises:
            IllegalActionError: for an illegal sub-action.
        """
        lines = []
        actions, masks = self._batch.buffers.actions[0], self._batch.buffers.masks[0]
        alive, self._forfeited = self._batch.alive(), recorder.forfeited
        for seat in self._batch.to_act() if self._joined else ():
            view = self._batch.view_of(seat)
            gives_up = seat in self._joined and (actions[view] == NO_SUB_ACTION).all()
            if gives_up and seat not in self._forfeited:
                why = self._joined[seat].failure
                lines.append(recorder.record_forfeit(seat, why, self.take_asked()))
            elif seat not in self._forfeited or not alive[seat]:
                _check_legal(self._batch, view, actions[view], masks[view])
            if recorder.ended:
                return lines
        for joined in self._joined.values():
            joined.note_turn()
        return lines

    def take_asked(self) -> tuple[Asked, ...]:
        """Return the transcripts of the decisions since the last call."""
        taken = tuple(self._asked)
        self._asked.clear()
        return taken

    def rewind(self, turns: int) -> None:
        """Forget the turns after the first `turns`."""
        self._asked.clear()
        for joined in self._joined.values():
            joined.rewind(turns)


def _check_legal(
    batch: Batch, view: int, actions: npt.NDArray[np.int64], masks: npt.NDArray[Any]
) -> None:
    for k, action in enumerate(actions.tolist()):
        if not (0 <= action < masks.shape[1] and masks[k, action]):
            raise illegal_action(batch, 0, view, k, action)
