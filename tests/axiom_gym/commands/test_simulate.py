"""`axiom-gym simulate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., str]


def test_simulate__prints_lengths_seats_and_actions(run: Run) -> None:
    output = run("simulate", "connect_four", "--games", "30", "--players", "minimax2,random")
    lines = output.splitlines()
    assert lines[0] == "connect_four-v0; obs=features; 30 games; seed 0"
    assert lines[1].startswith("decisions per game: mean ")
    assert lines[4].split() == ["seat", "player", "wins", "mean", "outcome"]
    assert lines[5].split()[:2] == ["0", "minimax2"]
    assert {"column a", "column g"} <= {line.partition("  ")[0] for line in lines}


def test_simulate__prints_json(run: Run) -> None:
    output = run("simulate", "quantaris", "--games", "10", "--preset", "v0.1", "--json")
    found: dict[str, Any] = json.loads(output)
    assert found["options"]["ruleset"] == "0.1"
    assert (found["games"], found["players"]) == (10, ["random", "random"])
    assert found["seat_advantage"] == max(found["wins"]) * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "greedy"], "unknown opponent 'greedy'"),
        (
            ["--players", "random,random,random"],
            "connect_four has 2 players, got 3: random,random,random.",
        ),
        (["-o", "obs=text"], "unknown obs 'text'"),
    ],
)
def test_simulate__refuses_wrong_options(run: Run, arguments: list[str], message: str) -> None:
    assert message in run("simulate", "connect_four", *arguments, status=2)
