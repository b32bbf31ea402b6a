"""Figures over the settings of a sweep, as small multiples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from axiom_gym.balance.figures import list_agents
from axiom_gym.balance.style import add_legend, colour, dashes, make_panels, shorten, style

Json = dict[str, Any]
Point = tuple[float, tuple[float, float] | None]
Measure = Callable[[Json], dict[str, Point]]

LIMITED, WON = "ended by a limit or fault", "share of wins"
"""Measures that are shares."""


def draw_measures(report: Json) -> Figure:
    """Draw outcome, wins, length and limits over the values of the first swept option.

    Each row of panels has a measure, each column a combination of the other swept options.
    """
    unit = report["turn"]
    measures: list[tuple[str, Measure]] = [("mean outcome", _outcomes)]
    if any(entry["wins"] is not None for _, entry in list_agents(report["settings"][0], "results")):
        measures.append((WON, _wins))
    measures.append((f"mean length ({unit}s)", _lengths))
    measures.append((LIMITED, _limits))
    columns = _columns(report)
    with style():
        count = len(measures) * len(columns)
        figure, panels = make_panels(count, len(columns), 1.9, sharex=True, sharey="row")
        for number, panel in enumerate(panels):
            row, column = divmod(number, len(columns))
            title, settings = list(columns.items())[column]
            _draw_lines(panel, settings, measures[row][1])
            if measures[row][0] in (LIMITED, WON):
                panel.set_ylim(-0.05, 1.05)
                panel.yaxis.set_major_formatter(PercentFormatter(1, 0))
            panel.set_title(title if row == 0 else "")
            if column == 0:
                panel.set_ylabel(measures[row][0])
            if row == len(measures) - 1:
                panel.set_xlabel(shorten(_first_option(report)))
        add_legend(figure, panels)
    return figure


def draw_action_shares(report: Json) -> Figure | None:
    """Draw the share of each action over the values of the swept option.

    The result is None for a sweep of several options.
    """
    columns = _columns(report)
    if len(columns) > 1:
        return None
    (settings,) = columns.values()
    names = [row["action"] for row in settings[0]["tables"][0]["actions"][0]["rows"]]
    with style():
        figure, panels = make_panels(len(names), 4, 1.45, sharex=True)
        for i, (panel, name) in enumerate(zip(panels, names, strict=True)):
            _draw_lines(panel, settings, partial(_chosen, i))
            panel.set_title(shorten(name))
            panel.margins(y=0.1)
            panel.set_ylim(bottom=0)
            panel.yaxis.set_major_formatter(PercentFormatter(1, None))
        figure.supxlabel(shorten(_first_option(report)), fontsize=9)
        figure.supylabel("share of decisions", fontsize=9)
        add_legend(figure, panels)
    return figure


def _first_option(report: Json) -> str:
    return str(next(iter(report["settings"][0]["swept"])))


def _columns(report: Json) -> dict[str, list[Json]]:
    """Return the settings by the values of all swept options but the first."""
    columns: dict[str, list[Json]] = {}
    for setting in report["settings"]:
        _, *others = setting["swept"].items()
        title = shorten(", ".join(f"{name}={value}" for name, value in others))
        columns.setdefault(title, []).append(setting)
    return columns


def _draw_lines(panel: Any, settings: list[Json], measure: Measure) -> None:
    """Draw a measure over the values of the first option; values without order are categories."""
    values = [next(iter(setting["swept"].values())) for setting in settings]
    are_numbers = all(type(value) in (int, float) for value in values)
    places = values if are_numbers else range(len(values))
    series: dict[str, list[tuple[float, Point]]] = {}
    for place, setting in zip(places, settings, strict=True):
        for label, point in measure(setting).items():
            series.setdefault(label, []).append((place, point))
    for number, (label, points) in enumerate(series.items()):
        _draw_line(panel, sorted(points, key=lambda one: one[0]), number, label)
    if not are_numbers:
        panel.set_xticks(list(places), [shorten(value) for value in values])


def _draw_line(panel: Any, points: list[tuple[float, Point]], number: int, label: str) -> None:
    known = [(place, *point) for place, point in points if point[0] is not None]
    places, means = [one[0] for one in known], [one[1] for one in known]
    shade = colour(number)
    panel.plot(
        places, means, "o", linestyle=dashes(number), color=shade, markersize=3.5, label=label
    )
    for place, _, interval in known:
        if interval is not None:
            panel.plot([place, place], interval, color=shade, linewidth=1.3)


def _outcomes(setting: Json) -> dict[str, Point]:
    agents = list_agents(setting, "results")
    return {label: (one["outcome"]["mean"], one["outcome"]["interval"]) for label, one in agents}


def _wins(setting: Json) -> dict[str, Point]:
    agents = list_agents(setting, "results")
    return {
        label: (one["wins"], one["interval"]) for label, one in agents if one["wins"] is not None
    }


def _lengths(setting: Json) -> dict[str, Point]:
    return {
        shorten(table["label"]): (table["length"]["mean"], table["length"]["interval"])
        for table in setting["tables"]
    }


def _limits(setting: Json) -> dict[str, Point]:
    return {
        shorten(table["label"]): (table["ends"]["limit"] + table["ends"]["fault"], None)
        for table in setting["tables"]
    }


def _chosen(action: int, setting: Json) -> dict[str, Point]:
    agents = list_agents(setting, "actions")
    return {label: (one["rows"][action]["chosen"], None) for label, one in agents}
