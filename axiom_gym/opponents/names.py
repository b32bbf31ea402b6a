"""Agents by name. One function reads the name of an agent wherever one is given.

A name is one of these, in this order:

- "random", or the name of a scripted player (bot) of the game;
- `PREFIX:TEXT`, where `PREFIXES` has the prefix: an agent of another package;
- `FILE.py:NAME` or `MODULE:NAME`: a function, an object that can be called, or a class of such
  objects, which is called without arguments;
- the file of a saved model. The package that is registered for its suffix in the entry-point group
  `axiom_gym.policies` loads it;
- a run directory, which stands for the model in it, see `MODELS`.

A function decides for one state or for a batch of them, and its first two parameters say which:
`(observation, mask, rng) -> action`, or `(observations, masks, rng) -> actions`.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import ConfigError, UnknownOpponentError
from axiom_gym.registry.targets import find_named, load_module, split_target

if TYPE_CHECKING:
    from axiom_gym.opponents.pool import Opponent, Policy

HUMAN = "human"
"""The name of a person at the terminal, whom only `axiom-gym play` can ask."""

PREFIXES = {"llm": "axiom_gym.text.agents:load_llm"}
"""Prefixes of names, and the functions that load agents: they get the text after the colon.

The modules are imported at the first use of such a name.
"""

LOADERS = "axiom_gym.policies"

MODELS = ("best_model.zip", "model.zip")
"""The model of a run directory: the best one if it is there, else the final one."""

FORMS = (
    "Valid as well: the file of a saved model, a run directory, FILE.py:FUNCTION or "
    "MODULE:FUNCTION."
)

_ONE, _MANY = ["observation", "mask"], ["observations", "masks"]


def load_opponent(opponent: Opponent, bots: Sequence[str]) -> str | Policy:
    """Return an agent as the name of a bot or as a callable on batches.

    Args:
        opponent: a name, see this module's docstring; a path; or a function, which is returned as
            it is if it decides for batches. A function whose parameters have other names does.
        bots: the names of the game's scripted players.

    Raises:
        UnknownOpponentError: for a name that stands for nothing.
        ConfigError: for a file that no registered package can load, a function whose parameters do
            not say what it decides for, or a value that is not an opponent.
    """
    if isinstance(opponent, str | Path):
        loaded: str | Policy = look_up(opponent, bots)
        if not (callable(loaded) or isinstance(loaded, str)):
            raise ConfigError(f"{str(opponent)!r} plays only in a Match or a GameLoop.")
        return loaded
    if callable(opponent):
        return SinglePolicy(opponent) if _parameters(opponent)[:2] == _ONE else opponent
    kind = type(opponent).__name__
    raise ConfigError(f"an opponent is a name, a path, a callable or a pool, got {kind}.")


def look_up(name: str | Path, bots: Sequence[str]) -> Any:
    """Return what a name stands for: the name of a bot, a callable on batches, or another agent.

    Only a prefix can stand for another agent, such as a `MatchPlayer`.

    Raises:
        UnknownOpponentError, ConfigError: as for `load_opponent`.
    """
    text = str(name)
    if text in bots:
        return text
    if text == HUMAN:
        raise ConfigError(f"{HUMAN!r} plays on the terminal only: axiom-gym play GAME.")
    if has_prefix(text):
        return _load_prefixed(text)
    if is_target(text):
        return _load_function(text)
    if Path(name).exists():
        return _load_policy(find_model(Path(name)))
    raise UnknownOpponentError("opponent", text, bots, f"{FORMS}{_hint_at_path(text)}")


def _hint_at_path(text: str) -> str:
    """Return a sentence with the path that is most like a missing one, "" if there is none."""
    beside = map(str, Path(text).parent.glob("*"))
    close = difflib.get_close_matches(text, beside, n=1, cutoff=0.8)
    return f" The closest path is {close[0]!r}." if close else ""


def has_prefix(name: str) -> bool:
    """Return True if a name begins with one of `PREFIXES` and a colon."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix in PREFIXES


def is_target(name: str) -> bool:
    """Return True if a name has the form `FILE.py:NAME` or `MODULE:NAME`."""
    return ":" in name and not Path(name).exists()


def find_model(path: Path) -> Path:
    """Return the model of a run directory; return a file as it is.

    Raises:
        ConfigError: for a directory without a model; the message lists those below it.
    """
    if not path.is_dir():
        return path
    for name in MODELS:
        if (path / name).is_file():
            return path / name
    below = sorted({str(one.parent) for name in MODELS for one in path.glob(f"*/{name}")})
    listed = f" Name one of these: {', '.join(below)}." if below else ""
    raise ConfigError(f"the directory {str(path)!r} has no {' or '.join(MODELS)}.{listed}")


class SinglePolicy:
    """A policy on batches that calls a function once for each state.

    The function `(observation, mask, rng) -> action` gets an array of the observation's shape and
    a mask (K, N), or (N,) if K is 1. It returns K integers, or one if K is 1.

    Attributes:
        name: the name of the function.
    """

    def __init__(self, decide: Callable[..., Any]) -> None:
        """Wrap a function."""
        self._decide = decide
        self.name = str(getattr(decide, "__name__", type(decide).__name__))

    def __call__(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[Any]:
        """Return an action for each row; arguments as for `Policy`.

        Raises:
            ConfigError: if an action does not have K integers.
        """
        rows = []
        for observation, mask in zip(observations, masks, strict=True):
            answer = self._decide(observation, mask[0] if len(mask) == 1 else mask, rng)
            row = np.atleast_1d(np.asarray(answer))
            if row.shape != mask.shape[:1] or row.dtype.kind not in "iu":
                raise ConfigError(
                    f"agent {self.name!r} must return {_count_integers(len(mask))}, got {answer!r}."
                )
            rows.append(row)
        return np.stack(rows)


def _count_integers(count: int) -> str:
    return "an integer" if count == 1 else f"{count} integers"


def _parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's parameters; [] if Python cannot tell them."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _load_prefixed(text: str) -> Any:
    prefix, _, rest = text.partition(":")
    module, _, name = PREFIXES[prefix].partition(":")
    try:
        load = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise ConfigError(f"{text!r} needs {module}, which cannot be loaded: {error}.") from error
    return load(rest)


def _load_function(target: str) -> Policy:
    """Return the function of a target, as a callable on batches."""
    _, found = find_named(target, _is_function, "function", takes=callable)
    made: Policy = make_object(target, found) if isinstance(found, type) else found
    parameters = _parameters(made)
    if parameters[:2] not in (_ONE, _MANY):
        raise ConfigError(
            f"the parameters of {target!r} are ({', '.join(parameters)}), which does not say what "
            "it decides for. Name them (observation, mask, rng) to decide for one state, or "
            "(observations, masks, rng) to decide for a batch."
        )
    if parameters[:2] == _MANY:
        return made
    policy = SinglePolicy(made)
    policy.name = Path(target).name
    return policy


def _is_function(value: Any) -> bool:
    return callable(value) and _parameters(value)[:2] in (_ONE, _MANY)


def make_object(target: str, kind: type[Any]) -> Any:
    """Return an object of the class that a target names.

    Raises:
        ConfigError: if the class needs arguments.
    """
    try:
        return kind()
    except TypeError as error:
        raise ConfigError(f"the class {target!r} must need no arguments: {error}.") from error


def _load_policy(path: Path) -> Policy:
    loaders = {entry.name: entry for entry in entry_points(group=LOADERS)}
    suffix = path.suffix.lstrip(".")
    if suffix not in loaders:
        known = ", ".join(sorted(loaders)) or "none"
        hint = f" For a function in it, write {path}:FUNCTION." if suffix == "py" else ""
        raise ConfigError(f"no package can load {str(path)!r}; known suffixes: {known}.{hint}")
    try:
        load: Callable[[Path], Policy] = loaders[suffix].load()
    except ImportError as error:
        raise ConfigError(
            f"{str(path)!r} needs the extra 'train': pip install axiom-gym[train] ({error})."
        ) from error
    return load(path)


def digest_agent(opponent: object, bots: Sequence[str]) -> str:
    """Return 16 hex digits of the SHA-256 of an agent's file; "" for an agent without one.

    The file is that of a saved model, or the source of a function that is given by name.
    """
    if not isinstance(opponent, str | Path) or str(opponent) in bots:
        return ""
    path = _find_source(opponent)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path is not None else ""


def _find_source(name: str | Path) -> Path | None:
    text = str(name)
    if has_prefix(text):
        return None
    if not is_target(text):
        return find_model(Path(name))
    source, _ = split_target(text)
    file = source if source.endswith(".py") else load_module(source).__file__
    return None if file is None else Path(file)
