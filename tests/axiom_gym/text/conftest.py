"""Language models that are functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

Messages = list[dict[str, str]]


class Scripted:
    """A model that gives scripted replies, and then the first legal move, and keeps all chats."""

    def __init__(self, replies: Iterable[str] = ()) -> None:
        self.chats: list[Messages] = []
        self._replies = iter(replies)

    def __call__(self, messages: Messages) -> str:
        self.chats.append(messages)
        reply = next(self._replies, None)
        return answer_first(messages) if reply is None else reply


def answer_first(messages: Messages) -> str:
    """Return the first legal move that the prompt lists."""
    _, _, after = messages[0]["content"].partition("# Legal moves")
    lines = after.partition("\n\n")[0].splitlines()[1:]
    parts = [line.partition(") ")[2].partition(" | ")[0] for line in lines]
    texts = parts if all(parts) else lines[:1]
    return '{"move": "' + "; ".join(text.partition(": ")[0] for text in texts) + '"}'


@pytest.fixture
def model() -> Callable[..., Any]:
    """A function that makes a scripted model."""
    return lambda *replies: Scripted(replies)
