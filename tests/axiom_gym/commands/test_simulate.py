"""`axiom-gym simulate`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.registry import games as registry

Run = Callable[..., str]


def test_simulate__prints_lengths_seats_and_actions(run: Run) -> None:
    output = run("simulate", "connect_four", "--games", "30", "--players", "minimax2,random")
    lines = output.splitlines()
    assert lines[0] == "connect_four-v0; obs=features; 30 games; seed 0"
    assert lines[1].startswith("decisions per game: mean ")
    assert lines[4].split() == ["seat", "player", "won", "mean", "outcome"]
    assert lines[5].split()[:2] == ["0", "minimax2"]
    assert {"column a", "column g"} <= {line.partition("  ")[0] for line in lines}


def test_simulate__prints_json(run: Run) -> None:
    output = run("simulate", "quantaris", "--games", "10", "--preset", "v0.1", "--json")
    found: dict[str, Any] = json.loads(output)
    assert found["options"]["ruleset"] == "0.1"
    assert (found["games"], found["players"]) == (10, ["random", "random"])
    assert found["seat_advantage"] == max(found["wins"]) * 2


def test_simulate__shows_draws_as_draws(run: Run) -> None:
    options = ["--games", "3", "--max-turns", "2"]
    lines = run("simulate", "connect_four", *options).splitlines()
    assert lines[2] == "truncated: 100.0%  draws: 100.0%"
    assert [line.split() for line in lines[5:7]] == [
        [seat, "random", "0.0%", "+0.000"] for seat in ("0", "1")
    ]


def test_simulate__prints_events_by_name(run: Run, tally: ModuleType) -> None:
    command = ["simulate", f"{tally.__file__}:GAME", "--games", "30", "-o", "goal=10"]
    lines = [line.split() for line in run(*command).splitlines()]
    place = lines.index(["Events", "of", "the", "first", "2", "games:"])
    assert lines[place + 1] == ["event", "per", "game"]
    found = json.loads(run(*command, "--json"))
    assert lines[place + 2 :] == [["decision", f"{found['events']['decision']:.2f}"]]
    assert found["event_games"] == 2
    assert "Events" not in run(*command, "--no-events")


@pytest.mark.usefixtures("known_climb")
def test_simulate__has_no_winner_in_a_game_for_one_player(run: Run) -> None:
    output = run("simulate", "climb", "--games", "3")
    assert "seat  player  mean outcome" in output
    assert "wins" not in output


@pytest.mark.usefixtures("known_climb")
def test_simulate__tells_faults_from_limits(run: Run) -> None:
    output = run("simulate", "climb", "--games", "20", "-o", "tool=true", "-o", "limit=4")
    found = json.loads(run("simulate", "climb", "--games", "20", "--json", "-o", "tool=true",
                           "-o", "limit=4"))  # fmt: skip
    ((text, share),) = found["faults"].items()
    assert text == "fault 7: the tool is broken, limit 4"
    assert 0 < share < 1
    assert found["truncated"] == pytest.approx(1 - share)
    lines = output.splitlines()
    assert lines[2:5] == [
        f"truncated: {1 - share:.1%}",
        f"faults of the rules: {share:.1%}",
        f"  {share:.1%}  {text}",
    ]
    assert "faults" not in run("simulate", "climb", "--games", "3")


def test_simulate__of_a_game_with_a_score(
    run: Run, climb: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = dataclasses.replace(climb.GAME, has_score=True)
    monkeypatch.setitem(registry._registered, "climb-v0", game)
    assert "seat  player  mean score" in run("simulate", "climb", "--games", "3")


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
