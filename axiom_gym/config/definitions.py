"""The definitions that make up a game: attributes, actions, events, phases.

Definitions are plain data. `axiom_gym.config.validation` finds mistakes in them,
`axiom_gym.config.engine` plays them, and `axiom_gym.config.compiler` compiles them to a kernel.

Callables get the state as a read-only mapping. Effects return a delta: for an attribute the change,
which is added and clamped to the attribute's bounds, and for any other key the new value. `Set(x)`
in a delta is a new value also for an attribute.
Conditions, effects and texts may take the context as a second parameter; it is None without one.

The names are those of the original engine in snake case: `baseProbability` is `base_probability`,
`triggerType` is `trigger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from axiom_gym.config.keywords import explain_keywords
from axiom_gym.errors import ConfigError

if TYPE_CHECKING:
    from axiom_gym.game.facts import KernelGame

State = Mapping[str, Any]
"""The state as callables see it: the game's fields, and `tick`, `history`, `cooldowns`, `meta`.

If the config has parameters, its attribute `params` is a mapping of their names to their values."""

Delta = Mapping[str, Any]
"""Changes by key. For an attribute, the value is added and clamped; any other key is replaced."""


class Set(NamedTuple):
    """A new value in a delta, clamped to the bounds of an attribute: `{"health": Set(50)}`."""

    value: Any


Condition = Callable[..., Any]
"""A function (state) or (state, context) -> bool. A restriction is a condition that forbids its
action or event while it holds; its context is always None."""

Effect = Delta | Callable[..., Delta]
"""A delta, or a function (state) or (state, context) -> delta."""

Cost = float | Callable[..., Any]
"""An amount of an attribute, or a function (state) or (state, context) -> amount."""

Text = str | Callable[..., str]
"""A text, or a function (state) or (state, context) -> text, called before the effects."""

ENGINE_KEYS = ("tick", "history", "cooldowns", "meta")
"""The fields of the state that the engine owns; deltas cannot write them."""

WAIT = "wait"
"""The name of the action that only advances the time."""

NOT_OWN = "a delta must not write {key!r}, which the engine owns; return only the changes."
"""The message for a delta with one of the engine's keys."""

PASSIVE, RANDOM, MILESTONE = "passiveModifierPhase", "randomEventPhase", "milestoneEventPhase"
BUILT_IN_PHASES = (PASSIVE, RANDOM, MILESTONE)


def plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python number, whose division by zero raises."""
    return value.item() if isinstance(value, np.generic) else value


def _freeze(definition: Any) -> None:
    """Convert the lists of a definition to tuples, and its NumPy scalars to Python numbers."""
    for entry in fields(definition):
        value = getattr(definition, entry.name)
        if isinstance(value, (list, np.generic)):
            new = tuple(value) if isinstance(value, list) else plain(value)
            object.__setattr__(definition, entry.name, new)


@explain_keywords
@dataclass(frozen=True, slots=True)
class Attribute:
    """A number with bounds."""

    min: float
    max: float
    default: float = 0
    """The start value if the initial state has no number for it; it is not clamped."""

    def __post_init__(self) -> None:
        _freeze(self)


@explain_keywords
@dataclass(frozen=True, slots=True, init=False)
class Choice:
    """A field with a fixed set of values, strings or None: `Choice("clerk", "boss", None)`."""

    options: tuple[str | None, ...]
    default: str | None
    """The start value if the initial state has none."""

    def __init__(self, *options: str | None, default: str | Literal[False] | None = False) -> None:
        """Create a choice; the default is the first option unless given."""
        object.__setattr__(self, "options", options)
        first = options[0] if options else None
        object.__setattr__(self, "default", first if default is False else default)


@explain_keywords
@dataclass(frozen=True, slots=True)
class Parameter:
    """A number with bounds, or a bool, that is set when a game is made.

    Callables read it as `s.params[name]`. Its values are floats if the default or a bound is one,
    else integers.
    """

    default: float
    low: float | None = None
    """The lowest value; None for a bool, which has no bounds."""
    high: float | None = None
    """The highest value; None for a bool."""


@explain_keywords
@dataclass(frozen=True, slots=True)
class PassiveModifier:
    """A change that applies in every passive phase, without an entry in the history."""

    id: str
    delta: Delta | Callable[[State], Delta]
    condition: Condition | None = None
    """A function (state) -> bool; the modifier applies while it holds. None: always."""

    def __post_init__(self) -> None:
        _freeze(self)


@explain_keywords
@dataclass(frozen=True, slots=True)
class Action:
    """An action that the player can take."""

    id: str
    label: str = ""
    """The name in menus; the id if empty."""
    text: Text = ""
    """The text in the history."""
    effects: Sequence[Effect] = ()
    """Effects, applied in order, each to the state after the previous one."""
    conditions: Sequence[Condition] = ()
    """Conditions that must all hold."""
    restrictions: Sequence[Condition] = ()
    """Conditions of which none may hold."""
    contexts: Sequence[Mapping[str, Any]] = ()
    """The contexts that the action can be taken with. The compiler makes one discrete action of
    each; in the interpreter, `get_available_actions()` without a context lists the action if at
    least one of them meets the conditions."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Data for the game's own use."""
    costs: Mapping[str, Cost] = field(default_factory=dict)
    """The price of the action, by attribute. The action is available only if every attribute holds
    its cost above its lower bound; the costs are subtracted before the effects."""
    cooldown: float | None = None
    """The number of ticks before the action can be taken again, with any context; None for no
    cooldown."""
    uses: int | None = None
    """The number of times that the action can be taken in a game, with any context; None for no
    limit."""

    def __post_init__(self) -> None:
        _freeze(self)


@explain_keywords
@dataclass(frozen=True, slots=True)
class Event:
    """An event that fires at random, or whenever its conditions hold."""

    id: str
    trigger: str = "random"
    """"milestone" for an event that fires whenever its conditions hold; any other value for one
    that fires at random."""
    text: Text = ""
    base_probability: float = 0.0
    """The probability of firing in one random phase, before the config's probability modifiers."""
    cooldown: float | None = None
    """The number of ticks before the event can fire again; None for no cooldown. Events with the
    same id share it."""
    effects: Sequence[Effect] = ()
    conditions: Sequence[Condition] = ()
    restrictions: Sequence[Condition] = ()
    label: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Data for the game's own use, such as tags that a probability modifier reads."""
    once: bool = False
    """True for an event that fires at most once in a game."""
    after: float | str | None = None
    """The first tick in which the event can fire, or the id of an event or action that must have
    happened before; None for neither."""

    def __post_init__(self) -> None:
        _freeze(self)


class HistoryEntry(NamedTuple):
    """A record of an event that fired, or of an action that was taken."""

    tick: int
    event_id: str
    """The id of the event or the action."""
    text: str
    timestamp: float
    """Seconds since 1970; the only value here that the seed does not determine."""


class PhaseResult(NamedTuple):
    """The result of a custom phase."""

    state: State
    """The new state, with the engine's own fields; it is used as it is, without clamping."""
    entries: Sequence[HistoryEntry] = ()
    """Ignored. A phase adds entries to the history in `state`."""


Phase = Callable[[State, "GameConfig", int], PhaseResult]
"""A custom phase: (state, config, tick) -> PhaseResult."""

ProbabilityModifier = Callable[[State, float, Event], float]
"""A function (state, probability so far, event) -> new probability."""


@explain_keywords
@dataclass(frozen=True, slots=True)
class GameConfig:
    """A complete game as data."""

    initial_state: Callable[[], Mapping[str, Any]]
    """A function () -> the game's fields at the start. It must always return the same values."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """The numbers with bounds, by name."""
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """The fields with a fixed set of values, by name."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict, kw_only=True)
    """The numbers that can be set for each game, by name; `s.params[name]` in callables."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, kw_only=True)
    """Values of parameters under a name: preset -> parameter -> value."""
    end: Condition | None = field(default=None, kw_only=True)
    """A function (state) -> bool: the game is over as soon as it holds after an action or a tick.
    """
    win: Condition | None = field(default=None, kw_only=True)
    """A function (state) -> bool: the game is over and won as soon as it holds, also together with
    `end`. A game that ends otherwise is then lost."""
    score: Callable[[State], Any] | None = field(default=None, kw_only=True)
    """A function (state) -> number, the score of the game in this state."""
    passive_modifiers: Sequence[PassiveModifier] = ()
    actions: Sequence[Action] = ()
    events: Sequence[Event] = ()
    restrictions: Sequence[Condition] = ()
    """Restrictions of all events and actions. While one holds, no event fires and no action is
    available."""
    probability_modifiers: Sequence[ProbabilityModifier] = ()
    """Functions that change the probability of every random event, applied in order."""
    tick_order: Sequence[str] = BUILT_IN_PHASES
    """The names of the phases of a tick, in order; a name may occur more than once."""
    custom_phases: Mapping[str, Phase] = field(default_factory=dict)
    """The game's own phases, by name; a built-in phase of the same name takes precedence."""
    undo_depth: int = 10
    """The number of operations that can be undone; 0 for none."""
    name: str = "game"
    """The name in saves, messages and compiled code."""

    def __post_init__(self) -> None:
        _freeze(self)

    def to_kernel_game(self, target: str, beside: Mapping[str, Any]) -> KernelGame:
        """Return the game of this config and its task; called by the registry.

        Args:
            target: the location of the config, `FILE.py:NAME` or `MODULE:NAME`.
            beside: the names of that file or module, among which the task is searched.

        Raises:
            ConfigError: if there is no task.
        """
        from axiom_gym.config.environment import as_game
        from axiom_gym.config.loading import find_task

        source, _, name = target.rpartition(":")
        task = find_task(beside, name)
        if not target:
            raise ConfigError(
                "a config alone has no rewards: give axiom_gym.config.as_game(config, task), which "
                "is a game, or the name FILE.py:NAME of the config beside its Task."
            )
        if task is None:
            raise ConfigError(
                f"there is no Task for {name!r} in {source!r}, and training needs its reward: add "
                f"{name}_TASK = Task(reward=..., max_ticks=...)."
            )
        return as_game(self, task)
