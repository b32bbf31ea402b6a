"""Texts of games on the terminal, with each player's marks in one colour."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import typer

from axiom_gym.game.facts import KernelGame

_COLOURS = ("bright_blue", "bright_red", "green", "yellow", "magenta", "cyan")


class ColourPrinter:
    """A printer that colours the players' names and marks on a terminal, and nowhere else."""

    def __init__(self, game: KernelGame, agents: Sequence[str]) -> None:
        """Prepare the colours.

        Args:
            game: the game.
            agents: the names of the players, by seat.
        """
        self._styles: list[tuple[re.Pattern[str], str]] = []
        for seat, agent in enumerate(agents):
            marks = [rf"\b{re.escape(agent)}\b", *game.player_marks[seat : seat + 1]]
            self._styles.append((re.compile("|".join(marks)), _COLOURS[seat % len(_COLOURS)]))

    def print(self, text: str) -> None:
        """Print a text; rich decides about colours, by NO_COLOR and TERM."""
        if not sys.stdout.isatty():
            typer.echo(text)
            return
        from rich.console import Console
        from rich.text import Text

        coloured = Text(text)
        for pattern, style in self._styles:
            coloured.highlight_regex(pattern, style)
        Console(highlight=False).print(coloured, soft_wrap=True)
