"""Games as data: declare a game, play it interpreted, train on it compiled.

See the README in this folder.
"""

from __future__ import annotations

from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    HistoryEntry,
    Parameter,
    PassiveModifier,
    PhaseResult,
    Set,
)
from axiom_gym.config.deltas import apply_delta
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
from axiom_gym.config.warning_checks import find_warnings

__all__ = [
    "Action",
    "Attribute",
    "Choice",
    "CompiledConfig",
    "Engine",
    "Event",
    "GameConfig",
    "HistoryEntry",
    "Parameter",
    "PassiveModifier",
    "PhaseResult",
    "Problem",
    "Set",
    "Task",
    "abs_",
    "all_",
    "any_",
    "apply_delta",
    "as_game",
    "clip",
    "create_engine",
    "find_warnings",
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
