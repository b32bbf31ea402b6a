"""Loading games by name: from a file, from a module, or installed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from axiom_gym.check.loading import load_maker, load_plain_game
from axiom_gym.errors import ConfigError, UnknownGameError
from axiom_gym.game import KernelGameObject
from axiom_gym.registry import games as registry


@pytest.fixture
def file(race: ModuleType) -> str:
    assert race.__file__ is not None
    return race.__file__


def test_load_maker__makes_a_new_game_each_time(file: str) -> None:
    make = load_maker(f"{file}:Race")
    assert make().metadata.name == "race"
    assert make() is not make()


def test_load_maker__takes_objects_and_functions(tmp_path: Path, file: str) -> None:
    path = tmp_path / "made.py"
    path.write_text(
        f"import sys\nsys.path.append({str(Path(file).parent)!r})\nfrom race_game import Race\n"
        "GAME = Race()\ndef make():\n    return Race()\n"
    )
    assert load_maker(f"{path}:make")().metadata.name == "race"
    make = load_maker(f"{path}:GAME")
    assert make() is make()


def test_load_maker__finds_modules_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_odd_package.py").write_text("class MyGame:\n    pass\n")
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    assert type(load_maker("my_odd_package:MyGame")()).__name__ == "MyGame"
    assert sys.path == path
    monkeypatch.delitem(sys.modules, "my_odd_package")


def test_load_maker__knows_installed_games() -> None:
    game = load_maker("quantaris")()
    assert isinstance(game, KernelGameObject)
    assert game.metadata.name == "quantaris"
    with pytest.raises(UnknownGameError, match=r"unknown game 'quantoris'. Did you mean"):
        load_maker("quantoris")


def test_load_maker__takes_configs_and_kernel_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    path = tmp_path / "village.py"
    path.write_text(
        "from axiom_envs.connect_four.game import GAME\n"
        "from axiom_gym.config import Action, Attribute, GameConfig, Task\n"
        "CONFIG = GameConfig(name='village', initial_state=lambda: {'hp': 5},\n"
        "    attributes={'hp': Attribute(0, 10)}, actions=[Action('eat', effects=[{'hp': 1}])])\n"
        "TASK = Task(reward=lambda before, after: 0.0, max_ticks=20)\n"
    )
    for name, expected in (("CONFIG", "village"), ("GAME", "connect_four")):
        game = load_maker(f"{path}:{name}")()
        assert isinstance(game, KernelGameObject)
        assert game.metadata.name == expected


def test_load_maker__says_what_is_wrong(file: str) -> None:
    with pytest.raises(ConfigError, match=r"no game 'Rac' in '.*'. Did you mean 'Race'\?"):
        load_maker(f"{file}:Rac")
    with pytest.raises(ConfigError, match=r"does not say which game.*The games there: .*:Race"):
        load_maker(file)
    with pytest.raises(ConfigError, match=r"cannot be called without arguments .*'fault'"):
        load_maker(f"{file}:Scribble")
    with pytest.raises(ConfigError, match=r"there is no file 'no\.py'"):
        load_maker("no.py:Game")
    with pytest.raises(ConfigError, match="'no_such_module' cannot be loaded: ModuleNotFound"):
        load_maker("no_such_module:Game")


def test_load_game__needs_all_members(file: str) -> None:
    assert load_plain_game(f"{file}:Race").metadata.name == "race"
    with pytest.raises(ConfigError, match="is no game: tuple has no metadata, initialize"):
        load_plain_game("builtins:tuple")
