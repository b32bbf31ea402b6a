"""Output of commands (tables, JSON, progress bars), and a check of output files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import typer

from axiom_gym.errors import AxiomError
from axiom_gym.game.facts import GameInfo


def print_json(value: Any) -> None:
    """Print one JSON value, indented."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@contextmanager
def json_only(as_json: bool) -> Iterator[None]:
    """Send everything that is printed to stderr, if a command prints JSON in the end."""
    if not as_json:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


def word_for_turn(info: GameInfo) -> str:
    """Return the unit of a game's length: "turn", or "decision" in a sequential game."""
    return "decision" if info.dynamics == "sequential" else "turn"


def print_text(text: str) -> None:
    """Print a paragraph, wrapped between words on a terminal."""
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(text))


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "", numbers: bool = False
) -> None:
    """Print a table, with frames on a terminal and as aligned plain text elsewhere.

    Args:
        columns: the headings; if all are empty, the table has no line of headings.
        rows: one cell for each column.
        title: a line above the table.
        numbers: if True, all columns but the first are aligned to the right.
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


@contextmanager
def show_progress(total: int, what: str = "games") -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of finished games, or of other work.

    The function updates a progress bar if stderr is a terminal, and does nothing otherwise.
    """
    if not sys.stderr.isatty():
        yield lambda finished: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda finished: bar.update(task, completed=finished)


def check_writable(path: Path, what: str, error: type[AxiomError]) -> None:
    """Check that a file can be written; called before a long game that ends with writing it.

    Args:
        path: the file.
        what: the content of the file, for the message.
        error: the type of the error.

    Raises:
        AxiomError: if the folder does not exist or is not writable, or the path is a folder.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        problem = f"there is no folder {str(folder)!r}"
    elif path.is_dir():
        problem = "it is a folder"
    elif not os.access(folder, os.W_OK):
        problem = f"no permission to write to {str(folder)!r}"
    else:
        return
    raise error(f"cannot write {what} {str(path)!r}: {problem}.")


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
