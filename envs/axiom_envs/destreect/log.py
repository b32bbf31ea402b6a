"""The rows of a log of Destreect, which record the results of a decision.

A row is the event's kind and up to seven numbers: P a seat, C a seat or BANK, S a space, M money.

    ROLLED        P, first die, second die
    MOVED         P, from S, to S
    START_PAID    P, M: the bank pays it
    OFFERED       P, S: a free deed at its price
    BOUGHT        P, S, M: paid to the bank
    DECLINED      P, S: the auction begins
    RAISED        P, S, M: the bid
    PASSED        P, S
    WON           P, S, M: paid to the bank
    UNSOLD        S
    OWED          P, C, M, reason: a debt that exceeds the cash
    PAID          P, C, M, reason
    BANKRUPT      P, C, M handed over, number of players in the game before
    HANDED_OVER   P, C, S: a deed of the bankrupt player
    DREW          P, card
    GAINED        P, M: the bank pays it for a card
    LOCKED_UP     P
    FREED         P
    BUILT         P, S, M: paid to the bank
    SOLD          P, S, M: the bank pays it
    MORTGAGED     P, S, M: the bank pays it
    REDEEMED      P, S, M: paid to the bank
    TURN_ENDED    P of this turn, P of the next turn
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

EVENT_KINDS = {
    ROLLED: "roll",
    MOVED: "move",
    START_PAID: "start pay",
    OFFERED: "offer",
    BOUGHT: "purchase",
    DECLINED: "refusal",
    RAISED: "bid",
    PASSED: "pass",
    WON: "auction won",
    UNSOLD: "auction without bids",
    OWED: "debt",
    PAID: "payment",
    BANKRUPT: "bankruptcy",
    HANDED_OVER: "deed handed over",
    DREW: "card",
    GAINED: "gain",
    LOCKED_UP: "lock-up",
    FREED: "release",
    BUILT: "building",
    SOLD: "sale",
    MORTGAGED: "mortgage",
    REDEEMED: "redemption",
    TURN_ENDED: "end of turn",
    LIMIT_REACHED: "turn limit",
    GAME_WON: "victory",
}

MAX_EVENTS = 80
"""An upper bound on the rows of a decision: at most 32 deeds change hands, five players pay."""
