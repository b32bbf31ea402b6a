"""What every compiled function of a config is built with: state, checks, conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.compiler.nodes import Check, Node
from axiom_gym.config.compiler.tracer import Tracer
from axiom_gym.config.compiler.writer import Writer, strip
from axiom_gym.config.definitions import Action, Event, GameConfig
from axiom_gym.errors import TraceError


@dataclass(frozen=True, slots=True)
class Test:
    """A condition that was traced: it is to hold, after its checks have passed."""

    node: Node
    checks: tuple[Check, ...]
    place: str


class Faults:
    """The numbers of all faults, from 1 on, in the order in which they were found."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def number(self, message: str) -> int:
        """The number of a message, new or known."""
        if message not in self.messages:
            self.messages.append(message)
        return 1 + self.messages.index(message)


class Body:
    """One function in the making.

    Args:
        tracer: of this pass.
        codes: the numbers of the strings.
        faults: where a failed check leads; None for a function that only leaves out what depends on
            the check.
    """

    def __init__(
        self, tracer: Tracer, codes: dict[str | None, int], faults: Faults | None = None
    ) -> None:
        self.tracer = tracer
        self.writer = Writer(self._variable, codes)
        self.faults = faults
        self.before: set[str] = set()
        """Fields whose value before the step is wanted after it."""
        self.used: set[str] = set()
        """Fields whose value is read or changed."""

    @property
    def config(self) -> GameConfig:
        return self.tracer.config

    def _variable(self, node: Node) -> str:
        key, version = node.payload
        self.used.add(key)
        if version == self.tracer.versions[key]:
            return self.local(key)
        if version != 0:
            raise TraceError(f"a callable uses a value of s[{key!r}] that an earlier call kept.")
        self.before.add(key)
        return f"before_{self.tracer.fields[key].name}"

    def local(self, key: str) -> str:
        """The variable of a field."""
        return f"s_{self.tracer.fields[key].name}"

    # -- checks and conditions ---------------------------------------------------------------------

    def demand(
        self, checks: Iterable[Check], place: str, stack: ExitStack, field: str | None = None
    ) -> None:
        """Lets a fault end the step; or, without faults, puts what follows under the check.

        Args:
            checks: what must not hold.
            place: for the message.
            stack: closes the blocks.
            field: if the checks are about nothing but this field's value.
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
        """Puts what follows under all tests, one after the other.

        Args:
            tests: what must hold.
            stack: closes the blocks.
            extra: a further condition as source.

        Returns:
            False if one of them never holds; then what follows is left out.
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
        whole = " & ".join(texts) if len(texts) != 1 or extra else strip(texts[0])
        parts = [
            part for part in (extra, f"({whole})" if extra and len(texts) > 1 else whole) if part
        ]
        if parts:
            stack.enter_context(self.writer.block(f"if {' and '.join(parts)}:"))

    def tests(self, owner: Action | Event, path: str, context: Any) -> list[Test]:
        """Restrictions of the game, own restrictions, conditions: what must hold for a thing."""
        kind = "action" if isinstance(owner, Action) else "event"
        name = f"{kind} {owner.id!r},"
        groups = (
            (self.config.restrictions, "restrictions", True),
            (owner.restrictions, f"{path}.restrictions", True),
            (owner.conditions, f"{path}.conditions", False),
        )
        found = []
        for functions, where, forbids in groups:
            for index, function in enumerate(functions):
                place = f"{name} {where}[{index}]:"
                view = self.tracer.view()
                node, checks = self.tracer.condition(
                    place, function, view, None if forbids else context
                )
                if forbids:
                    node = self.tracer.graph.apply("not", node)
                found.append(Test(node, checks, place.removesuffix(":")))
        return found

    @contextmanager
    def branch(self) -> Iterator[ExitStack]:
        """A part that may be left out in play; fields that it changes are known anew after it."""
        before = dict(self.tracer.versions)
        with ExitStack() as stack:
            yield stack
        self.tracer.merge(before)
