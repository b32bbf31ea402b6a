"""The learner's turn cycle in a sequential game: its decision, then those of its opponents.

A step of the learner is one decision of its own and all decisions of opponents up to its next one.
What opponents do before its first decision, the opening, belongs to its first step. A game of the
batch is in one of these states; `opening`, `early_end` and `early_rewards` are in its record of
`cycle_dtype`, `length` and `ended` in its record of `episode_dtype`:

| state       | is                         | becomes                                              |
|-------------|----------------------------|------------------------------------------------------|
| new         | opening, length 0          | opening or running, once opponents have their seats  |
| opening     | opening, early_end 0       | running at the learner's turn, ended early at an end |
| ended early | opening, early_end not 0   | over: the learner's first step only reports the end  |
| running     | neither opening nor ended  | over at an end                                       |
| over        | ended                      | new at a reset                                       |

Rewards of opponents' decisions are added to the learner's last step; those of an opening wait in
`early_rewards` for the first one. In a batch without a seating nobody calls `play_opponents`, and
a game stays in the opening: every step is the decision of whoever is to act.

The functions here touch buffers only. What they need of the rules, `axiom_gym.batch.driver` does.

Axis letters: B games, P players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.types import Buffers
from axiom_gym.kernel import inline_kernel, record_dtype


def cycle_dtype(num_players: int) -> np.dtype[Any]:
    """Return the dtype of a game's turn cycle. P = num_players."""
    players = (num_players,)
    return record_dtype(
        [
            ("early_rewards", np.float32, players),  # of the opening, for the first step
            ("steps", np.int32),  # the learner's steps so far
            ("final_steps", np.int32),  # of the last episode that ended
            ("opening", np.int8),  # 1 until the learner's first turn
            ("early_end", np.int8),  # end reason if the episode ended in the opening, else 0
        ]
    )


@inline_kernel
def has_cycle(buffers: Buffers) -> bool:
    """Return whether the game is sequential."""
    return bool(buffers.cycles.shape[0] != 0)


@inline_kernel
def begin_cycle(i: int, buffers: Buffers) -> None:
    """Set game `i` to the state "new"."""
    cycle = buffers.cycles[i]
    cycle.steps = 0
    cycle.opening = 1
    cycle.early_end = 0
    cycle.early_rewards[:] = 0.0


@inline_kernel
def has_ended_early(i: int, buffers: Buffers) -> bool:
    """Return whether the next step of game `i` only reports its end, whatever the action."""
    return has_cycle(buffers) and bool(buffers.cycles[i].early_end != 0)


@inline_kernel
def is_decided(i: int, buffers: Buffers) -> bool:
    """Return whether game `i`, a sequential one, has ended early or is over."""
    return bool(buffers.episodes[i].ended != 0 or buffers.cycles[i].early_end != 0)


@inline_kernel
def is_new(i: int, buffers: Buffers) -> bool:
    """Return whether nobody has decided anything yet in game `i`."""
    return bool(buffers.cycles[i].opening != 0 and buffers.episodes[i].length == 0)


def find_new(buffers: Buffers) -> npt.NDArray[np.bool_]:
    """(B,) bool: `is_new` of every game."""
    new: npt.NDArray[np.bool_] = (buffers.episodes["length"] == 0) & (
        buffers.cycles["opening"] != 0
    )
    return new


@inline_kernel
def count_step(i: int, rewards: Any, buffers: Buffers) -> None:
    """Count a step of game `i`, and add the rewards of its opening. rewards: (P,), added to."""
    cycle = buffers.cycles[i]
    cycle.steps += 1
    for p in range(rewards.shape[0]):
        rewards[p] += cycle.early_rewards[p]
        cycle.early_rewards[p] = 0.0


@inline_kernel
def credit_opponents(i: int, end: int, rewards: Any, buffers: Buffers) -> int:
    """Add opponents' rewards to this step or, before the learner's first move, to its first one.

    Args:
        i: the game.
        end: how the opponent's decision ended the episode, or 0.
        rewards: (P,), what it brought everybody.
        buffers: of the batch.

    Returns:
        `end` if it is to be reported now; 0 if the first step does that, or there is none.
    """
    cycle = buffers.cycles[i]
    if cycle.opening != 0:
        for p in range(rewards.shape[0]):
            cycle.early_rewards[p] += rewards[p]
        cycle.early_end = end
        return 0
    for p in range(rewards.shape[0]):
        buffers.rewards[i, p] += rewards[p]
    return end
