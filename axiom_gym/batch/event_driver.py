"""The compiled loop that counts the events of a turn.

Like `axiom_gym.batch.driver`, this file is a template.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.backend.null_kernel import step
from axiom_gym.kernel import entry

CACHE = False


@entry(CACHE)
def count_events(
    states: Any, actions: Any, running: Any, counts: Any, rewards: Any, events: Any, params: Any
) -> None:
    """Play a turn of every running game, and count the rows of its event log by kind.

    Args:
        states: (B,) records, changed.
        actions: (B, V, K) int64, which may be overwritten.
        running: (B,) bool, True for the games to play.
        counts: (B, kinds) int64, to which the number of rows of each kind is added; other kinds are
            ignored.
        rewards: (P,) float32, scratch.
        events: (E, 8) int16, scratch.
        params: the parameters of the game.
    """
    for i in range(len(running)):
        if running[i]:
            events[0, 0] = 0
            step(states[i], actions[i], rewards, events, params)
            for row in range(1, 1 + int(events[0, 0])):
                kind = int(events[row, 0])
                if 0 <= kind < counts.shape[1]:
                    counts[i, kind] += 1
