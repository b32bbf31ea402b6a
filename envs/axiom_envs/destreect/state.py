"""The state of Destreect, its parameters, and queries of both.

Deeds are the spaces that can be owned, numbered in the order of the ring. Groups are the districts,
in the order of the ring, and then the lines as the last group. Seats are 0..players-1; `BANK` and
`NOBODY` are -1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.boards import Board, load_board
from axiom_envs.destreect.config import DestreectConfig
from axiom_envs.destreect.constants import (
    MAX_CARDS,
    MAX_DEEDS,
    MAX_DISTRICT_SIZE,
    MAX_HOUSES,
    MAX_PLAYERS,
    STREET,
)
from axiom_gym.kernel import inline_kernel, inner_kernel, record_dtype

STATE = record_dtype(
    [
        ("board", np.uint32),  # `Board.identity`
        ("turn", np.int16),  # number of the player turn, from 1
        ("players", np.int8),  # 2..6
        ("phase", np.int8),  # ROLLING..OVER
        ("active", np.int8),  # the player whose turn it is
        ("acting", np.int8),  # the player who decides
        ("dice", np.int8, (2,)),  # the last roll; 0 before the first roll of a turn
        ("doubles", np.int8),  # doubles in a row; above 0 the player has another turn
        ("actions", np.int16),  # raises of this auction, or actions of this `manage` phase
        ("alive", np.int8, (MAX_PLAYERS,)),  # 1 if not bankrupt
        ("standing", np.int8, (MAX_PLAYERS,)),  # twice the final place from 0; -1: not known yet
        ("cash", np.int32, (MAX_PLAYERS,)),
        ("position", np.int8, (MAX_PLAYERS,)),  # space; of a locked-up player that of the lock-up
        ("locked", np.int8, (MAX_PLAYERS,)),  # 0: free; else 1 + failed rolls
        ("owner", np.int8, (MAX_DEEDS,)),  # seat, or BANK
        ("mortgaged", np.int8, (MAX_DEEDS,)),  # 0 or 1
        ("houses", np.int8, (MAX_DEEDS,)),  # 0..4
        ("bid", np.int16),  # highest bid of this auction; 0: none
        ("bidder", np.int8),  # seat of the highest bid, or NOBODY
        ("passed", np.int8, (MAX_PLAYERS,)),  # 1: has passed in this auction
        ("debt", np.int16),  # debt of the acting player; 0: none
        ("creditor", np.int8),  # creditor of the debt: seat, or BANK
        ("reason", np.int8),  # reason of the debt: RENT..GIFT
        ("given", np.int8),  # number of opponents, in order, who have settled the GIFT
        ("deck", np.int8, (MAX_CARDS,)),  # card numbers in the order of the deck, then -1
        ("top", np.int8),  # index in `deck` of the next card
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    """The parameters of the kernel: the board and the options.

    Axis letters: S spaces, D deeds, G groups, C cards.
    """

    board: int
    players: int
    start_cash: int
    seat_bonus: int
    start_pay: int
    fee: int
    turn_limit: int
    action_limit: int
    lockup: int  # space
    lines: int  # number of the group of the lines
    kinds: npt.NDArray[np.int64]  # (S,) index into constants.SPACE_KINDS
    deeds: npt.NDArray[np.int64]  # (S,) the deed of a space, or -1
    taxes: npt.NDArray[np.int64]  # (S,) 0 if none
    places: npt.NDArray[np.int64]  # (D,) the space of a deed
    prices: npt.NDArray[np.int64]  # (D,)
    loans: npt.NDArray[np.int64]  # (D,) money for a mortgage
    redeems: npt.NDArray[np.int64]  # (D,) cost of redeeming the mortgage
    costs: npt.NDArray[np.int64]  # (D,) cost of a house; 0: none can be built
    refunds: npt.NDArray[np.int64]  # (D,) money for a sold house
    rents: npt.NDArray[np.int64]  # (D, 5) by houses 0..4 of a street, or by lines held 0..4
    groups: npt.NDArray[np.int64]  # (D,)
    sizes: npt.NDArray[np.int64]  # (G,) number of deeds, 0..4
    members: npt.NDArray[np.int64]  # (G, 4) deeds, then -1
    card_kinds: npt.NDArray[np.int64]  # (C,) index into constants.CARD_KINDS
    card_values: npt.NDArray[np.int64]  # (C,) amount, or space


def make_params(config: DestreectConfig) -> Params:
    """Return the parameters of the kernel for these options."""
    board = load_board(config.board)
    deeds = [board.spaces[i] for i in board.deeds]
    groups, sizes, members = _group(board)
    return Params(
        board=board.identity,
        players=int(config.players),
        start_cash=int(config.start_cash),
        seat_bonus=int(config.seat_bonus),
        start_pay=int(config.start_pay),
        fee=int(config.lockup_fee),
        turn_limit=int(config.turn_limit),
        action_limit=int(config.action_limit),
        lockup=board.lockup,
        lines=len(board.districts),
        kinds=_array([space.kind for space in board.spaces]),
        deeds=_number_deeds(board),
        taxes=_array([space.amount for space in board.spaces]),
        places=_array(board.deeds),
        prices=_array([deed.price for deed in deeds]),
        loans=_array([deed.loan for deed in deeds]),
        redeems=_array([deed.redemption for deed in deeds]),
        costs=_array([deed.house_cost for deed in deeds]),
        refunds=_array([deed.refund for deed in deeds]),
        rents=_array([deed.rents or (0, *board.line_rents) for deed in deeds]),
        groups=groups,
        sizes=sizes,
        members=members,
        card_kinds=_array([card.kind for card in board.cards]),
        card_values=_array([card.amount or card.space for card in board.cards]),
    )


def _array(values: Any) -> npt.NDArray[np.int64]:
    return np.ascontiguousarray(values, dtype=np.int64)


def _number_deeds(board: Board) -> npt.NDArray[np.int64]:
    """Return the deed of each space, or -1, (S,)."""
    numbers = np.full(len(board.spaces), -1, dtype=np.int64)
    numbers[list(board.deeds)] = np.arange(len(board.deeds))
    return numbers


def _group(
    board: Board,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the group of each deed (D,), and the sizes (G,) and members (G, 4) of the groups."""
    names = [*board.districts, ""]
    deeds = [board.spaces[i] for i in board.deeds]
    groups = _array([names.index(deed.district if deed.kind == STREET else "") for deed in deeds])
    members = np.full((len(names), MAX_DISTRICT_SIZE), -1, dtype=np.int64)
    for group in range(len(names)):
        own = np.flatnonzero(groups == group)
        members[group, : len(own)] = own
    return groups, np.count_nonzero(members >= 0, axis=1).astype(np.int64), members


assert MAX_HOUSES == 4  # equal to the number of lines, so one table holds the rents of both

# --------------------------------------------------------------------------------------------------
# Rents and net worth


@inline_kernel
def offered_deed(state: Any, params: Params) -> int:
    """Return the deed of the active player's space, or -1."""
    return int(params.deeds[int(state.position[int(state.active)])])


@inner_kernel
def survey(state: Any, group: int, seat: int, params: Params) -> tuple[int, bool, int, int]:
    """Summarize a group for a seat.

    Returns:
        The number of its deeds that the seat holds; True if any deed of it is mortgaged; the fewest
        and the most houses on a deed of it.
    """
    held, mortgaged, fewest, most = 0, False, MAX_HOUSES, 0
    for i in range(params.sizes[group]):
        deed = int(params.members[group, i])
        houses = int(state.houses[deed])
        held += int(int(state.owner[deed]) == seat)
        mortgaged = mortgaged or int(state.mortgaged[deed]) != 0
        fewest = min(fewest, houses)
        most = max(most, houses)
    return held, mortgaged, fewest, most


@inner_kernel
def rent_of(state: Any, deed: int, params: Params) -> int:
    """Return the rent of an owned deed, as if it were not mortgaged."""
    group = int(params.groups[deed])
    held, _, _, _ = survey(state, group, int(state.owner[deed]), params)
    if group == params.lines:
        return int(params.rents[deed, held])
    houses = int(state.houses[deed])
    doubled = houses == 0 and held == params.sizes[group]
    return int(params.rents[deed, houses]) * (2 if doubled else 1)


@inner_kernel
def net_worth(state: Any, seat: int, params: Params) -> int:
    """Return cash + prices of deeds (half if mortgaged) + half the cost of houses."""
    worth = int(state.cash[seat])
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat:
            mortgaged = int(state.mortgaged[deed]) != 0
            worth += int(params.loans[deed]) if mortgaged else int(params.prices[deed])
            worth += int(state.houses[deed]) * int(params.refunds[deed])
    return worth


@inner_kernel
def can_raise_money(state: Any, seat: int, params: Params) -> bool:
    """Return True if a seat can sell or mortgage anything, so if it has an unmortgaged deed.

    If the deed's group has houses, one of them can be sold; if not, the deed can be mortgaged.
    """
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat and int(state.mortgaged[deed]) == 0:
            return True
    return False
