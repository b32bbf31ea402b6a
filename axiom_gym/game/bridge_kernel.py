"""The contract's functions for all plain Python games; `axiom_gym.game.bridge` hands them out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.game.bridge_rules import Rules
from axiom_gym.game.history import (
    LARGEST_ENTRY,
    Session,
    SessionReader,
    Sessions,
    quick_fields,
    writes_last,
)
from axiom_gym.game.rewards import read_rewards, reward_out, reward_places
from axiom_gym.game.standing import rank_match
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED

__all__ = [
    "Params",
    "PlainSession",
    "acting",
    "alive",
    "legal_actions",
    "observe",
    "outcome",
    "reset",
    "step",
]


class PlainSession(Session):
    """A game that is being played.

    Attributes:
        rules: what it is played by.
        progress: the match.
        seat: of who is to act; 0 when it is over.
        valid: all that this player may do, as objects.
        numbers: the same as numbers of the catalogue.
        results: by seat, what was paid for the places so far.
        paid: ids of those who have been paid for their places.
    """

    __slots__ = ("numbers", "paid", "progress", "results", "rules", "seat", "valid")

    valid: list[Any]

    def __init__(self, rules: Rules, seed: int) -> None:
        """Begin a game. seed: 0 to 2**32 - 1."""
        super().__init__(rules.name, rules.fingerprint, seed, "h" if rules.is_narrow else "i")
        self.rules = rules
        self.progress = rules.start(seed)
        self.results = [0.0] * len(rules.ids)
        self.paid: tuple[str, ...] = ()
        self._look()

    def is_legal(self, action: int) -> bool:
        return action in self.numbers

    def play(self, action: int, generator: int) -> None:
        progress = self.progress
        progress.rng.state = generator
        progress.advance(self.rules.catalogue.get_action(self.seat, action))
        self.note(action, generator)
        self._look()
        self.pay()

    def _look(self) -> None:
        """Find out who is to act, and what may be done."""
        self.left = self.progress.rng.state
        if self.progress.reason is not None:
            # The first action stands for any, where a game is over before it begins.
            self.seat, self.numbers, self.valid = 0, [0], []
            return
        player_id, self.valid = self.progress.get_mover()
        self.seat = self.rules.ids.index(player_id)
        self.numbers = self.rules.catalogue.find(self.seat, self.valid)

    def pay(self) -> None:
        """Pay those who have their places now, by the rules of the module `bridge`."""
        progress, ids, out = self.progress, self.rules.ids, self.progress.out
        if progress.reason == "over":
            places = rank_match(self.rules.game, progress.state, self.rules.players, ())
            unpaid = [place for place in places if place.player.id not in self.paid]
            paid = reward_places(unpaid, len(ids))
        elif len(out) > len(self.paid) and len(ids) > 1:
            gone = [one for one in out if one not in self.paid]
            paid = reward_out(gone, len(ids) - len(out), len(ids))
        else:
            return
        self.results = [paid.get(one, old) for one, old in zip(ids, self.results, strict=True)]
        self.paid = (*self.paid, *paid)

    def judge(self) -> int:
        """Return what the contract's `step` returns after a decision."""
        reason, rules = self.progress.reason, self.rules
        if reason is not None:
            return ENDED if reason == "over" else TRUNCATED
        is_long = self.progress.taken >= rules.limit or len(self.log) + LARGEST_ENTRY > rules.room
        return TRUNCATED if is_long else RUNNING


class Params(Sessions[PlainSession]):
    """What the kernel of a batch gets: the rules, and the sessions at hand."""

    def __init__(self, rules: Rules, reader: SessionReader[PlainSession]) -> None:
        """Begin without sessions."""
        super().__init__(lambda seed: PlainSession(rules, seed), reader)
        self.rules = rules


def reset(state: Any, params: Params) -> None:
    """Begin a game, whose seed is the record's generator."""
    session = params.begin(state)
    session.begin_record(state)
    state["results"] = 0.0
    params.put(session)


def acting(state: Any, params: Params) -> int:
    """Return the seat of who is to act."""
    return params.find(state).seat


def alive(state: Any, player: int, params: Params) -> bool:
    """Return whether a player still takes part; see the module `bridge`."""
    rules = params.rules
    if rules.get_rewards is not None or len(rules.ids) == 1:
        return True
    return rules.ids[player] not in params.find(state).progress.out


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write what the game allows now. mask: (1, N) int8."""
    session = params.find(state)
    # Who does not act has one choice, which means nothing.
    numbers = session.numbers if session.seat == player else (0,)
    mask[0] = session.rules.make_mask(tuple(numbers))


@writes_last
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Carry out one decision.

    actions: (1, 1) int64. rewards: (P,) float32, written. events: not looked at.
    """
    session, action = params.take(state), actions.item(0)
    if not session.is_legal(action):
        params.put(session)
        return ILLEGAL
    length, before, results = len(session.log), session.progress.state, session.results
    if session.progress.reason is None:
        session.play(action, quick_fields(state).rng)
    else:
        session.pay()
    code = session.judge()
    _reward(session, before, results, rewards)
    if len(session.log) > length:
        session.write_record(state, length)
    if session.results is not results:
        state["results"] = session.results
    if code != RUNNING:
        state["over"] = 1
    params.put(session)
    return code


def _reward(
    session: PlainSession, before: Any, results: list[float], rewards: npt.NDArray[np.float32]
) -> None:
    """Write what an action was worth. results: before it, by seat. rewards: (P,), written."""
    rules = session.rules
    if rules.get_rewards is None:
        rewards.fill(0.0)
        if session.results is not results:
            rewards[:] = [new - old for new, old in zip(session.results, results, strict=True)]
        return
    given = rules.get_rewards(before, session.progress.state)
    rewards[:] = list(read_rewards(given, rules.ids, rules.name).values())


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Write what the encoder gives. observation: float32, of the encoder's shape."""
    session = params.find(state)
    session.rules.encoder.write(session.progress.state, player, observation)


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write what players were paid for their places, once it is over. returns: (P,) float32."""
    returns[:] = state["results"] if state["over"] else 0.0
