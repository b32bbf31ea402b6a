"""What a game consists of, as data: attributes, actions, events, phases.

A definition only holds what it was given; `axiom_gym.config.validation` looks for mistakes,
`axiom_gym.config.engine` plays it, and `axiom_gym.config.compiler` makes a kernel of it.

The callables get the state as a read-only mapping, and return a delta: for an attribute the change,
which is added and clamped to the attribute's bounds, and for every other key the new value. What
takes a context may have a second parameter for it; without a context it gets None.

The names are those of the original engine in snake case: `baseProbability` is `base_probability`,
`triggerType` is `trigger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from axiom_gym.errors import ConfigError

if TYPE_CHECKING:
    from axiom_gym.game.facts import KernelGame

State = Mapping[str, Any]
"""What the callables see: the game's fields, and `tick`, `history`, `cooldowns`, `meta`."""

Delta = Mapping[str, Any]
"""Changes: added to attributes, and clamped; any other key is replaced."""

Condition = Callable[..., Any]
"""(state) or (state, context) -> whether it holds. A restriction is one that forbids if it holds,
and never gets a context."""

Effect = Delta | Callable[..., Delta]
"""A delta, or (state) or (state, context) -> delta."""

Text = str | Callable[..., str]
"""A text, or (state) or (state, context) -> text; the state is the one before the effects."""

ENGINE_KEYS = ("tick", "history", "cooldowns", "meta")
"""Fields of the state that the engine owns; a delta cannot write them."""

PASSIVE, RANDOM, MILESTONE = "passiveModifierPhase", "randomEventPhase", "milestoneEventPhase"
BUILT_IN_PHASES = (PASSIVE, RANDOM, MILESTONE)


def _freeze(definition: Any) -> None:
    """Turns the lists that a definition was given into tuples."""
    for entry in fields(definition):
        value = getattr(definition, entry.name)
        if isinstance(value, list):
            object.__setattr__(definition, entry.name, tuple(value))


@dataclass(frozen=True, slots=True)
class Attribute:
    """A number with bounds."""

    min: float
    max: float
    default: float = 0
    """The value at the start, where the initial state gives no number; it is not clamped."""


@dataclass(frozen=True, slots=True, init=False)
class Choice:
    """A field that holds one of finitely many strings, or None: `Choice("clerk", "boss", None)`."""

    options: tuple[str | None, ...]
    default: str | None
    """The value at the start, where the initial state gives none."""

    def __init__(self, *options: str | None, default: str | Literal[False] | None = False) -> None:
        """The options; the default is the first one unless it is given."""
        object.__setattr__(self, "options", options)
        first = options[0] if options else None
        object.__setattr__(self, "default", first if default is False else default)


@dataclass(frozen=True, slots=True)
class PassiveModifier:
    """A change in every passive phase, without an entry in the history."""

    id: str
    delta: Delta | Callable[[State], Delta]
    condition: Condition | None = None
    """(state) -> whether it applies now."""

    def __post_init__(self) -> None:
        _freeze(self)


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the player can do."""

    id: str
    label: str = ""
    """For menus; the id where it is empty."""
    text: Text = ""
    """For the history."""
    effects: Sequence[Effect] = ()
    """In sequence, each on the state that the one before left."""
    conditions: Sequence[Condition] = ()
    """All must hold."""
    restrictions: Sequence[Condition] = ()
    """None may hold."""
    contexts: Sequence[Mapping[str, Any]] = ()
    """What it can be done with. Compiled, it becomes one discrete action for each of these;
    interpreted, `get_available_actions()` without a context lists it if one of them will do."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """For the game's own use."""

    def __post_init__(self) -> None:
        _freeze(self)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens by chance, or when its conditions hold."""

    id: str
    trigger: str = "random"
    """"milestone" for an event that fires whenever its conditions hold; everything else fires by
    chance."""
    text: Text = ""
    base_probability: float = 0.0
    """Of firing in one random phase, before the config's probability modifiers."""
    cooldown: float | None = None
    """Ticks from one firing to the next possible one; None for no pause. Events that have the same
    id share it."""
    effects: Sequence[Effect] = ()
    conditions: Sequence[Condition] = ()
    restrictions: Sequence[Condition] = ()
    label: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """For the game's own use, such as tags that a probability modifier reads."""

    def __post_init__(self) -> None:
        _freeze(self)


class HistoryEntry(NamedTuple):
    """What happened: an event that fired, or an action."""

    tick: int
    event_id: str
    """Of the event or the action."""
    text: str
    timestamp: float
    """Seconds since 1970; the only thing here that does not follow from the seed."""


class PhaseResult(NamedTuple):
    """What a custom phase returns."""

    state: State
    """The new state; it is taken as it is, unclamped and with the engine's own fields."""
    entries: Sequence[HistoryEntry] = ()
    """Not appended to the history: a phase that writes history does so in its state."""


Phase = Callable[[State, "GameConfig", int], PhaseResult]
"""A custom phase: (state, config, tick) -> PhaseResult."""

ProbabilityModifier = Callable[[State, float, Event], float]
"""(state, probability so far, event) -> probability."""


@dataclass(frozen=True, slots=True)
class GameConfig:
    """A whole game as data."""

    initial_state: Callable[[], Mapping[str, Any]]
    """() -> the game's fields at the start; always the same."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """Numbers, by name."""
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """Fields that hold one of finitely many strings, by name."""
    passive_modifiers: Sequence[PassiveModifier] = ()
    actions: Sequence[Action] = ()
    events: Sequence[Event] = ()
    restrictions: Sequence[Condition] = ()
    """For all events and actions: while one of them holds, nothing of that kind happens."""
    probability_modifiers: Sequence[ProbabilityModifier] = ()
    """In sequence, for the probability of every random event."""
    tick_order: Sequence[str] = BUILT_IN_PHASES
    """Names of the phases of a tick; one may stand there more than once."""
    custom_phases: Mapping[str, Phase] = field(default_factory=dict)
    """Phases of the game's own, by name; a built-in name wins over one of these."""
    undo_depth: int = 10
    """Operations that can be undone; 0 for none."""
    name: str = "game"
    """What saves, messages and compiled code call it."""

    def __post_init__(self) -> None:
        _freeze(self)

    def to_kernel_game(self, target: str, beside: Mapping[str, Any]) -> KernelGame:
        """Return the game that this config and the task beside it are; the registry asks for it.

        Args:
            target: where the config stands, `FILE.py:NAME` or `MODULE:NAME`.
            beside: what else stands there.

        Raises:
            ConfigError: if there is no task.
        """
        from axiom_gym.config.environment import as_game
        from axiom_gym.config.loading import find_task

        source, _, name = target.rpartition(":")
        task = find_task(beside, name)
        if task is None:
            raise ConfigError(
                f"there is no Task for {name!r} in {source!r}, so nothing to be rewarded for: add "
                f"{name}_TASK = Task(reward=..., max_ticks=...)."
            )
        return as_game(self, task)
