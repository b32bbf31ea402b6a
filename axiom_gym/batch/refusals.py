"""What is said of an action that is not legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axiom_gym.errors import IllegalActionError
from axiom_gym.kernel import EVERYONE

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch


def illegal_action(batch: Batch, game: int, view: int, order: int) -> IllegalActionError:
    """The error for the action that stands in row `view` of `buffers.actions`, order `order`."""
    buffers = batch.buffers
    actor = int(buffers.acting[game])
    agent = batch.agents[view if actor == EVERYONE else actor]
    action = int(buffers.actions[game, view, order])
    legal = np.flatnonzero(buffers.masks[game, view, order]).tolist()
    return IllegalActionError(
        f"game {game}: action {action} of {agent}, order {order}, is not legal; legal are "
        f"{legal}.\n{batch.describe_state(game)}"
    )
