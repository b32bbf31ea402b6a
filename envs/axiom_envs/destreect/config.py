"""The options of Destreect, and its presets."""

from __future__ import annotations

from dataclasses import dataclass

from axiom_envs.destreect.boards import load_board
from axiom_envs.destreect.constants import MAX_ACTION_LIMIT, MAX_PLAYERS, MAX_TURN_LIMIT
from axiom_gym.errors import check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class DestreectConfig:
    """The options of a game of Destreect.

    Raises:
        ConfigError: for a value that is not allowed, and for a board with mistakes.
    """

    players: int = 2
    """Number of players, 2..6."""
    board: str = "town"
    """"town", "city", or the path of a JSON file with a board."""
    start_cash: int = 600
    """Cash of each player at the start, 0..10,000."""
    seat_bonus: int = 35
    """Additional start cash of each seat over the previous one, which moves earlier, 0..1,000."""
    start_pay: int = 100
    """Money for passing or reaching the start, 0..1,000."""
    lockup_fee: int = 50
    """Fee for leaving the lock-up, 1..1,000."""
    turn_limit: int = 300
    """Player turns after which the game is truncated and ranked by net worth, 1..2,000."""
    action_limit: int = 100
    """Maximum number of raises in an auction, and of actions in a turn's `manage` phase, 1..200."""

    def __post_init__(self) -> None:
        """Check the options."""
        check_range("players", self.players, 2, MAX_PLAYERS)
        check_range("start_cash", self.start_cash, 0, 10_000)
        check_range("seat_bonus", self.seat_bonus, 0, 1000)
        check_range("start_pay", self.start_pay, 0, 1000)
        check_range("lockup_fee", self.lockup_fee, 1, 1000)
        check_range("turn_limit", self.turn_limit, 1, MAX_TURN_LIMIT)
        check_range("action_limit", self.action_limit, 1, MAX_ACTION_LIMIT)
        load_board(self.board)


PRESETS = {
    "town": {"board": "town", "start_cash": 600, "seat_bonus": 35, "turn_limit": 300},
    "city": {"board": "city", "start_cash": 1000, "seat_bonus": 25, "turn_limit": 500},
}
