"""The rules of the skirmish behind Axiom Gym's contract; they are the engine's.

Each function reads or writes a record, and finds the live session that belongs to it on `params`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.skirmish.constants import TIE_BREAK
from axiom_envs.skirmish.observe import write_observation
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import Params
from axiom_envs.skirmish.text import is_told
from axiom_gym.game.history import LARGEST_ENTRY
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED

__all__ = ["acting", "legal_actions", "observe", "outcome", "reset", "step"]


def reset(state: Any, params: Params) -> None:
    """A new game, whose seed is the record's generator."""
    session = params.begin(state)
    session.begin_record(state)
    state["result"] = 0.0
    params.put(session)


def acting(state: Any, params: Params) -> int:
    """Whose turn it is, or who is asked for a reaction."""
    return params.find(state).seat


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """What the rules allow now. mask: (1, A) int8, written."""
    session = params.find(state)
    if session.seat == player and not session.encounter.over:
        mask[0] = session.mask
    else:  # asked for who does not act: one choice that means nothing
        mask[0] = 0
        mask[0, 0] = 1


def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """One decision, and all that follows from it up to the next one.

    actions: (1, 1) int64. rewards: (P,) float32, written. events: None, or (E, 8) int16.
    """
    action, session, config = int(actions[0, 0]), params.take(state), params.config
    if not session.is_legal(action):
        params.put(session)
        return ILLEGAL
    before = len(session.log)
    potential = session.potential if config.shaping else 0.0
    session.play(action, int(state["rng"]))
    session.write_record(state, before)
    code = _judge(state, session, params)
    reward = float(state["result"])
    if config.shaping:
        # Nothing is left of the potential where the rules end the game, so that only the outcome
        # counts; where a limit cuts it off, it stays.
        after = 0.0 if code == ENDED else session.potential
        reward += config.shaping * (config.gamma * after - potential)
    np.multiply(params.shares, reward, out=rewards)
    if events is not None:
        _tell(events, session)
    params.put(session)
    return code


def _judge(state: Any, session: Session, params: Params) -> int:
    """Whether it is over; writes the result if it is."""
    encounter = session.encounter
    if not encounter.over and len(session.log) + LARGEST_ENTRY <= params.room:
        return RUNNING
    state["over"] = 1
    if session.winner >= 0:
        state["result"] = 1.0 - 2.0 * session.winner
        return ENDED
    if params.config.tie_break:
        state["result"] = TIE_BREAK * 2.0 * session.potential
    return TRUNCATED if len(encounter.standing()) > 1 else ENDED


def _tell(events: npt.NDArray[np.int16], session: Session) -> None:
    """A row for each event that is worth telling: its number. events: (E, 8) int16."""
    count = min(sum(map(is_told, session.happened())), len(events) - 1)
    events[0, 0] = count
    events[1 : 1 + count, 0] = np.arange(count)


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """What the player's side sees. observation: (F,) float32, written."""
    write_observation(params.find(state), player, observation)


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """The result, 0 while it runs. returns: (P,) float32, written."""
    np.multiply(params.shares, state["result"] if state["over"] else 0.0, out=returns)
