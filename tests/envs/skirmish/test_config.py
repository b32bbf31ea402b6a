"""The options, the sizes that follow from them, and what is refused."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from typing import Any

import pytest

from axiom_envs.dnd.data.load import Library
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
from axiom_gym.errors import ConfigError, UnknownNameError


def test_sizes__are_those_of_the_scenarios() -> None:
    for name, spec in Library.builtin().scenarios.items():
        sizes = read_sizes(name)
        counts = tuple(len(spec.sides[side]) for side in ("party", "foes"))
        assert sizes.creatures == counts
        assert sizes.units == max(counts)
        assert sizes.rounds == spec.round_limit
        width = len(spec.map[0]) if spec.map else spec.generate.width
        height = len(spec.map) if spec.map else spec.generate.height
        assert (sizes.width, sizes.height) == (width, height)


def test_sizes__of_several_scenarios_are_the_largest() -> None:
    for pool in ("training", "held_out"):
        several, sizes = [read_sizes(name) for name in names_of(pool)], read_sizes(pool)
        for k in range(4):
            assert sizes[k] == max(one[k] for one in several)
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
        ({"units": 9}, "units must be a whole number from 1 to 8, got 9"),
        ({"width": 7}, "width must be at least 8"),
        ({"height": 17}, "height must be a whole number from 4 to 16, got 17"),
        ({"round_limit": 101}, "round_limit must be a whole number from 1 to 100, got 101"),
        ({"round_limit": -1}, "round_limit must be"),
        ({"shaping": -0.5}, "shaping must be a number from 0 to 1e"),
        ({"shaping": float("nan")}, "got nan"),
        ({"gamma": 0}, "gamma must be above 0 and at most 1"),
        ({"gamma": 1.5}, "gamma must be a number from 0 to 1"),
        ({"tie_break": 1}, "tie_break must be True or False, got 1"),
        ({"budget": 5}, "budget must be a whole number from 10 to 14400"),
        ({"walls": 0.5}, "walls must be a number from 0 to 0.4, got 0.5"),
        ({"scenario": "training", "agents": "creatures"}, "always the same, got 'training'"),
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
        "diagonals": "5-10-5", "surprise": "foes", "light": True, "knock_out": True,
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


@pytest.mark.parametrize("preset", PRESETS)
def test_presets__are_configurations(preset: str) -> None:
    assert GAME.layout(SkirmishConfig(**PRESETS[preset])).num_choices[0] > 30
