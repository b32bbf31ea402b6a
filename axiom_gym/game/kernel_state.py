"""Immutable states and actions of kernel games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.deprecated import renamed_members
from axiom_gym.game.base import BaseAction, BaseGameState
from axiom_gym.game.facts import KernelGame
from axiom_gym.records import field_names

SubActions = tuple[int, ...]
Ended = Literal["", "terminated", "truncated"]


@renamed_members(orders="sub_actions")
@dataclass(frozen=True, slots=True)
class KernelAction(BaseAction):
    """A player's sub-actions.

    `type` is "sub_actions" for all sub-actions of a turn, and "sub_action" for a single one.
    """

    sub_actions: SubActions
    first: int = 0
    """The place of the first of these sub-actions among those of the turn."""


class PlayedTurn(NamedTuple):
    """A turn that the kernel has played."""

    player: int | None
    """The seat of the player who acted; None where all act at once."""
    sub_actions: tuple[SubActions, ...]
    masks: npt.NDArray[np.int8]
    """The action masks of the V players who acted, (V, K, N)."""
    data: bytes
    """The bytes of the record after the turn, with 0 as its generator."""
    rng: int
    """The state of the match's generator after the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelState(BaseGameState):
    """A state of a kernel game, and the sub-actions that players have chosen for the current turn.

    `turn` counts from 1 and rises when all players have chosen. Only the rules read the choices of
    other players: agents get a state without them, see `KernelGameObject.view`.
    """

    kernel_game: KernelGame = field(compare=False, repr=False)
    config: Any = field(compare=False, repr=False)
    """The game's configuration."""
    data: bytes = field(repr=False)
    """The bytes of the record. Its generator is 0, because chance comes from the match."""
    pending: tuple[SubActions | None, ...] = field(repr=False)
    """The sub-actions of each seat, None where the player has not chosen yet."""
    partial: SubActions = ()
    """The sub-actions that the active player has chosen so far, if they are chosen one by one."""
    ended: Ended = ""
    """"terminated" by the rules, "truncated" by a limit or a fault, "" while in progress."""
    fault: int = 0
    """The number of the fault of the rules that ended the game, 0 for none."""
    scores: tuple[float, ...] = ()
    """The kernel's outcome by seat."""
    played: tuple[PlayedTurn, ...] = field(default=(), compare=False, repr=False)
    """The turns that the last action completed, for the replay."""

    @property
    def record(self) -> Any:
        """The kernel's record, read-only."""
        return np.frombuffer(self.data, self.kernel_game.dtype(self.config))[0]

    def read(self, data: bytes, rng: int) -> Any:
        """Return a record as a batch holds it, with this state of its generator."""
        record = np.frombuffer(data, self.kernel_game.dtype(self.config)).copy()
        record["rng"] = rng
        return record[0]

    def describe(self) -> str:
        """Return the state as text, followed by the fault if one ended the game."""
        text = self.kernel_game.describe_state(self.record)
        if not self.fault:
            return text
        describe = self.kernel_game.describe_fault
        what = describe(self.config, self.fault) if describe else f"fault {self.fault} of the rules"
        return f"{text}\n{what}"

    def canonical_fields(self) -> Mapping[str, Any]:
        """Return the fields that a digest covers; those of the record are named `record.NAME`."""
        hidden = ("kernel_game", "config", "data", "played")
        fields = [*BaseGameState.__slots__, *KernelState.__slots__]
        own = {name: getattr(self, name) for name in fields if name not in hidden}
        record = self.record
        return own | {f"record.{name}": record[name] for name in field_names(record.dtype)}
