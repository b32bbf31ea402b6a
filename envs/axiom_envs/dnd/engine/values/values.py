"""Modifiable values, and the scores that are read from them.

A value has a base and four channels of modifiers:

    self_static              applies to the owner of the value, always
    self_contextual          applies to the owner when its callable returns a modifier
    to_target_static         applies to the target, always
    to_target_contextual     applies to the target when its callable returns a modifier

The target is the entity that the value is used against, such as the target of an attack.
After `set_from_target(other)`, a value is read with the outgoing channels of `other` as well, until
`reset_from_target()`. The context manager `Received` calls both, also after an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.values.modifiers import (
    NO_CONTEXT,
    Context,
    ContextualModifier,
    MaximumConstraint,
    MinimumConstraint,
    Modifier,
    NumericalModifier,
)
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import ConfigError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


Term = tuple[str, int]
"""A number and its origin, such as ("strength", 3)."""


class Channel:
    """The modifiers of one channel, in the order of their addition."""

    __slots__ = ("contextual", "modifiers", "name", "value")

    def __init__(self, value: ModifiableValue, name: str, contextual: bool) -> None:
        """Create an empty channel; a contextual channel accepts only contextual modifiers."""
        self.value = value
        self.name = name
        self.contextual = contextual
        self.modifiers: list[Modifier] = []

    def add(self, modifier: Modifier) -> Modifier:
        """Add a modifier, which takes effect and can now be found by its UUID.

        Raises:
            ConfigError: if a contextual modifier is added to a static channel or the reverse, or if
                the modifier is already in a channel.
        """
        if isinstance(modifier, ContextualModifier) != self.contextual:
            raise ConfigError(
                f"{type(modifier).__name__} {modifier.name!r} cannot be added to {self.name}: a "
                f"{'contextual' if self.contextual else 'static'} channel takes no other modifiers."
            )
        if modifier.number:
            raise ConfigError(
                f"modifier {modifier.name!r} is already in a channel: create a new one."
            )
        modifier.world = self.value.world
        modifier.world.register(modifier)
        self.modifiers.append(modifier)
        return modifier

    def remove(self, modifier: Modifier) -> None:
        """Remove a modifier; do nothing if it is not in the channel."""
        if modifier in self.modifiers:
            self.modifiers.remove(modifier)
            modifier.world.forget(modifier)
            modifier.number = 0


class ModifiableValue(BaseObject):
    """A number that modifiers of several kinds change.

    Attributes:
        name: the value's name in explanations.
        base: the number without modifiers.
        owner: the entity that the value belongs to, or None.
    """

    __slots__ = ("_channels", "_received", "base", "name", "owner")

    def __init__(
        self, name: str, base: int = 0, owner: Entity | None = None, world: World | None = None
    ) -> None:
        """Create a value without modifiers."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.name = name
        self.base = base
        self.owner = owner
        self._channels: list[Channel | None] | None = None
        self._received: ModifiableValue | None = None

    # -- channels ----------------------------------------------------------------------------------

    @property
    def self_static(self) -> Channel:
        """The modifiers that always apply to the owner."""
        return self._channel(0)

    @property
    def self_contextual(self) -> Channel:
        """The modifiers that apply to the owner in some situations."""
        return self._channel(1)

    @property
    def to_target_static(self) -> Channel:
        """The modifiers that always apply to the target."""
        return self._channel(2)

    @property
    def to_target_contextual(self) -> Channel:
        """The modifiers that apply to the target in some situations."""
        return self._channel(3)

    def _channel(self, k: int) -> Channel:
        if self._channels is None:
            self._channels = [None] * 4
        found = self._channels[k]
        if found is None:
            name = f"{self.name}.{_CHANNELS[k]}"
            found = self._channels[k] = Channel(self, name, contextual=k % 2 == 1)
        return found

    def channels(self) -> list[tuple[str, Channel]]:
        """Return the channels in use, in their order, each with its attribute's name."""
        found = zip(_CHANNELS, self._channels or (), strict=False)
        return [(name, channel) for name, channel in found if channel is not None]

    def modifiers(self) -> list[Modifier]:
        """Return all modifiers of the four channels, in the order of the channels."""
        channels = self._channels or ()
        return [one for channel in channels if channel is not None for one in channel.modifiers]

    def remove_modifier(self, modifier: Modifier) -> None:
        """Remove a modifier from the channel that contains it."""
        for channel in self._channels or ():
            if channel is not None:
                channel.remove(modifier)

    # -- other entities' values --------------------------------------------------------------------

    def set_from_target(self, other: ModifiableValue) -> None:
        """Include the outgoing channels of `other` in each reading from now on."""
        self._received = other

    def reset_from_target(self) -> None:
        """Stop including the channels of another value."""
        self._received = None

    # -- reading -----------------------------------------------------------------------------------

    @property
    def score(self) -> int:
        """The number with all modifiers that apply without a target."""
        return self.read().total

    def read(self, target: Entity | None = None, context: Context = NO_CONTEXT) -> Score:
        """Return the number with all modifiers that apply against this target, with origins."""
        return read_together([self], (), self.owner, target, context)

    @property
    def is_plain(self) -> bool:
        """True if nothing changes the base."""
        return self._channels is None and self._received is None


_CHANNELS = ("self_static", "self_contextual", "to_target_static", "to_target_contextual")


class Score:
    """The result of reading one or several values: a number, statuses and their origins.

    Attributes:
        total: the number, after the tightest constraints.
        advantages, disadvantages: number of sources of each.
        parts: the modifiers that apply, in the order in which they were read.
        terms: the numbers that are not modifiers.
    """

    __slots__ = (
        "advantages",
        "auto_hit",
        "auto_miss",
        "autocrit",
        "disadvantages",
        "maximum",
        "minimum",
        "nocrit",
        "parts",
        "terms",
        "total",
    )

    def __init__(self, terms: Sequence[Term] = ()) -> None:
        """Create a score with the sum of the terms."""
        self.total = 0
        for _, number in terms:
            self.total += number
        self.terms = list(terms)
        self.parts: list[Modifier] = []
        self.advantages = self.disadvantages = 0
        self.auto_hit = self.auto_miss = self.autocrit = self.nocrit = False
        self.minimum: int | None = None
        self.maximum: int | None = None

    @property
    def advantage(self) -> int:
        """1 for advantage, -1 for disadvantage, 0 for neither or both, which cancel out (SRD)."""
        return (self.advantages > 0) - (self.disadvantages > 0)

    @property
    def hits(self) -> bool | None:
        """True or False if the test succeeds or fails automatically; failure takes precedence."""
        return False if self.auto_miss else True if self.auto_hit else None

    @property
    def criticals(self) -> bool | None:
        """True or False if hits are critical always or never; "never" takes precedence."""
        return False if self.nocrit else True if self.autocrit else None

    def take(self, modifier: Modifier) -> None:
        """Apply a modifier."""
        self.parts.append(modifier)
        modifier.affect(self)

    def finish(self) -> Score:
        """Apply the constraints; a maximum overrides a minimum."""
        if self.minimum is not None and self.total < self.minimum:
            self.total = self.minimum
        if self.maximum is not None and self.total > self.maximum:
            self.total = self.maximum
        return self

    def explain(self) -> str:
        """Return the number and its origins, such as "5 = 3 (strength) + 2 (proficiency)"."""
        numbers = [(name, value) for name, value in self.terms if value]
        numbers += [(m.name, m.value) for m in self.parts if isinstance(m, NumericalModifier)]
        text = f"{self.total} = {join_terms(numbers)}"
        bounds = [
            m.describe() for m in self.parts if isinstance(m, MinimumConstraint | MaximumConstraint)
        ]
        return ", ".join([text, *bounds])

    def reasons(self, kind: type[Modifier], status: object) -> list[str]:
        """Return the names of the modifiers of a kind with a status, such as advantage."""
        return [m.name for m in self.parts if type(m) is kind and getattr(m, "status", 0) is status]


def join_terms(terms: Sequence[Term]) -> str:
    """Return a text such as "3 (strength) + 2 (proficiency) - 1 (curse)", or "0" without terms."""
    text = ""
    for name, value in terms:
        sign = " - " if value < 0 else " + "
        text += f"{sign if text else sign.strip().replace('+', '')}{abs(value)} ({name})"
    return text or "0"


def read_together(
    values: Sequence[ModifiableValue],
    terms: Sequence[Term],
    source: Entity | None,
    target: Entity | None,
    context: Context = NO_CONTEXT,
) -> Score:
    """Read several values and plain numbers as one score, such as an ability and a weapon.

    The values are read one by one; in each value the order is static modifiers, contextual
    modifiers, then those received from the other value.

    Args:
        values: the values to add up.
        terms: numbers that are not modifiers, each with its name.
        source: the entity that the score belongs to.
        target: the entity that the score is used against.
        context: the facts passed to contextual modifiers.
    """
    score = Score(terms)
    for value in values:
        if value.base:
            score.terms.append((value.name, value.base))
            score.total += value.base
        if value._channels is not None:
            _take_channels(score, value._channels, 0, source, target, context)
        received = value._received
        if received is not None and received._channels is not None:
            _take_channels(score, received._channels, 2, target, source, context)
    if score.minimum is not None or score.maximum is not None:
        score.finish()
    return score


def _take_channels(
    score: Score,
    channels: list[Channel | None],
    first: int,
    source: Entity | None,
    target: Entity | None,
    context: Context,
) -> None:
    """Apply the static channel `first` and the contextual channel that follows it."""
    static, contextual = channels[first], channels[first + 1]
    if static is not None:
        for modifier in static.modifiers:
            score.take(modifier)
    if contextual is not None:
        for modifier in contextual.modifiers:
            given = modifier.callable(source, target, context)  # type: ignore[attr-defined]
            if given is not None:
                score.take(given)


class Received:
    """A context manager in which two values receive each other's outgoing modifiers."""

    __slots__ = ("first", "second")

    def __init__(self, first: ModifiableValue, second: ModifiableValue) -> None:
        """Set the two values, such as an attack bonus and an armour class."""
        self.first = first
        self.second = second

    def __enter__(self) -> None:
        self.first.set_from_target(self.second)
        self.second.set_from_target(self.first)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.first.reset_from_target()
        self.second.reset_from_target()
