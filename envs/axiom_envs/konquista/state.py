"""The state of Konquista, its parameters, and queries of both.

Axis letters: T territories, E directed borders and R regions of the board in play; P players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.boards import load_board
from axiom_envs.konquista.config import KonquistaConfig
from axiom_envs.konquista.constants import MAX_PLAYERS, MAX_TERRITORIES
from axiom_gym.kernel import inline_kernel, inner_kernel, record_dtype

STATE = record_dtype(
    [
        ("board", np.uint32),  # fingerprint of the board
        ("turn", np.int16),  # number of the current player turn, from 1
        ("phase", np.int8),  # REINFORCE, ATTACKING, ADVANCING, FORTIFYING or OVER
        ("player", np.int8),  # the player whose turn it is
        ("to_place", np.int16),  # armies that are left to place
        ("advance", np.int16),  # while ADVANCING, the directed border of the conquest; else -1
        ("place", np.int8, (MAX_PLAYERS,)),  # 0: in the game; k: eliminated, place k; -1: no seat
        ("owner", np.int8, (MAX_TERRITORIES,)),  # seat; -1 beyond the board
        ("armies", np.int32, (MAX_TERRITORIES,)),  # 1 or more; 0 beyond the board
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    """The parameters of the kernel: the board and the options."""

    players: int
    territories: int
    borders: int  # directed
    regions: int
    turn_limit: int
    blitz: int  # 0 or 1
    fingerprint: int  # of the board
    sources: npt.NDArray[np.int64]  # (E,): the territory where a directed border starts
    targets: npt.NDArray[np.int64]  # (E,): the territory where it ends
    first_border: npt.NDArray[np.int64]  # (T + 1,): borders of t are first[t] .. first[t + 1] - 1
    region_of: npt.NDArray[np.int64]  # (T,)
    region_size: npt.NDArray[np.int64]  # (R,): number of territories
    bonus: npt.NDArray[np.int64]  # (R,)
    armies: npt.NDArray[np.int64]  # (P,): armies of each seat at the start


def make_params(config: KonquistaConfig) -> Params:
    """Return the parameters of the kernel for these options."""
    board = load_board(config.board)
    sources = np.array([start for start, _ in board.borders], dtype=np.int64)
    region_of = np.array([here.region for here in board.territories], dtype=np.int64)
    territories, regions = len(board.territories), len(board.regions)
    return Params(
        players=int(config.players),
        territories=territories,
        borders=len(board.borders),
        regions=regions,
        turn_limit=int(config.turn_limit),
        blitz=int(config.blitz),
        fingerprint=board.fingerprint,
        sources=sources,
        targets=np.array([end for _, end in board.borders], dtype=np.int64),
        first_border=np.searchsorted(sources, np.arange(territories + 1)).astype(np.int64),
        region_of=region_of,
        region_size=np.bincount(region_of, minlength=regions).astype(np.int64),
        bonus=np.array([region.bonus for region in board.regions], dtype=np.int64),
        armies=np.array(board.armies[config.players], dtype=np.int64),
    )


@inline_kernel
def is_alive(state: Any, player: int) -> bool:
    """Return True if a player has not been eliminated."""
    return int(state.place[player]) == 0


@inline_kernel
def can_attack(state: Any, player: int, border: int, params: Params) -> bool:
    """Return True if a directed border leads from a player's 2 or more armies to an opponent."""
    start, end = params.sources[border], params.targets[border]
    own = int(state.owner[start]) == player and int(state.owner[end]) != player
    return own and int(state.armies[start]) >= 2


@inline_kernel
def can_move(state: Any, player: int, border: int, params: Params) -> bool:
    """Return True if a directed border leads from a player's 2 or more armies to own land."""
    start, end = params.sources[border], params.targets[border]
    own = int(state.owner[start]) == player and int(state.owner[end]) == player
    return own and int(state.armies[start]) >= 2


@inner_kernel
def count_players(state: Any, params: Params) -> int:
    """Return the number of players who are not eliminated."""
    count = 0
    for player in range(params.players):
        count += int(is_alive(state, player))
    return count


@inner_kernel
def count_territories(state: Any, player: int, params: Params) -> int:
    """Return the number of territories that a player holds."""
    count = 0
    for t in range(params.territories):
        count += int(int(state.owner[t]) == player)
    return count


@inner_kernel
def count_armies(state: Any, player: int, params: Params) -> int:
    """Return the number of armies that a player has on the board."""
    count = 0
    for t in range(params.territories):
        if int(state.owner[t]) == player:
            count += int(state.armies[t])
    return count


@inner_kernel
def income_of(state: Any, player: int, params: Params) -> int:
    """Return the number of armies that a player gets at the start of a turn.

    This is a third of its territories, rounded down, at least 3, plus the bonus of each region that
    it holds all of.
    """
    income = max(3, count_territories(state, player, params) // 3)
    for region in range(params.regions):
        held = 0
        for t in range(params.territories):
            held += int(params.region_of[t] == region and int(state.owner[t]) == player)
        if held == params.region_size[region]:
            income += params.bonus[region]
    return income
