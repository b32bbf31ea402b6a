"""Read-only containers: a callable of a config cannot change the lists and dicts of the state.

They equal their plain counterparts, and operators, slices, copies and pickles of them are plain.
"""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from axiom_gym.config.definitions import HistoryEntry
from axiom_gym.config.history import History


def _refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
    kind = type(self).__mro__[1].__name__
    raise TypeError(
        f"changes a {kind} of the state, which is read-only; return a "
        "delta with the new value instead, such as {'bag': [*s['bag'], 'rope']}."
    )


class FrozenDict(dict[Any, Any]):
    """A read-only dict."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[Any]):
    """A read-only list."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


class FrozenSet(set[Any]):
    """A read-only set."""

    __slots__ = ()
    __iand__ = __ior__ = __isub__ = __ixor__ = _refuse
    add = discard = remove = pop = clear = update = _refuse
    difference_update = intersection_update = symmetric_difference_update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return set, (set(self),)


ATOMS = frozenset({int, float, bool, str, bytes, type(None), History, HistoryEntry})
"""The types of values that contain nothing that can change."""

_FROZEN = ATOMS | {FrozenDict, FrozenList, FrozenSet}


def freeze(value: Any) -> Any:
    """Return a value that nobody else can change, as far as its type allows it.

    Containers become read-only. An object of another class is copied.
    """
    kind = type(value)
    if kind in _FROZEN:
        return value
    if kind is dict or kind is MappingProxyType:
        # Here and below, most entries are atoms, and a call for each of them would be slow.
        return FrozenDict({key: v if type(v) in ATOMS else freeze(v) for key, v in value.items()})
    if kind is list:
        return FrozenList([v if type(v) in ATOMS else freeze(v) for v in value])
    if kind is set:
        return FrozenSet(value)
    if kind is tuple:
        return tuple(map(freeze, value))
    value = copy.deepcopy(value)
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


def copied(value: Any) -> Any:
    """Return the value with plain copies of all its containers."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is dict or kind is FrozenDict or kind is MappingProxyType:
        return {key: v if type(v) in ATOMS else copied(v) for key, v in value.items()}
    if kind is list or kind is FrozenList:
        return [v if type(v) in ATOMS else copied(v) for v in value]
    if kind is tuple:
        return tuple(map(copied, value))
    return copy.deepcopy(value)
