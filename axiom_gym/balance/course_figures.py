"""Figures over time: quantities of the state, as the attributes of a config."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from axiom_gym.balance.style import add_legend, colour, dashes, make_panels, shorten, style

MOST_TABLES = 4
"""The most tables in one panel; more would hide each other."""

FEWEST = 20
"""The fewest games at a turn for which quantiles are drawn."""

Json = dict[str, Any]


def _with_quantities(setting: Json) -> list[tuple[str, Json]]:
    """Return the quantities of the first tables, each with the table's label."""
    tables = [table for table in setting["tables"] if table["quantities"]]
    return [(table["label"], table["quantities"]) for table in tables[:MOST_TABLES]]


def count_drawn(quantities: Json) -> int:
    """Return the number of turns that enough games have reached."""
    least = min(FEWEST, quantities["games"])
    return sum(played >= least for played in quantities["played"])


def draw_numbers(setting: Json, unit: str) -> Figure | None:
    """Draw median and quantiles of each numeric quantity over time; None without any."""
    tables = _with_quantities(setting)
    names = list(tables[0][1]["numbers"]) if tables else []
    if not names:
        return None
    with style():
        figure, panels = make_panels(len(names), 4, 1.65, sharex=True)
        for panel, name in zip(panels, names, strict=True):
            for number, (label, quantities) in enumerate(tables):
                _draw_band(panel, quantities, name, number, shorten(label))
            panel.set_title(shorten(name))
        figure.supxlabel(f"{unit}s played", fontsize=9)
        add_legend(figure, panels)
    return figure


def _draw_band(panel: Any, quantities: Json, name: str, number: int, label: str) -> None:
    drawn = count_drawn(quantities)
    rows = zip(quantities["turns"][:drawn], quantities["numbers"][name], strict=False)
    known = [(turn, *row) for turn, row in rows if row is not None]
    if not known:
        return
    turns, lowest, low, middle, high, highest = zip(*known, strict=True)
    panel.fill_between(turns, lowest, highest, color=colour(number), alpha=0.12, linewidth=0)
    panel.fill_between(turns, low, high, color=colour(number), alpha=0.25, linewidth=0)
    panel.plot(turns, middle, color=colour(number), linestyle=dashes(number), label=label)


def draw_shares(setting: Json, unit: str) -> Figure | None:
    """Draw the share of games with each property over time; None without any.

    The values of one choice share a panel, and each table has panels of its own for it.
    """
    tables = _with_quantities(setting)
    drawn = [
        (key, label, quantities, names)
        for key, names in (_group(tables[0][1]["shares"]) if tables else ())
        for label, quantities in tables
    ]
    if not drawn:
        return None
    with style():
        figure, panels = make_panels(len(drawn), 2, 2.1, sharex=True, sharey=True)
        for panel, (key, label, quantities, names) in zip(panels, drawn, strict=True):
            count = count_drawn(quantities)
            for number, name in enumerate(names):
                panel.plot(
                    quantities["turns"][:count],
                    quantities["shares"][name][:count],
                    color=colour(number),
                    linestyle=dashes(number // 7 + number),
                    label=shorten(name.removeprefix(f"{key}=")),
                )
            panel.set(title=f"{shorten(key)}, {shorten(label)}", ylim=(-0.02, 1.02))
            panel.yaxis.set_major_formatter(PercentFormatter(1, 0))
            panel.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
        figure.supxlabel(f"{unit}s played", fontsize=9)
    return figure


def _group(shares: Json) -> Iterator[tuple[str, list[str]]]:
    """Yield each choice with the names of its values, then all other properties together."""
    groups: dict[str, list[str]] = {}
    for name in shares:
        key, equals, _ = name.partition("=")
        groups.setdefault(key if equals else "yes or no", []).append(name)
    yield from groups.items()
