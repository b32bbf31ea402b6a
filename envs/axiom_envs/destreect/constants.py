"""Numbers and names of Destreect: the codes in states and boards, and their limits."""

from __future__ import annotations

MAX_PLAYERS = 6
MAX_TURN_LIMIT = 2000
MAX_ACTION_LIMIT = 200

BANK = NOBODY = -1

# States.

ROLLING, OFFER, AUCTION, DEBT, MANAGE, OVER = range(6)
"""Values of `phase`: before the roll; a free deed is for sale; it is auctioned; the acting player
owes more than its cash; after the move; the game has ended."""
PHASES = ("rolling", "offer", "auction", "debt", "manage", "over")

RENT, TAX_BILL, CARD_BILL, REPAIRS_BILL, FEE, GIFT = range(6)
"""Values of `reason`, the reason of a debt. A GIFT goes to the player whose card collects."""
REASONS = ("rent", "tax", "a card", "repairs", "the lock-up's fee", "a gift")

DONE, MOVE_ON, SETTLE, NEXT_GIFT, NEXT_TURN = range(5)
"""The pending consequence of an action: none; the active player moves by the dice and
lands; the acting player's debt is due; the next opponent pays a gift; the turn ends."""

SETTLED, OWING, BROKE = range(3)
"""The result of a due debt: paid; the debtor must raise money; the debtor is bankrupt."""

MAX_ROLLS = 3
"""The number of failed rolls in the lock-up after which the player pays the fee and leaves, and
the number of doubles in a row that sends a player to the lock-up."""

# Boards.

START, STREET, LINE, FATE, TAX, PARK, DETOUR = range(7)
SPACE_KINDS = ("start", "street", "line", "fate", "tax", "park", "detour")

CASH, MOVE, LOCKUP, REPAIRS, COLLECT = range(5)
CARD_KINDS = ("cash", "move", "lockup", "repairs", "collect")

MIN_SPACES = 12
"""With at least 12 spaces no roll passes the start twice."""
MAX_SPACES = 40
MAX_DEEDS = 32
"""Maximum number of spaces that can be owned."""
MAX_LINES = 4
MAX_DISTRICTS = 10
MAX_DISTRICT_SIZE = 4
MAX_CARDS = 24
MAX_HOUSES = 4
MAX_AMOUNT = 5000
"""Largest price, rent or tax; twice the largest rent fits into a log's int16."""
MAX_REPAIRS = 200
