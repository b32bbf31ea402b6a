"""Tables and JSON on stdout: framed on a terminal, aligned plain text elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import typer

from axiom_gym.game.facts import GameInfo


def print_json(value: Any) -> None:
    """One JSON value, indented."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def word_for_turn(info: GameInfo) -> str:
    """Return what a game's length counts: turns, or decisions where players act one at a time."""
    return "decision" if info.dynamics == "sequential" else "turn"


def print_text(text: str) -> None:
    """A paragraph, broken between words where the terminal ends."""
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(text))


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "", numbers: bool = False
) -> None:
    """A table.

    Args:
        columns: their headings; where all are empty there is no line of headings.
        rows: one cell for each column.
        title: a line above it.
        numbers: all columns but the first are aligned to the right.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_framed(columns, cells, title, numbers)
        return
    lines = [list(columns), *cells] if any(columns) else cells
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))] if lines else []
    if title:
        typer.echo(title)
    for line in lines:
        padded = [
            cell.rjust(width) if numbers and i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        typer.echo("  ".join(padded).rstrip())


def _print_framed(
    columns: Sequence[str], cells: Sequence[Sequence[str]], title: str, numbers: bool
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    has_head = any(columns)
    frame = box.SIMPLE_HEAD if has_head else None
    table = Table(box=frame, show_header=has_head, show_edge=False, padding=(0, 2, 0, 0))
    for i, column in enumerate(columns):
        table.add_column(Text(column), justify="right" if numbers and i else "left")
    for row in cells:
        table.add_row(*map(Text, row))
    console = Console()
    if title:
        console.print(Text(title, style="bold"))
    console.print(table)
