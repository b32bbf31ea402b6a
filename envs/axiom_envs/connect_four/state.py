"""The state of Connect Four."""

from __future__ import annotations

import numpy as np

from axiom_gym.kernel import record_dtype

STATE = record_dtype(
    [
        ("stones", np.int64, (2,)),  # one integer of bits for each player, see `constants`
        ("ply", np.int8),  # the number of stones on the board; player_0 moves if it is even
        ("winner", np.int8),  # NO_WINNER, 0, 1 or DRAW
        ("rng", np.uint32),  # required in every record, unused here
    ]
)
