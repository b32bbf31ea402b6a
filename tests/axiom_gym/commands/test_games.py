"""`axiom-gym list` and `info`."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from importlib.metadata import entry_points
from types import ModuleType, SimpleNamespace

import gymnasium
import pytest

from axiom_gym.commands.games import describe_options
from axiom_gym.registry import games as registry

Run = Callable[..., str]


def test_list__has_every_game(run: Run) -> None:
    lines = run("list").splitlines()
    assert lines[0].split() == ["game", "players", "kind", "summary"]
    assert any(line.split()[:2] == ["quantaris-v0", "2"] for line in lines)
    (entry,) = [e for e in json.loads(run("list", "--json")) if e["id"] == "quantaris-v0"]
    assert entry["bots"][0] == "random"
    assert entry["gymnasium_id"] == "axiom/Quantaris-v0"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game that is sound, and one whose module raises at its import."""
    (sound,) = entry_points(group=registry.GROUP, name="connect_four-v0")

    def load() -> None:
        raise NameError("name 'GAMEE' is not defined\nin two lines")

    lost = SimpleNamespace(load=load, dist=SimpleNamespace(name="lost-games"))
    found = {"connect_four-v0": sound, "lost-v0": lost}
    installed = {"connect_four-v0": sound.value, "lost-v0": "lost.game:GAME"}
    monkeypatch.setattr(registry, "_installed", lambda: installed)
    monkeypatch.setattr(registry, "entry_points", lambda group, name: [found[name]])


@pytest.mark.usefixtures("broken")
def test_list__marks_games_that_cannot_be_loaded(run: Run) -> None:
    lines = run("list").splitlines()
    assert any(line.startswith("connect_four-v0  2 ") for line in lines)
    (line,) = [line for line in lines if line.startswith("lost-v0")]
    reason = "NameError: name 'GAMEE' is not defined in two lines"
    assert line == f"lost-v0          ?        ?           cannot be loaded: {reason}"
    sound, lost = json.loads(run("list", "--json"))
    assert sound.keys() == lost.keys()
    assert (sound["error"], lost["error"]) == (None, reason)


@pytest.mark.usefixtures("broken")
def test_info__says_why_a_game_cannot_be_loaded(run: Run) -> None:
    assert run("info", "lost", status=2) == (
        "error: game 'lost-v0' cannot be loaded from 'lost.game:GAME': NameError: name 'GAMEE' is "
        "not defined in two lines. The entry point 'lost-v0' of the group 'axiom_gym.games' names "
        "it: correct, update or uninstall the package 'lost-games'.\n"
    )
    assert run("info", "connect_four").startswith("ConnectFour: ")


def test_list__has_the_range_of_players_where_their_number_can_be_chosen(run: Run) -> None:
    rows = [line.split()[:2] for line in run("list").splitlines()]
    for row in (
        ["ajve_civ-v0", "1-64"],
        ["connect_four-v0", "2"],
        ["konquista-v0", "2-6"],
        ["life_sim-v0", "1"],
        ["skirmish-v0", "2-16"],
    ):
        assert row in rows
    entries = {entry["id"]: entry for entry in json.loads(run("list", "--json"))}
    civ, four = entries["ajve_civ-v0"], entries["connect_four-v0"]
    assert (civ["min_players"], civ["players"]) == (1, 64)
    assert (four["min_players"], four["players"]) == (2, 2)


def test_info__prints_facts_shapes_options_and_names(run: Run) -> None:
    text = run("info", "quantaris", "--preset", "v0.1")
    for line in (
        r"^players +2: player_0, player_1$",
        r"^longest game +49 turns$",
        r"^Shapes with ruleset=0.1, obs=features, shaping=0.0$",
        r"^observation +57 float32, 0 to 1, named$",
        r"^sub-actions per turn +3, with 9, 9, 9 choices$",
        r"^ruleset +0\.2 +\S",
        r"^preset v0.1 +ruleset=0.1$",
        r"^bots +random, greedy",
        r'^Gymnasium +gymnasium.make\("axiom/Quantaris-v0"\)$',
        r'^PettingZoo +pettingzoo.make\("parallel", "axiom/quantaris-v0"\)$',
    ):
        assert re.search(line, text, re.MULTILINE), line


def test_info__counts_decisions_where_players_act_one_at_a_time(run: Run) -> None:
    text = run("info", "connect_four")
    assert re.search(r"^longest game +42 decisions$", text, re.MULTILINE)
    assert re.search(r"^sub-actions per decision +1, with 7 choices$", text, re.MULTILINE)


@pytest.mark.usefixtures("known_climb")
def test_list_and_info__of_a_game_for_one_player(run: Run) -> None:
    assert re.search(r"^climb-v0 +1 +solo, chance ", run("list"), re.MULTILINE)
    text = run("info", "climb")
    assert re.search("^players +1: player_0$", text, re.MULTILINE)
    assert re.search("^acting +the only player, in each turn$", text, re.MULTILINE)
    assert re.search(r"^outcome +-4.5 to 2475$", text, re.MULTILINE)


def test_info__names_only_ids_that_exist(run: Run, race: ModuleType) -> None:
    target = f"{race.__file__}:Race"
    text = run("info", target)
    assert "gymnasium.make" not in text
    assert "pettingzoo.make" not in text
    assert re.search("^bots +random$", text, re.MULTILINE)
    facts = json.loads(run("info", target, "--json"))
    assert (facts["gymnasium_id"], facts["pettingzoo_id"]) == (None, None)
    installed = json.loads(run("info", "axiom_envs.quantaris.game:GAME", "--json"))
    assert installed["gymnasium_id"] in gymnasium.registry


def test_info__as_json_has_the_chosen_configuration(run: Run) -> None:
    facts = json.loads(run("info", "quantaris-v0", "-o", "obs=planes", "--json"))
    assert facts["config"]["obs"] == "planes"
    assert facts["layout"]["observation_shape"] == [9, 9, 9]
    assert [option["name"] for option in facts["options"]] == ["ruleset", "obs", "shaping"]
    assert all(option["doc"] for option in facts["options"])


def test_describe_options__reads_texts_and_defaults_from_the_class() -> None:
    @dataclasses.dataclass
    class Config:
        needed: int
        """Must be given,
        always."""
        plain: float = 0.5
        made: list[int] = dataclasses.field(default_factory=lambda: [1])
        """A list."""

    assert [tuple(entry.values()) for entry in describe_options(Config)] == [
        ("needed", "int", "required", "Must be given, always."),
        ("plain", "float", 0.5, ""),
        ("made", "list[int]", [1], "A list."),
    ]
