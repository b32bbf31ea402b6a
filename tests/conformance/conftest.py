"""The variants to test: every registered game in every preset, and test games of rarer kinds."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numba
import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv, env, parallel_env
from axiom_gym.batch import Batch
from axiom_gym.config.environment import NoOptions
from axiom_gym.game import GameInfo, KernelGame
from axiom_gym.registry import game_ids, get_game, gymnasium_id, make_config
from axiom_gym.registry import games as registry

GAMES = Path(__file__).parents[1] / "games"
TEST_GAMES = ("climb", "raft", "tally", "race")
"""A game for one player, a simultaneous game with elimination, a kernel in plain Python, and a
plain Python class; see `tests/games`."""

MORE_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "ajve_civ-v0": ({"preset": "teams"},),
    "connect_four-v0": ({"obs": "planes"},),
    "konquista-v0": ({"preset": "island", "players": 3, "blitz": True},),
    "quantaris-v0": ({"obs": "planes"}, {"shaping": 0.25}),
}
"""Options that no preset has, and that need tests of their own."""

LARGE = ("ajve_civ", "destreect", "konquista", "skirmish")
"""Games that are not played here as plain Python, or in every preset.

Their presets are boards or numbers of players. Other tests compare each preset with a reference.
"""

RECORDED = ("observations", "masks", "rewards", "terminated", "truncated", "final_observations")

Record = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Variant:
    """A game with options, and its environments."""

    game_id: str
    options: dict[str, Any]

    def __str__(self) -> str:
        return "-".join([self.game_id, *(f"{k}={v}" for k, v in self.options.items())])

    @property
    def game(self) -> KernelGame:
        return get_game(self.game_id)

    @property
    def info(self) -> GameInfo:
        return self.game.info

    @property
    def is_shaped(self) -> bool:
        """True if there are rewards besides the outcome."""
        return "shaping" in self.options

    @property
    def is_alone(self) -> bool:
        """True if the game is for one player."""
        return len(self.info.agents) == 1

    @property
    def is_sequential(self) -> bool:
        """True if players act one at a time."""
        return self.game.is_sequential

    @property
    def loses_players(self) -> bool:
        """True if players of a simultaneous game can be eliminated while others continue."""
        return not self.is_sequential and hasattr(self.game.kernel(), "alive")

    @property
    def forms(self) -> tuple[str, ...]:
        """The names of the environments that the game has."""
        forms = ("single", "vector", "parallel", "aec")
        return tuple(one for one in forms if one != "parallel" or not self.is_sequential)

    @property
    def every_opponent(self) -> list[str]:
        """The bots that the single-agent forms accept as `opponent`, one by one or as a list.

        Plain Python leaves out most bots, because some take long.
        """
        names = ["random"] if self.is_alone else ["random", *self.game.standard_bots]
        return names[:2] if numba.config.DISABLE_JIT else names

    def opponents(self, size: str) -> str | list[str]:
        """An `opponent` of the single-agent forms: "every" one, or a "few".

        Large games have only one of the few: each is compiled on its own.
        """
        few = 1 if self.info.name in LARGE else 2
        names = self.every_opponent[: few if size == "few" else None]
        return names if len(names) > 1 else names[0]

    def batch(self, num_envs: int = 1, **more: Any) -> Batch:
        return Batch(self.game_id, num_envs, **self.options, **more)

    def vector(self, num_envs: int = 1, **more: Any) -> AxiomVectorEnv:
        return AxiomVectorEnv(self.game_id, num_envs, **self.options, **more)

    def single(self, **more: Any) -> AxiomEnv:
        return AxiomEnv(self.game_id, **self.options, **more)

    def parallel(self, **more: Any) -> AxiomParallelEnv:
        if self.is_sequential:
            pytest.skip("a sequential game has no parallel form")
        return parallel_env(self.game_id, **self.options, **more)

    def aec(self, **more: Any) -> AxiomAECEnv:
        return env(self.game_id, **self.options, **more)


def _games() -> list[str]:
    """Return all games; as plain Python without those that already are, or take too long.

    Other tests compare games that are compiled from a config with the interpreter, step by step,
    and large games with references of their own.
    """
    if not numba.config.DISABLE_JIT:
        return game_ids()
    quick = [one for one in game_ids() if one.rpartition("-")[0] not in LARGE]
    compiled = [one for one in quick if get_game(one).compiled]
    return [one for one in compiled if get_game(one).config is not NoOptions]


def _variants() -> Iterator[Variant]:
    """Return the presets of all games and `MORE_OPTIONS`, each configuration only once."""
    for game_id in _games():
        game, seen = get_game(game_id), []
        presets = [{"preset": name} for name in game.presets if game.info.name not in LARGE]
        for options in ({}, *presets, *MORE_OPTIONS.get(game_id, ())):
            own = {key: value for key, value in options.items() if key != "preset"}
            config = make_config(game, options.get("preset"), own)
            if config not in seen:
                seen.append(config)
                yield Variant(game_id, options)
    for name in TEST_GAMES:
        game = _find_game(name)
        if game.compiled or not numba.config.DISABLE_JIT:
            options = {"players": 3} if name == "race" else {}
            yield Variant(f"{name}-v{game.info.version}", options)


def _find_game(name: str) -> KernelGame:
    """The test game of this name."""
    module = _load_module(GAMES / f"{name}_game.py")
    return module.GAME if hasattr(module, "GAME") else get_game(module.Race)


def _load_module(path: Path) -> ModuleType:
    """The module in this file, under the name by which another process finds it on its path."""
    name = path.stem
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


NEVER_QUICK = pytest.StashKey[list[str]]()


WHOLE_EPISODES = {
    "test_batch__plays_the_same_episodes_in_every_autoreset_mode",
    "test_batch__plays_whole_episodes_again_from_the_same_seed",
}
"""Tests that play several whole episodes, as those with a parameter `max_turns` of 0 do."""

ALL_BOTS = {"test_kernel__gives_the_same_bits_compiled_and_as_plain_python"}
"""Tests that compile every bot of a game."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out large batches of large games in plain Python; mark their longest tests as slow.

    Small batches of them are compared with single games all the same.
    """
    variants = {item: _find_variant(item) for item in items}
    in_python = {
        item for item, variant in variants.items() if variant and _is_large_python(variant)
    }
    left_out = [item for item in items if item in in_python and _param(item, "num_envs") == 64]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    for item in in_python:
        if item.originalname in WHOLE_EPISODES or _param(item, "max_turns") == 0:
            item.add_marker(pytest.mark.slow)
    for item, variant in variants.items():
        if variant and _is_large(variant) and item.originalname in ALL_BOTS:
            item.add_marker(pytest.mark.slow)
    config.stash[NEVER_QUICK] = _find_never_quick(variants)


def _param(item: Any, name: str) -> Any:
    """Return the value of a parameter of a test; None if it has no such parameter."""
    return item.callspec.params.get(name) if hasattr(item, "callspec") else None


def _find_variant(item: pytest.Item) -> Variant | None:
    variant = _param(item, "variant")
    return variant if isinstance(variant, Variant) else None


def _is_large(variant: Variant) -> bool:
    return variant.game_id.rpartition("-")[0] in LARGE


def _is_large_python(variant: Variant) -> bool:
    return _is_large(variant) and not variant.game.compiled


def _find_never_quick(variants: dict[pytest.Item, Variant | None]) -> list[str]:
    """Return the files and games of which every test is slow, before `-m` and `-k` choose."""
    tests = {
        item: f"{item.path.name} of {variant.game_id}"
        for item, variant in variants.items()
        if variant
    }
    quick = {name for item, name in tests.items() if item.get_closest_marker("slow") is None}
    return sorted({*tests.values()} - quick)


@pytest.fixture(scope="module", autouse=True)
def test_games() -> Iterator[None]:
    """Register the test games while a module of these tests runs."""
    game_ids = [registry.register(_find_game(name)) for name in TEST_GAMES]
    for game_id in game_ids:
        gymnasium.register(
            id=gymnasium_id(game_id),
            entry_point="axiom_gym.adapters.gymnasium:AxiomEnv",
            vector_entry_point="axiom_gym.adapters.gymnasium:AxiomVectorEnv",
            kwargs={"game": game_id},
        )
    yield
    for game_id in game_ids:
        del gymnasium.registry[gymnasium_id(game_id)], registry._registered[game_id]


@pytest.fixture(scope="session", params=_games())
def game_id(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def _by_speed() -> Iterator[Any]:
    """Yield the variants as parameters; all but the first of each game are slow."""
    games: set[str] = set()
    for variant in _variants():
        marks = [pytest.mark.slow] if variant.game_id in games else []
        games.add(variant.game_id)
        yield pytest.param(variant, marks=marks)


@pytest.fixture(scope="session", params=list(_by_speed()), ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    chosen: Variant = request.param
    return chosen


@pytest.fixture(scope="session")
def never_quick(request: pytest.FixtureRequest) -> list[str]:
    return request.config.stash[NEVER_QUICK]


@pytest.fixture(scope="session")
def state_hashes() -> ModuleType:
    return _load_module(Path(__file__).with_name("state_hashes.py"))


@pytest.fixture(scope="session")
def snapshot() -> Callable[[Batch], Record]:
    """Copy everything that a batch holds after a step; records as bytes, (B, size) uint8."""

    def take(batch: Batch) -> Record:
        taken = {name: getattr(batch.buffers, name).copy() for name in RECORDED}
        if batch.autoreset == "same_step":  # the views of older episodes are unspecified
            taken["final_observations"][~(taken["terminated"] | taken["truncated"])] = 0
        for name in ("states", "episodes"):
            records = getattr(batch.buffers, name)
            taken[name] = records.view(np.uint8).reshape(batch.num_envs, -1).copy()
        return taken

    return take


@pytest.fixture(scope="session")
def play(snapshot: Callable[[Batch], Record]) -> Callable[[Batch, int], list[Record]]:
    """Play random legal actions from the games' streams, and reset if autoreset is disabled."""

    def run(batch: Batch, steps: int) -> list[Record]:
        taken = []
        for _ in range(steps):
            batch.sample_actions()
            batch.step()
            taken.append(snapshot(batch))
            over = batch.buffers.terminated | batch.buffers.truncated
            if batch.autoreset == "disabled" and over.any():
                batch.reset(which=over)
        return taken

    return run


@pytest.fixture(scope="session")
def choose() -> Callable[[npt.NDArray[np.int8], np.random.Generator], npt.NDArray[np.int64]]:
    """Return a random legal choice for each row of a mask (..., N), with one draw per row."""

    def pick(mask: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        ranks = np.cumsum(mask, axis=-1)
        wanted = 1 + np.floor(rng.random(mask.shape[:-1]) * ranks[..., -1])
        return np.argmax(ranks >= wanted[..., None], axis=-1)

    return pick
