"""Numbers that states, actions and logs of Destreect consist of; nothing here needs Numba."""

from __future__ import annotations

BANK = NOBODY = -1

ROLLING, OFFER, AUCTION, DEBT, MANAGE, OVER = range(6)
"""Values of `phase`: before the dice; a free deed is for sale; it is auctioned; the player who acts
owes more than it has; after the move; the game has ended."""

RENT, TAX_BILL, CARD_BILL, REPAIRS_BILL, FEE, GIFT = range(6)
"""Values of `reason`: what a debt is for. GIFT is to the player whose card collects."""

DONE, MOVE_ON, SETTLE, NEXT_GIFT, NEXT_TURN = range(5)
"""What is still to come of an action: nothing; the active player moves by the dice and lands; the
debt of the player who acts falls due; the next of the others pays a gift; the turn is over."""

ROLL, PAY, BUY, DECLINE, RAISE_10, RAISE_50, PASS, END_TURN, FIRST_DEED_ACTION = range(9)
"""Actions. From `FIRST_DEED_ACTION` on one for each deed: BUILD, then SELL, MORTGAGE, REDEEM."""

BUILD, SELL, MORTGAGE, REDEEM = range(4)
"""Kinds of the actions on a deed."""

MAX_ROLLS = 3
"""Failed rolls in the lock-up, and doubles in a row, that are one too many."""


def count_actions(deeds: int) -> int:
    """Size of the catalogue."""
    return FIRST_DEED_ACTION + 4 * deeds
