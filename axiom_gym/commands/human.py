"""A person at the terminal as a player, choosing each sub-action from the legal ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import KernelGame

HELP = "Type a number or a short form. b: previous sub-action, q: quit, ?: this text and the list."
_BACK = -1


class Quit(Exception):  # noqa: N818 - it is no error
    """A person's request to stop."""


class Choice(NamedTuple):
    """A legal value of a sub-action."""

    action: int
    key: str
    """The short form that a person can type; "" if there is none."""
    text: str
    """The description; "" if there is none."""


class Human:
    """A person as a player; `decide` is a policy for `axiom_gym.play.match.MatchPlayer`."""

    def __init__(self, game: KernelGame, ask: Callable[[str], str] = input) -> None:
        """Create a player of a game; `ask` takes a prompt and returns a line."""
        self._game = game
        self._ask = ask
        self._has_helped = False

    def decide(self, batch: Batch, seat: int) -> npt.NDArray[np.int64]:
        """Ask for a player's sub-actions and return them, (K,).

        The prompts skip sub-actions with a single legal value. For an eliminated player, they skip
        all sub-actions.

        Raises:
            Quit: if the person stops, or the input ends.
        """
        masks = batch.buffers.masks[0, batch.view_of(seat)]
        sub_actions: npt.NDArray[np.int64] = masks.argmax(axis=1).astype(np.int64)
        is_alive = batch.alive()[seat]
        asked = np.flatnonzero(masks.sum(axis=1) > 1).tolist() if is_alive else []
        if not self._has_helped:
            typer.echo(HELP)
            self._has_helped = True
        place = 0
        while place < len(asked):
            k = asked[place]
            choices = self._choices(batch.buffers.states[0], seat, k, masks[k])
            name = f"{self._game.info.agents[seat]}, sub-action {place + 1} of {len(asked)}"
            answer = self._choose(name, choices)
            if answer == _BACK:
                place = max(place - 1, 0)
            else:
                sub_actions[k] = answer
                place += 1
        return sub_actions

    def _choices(self, state: Any, seat: int, k: int, mask: npt.NDArray[np.int8]) -> list[Choice]:
        describe = self._game.describe_sub_action or (lambda *_: "")
        key = self._game.sub_action_key or (lambda *_: "")
        return [
            Choice(action, key(state, seat, k, action), describe(state, seat, k, action))
            for action in np.flatnonzero(mask).tolist()
        ]

    def _choose(self, name: str, choices: list[Choice]) -> int:
        """Return the action that the person chooses, or _BACK."""
        _print_choices(choices)
        while True:
            try:
                line = self._ask(f"{name}: ")
            except EOFError:
                raise Quit from None
            chosen = find_choice(line, choices)
            answer = line.strip().lower()
            if chosen is not None:
                return chosen
            if answer == "q":
                raise Quit
            if answer == "b":
                return _BACK
            if answer == "?":
                typer.echo(HELP)
                _print_choices(choices)
            elif answer:
                typer.echo(f"{line.strip()!r} is not legal here; ? lists the legal choices.")


def find_choice(line: str, choices: list[Choice]) -> int | None:
    """Return the action with the number or key in a line, ignoring case and blanks, or None."""
    typed = "".join(line.lower().split())
    for choice in choices:
        if typed in (str(choice.action), choice.key.replace(" ", "")) and typed:
            return choice.action
    return None


def _print_choices(choices: list[Choice]) -> None:
    """Print the choices in as many columns as fit on the terminal."""
    number = max(len(str(choice.action)) for choice in choices)
    key = max(len(choice.key) for choice in choices)
    cells = [f"{c.action:{number + 2}} {c.key:{key}}  {c.text}".rstrip() for c in choices]
    width = max(map(len, cells)) + 2
    columns = max(1, shutil.get_terminal_size().columns // width)
    rows = -(-len(cells) // columns)
    for row in range(rows):
        typer.echo("".join(f"{cell:{width}}" for cell in cells[row::rows]).rstrip())
