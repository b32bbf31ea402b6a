"""What an illegal action costs under the policy "forfeit"."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_gym.kernel import inner_kernel


@inner_kernel
def pay_forfeits(offenders: int, rewards: npt.NDArray[np.float32]) -> None:
    """Offenders get -1, the others share their loss; if all of several offend, nobody gets any.

    rewards: (P,) float32, written.
    """
    players = rewards.shape[0]
    count = 0
    for p in range(players):
        count += (offenders >> p) & 1
    for p in range(players):
        if count == players and players > 1:
            rewards[p] = 0.0
        elif (offenders >> p) & 1:
            rewards[p] = -1.0
        else:
            rewards[p] = count / (players - count)
