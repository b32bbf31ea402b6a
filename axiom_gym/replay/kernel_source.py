"""A kernel game that is played again from its replay, as a batch of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import NO_SUB_ACTION
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.recorder import Recorder
from axiom_gym.replay.turn_events import TurnEvents


class KernelSource:
    """A kernel game that a `Playback` plays and records again.

    Attributes:
        title: the title of the game.
        batch: the game, as a batch of one.
        header: the header of the new recording.
        finish: the recorder's method, which returns the new recording.
    """

    def __init__(self, replay: Replay, game: KernelGame) -> None:
        """Set up the first state."""
        header = replay.header
        forfeits = any(turn.why for turn in replay.turns)
        self.title = game.info.title
        self.batch = Batch(
            game,
            autoreset="disabled",
            on_illegal="noop" if forfeits else "raise",
            max_turns=header.max_turns,
            **header.options,
        )
        self.batch.reset(header.seed)
        self._recorder = Recorder(self.batch, header.players, forfeits=forfeits)
        self.header, self.finish = self._recorder.header, self._recorder.finish
        self._events = TurnEvents(game, self.batch.config)

    @property
    def ended(self) -> bool:
        """True if the game is over."""
        return self._recorder.ended

    def play(self, turn: Turn) -> Turn | str:
        """Play a line; return the line recorded now, or the reason why it cannot be played."""
        refusal = self._refuse_forfeit(turn) if turn.why else self._refuse_turn(turn)
        if refusal:
            return refusal
        if turn.why:
            assert turn.player is not None
            return self._recorder.record_forfeit(turn.player, turn.why)
        self.batch.buffers.actions[0] = turn.orders
        self.batch.step()
        return self._recorder.record(turn.fallback)

    def _refuse_forfeit(self, turn: Turn) -> str:
        """Return why a player cannot forfeit, or an empty string."""
        if turn.player not in self.batch.to_act() or turn.player in self._recorder.forfeited:
            return f"seat {turn.player} forfeits and is not to act."
        is_alive = self.batch.alive()[turn.player]
        return "" if is_alive else f"seat {turn.player} forfeits and was eliminated before."

    def _refuse_turn(self, turn: Turn) -> str:
        """Return why the sub-actions of a turn cannot be played, or an empty string."""
        seats, agents = self.batch.to_act(), self.batch.agents
        if self.batch.game.is_sequential and seats != [turn.player]:
            return f"seat {turn.player} has acted, but it is {agents[seats[0]]}'s turn."
        alive = self.batch.alive()
        for view, (seat, chosen) in enumerate(zip(seats, turn.orders, strict=True)):
            has_left = seat in self._recorder.forfeited and alive[seat]
            for k, choice in enumerate(chosen):
                mask = self.batch.buffers.masks[0, view, k]
                legal = [NO_SUB_ACTION] if has_left else np.flatnonzero(mask).tolist()
                if choice not in legal:
                    what = f"sub-action {k} of {agents[seat]} is {choice}"
                    return f"{what}, which is not legal; legal are {legal}."
        return ""

    def show_field(self, name: str) -> Any:
        """Return the value of a field of the current state, as plain Python values."""
        return np.asarray(self.batch.buffers.states[0][name]).tolist()

    # -- text --------------------------------------------------------------------------------------

    def describe_state(self) -> str:
        """Return the current state as text."""
        return self.batch.describe_state()

    def describe_fault(self) -> str | None:
        """Return the fault of the last turn as text; None if there was none."""
        return describe_fault(self.batch)

    def keep(self) -> Any:
        """Return a copy of the current state, to describe the next line with."""
        return self.batch.buffers.states[0].copy()

    def describe_sub_actions(self, turn: Turn, before: Any) -> list[str]:
        """Return a text for each player who acted. before: the result of `keep`."""
        return describe_actions(self.batch.game, before, turn.player, turn.orders)

    def describe_events(self, turn: Turn, before: Any) -> list[str]:
        """Return a turn's events as text; see `TurnEvents.describe`."""
        return [] if turn.why else self._events.describe(before, turn.orders)


def describe_actions(
    game: KernelGame, state: Any, player: int | None, sub_actions: Sequence[Sequence[int]]
) -> list[str]:
    """Return a text for each player who acts.

    Args:
        game: the game.
        state: the state record before the turn.
        player: the seat of the player who acts; None where all players act at once.
        sub_actions: the sub-actions of each player who acts.
    """
    seats = range(len(sub_actions)) if player is None else [player]
    return [game.describe_action(state, *row) for row in zip(seats, sub_actions, strict=True)]
