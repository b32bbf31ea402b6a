"""Configs in files as games, and the README's game."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError
from axiom_gym.registry import games as registry
from axiom_gym.registry import get_game, resolve_id

GAME = """
from axiom_gym.config import Action, Attribute, GameConfig, Task

GAME = GameConfig(
    name="{name}",
    initial_state=lambda: {{"hp": 5}},
    attributes={{"hp": Attribute(0, 10)}},
    actions=[Action("eat", effects=[{{"hp": 1}}])],
)
{task}
"""
TASK = "GAME_TASK = Task(reward=lambda before, after: after['hp'] - before['hp'], max_ticks=20)"


def _readme() -> str:
    spec = find_spec("axiom_gym.config")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "README.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"```python\n(.*?)```", _readme(), re.DOTALL)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for a config; the test's registrations are removed."""
    monkeypatch.setattr(registry, "_registered", {})
    return tmp_path / "game.py"


def test_game__of_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(GAME.format(name="filed", task=TASK))
    target = f"{path}:GAME"
    assert resolve_id(target) == target
    game = get_game(target)
    assert game.info.name == "filed"
    assert game.info.max_length == 20
    assert get_game(target) is game
    assert get_game("filed-v0") is game
    monkeypatch.chdir(path.parent)
    assert get_game("game.py:GAME") is game


def test_game__of_a_file__is_played(path: Path) -> None:
    path.write_text(GAME.format(name="played", task=TASK))
    batch = Batch(f"{path}:GAME", 2)
    batch.reset(0)
    batch.buffers.actions[:] = 0
    batch.step()
    assert batch.buffers.states["hp"].tolist() == [6, 6]
    assert batch.buffers.rewards.tolist() == [[1], [1]]


def test_game__needs_a_task(path: Path) -> None:
    path.write_text(GAME.format(name="aimless", task=""))
    with pytest.raises(ConfigError, match=r"no Task for 'GAME'.*GAME_TASK = Task\(reward="):
        get_game(f"{path}:GAME")


def test_game__does_not_replace_an_installed_one(path: Path) -> None:
    path.write_text(GAME.format(name="quantaris", task=TASK))
    assert get_game(f"{path}:GAME").layout(None).num_choices == (2,)
    assert len(get_game("quantaris-v0").info.agents) == 2


@pytest.mark.slow
@pytest.mark.compiled_only
def test_readme__code_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    village, use = BLOCKS[:2]
    names: dict[str, object] = {}
    exec(village, names)
    exec(use, names)
    assert "shoals were in the bay" in capsys.readouterr().out
    path.write_text(village)
    layout = get_game(f"{path}:VILLAGE").layout(None)
    assert layout.num_choices == (6,)
    assert "season=winter" in layout.feature_names


def test_readme__game_is_short() -> None:
    assert len(BLOCKS[0].splitlines()) <= 60


def test_readme__commands_name_its_config() -> None:
    commands = re.findall(r"axiom-gym (?:config )?\w+ (village\.py:\w+)", _readme())
    assert set(commands) == {"village.py:VILLAGE"}
    assert len(commands) >= 4
