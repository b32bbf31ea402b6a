"""The actions of Destreect as numbers. This module imports no compiler.

Deeds are the spaces that can be owned, in the order of the ring. With D deeds:

    0 ROLL | 1 PAY | 2 BUY | 3 DECLINE | 4 RAISE_10 | 5 RAISE_50 | 6 PASS | 7 END_TURN
    8 .. 8 + D - 1  BUILD | then D times SELL | then D times MORTGAGE | then D times REDEEM
"""

from __future__ import annotations

ROLL, PAY, BUY, DECLINE, RAISE_10, RAISE_50, PASS, END_TURN, FIRST_DEED_ACTION = range(9)
"""The plain actions, and the number of the first action on a deed."""
PLAIN_KEYS = ("roll", "pay", "buy", "decline", "raise 10", "raise 50", "pass", "end")
"""The texts that users type for the plain actions."""

BUILD, SELL, MORTGAGE, REDEEM = range(4)
"""The kinds of actions on a deed."""
DEED_KEYS = ("build", "sell", "mortgage", "redeem")
"""The texts that users type for these kinds, followed by the number of the space."""


def count_actions(deeds: int) -> int:
    """Return the number of actions of a board with this number of deeds."""
    return FIRST_DEED_ACTION + len(DEED_KEYS) * deeds
