"""Random configs, generated as readable source."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

import axiom_gym.config as api
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.task import Task

_expressions = sys.modules["axiom_expressions"]  # loaded before; this folder is no package
Expressions, Fields, SMALL = _expressions.Expressions, _expressions.Fields, _expressions.SMALL
Draw = Callable[[st.SearchStrategy[Any]], Any]

BOUNDS = (
    ("0", "100"), ("0", "10"), ("-5", "5"), ("0", "1"), ("3", "3"), ("0.0", "1.0"),
    ("-50", "99_999"), ("-2.5", "7.25"), ("0", "10.5"), ("-2**40", "2**40"), ("-100", "-1"),
    ("-1e9", "1e9"), ("0", "2**53"), ("-1e308", "1e308"), ("0", "5e-324"), ("0", "1e17"),
)  # fmt: skip
PARAMETERS = (
    ("0.1, 0.0, 1.0", (0, 0.1, 0.75, 1.0)), ("5, 1, 20", (1, 5, 20)), ("True", (True, False)),
    ("-2, -3, 3", (-3, 0, 2)), ("0, -1e9, 1e9", (-1e9, -0.0, 0.5, 7)), ("3, 0, 2**40", (0, 2**40)),
    ("7, 7, 7", (7,)), ("1.5, -1e308, 1e308", (1e308, -2)),
)  # fmt: skip
"""Definitions of parameters, with values to play."""
IDS = ("flu", "fire", "gift", "class")


class Case(NamedTuple):
    """A config with a task, and the operations of a game."""

    source: str
    seed: int
    operations: tuple[int, ...]
    """Actions, modulo the number of discrete actions."""
    parameters: Mapping[str, Any] = MappingProxyType({})
    """The values of the config's parameters."""

    def __repr__(self) -> str:
        set_to = f", parameters {dict(self.parameters)}" if self.parameters else ""
        return f"{self.source}\n# seed {self.seed}, operations {self.operations}{set_to}\n"

    def build(self) -> tuple[GameConfig, Task]:
        """Return `config` and `task` of the source."""
        names: dict[str, Any] = {name: getattr(api, name) for name in api.__all__}
        exec(compile(self.source, "<generated>", "exec"), names)
        return names["config"], names["task"]


class Games:
    """A generator of the parts of a config."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.fields = Fields([], [], [], [], {}, [], {})
        self._functions: list[str] = []
        self._ids: list[str] = []
        """The ids of the actions and events so far."""

    def _pick(self, options: Any) -> Any:
        return self._draw(st.sampled_from(options))

    def _some(self, low: int, high: int) -> range:
        return range(self._draw(st.integers(low, high)))

    def _odds(self, chances: int) -> bool:
        return bool(self._draw(st.integers(0, chances - 1)) == chances - 1)

    def source(self) -> str:
        """Return the source of a config and its task."""
        attributes, choices = self._attributes(), self._choices()
        parameters = self._parameters() if self._odds(3) else ""
        start = self._start()
        cooldowns = {id: self._cooldown() for id in IDS}
        self.fields.cooldowns = [*IDS, "never"] if self._odds(3) else []
        parts = {
            "name": repr("generated"),
            "initial_state": f"lambda: {{{start}}}",
            "attributes": f"{{{attributes}}}",
            "choices": f"{{{choices}}}",
            "parameters": f"{{{parameters}}}",
            "passive_modifiers": self._list([self._passive(i) for i in self._some(0, 3)]),
            "actions": self._list([self._action(i) for i in self._some(0, 3)]),
            "events": self._list(self._events(cooldowns)),
            "restrictions": self._list(self._conditions(0, 1) if self._odds(4) else []),
            "probability_modifiers": self._list([self._modifier() for _ in self._some(0, 2)]),
            **self._phases(),
            **self._ends(),
        }
        text = "".join(f"    {key}={value},\n" for key, value in parts.items())
        before = "\n".join(["import math\n", *self._functions])
        return f"{before}\nconfig = GameConfig(\n{text})\ntask = {self._task()}"

    @staticmethod
    def _list(entries: list[str]) -> str:
        return f"[{''.join(f'{chr(10)}        {entry},' for entry in entries)}]"

    def _attributes(self) -> str:
        found = []
        for number in self._some(0, 4):
            low, high = self._pick(BOUNDS)
            name = f"a{number}"
            found.append(f"{name!r}: Attribute({low}, {high}, default={self._pick((low, high))})")
            self.fields.attributes.append(name)
        return ", ".join(found)

    def _choices(self) -> str:
        found = []
        for number in self._some(0, 2):
            options = ["'clerk'", "'boss'", "None", "'None'"][: self._draw(st.integers(1, 4))]
            name = f"c{number}"
            found.append(f"{name!r}: Choice({', '.join(options)})")
            self.fields.choices[name] = options
        return ", ".join(found)

    def _parameters(self) -> str:
        found = []
        for number in self._some(1, 3):
            definition, values = self._pick(PARAMETERS)
            found.append(f"'p{number}': Parameter({definition})")
            self.fields.parameters[f"p{number}"] = values
        return ", ".join(found)

    def _start(self) -> str:
        found = [f"{name!r}: {self._pick((0, 1, 3, 5.5, 50, None))}"
                 for name in self.fields.attributes if self._odds(2)]  # fmt: skip
        for number in self._some(0, 2):
            self.fields.integers.append(f"n{number}")
            found.append(f"'n{number}': {self._pick((0, 3, -7))}")
        for number in self._some(0, 2):
            self.fields.floats.append(f"f{number}")
            found.append(f"'f{number}': {self._pick(('0.0', '1.5', '-20.25', '2', '1e300'))}")
        for number in self._some(0, 1):
            self.fields.bools.append(f"b{number}")
            found.append(f"'b{number}': {self._pick((True, False))}")
        return ", ".join([*found, "'unused': [1, 2]"])

    def _cooldown(self) -> str:
        return self._pick(("None", "None", "0", "1", "2", "3", "2.5", "0.5", "10**6", "1e9"))

    def _conditions(self, low: int, high: int, extra: tuple[str, ...] = ()) -> list[str]:
        head = "lambda s, ctx: " if extra else "lambda s: "
        make = Expressions(self._draw, self.fields, extra=extra)
        return [head + make.condition() for _ in self._some(low, high)]

    def _effects(self, extra: tuple[str, ...] = ()) -> list[str]:
        found = []
        for _ in self._some(0, 2):
            make = Expressions(self._draw, self.fields, extra=extra)
            if self._odds(5):
                found.append(self._constant_delta())
                continue
            arguments = "s, ctx" if extra else "s"
            if self._odds(3):
                name = f"effect_{len(self._functions)}"
                self._functions.append(make.function(f"{name}({arguments})"))
                found.append(name)
                continue
            entries = make.changes(self._draw(st.integers(1, 3)))
            if self._odds(4) and len(self.fields.attributes) > 1:
                one, other = self.fields.attributes[:2]
                entries = [
                    f"{one!r}: s[{other!r}] - s[{one!r}]",
                    f"{other!r}: s[{one!r}] - s[{other!r}]",
                ]
            found.append(f"lambda {arguments}: {{{', '.join(entries)}}}")
        return found

    def _constant_delta(self) -> str:
        names = [*self.fields.attributes, *self.fields.integers, "unused"]
        chosen = dict.fromkeys(self._pick(names) for _ in self._some(1, 2))
        return f"{{{', '.join(f'{key!r}: {self._pick(SMALL[:-1])}' for key in chosen)}}}"

    def _passive(self, number: int) -> str:
        delta = (self._effects() or ["{}"])[0]
        condition = (self._conditions(0, 1) or ["None"])[0]
        return f"PassiveModifier('p{number}', {delta}, {condition})"

    def _action(self, number: int) -> str:
        extra = ("ctx['amount']",) if self._odds(3) else ()
        contexts = "[{'amount': 2}, {'amount': -0.5}]" if extra else "[]"
        self._ids.append(f"act{number}")
        return (
            f"Action('act{number}', contexts={contexts}, {self._limits(extra)}"
            f"restrictions=[{', '.join(self._conditions(0, 1) if self._odds(3) else [])}], "
            f"conditions=[{', '.join(self._conditions(0, 2, extra))}], "
            f"effects=[{', '.join(self._effects(extra))}])"
        )

    def _limits(self, extra: tuple[str, ...]) -> str:
        """Return the costs, the cooldown and the uses of an action."""
        found = ""
        if self.fields.attributes and self._odds(3):
            keys = dict.fromkeys(self._pick(self.fields.attributes) for _ in self._some(1, 2))
            found += f"costs={{{', '.join(f'{key!r}: {self._cost(extra)}' for key in keys)}}}, "
        if self._odds(2):
            found += f"cooldown={self._pick(('0', '1', '2', '3', '2.5', '1e9'))}, "
        if self._odds(3):
            found += f"uses={self._draw(st.integers(1, 3))}, "
        return found

    def _cost(self, extra: tuple[str, ...]) -> str:
        if self._odds(3):
            make = Expressions(self._draw, self.fields, extra=extra)
            return f"lambda s{', ctx' * bool(extra)}: {make.number()}"
        return self._pick(("0", "1", "3", "0.5", "2.25", "10", "1e-9", "1e308"))

    def _order(self, id: str) -> str:
        """Return when an event can fire."""
        found = "once=True, " if self._odds(4) else ""
        others = [one for one in self._ids if one != id]
        self._ids.append(id)
        if self._odds(4):
            options = [repr(one) for one in others * 2]
            found += f"after={self._pick(('2', '3', '2.5', *options))}, "
        return found

    def _events(self, cooldowns: dict[str, str]) -> list[str]:
        found, without = [], set()
        for number in self._some(0, 4):
            id = self._pick(IDS)
            cooldown = cooldowns[id]
            if cooldown == "None":
                if id in without:
                    id = f"event{number}"
                without.add(id)
            elif self._odds(3):
                cooldown = self._pick(("1", "2.5", "4"))
            found.append(self._event(id, cooldown))
        return found

    def _event(self, id: str, cooldown: str) -> str:
        chance = self._pick(("0.5", "0.9", "0.1", "1", "0", "1 / 3", "1e-12"))
        trigger = self._pick(("random", "random", "milestone"))
        return (
            f"Event({id!r}, trigger={trigger!r}, base_probability={chance}, "
            f"cooldown={cooldown}, {self._order(id)}"
            f"meta={{'weight': {self._pick(('0', '2', '0.5'))}}}, "
            f"restrictions=[{', '.join(self._conditions(0, 1) if self._odds(3) else [])}], "
            f"conditions=[{', '.join(self._conditions(0, 2))}], "
            f"effects=[{', '.join(self._effects())}])"
        )

    def _modifier(self) -> str:
        make = Expressions(self._draw, self.fields, extra=("p", "p", "e.meta['weight']"))
        test = self._pick(("e.id == 'flu'", "e.meta['weight'] > 1", "True"))
        return f"lambda s, p, e: {make.number()} if {test} else p"

    def _phases(self) -> dict[str, str]:
        names = ["passiveModifierPhase", "randomEventPhase", "milestoneEventPhase"]
        order = names if self._odds(2) else [self._pick(names) for _ in self._some(0, 4)]
        if not self._odds(3):
            return {"tick_order": repr(order)}
        make = Expressions(self._draw, self.fields, extra=("t",))
        applies = self._odds(3)
        entries = make.changes(self._draw(st.integers(0, 2)), depth=1, sets=applies)
        if not applies and self._odds(3):
            entries.append(f"'tick': {self._pick(('t + 1', 't', 't + 0.5', 't - 2', '7'))}")
        new = f"{{**s, {', '.join(entries)}}}" if entries else "s"
        new = f"apply_delta(s, {{{', '.join(entries)}}}, c)" if applies else new
        place = self._draw(st.integers(0, len(order)))
        return {
            "tick_order": repr([*order[:place], "own", *order[place:]]),
            "custom_phases": f"{{'own': lambda s, c, t: PhaseResult({new})}}",
        }

    def _ends(self) -> dict[str, str]:
        make, found = Expressions(self._draw, self.fields), {}
        for name in ("end", "win"):
            if self._odds(5):
                found[name] = f"lambda s: (s['tick'] > 1) & ({make.condition(1)})"
        if self._odds(5):
            found["score"] = f"lambda s: {make.number(1)}"
        return found

    def _task(self) -> str:
        make, after, before = (
            Expressions(self._draw, self.fields, name) for name in ("s", "after", "before")
        )
        reward = f"{after.number(1)} - {before.number(1)}"
        parts = [f"reward=lambda before, after: {reward}"]
        if self._odds(3):
            parts.append(f"terminated=lambda s: {make.condition(1)}")
        if self._odds(3):
            parts.append(f"score=lambda s: {make.number(1)}")
        if self._odds(3):
            parts.append(f"max_ticks={self._draw(st.integers(1, 9))}")
        if self._odds(3):
            parts.append(f"actions_per_tick={self._draw(st.integers(2, 3))}")
        return f"Task({', '.join(parts)})"


@st.composite
def cases(draw: Draw, steps: int = 14) -> Case:
    """Draw a config with a task, a seed, and operations."""
    operations = st.lists(st.integers(0, 7), min_size=steps // 2, max_size=steps)
    games = Games(draw)
    source = games.source()
    values = {
        name: draw(st.sampled_from(of)) for name, of in games.fields.parameters.items()
        if draw(st.booleans())
    }  # fmt: skip
    return Case(source, draw(st.integers(0, 2**32 - 1)), tuple(draw(operations)), values)
