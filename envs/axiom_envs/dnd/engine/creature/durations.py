"""How long conditions last."""

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
    """When in a round something is looked at."""

    TURN_START = "turn start"
    TURN_END = "turn end"


Until = Callable[["BaseCondition"], bool]
"""(condition) -> whether it is over."""


class Duration:
    """How long a condition lasts.

    A duration in rounds counts the moments, such as starts of turns, of one entity: by default of
    the condition's source, so that n rounds are over when its turn comes round for the n-th time;
    without a source, of who has the condition.

    Attributes:
        kind: what ends it.
        remaining: rounds to go; the one thing about a condition that changes while it lasts.
        moment: when a round counts.
        of_target: whether the turns of who has the condition count.
        until: asked at every start and end of a turn; True ends the condition.
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
        """See the class.

        Raises:
            ConfigError: for less than one round, or an ON_CONDITION without `until`.
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
        """Whose turns count."""
        if self.of_target or condition.source is None:
            return condition.target
        return condition.source

    def tick(self, condition: BaseCondition, entity: Entity, moment: Moment) -> bool:
        """Tells of a moment of an entity's turn; whether the condition is over."""
        if self.until is not None:
            return self.until(condition)
        if self.kind is not DurationType.ROUNDS or moment is not self.moment:
            return False
        if self.counts_turns_of(condition) is not entity:
            return False
        self.remaining -= 1
        return self.remaining <= 0

    def describe(self) -> str:
        """Such as "3 rounds", "permanent"."""
        if self.kind is DurationType.ROUNDS:
            return f"{self.remaining} round{'s' if self.remaining != 1 else ''}"
        return str(self.kind.value)


def rounds(count: int, *, moment: Moment = Moment.TURN_START, of_target: bool = False) -> Duration:
    """A duration of so many rounds; see `Duration`."""
    return Duration(DurationType.ROUNDS, count, moment=moment, of_target=of_target)


def permanent() -> Duration:
    """For ever, or until it is removed."""
    return Duration()


def until_long_rest() -> Duration:
    """Until a long rest."""
    return Duration(DurationType.UNTIL_LONG_REST)


def until(over: Until) -> Duration:
    """Until `over(condition)`, which is asked at every start and end of a turn."""
    return Duration(DurationType.ON_CONDITION, until=over)
