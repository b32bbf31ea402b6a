"""The page of a report: one HTML file that loads nothing, with all figures in it.

Every text of the game, such as names of actions and faults, is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from axiom_gym.balance import figures
from axiom_gym.balance.captions import CAPTIONS, INTRODUCTION
from axiom_gym.balance.course_figures import draw_numbers, draw_shares
from axiom_gym.balance.findings import choose_fitted
from axiom_gym.balance.setting_figures import draw_medians, draw_survivals
from axiom_gym.balance.style import to_svg
from axiom_gym.balance.sweep_figures import draw_action_shares, draw_measures
from axiom_gym.files import replacing

Json = dict[str, Any]

_CSS = """
body { font: 15px/1.5 system-ui, sans-serif; color: #22262b; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin: 2rem 0 0.2rem; }
p, li { max-width: 48rem; } .facts { color: #5b6470; margin-top: 0.2rem; }
table { border-collapse: collapse; font-size: 0.87rem; margin: 0.8rem 0; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: right; border-bottom: 1px solid #e4e7eb; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 0.4rem 0 0; } figure svg { width: 100%; height: auto; }
summary { cursor: pointer; font-weight: 600; margin: 0.8rem 0; }
"""


def _ignore(drawn: int) -> None:
    pass


def write(report: Json, page: Path, on_progress: Callable[[int], None] = _ignore) -> Path:
    """Write the page of a report, and its numbers as JSON beside it; return the JSON file.

    Args:
        report: the report.
        page: the file of the page.
        on_progress: a callable that gets the number of settings that are drawn.

    Raises:
        OSError: if the files cannot be written.
    """
    text, numbers = make_page(report, on_progress), page.with_suffix(".json")
    for path, content in ((numbers, json.dumps(report, ensure_ascii=False)), (page, text)):
        with replacing(path) as file:
            file.write(content.encode("utf-8", "replace"))
    return numbers


def make_page(report: Json, on_progress: Callable[[int], None] = _ignore) -> str:
    """Return the page of a report as HTML; arguments as for `write`."""
    title = f"Balance of {report['title']}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_CSS}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="facts">{escape(_facts(report))}</p>',
        f"<p>{escape(INTRODUCTION)}</p>",
        *_sweep(report),
    ]
    for number, setting in enumerate(report["settings"]):
        parts += _setting(report, setting, number)
        on_progress(number + 1)
    return "\n".join([*parts, "</body></html>\n"])


def _facts(report: Json) -> str:
    facts = [report["game"], f"{report['games']:,} games for each table", f"seed {report['seed']}"]
    if report["preset"]:
        facts.append(f"preset {report['preset']}")
    if report["max_turns"]:
        facts.append(f"at most {report['max_turns']} {report['turn']}s")
    return "; ".join(facts)


def _sweep(report: Json) -> Iterator[str]:
    """Yield the sections that compare settings, if there are several."""
    if len(report["settings"]) < 2:
        return
    yield "<h2>Sweep</h2>"
    yield from _figure("sweep", draw_measures(report), "s0-")
    yield from _figure("sweep_actions", draw_action_shares(report), "s1-")
    yield from _figure("sweep_survival", draw_survivals(report), "s2-")
    yield from _figure("sweep_medians", draw_medians(report), "s3-")


def _setting(report: Json, setting: Json, number: int) -> Iterator[str]:
    """Yield the section of a setting; of several settings, only the first one is unfolded."""
    several = len(report["settings"]) > 1
    if several:
        heading = escape(setting["label"])
        yield f"<details{' open' if number == 0 else ''}><summary>{heading}</summary>"
    yield f'<p class="facts">{escape(_name_options(setting))}</p>'
    yield from _findings(setting)
    yield from _summary(setting, report["turn"])
    for place, (key, figure) in enumerate(_draw(report, setting)):
        yield from _figure(key, figure, f"f{number}-{place}-")
    if several:
        yield "</details>"


def _name_options(setting: Json) -> str:
    options = ", ".join(f"{name}={value}" for name, value in setting["options"].items())
    return f"Options: {options or 'none'}"


def _findings(setting: Json) -> Iterator[str]:
    yield "<h3>Findings</h3>"
    if not setting["findings"]:
        yield "<p>None: no faults, and each action and event occurs.</p>"
        return
    yield "<ul>"
    yield from (f"<li>{escape(sentence)}</li>" for sentence in setting["findings"])
    yield "</ul>"


def _summary(setting: Json, unit: str) -> Iterator[str]:
    """Yield a table with a row for each agent of each table."""
    heads = ["agent", "mean outcome", "95 % interval", "median", "5 % to 95 %", "wins"]
    rows = []
    for label, entry in figures.list_agents(setting, "results"):
        outcome = entry["outcome"]
        wins = "" if entry["wins"] is None else f"{entry['wins']:.1%}"
        spread = f"{outcome['p5']:.4g} to {outcome['p95']:.4g}"
        cells = [f"{outcome['mean']:.4g}", _interval(outcome), f"{outcome['median']:.4g}", spread]
        rows.append([label, *cells, wins])
    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    yield "<h3>Outcomes and lengths</h3>"
    yield from _table(heads, rows)
    heads = ["table", f"mean {unit}s", "95 % interval", "median", "5 % to 95 %"]
    yield from _table([*heads, "by the rules", "by a limit", "by a fault"], _lengths(setting))


def _lengths(setting: Json) -> list[list[str]]:
    rows = []
    for table in setting["tables"]:
        length, ends = table["length"], table["ends"]
        spread = f"{length['p5']:.4g} to {length['p95']:.4g}"
        shares = [f"{ends[key]:.2%}" for key in ("rules", "limit", "fault")]
        cells = [f"{length['mean']:.4g}", _interval(length), f"{length['median']:.4g}", spread]
        rows.append([table["label"], *cells, *shares])
    return rows


def _interval(described: Json) -> str:
    interval = described["interval"]
    return "" if interval is None else f"{interval[0]:.4g} to {interval[1]:.4g}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<table><thead><tr>"
    yield "".join(f"<th>{escape(head)}</th>" for head in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"


def _draw(report: Json, setting: Json) -> Iterator[tuple[str, Figure | None]]:
    """Yield the figures of a setting, each with the key of its caption."""
    unit = report["turn"]
    yield "survival", figures.draw_survival(setting, unit)
    yield "outcomes", figures.draw_outcomes(setting)
    if setting["tables"][0]["seats"]:
        yield "seats", figures.draw_seats(setting)
    yield "actions", figures.draw_actions(setting)
    fitted = {"tables": choose_fitted(setting["tables"])}
    for number, (label, entry) in enumerate(figures.list_agents(fitted, "advantages")):
        key = "advantages" if number == 0 else "more_advantages"
        yield key, figures.draw_advantages(label, entry)
    yield "events", figures.draw_events(setting)
    yield "numbers", draw_numbers(setting, unit)
    yield "shares", draw_shares(setting, unit)


def _figure(key: str, figure: Figure | None, prefix: str) -> Iterator[str]:
    """Yield a figure with its title and the text that explains it."""
    if figure is None:
        return
    title, caption = CAPTIONS[key]
    if title:
        yield f"<h3>{escape(title)}</h3>"
    if caption:
        yield f"<p>{escape(caption)}</p>"
    yield f"<figure>{to_svg(figure, prefix)}</figure>"
