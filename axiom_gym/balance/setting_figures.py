"""Figures over time with a line for each setting of a sweep."""

from __future__ import annotations

from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from axiom_gym.balance.course_figures import count_drawn
from axiom_gym.balance.style import add_legend, dashes, make_panels, shorten, style

MOST_LINES = 8
"""The most settings in one panel; of more, evenly spaced ones are drawn."""

MEDIAN = 2
"""The place of the median among the quantiles of `courses.QUANTILES`."""

Json = dict[str, Any]


def choose_settings(report: Json) -> list[Json]:
    """Return at most `MOST_LINES` settings, evenly spaced, with the first and the last one."""
    settings: list[Json] = report["settings"]
    if len(settings) <= MOST_LINES:
        return settings
    last = len(settings) - 1
    return [settings[round(i * last / (MOST_LINES - 1))] for i in range(MOST_LINES)]


def _shade(number: int, count: int) -> Any:
    """Return a colour from dark to bright, which also colour-blind people see in order."""
    return matplotlib.colormaps["viridis"](0.9 * number / max(count - 1, 1))


def draw_survivals(report: Json) -> Figure:
    """Draw the share of games in progress over time, with a panel for each table."""
    settings = choose_settings(report)
    labels = dict.fromkeys(table["label"] for one in settings for table in one["tables"])
    with style():
        figure, panels = make_panels(len(labels), 2, 2.1, sharex=True, sharey=True)
        for panel, label in zip(panels, labels, strict=True):
            for number, setting in enumerate(settings):
                for table in setting["tables"]:
                    if table["label"] == label:
                        curve = table["survival"]
                        _draw(panel, curve["turns"], curve["share"], number, settings)
            panel.set_title(shorten(label))
            panel.yaxis.set_major_formatter(PercentFormatter(1, 0))
        figure.supxlabel(f"{report['turn']}s played", fontsize=9)
        figure.supylabel("games in progress", fontsize=9)
        add_legend(figure, panels)
    return figure


def draw_medians(report: Json) -> Figure | None:
    """Draw the median of each numeric quantity over time for the first table; None without any."""
    settings = choose_settings(report)
    quantities = [setting["tables"][0]["quantities"] for setting in settings]
    names = list(quantities[0]["numbers"]) if quantities[0] else []
    if not names:
        return None
    with style():
        figure, panels = make_panels(len(names), 4, 1.65, sharex=True)
        for panel, name in zip(panels, names, strict=True):
            for number, found in enumerate(quantities):
                turns = found["turns"][: count_drawn(found)]
                rows = zip(turns, found["numbers"].get(name, ()), strict=False)
                known = [(turn, row[MEDIAN]) for turn, row in rows if row is not None]
                _draw(panel, [one[0] for one in known], [one[1] for one in known], number, settings)
            panel.set_title(shorten(name))
        label = shorten(settings[0]["tables"][0]["label"])
        figure.supxlabel(f"{report['turn']}s played, table {label}", fontsize=9)
        add_legend(figure, panels)
    return figure


def _draw(panel: Any, x: list[Any], y: list[Any], number: int, settings: list[Json]) -> None:
    panel.plot(
        x,
        y,
        color=_shade(number, len(settings)),
        linestyle=dashes(number),
        label=shorten(settings[number]["label"]),
    )
