"""Modifiers of values, each in a static and a contextual form.

A modifier takes effect when it is added to a channel of a `ModifiableValue`. A contextual modifier
holds a callable `(source, target, context) -> modifier or None`, which is called each time the
value is read: `source` is the owner of the value, `target` the entity that the value is used
against (or None), and `context` a mapping of what the reader knows, such as the attack.
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
"""Facts about the situation in which a value is read; `rules.attack` lists the keys of attacks."""

NO_CONTEXT: Context = {}
"""The context without any facts."""


class AdvantageStatus(Enum):
    """Advantage or disadvantage: the higher or the lower of two dice counts."""

    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class CriticalStatus(Enum):
    """A hit is always critical, or never; "never" takes precedence."""

    AUTOCRIT = "always critical"
    NOCRIT = "never critical"


class AutoHitStatus(Enum):
    """A test succeeds or fails regardless of the roll; failure takes precedence."""

    AUTOHIT = "succeeds"
    AUTOMISS = "fails"


class ResistanceStatus(Enum):
    """Resistance, vulnerability or immunity to damage of one type."""

    RESISTANCE = "resistance"
    VULNERABILITY = "vulnerability"
    IMMUNITY = "immunity"


class Modifier(BaseObject):
    """Base class of all modifiers; a modifier is registered when it is added to a value.

    Attributes:
        name: the reason that explanations give.
        source: the entity that causes the modifier, None for the value's owner.
    """

    __slots__ = ("name", "source")

    def __init__(self, name: str, source: Entity | None = None) -> None:
        """Create a modifier that is not yet part of a value."""
        self.name = name
        self.source = source
        self.number = 0

    def describe(self) -> str:
        """Describe the modifier in a few words."""
        return self.name

    def affect(self, score: Score) -> None:
        """Apply the modifier to a score.

        Modifiers that change no score do nothing here; callers look them up among its parts.
        """


class NumericalModifier(Modifier):
    """A modifier that adds an integer."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """Create a modifier that adds `value`."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"{self.value:+d} ({self.name})"

    def affect(self, score: Score) -> None:
        score.total += self.value


class MinimumConstraint(Modifier):
    """A lower bound of the value; the highest of several applies."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """Create a constraint with the bound `value`."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"at least {self.value} ({self.name})"

    def affect(self, score: Score) -> None:
        known = score.minimum
        score.minimum = self.value if known is None else max(known, self.value)


class MaximumConstraint(Modifier):
    """An upper bound of the value; the lowest of several applies and overrides every minimum."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int, source: Entity | None = None) -> None:
        """Create a constraint with the bound `value`."""
        super().__init__(name, source)
        self.value = value

    def describe(self) -> str:
        return f"at most {self.value} ({self.name})"

    def affect(self, score: Score) -> None:
        known = score.maximum
        score.maximum = self.value if known is None else min(known, self.value)


class AdvantageModifier(Modifier):
    """Advantage or disadvantage on tests with the value."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: AdvantageStatus, source: Entity | None = None) -> None:
        """Create a modifier that gives `status`."""
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
    """A modifier that makes hits critical, or prevents critical hits."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: CriticalStatus, source: Entity | None = None) -> None:
        """Create a modifier that gives `status`."""
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
    """A modifier that makes tests with the value succeed or fail automatically."""

    __slots__ = ("status",)

    def __init__(self, name: str, status: AutoHitStatus, source: Entity | None = None) -> None:
        """Create a modifier that gives `status`."""
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
    """A modifier that sets a creature's size; the last one added applies."""

    __slots__ = ("size",)

    def __init__(self, name: str, size: Size, source: Entity | None = None) -> None:
        """Create a modifier that sets the size to `size`."""
        super().__init__(name, source)
        self.size = size

    def describe(self) -> str:
        return f"{self.size.value} ({self.name})"


class DamageTypeModifier(Modifier):
    """A modifier that sets the damage type; the last one added applies."""

    __slots__ = ("damage_type",)

    def __init__(self, name: str, damage_type: DamageType, source: Entity | None = None) -> None:
        """Create a modifier that sets the damage type to `damage_type`."""
        super().__init__(name, source)
        self.damage_type = damage_type

    def describe(self) -> str:
        return f"{self.damage_type.value} ({self.name})"


class ResistanceModifier(Modifier):
    """Resistance, vulnerability or immunity to a damage type; several of one status count once."""

    __slots__ = ("damage_type", "status")

    def __init__(
        self,
        name: str,
        damage_type: DamageType,
        status: ResistanceStatus,
        source: Entity | None = None,
    ) -> None:
        """Create a modifier that gives `status` for `damage_type`."""
        super().__init__(name, source)
        self.damage_type = damage_type
        self.status = status

    def describe(self) -> str:
        return f"{self.status.value} to {self.damage_type.value} ({self.name})"


Ask = Callable[["Entity | None", "Entity | None", Context], Modifier | None]
"""(source, target, context) -> the modifier that applies now, or None."""


class ContextualModifier(Modifier):
    """A modifier whose callable returns the modifier that applies now, of any kind, or None.

    The subclasses state the kind for readers of the code; they behave alike.
    """

    __slots__ = ("callable",)

    def __init__(self, name: str, callable: Ask, source: Entity | None = None) -> None:
        """Create a modifier that calls `callable` at each reading of the value."""
        super().__init__(name, source)
        self.callable = callable


class ContextualNumericalModifier(ContextualModifier):
    """A contextual modifier that yields a `NumericalModifier` or None."""

    __slots__ = ()


class ContextualMinimumConstraint(ContextualModifier):
    """A contextual modifier that yields a `MinimumConstraint` or None."""

    __slots__ = ()


class ContextualMaximumConstraint(ContextualModifier):
    """A contextual modifier that yields a `MaximumConstraint` or None."""

    __slots__ = ()


class ContextualAdvantageModifier(ContextualModifier):
    """A contextual modifier that yields an `AdvantageModifier` or None."""

    __slots__ = ()


class ContextualCriticalModifier(ContextualModifier):
    """A contextual modifier that yields a `CriticalModifier` or None."""

    __slots__ = ()


class ContextualAutoHitModifier(ContextualModifier):
    """A contextual modifier that yields an `AutoHitModifier` or None."""

    __slots__ = ()


class ContextualSizeModifier(ContextualModifier):
    """A contextual modifier that yields a `SizeModifier` or None."""

    __slots__ = ()


class ContextualDamageTypeModifier(ContextualModifier):
    """A contextual modifier that yields a `DamageTypeModifier` or None."""

    __slots__ = ()


class ContextualResistanceModifier(ContextualModifier):
    """A contextual modifier that yields a `ResistanceModifier` or None."""

    __slots__ = ()
