"""Scripted bots of the skirmish: those of the engine, `axiom_envs.dnd.tactics`.

They read the whole state, hidden enemies included. They draw no random numbers: among equal choices
they take the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.tactics import Bot, play_focus_fire, play_greedy, play_kiting
from axiom_envs.skirmish.state import Params
from axiom_gym.seeded_rng import SeededRNG


def _decide(play: Bot, state: Any, stream: Any, sub_actions: Any, params: Params) -> None:
    """Write the choice of a bot. sub_actions: (1,) int64, written."""
    session = params.find(state)
    rng = SeededRNG(int(stream["rng"]))
    choice = play(session.encounter, session.encounter.legal, rng)
    stream["rng"] = rng.state
    sub_actions[0] = session.catalogue.to_index(choice, session)


def greedy(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Choose the attack with the highest expected damage, or a move to the nearest enemy.

    mask: (1, A) int8; sub_actions: (1,) int64, written.
    """
    _decide(play_greedy, state, stream, sub_actions, params)


def focus_fire(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Play as `greedy`, but attack the enemy closest to 0 hit points. Arrays: see `greedy`."""
    _decide(play_focus_fire, state, stream, sub_actions, params)


def kiting(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Play as `greedy`, but shoot from a distance if possible. Arrays: see `greedy`."""
    _decide(play_kiting, state, stream, sub_actions, params)
