"""The learner's turn cycle in a sequential game: its own decision, then those of its opponents.

A step of the learner is one decision of its own and all decisions of opponents up to its next one.
The opening is all that opponents decide before the learner's first decision; it is part of the
learner's first step. Each game of the batch is in one of these states. `opening`, `early_end` and
`early_rewards` are fields of its `cycle_dtype` record, `length` and `ended` of its `episode_dtype`
record:

| state       | condition                  | next state                                            |
|-------------|----------------------------|-------------------------------------------------------|
| new         | opening = 1, length = 0    | opening or running, once opponents have their seats   |
| opening     | opening = 1, early_end = 0 | running at the learner's turn; ended early at the end |
| ended early | opening = 1, early_end > 0 | over: the learner's first step only reports the end   |
| running     | opening = 0, ended = 0     | over at the end of the episode                        |
| over        | ended = 1                  | new at a reset                                        |

Rewards from opponents' decisions are added to the learner's last step. Rewards from the opening
wait in `early_rewards` for the first step. A batch without a seating never calls `play_opponents`,
so its games stay in the opening: every step is a decision of the player to act.

The functions here only read and write buffers; `axiom_gym.batch.driver` calls the kernel.

Axis letters: B games, P players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.arrays import add_rewards, clear
from axiom_gym.batch.types import Buffers
from axiom_gym.kernel import inline_kernel, record_dtype


def cycle_dtype(num_players: int) -> np.dtype[Any]:
    """Return the dtype of a game's turn cycle. P = num_players."""
    players = (num_players,)
    return record_dtype(
        [
            ("early_rewards", np.float32, players),  # from the opening, for the first step
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
    clear(cycle.early_rewards)


@inline_kernel
def has_ended_early(i: int, buffers: Buffers) -> bool:
    """Return whether game `i` has ended in its opening; its next step only reports the end."""
    return has_cycle(buffers) and bool(buffers.cycles[i].early_end != 0)


@inline_kernel
def is_decided(i: int, buffers: Buffers) -> bool:
    """Return whether sequential game `i` has ended early or is over."""
    return bool(buffers.episodes[i].ended != 0 or buffers.cycles[i].early_end != 0)


@inline_kernel
def is_new(i: int, buffers: Buffers) -> bool:
    """Return whether game `i` is new: no player has decided yet."""
    return bool(buffers.cycles[i].opening != 0 and buffers.episodes[i].length == 0)


def find_new(buffers: Buffers) -> npt.NDArray[np.bool_]:
    """Return `is_new` of every game as (B,) bool."""
    new: npt.NDArray[np.bool_] = (buffers.episodes["length"] == 0) & (
        buffers.cycles["opening"] != 0
    )
    return new


@inline_kernel
def count_step(i: int, rewards: Any, buffers: Buffers) -> None:
    """Count a step of game `i` and add the opening's rewards to `rewards`, (P,) float32."""
    cycle = buffers.cycles[i]
    cycle.steps += 1
    add_rewards(rewards, cycle.early_rewards)
    clear(cycle.early_rewards)


@inline_kernel
def credit_opponents(i: int, end: int, rewards: Any, buffers: Buffers) -> int:
    """Add opponents' rewards to this step or, before the learner's first move, to its first one.

    Args:
        i: the game.
        end: the end reason if the opponent's decision ended the episode, else 0.
        rewards: (P,), the rewards of all players from that decision.
        buffers: of the batch.

    Returns:
        `end` if it must be reported now; 0 if the learner's first step will report it.
    """
    cycle = buffers.cycles[i]
    if cycle.opening != 0:
        add_rewards(cycle.early_rewards, rewards)
        cycle.early_end = end
        return 0
    add_rewards(buffers.rewards[i], rewards)
    return end
