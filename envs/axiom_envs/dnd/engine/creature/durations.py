"""Durations of conditions."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from axiom_gym.errors import ConfigError, check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.conditions import BaseCondition
    from axiom_envs.dnd.engine.creature.entity import Entity


class DurationType(Enum):
    """Kinds of durations."""

    ROUNDS = "rounds"
    UNTIL_LONG_REST = "until long rest"
    PERMANENT = "permanent"
    ON_CONDITION = "on condition"


class Moment(Enum):
    """A moment in a turn at which durations are counted and saving throws are made."""

    TURN_START = "turn start"
    TURN_END = "turn end"


Until = Callable[["BaseCondition"], bool]
"""(condition) -> True if the condition ends."""


class Duration:
    """The time that a condition lasts.

    A duration in rounds counts a moment, such as the start, of one entity's turns. By default these
    are the turns of the condition's source, so n rounds end at the start of its n-th next turn. If
    there is no source, the turns of the condition's target count.

    Attributes:
        kind: the kind of duration.
        remaining: remaining rounds; the only part of an applied condition that changes.
        moment: the moment of a turn at which a round is counted.
        of_target: if True, the turns of the condition's target count.
        until: a function called at each start and end of a turn; True ends the condition.
    """

    __slots__ = ("kind", "moment", "of_target", "remaining", "until")

    def __init__(
        self,
        kind: DurationType = DurationType.PERMANENT,
        remaining: int = 0,
        *,
        moment: Moment = Moment.TURN_START,
        of_target: bool = False,
        until: Until | None = None,
    ) -> None:
        """Create a duration; the class describes the arguments.

        Raises:
            ConfigError: if the number of rounds is below 1, or `until` does not fit the kind.
        """
        if kind is DurationType.ROUNDS:
            check_range("rounds of a duration", remaining, 1)
        if (kind is DurationType.ON_CONDITION) != (until is not None):
            raise ConfigError("a duration has `until` if, and only if, its kind is ON_CONDITION.")
        self.kind = kind
        self.remaining = remaining
        self.moment = moment
        self.of_target = of_target
        self.until = until

    def counts_turns_of(self, condition: BaseCondition) -> Entity | None:
        """Return the entity whose turns are counted."""
        if self.of_target or condition.source is None:
            return condition.target
        return condition.source

    def tick(self, condition: BaseCondition, entity: Entity, moment: Moment) -> bool:
        """Count a moment of an entity's turn, and return True if the condition is over."""
        if self.until is not None:
            return self.until(condition)
        if self.kind is not DurationType.ROUNDS or moment is not self.moment:
            return False
        if self.counts_turns_of(condition) is not entity:
            return False
        self.remaining -= 1
        return self.remaining <= 0

    def describe(self) -> str:
        """Return a text such as "3 rounds" or "permanent"."""
        if self.kind is DurationType.ROUNDS:
            return f"{self.remaining} round{'s' if self.remaining != 1 else ''}"
        return str(self.kind.value)


def rounds(count: int, *, moment: Moment = Moment.TURN_START, of_target: bool = False) -> Duration:
    """Return a duration of `count` rounds; see `Duration`."""
    return Duration(DurationType.ROUNDS, count, moment=moment, of_target=of_target)


def permanent() -> Duration:
    """Return a duration that lasts until the condition is removed."""
    return Duration()


def until_long_rest() -> Duration:
    """Return a duration that lasts until a long rest."""
    return Duration(DurationType.UNTIL_LONG_REST)


def until(over: Until) -> Duration:
    """Return a duration that ends when `over(condition)` is True at a turn's start or end."""
    return Duration(DurationType.ON_CONDITION, until=over)
