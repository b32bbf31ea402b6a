"""The kernel of the skirmish: the engine's rules behind Axiom Gym's contract.

Each function reads or writes a record, and finds the live session of the record in `params`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.skirmish.constants import TIE_BREAK
from axiom_envs.skirmish.log import EVENT_KINDS
from axiom_envs.skirmish.observe import write_observation
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import Params
from axiom_envs.skirmish.text import has_text
from axiom_gym.game.history import LARGEST_ENTRY
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED

_KINDS = {name: kind for kind, name in EVENT_KINDS.items()}

__all__ = ["acting", "legal_actions", "observe", "outcome", "reset", "step"]


def reset(state: Any, params: Params) -> None:
    """Start a new game, seeded from the record's generator."""
    session = params.begin(state)
    session.begin_record(state)
    state["result"] = 0.0
    params.put(session)


def acting(state: Any, params: Params) -> int:
    """Return the player whose turn it is, or who decides on a reaction."""
    return params.find(state).seat


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write the action mask. mask: (1, A) int8, written."""
    session = params.find(state)
    if session.seat == player and not session.encounter.over:
        mask[0] = session.mask
    else:  # this player does not act; a mask must have one legal action
        mask[0] = 0
        mask[0, 0] = 1


def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Carry out one decision, and everything that follows until the next decision.

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
        # The potential of a terminated game is 0, so that only the outcome counts. The potential
        # of a truncated game stays.
        after = 0.0 if code == ENDED else session.potential
        reward += config.shaping * (config.gamma * after - potential)
    np.multiply(params.shares, reward, out=rewards)
    if events is not None:
        _write_events(events, session)
    params.put(session)
    return code


def _judge(state: Any, session: Session, params: Params) -> int:
    """Return the code of the game's state; at the end, write the result."""
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


def _write_events(events: npt.NDArray[np.int16], session: Session) -> None:
    """Write a row for each event that has a text: its kind and number. events: (E, 8) int16."""
    kinds = [_KINDS[event.event_type] for event in session.happened() if has_text(event)]
    count = min(len(kinds), len(events) - 1)
    events[0, 0] = count
    events[1 : 1 + count, 0] = kinds[:count]
    events[1 : 1 + count, 1] = np.arange(count)


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Write the observation of a player's side. observation: (F,) float32, written."""
    write_observation(params.find(state), player, observation)


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write the outcome, 0 while the game is in progress. returns: (P,) float32, written."""
    np.multiply(params.shares, state["result"] if state["over"] else 0.0, out=returns)
