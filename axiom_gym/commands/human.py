"""A person at the terminal as a player, choosing each sub-action from the legal ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import typer

from axiom_gym.batch.batch import Batch
from axiom_gym.commands.choices import (
    Choice,
    count_choices,
    explain_refusal,
    filter_choices,
    find_choice,
    print_choices,
    without_collisions,
)
from axiom_gym.game.facts import KernelGame
from axiom_gym.game.prompt_keys import PROMPT_KEYS

HELP = "\n".join(
    [
        "Type a move by its name, its number or its text.",
        *(f"  {k}  {v}" for k, v in PROMPT_KEYS.items()),
    ]
)
_HINT = "Type a move; m lists all, v shows the board, u takes back, q stops and saves, ? explains."


class Quit(Exception):  # noqa: N818 - it is no error
    """A person's request to stop."""


class TakeBack(Exception):  # noqa: N818 - it is no error
    """A person's request to return to the decision before."""


class Table(Protocol):
    """The surroundings of a person: they show the position and keep earlier decisions."""

    def begin_decision(self, seat: int) -> None:
        """Show the position to a person who is to act, if they may not know it."""

    def show_board(self, seat: int) -> None:
        """Show the position as a player sees it."""

    def can_take_back(self) -> bool:
        """Return True if there is an earlier decision of a person."""


class Human:
    """A person as a player; `decide` is a policy for `axiom_gym.play.match.MatchPlayer`."""

    def __init__(
        self, game: KernelGame, ask: Callable[[str], str] = input, table: Table | None = None
    ) -> None:
        """Create a player.

        Args:
            game: the game.
            ask: a function that takes a prompt and returns a line.
            table: what shows the position and takes decisions back; None for nothing.
        """
        self._game = game
        self._ask = ask
        self._table = table
        self._has_helped = False

    def decide(self, batch: Batch, seat: int) -> npt.NDArray[np.int64]:
        """Ask for a player's sub-actions and return them, (K,).

        The prompts skip sub-actions with a single legal value. For an eliminated player, they skip
        all sub-actions.

        Raises:
            Quit: if the person stops, or the input ends.
            TakeBack: if the person wants to return to an earlier decision.
        """
        masks = batch.buffers.masks[0, batch.view_of(seat)]
        sub_actions: npt.NDArray[np.int64] = masks.argmax(axis=1).astype(np.int64)
        is_alive = batch.alive()[seat]
        asked = np.flatnonzero(masks.sum(axis=1) > 1).tolist() if is_alive else []
        if asked and self._table is not None:
            self._table.begin_decision(seat)
        if asked and not self._has_helped:
            typer.echo(_HINT)
            self._has_helped = True
        place = 0
        while place < len(asked):
            k = asked[place]
            choices = self._list_choices(batch, seat, k, masks[k])
            answer = self._choose(seat, self._name(batch, seat, asked, place), choices)
            if answer is not None:
                sub_actions[k] = answer
                place += 1
            elif place > 0:
                place -= 1
            elif self._table is not None and self._table.can_take_back():
                raise TakeBack
            else:
                typer.echo("There is no earlier decision to take back.")
        return sub_actions

    def _name(self, batch: Batch, seat: int, asked: list[int], place: int) -> str:
        """Return the player and, where there are several, the sub-action."""
        name = batch.agents[seat]
        if self._game.name_sub_action is not None:
            return (
                f"{name}, {self._game.name_sub_action(batch.buffers.states[0], seat, asked[place])}"
            )
        return f"{name}, part {place + 1} of {len(asked)}" if len(asked) > 1 else name

    def _list_choices(
        self, batch: Batch, seat: int, k: int, mask: npt.NDArray[np.int8]
    ) -> list[Choice]:
        game, state = self._game, batch.buffers.states[0]
        describe = game.describe_sub_action or _say_nothing
        key = game.sub_action_key or _say_nothing
        kinds = game.action_kinds(batch.config)[k] if game.action_kinds is not None else None
        return without_collisions(
            [
                Choice(
                    action,
                    key(state, seat, k, action),
                    describe(state, seat, k, action),
                    kinds[action] if kinds is not None else "",
                )
                for action in np.flatnonzero(mask).tolist()
            ]
        )

    def _choose(self, seat: int, name: str, choices: list[Choice]) -> int | None:
        """Return the action that the person chooses, or None to take back the last one."""
        while True:
            try:
                line = self._ask(f"{name}, {count_choices(choices)}: ")
            except EOFError:
                raise Quit from None
            match line.strip().lower():
                case "q":
                    raise Quit
                case "u":
                    return None
                case "?":
                    typer.echo(HELP)
                case "m":
                    print_choices(choices)
                case "v":
                    if self._table is not None:
                        self._table.show_board(seat)
                case "":
                    pass
                case _:
                    chosen = find_choice(line, choices)
                    if chosen is not None:
                        return chosen
                    answer_line(line, choices)


def answer_line(line: str, choices: list[Choice]) -> None:
    """Print the moves that "m WORDS" asks for, or why a line is not a move."""
    key, _, words = line.strip().partition(" ")
    found = filter_choices(words, choices) if key.lower() == "m" else []
    if found:
        print_choices(found)
    else:
        typer.echo(explain_refusal(words if key.lower() == "m" and words else line, choices))


def _say_nothing(state: Any, player: int, k: int, action: int) -> str:
    return ""
