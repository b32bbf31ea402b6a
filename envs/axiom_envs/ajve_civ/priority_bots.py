"""The priority AIs as scripted players of batches: a function for each, `priorities` says which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.bots import choose_by_priority
from axiom_envs.ajve_civ.priorities import PRIORITIES, function_name, numbers_of
from axiom_envs.ajve_civ.state import Params
from axiom_gym.kernel import kernel


def _make_bot(name: str) -> Callable[..., None]:
    """The bot of this name; the driver of a game finds it in this module by its own name."""
    wishes = numbers_of(name)

    def bot(
        state: Any,
        player: int,
        mask: npt.NDArray[np.int8],
        stream: Any,
        orders: npt.NDArray[np.int64],
        params: Params,
    ) -> None:
        orders[0] = choose_by_priority(state, player, wishes, params)

    bot.__name__ = bot.__qualname__ = function_name(name)
    bot.__doc__ = f"Prefers {' before '.join(PRIORITIES[name])}."
    return kernel(bot)


globals().update({function_name(name): _make_bot(name) for name in PRIORITIES})
