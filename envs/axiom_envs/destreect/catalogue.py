"""The actions of Destreect as numbers; compiles nothing.

With D deeds, the spaces that can be owned, in the order of the ring:

    0 ROLL | 1 PAY | 2 BUY | 3 DECLINE | 4 RAISE_10 | 5 RAISE_50 | 6 PASS | 7 END_TURN
    8 .. 8 + D - 1  BUILD | then D times SELL | then D times MORTGAGE | then D times REDEEM
"""

from __future__ import annotations

ROLL, PAY, BUY, DECLINE, RAISE_10, RAISE_50, PASS, END_TURN, FIRST_DEED_ACTION = range(9)
"""Actions; from `FIRST_DEED_ACTION` on those on a deed."""
PLAIN_KEYS = ("roll", "pay", "buy", "decline", "raise 10", "raise 50", "pass", "end")
"""Names of the actions before `FIRST_DEED_ACTION`, as people type them."""

BUILD, SELL, MORTGAGE, REDEEM = range(4)
"""Kinds of the actions on a deed."""
DEED_KEYS = ("build", "sell", "mortgage", "redeem")


def count_actions(deeds: int) -> int:
    """Return the size of the catalogue."""
    return FIRST_DEED_ACTION + len(DEED_KEYS) * deeds
