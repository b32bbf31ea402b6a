"""Canonical texts of states and action lists, and their hashes, as in the original engine.

The hash starts at 5381; each character c changes it to `(hash * 33 mod 2**32) xor c`. Its text has
eight hexadecimal digits. The hash is for comparing replays; it does not protect against forgery.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiom_envs.quantaris.compat.types import (
    ActionLike,
    ActionType,
    Core,
    GameState,
    Quantar,
    js_text,
    read_action,
)

_SEED = 5381
_MASK = 0xFFFFFFFF


def canonicalize_state(state: GameState) -> str:
    """Return the canonical text of a state, which does not depend on the order of its units.

    Original name: `canonicalizeState`.
    """
    units = sorted(state.quantars, key=lambda quantar: _locale_key(quantar.id))
    parts = [
        f"T:{state.turn}",
        f"P:{state.phase}",
        f"W:{js_text(state.winner)}",
        *(_core_text(core) for core in (state.cores.A, state.cores.B)),
        *(_quantar_text(quantar) for quantar in units),
    ]
    return "|".join(parts)


def _core_text(core: Core) -> str:
    return f"C:{core.owner}:{core.position.x},{core.position.y}:{core.hp}"


def _quantar_text(quantar: Quantar) -> str:
    at = quantar.position
    return f"Q:{quantar.id}:{quantar.owner}:{at.x},{at.y}:{quantar.hp}"


def canonicalize_actions(actions: Sequence[ActionLike]) -> str:
    """Return the text of an action list, sorted by unit.

    An action of unknown type is an empty entry.

    Original name: `canonicalizeActions`.

    Raises:
        TypeError: if an action is None.
    """
    entries = []
    for action in actions:
        kind, unit, direction = read_action(action)
        entries.append((js_text(unit), _action_text(kind, js_text(unit), js_text(direction))))
    return "|".join(text for _, text in sorted(entries, key=lambda entry: _locale_key(entry[0])))


def _locale_key(unit: str) -> tuple[str, str]:
    # The original sorts by locale: "a1" comes just before "A1", and both come before "B1".
    return unit.casefold(), unit.swapcase()


def _action_text(kind: object, unit: str, direction: str) -> str:
    if kind == ActionType.MOVE:
        return f"M:{unit}:{direction}"
    if kind == ActionType.PULSE:
        return f"P:{unit}:{direction}"
    return f"S:{unit}" if kind == ActionType.SHIELD else ""


def hash_state(state: GameState) -> str:
    """Return the hash of `canonicalize_state(state)`. Original name: `hashState`."""
    return _hash(canonicalize_state(state))


def hash_actions(actions: Sequence[ActionLike]) -> str:
    """Return the hash of `canonicalize_actions(actions)`. Original name: `hashActions`."""
    return _hash(canonicalize_actions(actions))


def hash_turn(
    state: GameState, actions_a: Sequence[ActionLike], actions_b: Sequence[ActionLike]
) -> str:
    """Return the hash of a turn: of the state before it and both action lists.

    Original name: `hashTurn`.
    """
    lists = (canonicalize_actions(actions_a), canonicalize_actions(actions_b))
    return _hash("||".join((canonicalize_state(state), *lists)))


def _hash(text: str) -> str:
    value = _SEED
    for character in text:
        value = (value * 33 & _MASK) ^ ord(character)
    return f"{value:08x}"
