"""A config as a kernel, and the conversion of states between kernel and interpreter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from axiom_gym.config.compiler.build import Source, build
from axiom_gym.config.compiler.scheme import ABSENT, TICK
from axiom_gym.config.compiler.verify import verify
from axiom_gym.config.definitions import WAIT, GameConfig
from axiom_gym.config.parameters import read_values, record_field
from axiom_gym.config.task import Task

_LONGEST = 40
"""The number of characters of a config's name that file names keep."""

_IMPORTS = (
    "axiom_gym.config.arithmetic",
    "axiom_gym.config.c_functions",
    "axiom_gym.event_log",
    "axiom_gym.kernel",
)


class CompiledConfig:
    """A config and its kernel, made by tracing.

    Attributes:
        config: the game.
        task: the task.
        source: the kernel's source and the facts about it.
        action_names: the names of the discrete actions; the last one is `wait`.
    """

    def __init__(self, config: GameConfig, task: Task) -> None:
        """Trace a config, without compiling it with Numba.

        Raises:
            ConfigError: if the config has mistakes; lists all of them.
            TraceError: for a callable that cannot be compiled, or that differs from its trace.
        """
        self.config = config
        self.task = task
        self.source: Source = build(config, task)
        verify(self.source)
        self.action_names = [*(move.name for move in self.source.moves), WAIT]
        self._values = {code: option for option, code in self.source.codes.items()}
        self._module: ModuleType | None = None

    @property
    def kernel(self) -> ModuleType:
        """The kernel's module, with STATE and the five functions of `axiom_gym.kernel`."""
        from axiom_gym.backend.codegen import load_source

        if self._module is None:
            label = re.sub(r"\W", "_", self.config.name, flags=re.ASCII)[:_LONGEST]
            self._module = load_source(self.source.text, _IMPORTS, f"kernel_{label}")
        return self._module

    def decode(self, record: Any) -> dict[str, Any]:
        """Return a record as a state, without history, meta and fields that are not compiled."""
        state: dict[str, Any] = {"cooldowns": {}}
        for key, field in self.source.fields.items():
            value = record[field.name].item()
            if field.role == "choice":
                state[key] = self._values[value]
            elif field.role == "cooldown":
                if value != ABSENT and state[TICK] < value:
                    state["cooldowns"][key.removeprefix("<cooldown of ").removesuffix(">")] = value
            elif key == TICK or field.role not in ("engine", "parameter"):
                state[key] = value
        return state

    def decode_params(self, record: Any) -> dict[str, Any]:
        """Return the values of the config's parameters in a record, by name."""
        return {name: record[record_field(name)].item() for name in self.config.parameters}

    def encode(
        self, state: dict[str, Any], rng: int, parameters: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the record of an interpreter's state.

        Args:
            state: the state, as `Engine.get_state` returns it.
            rng: the state of the random number generator, 0..2**32-1.
            parameters: values of the config's parameters; the others have their defaults.
        """
        record = np.zeros(1, self.kernel.STATE)[0]
        for name, value in read_values(self.config, parameters).items():
            record[record_field(name)] = value
        for key, field in self.source.fields.items():
            if field.role == "cooldown":
                event = key.removeprefix("<cooldown of ").removesuffix(">")
                record[field.name] = state["cooldowns"].get(event, ABSENT)
            elif field.role == "choice":
                record[field.name] = self.source.codes[state[key]]
            elif key == TICK or field.role not in ("engine", "parameter"):
                record[field.name] = state[key]
        record["rng"] = np.uint32(rng)
        return record
