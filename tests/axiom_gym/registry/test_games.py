from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import (
    ConfigError,
    RegistrationError,
    UnknownGameError,
    UnknownNameError,
)
from axiom_gym.registry import (
    game_ids,
    get_game,
    gymnasium_id,
    make_config,
    register,
    resolve_id,
)
from axiom_gym.registry import games as registry


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The installed games; none at first. Add to the dict to install one."""
    installed: dict[str, str] = {}

    def entry_points(group: str, name: str) -> list[EntryPoint]:
        assert group == registry.GROUP
        values = installed[name].split()
        return [EntryPoint(name, value, group) for value in values]

    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_installed", lambda: installed)
    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._load.cache_clear()
    return installed


@pytest.fixture(autouse=True)
def forget() -> Any:
    yield
    registry._load.cache_clear()


# Ids


@pytest.mark.parametrize(
    ("game_id", "expected"),
    [
        ("quantaris-v0", "axiom/Quantaris-v0"),
        ("connect_four-v0", "axiom/ConnectFour-v0"),
        ("ajve_civ-v12", "axiom/AjveCiv-v12"),
    ],
)
def test_gymnasium_id__is_in_camel_case(game_id: str, expected: str) -> None:
    assert gymnasium_id(game_id) == expected


def test_game_ids__hold_the_installed_games() -> None:
    assert "quantaris-v0" in game_ids()
    assert game_ids() == sorted(game_ids())


def test_get_game__loads_an_installed_game_once() -> None:
    game = get_game("quantaris")
    assert game.info.name == "quantaris"
    assert get_game("quantaris-v0") is game
    assert get_game("axiom/Quantaris-v0") is game


def test_get_game__returns_a_game_as_it_is(pennies: ModuleType) -> None:
    assert get_game(pennies.GAME) is pennies.GAME


# Registering


def test_register__registers_a_game(empty: dict[str, str], pennies: ModuleType) -> None:
    assert register(pennies.GAME) == "pennies-v0"
    assert register(pennies.TRIO) == "trio-v0"
    assert game_ids() == ["pennies-v0", "trio-v0"]
    assert get_game("pennies") is pennies.GAME
    assert get_game("axiom/Trio-v0") is pennies.TRIO


def test_register__of_the_same_game_again_changes_nothing(
    empty: dict[str, str], pennies: ModuleType
) -> None:
    register(pennies.GAME)
    assert register(pennies.GAME) == "pennies-v0"
    assert game_ids() == ["pennies-v0"]


def test_register__refuses_another_game_of_the_same_id(
    empty: dict[str, str], pennies: ModuleType
) -> None:
    register(pennies.GAME)
    with pytest.raises(RegistrationError, match="registered as 'pennies-v0' already"):
        register(pennies.make_game(3, "pennies"))
    assert get_game("pennies") is pennies.GAME
    empty["trio-v0"] = "somewhere:GAME"
    with pytest.raises(RegistrationError, match="registered as 'trio-v0' already"):
        register(pennies.TRIO)


@pytest.mark.parametrize("name", ["Pennies", "my-pennies", "9pennies", "", "my pennies"])
def test_register__refuses_malformed_names(
    empty: dict[str, str], pennies: ModuleType, name: str
) -> None:
    with pytest.raises(RegistrationError, match="is no game id; it must look like 'my_game-v0'"):
        register(pennies.make_game(2, name))


# Looking up


def test_resolve_id__takes_the_newest_version(empty: dict[str, str]) -> None:
    empty.update({f"chess-v{version}": "" for version in (9, 10, 2)})
    empty["chess_four-v99"] = ""
    assert resolve_id("chess") == "chess-v10"
    assert resolve_id("chess-v9") == "chess-v9"
    assert resolve_id("axiom/Chess-v2") == "chess-v2"


@pytest.mark.parametrize("name", ["ches", "chess-v1", "axiom/Ches-v0", "Chess"])
def test_resolve_id__names_the_closest(empty: dict[str, str], name: str) -> None:
    empty.update({"chess-v0": "", "go-v0": ""})
    with pytest.raises(UnknownGameError, match="Did you mean 'chess-v0'") as caught:
        resolve_id(name)
    assert "Valid: 'chess-v0', 'go-v0'. `axiom-gym list` shows them." in str(caught.value)


def test_get_game__raises_for_unknown_names(empty: dict[str, str]) -> None:
    with pytest.raises(UnknownGameError, match=r"unknown game 'chess'\. Valid: none"):
        get_game("chess")


# Loading


@pytest.mark.usefixtures("pennies")
def test_get_game__loads_the_entry_point(empty: dict[str, str]) -> None:
    empty["pennies-v0"] = "pennies_game:GAME"
    assert get_game("pennies").info.title == "Pennies"


@pytest.mark.usefixtures("pennies")
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module_anywhere:GAME", "cannot be loaded from .*ModuleNotFoundError: No module"),
        ("pennies_game:MISSING", "cannot be loaded from 'pennies_game:MISSING'.*no attribute"),
        ("pennies_game:Params", "'pennies_game:Params': it is a type, not a KernelGame"),
        ("pennies_game:TRIO", "its facts say 'trio', version 0"),
        ("pennies_game:GAME pennies_game:TRIO", "cannot be loaded.*2 packages have a game"),
    ],
)
def test_get_game__says_what_is_wrong_with_an_entry_point(
    empty: dict[str, str], target: str, message: str
) -> None:
    empty["pennies-v0"] = target
    with pytest.raises(RegistrationError, match=f"game 'pennies-v0'.*{message}"):
        get_game("pennies")


@pytest.mark.parametrize("raised", [NameError, TypeError, SyntaxError, SystemExit])
def test_get_game__reports_any_exception_of_a_plugin(
    empty: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    raised: type[BaseException],
) -> None:
    (tmp_path / "plugin_that_raises.py").write_text(f"raise {raised.__name__}('no luck')")
    monkeypatch.syspath_prepend(tmp_path)
    empty["pennies-v0"] = "plugin_that_raises:GAME"
    message = (
        rf"'pennies-v0' cannot be loaded from .*: {raised.__name__}: no luck\. The entry point"
    )
    with pytest.raises(RegistrationError, match=message):
        get_game("pennies")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"info": None}, "its info is a NoneType, not a GameInfo"),
        ({"config": None}, "its config is a NoneType, not a dataclass"),
        ({"presets": None}, "its presets is a NoneType, not a mapping"),
        ({"bots": ["greedy"]}, "its bots is a list, not a mapping"),
        ({"layout": None}, "its layout is a NoneType, not a function"),
        ({"describe_state": None}, "its describe_state is a NoneType, not a function"),
    ],
)
def test_get_game__refuses_an_entry_point_with_incomplete_facts(
    empty: dict[str, str],
    pennies: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, Any],
    message: str,
) -> None:
    monkeypatch.setattr(pennies, "BROKEN", replace(pennies.GAME, **changes), raising=False)
    empty["pennies-v0"] = "pennies_game:BROKEN"
    with pytest.raises(RegistrationError, match=f"game 'pennies-v0'.*{message}"):
        get_game("pennies")


@pytest.mark.usefixtures("pennies")
def test_get_game__refuses_an_entry_point_with_a_malformed_name(empty: dict[str, str]) -> None:
    empty.update({"pennies-vx": "pennies_game:GAME", "pennies-v0": "", "pennies": ""})
    assert resolve_id("axiom/Pennies-v0") == "pennies-v0"
    del empty["pennies"]
    assert resolve_id("pennies") == "pennies-v0"
    with pytest.raises(RegistrationError, match="the name must look like 'my_game-v0'"):
        get_game("pennies-vx")


def test_get_game__refuses_an_entry_point_of_another_version(
    empty: dict[str, str], pennies: ModuleType
) -> None:
    empty["pennies-v1"] = "pennies_game:GAME"
    with pytest.raises(RegistrationError, match="version 0"):
        get_game("pennies")


# What can become a game


def test_get_game__converts_a_plain_class_or_object(race: ModuleType) -> None:
    game = get_game(race.Race)
    assert (game.info.name, game.compiled) == ("race", False)
    assert get_game(race.Race) is game
    made = race.Race()
    assert get_game(made) is get_game(made) is not game
    for wrong, said in ((3, "a int is not a game: .* no metadata"), (dict, "a dict is not a game")):
        with pytest.raises(ConfigError, match=said):
            get_game(wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="Scribble cannot be called without arguments"):
        get_game(race.Scribble)


def test_get_game__caches_the_last_plain_games(
    race: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_converted", {})
    monkeypatch.setattr(registry, "MOST_CONVERTED", 2)
    made = [race.Race() for _ in range(3)]
    games = [get_game(one) for one in made]
    assert get_game(made[2]) is games[2]
    assert get_game(made[0]) is not games[0]


def test_get_game__converts_the_value_of_a_target(
    race: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    target = f"{race.__file__}:Race"
    game = get_game(target)
    assert get_game(target) is get_game("race-v3") is game
    with pytest.raises(ConfigError, match=r"no game 'Rac' in .*Did you mean 'Race'.*:Scribble\.$"):
        get_game(f"{race.__file__}:Rac")
    with pytest.raises(ConfigError, match=r"race_game.py:Scribble' cannot be called without"):
        get_game(f"{race.__file__}:Scribble")
    with pytest.raises(ConfigError, match=r"'__name__' in .* is no game, but str"):
        get_game(f"{race.__file__}:__name__")


def test_game_of_a_target__can_be_unpickled_in_another_process(
    race: ModuleType, tmp_path: Path
) -> None:
    kept = tmp_path / "batch.pkl"
    batch = Batch(f"{race.__file__}:Race", 2, goal=9)
    batch.reset(3)
    kept.write_bytes(pickle.dumps(batch))
    batch.sample_actions()
    batch.step()
    code = (
        f"import pickle; batch = pickle.load(open({str(kept)!r}, 'rb')); batch.sample_actions(); "
        "batch.step(); print(batch.buffers.states.tobytes().hex(), batch.config.goal)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [batch.buffers.states.tobytes().hex(), "9"]


# Configurations


def test_make_config__takes_defaults_then_the_preset_then_options(pennies: ModuleType) -> None:
    game = pennies.GAME
    assert make_config(game) == pennies.PenniesConfig()
    assert make_config(game, "short") == pennies.PenniesConfig(min_turns=1, stop=256)
    config = make_config(game, "short", {"stop": 3, "labels": ("x",)})
    assert config == pennies.PenniesConfig(min_turns=1, stop=3, labels=("x",))


def test_make_config__does_not_change_the_preset(pennies: ModuleType) -> None:
    make_config(pennies.GAME, "short", {"stop": 3})
    assert pennies.GAME.presets["short"] == {"min_turns": 1, "stop": 256}


@pytest.mark.parametrize(
    ("preset", "options", "message"),
    [
        ("shorter", {}, "unknown preset of pennies 'shorter'. Did you mean 'short'"),
        (None, {"stops": 3}, "unknown option of pennies 'stops'. Did you mean 'stop'"),
        ("short", {"": 3}, "unknown option of pennies ''"),
    ],
)
def test_make_config__refuses_unknown_names(
    pennies: ModuleType, preset: str | None, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnknownNameError, match=message):
        make_config(pennies.GAME, preset, options)


def test_make_config__lets_the_game_check_values() -> None:
    with pytest.raises(ConfigError, match="shaping must be a number from 0 to 1"):
        make_config(get_game("quantaris"), None, {"shaping": 2})


def test_make_config__says_which_game_lacks_a_value(pennies: ModuleType) -> None:
    @dataclass(frozen=True)
    class Demanding:
        size: int

    with pytest.raises(ConfigError, match=r"options of pennies: .*'size'"):
        make_config(replace(pennies.GAME, config=Demanding))
