"""Positions of a kernel's replay that is played again: a batch of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from axiom_gym.backend.codegen import compile_function
from axiom_gym.backend.plain import as_python
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVENT_COLUMNS, NO_SUB_ACTION
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.recorder import Recorder

_ROWS = 4096
"""Rows of the log of one turn, far more than any rules write."""


class KernelSource:
    """A game of a kernel.

    Attributes:
        title: the game's, for people.
        header: the replay's, as it comes out now.
        batch: the game, as a batch of one.
    """

    def __init__(self, replay: Replay, game: KernelGame) -> None:
        """Set up the first position."""
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
        self.header = self._recorder.header
        self._step: Any = None

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self._recorder.ended

    def play(self, turn: Turn) -> Turn | str:
        """Play a line; return it as it comes out now, or why it cannot be played."""
        refusal = self._refuse_forfeit(turn) if turn.why else self._refuse(turn)
        if refusal:
            return refusal
        if turn.why:
            assert turn.player is not None
            return self._recorder.record_forfeit(turn.player, turn.why)
        self.batch.buffers.actions[0] = turn.orders
        self.batch.step()
        return self._recorder.record(turn.fallback)

    def _refuse_forfeit(self, turn: Turn) -> str:
        seats = self.batch.to_act()
        if turn.player not in seats or turn.player in self._recorder.forfeited:
            return f"seat {turn.player} gives up and is not to act."
        is_alive = self.batch.alive()[turn.player]
        return "" if is_alive else f"seat {turn.player} gives up and was out before."

    def _refuse(self, turn: Turn) -> str:
        """Return why the orders of a turn cannot be played, or nothing."""
        seats, agents = self.batch.to_act(), self.batch.agents
        if self.batch.game.is_sequential and seats != [turn.player]:
            return f"seat {turn.player} has acted, but it is {agents[seats[0]]}'s turn."
        alive = self.batch.alive()
        for view, (seat, orders) in enumerate(zip(seats, turn.orders, strict=True)):
            has_left = seat in self._recorder.forfeited and alive[seat]
            for k, order in enumerate(orders):
                mask = self.batch.buffers.masks[0, view, k]
                legal = [NO_SUB_ACTION] if has_left else np.flatnonzero(mask).tolist()
                if order not in legal:
                    return (
                        f"order {k} of {agents[seat]} is {order}, which is not legal; legal are "
                        f"{legal}."
                    )
        return ""

    def finish(self) -> Replay:
        """Return the replay as it comes out now; the game is over."""
        return self._recorder.finish()

    def show_field(self, name: str) -> Any:
        """Return the value of a field of the present state, as plain values."""
        return np.asarray(self.batch.buffers.states[0][name]).tolist()

    # -- for people --------------------------------------------------------------------------------

    def describe_state(self) -> str:
        """Return the present position as text."""
        return self.batch.describe_state()

    def describe_fault(self) -> str | None:
        """Return what went wrong in the last turn; None if nothing did."""
        return describe_fault(self.batch)

    def keep(self) -> Any:
        """Return the present position, to describe the next line with."""
        return self.batch.buffers.states[0].copy()

    def describe_sub_actions(self, turn: Turn, before: Any) -> list[str]:
        """Return a text for each who acted. before: what `keep` gave."""
        return describe_actions(self.batch.game, before, turn.player, turn.orders)

    def describe_events(self, turn: Turn, before: Any) -> list[str]:
        """Return what came of a turn, which is played once more with a log. before: is changed."""
        game = self.batch.game
        if game.describe_event is None or turn.why:
            return []
        if self._step is None:
            step, label = game.kernel().step, f"{game.info.name}_logged"
            self._step = compile_function(step, label) if game.compiled else as_python(step)
            self._params = game.params(self.batch.config)
        events = np.zeros((_ROWS, EVENT_COLUMNS), np.int16)
        rewards = np.zeros(self.batch.num_players, np.float32)
        self._step(before, np.array(turn.orders, np.int64), rewards, events, self._params)
        rows = events[1 : 1 + int(events[0, 0])].tolist()
        return [text for text in (game.describe_event(before, row) for row in rows) if text]


def describe_actions(
    game: KernelGame, state: Any, player: int | None, orders: Sequence[Sequence[int]]
) -> list[str]:
    """Return a text for each who acts. state: before the turn; player: None where all do."""
    seats = range(len(orders)) if player is None else [player]
    return [game.describe_action(state, *row) for row in zip(seats, orders, strict=True)]
