"""One decision of a language model: prompt, replies, feedback, and the transcript."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from axiom_gym.errors import ConfigError, check_range
from axiom_gym.replay.format import Attempt
from axiom_gym.text.parsing import Parsed, parse
from axiom_gym.text.prompts import Position, write_feedback, write_prompt

Message = dict[str, str]
"""A message with "role", which is "user" or "assistant", and "content"."""

Ask = Callable[[list[Message]], str]
"""A language model: a chat, whose last message is the user's -> the model's reply."""

ATTEMPTS = 3
"""The number of replies that a player has for one decision, by default."""


class Reply(str):
    """A reply that also says whether a limit of tokens has cut it off."""

    truncated: bool

    def __new__(cls, text: str, truncated: bool = False) -> Reply:
        """Make a reply with this text."""
        reply = super().__new__(cls, text)
        reply.truncated = truncated
        return reply


@dataclass(frozen=True, slots=True)
class Consultation:
    """A model's decision.

    Attributes:
        parsed: the last reply, which is a legal move unless all attempts failed.
        attempts: the transcript; empty if there was one legal move only.
    """

    parsed: Parsed
    attempts: tuple[Attempt, ...]


class Consultant:
    """A language model that is asked for moves.

    Attributes:
        attempts: the number of replies for one decision.
    """

    def __init__(self, ask: Ask, attempts: int = ATTEMPTS, legal_moves: bool = True) -> None:
        """Check the arguments, which are those of `LlmAgent`."""
        if not callable(ask):
            raise ConfigError(
                f"a language model is a callable (messages) -> str, got {type(ask).__name__}."
            )
        self._ask, self._lists_moves = ask, legal_moves
        self.attempts = check_range("attempts", attempts, 1)

    def consult(self, position: Position) -> Consultation:
        """Ask for a move, with feedback after each reply that is not a legal move.

        The model is not asked if there is one legal move only. Exceptions of the model pass through
        unchanged.

        Raises:
            ConfigError: if the model does not return a string.
        """
        moves = position.moves
        if moves.count == 1:
            (only,) = moves.list_strings()
            return Consultation(parse(only, moves), ())
        messages = [_say(write_prompt(position, self._lists_moves))]
        asked: list[Attempt] = []
        while True:
            reply = self._get_reply(messages)
            parsed = parse(reply, moves, getattr(reply, "truncated", False))
            asked.append(Attempt(digest_messages(messages), str(reply), parsed.category))
            if parsed.category == "ok" or len(asked) == self.attempts:
                return Consultation(parsed, tuple(asked))
            messages = _continue(messages, parsed, reply)

    def _get_reply(self, messages: list[Message]) -> str:
        reply: Any = self._ask([dict(message) for message in messages])
        if not isinstance(reply, str):
            raise ConfigError(f"a language model must return a str, got {type(reply).__name__}.")
        return reply


def digest_messages(messages: list[Message]) -> str:
    """Return 16 hex digits of the BLAKE2b hash of a chat as JSON with sorted keys."""
    text = json.dumps(messages, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _say(text: str, role: str = "user") -> Message:
    return {"role": role, "content": text}


def _continue(messages: list[Message], parsed: Parsed, reply: str) -> list[Message]:
    """Return the chat with the feedback.

    A reply that is empty or cut off is not repeated: models refuse the one and continue the other.
    """
    feedback = write_feedback(parsed, reply)
    if parsed.category in ("empty", "truncated"):
        last = messages[-1]["content"]
        return [*messages[:-1], _say(f"{last}\n\n{feedback}")]
    return [*messages, _say(reply, "assistant"), _say(feedback)]
