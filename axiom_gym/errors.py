"""All exceptions that Axiom Gym raises deliberately.

    AxiomError
    |-- ConfigError (ValueError)         an unknown parameter, preset or option, or a wrong value
    |   `-- UnknownNameError             a name that is not known; the message has the closest one
    |       |-- UnknownGameError
    |       |-- UnknownOpponentError
    |       `-- UnknownOptionError (TypeError)
    |-- TraceError (ValueError)          a config's callable that cannot be compiled
    |-- EngineError (RuntimeError)       an operation that a config's engine refuses
    |   `-- CallableError                a config's callable raised, or returned a wrong value
    |-- RegistrationError                a game that cannot be loaded, or contradicts itself
    |-- IncompatibleGameError            a game that an algorithm or adapter cannot be used with
    |-- ActionError (ValueError)         actions of the wrong shape, dtype or range
    |   `-- IllegalActionError           an action that is illegal in the current state
    |-- ResetNeededError (RuntimeError)  a step before the first reset or after an episode's end
    |-- ClosedEnvironmentError (RuntimeError)  a call after `close()`
    |-- StateError (ValueError)          a saved state that is damaged or of another game
    |-- GameError (RuntimeError)         a game that violates the object-level interface
    |   `-- StateImmutabilityError       a state that was changed instead of replaced
    |-- CompileError                     a kernel that Numba cannot compile
    |-- ReplayError (ValueError)         a replay that is damaged or plays differently
    `-- CheckpointError (ValueError)     a model that is damaged or belongs to another game

Warnings of its own are `IllegalActionWarning` (UserWarning), the first illegal action,
`AgentWarning` (RuntimeWarning), an agent that raised, and `ThreadsWarning` (UserWarning), PyTorch's
default number of threads.

Each message says what was wrong, which value was given, what is allowed, and what to do.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any


class AxiomError(Exception):
    """Base class of all errors that Axiom Gym raises deliberately."""


class ConfigError(AxiomError, ValueError):
    """A parameter that does not exist or whose value is not allowed."""


class UnknownNameError(ConfigError):
    """An unknown name; the message gives the closest valid name and lists all of them."""

    def __init__(self, kind: str, name: object, valid: Iterable[str], remedy: str = "") -> None:
        """Build the message.

        Args:
            kind: the kind of thing that was named, such as "game" or "opponent".
            name: the name that was given.
            valid: all valid names.
            remedy: another sentence for the message, such as how to list the valid names.
        """
        self.kind, self.name, self.remedy = kind, name, remedy
        self.valid = tuple(sorted(valid))
        close = _find_closest(str(name), self.valid)
        hint = f" Did you mean {close!r}?" if close else ""
        listed = ", ".join(repr(entry) for entry in self.valid) or "none"
        tail = f" {remedy}" if remedy else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Valid: {listed}.{tail}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the constructor, because errors travel between processes."""
        return type(self), (self.kind, self.name, self.valid, self.remedy)


def _find_closest(name: str, valid: Iterable[str]) -> str:
    """Return the most similar valid name, of a path also by one of its words; "" for none."""
    whole = {one: one for one in valid}
    words = {word: one for one in whole if "/" in one for word in re.split("[/_]", one)}
    for known, cutoff in ((whole, 0.6), (words, 0.6), (whole, 0.4)):
        if close := difflib.get_close_matches(name, known, n=1, cutoff=cutoff):
            return known[close[0]]
    return ""


class UnknownGameError(UnknownNameError):
    """A name under which no game is registered."""


class UnknownOpponentError(UnknownNameError):
    """The name of an opponent that stands for no agent; see `axiom_gym.opponents.names`."""


class UnknownOptionError(UnknownNameError, TypeError):
    """An option that neither the game nor the environment has.

    It is a TypeError in Python's words, because other libraries look for those.
    """

    def __init__(
        self, kind: str, name: object = None, valid: Iterable[str] = (), remedy: str = ""
    ) -> None:
        """Build the message; a sole argument is the whole message.

        `gymnasium.make` raises the type of a TypeError again with one argument, a longer message.
        """
        super().__init__(kind, name, valid, remedy)
        known = f"unexpected keyword argument {name!r}: {self}"
        self.args = (kind if name is None else known,)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message only if there is no name."""
        return (type(self), self.args) if self.name is None else super().__reduce__()


class TraceError(AxiomError, ValueError):
    """A callable of a config that cannot be compiled; the message names it and a remedy.

    The interpreter can still run it.
    """


class EngineError(AxiomError, RuntimeError):
    """An operation that a config's engine refuses, in the original engine's words."""


class CallableError(EngineError):
    """A callable of a config raised an exception, or returned a value that no state can hold.

    `__cause__` is the exception. The message names the action, event or phase, and the place in the
    config.
    """


class RegistrationError(AxiomError):
    """A game whose entry point cannot be loaded, or whose facts contradict its name."""


class IncompatibleGameError(AxiomError):
    """A game whose declared facts do not fit the requested algorithm or adapter."""


class ActionError(AxiomError, ValueError):
    """Actions of the wrong shape, dtype or range."""


class IllegalActionError(ActionError):
    """An action that is illegal in the current state, which is unchanged."""


class AgentWarning(RuntimeWarning):
    """An agent raised an exception, and the match continues as if it had not answered."""


class IllegalActionWarning(UserWarning):
    """The first illegal action of a learner in this process, unless the policy refuses it."""


class ThreadsWarning(UserWarning):
    """PyTorch has several threads by default, which makes learning with small networks slow."""


class ResetNeededError(AxiomError, RuntimeError):
    """A call of `step` before the first `reset`, or after the end of an episode."""


class ClosedEnvironmentError(AxiomError, RuntimeError):
    """A call of an environment after its `close()`."""


class StateError(AxiomError, ValueError):
    """A saved state that is damaged, or belongs to another game, version, configuration or size."""


class GameError(AxiomError, RuntimeError):
    """A violation of the object-level interface, `axiom_gym.game.Game`, by a game."""


class StateImmutabilityError(GameError):
    """A state of an object-level game that was changed, or returned again, instead of replaced."""


class CompileError(AxiomError):
    """A kernel that Numba cannot compile; the message has the line and the reason.

    `__cause__` is Numba's error.
    """


class ReplayError(AxiomError, ValueError):
    """A replay that is damaged, or does not play as it was recorded."""


class CheckpointError(AxiomError, ValueError):
    """A checkpoint or model file that is damaged or belongs to another game."""


def check_choice(kind: str, value: object, valid: Iterable[str]) -> str:
    """Return `value` if it is one of `valid`.

    Raises:
        UnknownNameError: otherwise; the message has the valid values and the closest one.
    """
    names = tuple(valid)
    if isinstance(value, str) and value in names:
        return value
    raise UnknownNameError(kind, value, names)


def check_range(kind: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` as an int if it is an integer from `low` to `high`, or to infinity if None.

    Raises:
        ConfigError: otherwise; the message has the value and the range.
    """
    if hasattr(value, "__index__") and not isinstance(value, bool):
        value = number = int(value.__index__())
        if number >= low and (high is None or number <= high):
            return number
    allowed = f"at least {low}" if high is None else f"from {low} to {high}"
    raise ConfigError(f"{kind} must be an integer {allowed}, got {value!r}.")
