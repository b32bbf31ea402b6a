"""The kernel of all plain Python games, which `axiom_gym.game.bridge` loads."""

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
    """A game in progress.

    Attributes:
        rules: the rules of the game.
        progress: the match.
        seat: the seat of the player to act; 0 when the match is over.
        valid: the legal actions of this player, as objects.
        numbers: the legal actions as numbers of the catalogue.
        results: the rewards for places so far, by seat.
        paid: the ids of players who have got the reward for their place.
    """

    __slots__ = ("numbers", "paid", "progress", "results", "rules", "seat", "valid")

    valid: list[Any]

    def __init__(self, rules: Rules, seed: int) -> None:
        """Start a game. seed: 0 to 2**32 - 1."""
        super().__init__(rules.name, rules.fingerprint, seed, "h" if rules.is_narrow else "i")
        self.rules = rules
        self.progress = rules.start(seed)
        self.results = [0.0] * len(rules.ids)
        self.paid: tuple[str, ...] = ()
        self._find_actions()

    def is_legal(self, action: int) -> bool:
        return action in self.numbers

    def play(self, action: int, generator: int) -> None:
        progress = self.progress
        progress.rng.state = generator
        progress.advance(self.rules.catalogue.get_action(self.seat, action))
        self.note(action, generator)
        self._find_actions()
        self.pay()

    def _find_actions(self) -> None:
        """Find the player to act and the legal actions."""
        self.left = self.progress.rng.state
        if self.progress.reason is not None:
            # If a game is over at once, action 0 is legal, since a mask is never empty.
            self.seat, self.numbers, self.valid = 0, [0], []
            return
        player_id, self.valid = self.progress.get_mover()
        self.seat = self.rules.ids.index(player_id)
        self.numbers = self.rules.catalogue.find(self.seat, self.valid)

    def pay(self) -> None:
        """Pay players whose place is now known; see `axiom_gym.game.bridge`."""
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
        """Return the code that the kernel's `step` returns after a decision."""
        reason, rules = self.progress.reason, self.rules
        if reason is not None:
            return ENDED if reason == "over" else TRUNCATED
        is_long = self.progress.taken >= rules.limit or len(self.log) + LARGEST_ENTRY > rules.room
        return TRUNCATED if is_long else RUNNING


class Params(Sessions[PlainSession]):
    """The parameters of the kernel in one batch: the rules and the live sessions."""

    def __init__(self, rules: Rules, reader: SessionReader[PlainSession]) -> None:
        """Create the parameters, without sessions."""
        super().__init__(lambda seed: PlainSession(rules, seed), reader)
        self.rules = rules


def reset(state: Any, params: Params) -> None:
    """Start a game, with the record's generator as its seed."""
    session = params.begin(state)
    session.begin_record(state)
    state["results"] = 0.0
    params.put(session)


def acting(state: Any, params: Params) -> int:
    """Return the seat of the player to act."""
    return params.find(state).seat


def alive(state: Any, player: int, params: Params) -> bool:
    """Return True if a player is still in the game; see `axiom_gym.game.bridge`."""
    rules = params.rules
    if rules.get_rewards is not None or len(rules.ids) == 1:
        return True
    return rules.ids[player] not in params.find(state).progress.out


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write the mask of legal actions. mask: (1, N) int8."""
    session = params.find(state)
    # A player who does not act gets a mask that is not empty, but has no meaning.
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
    """Play one decision.

    actions: (1, 1) int64. rewards: (P,) float32, written. events: ignored.
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
    """Write the rewards of a decision.

    before: the state before it. results: `session.results` before it. rewards: (P,), written.
    """
    rules = session.rules
    if rules.get_rewards is None:
        rewards.fill(0.0)
        if session.results is not results:
            rewards[:] = [new - old for new, old in zip(session.results, results, strict=True)]
        return
    given = rules.get_rewards(before, session.progress.state)
    rewards[:] = list(read_rewards(given, rules.ids, rules.name).values())


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    """Write a player's observation. observation: float32, of the encoder's shape."""
    session = params.find(state)
    session.rules.encoder.write(session.progress.state, player, observation)


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write the players' rewards for their places, 0 before the end. returns: (P,) float32."""
    returns[:] = state["results"] if state["over"] else 0.0
