"""The legal moves at a prompt: finding the typed one, close ones, and printing them in groups."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Sequence
from typing import NamedTuple

import typer

from axiom_gym.game.prompt_keys import find_collision, normalize

_MOST_CLOSE = 6
_INLINE = 64
"""The number of characters of a list of moves that stands in the prompt itself."""


class Choice(NamedTuple):
    """A legal value of a sub-action."""

    action: int
    key: str
    """The short form that a person can type; "" if there is none."""
    text: str
    """The description; "" if there is none."""
    kind: str = ""
    """The kind of action, which is the heading of its group; "" if there is none."""

    @property
    def name(self) -> str:
        """The key, or the number of a choice that has none."""
        return self.key or str(self.action)


def without_collisions(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices, without the keys that the prompt could not tell apart from its own."""
    return [one._replace(key="") if find_collision(one.key) else one for one in choices]


def find_choice(line: str, choices: Sequence[Choice]) -> int | None:
    """Return the action whose number, key or text was typed, ignoring case and blanks, or None."""
    typed = normalize(line)
    for choice in choices:
        names = (str(choice.action), normalize(choice.key), normalize(choice.text))
        if typed and typed in names:
            return choice.action
    return None


def find_close(line: str, choices: Sequence[Choice]) -> list[str]:
    """Return the names of moves that resemble a typed line; those with all its words come first."""
    found = [one.name for one in filter_choices(line, choices)]
    if not found:
        names = {normalize(text): one.name for one in choices for text in (one.text, one.key)}
        close = difflib.get_close_matches(normalize(line), [*filter(None, names)], n=3, cutoff=0.55)
        found = list(dict.fromkeys(names[text] for text in close))
    return found


def explain_refusal(line: str, choices: Sequence[Choice]) -> str:
    """Return the answer to a line that names no legal move."""
    close = find_close(line, choices)
    refusal = f"{line.strip()!r} is not a legal move here."
    if not close:
        return f"{refusal} m lists the legal moves."
    if len(close) == 1:
        return f"{refusal} Did you mean {close[0]!r}?"
    more = ", ..." if len(close) > _MOST_CLOSE else ""
    return f"{refusal} Did you mean one of these: {', '.join(close[:_MOST_CLOSE])}{more}?"


def filter_choices(words: str, choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices whose key or text has all the words, ignoring case."""
    wanted = words.lower().split()
    texts = [f"{one.key} {one.text} {one.kind}".lower() for one in choices]
    return [
        one
        for one, text in zip(choices, texts, strict=True)
        if wanted and all(w in text for w in wanted)
    ]


def count_choices(choices: Sequence[Choice]) -> str:
    """Return the number of moves for a prompt, with their names if these are short."""
    names = ", ".join(choice.name for choice in choices)
    listed = names if len(names) <= _INLINE else "m lists them"
    return f"{len(choices)} moves ({listed})"


def print_choices(choices: Sequence[Choice]) -> None:
    """Print the choices in as many columns as fit; kinds with several choices get a heading."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.kind, []).append(choice)
    alone = [one for group in groups.values() if len(group) == 1 for one in group]
    several = {kind: group for kind, group in groups.items() if len(group) > 1}
    if len(several) + bool(alone) < 2:
        several, alone = {}, list(choices)
    for kind, group in several.items():
        typer.echo(f"{kind}:")
        _print_columns(group)
    if alone:
        if several:
            typer.echo("other:")
        _print_columns(alone)


def _print_columns(choices: Sequence[Choice]) -> None:
    names = max(len(choice.name) for choice in choices)
    cells = [_describe(choice, names) for choice in choices]
    width = max(map(len, cells)) + 2
    columns = max(1, shutil.get_terminal_size().columns // width)
    rows = -(-len(cells) // columns)
    for row in range(rows):
        typer.echo("".join(f"{cell:{width}}" for cell in cells[row::rows]).rstrip())


def _describe(choice: Choice, width: int) -> str:
    text = "" if normalize(choice.text) == normalize(choice.key) else choice.text
    return f"  {choice.name:{width}}  {text}".rstrip()
