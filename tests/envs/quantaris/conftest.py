"""Recorded games of the original engine, and short forms for positions and actions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from axiom_envs.quantaris.compat.types import (
    Action,
    ActionLike,
    Core,
    Cores,
    Direction,
    GamePhase,
    GameState,
    MoveAction,
    Player,
    Position,
    PulseAction,
    PulseDirection,
    Quantar,
    ShieldAction,
)

VECTORS = Path(__file__).parents[2] / "vectors"
FOLDERS = {"0.1": "quantaris_v01", "0.2": "quantaris_v02"}
EVENT_FIELDS = {
    "MOVE": ("quantarId", "from", "to"),
    "MOVE_BLOCKED": ("quantarId", "from", "direction", "reason"),
    "PULSE_FIRED": ("quantarId", "from", "direction"),
    "PULSE_HIT": ("targetId", "targetType", "damage"),
    "PULSE_MISS": ("quantarId",),
    "SHIELD_ACTIVATED": ("quantarId",),
    "DAMAGE_APPLIED": ("targetId", "damage", "remainingHp"),
    "ENTITY_DESTROYED": ("entityId", "entityType"),
    "GAME_OVER": ("winner",),
    "TERMINAL_LOSS": ("loser", "reason"),
    "DRAW": ("reason",),
}
STANDARD_CORES = [4, 8, 4, 0]


class Traces:
    """A reader of the recorded files.

    A recorded state is `[turn, phase, winner, hp A, hp B, units]`, with the cells of the cores as a
    seventh entry if they are not the standard ones.
    """

    def records(self, ruleset: str, name: str) -> Iterator[Any]:
        path = VECTORS / FOLDERS[ruleset] / f"{name}.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def state(self, values: list[Any]) -> GameState:
        turn, phase, winner, hp_a, hp_b, units = values[:6]
        x_a, y_a, x_b, y_b = values[6] if len(values) > 6 else STANDARD_CORES
        return GameState(
            turn=turn,
            phase=GamePhase(phase),
            quantars=tuple(
                Quantar(name, Player(owner), Position(x, y), hp) for name, owner, x, y, hp in units
            ),
            cores=Cores(
                Core(Player.A, Position(x_a, y_a), hp_a), Core(Player.B, Position(x_b, y_b), hp_b)
            ),
            winner=Player(winner) if winner else None,
        )

    def values(self, state: GameState) -> list[Any]:
        """Return the first six entries of a recorded state."""
        units = [[q.id, q.owner, q.position.x, q.position.y, q.hp] for q in state.quantars]
        a, b = state.cores.A, state.cores.B
        return [state.turn, state.phase, state.winner, a.hp, b.hp, units]

    def actions(self, text: str) -> list[ActionLike]:
        """Read `M:A1:N S:A2`; an action of a wrong direction or type becomes a mapping."""
        return [self.action(token) for token in text.split()]

    def action(self, token: str) -> ActionLike:
        kind, unit, *rest = token.split(":")
        if kind == "S":
            return ShieldAction(unit)
        if kind == "M" and rest[0] in tuple(Direction):
            return MoveAction(unit, Direction(rest[0]))
        if kind == "P" and rest[0] in tuple(PulseDirection):
            return PulseAction(unit, PulseDirection(rest[0]))
        names = {"M": "MOVE", "P": "PULSE", "X": "WAIT"}
        fields = {"type": names[kind], "quantarId": unit}
        return fields | {"direction": rest[0]} if rest else fields

    def text(self, actions: tuple[Action, ...]) -> str:
        """Return the text of typed actions; the inverse of `actions`."""
        parts = [(a.type[0], a.quantar_id, getattr(a, "direction", "")) for a in actions]
        return " ".join(":".join(filter(None, part)) for part in parts)

    def event(self, values: list[Any]) -> dict[str, Any]:
        """Return an event as the original's JSON object."""
        kind, *rest = values
        out, entries = {"type": kind}, iter(rest)
        for name in EVENT_FIELDS[kind]:
            cell = name in ("from", "to")
            out[name] = {"x": next(entries), "y": next(entries)} if cell else next(entries)
        return out


@pytest.fixture(scope="session")
def traces() -> Traces:
    return Traces()


@pytest.fixture(params=["0.1", "0.2"])
def ruleset(request: pytest.FixtureRequest) -> str:
    """Return each ruleset in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def place() -> Callable[..., GameState]:
    """Return a function that makes a state: `place(A1=(4, 5), B1=(4, 4, 1), cores=(5, 5), turn=3)`.

    Units have 2 hp by default. Their order in the state is that of the arguments.
    """

    def make(
        cores: tuple[int, int] = (5, 5),
        turn: int = 1,
        phase: str = "playing",
        winner: str | None = None,
        **units: tuple[int, ...],
    ) -> GameState:
        rows = [
            [name, name[0], cell[0], cell[1], *(cell[2:] or (2,))] for name, cell in units.items()
        ]
        return Traces().state([turn, phase, winner, *cores, rows])

    return make


@pytest.fixture(scope="session")
def orders(traces: Traces) -> Callable[[str], list[ActionLike]]:
    """Return a function that makes a list of actions: `orders("M:A1:N P:A2:SE S:A3")`."""
    return traces.actions
