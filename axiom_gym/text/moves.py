"""Legal actions as strings. Each string stands for one action, and each action has one string."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.game.joint import MOST_JOINT_ACTIONS

SEPARATOR = ";"
"""The sign between the choices of a move that consists of several; written with a blank."""


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared: without case and white space."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def name_choices(texts: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Return a name for each choice: its text, followed by " #NUMBER" where texts are equal.

    No two names have the same folded form.

    Args:
        texts: a text for each choice.
        numbers: the numbers of the choices, which differ.
    """
    lines = [" ".join(text.replace(SEPARATOR, ",").split()) for text in texts]
    counts = Counter(map(fold, lines))
    names = [
        line if counts[fold(line)] == 1 and fold(line) else f"{line} #{number}".strip()
        for line, number in zip(lines, numbers, strict=True)
    ]
    if len(set(map(fold, names))) == len(names):
        return names
    # A text looks like another one with its number: numbers at the end of all names differ.
    return [f"{line} #{number}" for line, number in zip(lines, numbers, strict=True)]


@dataclass(frozen=True, slots=True)
class Part:
    """The legal choices of one sub-action.

    Attributes:
        place: the place k of the sub-action among those of the turn.
        choices: the numbers of the choices.
        names: the name of each choice.
        glosses: the meaning of each choice; "" where the name says it.
    """

    place: int
    choices: tuple[int, ...]
    names: tuple[str, ...]
    glosses: tuple[str, ...]

    def find(self, text: str) -> int | None:
        """Return the choice of this name, whose case and white space do not matter, or None."""
        wanted = fold(text)
        for choice, name in zip(self.choices, self.names, strict=True):
            if fold(name) == wanted:
                return choice
        return None


class Moves:
    """All legal moves of a player in one position.

    A move is one string: the names of the choices of its parts, joined by "; ". Sub-actions with a
    single legal choice are left out, unless there is no other.

    Attributes:
        parts: the sub-actions to choose.
        forced: the sub-actions (K,), of which those of `parts` are still to be chosen.
    """

    def __init__(self, parts: Sequence[Part], forced: Sequence[int]) -> None:
        """Take the parts, of which there is at least one."""
        self.parts, self.forced = tuple(parts), tuple(forced)

    @property
    def count(self) -> int:
        """The number of legal moves."""
        return math.prod(len(part.choices) for part in self.parts)

    def list_strings(self) -> list[str]:
        """Return all legal moves as strings.

        Raises:
            ConfigError: if there are more than `MOST_JOINT_ACTIONS`.
        """
        if self.count > MOST_JOINT_ACTIONS:
            raise ConfigError(
                f"there are {self.count} legal moves, more than {MOST_JOINT_ACTIONS}; use "
                "choices(player), which lists the choices of each part."
            )
        return [f"{SEPARATOR} ".join(names) for names in product(*(p.names for p in self.parts))]

    def name(self, sub_actions: Sequence[int]) -> str:
        """Return the string of a legal action, (K,) integers."""
        names = [p.names[p.choices.index(int(sub_actions[p.place]))] for p in self.parts]
        return f"{SEPARATOR} ".join(names)

    def find(self, answer: str | Sequence[str]) -> tuple[int, ...] | None:
        """Return the sub-actions (K,) of a move, or None if it is not legal.

        Args:
            answer: the move as a string, or the name of each part's choice.
        """
        names = answer.split(SEPARATOR) if isinstance(answer, str) else answer
        if len(names) != len(self.parts):
            return None
        chosen = list(self.forced)
        for part, name in zip(self.parts, names, strict=True):
            choice = part.find(name)
            if choice is None:
                return None
            chosen[part.place] = choice
        return tuple(chosen)


def list_moves(
    game: KernelGame,
    state: Any,
    seat: int,
    mask: npt.NDArray[np.int8],
    places: Sequence[int] | None = None,
) -> Moves:
    """Return the legal moves of a player of a kernel game.

    The names are those of `sub_action_key`, which people type at the terminal; of
    `describe_sub_action` if a game has no keys.

    Args:
        game: the game.
        state: the state record.
        seat: the player.
        mask: (K, N) int8, 1 = legal.
        places: the sub-actions to choose; by default those with several legal choices.
    """
    forced = mask.argmax(axis=1).tolist()
    if places is not None:
        return Moves([_list_part(game, state, seat, k, mask[k]) for k in places], forced)
    open_places = np.flatnonzero(mask.sum(axis=1) > 1).tolist() or [0]
    return Moves([_list_part(game, state, seat, k, mask[k]) for k in open_places], forced)


def _list_part(game: KernelGame, state: Any, seat: int, k: int, mask: npt.NDArray[np.int8]) -> Part:
    numbers = np.flatnonzero(mask).tolist()
    key, describe = game.sub_action_key, game.describe_sub_action
    keys = _ask(key or describe, state, seat, k, numbers)
    names = name_choices(keys, numbers)
    texts = _ask(describe, state, seat, k, numbers) if key and describe else [""] * len(names)
    glosses = ["" if fold(t) == fold(n) else t for n, t in zip(names, texts, strict=True)]
    return Part(k, tuple(numbers), tuple(names), tuple(glosses))


def _ask(
    describe: Callable[[Any, int, int, int], str] | None,
    state: Any,
    seat: int,
    k: int,
    numbers: Sequence[int],
) -> list[str]:
    """Return the texts of choices, "choice N" if the game describes none."""
    if describe is None:
        return [f"choice {number}" for number in numbers]
    return [describe(state, seat, k, number) for number in numbers]
