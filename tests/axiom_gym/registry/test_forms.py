"""Every form of a game's name works wherever a game is named."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from axiom_gym.adapters import gymnasium as forms
from axiom_gym.adapters import pettingzoo
from axiom_gym.batch import Batch
from axiom_gym.config import GameConfig, Task, as_game
from axiom_gym.errors import ConfigError
from axiom_gym.game import GameLoop, KernelGameObject
from axiom_gym.opponents import OpponentPool
from axiom_gym.play.match import Match
from axiom_gym.play.simulation import simulate
from axiom_gym.registry import count_players
from axiom_gym.registry import games as registry
from axiom_gym.replay import verify

GAMES = Path(__file__).parents[2] / "games"

CONFIG = """
from axiom_gym.config import Action, Attribute, GameConfig, Task

CONFIG = GameConfig(
    name="snack",
    initial_state=lambda: {"hp": 5},
    attributes={"hp": Attribute(0, 10)},
    actions=[Action("eat", effects=[{"hp": 1}])],
)
CONFIG_TASK = Task(reward=lambda before, after: after["hp"] - before["hp"], max_ticks=20)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a folder with three modules of games, which are forgotten afterwards."""
    names = ("named_race", "named_tally", "named_snack")
    for name, text in zip(
        names,
        [(GAMES / f"{one}_game.py").read_text() for one in ("race", "tally")] + [CONFIG],
        strict=True,
    ):
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_targets", {})
    yield tmp_path
    for name in names:
        sys.modules.pop(name, None)


def make(name: str) -> Any:
    sys.path.insert(0, "")
    try:
        module, _, attribute = name.partition(":")
        return getattr(importlib.import_module(module), attribute)
    finally:
        sys.path.remove("")


NAMES = {
    "FILE.py:CLASS": lambda: "named_race.py:Race",
    "MODULE:CLASS": lambda: "named_race:Race",
    "FILE.py:KERNEL": lambda: "named_tally.py:GAME",
    "MODULE:KERNEL": lambda: "named_tally:GAME",
    "class": lambda: make("named_race:Race"),
    "object": lambda: make("named_race:Race")(),
    "KernelGame": lambda: make("named_tally:GAME"),
}
CONFIGS = {
    "FILE.py:CONFIG": lambda: "named_snack.py:CONFIG",
    "MODULE:CONFIG": lambda: "named_snack:CONFIG",
    "as_game": lambda: as_game(make("named_snack:CONFIG"), make("named_snack:CONFIG_TASK")),
}


def play_match(game: Any) -> None:
    Match(game, ["random"] * 2, seed=0).play().save("match.jsonl")
    found = verify("match.jsonl", game=game)
    assert found.ok, found.message


def play_loop(game: Any) -> None:
    result = GameLoop(game, {"ann": "random", "bob": "random"}).run(seed=0)
    assert result.turns > 0


def simulate_twice(game: Any) -> None:
    assert simulate(game, games=2).games == 2


def make_vec_env(game: Any) -> None:
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    sb3.make_vec_env(game, 2, opponent=OpponentPool(["random"]) if players(game) > 1 else "random")


def players(game: Any) -> int:
    return count_players(game)


CONSTRUCT: dict[str, Callable[[Any], Any]] = {
    "Batch": lambda game: Batch(game, 2),
    "AxiomEnv": forms.AxiomEnv,
    "AxiomVectorEnv": lambda game: forms.AxiomVectorEnv(game, 2),
    "object_env": forms.object_env,
    "gymnasium.make": lambda game: gymnasium.make("axiom/ConnectFour-v0", game=game),
    "gymnasium.make_vec": lambda game: gymnasium.make_vec("axiom/ConnectFour-v0", 2, game=game),
    "pettingzoo.env": pettingzoo.env,
    "pettingzoo.aec_env": pettingzoo.aec_env,
    "KernelGameObject": KernelGameObject,
    "make_vec_env": make_vec_env,
}
PLAY: dict[str, Callable[[Any], Any]] = {
    "Match": play_match,
    "GameLoop": play_loop,
    "simulate": simulate_twice,
}


@pytest.mark.parametrize("entry", CONSTRUCT)
@pytest.mark.parametrize("name", [*NAMES, *CONFIGS])
def test_game__is_taken_in_every_form(name: str, entry: str) -> None:
    CONSTRUCT[entry]({**NAMES, **CONFIGS}[name]())


@pytest.mark.parametrize("entry", PLAY)
@pytest.mark.parametrize("name", NAMES)
def test_game__is_played_in_every_form(name: str, entry: str) -> None:
    PLAY[entry](NAMES[name]())


def test_config__alone_has_no_rewards() -> None:
    config = make("named_snack:CONFIG")
    assert isinstance(config, GameConfig)
    assert isinstance(make("named_snack:CONFIG_TASK"), Task)
    with pytest.raises(ConfigError, match=r"a config alone has no rewards: .*as_game\(config"):
        Batch(config)
