"""Random expressions over the fields of a game, as readable source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Ordinary = sys.modules["axiom_ordinary"].Ordinary  # loaded before; this folder is no package
Draw = Callable[[st.SearchStrategy[Any]], Any]

SMALL = ("0", "1", "2", "3", "5", "10", "-1", "-4", "25", "0.5", "0.1", "-2.5", "0.0", "True")
ODD = ("-0.0", "1e308", "-1e308", "5e-324", "1e-9", "2**31", "2**48", "2**53", "2**53 + 1", "2**60")


@dataclass
class Fields:
    """The names of a game's fields."""

    attributes: list[str]
    integers: list[str]
    floats: list[str]
    bools: list[str]
    choices: dict[str, list[str]]
    cooldowns: list[str]
    parameters: dict[str, tuple[Any, ...]]
    """Possible values of each parameter."""


class Expressions:
    """A generator of expressions over a game's fields.

    Args:
        draw: the function of a composite strategy.
        fields: the fields that expressions can read.
        state: the name of the state in the expressions.
        extra: further numbers that expressions can read, such as `ctx['amount']`.
    """

    def __init__(self, draw: Draw, fields: Fields, state: str = "s", extra: tuple[str, ...] = ()):
        self._draw, self._fields, self._state, self._extra = draw, fields, state, extra
        self._ordinary = Ordinary(self._pick, self.number, self.condition)

    def _pick(self, options: Any) -> Any:
        return self._draw(st.sampled_from(options))

    def _field(self, key: str) -> str:
        return f"{self._state}[{key!r}]"

    def _is_ordinary(self) -> bool:
        return bool(self._draw(st.integers(0, 2)) == 2)

    def function(self, head: str) -> str:
        """Return the source of a function `head` that returns a delta, or one of several."""
        fields = self._fields
        key = self._pick([*fields.attributes, *fields.floats, "unused"])
        one, other = (", ".join(self.changes(self._pick((1, 2)), 1)) for _ in range(2))
        return f"def {head}:\n{self._ordinary.function(key, one, other)}"

    def constant(self) -> str:
        """Return a plain number."""
        odd = self._draw(st.integers(0, 11)) == 11
        return f"({self._pick(ODD)})" if odd else self._pick(SMALL)

    def leaf(self) -> str:
        """Return a number that is no operation."""
        fields, state = self._fields, self._state
        options = [self.constant] * 3 + [lambda: f"{state}['tick']"]
        if fields.attributes:
            options += [lambda: self._field(self._pick(fields.attributes))] * 5
        if fields.integers:
            options += [lambda: f"clip({self._field(self._pick(fields.integers))}, -99, 99)"] * 2
            options += [lambda: self._field(self._pick(fields.integers))]
        if fields.floats:
            options += [lambda: self._field(self._pick(fields.floats))] * 2
        if fields.cooldowns:
            get = f"{state}['cooldowns'].get({{!r}}, {{}})".format
            options += [lambda: get(self._pick(fields.cooldowns), self._pick((0, -1, 0.5)))]
        if fields.parameters:
            options += [lambda: f"{state}.params[{self._pick(sorted(fields.parameters))!r}]"] * 3
        if self._extra:
            options += [lambda: self._pick(self._extra)] * 3
        return self._pick(options)()

    def number(self, depth: int = 2) -> str:
        """Return an expression whose result is a number."""
        if depth <= 0 or self._draw(st.integers(0, 3)) < 1:
            return self.leaf()
        deeper = depth - 1
        if self._is_ordinary():
            return self._ordinary.number(depth)
        kind = self._pick(("+", "-", "*", "/", "//", "%", "where", "min_", "max_", "clip", "floor",
                           "abs_", "-", "table", "+", "-x", "truth"))  # fmt: skip
        match kind:
            case "where":
                test, yes = self.condition(deeper), self.number(deeper)
                return f"where({test}, {yes}, {self.number(deeper)})"
            case "min_" | "max_":
                return f"{kind}({self.number(deeper)}, {self.number(deeper)})"
            case "clip":
                return f"clip({self.number(deeper)}, {self.constant()}, {self.number(deeper)})"
            case "floor" | "abs_":
                return f"{kind}({self.number(deeper)})"
            case "-x":
                return f"-({self.number(deeper)})"
            case "table":
                return self._table(deeper)
            case "truth":
                return f"({self.condition(deeper)})"
        right = self.number(deeper)
        if kind in ("/", "//", "%") and self._draw(st.integers(0, 2)):
            right = self._pick((f"max_({right}, 1)", "3", "-2.5", "7", f"(abs_({right}) + 0.5)"))
        return f"({self.number(deeper)} {kind} {right})"

    def _table(self, depth: int) -> str:
        entries = [self.number(depth - 1) for _ in range(self._draw(st.integers(1, 4)))]
        default = self._draw(st.integers(0, 5)) > 0
        last = f", {self.number(depth - 1)}" if default else ""
        if self._fields.choices and self._draw(st.booleans()):
            name = self._pick(sorted(self._fields.choices))
            options = self._fields.choices[name]
            pairs = ", ".join(map("{}: {}".format, options, entries))
            return f"table({self._field(name)}, {{{pairs}}}{last})"
        key = self.number(depth - 1)
        if self._draw(st.booleans()):
            return f"table({key}, [{', '.join(entries)}]{last})"
        pairs = ", ".join(f"{self.constant()}: {entry}" for entry in entries)
        return f"table({key}, {{{pairs}}}{last})"

    def condition(self, depth: int = 2) -> str:
        """Return an expression whose result is a bool."""
        deeper = depth - 1
        if depth > 0 and self._is_ordinary():
            names = sorted(self._fields.choices) if self._draw(st.booleans()) else ()
            choice = self._field(self._pick(names)) if names else ""
            return self._ordinary.condition(depth, choice)
        kinds = ["<", "<=", ">", ">=", "==", "!="]
        if depth > 0:
            kinds += ["&", "|", "not_", "any_", "all_", "where"]
        if self._fields.bools:
            kinds += ["field"] * 2
        if self._fields.choices:
            kinds += ["choice"] * 3
        kind = self._pick(kinds)
        match kind:
            case "field":
                return self._field(self._pick(self._fields.bools))
            case "choice":
                return self._choice_test(deeper)
            case "not_":
                return f"not_({self.condition(deeper)})"
            case "any_" | "all_":
                parts = [self.condition(deeper) for _ in range(self._draw(st.integers(1, 3)))]
                return f"{kind}({', '.join(parts)})"
            case "where":
                parts = [self.condition(deeper) for _ in range(3)]
                return f"where({', '.join(parts)})"
            case "&" | "|":
                return f"(({self.condition(deeper)}) {kind} ({self.condition(deeper)}))"
        return f"({self.number(deeper)} {kind} {self.number(deeper)})"

    def _choice_test(self, depth: int) -> str:
        name = self._pick(sorted(self._fields.choices))
        operator = self._pick(("==", "!="))
        right = self._pick((*self._fields.choices[name], "'unknown'"))
        if depth > 0 and self._draw(st.integers(0, 3)) == 3:
            right = self.choice(name, depth - 1, ("'unknown'", "'other'"))
        return f"({self.choice(name, depth - 1)} {operator} {right})"

    def choice(self, name: str, depth: int = 1, more: tuple[str, ...] = ()) -> str:
        """Return an expression whose result is an option of a choice."""
        if depth > 0 and self._draw(st.integers(0, 2)) == 2:
            parts = [self.choice(name, depth - 1, more) for _ in range(2)]
            return f"where({self.condition(depth - 1)}, {', '.join(parts)})"
        if not more and self._draw(st.booleans()):
            return self._field(name)
        return self._pick((*self._fields.choices[name], *more))

    def changes(self, count: int, depth: int = 2, sets: bool = True) -> list[str]:
        """Return the entries of a delta, each for a different field; `sets`: some with `Set`."""
        fields = self._fields
        names = [*fields.attributes * 2, *fields.integers, *fields.floats, *fields.bools,
                 *fields.choices, "unused"]  # fmt: skip
        chosen = dict.fromkeys(self._pick(names) for _ in range(count))
        found = []
        for key in chosen:
            value = self.value(key, depth)
            is_set = sets and not self._draw(st.integers(0, 4))
            found.append(f"{key!r}: Set({value})" if is_set else f"{key!r}: {value}")
        return found

    def value(self, key: str, depth: int) -> str:
        """Return an expression for the new value of a field."""
        if key in self._fields.bools:
            return self.condition(depth)
        if key in self._fields.choices:
            return self.choice(key, depth)
        if key in self._fields.integers and self._draw(st.integers(0, 3)):
            same = self._pick(self._fields.integers)
            return f"{self._field(same)} + {self._pick(('1', '-3', self.condition(0)))}"
        if key in self._fields.floats and self._draw(st.integers(0, 2)):
            same = self._pick(self._fields.floats)
            return f"{self._field(same)} {self._pick(('+ 0.5', '* 0.9', '- 2', '* -3', '/ 4'))}"
        return self.number(depth)
