"""The strict parser of replies of language models.

A reply is an answer if it is exactly one legal move, or if it has a JSON object with the key `move`
in it, in a fence or not. The value is a legal move as a string, or a list with the name of each
part's choice. Prose is never searched for moves.

The last object counts. Objects with nothing but punctuation and fences between them are one answer;
if they name different moves, it is ambiguous, and so is an object with two different `move` keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from axiom_gym.text.moves import SEPARATOR, Moves, fold

Category = Literal["ok", "empty", "unparsable", "ambiguous", "illegal", "truncated"]
"""The result of parsing a reply: a legal move, nothing but white space, no answer, different
answers, a move that is not legal, or a reply that a limit of tokens has cut off."""

CATEGORIES: tuple[str, ...] = get_args(Category)

KEY = "move"
"""The key of the answer in a JSON object."""

LONGEST = 10_000
"""The number of characters at the end of a reply in which JSON objects are searched."""

_FENCES = ("```json", "```JSON", "```")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A reply that was read.

    Attributes:
        category: see `Category`.
        move: the legal move as it stands in the list of legal moves; None unless `category` is
            "ok".
        sub_actions: the sub-actions (K,) of the move; None unless `category` is "ok".
        answer: the move that the reply names, if it is illegal; the moves, if it is ambiguous.
    """

    category: Category
    move: str | None = None
    sub_actions: tuple[int, ...] | None = None
    answer: str = ""


def parse(reply: str, moves: Moves, truncated: bool = False) -> Parsed:
    """Read a reply; see this module's docstring.

    Args:
        reply: the text of the reply.
        moves: the legal moves.
        truncated: True if a limit of tokens has cut the reply off. It is then not read, because its
            last object need not be its answer.
    """
    if truncated:
        return Parsed("truncated")
    if not reply.strip():
        return Parsed("empty")
    found = moves.find(reply)
    if found is not None:
        return Parsed("ok", moves.name(found), found)
    answers = [_normalize(answer) for answer in _find_answers(reply[-LONGEST:])]
    if not answers or None in answers:
        return Parsed("unparsable")
    # Two spellings of one legal move are one answer.
    chosen = {_resolve(answer, moves): answer for answer in answers if answer is not None}
    if len(chosen) > 1:
        return Parsed("ambiguous", answer=", ".join(map(_show, chosen.values())))
    ((sub_actions, answer),) = chosen.items()
    if isinstance(sub_actions, str):
        return Parsed("illegal", answer=_show(answer))
    return Parsed("ok", moves.name(sub_actions), sub_actions)


def _resolve(answer: str | tuple[str, ...], moves: Moves) -> tuple[int, ...] | str:
    """Return the sub-actions of a legal move; the folded text of another one."""
    return moves.find(answer) or fold(_show(answer))


def _show(answer: str | tuple[str, ...]) -> str:
    return answer if isinstance(answer, str) else f"{SEPARATOR} ".join(answer)


def _normalize(answer: Any) -> str | tuple[str, ...] | None:
    """Return the value of `move` as a string or strings; None for a value that is no move."""
    if isinstance(answer, list):
        names = [_normalize(one) for one in answer]
        strings = tuple(one for one in names if isinstance(one, str))
        return strings if len(strings) == len(names) > 0 else None
    if isinstance(answer, int) and not isinstance(answer, bool):
        return str(answer)
    return answer if isinstance(answer, str) else None


class _Object(dict[str, Any]):
    """A JSON object that keeps all values of a repeated key `move`."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.answers = [value for key, value in pairs if key == KEY]


_DECODER = json.JSONDecoder(object_pairs_hook=_Object)


def _find_answers(text: str) -> list[Any]:
    """Return the values of `move` in the last group of objects that have one."""
    group: list[Any] = []
    end = 0
    for start, stop, answers in _scan(text):
        if not _is_punctuation(text[end:start]):
            group = []
        group += answers
        end = stop
    return group


def _scan(text: str) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield the start, the end and the answers of each outermost object that has answers."""
    place = text.find("{")
    while place >= 0:
        try:
            value, stop = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            stop = place + 1
        else:
            answers = list(_walk(value))
            if answers:
                yield place, stop, answers
        place = text.find("{", stop)


def _walk(value: Any) -> Iterator[Any]:
    """Yield the answers of an object, or else of those inside it."""
    waiting = [value]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, _Object) and one.answers:
            yield from one.answers
        elif isinstance(one, _Object):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _is_punctuation(between: str) -> bool:
    for fence in _FENCES:
        between = between.replace(fence, "")
    return not any(sign.isalnum() for sign in between)
