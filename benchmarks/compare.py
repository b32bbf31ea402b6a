"""A comparison of two result files of a benchmark; exits with status 1 if the second is worse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table


def load(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rates of a result file by name.

    Raises:
        typer.BadParameter: if the file cannot be read as one.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return {rate["name"]: rate for rate in values["rates"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise typer.BadParameter(f"{path} is no result file of a benchmark: {error}") from error


def is_worse(before: dict[str, Any], after: dict[str, Any], tolerance: float) -> bool:
    """Return whether the median fell by more than `tolerance` and the ranges do not overlap."""
    if before["more_is_better"]:
        return (
            after["median"] < (1 - tolerance) * before["median"] and after["high"] < before["low"]
        )
    return after["median"] > (1 + tolerance) * before["median"] and after["low"] > before["high"]


def main(
    before: Annotated[Path, typer.Argument(help="Result file to compare with.")],
    after: Annotated[Path, typer.Argument(help="Result file to judge.")],
    tolerance: Annotated[
        float, typer.Option(help="Share of the median that does not count.")
    ] = 0.05,
) -> None:
    """Compare two result files."""
    old, new = load(before), load(after)
    table = Table(title=f"{before.name} -> {after.name}", title_justify="left")
    table.add_column("what")
    for column in ("before", "after", "ratio", ""):
        table.add_column(column, justify="right")
    failed = False
    for name in [name for name in old if name in new]:
        worse = is_worse(old[name], new[name], tolerance)
        failed |= worse
        ratio = new[name]["median"] / old[name]["median"]
        medians = [f"{rates[name]['median']:.4g}" for rates in (old, new)]
        table.add_row(
            f"{name} ({old[name]['unit']})", *medians, f"{ratio:.2f}", "worse" if worse else ""
        )
    Console().print(table)
    for name in sorted(set(old) ^ set(new)):
        Console().print(f"only in one file: {name}")
    raise typer.Exit(1 if failed else 0)


if __name__ == "__main__":
    typer.run(main)
