"""Building of a kernel's source from a config and a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.compiler.body import Body, Faults
from axiom_gym.config.compiler.scheme import (
    DTYPES,
    Field,
    Scheme,
    check_limits,
    check_start,
    first_scheme,
    make_fields,
)
from axiom_gym.config.compiler.step import Move, StepBuilder, moves
from axiom_gym.config.compiler.tracer import Traced, Tracer
from axiom_gym.config.compiler.values import Values
from axiom_gym.config.compiler.views import Feature, build_mask, build_outcome, features
from axiom_gym.config.compiler.writer import comment
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.task import Task
from axiom_gym.errors import TraceError

Codes = Mapping[str | None, int]

_HEAD = '''# {name}
"""Generated code: edit the config that it was compiled from."""

import numpy as np

from axiom_gym.config.arithmetic import (
    advance, drawn, floor_int, greater, lesser, rounded_to, scaled, square_root, squashed
)
from axiom_gym.config.c_functions import (
    c_cos, c_exp, c_log, c_log2, c_log10, c_pow, c_sin, c_tan
)
from axiom_gym.event_log import emit
from axiom_gym.kernel import (
    ENDED, FAULT, ILLEGAL, NO_SUB_ACTION, RUNNING, TRUNCATED, inner_kernel, record_dtype
)

{strings}STATE = record_dtype(
    [
{dtypes}
    ]
)
'''


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a compiled config, and facts about it.

    Attributes:
        text: the source of a module with STATE and the five functions of `axiom_gym.kernel`.
        fields: the record's fields, by key.
        features: the numbers of the observation.
        moves: the discrete actions without `wait`, which follows them.
        faults: the messages of the faults; entry n is fault number n + 1.
        codes: the numbers of strings and None in the record.
        left_out: the fields of the state that nothing depends on.
        calls: all traces of callables.
    """

    text: str
    fields: dict[str, Field]
    features: list[Feature]
    moves: list[Move]
    faults: list[str]
    codes: Codes
    left_out: list[str]
    calls: list[Traced]


def build(config: GameConfig, task: Task) -> Source:
    """Trace all callables and write the kernel.

    Passes are repeated until one learns nothing new about the fields.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
        TraceError: for a callable that cannot be compiled.
    """
    scheme = first_scheme(config)
    while True:
        known = scheme.snapshot()
        check_limits(config, scheme)
        builder = _Pass(config, task, scheme)
        source = builder.run()
        if scheme.snapshot() == known:
            builder.check_start()
            return source


class _Pass:
    """One pass over the config, with the facts about its fields known so far."""

    def __init__(self, config: GameConfig, task: Task, scheme: Scheme) -> None:
        self._config = config
        self._task = task
        self._scheme = scheme
        self._fields = make_fields(config, task, scheme)
        self._live = {k: f for k, f in self._fields.items() if k in scheme.live or f.key[0] == "<"}
        self._tracer = Tracer(config, scheme, self._fields)
        options = [option for choice in config.choices.values() for option in choice.options]
        self._codes = {option: code for code, option in enumerate(dict.fromkeys(options))}
        self._faults = Faults()

    def run(self) -> Source:
        parts = [self._head(), self._reset(), self._mask(), self._step(), *self._views()]
        self._scheme.live = self._tracer.live()
        seen = features(self._config, self._task, self._live, self._codes)
        return Source(
            "\n\n".join(parts),
            self._live,
            seen,
            moves(self._config),
            self._faults.messages,
            self._codes,
            [key for key in self._fields if key not in self._live],
            list(self._tracer.calls),
        )

    def check_start(self) -> None:
        """Check that the record can hold the initial state, and that its mask can be computed.

        Raises:
            TraceError: if not; names the field or the condition.
        """
        for field in self._live.values():
            check_start(field)
        body = self._body(None)
        values = Values(lambda node: self._fields[node.payload[0]].start)
        for move in moves(self._config):
            for test in body.tests(move.action, f"actions[{move.index}]", move.context):
                failing = next((check for check in test.checks if values[check.fails]), None)
                if failing is not None:
                    raise TraceError(f"{test.place}, in the initial state: {failing.problem}")
                if not values[test.node]:
                    break

    def _head(self) -> str:
        width = 8 * " "
        dtypes = [f'{width}("{f.name}", {DTYPES[f.kind]}),' for f in self._live.values()]
        listed = ", ".join(f"{code} = {option!r}" for option, code in self._codes.items())
        return _HEAD.format(
            name=comment(self._config.name),
            strings=f"# Strings are numbers here: {listed}.\n" if listed else "",
            dtypes="\n".join([*dtypes, f'{width}("rng", np.uint32),']),
        )

    def _reset(self) -> str:
        lines = [
            f"    state.{field.name} = {_literal(field, self._codes)}"
            for field in self._live.values()
            if field.role != "parameter"
        ]
        return _function("reset", "state, params", lines)

    def _mask(self) -> str:
        body = self._body(None)
        build_mask(body)
        lines = [*self._loads(body.used), *body.writer.lines]
        return _function("legal_actions", "state, player, mask, params", lines)

    def _step(self) -> str:
        body = self._body(self._faults)
        StepBuilder(body, self._task, set(self._live)).build()
        changed = [key for key in self._live if self._tracer.versions[key] != 0]
        lines = [
            "    rewards[0] = 0.0",
            "    action = int(actions[0, 0])",
            "    rng = int(np.int64(state.rng))",
            *self._loads(body.used | set(changed)),
            *(f"    before_{self._fields[k].name} = {body.local(k)}" for k in sorted(body.before)),
            *body.writer.refresh(["rng", *map(body.local, changed)]),
            *(f"    state.{self._fields[key].name} = {body.local(key)}" for key in changed),
            "    state.rng = np.uint32(rng)",
            "    rewards[0] = reward",
            "    return code",
        ]
        return _function("step", "state, actions, rewards, events, params", lines)

    def _views(self) -> list[str]:
        seen = features(self._config, self._task, self._live, self._codes)
        lines = [
            f"    observation[{number}] = {feature.source}  # {comment(feature.name)}"
            for number, feature in enumerate(seen)
        ]
        body = self._body(None)
        build_outcome(body, self._task)
        return [
            _function(
                "observe", "state, player, observation, params", [*self._loads(self._live), *lines]
            ),
            _function(
                "outcome", "state, returns, params", [*self._loads(body.used), *body.writer.lines]
            ),
        ]

    def _body(self, faults: Faults | None) -> Body:
        """Start a function that begins with the stored state."""
        self._tracer.versions.update(dict.fromkeys(self._fields, 0))
        return Body(self._tracer, self._codes, faults)

    def _loads(self, keys: Any) -> list[str]:
        casts = {"bool": "bool", "float": "float"}
        return [
            f"    s_{field.name} = {casts.get(field.kind, 'int')}(state.{field.name})"
            for key, field in self._live.items()
            if key in keys
        ]


def _literal(field: Field, codes: Codes) -> str:
    if field.kind == "choice":
        return f"{codes[field.start]}  # {field.start!r}"
    return repr({"bool": bool, "int": int, "float": float}[field.kind](field.start))


def _function(name: str, parameters: str, lines: list[str]) -> str:
    return "\n".join(["@inner_kernel", f"def {name}({parameters}):", *lines, ""])
