"""The keys that the prompt of the terminal keeps for itself, which no move of a game may have."""

from __future__ import annotations

PROMPT_KEYS = {
    "m": "list the legal moves; m WORD: only those with this word",
    "v": "view the board",
    "u": "take back your last choice",
    "q": "stop, and save the game",
    "?": "print this text",
}
"""The keys, each with its effect."""


def normalize(text: str) -> str:
    """Return a text as the prompt compares it: in lower case, without blanks."""
    return "".join(text.lower().split())


def find_collision(key: str) -> str:
    """Return why a text cannot be typed as a move, in one sentence; "" if it can."""
    typed = normalize(key)
    if typed in PROMPT_KEYS:
        return (
            f"{key!r} is a key of the prompt ({', '.join(PROMPT_KEYS)}): name the move otherwise."
        )
    if typed.lstrip("-").isdigit():
        return (
            f"{key!r} is a number, which the prompt takes as an action's: name the move otherwise."
        )
    return ""
