"""The state of Konquista, its parameters, and what can be read off them.

Axis letters: T territories, E directed borders, R regions, all of the board in play; P players.
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
        ("turn", np.int16),  # number of the player turn that is being played, from 1
        ("phase", np.int8),  # REINFORCE, ATTACKING, ADVANCING, FORTIFYING or OVER
        ("player", np.int8),  # whose turn it is
        ("to_place", np.int16),  # armies that are left to place
        ("advance", np.int16),  # while ADVANCING, the directed border just conquered over; else -1
        ("place", np.int8, (MAX_PLAYERS,)),  # 0: still in; k: went out k-th; -1: no such seat
        ("owner", np.int8, (MAX_TERRITORIES,)),  # seat; -1 beyond the board
        ("armies", np.int32, (MAX_TERRITORIES,)),  # 1 or more; 0 beyond the board
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    """What a kernel gets: the board and the options."""

    players: int
    territories: int
    borders: int  # directed
    regions: int
    turn_limit: int
    blitz: int  # 0 or 1
    fingerprint: int  # of the board
    sources: npt.NDArray[np.int64]  # (E,): where a directed border starts
    targets: npt.NDArray[np.int64]  # (E,): and where it ends
    first_border: npt.NDArray[np.int64]  # (T + 1,): borders of t are first[t] .. first[t + 1] - 1
    region_of: npt.NDArray[np.int64]  # (T,)
    region_size: npt.NDArray[np.int64]  # (R,): territories of a region
    bonus: npt.NDArray[np.int64]  # (R,)
    armies: npt.NDArray[np.int64]  # (P,): of each seat at the start


def make_params(config: KonquistaConfig) -> Params:
    """The parameters of a configuration."""
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
def is_in(state: Any, player: int) -> bool:
    """Whether a player has not been eliminated."""
    return int(state.place[player]) == 0


@inline_kernel
def can_attack(state: Any, player: int, border: int, params: Params) -> bool:
    """Whether a player could attack over a directed border: 2 armies or more of its own, a foe."""
    start, end = params.sources[border], params.targets[border]
    own = int(state.owner[start]) == player and int(state.owner[end]) != player
    return own and int(state.armies[start]) >= 2


@inline_kernel
def can_move(state: Any, player: int, border: int, params: Params) -> bool:
    """Whether a player could move armies over a directed border, which lies in its own land."""
    start, end = params.sources[border], params.targets[border]
    own = int(state.owner[start]) == player and int(state.owner[end]) == player
    return own and int(state.armies[start]) >= 2


@inner_kernel
def count_players(state: Any, params: Params) -> int:
    """How many players are still in."""
    count = 0
    for player in range(params.players):
        count += int(is_in(state, player))
    return count


@inner_kernel
def count_territories(state: Any, player: int, params: Params) -> int:
    """How many territories a player holds."""
    count = 0
    for t in range(params.territories):
        count += int(int(state.owner[t]) == player)
    return count


@inner_kernel
def count_armies(state: Any, player: int, params: Params) -> int:
    """How many armies a player has on the board."""
    count = 0
    for t in range(params.territories):
        if int(state.owner[t]) == player:
            count += int(state.armies[t])
    return count


@inner_kernel
def income_of(state: Any, player: int, params: Params) -> int:
    """The armies that a player gets at the start of a turn.

    A third of its territories, 3 at least, and the bonus of each region that it holds all of.
    """
    income = max(3, count_territories(state, player, params) // 3)
    for region in range(params.regions):
        held = 0
        for t in range(params.territories):
            held += int(params.region_of[t] == region and int(state.owner[t]) == player)
        if held == params.region_size[region]:
            income += params.bonus[region]
    return income
