"""The figures of one setting: length, outcomes, seats, actions, events and advantages."""

from __future__ import annotations

import itertools
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from axiom_gym.balance.style import (
    PALE,
    add_legend,
    colour,
    dashes,
    make_panels,
    shorten,
    style,
)

ROW = 0.21
"""The height of a row of names in inches."""

Json = dict[str, Any]


def list_agents(setting: Json, key: str) -> list[tuple[str, Json]]:
    """Return the entries of all agents under a key of the tables, each with its own label.

    The label is the agent's name, followed by those whom it plays against.
    """
    found: dict[str, Json] = {}
    for table in setting["tables"]:
        for entry in table[key]:
            others = [name for name in table["agents"] if name != entry["agent"]]
            against = others if len(others) < 2 else [f"{len(others)} others"]
            label = full = shorten(" v ".join([entry["agent"], *against]))
            number = 1
            while label in found:
                number += 1
                label = f"{full} ({number})"
            found[label] = entry
    return list(found.items())


def draw_survival(setting: Json, unit: str) -> Figure:
    """Draw the share of games in progress over time, with a line for each table."""
    with style():
        figure, (panel,) = make_panels(1, 1, 2.6)
        for number, table in enumerate(setting["tables"]):
            curve = table["survival"]
            panel.step(
                curve["turns"],
                curve["share"],
                where="post",
                color=colour(number),
                linestyle=dashes(number),
                label=shorten(table["label"]),
            )
        panel.set(xlabel=f"{unit}s played", ylabel="games in progress", ylim=(-0.02, 1.02))
        panel.yaxis.set_major_formatter(PercentFormatter(1, 0))
        add_legend(figure, [panel])
    return figure


def draw_outcomes(setting: Json) -> Figure:
    """Draw the distribution of outcomes of each agent: a histogram, its mean and its quantiles."""
    agents = list_agents(setting, "results")
    with style():
        figure, panels = make_panels(len(agents), 3, 1.8, sharex=True)
        for number, (panel, (label, entry)) in enumerate(zip(panels, agents, strict=True)):
            _draw_bars(panel, entry["histogram"], colour(number))
            mean = entry["outcome"]["mean"]
            panel.axvline(mean, color="black", linewidth=1)
            panel.set_title(f"{label}\nmean {mean:.4g}{_pm(entry['outcome'])}")
            panel.yaxis.set_major_formatter(PercentFormatter(1, None))
        figure.supxlabel("outcome of a game", fontsize=9)
        figure.supylabel("share of seats and games", fontsize=9)
    return figure


def _pm(described: Json) -> str:
    """Return " ± " and half the width of the 95 % interval; "" without an interval."""
    interval = described["interval"]
    return "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:.2g}"


def _draw_bars(panel: Any, histogram: Json, shade: str) -> None:
    if "values" in histogram:
        values = histogram["values"]
        gaps = [after - before for before, after in itertools.pairwise(values)]
        panel.bar(values, histogram["share"], width=0.6 * min(gaps, default=1), color=shade)
        return
    edges = histogram["edges"]
    width = edges[1] - edges[0]
    panel.bar(edges[:-1], histogram["share"], width=width, align="edge", color=shade)


def draw_seats(setting: Json) -> Figure:
    """Draw the share of wins of each seat with its 95 % interval, with a panel for each table."""
    tables = setting["tables"]
    seats = len(tables[0]["seats"])
    with style():
        figure, panels = make_panels(len(tables), 3, 0.55 + ROW * seats, sharex=True, sharey=True)
        for number, (panel, table) in enumerate(zip(panels, tables, strict=True)):
            for place, row in enumerate(table["seats"]):
                _draw_interval(panel, row["wins"], row["interval"], place, colour(number))
            panel.axvline(1 / seats, color="black", linewidth=0.8, linestyle=":")
            panel.set(title=shorten(table["label"]), ylim=(seats - 0.4, -0.6))
            panel.set_yticks(range(seats), [f"seat {place}" for place in range(seats)])
            panel.xaxis.set_major_formatter(PercentFormatter(1, None))
        figure.supxlabel("share of wins", fontsize=9)
    return figure


def _draw_interval(panel: Any, value: float, interval: Any, place: float, shade: str) -> None:
    """Draw a value with its interval; it is hollow if the interval includes 0."""
    low, high = interval or (value, value)
    face = "white" if low <= 0 <= high else shade
    panel.plot([low, high], [place, place], color=shade, linewidth=1.3)
    panel.plot([value], [place], "o", color=shade, markerfacecolor=face, markersize=4.5)


def draw_actions(setting: Json) -> Figure:
    """Draw how often each action is available and chosen, with a panel for each agent."""
    agents = list_agents(setting, "actions")
    names = [row["action"] for row in agents[0][1]["rows"]]
    with style():
        figure, panels = make_panels(
            len(agents), 3, 0.6 + ROW * len(names), sharex=True, sharey=True
        )
        for number, (panel, (label, entry)) in enumerate(zip(panels, agents, strict=True)):
            rows, places = entry["rows"], range(len(names))
            panel.barh(places, [row["available"] for row in rows], 0.75, color=PALE)
            panel.barh(places, [row["chosen"] for row in rows], 0.4, color=colour(number))
            panel.set(title=f"{label}\n{_name_forced(entry)}", xlim=(0, 1.02))
            panel.set_ylim(len(names) - 0.4, -0.6)
            panel.set_yticks(places, [shorten(name) for name in names])
            panel.xaxis.set_major_formatter(PercentFormatter(1, 0))
        figure.supxlabel("share of decisions: available (grey), chosen (colour)", fontsize=9)
    return figure


def _name_forced(entry: Json) -> str:
    """Return the share of sub-actions that are no decisions."""
    moves = entry["decisions"] + entry["forced"]
    return f"{entry['forced'] / moves:.1%} of moves forced" if moves else "no moves"


def draw_events(setting: Json) -> Figure | None:
    """Draw the mean number of each event per game; None without events."""
    tables = [table for table in setting["tables"] if table["events"]]
    if not tables:
        return None
    names = [row["event"] for row in tables[0]["events"]["rows"]]
    with style():
        figure, (panel,) = make_panels(1, 1, 0.3 + ROW * 1.2 * len(names))
        for number, table in enumerate(tables):
            shift = 0.6 * ((number + 0.5) / len(tables) - 0.5)
            for place, row in enumerate(table["events"]["rows"]):
                low, high = row["interval"] or (row["mean"], row["mean"])
                panel.plot([low, high], [place + shift] * 2, color=colour(number), linewidth=1.3)
            means = [row["mean"] for row in table["events"]["rows"]]
            places = [place + shift for place in range(len(names))]
            label = shorten(table["label"])
            panel.plot(means, places, "o", color=colour(number), markersize=4, label=label)
        panel.set_yticks(range(len(names)), [shorten(name) for name in names])
        panel.set(xlabel="mean number per game", ylim=(len(names) - 0.4, -0.6))
        panel.set_xlim(left=0)
        add_legend(figure, [panel])
    return figure


def draw_advantages(label: str, entry: Json) -> Figure:
    """Draw the fitted advantages of an agent's actions, with a panel for each phase."""
    phases = [phase for phase in entry["phases"] if phase["effects"]]
    names: dict[str, float] = {}
    for row in (row for phase in phases for row in phase["effects"]):
        names[row["action"]] = max(names.get(row["action"], row["advantage"]), row["advantage"])
    places = {name: i for i, name in enumerate(sorted(names, key=lambda name: -names[name]))}
    with style():
        figure, panels = make_panels(
            len(phases), 3, 0.6 + ROW * len(names), sharex=True, sharey=True
        )
        for panel, phase in zip(panels, phases, strict=True):
            panel.axvline(0, color="black", linewidth=0.8)
            panel.locator_params(axis="x", nbins=5)
            for row in phase["effects"]:
                place = places[row["action"]]
                _draw_interval(panel, row["advantage"], row["interval"], place, colour(0))
            first, last = phase["turns"]
            panel.set(title=f"{phase['phase']} ({first} to {last})", ylim=(len(names) - 0.4, -0.6))
            panel.set_yticks(range(len(names)), [shorten(name) for name in places])
        figure.supxlabel(f"advantage in return, {label}", fontsize=9)
    return figure
