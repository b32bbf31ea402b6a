"""States, actions and events of Destreect as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from axiom_envs.destreect import log
from axiom_envs.destreect.boards import Board, find_board
from axiom_envs.destreect.catalogue import DEED_KEYS, FIRST_DEED_ACTION, PLAIN_KEYS
from axiom_envs.destreect.chart import draw_ring
from axiom_envs.destreect.constants import AUCTION, DEBT, OFFER, OVER, REASONS, ROLLING


def _board(state: Any) -> Board:
    return find_board(int(state.board))


def _agent(seat: int) -> str:
    return "the bank" if seat < 0 else f"player_{seat}"


def _deed_action(board: Board, action: int) -> tuple[int, int]:
    """Return the kind and the space of an action on a deed."""
    deeds = board.deeds
    number = action - FIRST_DEED_ACTION
    return number // len(deeds), deeds[number % len(deeds)]


# --------------------------------------------------------------------------------------------------
# Actions


def sub_action_key(state: Any, player: int, k: int, action: int) -> str:
    """Return the text that a user types for an action: "roll", "raise 50", "build 5".

    The number after "build" and the like is that of the space.
    """
    if action < FIRST_DEED_ACTION:
        return PLAIN_KEYS[action]
    kind, space = _deed_action(_board(state), action)
    return f"{DEED_KEYS[kind]} {space}"


def describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    """Describe an action, such as "buys Rope Lane for 60"."""
    board = _board(state)
    if action < 0:
        return "does nothing"
    if action >= FIRST_DEED_ACTION:
        return _describe_deed_action(board, *_deed_action(board, action))
    here = board.spaces[int(state.position[int(state.active)])]
    bid = int(state.bid)
    return (
        "rolls the dice",
        "pays the fee of the lock-up",
        f"buys {here.name} for {here.price}",
        f"declines {here.name}, so that it is auctioned",
        f"bids {bid + 10} for {here.name}",
        f"bids {bid + 50} for {here.name}",
        f"passes in the auction of {here.name}",
        "ends the turn",
    )[action]


def _describe_deed_action(board: Board, kind: int, place: int) -> str:
    space = board.spaces[place]
    return (
        f"builds a house on {space.name} for {space.house_cost}",
        f"sells a house of {space.name} for {space.refund}",
        f"mortgages {space.name} for {space.loan}",
        f"redeems {space.name} for {space.redemption}",
    )[kind]


def describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    """Describe the action of a decision in one line."""
    return describe_sub_action(state, player, 0, int(sub_actions[0]))


# --------------------------------------------------------------------------------------------------
# States


def describe_state(state: Any) -> str:
    """Describe the phase, draw the ring, and describe the players."""
    lines = [_status(state, _board(state)), *draw_ring(state)]
    lines += [_player_row(state, _board(state), seat) for seat in range(int(state.players))]
    return "\n".join(lines)


def _status(state: Any, board: Board) -> str:
    """Return the first line: the turn, the acting player and its decision."""
    phase, acting = int(state.phase), _agent(int(state.acting))
    here = board.spaces[int(state.position[int(state.active)])].name
    texts = {
        ROLLING: f"{acting} is to roll",
        OFFER: f"{acting} is offered {here}",
        AUCTION: f"auction of {here}: bid {int(state.bid)}"
        + (f" of {_agent(int(state.bidder))}" if state.bidder >= 0 else "")
        + f", {acting} is to bid",
        DEBT: f"{acting} owes {_agent(int(state.creditor))} {int(state.debt)} "
        f"for {REASONS[int(state.reason)]}",
        OVER: "the game is over",
    }
    status = texts.get(phase, f"{acting} manages")
    dice = f", dice {int(state.dice[0])} {int(state.dice[1])}" if state.dice[0] > 0 else ""
    return f"turn {int(state.turn)} of {_agent(int(state.active))}{dice}: {status}"


def _player_row(state: Any, board: Board, seat: int) -> str:
    """Describe a player in one line."""
    if not state.alive[seat]:
        return f"{_agent(seat)} is bankrupt"
    owned = sum(int(state.owner[deed]) == seat for deed in range(len(board.deeds)))
    line = f"{_agent(seat)} has {int(state.cash[seat])} and {owned} deeds"
    locked = int(state.locked[seat])
    return f"{line}, locked up with {locked - 1} failed rolls" if locked else line


# --------------------------------------------------------------------------------------------------
# The log


def describe_event(state: Any, row: Sequence[int]) -> str:
    """Describe a row of the log as a sentence; empty for a row that repeats the action."""
    board = _board(state)
    kind, a, b, c, d = (int(value) for value in row[:5])
    writer = _WRITERS.get(kind)
    return writer(board, a, b, c, d) if writer is not None else ""


def _name(board: Board, place: int) -> str:
    return board.spaces[place].name


def _describe_payment(board: Board, a: int, b: int, c: int, d: int) -> str:
    return f"{_agent(a)} pays {_agent(b)} {c} for {REASONS[d]}." if c else ""


def _describe_turn(board: Board, a: int, b: int, c: int, d: int) -> str:
    return f"{_agent(a)} plays again after a double." if a == b else f"{_agent(b)} is next."


def _describe_bankruptcy(board: Board, a: int, b: int, c: int, d: int) -> str:
    return f"{_agent(a)} is bankrupt; {_agent(b)} gets all its deeds and {c} in cash."


# Events that are missing here repeat the description of the action.
_WRITERS: dict[int, Callable[[Board, int, int, int, int], str]] = {
    log.ROLLED: lambda board, a, b, c, d: f"{_agent(a)} rolls {b} and {c}.",
    log.MOVED: lambda board, a, b, c, d: f"{_agent(a)} moves to {_name(board, c)}.",
    log.START_PAID: lambda board, a, b, c, d: f"{_agent(a)} passes the start and gets {b}.",
    log.OFFERED: lambda board, a, b, c, d: f"{_agent(a)} may buy {_name(board, b)}.",
    log.WON: lambda board, a, b, c, d: f"{_agent(a)} wins {_name(board, b)} for {c}.",
    log.UNSOLD: lambda board, a, b, c, d: f"Nobody buys {_name(board, a)}.",
    log.OWED: lambda board, a, b, c, d: f"{_agent(a)} owes {_agent(b)} {c} for {REASONS[d]}.",
    log.PAID: _describe_payment,
    log.BANKRUPT: _describe_bankruptcy,
    log.HANDED_OVER: lambda board, a, b, c, d: f"{_name(board, c)} goes to {_agent(b)}.",
    log.DREW: lambda board, a, b, c, d: f"{_agent(a)} draws: {board.cards[b].text}",
    log.GAINED: lambda board, a, b, c, d: f"{_agent(a)} gets {b}.",
    log.LOCKED_UP: lambda board, a, b, c, d: f"{_agent(a)} is locked up.",
    log.FREED: lambda board, a, b, c, d: f"{_agent(a)} leaves the lock-up.",
    log.TURN_ENDED: _describe_turn,
    log.LIMIT_REACHED: lambda board, a, b, c, d: f"The game ends after {a} turns.",
    log.GAME_WON: lambda board, a, b, c, d: f"{_agent(a)} wins.",
}
