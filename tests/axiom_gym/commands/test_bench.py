"""`axiom-gym bench`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from axiom_gym.batch import Batch
from axiom_gym.commands.bench import _without_rules
from axiom_gym.config import GameConfig, Parameter, Task, as_game

Run = Callable[..., str]


def test_bench__prints_rates_beside_the_floor(run: Run) -> None:
    options = ["--games", "4", "--seconds", "0.05", "--repeats", "5"]
    text = run("bench", "quantaris", *options)
    assert "quantaris-v0 (ruleset=0.2, obs=features, shaping=0.0): 4 games, 1 thread(s)" in text
    for label in ("turn: rules", "turn, and sampling", "floor:"):
        assert re.search(rf"^{label}.*( +[\d,]+){{3}}$", text, re.MULTILINE), text
    assert re.search(r"A turn takes \d+\.\d times the floor\.", text)


def test_bench__as_json_has_all_numbers(run: Run) -> None:
    options = ["--games", "8", "--seconds", "0.05", "--num-threads", "2", "--json"]
    result = json.loads(run("bench", "quantaris", *options))
    assert (result["num_envs"], result["num_threads"], result["repeats"]) == (8, 2, 7)
    assert set(result["rates"]) == {"step", "step_and_sampling", "floor"}
    for rate in result["rates"].values():
        assert 0 < rate["lowest"] <= rate["median"] <= rate["highest"]
    assert result["rates"]["step"]["median"] > result["rates"]["step_and_sampling"]["median"]
    assert result["machine"]["cores"] >= 1


def test_bench__counts_decisions_where_players_act_one_at_a_time(run: Run) -> None:
    options = ["connect_four", "--games", "4", "--seconds", "0.05"]
    text = run("bench", *options)
    assert re.search(r"^decisions per second, all games together ", text, re.MULTILINE)
    assert re.search(r"^decision: rules, ", text, re.MULTILINE)
    assert re.search(r"A decision takes \d+\.\d times the floor\.", text)
    assert json.loads(run("bench", *options, "--json"))["unit"] == "decisions/s"


@pytest.mark.usefixtures("known_climb")
def test_bench__measures_a_game_for_one_player(run: Run) -> None:
    result = json.loads(run("bench", "climb", "--games", "4", "--seconds", "0.05", "--json"))
    assert result["rates"]["step"]["lowest"] > 0


def test_bench__takes_a_number_of_players_and_an_old_spelling(run: Run) -> None:
    options = ["connect_four", "--players", "2", "--num-envs", "4", "--seconds", "0.05"]
    note, _, text = run("bench", *options, "--seed", "3").partition("\n")
    assert note == "note: write --games instead of --num-envs."
    assert "connect_four-v0 (obs=features): 4 games, " in text
    assert "seed 3" in text
    assert "is for 2 players, got --players 3." in run("bench", *options[:2], "3", status=2)
    assert "simulate` plays games" in run("bench", *options[:2], "minimax2", status=2)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_bench__refuses_no_time(run: Run, seconds: str) -> None:
    text = run("bench", "quantaris", "--seconds", seconds, status=2)
    assert text.startswith("error: seconds must be above 0")


def test_bench__floor_of_a_game_with_parameters() -> None:
    config = GameConfig(lambda: {"n": 1}, parameters={"x": Parameter(1, 0, 3)})
    game = as_game(config, Task(reward=lambda before, after: 0.0, max_ticks=5))
    floor = Batch(_without_rules(game), 2, x=[1, 2])
    assert floor.buffers.observations.shape == (2, 1, 2)
