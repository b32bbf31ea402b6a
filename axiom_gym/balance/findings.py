"""Findings: facts of a report to look at first, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

LONG = 0.05
"""The share of games ended by a limit from which it is a finding."""


def list_findings(tables: Sequence[dict[str, Any]]) -> list[str]:
    """Return the findings about the tables of one setting."""
    found = [sentence for table in tables for sentence in _of_ends(table)]
    found += _of_actions(tables)
    found += _of_events(tables)
    found += [sentence for table in tables for sentence in _of_seats(table)]
    for table in choose_fitted(tables):
        found += list(_of_advantages(table))
    return found


def choose_fitted(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the tables whose advantages a page shows: those of one agent, or all without any."""
    return [table for table in tables if len(table["agents"]) == 1] or list(tables)


def _of_ends(table: dict[str, Any]) -> Iterator[str]:
    for row in table["ends"]["faults"]:
        yield f"{table['label']}: a fault ends {row['share']:.2%} of the games: {row['fault']}."
    if table["ends"]["limit"] >= LONG:
        yield f"{table['label']}: a limit ends {table['ends']['limit']:.1%} of the games."


def _of_actions(tables: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the actions that no agent ever could choose, and those that none ever chose."""
    legal: dict[str, bool] = {}
    chosen: dict[str, bool] = {}
    for agent in (agent for table in tables for agent in table["actions"]):
        for row in agent["rows"]:
            name = row["action"]
            legal[name] = legal.get(name, False) or row["available"] > 0
            chosen[name] = chosen.get(name, False) or row["chosen"] > 0
    never = [name for name in legal if not legal[name]]
    unused = [name for name in legal if legal[name] and not chosen[name]]
    if never:
        yield f"Never available: {_join(never)}."
    if unused:
        yield f"Available, but chosen by no agent: {_join(unused)}."


def _of_events(tables: Sequence[dict[str, Any]]) -> Iterator[str]:
    counted = [table["events"] for table in tables if table["events"] is not None]
    fired: dict[str, bool] = {}
    for row in (row for events in counted for row in events["rows"]):
        fired[row["event"]] = fired.get(row["event"], False) or row["mean"] > 0
    silent = [name for name, fires in fired.items() if not fires]
    if silent:
        games = sum(events["games"] for events in counted)
        many = "1 game" if games == 1 else f"{games} games"
        yield f"Events that did not occur in {many}: {_join(silent)}."


def _of_seats(table: dict[str, Any]) -> Iterator[str]:
    """Yield the seats that win more than an equal share for certain."""
    equal = 1 / max(len(table["seats"]), 1)
    for row in table["seats"]:
        if row["above"]:
            low, high = row["interval"]
            yield (
                f"{table['label']}: seat {row['seat']} wins {row['wins']:.1%} "
                f"[{low:.1%}, {high:.1%}] of the games; an equal share is {equal:.1%}."
            )


def _of_advantages(table: dict[str, Any]) -> Iterator[str]:
    for fits in table["advantages"]:
        who = fits["agent"] if len(table["agents"]) == 1 else f"{fits['agent']} in {table['label']}"
        for key, words in (("always_best", "in every phase"), ("never_best", "in no phase")):
            if fits[key]:
                yield f"{who}: best {words} by the fitted advantage: {_join(fits[key])}."


def _join(names: Sequence[str]) -> str:
    return ", ".join(names)
