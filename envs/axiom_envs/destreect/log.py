"""What a decision did: the rows of its log.

A row is the event's type and up to seven numbers: P a seat, C a seat or BANK, S a space, M money.

    ROLLED        P, first die, second die
    MOVED         P, from S, to S
    START_PAID    P, M: the bank pays it
    OFFERED       P, S: a free deed, at its price
    BOUGHT        P, S, M: paid to the bank
    DECLINED      P, S: the auction begins
    RAISED        P, S, M: the bid
    PASSED        P, S
    WON           P, S, M: paid to the bank
    UNSOLD        S
    OWED          P, C, M, reason: cannot pay at once
    PAID          P, C, M, reason
    BANKRUPT      P, C, M handed over, how many were still in the game before
    HANDED_OVER   P, C, S: one of the bankrupt's deeds
    DREW          P, card
    GAINED        P, M: the bank pays it, by a card
    LOCKED_UP     P
    FREED         P
    BUILT         P, S, M: paid to the bank
    SOLD          P, S, M: the bank pays it
    MORTGAGED     P, S, M: the bank pays it
    REDEEMED      P, S, M: paid to the bank
    TURN_ENDED    P who had the turn, P who has the next one
    LIMIT_REACHED number of turns
    GAME_WON      P
"""

from __future__ import annotations

(
    ROLLED,
    MOVED,
    START_PAID,
    OFFERED,
    BOUGHT,
    DECLINED,
    RAISED,
    PASSED,
    WON,
    UNSOLD,
    OWED,
    PAID,
    BANKRUPT,
    HANDED_OVER,
    DREW,
    GAINED,
    LOCKED_UP,
    FREED,
    BUILT,
    SOLD,
    MORTGAGED,
    REDEEMED,
    TURN_ENDED,
    LIMIT_REACHED,
    GAME_WON,
) = range(1, 26)

MAX_EVENTS = 80
"""More rows than any decision writes: at most 32 deeds change hands, five players pay."""
