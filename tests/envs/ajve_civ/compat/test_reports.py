"""Tests of the labels of the original, and of reports as tables, data and files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from axiom_envs import ajve_civ as civ
from axiom_envs.ajve_civ.compat.series_results import label_scores
from axiom_gym.errors import ConfigError

VECTORS = Path(__file__).parents[3] / "vectors" / "ajve" / "reports.jsonl.gz"


def played(**arguments: Any) -> civ.Series:
    return civ.Series().game(["greedy", "random"], "conquer").play(**arguments)


def test_labels__are_the_originals() -> None:
    with gzip.open(VECTORS, "rt", encoding="utf-8") as file:
        reports = [json.loads(line) for line in file]
    assert len(reports) == 120
    for report in reports:
        scores = [population + income for population, income, _ in report["s"]]
        assert scores == report["scores"]
        assert sum(scores) == report["total"]
        assert (
            label_scores(scores, [dead == 1 for *_, dead in report["s"]], "all")
            == (report["labels"])
        )


def test_labels__can_leave_the_dead_out() -> None:
    assert label_scores([5, 9, 5], [False, True, False], "all") == ["", "DEAD", ""]
    assert label_scores([5, 9, 5], [False, True, False], "living") == ["WINNER", "DEAD", "WINNER"]
    assert label_scores([-5, 9], [True, True], "living") == ["DEAD", "DEAD"]


def test_report__by_the_text_names_the_best_of_the_living() -> None:
    """In this game a dead people has the highest score."""

    class Curse(civ.Ruleset):
        options: ClassVar = {"winner": "living"}

        def turn(self, choices: Any, world: civ.World) -> None:
            world.societies[0].dead = True
            world.societies[0].yield_ = 10_000

    labels = [
        one.label
        for one in civ.Series(Curse).game("greedy", "greedy", "greedy").play(2).results[0].players
    ]
    assert labels == ["DEAD", "WINNER", "WINNER"]


def test_report__is_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "series.json"
    seen: list[dict[str, Any]] = []
    series = played(seed=3, games=2)
    assert series.report(str(path)).report(seen.append).report(path) is series
    report = civ.load_report(path)
    assert report == series.as_report() == seen[0]
    assert [*tmp_path.iterdir()] == [path]


def test_report__has_the_documented_entries() -> None:
    series = played(seed=3, games=2, duration=60)
    report, result = series.as_report(), series.results[1]
    assert (report["format"], report["version"]) == ("axiom-gym civ report", 1)
    assert (report["ruleset"], report["duration"], report["seed"]) == ("original", 60, 3)
    game = report["games"][1]
    assert game["seed"] == 4
    assert game["total"] == sum(player["score"] for player in game["players"])
    for player, found in zip(game["players"], result.players, strict=True):
        assert player["score"] == player["yield"] + player["population"] == found.score
        assert player["dead"] is (player["died_in"] is not None)
        assert [*player["values"]] == [
            "discover",
            "conquer",
            "expand",
            "exchange",
            "consent",
            "develop",
        ]
    assert [player["team"] for player in game["players"]] == [1, 1, 2]


def test_report__adds_up_the_results_of_each_ai() -> None:
    series = civ.Series().game("greedy", "greedy", "conquer").play(games=20, seed=1)
    players = [player for result in series.results for player in result.players]
    totals = {total["name"]: total for total in series.as_report()["totals"]}
    greedy = [player for player in players if player.name == "greedy"]
    assert totals["greedy"] == {
        "name": "greedy",
        "games": 40,
        "wins": sum(player.label == "WINNER" for player in greedy),
        "mean_score": round(sum(player.score for player in greedy) / 40, 3),
        "deaths": sum(player.dead for player in greedy),
    }
    assert 0 < totals["conquer"]["deaths"] < 20


def test_report__is_printed_as_tables_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    series = played(seed=3)
    series.report().report("-")
    text, brace, rest = capsys.readouterr().out.partition("{")
    assert json.loads(brace + rest) == series.as_report()
    lines = text.splitlines()
    assert lines[0].startswith("game of seed 3: the world yields ")
    assert lines[1].split() == ["people", "team", "population", "yield", "score"]
    scores = [int(line.split()[5]) for line in lines[2:5]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == max(player.score for player in series.results[0].players)


def test_report__of_many_games_prints_only_totals(capsys: pytest.CaptureFixture[str]) -> None:
    played(games=11, duration=5).report()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "all 11 games"
    assert len(lines) == 5


@pytest.mark.parametrize("form", [3, "", True, ["a.json"]])
def test_report__refuses_another_destination_and_lists_the_allowed_ones(form: Any) -> None:
    with pytest.raises(
        ConfigError, match=r'None \(tables\), "-" \(JSON .*\), a path or a function'
    ):
        civ.Series().report(form)


def test_report__says_why_it_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "report.json"):
        with pytest.raises(ConfigError, match="cannot write report"):
            civ.Series().report(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "else"}, "is not a report"),
        ({"version": 2}, "has version 2; this Axiom Gym reads version 1"),
        ({"games": 3}, "damaged: 'games' of the report is 3"),
        ({"games": [{"seed": 1}]}, "damaged: game 0 has no 'players'"),
        ({"totals": [5]}, "damaged: total 0 is 5, not an object"),
    ],
)
def test_load_report__refuses_other_data(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps({**civ.Series().as_report(), **change}))
    with pytest.raises(ConfigError, match=message):
        civ.load_report(path)


def test_load_report__refuses_unreadable_files(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for text in ("{", "[]"):
        path.write_text(text)
        with pytest.raises(ConfigError, match=r"report\.json"):
            civ.load_report(path)
    with pytest.raises(ConfigError, match="cannot read report"):
        civ.load_report(tmp_path / "none.json")
