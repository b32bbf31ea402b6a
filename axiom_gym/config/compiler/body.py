"""The parts that all compiled functions of a config share: variables, checks and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.compiler.nodes import Check, Node
from axiom_gym.config.compiler.scheme import TICK, cooldown_key
from axiom_gym.config.compiler.tracer import Tracer
from axiom_gym.config.compiler.writer import Writer, strip
from axiom_gym.config.definitions import Action, Event, GameConfig
from axiom_gym.config.derived import conditions, has_cooldown
from axiom_gym.errors import TraceError


@dataclass(frozen=True, slots=True)
class Test:
    """A traced condition that must hold, and the checks that come before it."""

    node: Node
    checks: tuple[Check, ...]
    place: str


class Faults:
    """The messages of all faults, numbered from 1 in the order in which they were found."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def number(self, message: str) -> int:
        """Return the number of a message; add the message if it is new."""
        if message not in self.messages:
            self.messages.append(message)
        return 1 + self.messages.index(message)


class Body:
    """A compiled function under construction.

    Args:
        tracer: the tracer of this pass.
        codes: the numbers of the strings and None.
        faults: the faults that failed checks return; None for a function that only skips the code
            that depends on a failed check.
    """

    def __init__(
        self, tracer: Tracer, codes: dict[str | None, int], faults: Faults | None = None
    ) -> None:
        self.tracer = tracer
        self.writer = Writer(self._variable, codes)
        self.faults = faults
        self.before: set[str] = set()
        """The fields whose value before the step is read after it."""
        self.used: set[str] = set()
        """The fields that are read or changed."""

    @property
    def config(self) -> GameConfig:
        return self.tracer.config

    def _variable(self, node: Node) -> str:
        key, version = node.payload
        self.used.add(key)
        if version == self.tracer.versions[key]:
            return self.local(key)
        if version != 0:
            raise TraceError(f"a callable uses a value of s[{key!r}] that an earlier call stored.")
        self.before.add(key)
        return f"before_{self.tracer.fields[key].name}"

    def local(self, key: str) -> str:
        """Return the name of a field's variable."""
        return f"s_{self.tracer.fields[key].name}"

    # -- checks and conditions ---------------------------------------------------------------------

    def demand(
        self, checks: Iterable[Check], place: str, stack: ExitStack, field: str | None = None
    ) -> None:
        """Write checks: a failed one returns a fault or, without faults, skips the code below it.

        Args:
            checks: the checks.
            place: the place in the config, for the message.
            stack: the stack that closes the blocks.
            field: the field, if the checks concern only the value of this field.
        """
        for check in checks:
            if field is None:
                self.tracer.need(check.fails)
            else:
                self.tracer.influence(field, check.fails)
            (text,) = self.writer.compute([check.fails])
            if self.faults is None:
                stack.enter_context(self.writer.block(f"if not {text}:"))
                continue
            number = self.faults.number(f"{place}: {check.problem}")
            with self.writer.block(f"if {strip(text)}:"):
                self.writer.line("state.rng = np.uint32(rng)")
                self.writer.line(f"return FAULT + {number}")

    def gate(self, tests: Sequence[Test], stack: ExitStack, extra: str = "") -> bool:
        """Open blocks in which all tests hold, checked one after the other.

        Args:
            tests: the conditions that must hold.
            stack: the stack that closes the blocks.
            extra: a further condition, as source.

        Returns:
            False if one of them never holds, so that the code below can be left out.
        """
        pending: list[Node] = []
        for test in tests:
            if test.checks:
                self._open(pending, stack)
                pending = []
                self.demand(test.checks, test.place, stack)
            if test.node.op == "const":
                if not test.node.payload:
                    return False
                continue
            self.tracer.need(test.node)
            pending.append(test.node)
        self._open(pending, stack, extra)
        return True

    def _open(self, nodes: list[Node], stack: ExitStack, extra: str = "") -> None:
        texts = self.writer.compute(nodes)
        condition = " & ".join(texts) if len(texts) != 1 or extra else strip(texts[0])
        if extra and len(texts) > 1:
            condition = f"({condition})"
        parts = [part for part in (extra, condition) if part]
        if parts:
            stack.enter_context(self.writer.block(f"if {' and '.join(parts)}:"))

    def tests(self, owner: Action | Event, path: str, context: Any) -> list[Test]:
        """Trace the tests of an action or event.

        They are the game's restrictions, its own restrictions, its conditions and its cooldown, in
        this order.
        """
        kind = "action" if isinstance(owner, Action) else "event"
        name = f"{kind} {owner.id!r},"
        groups = (
            (self.config.restrictions, "restrictions"),
            (owner.restrictions, f"{path}.restrictions"),
        )
        parts = [
            (f"{where}[{index}]", function, True)
            for functions, where in groups
            for index, function in enumerate(functions)
        ]
        own = conditions(owner, self.tracer.scheme.attributes)
        parts += [(f"{path}.{one.where}", one.function, False) for one in own]
        found = []
        for where, function, forbids in parts:
            place = f"{name} {where}:"
            view = self.tracer.view()
            node, checks = self.tracer.condition(
                place, function, view, None if forbids else context
            )
            if forbids:
                node = self.tracer.graph.apply("not", node)
            found.append(Test(node, checks, place.removesuffix(":")))
        return [*found, *self._cooldown_tests(owner)]

    def _cooldown_tests(self, owner: Action | Event) -> list[Test]:
        key, tracer = cooldown_key(owner), self.tracer
        if not has_cooldown(owner) or key not in tracer.fields:
            return []
        return [Test(tracer.graph.apply(">=", tracer.current(TICK), tracer.current(key)), (), "")]

    @contextmanager
    def branch(self) -> Iterator[ExitStack]:
        """Enclose conditional code; the fields that it changes get new versions after it."""
        before = dict(self.tracer.versions)
        with ExitStack() as stack:
            yield stack
        self.tracer.merge(before)
