"""Names of the entries of an observation of Destreect; `observe` writes them."""

from __future__ import annotations

from axiom_envs.destreect.boards import Board
from axiom_envs.destreect.constants import PHASES

PLAYER_FEATURES = (
    "cash_log",
    "cash",
    "worth_log",
    "active",
    "acting",
    "alive",
    "locked",
    "failed_rolls",
    "bidder",
    "passed",
    "creditor",
)

GLOBAL_FEATURES = (
    *(f"phase_{phase}" for phase in PHASES),
    "debt_log",
    "debt",
    "debt_is_fee",
    "bid_log",
    "bid",
    "first_die",
    "second_die",
    "doubles",
    "actions",
    "turn",
)


def feature_names(board: Board, players: int) -> tuple[str, ...]:
    """Return a name for each entry of the observation."""
    seats = [f"player{seat}" for seat in range(players)]
    names = [
        f"{board.spaces[space].name}.{value}"
        for space in board.deeds
        for value in (*(f"owned_by_{seat}" for seat in seats), "mortgaged", "houses")
    ]
    names += [f"{space.name}.{seat}_here" for space in board.spaces for seat in seats]
    names += [f"{seat}.{value}" for seat in seats for value in PLAYER_FEATURES]
    return (*names, *GLOBAL_FEATURES)
