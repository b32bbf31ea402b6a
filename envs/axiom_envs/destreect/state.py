"""The state of Destreect, its parameters, and what can be read off them.

Deeds are the spaces that can be owned, numbered in the order of the ring. A group is a district, in
the order of the ring, or, last of all, the lines. Seats are 0..players-1, and `BANK` and `NOBODY`
are -1.
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
        ("active", np.int8),  # whose turn it is
        ("acting", np.int8),  # who decides
        ("dice", np.int8, (2,)),  # of the last roll, 0 before it
        ("doubles", np.int8),  # in a row, the last roll included; above 0 the player goes again
        ("actions", np.int16),  # raises of this auction, or actions of this `manage`
        ("alive", np.int8, (MAX_PLAYERS,)),  # 1 while in the game
        ("standing", np.int8, (MAX_PLAYERS,)),  # twice the final place from 0, -1: not known yet
        ("cash", np.int32, (MAX_PLAYERS,)),
        ("position", np.int8, (MAX_PLAYERS,)),  # space; that of the lock-up when locked up
        ("locked", np.int8, (MAX_PLAYERS,)),  # 0 free, else 1 + failed rolls
        ("owner", np.int8, (MAX_DEEDS,)),  # seat, or BANK
        ("mortgaged", np.int8, (MAX_DEEDS,)),  # 1 if so
        ("houses", np.int8, (MAX_DEEDS,)),  # 0..4
        ("bid", np.int16),  # highest of this auction, 0: none
        ("bidder", np.int8),  # whose it is, or NOBODY
        ("passed", np.int8, (MAX_PLAYERS,)),  # 1: out of this auction
        ("debt", np.int16),  # what the player who acts owes, 0: nothing
        ("creditor", np.int8),  # to whom: seat, or BANK
        ("reason", np.int8),  # RENT..GIFT: for what
        ("given", np.int8),  # how many of the others have settled the GIFT, in their order
        ("deck", np.int8, (MAX_CARDS,)),  # card numbers in the order of the deck, then -1
        ("top", np.int8),  # place in `deck` of the next card
        ("rng", np.uint32),
    ]
)


class Params(NamedTuple):
    """A board and the rules' parameters. Axis letters: S spaces, D deeds, G groups, C cards."""

    board: int
    players: int
    start_cash: int
    seat_bonus: int
    start_pay: int
    fee: int
    turn_limit: int
    action_limit: int
    lockup: int  # space
    lines: int  # group of the lines; no street has it
    kinds: npt.NDArray[np.int64]  # (S,) of constants.SPACE_KINDS
    deeds: npt.NDArray[np.int64]  # (S,) the deed of a space, or -1
    taxes: npt.NDArray[np.int64]  # (S,) 0 if none
    places: npt.NDArray[np.int64]  # (D,) the space of a deed
    prices: npt.NDArray[np.int64]  # (D,)
    loans: npt.NDArray[np.int64]  # (D,) what a mortgage gives
    redeems: npt.NDArray[np.int64]  # (D,) what ending it costs
    costs: npt.NDArray[np.int64]  # (D,) of a house; 0: none can be built
    refunds: npt.NDArray[np.int64]  # (D,) for a house that is sold
    rents: npt.NDArray[np.int64]  # (D, 5) of a street with 0..4 houses; of a line if 1..4 are held
    groups: npt.NDArray[np.int64]  # (D,)
    sizes: npt.NDArray[np.int64]  # (G,) deeds in a group, 0..4
    members: npt.NDArray[np.int64]  # (G, 4) deeds, then -1
    card_kinds: npt.NDArray[np.int64]  # (C,) of constants.CARD_KINDS
    card_values: npt.NDArray[np.int64]  # (C,) amount, or space


def make_params(config: DestreectConfig) -> Params:
    """The parameters of a configuration."""
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
    """(S,): the deed of each space, or -1."""
    numbers = np.full(len(board.spaces), -1, dtype=np.int64)
    numbers[list(board.deeds)] = np.arange(len(board.deeds))
    return numbers


def _group(
    board: Board,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Group of each deed (D,), sizes (G,) and members (G, 4)."""
    names = [*board.districts, ""]
    deeds = [board.spaces[i] for i in board.deeds]
    groups = _array([names.index(deed.district if deed.kind == STREET else "") for deed in deeds])
    members = np.full((len(names), MAX_DISTRICT_SIZE), -1, dtype=np.int64)
    for group in range(len(names)):
        own = np.flatnonzero(groups == group)
        members[group, : len(own)] = own
    return groups, np.count_nonzero(members >= 0, axis=1).astype(np.int64), members


assert MAX_HOUSES == 4  # as many as the lines of a board, and so one table of rents for both

# --------------------------------------------------------------------------------------------------
# Rents and worth


@inline_kernel
def offered_deed(state: Any, params: Params) -> int:
    """The deed of the space where the active player stands; -1 if it has none."""
    return int(params.deeds[int(state.position[int(state.active)])])


@inner_kernel
def survey(state: Any, group: int, seat: int, params: Params) -> tuple[int, bool, int, int]:
    """A seat's hold on a group.

    Returns:
        How many deeds of it are the seat's; whether any of the group is mortgaged; fewest and most
        houses on a deed of the group.
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
    """What landing on an owned deed costs."""
    group = int(params.groups[deed])
    held, _, _, _ = survey(state, group, int(state.owner[deed]), params)
    if group == params.lines:
        return int(params.rents[deed, held])
    houses = int(state.houses[deed])
    doubled = houses == 0 and held == params.sizes[group]
    return int(params.rents[deed, houses]) * (2 if doubled else 1)


@inner_kernel
def net_worth(state: Any, seat: int, params: Params) -> int:
    """Cash, the price of deeds or half of it if mortgaged, and half the cost of houses."""
    worth = int(state.cash[seat])
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat:
            mortgaged = int(state.mortgaged[deed]) != 0
            worth += int(params.loans[deed]) if mortgaged else int(params.prices[deed])
            worth += int(state.houses[deed]) * int(params.refunds[deed])
    return worth


@inner_kernel
def can_raise_money(state: Any, seat: int, params: Params) -> bool:
    """Whether a seat has anything to sell or mortgage: a deed that is not mortgaged.

    If it has houses, one of them can be sold; if not, the deed can be mortgaged.
    """
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat and int(state.mortgaged[deed]) == 0:
            return True
    return False
