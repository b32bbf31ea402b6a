"""Modifiers: what changes a value, each with a contextual twin.

A modifier is made freely and takes effect when it is added to a channel of a `ModifiableValue`. A
contextual one holds a callable `(source, target, context) -> modifier or None`, which is asked each
time that the value is read: `source` is the entity whose value it is, `target` the one it is read
against (None if there is none), `context` a mapping with what the reader knows, such as the attack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.values.types import DamageType, Size
from axiom_envs.dnd.engine.world.objects import BaseObject

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.values.values import Score

Context = Mapping[str, Any]
"""What the reader of a value knows: see `rules.attack` for the keys of attacks."""

NO_CONTEXT: Context = {}
"""Nothing is known."""


class AdvantageStatus(Enum):
    """Two dice instead of one: the higher, or the lower."""

    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class CriticalStatus(Enum):
    """Whether a hit must be critical, or cannot be; the second beats the first."""

    AUTOCRIT = "always critical"
    NOCRIT = "never critical"


class AutoHitStatus(Enum):
    """Whether a test succeeds or fails whatever is rolled; failing beats succeeding."""

    AUTOHIT = "succeeds"
    AUTOMISS = "fails"


class ResistanceStatus(Enum):
    """How damage of a type is taken."""

    RESISTANCE = "resistance"
    VULNERABILITY = "vulnerability"
    IMMUNITY = "immunity"


class Modifier(BaseObject):
    """Base of all modifiers; it is registered when it is added to a value.

    Attributes:
        name: why, as an explanation says it.
        source: from whom, None for the value's owner.
    """

    __slots__ = ("name", "source")

    def __init__(self, name: str, source: Entity | None = None) -> None:
        """`name` says why, `source` from whom."""
        self.name = name
        self.source = source
        self.number = 0

    def describe(self) -> str:
        """What it does, in a few words."""
        return self.name

    def affect(self, score: Score) -> None:
        """Counts in a score that is being read; who needs more looks it up among its parts."""


class NumericalModifier(Modifier):
    """Adds an integer."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """`value` is added."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"{self.value:+d} ({self.name})"

    def affect(self, score: Score) -> None:
        score.total += self.value


class MinimumConstraint(Modifier):
    """The value is at least this; of several the highest counts."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """`value` is the bound."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"at least {self.value} ({self.name})"

    def affect(self, score: Score) -> None:
        known = score.minimum
        score.minimum = self.value if known is None else max(known, self.value)


class MaximumConstraint(Modifier):
    """The value is at most this; of several the lowest counts, and it beats every minimum."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """`value` is the bound."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"at most {self.value} ({self.name})"

    def affect(self, score: Score) -> None:
        known = score.maximum
        score.maximum = self.value if known is None else min(known, self.value)


class AdvantageModifier(Modifier):
    """Gives advantage or disadvantage on tests with the value."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: AdvantageStatus, source: Entity | None = None) -> None:
        """`status` says which."""
        super().__init__(name, source)
        self.status = status

    def describe(self) -> str:
        return f"{self.status.value} ({self.name})"

    def affect(self, score: Score) -> None:
        if self.status is AdvantageStatus.ADVANTAGE:
            score.advantages += 1
        else:
            score.disadvantages += 1


class CriticalModifier(Modifier):
    """Makes hits critical, or keeps them from it."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: CriticalStatus, source: Entity | None = None) -> None:
        """`status` says which."""
        super().__init__(name, source)
        self.status = status

    def describe(self) -> str:
        return f"{self.status.value} ({self.name})"

    def affect(self, score: Score) -> None:
        if self.status is CriticalStatus.AUTOCRIT:
            score.autocrit = True
        else:
            score.nocrit = True


class AutoHitModifier(Modifier):
    """Makes tests with the value succeed, or fail."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: AutoHitStatus, source: Entity | None = None) -> None:
        """`status` says which."""
        super().__init__(name, source)
        self.status = status

    def describe(self) -> str:
        return f"{self.status.value} ({self.name})"

    def affect(self, score: Score) -> None:
        if self.status is AutoHitStatus.AUTOHIT:
            score.auto_hit = True
        else:
            score.auto_miss = True


class SizeModifier(Modifier):
    """Sets a creature's size; the last one added counts."""

    __slots__ = ("size",)

    def __init__(self, name: str, size: Size, source: Entity | None = None) -> None:
        """`size` is the new one."""
        super().__init__(name, source)
        self.size = size

    def describe(self) -> str:
        return f"{self.size.value} ({self.name})"


class DamageTypeModifier(Modifier):
    """Sets the type of damage dealt; the last one added counts."""

    __slots__ = ("damage_type",)

    def __init__(self, name: str, damage_type: DamageType, source: Entity | None = None) -> None:
        """`damage_type` is the new one."""
        super().__init__(name, source)
        self.damage_type = damage_type

    def describe(self) -> str:
        return f"{self.damage_type.value} ({self.name})"


class ResistanceModifier(Modifier):
    """Resistance, vulnerability or immunity to a type of damage; several of a kind count once."""

    __slots__ = ("damage_type", "status")

    def __init__(
        self,
        name: str,
        damage_type: DamageType,
        status: ResistanceStatus,
        source: Entity | None = None,
    ) -> None:
        """`status` says which, of `damage_type`."""
        super().__init__(name, source)
        self.damage_type = damage_type
        self.status = status

    def describe(self) -> str:
        return f"{self.status.value} to {self.damage_type.value} ({self.name})"


Ask = Callable[["Entity | None", "Entity | None", Context], Modifier | None]
"""(source, target, context) -> the modifier that counts now, or None."""


class ContextualModifier(Modifier):
    """Asks its callable each time for the modifier that counts now; any kind may be given.

    The classes below narrow down the kind for those who read the code.
    """

    __slots__ = ("callable",)

    def __init__(self, name: str, callable: Ask, source: Entity | None = None) -> None:
        """`callable` is asked."""
        super().__init__(name, source)
        self.callable = callable


class ContextualNumericalModifier(ContextualModifier):
    """Gives a `NumericalModifier` or None."""

    __slots__ = ()


class ContextualMinimumConstraint(ContextualModifier):
    """Gives a `MinimumConstraint` or None."""

    __slots__ = ()


class ContextualMaximumConstraint(ContextualModifier):
    """Gives a `MaximumConstraint` or None."""

    __slots__ = ()


class ContextualAdvantageModifier(ContextualModifier):
    """Gives an `AdvantageModifier` or None."""

    __slots__ = ()


class ContextualCriticalModifier(ContextualModifier):
    """Gives a `CriticalModifier` or None."""

    __slots__ = ()


class ContextualAutoHitModifier(ContextualModifier):
    """Gives an `AutoHitModifier` or None."""

    __slots__ = ()


class ContextualSizeModifier(ContextualModifier):
    """Gives a `SizeModifier` or None."""

    __slots__ = ()


class ContextualDamageTypeModifier(ContextualModifier):
    """Gives a `DamageTypeModifier` or None."""

    __slots__ = ()


class ContextualResistanceModifier(ContextualModifier):
    """Gives a `ResistanceModifier` or None."""

    __slots__ = ()
