"""The figure of `axiom-gym plot`: a panel for each metric, with a line for each group of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from axiom_gym.errors import ConfigError
from axiom_training.curves import Curve, Run, make_curve

_LABELS = {"steps": "agent-steps (millions)", "minutes": "minutes of training"}
_BANDS = {"range": "lowest to highest run", "interval": "95 % interval of the mean"}
_STYLE: Any = {"axes.spines.top": False, "axes.spines.right": False, "font.size": 9}
_ACROSS = 3
"""The most panels in a row."""


def check_format(path: Path) -> None:
    """Check that the suffix of a file is a format of images.

    Raises:
        ConfigError: if it is not.
    """
    formats = Figure().canvas.get_supported_filetypes()
    if path.suffix.lstrip(".").lower() not in formats:
        listed = ", ".join(f".{name}" for name in sorted(formats))
        raise ConfigError(
            f"the image {str(path)!r} needs one of the suffixes {listed}, such as curves.svg."
        )


def draw_curves(
    groups: Mapping[str, Sequence[Run]],
    metrics: Sequence[str],
    path: Path,
    *,
    axis: str = "steps",
    band: str = "range",
) -> None:
    """Draw the metrics of groups of runs, and write the image.

    Args:
        groups: the runs of each group by its label.
        metrics: the full names of the metrics.
        path: the file; its suffix is the format.
        axis, band: see `make_curve`.
    """
    with matplotlib.rc_context(_STYLE):
        across = min(len(metrics), _ACROSS)
        down = -(-len(metrics) // across)
        figure = Figure(figsize=(1.2 + 3.6 * across, 1.2 + 2.8 * down), layout="constrained")
        panels = figure.subplots(down, across, sharex=True, squeeze=False).flatten().tolist()
        for panel, metric in zip(panels, metrics, strict=False):
            _draw_panel(panel, groups, metric, axis, band)
        for panel in panels[max(0, len(metrics) - across) : len(metrics)]:
            panel.set_xlabel(_LABELS[axis])
        for panel in panels[len(metrics) :]:
            panel.set_visible(False)
        _add_legend(figure, panels[: len(metrics)], groups, band)
        figure.savefig(path, dpi=140)


def _draw_panel(
    panel: Any, groups: Mapping[str, Sequence[Run]], metric: str, axis: str, band: str
) -> None:
    family, _, name = metric.partition("/")
    for number, (label, runs) in enumerate(groups.items()):
        curve = make_curve(runs, metric, axis, band)
        if curve is not None:
            _draw_curve(panel, curve, label, f"C{number % 10}", "-" if number < 10 else "--")
    panel.set_title(f"against {name}" if family == "eval" else metric)
    panel.tick_params(labelbottom=True)
    panel.grid(alpha=0.25, linewidth=0.6)
    if family == "eval":
        panel.set(ylim=(-0.03, 1.03), ylabel="score (win 1, draw 1/2)")


def _draw_curve(panel: Any, curve: Curve, label: str, color: str, style: str) -> None:
    name = f"{label} ({curve.runs} runs)" if curve.runs > 1 else label
    panel.plot(curve.x, curve.mean, color=color, linestyle=style, linewidth=1.5, label=name)
    if curve.runs > 1:
        panel.fill_between(curve.x, curve.low, curve.high, color=color, alpha=0.2, linewidth=0)


def _add_legend(
    figure: Figure, panels: Sequence[Any], groups: Mapping[str, Sequence[Run]], band: str
) -> None:
    """Add one legend for all panels, below them; its title explains the bands."""
    entries: dict[str, Any] = {}
    for panel in panels:
        for line, label in zip(*panel.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, line)
    has_band = any(len(runs) > 1 for runs in groups.values())
    figure.legend(
        entries.values(),
        entries.keys(),
        title=f"line: mean; band: {_BANDS[band]}" if has_band else None,
        loc="outside lower center",
        ncols=_count_columns(figure, list(entries)),
        frameon=False,
    )


def _count_columns(figure: Figure, labels: Sequence[str]) -> int:
    """Return the number of columns of a legend that fit the width of a figure."""
    room = int(11 * figure.get_figwidth())  # letters
    widest = max(map(len, labels), default=0)
    return max(1, min(len(labels), room // (widest + 12)))
