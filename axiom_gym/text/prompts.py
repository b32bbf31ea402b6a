"""The prompts for text agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from axiom_gym.game.facts import KernelGame
from axiom_gym.text.moves import SEPARATOR, Moves, Part
from axiom_gym.text.parsing import Parsed

QUOTED = 500
"""The number of characters of a reply that the feedback quotes if nothing in it is an answer."""

_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The facts of a prompt.

    Attributes:
        title: the title of the game.
        rules: the rules.
        player: the player who is asked.
        players: all players, by seat.
        board: the position as text.
        history: a line for each of the last turns, oldest first.
        moves: the legal moves of the player.
    """

    title: str
    rules: str
    player: str
    players: Sequence[str]
    board: str
    history: Sequence[str]
    moves: Moves


def find_rules(game: KernelGame) -> str:
    """Return the rules of a game for a prompt: those of its card, or its summary.

    The rules are the section "Rules" of the card; see `KernelGame.card`.
    """
    if not game.card:
        return game.info.summary
    text = resources.files(game.card).joinpath("README.md").read_text(encoding="utf-8")
    _, _, after = text.partition("\n## Rules\n")
    rules = after.partition("\n## ")[0].strip()
    return f"{game.info.summary}\n\n{rules}".strip()


def write_prompt(position: Position, legal_moves: bool = True) -> str:
    """Return the prompt for one decision.

    Args:
        position: the facts.
        legal_moves: if False, the prompt does not list the legal moves; it shows the notation by up
            to three of them.
    """
    others = ", ".join(position.players)
    who = f"You play {position.title} as {position.player}."
    if len(position.players) > 1:
        who = f"{who} The players, by seat: {others}."
    history = [("The last turns", "\n".join(position.history))] if position.history else []
    sections = [
        ("Rules", position.rules),
        *history,
        ("Position", position.board),
        _write_moves(position.moves) if legal_moves else _write_notation(position.moves),
    ]
    texts = [f"# {head}\n{text}" for head, text in sections]
    return "\n\n".join([who, *texts, _write_request(position.moves)])


def _write_moves(moves: Moves) -> tuple[str, str]:
    if len(moves.parts) == 1:
        return "Legal moves", "\n".join(_write_choices(moves.parts[0]))
    lines = [
        f"{number}) {' | '.join(_write_choices(part))}"
        for number, part in enumerate(moves.parts, start=1)
    ]
    return "Legal moves: one choice of each line", "\n".join(lines)


def _write_choices(part: Part) -> list[str]:
    pairs = zip(part.names, part.glosses, strict=True)
    return [f"{name}: {gloss}" if gloss else name for name, gloss in pairs]


def _write_notation(moves: Moves) -> tuple[str, str]:
    """Return examples of moves instead of all of them."""
    lines = []
    for part in moves.parts:
        step = max(1, -(-len(part.choices) // _EXAMPLES))
        lines.append(" | ".join(_write_choices(part)[::step]))
    return "Notation of moves, by example", "\n".join(lines)


def _write_request(moves: Moves) -> str:
    example = f"{SEPARATOR} ".join("..." for _ in moves.parts)
    text = f'Answer with one JSON object: {{"move": "{example}"}}'
    if len(moves.parts) > 1:
        text += f". Its {len(moves.parts)} choices are joined by {SEPARATOR!r}, in this order"
    return f"{text}."


def write_feedback(parsed: Parsed, reply: str) -> str:
    """Return the message to a player whose reply was not a legal move."""
    ask = 'Answer with one JSON object, such as {"move": "..."}, with a legal move.'
    if parsed.category == "illegal":
        return f"{parsed.answer} is not a legal move. {ask}"
    if parsed.category == "ambiguous":
        return f"Your reply names different moves: {parsed.answer}. {ask}"
    if parsed.category == "truncated":
        return f"Your reply was cut off by the limit of its length. Be brief. {ask}"
    if parsed.category == "empty":
        return f"Your reply was empty. {ask}"
    return f"No move was found in your reply, which ends with:\n{reply[-QUOTED:]}\n{ask}"
