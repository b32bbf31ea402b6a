"""Numbers and names of Destreect: what states and boards consist of, and their limits."""

from __future__ import annotations

MAX_PLAYERS = 6
MAX_TURN_LIMIT = 2000
MAX_ACTION_LIMIT = 200

BANK = NOBODY = -1

# States.

ROLLING, OFFER, AUCTION, DEBT, MANAGE, OVER = range(6)
"""Values of `phase`: before the dice; a free deed is for sale; it is auctioned; the player who acts
owes more than it has; after the move; the game has ended."""
PHASES = ("rolling", "offer", "auction", "debt", "manage", "over")

RENT, TAX_BILL, CARD_BILL, REPAIRS_BILL, FEE, GIFT = range(6)
"""Values of `reason`: what a debt is for. GIFT is to the player whose card collects."""
REASONS = ("rent", "tax", "a card", "repairs", "the lock-up's fee", "a gift")

DONE, MOVE_ON, SETTLE, NEXT_GIFT, NEXT_TURN = range(5)
"""What is still to come of an action: nothing; the active player moves by the dice and lands; the
debt of the player who acts falls due; the next of the others pays a gift; the turn is over."""

SETTLED, OWING, BROKE = range(3)
"""What became of a debt: paid; its debtor is asked to raise money; its debtor is out."""

MAX_ROLLS = 3
"""Failed rolls in the lock-up, and doubles in a row, that are one too many."""

# Boards.

START, STREET, LINE, FATE, TAX, PARK, DETOUR = range(7)
SPACE_KINDS = ("start", "street", "line", "fate", "tax", "park", "detour")

CASH, MOVE, LOCKUP, REPAIRS, COLLECT = range(5)
CARD_KINDS = ("cash", "move", "lockup", "repairs", "collect")

MIN_SPACES = 12
"""So that no roll passes the start twice."""
MAX_SPACES = 40
MAX_DEEDS = 32
"""Most spaces that can be owned."""
MAX_LINES = 4
MAX_DISTRICTS = 10
MAX_DISTRICT_SIZE = 4
MAX_CARDS = 24
MAX_HOUSES = 4
MAX_AMOUNT = 5000
"""Largest price, rent, tax: a doubled rent still fits into a log's int16."""
MAX_REPAIRS = 200
