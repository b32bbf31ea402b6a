"""States and actions of kernel games as objects that cannot be changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.game.base import BaseAction, BaseGameState
from axiom_gym.game.facts import KernelGame
from axiom_gym.records import field_names

Orders = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KernelAction(BaseAction):
    """A player's orders: `type` is "orders" for all of a turn, or "order" for a single one."""

    orders: Orders
    first: int = 0
    """Which order of the turn `orders` begins with."""


class PlayedTurn(NamedTuple):
    """A turn that a kernel has played."""

    player: int | None
    """The seat of who acted; None where all act at once."""
    orders: tuple[Orders, ...]
    masks: npt.NDArray[np.int8]
    """(V, K, N): what was legal."""
    data: bytes
    """The record's bytes after the turn, with 0 for its generator."""
    rng: int
    """The state of the match's generator after the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelState(BaseGameState):
    """A position of a kernel game, and what players have ordered in the turn so far.

    `turn` counts from 1, and rises when all have given their orders. What others have ordered is
    there for the rules alone: agents get a state without it, see `KernelGameObject.view`.
    """

    kernel_game: KernelGame = field(compare=False, repr=False)
    config: Any = field(compare=False, repr=False)
    """The game's configuration."""
    data: bytes = field(repr=False)
    """The record's bytes. Its generator is 0: chance comes from the match."""
    pending: tuple[Orders | None, ...] = field(repr=False)
    """Orders by seat, None where there are none yet."""
    partial: Orders = ()
    """Orders that the active player has given so far, where they are given one by one."""
    ended: Literal["", "terminated", "truncated"] = ""
    """Whether the rules, or a limit or fault, have ended the game."""
    fault: int = 0
    """The number of the fault of the rules that ended the game, 0 for none."""
    scores: tuple[float, ...] = ()
    """The kernel's outcome by seat."""
    played: tuple[PlayedTurn, ...] = field(default=(), compare=False, repr=False)
    """The turns that the last action has completed, for the replay."""

    @property
    def record(self) -> Any:
        """The kernel's record, read only."""
        return np.frombuffer(self.data, self.kernel_game.dtype(self.config))[0]

    def read(self, data: bytes, rng: int) -> Any:
        """Return a record of the game as a batch has it, with this state of its generator."""
        record = np.frombuffer(data, self.kernel_game.dtype(self.config)).copy()
        record["rng"] = rng
        return record[0]

    def describe(self) -> str:
        """The position as text, and the fault if one ended the game."""
        text = self.kernel_game.describe_state(self.record)
        if not self.fault:
            return text
        describe = self.kernel_game.describe_fault
        what = describe(self.config, self.fault) if describe else f"fault {self.fault} of the rules"
        return f"{text}\n{what}"

    def canonical_fields(self) -> Mapping[str, Any]:
        """What counts in a digest; the fields of the record as `record.NAME`."""
        hidden = ("kernel_game", "config", "data", "played")
        fields = [*BaseGameState.__slots__, *KernelState.__slots__]
        own = {name: getattr(self, name) for name in fields if name not in hidden}
        record = self.record
        return own | {f"record.{name}": record[name] for name in field_names(record.dtype)}
