"""Games as data: declare one, play it interpreted, train on it compiled.

See the README in this folder. Everything is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiom_gym.config.compiled import CompiledConfig
    from axiom_gym.config.definitions import (
        Action,
        Attribute,
        Choice,
        Event,
        GameConfig,
        HistoryEntry,
        PassiveModifier,
        PhaseResult,
    )
    from axiom_gym.config.engine import Engine, create_engine
    from axiom_gym.config.environment import as_game, make_env, make_vec
    from axiom_gym.config.expressions import (
        abs_,
        all_,
        any_,
        clip,
        floor,
        max_,
        min_,
        not_,
        table,
        where,
    )
    from axiom_gym.config.saves import load, save
    from axiom_gym.config.task import Task
    from axiom_gym.config.validation import Problem, validate

__all__ = [
    "Action",
    "Attribute",
    "Choice",
    "CompiledConfig",
    "Engine",
    "Event",
    "GameConfig",
    "HistoryEntry",
    "PassiveModifier",
    "PhaseResult",
    "Problem",
    "Task",
    "abs_",
    "all_",
    "any_",
    "as_game",
    "clip",
    "create_engine",
    "floor",
    "load",
    "make_env",
    "make_vec",
    "max_",
    "min_",
    "not_",
    "save",
    "table",
    "validate",
    "where",
]

_MODULES = (
    "definitions",
    "task",
    "environment",
    "expressions",
    "validation",
    "engine",
    "saves",
    "compiled",
)
"""Where the names stand; what imports little comes first."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Imports a name of `__all__` when it is first asked for (PEP 562)."""
        if name in __all__:
            for module in _MODULES:
                home = importlib.import_module(f"{__name__}.{module}")
                if hasattr(home, name):
                    globals()[name] = getattr(home, name)
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
