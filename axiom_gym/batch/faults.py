"""Text descriptions of faults: what the rules of a game could not compute, and where."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch


def describe_fault(batch: Batch, game: int = 0) -> str | None:
    """Return a description of the fault in a game's last turn, or None if there was none."""
    number = int(batch.buffers.episodes["fault"][game])
    if number == 0:
        return None
    return name_fault(batch, number)


def name_fault(batch: Batch, number: int) -> str:
    """Return the description of a fault by its number, from 1 on."""
    describe = batch.game.describe_fault
    return describe(batch.config, number) if describe else f"fault {number} of the rules"


def describe_faults(batch: Batch) -> npt.NDArray[np.object_] | None:
    """Return `describe_fault` of every game as (B,) object, or None if there was no fault."""
    if not batch.buffers.episodes["fault"].any():
        return None
    texts = np.empty(batch.num_envs, dtype=object)
    for game in np.flatnonzero(batch.buffers.episodes["fault"]).tolist():
        texts[game] = describe_fault(batch, game)
    return texts
