"""Random expressions and functions in ordinary Python, without `where` and `&`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Draw = Callable[[Any], Any]
Pick = Callable[[Any], Any]

NUMBERS = (
    "({a} if {c} else {b})", "min({a}, {b}, {d})", "max([{a}, {b}])", "sum([{a}, {b}, {d}])",
    "sum({a} for k in range(3))", "max((k for k in (1, 4, -2) if k < {a}), default={b})",
    "min((3, 1, -2.5), key=lambda v: abs(v - {i}))", "abs({a})", "round({a})", "int({a})",
    "float({a})", "bool({a})", "divmod({a}, 3)[0]", "divmod({a}, -2.5)[1]", "math.floor({a})",
    "math.ceil({a})", "math.trunc({a})", "math.fabs({a})", "{i} ** 2", "{i} ** 3", "({a} and {b})",
    "({a} or {b})", "(not {a})", "[1, -2, 7][{i} % 3]", "(4, {a}, {b})[int({c})]",
    "{{0: 1, 1: -3, 2: {a}}}[{i} % 3]", "{{1: 2, 3: 4}}.get({i}, {a})", "[5, 6][-1 - ({i} % 2)]",
    "len(range({i}))", "sum(range({i} % 5))", "len([k for k in range(4) if k > {a}])",
    "sorted([{a}, {b}, {d}])[1]", "{{'x1': 1, 'x2': {a}}}.get((lambda v: f'x{{v}}')({i}), -1)",
    "(lambda v: v * v - {b})({i})", "((v := {i}) + v)", "len(str({i}))", "2 * {a}",
    "next((k for k in range(5) if k >= {i}), -1)", "+{a}", "-{a}", "int({c}) * {a}",
    "(lambda p, q: p - q)(*divmod({i}, 4))", "sum([{c}, {c}])", "max({a}, {b}, key=lambda v: -v)",
    "{{True: {a}, False: {b}}}[{c}]", "{{'y': {a}, 'n': {b}}}['y' if {c} else 'n']",
    "({a} // (abs({b}) + 1))", "({a} % max({b}, 1))", "list(map(abs, [{a}, {b}]))[{i} % 2]",
)  # fmt: skip
CONDITIONS = (
    "({c} and {e})", "({c} or {e})", "(not {c})", "({a} < {b} <= {d})", "(0 <= {a} != {b})",
    "({i} in (1, 2, 5))", "({i} not in [3, 4])", "({i} in {{1, 2}})", "({i} in {{0: 1, 5: 2}})",
    "({i} in range(1, 9, 2))", "any([{c}, {e}])", "all(({c}, {e}))", "any({i} == k for k in (1,))",
    "all({a} > k for k in range(2))", "math.isclose({a}, {b})", "bool({a})", "({c} is True)",
    "({c} is not False)", "isinstance({i}, int)", "({c} if {e} else {a} > 0)", "({a} == {b})",
    "({c} == {e})", "({c} != ({a} > 1))", "(min({c}, {e}))",
)  # fmt: skip
OF_CHOICES = (
    "({s} is None)", "({s} is not None)", "({s} in ('clerk', None))", "({s} not in {{'boss'}})",
    "(({s} or '').startswith('c'))", "((lambda v: f'{{v}}_pay')({s}) == 'boss_pay')",
    "(({s} or 'z') < 'm')",
    "bool({s})", "({s} and {s}.upper() == 'BOSS')", "(str({s}) in {{'None', 'clerk'}})",
    "(not {s})", "isinstance({s}, str)", "({{'clerk': 1, None: 0}}.get({s}, 2) > {a})",
)  # fmt: skip

BODIES = (
    "    if {c}:\n        return {{{x}}}\n    if {e}:\n        return {{}}\n    return {{{y}}}\n",
    "    total = {a}\n    for k in range(4):\n        if total > {b}:\n            break\n"
    "        total += k\n    else:\n        return {{{x}}}\n    return {{{key!r}: total}}\n",
    "    try:\n        value = {a} / {b}\n    except ZeroDivisionError:\n        value = {d}\n"
    "    return {{{key!r}: value}}\n",
    "    try:\n        value = {{1: 2, 3: -1}}[{i}]\n    except KeyError:\n        return {{{x}}}\n"
    "    return {{{key!r}: value}}\n",
    "    total = 0\n    def add(v):\n        nonlocal total\n        total += v\n"
    "    for k in (1, -2):\n        if {c}:\n            add({i} * k)\n        else:\n"
    "            add(k)\n    return {{{key!r}: total}}\n",
    "    match {i}:\n        case 1 | 2:\n            return {{{x}}}\n"
    "        case int(v) if v > 4:\n            return {{{key!r}: v}}\n"
    "        case _:\n            return {{{y}}}\n",
    "    match ({c}, {i}):\n        case (True, 3):\n            return {{{x}}}\n"
    "        case (_, v):\n            return {{{key!r}: -v}}\n",
    "    out = {{}}\n    if {c}:\n        out.update({{{x}}})\n    if {e}:\n"
    "        out[{key!r}] = {a}\n    return out\n",
    "    left = {i}\n    steps = 0\n    while left > 1 and steps < 5:\n        left //= 2\n"
    "        steps += 1\n    return {{{key!r}: steps - left}}\n",
    "    low, high = ({a}, {b}) if {c} else ({b}, {d})\n"
    "    low, high = min(low, high), max(low, high)\n    return {{{key!r}: high - low}}\n",
    "    values = sorted([{a}, {b}, {d}], reverse=True)\n    values.append({i})\n"
    "    return {{{key!r}: values[0] - values[-1]}} if {c} else {{{x}}}\n",
)  # fmt: skip
"""Bodies of functions from a state to a delta; {x} and {y} are entries of deltas."""


class Ordinary:
    """A generator of ordinary Python, whose parts another generator makes.

    Args:
        pick: a function that draws one of several options.
        number: a function depth -> an expression whose result is a number.
        condition: a function depth -> an expression whose result is a bool.
    """

    def __init__(
        self, pick: Pick, number: Callable[[int], str], condition: Callable[[int], str]
    ) -> None:
        self._pick, self._number, self._condition = pick, number, condition

    def number(self, depth: int) -> str:
        """Return an expression whose result is a number."""
        return self._fill(self._pick(NUMBERS), depth)

    def condition(self, depth: int, choice: str = "") -> str:
        """Return an expression whose result is a bool, of a choice if one is given."""
        return self._fill(self._pick(OF_CHOICES if choice else CONDITIONS), depth, s=choice)

    def function(self, key: str, one: str, other: str) -> str:
        """Return the body of a function that returns a delta.

        Args:
            key: a field that some deltas change.
            one: the entries of a delta.
            other: the entries of another delta.
        """
        return self._fill(self._pick(BODIES), 1, key=key, x=one, y=other)

    def _fill(self, pattern: str, depth: int, **parts: str) -> str:
        deeper = depth - 1
        for name in ("a", "b", "d"):
            if f"{{{name}}}" in pattern:
                parts[name] = self._number(deeper)
        for name in ("c", "e"):
            if f"{{{name}}}" in pattern:
                parts[name] = self._condition(deeper)
        if "{i}" in pattern or "{i} " in pattern:
            low, high = self._pick(((0, 6), (-3, 3), (1, 9)))
            whole = self._pick(("int({})", "math.floor({})", "round({})"))
            parts["i"] = f"min(max({whole.format(self._number(deeper))}, {low}), {high})"
        return pattern.format(**parts)
