"""The command `axiom-gym plot`, as a plugin of the core's command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands.options import examples
from axiom_gym.commands.output import check_writable
from axiom_gym.errors import ConfigError

IMAGE = "learning_curves.png"


@examples(
    "axiom-gym plot runs/first runs/second",
    "axiom-gym plot runs/seeds --metric greedy --out curves.svg",
)
def plot(
    directories: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIRECTORY...",
            help="Runs, or directories of runs such as those of `train --seeds`.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The image; its suffix is the format, such as .png or .svg. By default "
            f"{IMAGE} in the directory, or in the current one if there are several.",
            show_default=False,
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A column of evaluations.csv or progress.csv, such as greedy or losses/entropy; "
            "repeatable. By default the scores against all opponents, or the mean outcome in a "
            "game for one player.",
        ),
    ] = None,
    x: Annotated[
        str, typer.Option("--x", metavar="AXIS", help="The horizontal axis: steps or minutes.")
    ] = "steps",
    band: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="The band around the mean of several runs: range (from the lowest to the highest "
            "run) or interval (of the mean, 95 %).",
        ),
    ] = "range",
) -> None:
    """Draw learning curves of runs.

    The image has a panel for each metric, with a line for each run. Runs in directories named
    seed-N beside each other are one line, with a band over them.
    """
    from axiom_training.curves import choose_metrics, find_groups, read_groups
    from axiom_training.plots import check_format, draw_curves

    path = out or (directories[0] / IMAGE if len(directories) == 1 else Path(IMAGE))
    check_format(path)
    groups = read_groups(find_groups(directories))
    check_writable(path, "the image", ConfigError)
    metrics = choose_metrics([run for runs in groups.values() for run in runs], metric or ())
    draw_curves(groups, metrics, path, axis=x, band=band)
    typer.echo(f"Drew {', '.join(metrics)} of {_count(groups)} in {path}")


def _count(groups: Mapping[str, Sequence[object]]) -> str:
    runs = sum(map(len, groups.values()))
    return f"{runs} run{'s' * (runs != 1)} ({len(groups)} line{'s' * (len(groups) != 1)})"
