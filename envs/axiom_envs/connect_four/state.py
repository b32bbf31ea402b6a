"""The state of Connect Four."""

from __future__ import annotations

import numpy as np

from axiom_gym.kernel import record_dtype

STATE = record_dtype(
    [
        ("stones", np.int64, (2,)),  # of each player, as `constants` says
        ("ply", np.int8),  # stones on the board; player_0 moves where it is even
        ("winner", np.int8),  # NO_WINNER, 0, 1 or DRAW
        ("rng", np.uint32),  # nothing is drawn from it
    ]
)
