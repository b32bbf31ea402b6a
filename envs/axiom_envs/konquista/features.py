"""Names of the entries of an observation of Konquista; `observe` writes them."""

from __future__ import annotations

from axiom_envs.konquista.boards import Board
from axiom_envs.konquista.constants import PHASES


def feature_names(board: Board, players: int) -> tuple[str, ...]:
    """Return a name for each entry of the observation; seat 0 is the observing player."""
    values = [f"owner{seat}" for seat in range(players)]
    values += ["armies_log", "armies", "advance_from", "advance_to"]
    names = [f"{here.name}.{value}" for here in board.territories for value in values]
    names += [f"{region.name}.share{seat}" for region in board.regions for seat in range(players)]
    names += ["to_place", *(f"phase.{phase}" for phase in PHASES), "turn"]
    for seat in range(players):
        names += [f"seat{seat}.{value}" for value in ("territories", "armies", "in")]
    return tuple(names)
