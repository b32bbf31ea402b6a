"""The options, the sizes that follow from them, and invalid values."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from axiom_envs.dnd.data.load import Library
from axiom_envs.skirmish import own_scenarios
from axiom_envs.skirmish.config import (
    PRESETS,
    SkirmishConfig,
    count_players,
    count_room,
    fingerprint,
    names_of,
    read_scenarios,
    read_sizes,
    sizes_of,
)
from axiom_envs.skirmish.game import GAME
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, UnknownNameError


def test_sizes__are_those_of_the_scenarios() -> None:
    for name, spec in Library.builtin().scenarios.items():
        sizes = read_sizes(name)
        counts = (len(spec.sides["party"]), len(spec.sides["foes"]))
        assert sizes.creatures == counts
        assert sizes.units == max(counts)
        assert sizes.rounds == spec.round_limit
        if spec.generate is None:
            assert spec.map is not None
            assert (sizes.width, sizes.height) == (len(spec.map[0]), len(spec.map))
        else:
            assert (sizes.width, sizes.height) == (spec.generate.width, spec.generate.height)


def test_sizes__of_several_scenarios_are_the_maxima() -> None:
    for pool in ("training", "held_out"):
        several, sizes = [read_sizes(name) for name in names_of(pool)], read_sizes(pool)
        for name in ("units", "width", "height", "rounds"):
            assert getattr(sizes, name) == max(getattr(one, name) for one in several)
        assert sizes.creatures is None
    assert {*names_of("training"), *names_of("held_out")} == {*read_scenarios()}
    assert not {*names_of("training")} & {*names_of("held_out")}


def test_sizes__can_be_larger_than_the_scenario_needs() -> None:
    config = SkirmishConfig(scenario="duel-fighters", units=4, width=12, height=9, round_limit=7)
    assert sizes_of(config)[:4] == (4, 12, 9, 7)
    assert GAME.layout(config).num_choices == (30 + 4 * 10 + 12 * 9,)
    assert count_room(config) == 7 * 2 * 40
    assert count_room(SkirmishConfig(scenario="training")) == 20 * 2 * 6 * 40


def test_players__are_two_sides_or_all_creatures() -> None:
    assert GAME.agents(SkirmishConfig()) == ("player_0", "player_1")
    creatures = SkirmishConfig(scenario="goblins-vs-fighters", agents="creatures")
    assert count_players(creatures) == 6
    assert GAME.agents(creatures)[-1] == "player_5"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenario": "2v2-goblin"}, "unknown scenario '2v2-goblin'. Did you mean '2v2-goblins'"),
        ({"agents": "teams"}, "unknown agents 'teams'"),
        ({"reactions": True}, "unknown reactions True"),
        ({"diagonals": "7"}, "Valid: '5', '5-10-5'"),
        ({"surprise": "all"}, "unknown surprise 'all'"),
        ({"units": 1}, "units must be at least 2 for the scenario '2v2-goblins', got 1"),
        ({"units": 9}, "units must be an integer from 1 to 8, got 9"),
        ({"width": 7}, "width must be at least 8"),
        ({"height": 17}, "height must be an integer from 4 to 16, got 17"),
        ({"round_limit": 101}, "round_limit must be an integer from 1 to 100, got 101"),
        ({"round_limit": -1}, "round_limit must be"),
        ({"shaping": -0.5}, "shaping must be a number from 0 to 1e"),
        ({"shaping": float("nan")}, "got nan"),
        ({"gamma": 0}, "gamma must be above 0 and at most 1"),
        ({"gamma": 1.5}, "gamma must be a number from 0 to 1"),
        ({"tie_break": 1}, "tie_break must be True or False, got 1"),
        ({"budget": 5}, "budget must be an integer from 10 to 14400"),
        ({"walls": 0.5}, "walls must be a number from 0 to 0.4, got 0.5"),
        ({"scenario": "training", "agents": "creatures"}, "is fixed, got 'training'"),
    ],
)
def test_config__refuses_what_is_not_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        SkirmishConfig(**options)
    assert message in str(caught.value)


def test_config__lists_scenarios_and_pools() -> None:
    with pytest.raises(UnknownNameError) as caught:
        SkirmishConfig(scenario="nowhere")
    assert {"training", "generated", "4v4-mixed"} <= {*caught.value.valid}


def test_fingerprint__differs_with_every_option() -> None:
    others: dict[str, Any] = {
        "scenario": "duel-fighters", "agents": "creatures", "reactions": "auto", "units": 5,
        "width": 9, "height": 9, "round_limit": 3, "shaping": 0.5, "gamma": 0.9, "tie_break": True,
        "diagonals": "5-10-5", "surprise": "foes", "light": True, "ready": True, "knock_out": True,
        "shared_initiative": True, "budget": 500, "mirrored": False, "walls": 0.0, "water": 0.0,
        "difficult": 0.0,
    }  # fmt: skip
    assert {*others} == {field.name for field in dataclasses.fields(SkirmishConfig)}
    marks = {fingerprint(SkirmishConfig(**{name: value})) for name, value in others.items()}
    assert len(marks) == len(others)
    assert fingerprint(SkirmishConfig()) == fingerprint(SkirmishConfig(scenario="2v2-goblins"))
    assert fingerprint(SkirmishConfig()) not in marks


FACTS_ALONE = """
import sys
from axiom_gym.registry import get_game, make_config
game = get_game("skirmish")
for preset in (None, *game.presets):
    game.layout(make_config(game, preset))
loaded = [n for n in ("numba", "pydantic", "torch", "axiom_envs.dnd.engine") if n in sys.modules]
assert not loaded, loaded
"""


def test_facts__need_neither_numba_nor_pydantic_nor_the_engine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FACTS_ALONE], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr


# -- scenarios from a file -------------------------------------------------------------------------

FORD: dict[str, Any] = {
    "title": "At the ford",
    "map": ["......", "..~~..", "......", "......"],
    "sides": {
        "party": [{"creature": "fighter", "position": [0, 1]}],
        "foes": [{"creature": "goblin", "position": [5, y]} for y in range(3)],
    },
}


def write(path: Path, **scenarios: Any) -> str:
    path.write_text(json.dumps({"scenarios": scenarios}), encoding="utf-8")
    return str(path)


def test_own_scenario__is_played(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.json", ford=FORD, other={**FORD, "title": "Another"})
    config = SkirmishConfig(scenario=f"{path}:ford", agents="creatures")
    assert sizes_of(config) == (3, 6, 4, 20, (1, 3))
    batch = Batch(GAME, 1, scenario=f"{path}:ford")
    batch.reset(1)
    assert batch.params.find(batch.buffers.states[0]).scenario.title == "At the ford"
    assert batch.layout.num_choices == (30 + 3 * 10 + 6 * 4,)


def test_own_scenario__with_other_content_is_another_configuration(tmp_path: Path) -> None:
    """A file is read once per process; changed content is another configuration."""
    marks = []
    for title in ("One", "Two", "Two"):
        path = write(tmp_path / "mine.json", ford={**FORD, "title": title})
        config = SkirmishConfig(scenario=path)
        marks.append(fingerprint(config))
        for kept in (own_scenarios.load_own, own_scenarios.mark_file, read_sizes, fingerprint):
            kept.cache_clear()
    assert marks[0] != marks[1] == marks[2]
    assert own_scenarios.mark_of("2v2-goblins") == ""


def test_own_scenario__with_mistakes_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.json", ford=FORD, other=FORD)
    for name, message in (
        (path, "has 2 scenarios (ford, other): name one"),
        (f"{path}:frod", "unknown scenario of"),
        (str(tmp_path / "none.json"), "none.json"),
        (write(tmp_path / "bad.json", ford={**FORD, "map": ["..", "."]}), "bad.json: scenarios"),
    ):
        with pytest.raises(ConfigError) as caught:
            SkirmishConfig(scenario=name)
        assert message in str(caught.value)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets__are_valid(preset: str) -> None:
    assert GAME.layout(SkirmishConfig(**PRESETS[preset])).num_choices[0] > 30
