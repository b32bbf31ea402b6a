"""The numbers of balance reports, compared with games that are played one by one."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.balance import courses
from axiom_gym.balance.actions import name_actions
from axiom_gym.balance.measures import wilson
from axiom_gym.balance.report import balance, round_numbers
from axiom_gym.balance.samples import Samples
from axiom_gym.balance.settings import Setting
from axiom_gym.balance.tables import Table, default_tables, make_table
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame

GAMES = 40
OPTIONS = {"limit": 12, "tool": True}


def report(
    game: KernelGame, tables: list[Table], games: int = GAMES, **options: Any
) -> dict[str, Any]:
    return balance(game, [(Setting({}, options), tables)], games, seed=3)


def one_by_one(climb: ModuleType) -> dict[str, Any]:
    """Return what random players do in the games, each played in a batch of one."""
    found: dict[str, Any] = {"chosen": Counter(), "legal": Counter(), "heights": {}}
    ends: list[tuple[int, float, bool, int]] = []
    for number in range(GAMES):
        batch = Batch(climb.GAME, autoreset="disabled", **OPTIONS)
        batch.reset(3 + number)
        heights = [int(batch.buffers.states["height"][0])]
        while not batch.buffers.episodes["ended"][0]:
            batch.sample_actions()
            found["chosen"][int(batch.buffers.actions[0, 0, 0])] += 1
            found["legal"].update(np.flatnonzero(batch.buffers.masks[0, 0, 0]).tolist())
            batch.step()
            heights.append(int(batch.buffers.states["height"][0]))
        episode = batch.buffers.episodes[0]
        outcome = float(batch.outcomes()[0, 0])
        terminated = bool(batch.buffers.terminated[0])
        ends.append((int(episode["final_length"]), outcome, terminated, int(episode["fault"])))
        found["heights"][number] = heights
    found["ends"] = ends
    return found


def test_report__has_the_numbers_of_games_played_one_by_one(climb: ModuleType) -> None:
    expected = one_by_one(climb)
    (table,) = report(climb.GAME, [make_table(["random"])], **OPTIONS)["settings"][0]["tables"]
    lengths, outcomes, terminated, faults = map(np.array, zip(*expected["ends"], strict=True))
    assert table["length"]["mean"] == pytest.approx(lengths.mean(), rel=1e-5)
    assert table["length"]["median"] == np.median(lengths)
    error = 1.959964 * outcomes.std(ddof=1) / np.sqrt(GAMES)
    outcome = table["results"][0]["outcome"]
    assert outcome["mean"] == pytest.approx(outcomes.mean(), rel=1e-5)
    assert outcome["interval"][1] == pytest.approx(outcomes.mean() + error, rel=1e-4)
    ends = table["ends"]
    assert (ends["rules"], ends["fault"]) == (terminated.mean(), (faults > 0).mean())
    assert ends["limit"] == pytest.approx(1 - ends["rules"] - ends["fault"])
    assert ends["faults"][0]["fault"] == "fault 7: the tool is broken, limit 12"
    assert ends["faults"][0]["games"] == (faults > 0).sum() > 0
    (actions,) = table["actions"]
    total = sum(expected["chosen"].values())
    assert actions["decisions"] == total
    for number, row in enumerate(actions["rows"]):
        assert row["action"] == str(number)
        assert row["chosen"] == pytest.approx(expected["chosen"][number] / total, rel=1e-5)
        assert row["available"] == pytest.approx(expected["legal"][number] / total, rel=1e-5)
    survival = table["survival"]
    for turn, share in zip(survival["turns"], survival["share"], strict=True):
        assert share == pytest.approx((lengths > turn).mean())


def test_report__has_the_quantities_of_games_played_one_by_one(climb: ModuleType) -> None:
    def quantities(config: Any, states: Any) -> dict[str, Any]:
        return {"height": states["height"], "low": states["height"] < 2}

    game = dataclasses.replace(climb.GAME, quantities=quantities)
    (table,) = report(game, [make_table(["random"])], **OPTIONS)["settings"][0]["tables"]
    heights = list(one_by_one(climb)["heights"].values())
    found = table["quantities"]
    assert found["turns"] == list(range(max(map(len, heights))))
    for turn in found["turns"]:
        reached = [one[turn] for one in heights if len(one) > turn]
        assert found["played"][turn] == len(reached)
        assert found["numbers"]["height"][turn] == pytest.approx(
            np.quantile(reached, found["quantiles"]).tolist()
        )
        assert found["shares"]["low"][turn] == pytest.approx(np.mean(np.array(reached) < 2))


def test_report__does_not_depend_on_the_size_of_batches(
    climb: ModuleType, pennies: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "MOST_TURNS", 4)  # so that turns are thinned out

    def quantities(config: Any, states: Any) -> dict[str, Any]:
        return {"height": states["height"]}

    def run() -> str:
        game = dataclasses.replace(climb.GAME, quantities=quantities)
        both = [
            report(game, [make_table(["random"]), make_table(["careful"])], 200, limit=12),
            report(pennies.GAME, default_tables(pennies.GAME, 2)),
        ]
        return json.dumps(both)

    at_once = run()
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 7)
    assert run() == at_once
    (table,) = json.loads(at_once)[0]["settings"][0]["tables"][:1]
    assert table["quantities"]["turns"] == [0, 4, 8, 12]
    assert table["advantages"][0]["phases"]


def test_report__counts_each_sub_action_and_each_event(pennies: ModuleType) -> None:
    """A player who is forced has no decisions."""
    found = report(pennies.GAME, [make_table(["random", "random"])], forced=1)
    (table,) = found["settings"][0]["tables"]
    (actions,) = table["actions"]
    turns = table["length"]["mean"] * GAMES
    assert actions["decisions"] == pytest.approx(turns * 2, rel=1e-4)
    assert actions["forced"] == actions["decisions"]
    assert sum(row["chosen"] for row in actions["rows"]) == pytest.approx(1, abs=1e-4)
    (coin,) = table["events"]["rows"]
    assert coin["mean"] == pytest.approx(table["length"]["mean"])
    assert (coin["games"], table["events"]["games"]) == (1, GAMES)


def test_report__gives_agents_the_outcomes_of_all_their_seats(brawl: ModuleType) -> None:
    found = report(brawl.GAME, [make_table(["bully", "random", "random"])], turn_limit=6)
    (table,) = found["settings"][0]["tables"]
    bully, random = table["results"]
    assert [bully["agent"], random["agent"]] == ["bully", "random"]
    assert bully["wins"] + 2 * random["wins"] == pytest.approx(1, abs=1e-4)
    assert sum(seat["wins"] for seat in table["seats"]) == pytest.approx(1, abs=1e-4)
    assert bully["wins"] > random["wins"]
    for actions in table["actions"]:
        assert {row["available"] for row in actions["rows"]} == {1}
    mean = (bully["outcome"]["mean"] + 2 * random["outcome"]["mean"]) / 3
    assert mean == pytest.approx(np.mean([seat["outcome"] for seat in table["seats"]]), abs=1e-5)


def test_report__lists_findings(climb: ModuleType) -> None:
    tables = [make_table(["random"]), make_table(["careful"])]
    (setting,) = report(climb.GAME, tables, limit=12)["settings"]
    assert "Never available: 3." in setting["findings"]
    assert "careful: a limit ends 100.0% of the games." in setting["findings"]
    (alone,) = report(climb.GAME, tables[1:], limit=12)["settings"]
    assert "Available, but chosen by no agent: 0, 2." in alone["findings"]
    (faulty,) = report(climb.GAME, tables[:1], **OPTIONS)["settings"]
    assert any("the tool is broken, limit 12" in sentence for sentence in faulty["findings"])


def test_report__refuses_other_numbers_of_games(climb: ModuleType) -> None:
    for games in (0, 1_000_001):
        with pytest.raises(ConfigError, match=rf"from 1 to 1000000, got {games}\."):
            report(climb.GAME, [make_table(["random"])], games)


def test_tables__tell_agents_of_one_name_apart() -> None:
    table = make_table(["a/model.zip", "b/model.zip", "random", "random"])
    assert table.names == ("a/model.zip", "b/model.zip", "random")
    assert table.places == (0, 1, 2, 2)
    assert table.label == "a/model.zip v b/model.zip v random"


def test_default_tables__have_every_standard_agent(climb: ModuleType, brawl: ModuleType) -> None:
    assert [table.label for table in default_tables(climb.GAME, 1)] == ["random", "careful"]
    three = default_tables(brawl.GAME, 3)
    assert [table.label for table in three] == ["random", "bully", "random v bully"]
    two = default_tables(brawl.GAME, 2)
    assert [table.label for table in two] == ["random", "bully", "bully v random"]


def test_wilson__is_the_interval_of_a_share() -> None:
    assert wilson(5, 10) == pytest.approx([0.2366, 0.7634], abs=1e-4)
    assert wilson(0, 10) == pytest.approx([0, 0.2775], abs=1e-4)


def test_round_numbers__leaves_only_json() -> None:
    given = {"x": [1 / 3, float("nan"), 10**20], 3: (True, None, frozenset())}
    assert round_numbers(given) == {
        "x": [0.333333, None, 10**20],
        "3": [True, None, "frozenset()"],
    }


def test_samples__are_bounded_in_memory(climb: ModuleType) -> None:
    batch = Batch(climb.GAME)
    names = name_actions(climb.GAME, climb.GAME.config())
    assert len(Samples(names, batch, 10**6, 0).seen) == 20_000
    many = dataclasses.replace(names, names=tuple(map(str, range(1000))))
    assert len(Samples(many, batch, 10**6, 0).seen) == 2_000_000 // 2005
    assert len(Samples(many, batch, 7, 0).seen) == 7
