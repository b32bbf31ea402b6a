"""Opponents, which play the seats that the learner does not hold, and pools of them.

An opponent is one of these:

- a callable `(observations, masks, rng) -> actions` on batches. It receives (R, *shape) float32,
  (R, K, N) int8 and a `numpy.random.Generator`, and returns integers (R, K), or (R,) if K is 1. If
  it has a method `check_game(game, config)`, that method raises for games that it cannot play;
- a function `(observation, mask, rng) -> action` with these names of its parameters, which decides
  for one state; see `axiom_gym.opponents.names.SinglePolicy`;
- a name or path: "random" or a bot of the game, whose code is compiled; a saved model; a run
  directory; or `FILE.py:FUNCTION`. `axiom_gym.opponents.names` lists all forms;
- an `OpponentPool`, or a list of the above; each episode draws one of its members.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.names import load_opponent

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch

Policy = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.int8], np.random.Generator], npt.ArrayLike
]
Opponent = str | Path | Policy


class OpponentPool:
    """Opponents with weights; each episode draws one when it begins and keeps it to its end.

    Attributes:
        members: the opponents in the order in which they were added. Their places never change.
        weights: the relative frequency of each member. You may change them at any time; a member
            with weight 0 is not drawn.
    """

    def __init__(
        self, members: Iterable[Opponent] = (), weights: Sequence[float] | None = None
    ) -> None:
        """Make a pool of `members`, by default with equal weights.

        Raises:
            ConfigError: if the numbers of weights and members differ, or a weight is negative.
        """
        self.members: list[Opponent] = []
        self.weights: list[float] = []
        listed = list(members)
        given = [1.0] * len(listed) if weights is None else list(weights)
        if len(given) != len(listed):
            counts = f"{len(listed)} opponents needs as many weights, got {len(given)}"
            raise ConfigError(f"a pool of {counts}.")
        for member, weight in zip(listed, given, strict=True):
            self.add(member, weight)

    def add(self, member: Opponent, weight: float = 1.0) -> int:
        """Add an opponent and return its place.

        Raises:
            ConfigError: for a negative weight, or one that is not finite.
        """
        if not 0 <= weight < math.inf:
            raise ConfigError(f"the weight of an opponent must be 0 or more, got {weight!r}.")
        self.members.append(member)
        self.weights.append(float(weight))
        return len(self.members) - 1

    def thresholds(self) -> npt.NDArray[np.float64]:
        """Return the cumulative shares of the M members, (M,) float64; the last one is 1.

        Raises:
            ConfigError: if no member has a weight above 0, the numbers of weights and members
                differ, or a weight is negative.
        """
        weights = np.asarray(self.weights, np.float64)
        if len(weights) != len(self.members) or not (np.isfinite(weights) & (weights >= 0)).all():
            raise ConfigError(
                f"a pool of {len(self.members)} opponents needs as many weights, each 0 or more; "
                f"got {self.weights}."
            )
        if not weights.any():
            raise ConfigError("an opponent pool needs at least one member with a weight above 0.")
        shares = np.cumsum(weights)
        shares /= shares[-1]
        return shares


def as_pool(
    opponent: Opponent | OpponentPool | Sequence[Opponent], bots: Sequence[str]
) -> OpponentPool:
    """Return `opponent` as a pool whose members are names of bots or callables.

    Args:
        opponent: an opponent in any of the forms listed in this module's docstring.
        bots: the names of the game's scripted players.

    Raises:
        UnknownOpponentError: for a name that stands for no agent.
        ConfigError: for a value that is not an opponent.
    """
    if isinstance(opponent, OpponentPool):
        opponent.members[:] = [load_opponent(member, bots) for member in opponent.members]
        return opponent
    if isinstance(opponent, list | tuple):
        return OpponentPool([load_opponent(member, bots) for member in opponent])
    return OpponentPool([load_opponent(opponent, bots)])  # type: ignore[arg-type]


def check_game(opponent: Opponent, game: KernelGame, config: Any) -> None:
    """Let an opponent check that it can play a game.

    Raises:
        CheckpointError: for a saved model of another game, or of a game with other options.
    """
    check = getattr(opponent, "check_game", None)
    if check is not None:
        check(game, config)


def call_policy(
    policy: Policy, observations: Any, masks: Any, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the sub-actions of a callable opponent, (R, K) int64.

    observations: (R, *shape) float32. masks: (R, K, N) int8.

    Raises:
        ConfigError: if it returns another shape, or no integers.
    """
    rows, sub_actions = masks.shape[:2]
    actions = np.asarray(policy(observations, masks, rng))
    fits = actions.size == rows * sub_actions and actions.shape[:1] == (rows,)
    if actions.dtype.kind not in "iu" or not fits:
        raise ConfigError(
            f"an opponent must return integers of shape ({rows}, {sub_actions}), got "
            f"{actions.dtype} {actions.shape}."
        )
    return actions.reshape(rows, sub_actions).astype(np.int64, copy=False)


def give_sub_actions(
    batch: Batch,
    player: str | Policy,
    seats: npt.NDArray[np.int16],
    number: int,
    rng: np.random.Generator,
) -> None:
    """Let a player write its sub-actions into `batch.buffers.actions` wherever it is to act.

    Args:
        batch: the games.
        player: the name of a bot, or a callable.
        seats: (B, P) int16, the number of the player at each seat.
        number: the number of this player in `seats`.
        rng: the generator that a callable receives.

    Raises:
        ConfigError: as for `call_policy`.
    """
    if isinstance(player, str):
        batch.act(player, seats, number)
        return
    games, views = np.nonzero(seats == number)
    if batch.game.is_sequential:
        to_act = batch.buffers.acting[games] == views
        games, views = games[to_act], np.zeros(np.count_nonzero(to_act), np.int64)
    if len(games):
        buffers, at = batch.buffers, (games, views)
        buffers.actions[at] = call_policy(player, buffers.observations[at], buffers.masks[at], rng)
