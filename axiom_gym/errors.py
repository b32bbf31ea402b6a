"""Every exception that Axiom Gym raises on purpose.

    AxiomError
    |-- ConfigError (ValueError)         a parameter, preset or option that does not exist or fit
    |   `-- UnknownNameError             a name that is not registered; names the closest one
    |       |-- UnknownGameError
    |       `-- UnknownOpponentError
    |-- TraceError (ValueError)          a config's callable that cannot be compiled
    |-- EngineError (RuntimeError)       what a config's engine refuses, or fails at
    |   `-- CallableError                a config's callable raised, or gave an impossible value
    |-- RegistrationError                a game that cannot be loaded, or contradicts itself
    |-- IncompatibleGameError            an algorithm or adapter that does not fit a game's facts
    |-- ActionError (ValueError)         actions of the wrong shape, dtype or range
    |   `-- IllegalActionError           an action that the rules do not allow now (policy "raise")
    |-- ResetNeededError (RuntimeError)  a step before the first reset or after an episode's end
    |-- ClosedEnvironmentError (RuntimeError)  a call after `close()`
    |-- StateError (ValueError)          a saved state of another game, version or size, or damaged
    |-- GameError (RuntimeError)         a game that breaks the object-level interface
    |   `-- StateImmutabilityError       a state that was changed instead of replaced
    |-- ReplayError (ValueError)         a replay that is damaged or plays out in another way
    `-- CheckpointError (ValueError)     a model that is damaged or belongs to another game

A message says what was wrong, what was given, what is allowed, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class AxiomError(Exception):
    """Base of all errors raised on purpose by Axiom Gym."""


class ConfigError(AxiomError, ValueError):
    """A parameter that does not exist or whose value is not allowed."""


class UnknownNameError(ConfigError):
    """A name that nothing is registered under; the message lists the valid ones and the closest."""

    def __init__(self, kind: str, name: object, valid: Iterable[str], remedy: str = "") -> None:
        """Builds the message.

        Args:
            kind: what the name stands for, such as "game" or "opponent".
            name: the name that was given.
            valid: all names that would have been accepted.
            remedy: a further sentence, such as how to list the valid names.
        """
        self.kind, self.name, self.remedy = kind, name, remedy
        self.valid = tuple(sorted(valid))
        close = difflib.get_close_matches(str(name), self.valid, n=1, cutoff=0.4)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(repr(entry) for entry in self.valid) or "none"
        tail = f" {remedy}" if remedy else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Valid: {listed}.{tail}")

    def __reduce__(self) -> tuple[Any, ...]:
        """From the arguments and not from the message: errors travel between processes."""
        return type(self), (self.kind, self.name, self.valid, self.remedy)


class UnknownGameError(UnknownNameError):
    """No game is registered under this name."""


class UnknownOpponentError(UnknownNameError):
    """No opponent is known under this name, and it is no saved model either."""


class TraceError(AxiomError, ValueError):
    """A config's callable does what the compiler cannot see or write out; names it and the remedy.

    The interpreter runs it all the same.
    """


class EngineError(AxiomError, RuntimeError):
    """An operation that a config's engine refuses, in the original engine's words."""


class CallableError(EngineError):
    """A callable of a config raised, or gave what no state can hold; `__cause__` is what it raised.

    The message names the action, event or phase, and the place in the config.
    """


class RegistrationError(AxiomError):
    """A game's entry point cannot be loaded, or its facts contradict its name."""


class IncompatibleGameError(AxiomError):
    """An algorithm or adapter was asked for a game whose declared facts do not fit it."""


class ActionError(AxiomError, ValueError):
    """Actions of the wrong shape, dtype or range."""


class IllegalActionError(ActionError):
    """An action that the rules do not allow in the present state; the state is untouched."""


class ResetNeededError(AxiomError, RuntimeError):
    """`step` was called before the first `reset`, or after the end of an episode."""


class ClosedEnvironmentError(AxiomError, RuntimeError):
    """The environment was used after `close()`."""


class StateError(AxiomError, ValueError):
    """Saved state bytes that belong to another game, version or configuration, or are damaged."""


class GameError(AxiomError, RuntimeError):
    """A game did what the object-level interface, `axiom_gym.game.Game`, does not allow."""


class StateImmutabilityError(GameError):
    """A state of an object-level game was changed, or handed back, instead of replaced."""


class ReplayError(AxiomError, ValueError):
    """A replay that is damaged, or that does not play out as it was recorded."""


class CheckpointError(AxiomError, ValueError):
    """A checkpoint or model file that is damaged or belongs to another game."""


def check_choice(kind: str, value: object, valid: Iterable[str]) -> str:
    """Returns `value` if it is one of `valid`.

    Raises:
        UnknownNameError: otherwise, with the valid values and the closest one.
    """
    names = tuple(valid)
    if isinstance(value, str) and value in names:
        return value
    raise UnknownNameError(kind, value, names)


def check_range(kind: str, value: object, low: int, high: int | None = None) -> int:
    """Returns `value` as an int if it is an integer of at least `low` and at most `high`.

    Raises:
        ConfigError: otherwise, naming the value and the range.
    """
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        value, is_whole = value.__index__(), True
    if is_whole and isinstance(value, int) and value >= low and (high is None or value <= high):
        return value
    allowed = f"at least {low}" if high is None else f"from {low} to {high}"
    raise ConfigError(f"{kind} must be an integer {allowed}, got {value!r}.")
