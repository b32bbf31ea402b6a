"""The look of all figures, and their conversion to SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
"""Colours that colour-blind people can tell apart (Okabe and Ito); lines also differ in style."""

DASHES = ("-", "--", ":", "-.")
PALE = "#D9DDE2"
INK = "#22262B"
WIDTH = 9.6
"""The width of a figure in inches."""

LONGEST = 34
"""The most letters of a label."""

_STYLE: Any = {
    "axes.edgecolor": "#8A9099",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "grid.color": "#E9ECEF",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "axiom-gym",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.bottom": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of the report within this block."""
    with matplotlib.rc_context(_STYLE):
        yield


def colour(number: int) -> str:
    """Return the colour of a table, an agent or another series."""
    return COLOURS[number % len(COLOURS)]


def dashes(number: int) -> str:
    """Return the line style of a series."""
    return DASHES[number % len(DASHES)]


def shorten(name: object) -> str:
    """Return a name as a label: without control characters, and not too long."""
    text = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(name)
    )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def make_panels(count: int, across: int, height: float, **sharing: Any) -> tuple[Figure, list[Any]]:
    """Return a figure with a number of panels in rows.

    Args:
        count: the number of panels.
        across: the most panels in a row.
        height: the height of a row in inches.
        **sharing: `sharex` and `sharey`.
    """
    across = max(1, min(count, across))
    down = max(1, -(-count // across))
    figure = Figure(figsize=(WIDTH, 0.7 + height * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, **sharing).flatten().tolist()
    for panel in panels[count:]:
        panel.set_visible(False)
    for panel in panels[max(0, count - across) : count]:
        panel.tick_params(labelbottom=True)
    return figure, panels[:count]


def add_legend(figure: Figure, panels: Sequence[Any]) -> None:
    """Add one legend for all panels, above them, if there are several series."""
    entries: dict[str, Any] = {}
    for panel in panels:
        for line, label in zip(*panel.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, line)
    if len(entries) > 1:
        figure.legend(
            entries.values(), entries.keys(), loc="outside upper center", ncols=min(4, len(entries))
        )


def to_svg(figure: Figure, prefix: str) -> str:
    """Return a figure as an SVG element, whose ids begin with `prefix`.

    The same figure gives the same text: it has no date and no random ids.
    """
    written = io.StringIO()
    with style():
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # nothing refers to groups
    text = re.sub(r'\bd="[^"]*"', lambda path: _round(path[0]), text)
    text = re.sub(r' transform="rotate\(-?0 [^"]*"', "", text)
    text = re.sub(r"\n\s+", "\n", text)
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'href="#', f'href="#{prefix}', text)
    return re.sub(r"url\(#", f"url(#{prefix}", text)


def _round(path: str) -> str:
    """Return the commands of a path on one line, with one digit after the point (0.1 points)."""
    return re.sub(r"(\.\d)\d+", r"\1", " ".join(path.split()))
