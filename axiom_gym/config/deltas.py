"""Deltas in custom phases."""

from __future__ import annotations

from typing import Any

from axiom_gym.config.definitions import ENGINE_KEYS, NOT_OWN, Delta, GameConfig, Set, State
from axiom_gym.config.expressions import clip
from axiom_gym.errors import ConfigError


def apply_delta(state: State, delta: Delta, config: GameConfig) -> dict[str, Any]:
    """Return a state with a delta applied as effects apply it, for custom phases.

        def spring(state, config, tick):
            return PhaseResult(apply_delta(state, {"food": -3, "season": "spring"}, config))

    Changes of attributes are added and clamped; any other field gets the new value. The function
    works on the values of the interpreter and on those of the compiler.

    Args:
        state: the state; it is not changed.
        delta: the changes by field; `Set(x)` is the new value of an attribute.
        config: the game, which the phase gets as its second argument.

    Raises:
        ConfigError: if the delta names a field that the engine owns.
    """
    new: dict[str, Any] = {}
    for key, change in delta.items():
        if key in ENGINE_KEYS:
            raise ConfigError(NOT_OWN.format(key=key))
        value = change.value if isinstance(change, Set) else change
        attribute = config.attributes.get(key)
        if attribute is not None:
            if not isinstance(change, Set):
                current = state[key]
                value = (attribute.default if current is None else current) + change
            value = clip(value, attribute.min, attribute.max)
        new[key] = value
    return {**state, **new}
