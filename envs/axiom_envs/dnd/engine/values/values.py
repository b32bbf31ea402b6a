"""Modifiable values, and the scores that are read from them.

A value has a base and four channels of modifiers:

    self_static              always counts for the value's owner
    self_contextual          counts for the owner where its callable gives something
    to_target_static         counts for whom the value is used against
    to_target_contextual     the same, where its callable gives something

A value that is `set_from_target(other)` reads the outgoing channels of `other` along with its own,
until `reset_from_target()`. `Received` does both, and never leaks.
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
"""A number and where it comes from, such as ("strength", 3)."""


class Channel:
    """The modifiers of one channel, in the order in which they were added."""

    __slots__ = ("contextual", "modifiers", "name", "value")

    def __init__(self, value: ModifiableValue, name: str, contextual: bool) -> None:
        """An empty channel of this value; a contextual one takes contextual modifiers alone."""
        self.value = value
        self.name = name
        self.contextual = contextual
        self.modifiers: list[Modifier] = []

    def add(self, modifier: Modifier) -> Modifier:
        """Adds a modifier, which then counts, and is found by its UUID.

        Raises:
            ConfigError: for a contextual modifier in a static channel, or the reverse; and for one
                that stands in a channel already.
        """
        if isinstance(modifier, ContextualModifier) != self.contextual:
            raise ConfigError(
                f"{type(modifier).__name__} {modifier.name!r} cannot be added to {self.name}: a "
                f"{'contextual' if self.contextual else 'static'} channel takes no other modifiers."
            )
        if modifier.number:
            raise ConfigError(f"modifier {modifier.name!r} was added before: make another one.")
        modifier.world = self.value.world
        modifier.world.register(modifier)
        self.modifiers.append(modifier)
        return modifier

    def remove(self, modifier: Modifier) -> None:
        """Takes a modifier away; nothing happens if it is gone already."""
        if modifier in self.modifiers:
            self.modifiers.remove(modifier)
            modifier.world.forget(modifier)
            modifier.number = 0


class ModifiableValue(BaseObject):
    """A number that modifiers of several kinds change.

    Attributes:
        name: what it is called in explanations.
        base: the number without modifiers.
        owner: the entity whose value it is, None for one that stands alone.
    """

    __slots__ = ("_channels", "_received", "base", "name", "owner")

    def __init__(
        self, name: str, base: int = 0, owner: Entity | None = None, world: World | None = None
    ) -> None:
        """A value without modifiers."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.name = name
        self.base = base
        self.owner = owner
        self._channels: list[Channel | None] | None = None
        self._received: ModifiableValue | None = None

    # -- channels ----------------------------------------------------------------------------------

    @property
    def self_static(self) -> Channel:
        """What always counts for the owner."""
        return self._channel(0)

    @property
    def self_contextual(self) -> Channel:
        """What counts for the owner in some situations."""
        return self._channel(1)

    @property
    def to_target_static(self) -> Channel:
        """What always counts for whom this value is used against."""
        return self._channel(2)

    @property
    def to_target_contextual(self) -> Channel:
        """What counts in some situations for whom this value is used against."""
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
        """The channels that were ever used, in their order, each with its attribute's name."""
        found = zip(_CHANNELS, self._channels or (), strict=False)
        return [(name, channel) for name, channel in found if channel is not None]

    def modifiers(self) -> list[Modifier]:
        """All modifiers of the four channels, in the order of these."""
        channels = self._channels or ()
        return [one for channel in channels if channel is not None for one in channel.modifiers]

    def remove_modifier(self, modifier: Modifier) -> None:
        """Takes a modifier away, whichever channel it stands in."""
        for channel in self._channels or ():
            if channel is not None:
                channel.remove(modifier)

    # -- other entities' values --------------------------------------------------------------------

    def set_from_target(self, other: ModifiableValue) -> None:
        """From now on the outgoing channels of `other` count here too."""
        self._received = other

    def reset_from_target(self) -> None:
        """Nothing of another value counts here any more."""
        self._received = None

    # -- reading -----------------------------------------------------------------------------------

    @property
    def score(self) -> int:
        """The number with all modifiers that count without a target."""
        return self.read().total

    def read(self, target: Entity | None = None, context: Context = NO_CONTEXT) -> Score:
        """The number with all modifiers that count against this target, and why."""
        return read_together([self], (), self.owner, target, context)

    @property
    def is_plain(self) -> bool:
        """Whether nothing changes the base."""
        return self._channels is None and self._received is None


_CHANNELS = ("self_static", "self_contextual", "to_target_static", "to_target_contextual")


class Score:
    """What was read from one or several values: a number, statuses, and where they come from.

    Attributes:
        total: the number, within the tightest constraints.
        advantages, disadvantages: how many sources of each there are.
        parts: the modifiers that counted, in the order in which they were asked.
        terms: the numbers that are no modifiers.
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
        """The sum of the terms."""
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
        """1 for advantage, -1 for disadvantage, 0 for neither: any of both cancel out (SRD)."""
        return (self.advantages > 0) - (self.disadvantages > 0)

    @property
    def hits(self) -> bool | None:
        """True or False where the test succeeds or fails in any case; failing beats succeeding."""
        return False if self.auto_miss else True if self.auto_hit else None

    @property
    def criticals(self) -> bool | None:
        """True or False where hits are critical always or never; never beats always."""
        return False if self.nocrit else True if self.autocrit else None

    def take(self, modifier: Modifier) -> None:
        """Lets a modifier count."""
        self.parts.append(modifier)
        modifier.affect(self)

    def finish(self) -> Score:
        """Applies the constraints; a maximum beats a minimum."""
        if self.minimum is not None and self.total < self.minimum:
            self.total = self.minimum
        if self.maximum is not None and self.total > self.maximum:
            self.total = self.maximum
        return self

    def explain(self) -> str:
        """The number and where it comes from: "5 = 3 (strength) + 2 (proficiency)"."""
        numbers = [(name, value) for name, value in self.terms if value]
        numbers += [(m.name, m.value) for m in self.parts if isinstance(m, NumericalModifier)]
        text = f"{self.total} = {join_terms(numbers)}"
        bounds = [
            m.describe() for m in self.parts if isinstance(m, MinimumConstraint | MaximumConstraint)
        ]
        return ", ".join([text, *bounds])

    def reasons(self, kind: type[Modifier], status: object) -> list[str]:
        """Names of the modifiers of a kind with this status, such as why there is advantage."""
        return [m.name for m in self.parts if type(m) is kind and getattr(m, "status", 0) is status]


def join_terms(terms: Sequence[Term]) -> str:
    """Such as "3 (strength) + 2 (proficiency) - 1 (curse)"; "0" for none."""
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
    """One score of several values and plain numbers, such as an ability, proficiency and a weapon.

    Modifiers are asked value by value: static, contextual, then those received from the other side.

    Args:
        values: what counts together.
        terms: numbers that are no modifiers, each with its name.
        source: whose score it is.
        target: whom it is read against.
        context: what contextual modifiers are told.
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
    """Takes a static channel, `first`, and the contextual one after it."""
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
    """Lets two values receive each other's outgoing modifiers while the context lasts."""

    __slots__ = ("first", "second")

    def __init__(self, first: ModifiableValue, second: ModifiableValue) -> None:
        """The two values, such as an attack bonus and an armour class."""
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
