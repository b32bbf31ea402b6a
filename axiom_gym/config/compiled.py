"""A config as a kernel: traced, written out, loaded, and compared with the interpreter."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import numpy as np

from axiom_gym.config.compiler.build import Source, build
from axiom_gym.config.compiler.scheme import ABSENT, TICK
from axiom_gym.config.compiler.verify import verify
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.task import Task

WAIT = "wait"

_LONGEST = 40
"""Characters of a config's name in the name of a file."""

_IMPORTS = ("axiom_gym.config.arithmetic", "axiom_gym.kernel")


class CompiledConfig:
    """What is known of a config once it has been traced.

    Attributes:
        config, task: what it was made of.
        source: the kernel's source, with all that is known of it.
        action_names: of the discrete actions; the last one is `wait`.
    """

    def __init__(self, config: GameConfig, task: Task) -> None:
        """Traces the config; nothing is compiled by Numba yet.

        Raises:
            ConfigError: if the config has mistakes, all of them.
            TraceError: for a callable that cannot be compiled, or that a trace gets wrong.
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
        """The module with STATE and the five functions."""
        from axiom_gym.backend.codegen import load_source

        if self._module is None:
            label = re.sub(r"\W", "_", self.config.name, flags=re.ASCII)[:_LONGEST]
            self._module = load_source(self.source.text, _IMPORTS, f"kernel_{label}")
        return self._module

    def decode(self, record: Any) -> dict[str, Any]:
        """A record as the interpreter's state, less history, meta and what nothing depends on."""
        state: dict[str, Any] = {"cooldowns": {}}
        for key, field in self.source.fields.items():
            value = record[field.name].item()
            if field.role == "choice":
                state[key] = self._values[value]
            elif field.role == "cooldown":
                if value != ABSENT and state[TICK] < value:
                    state["cooldowns"][key.removeprefix("<cooldown of ").removesuffix(">")] = value
            elif key == TICK or field.role != "engine":
                state[key] = value
        return state

    def encode(self, state: dict[str, Any], rng: int) -> Any:
        """The record of an interpreter's state, whose generator's state is `rng`."""
        record = np.zeros(1, self.kernel.STATE)[0]
        for key, field in self.source.fields.items():
            if field.role == "cooldown":
                event = key.removeprefix("<cooldown of ").removesuffix(">")
                record[field.name] = state["cooldowns"].get(event, ABSENT)
            elif field.role == "choice":
                record[field.name] = self.source.codes[state[key]]
            elif key == TICK or field.role != "engine":
                record[field.name] = state[key]
        record["rng"] = np.uint32(rng)
        return record
