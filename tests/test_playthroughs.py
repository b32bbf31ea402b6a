"""Golden games, recorded once and played again in each run. Every game and preset must have one.

Record one with

    axiom-gym playthrough quantaris --preset v0.2 --players greedy,guardian --seed 1

and a seed whose game has many different events. If a change of the rules, or of the order of random
draws, makes this test fail, increase the version of the game first, then record its games again.
The file holds the players' actions, so a change of a bot has no effect.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from axiom_gym import registry, replay
from axiom_gym.registry.games import GROUP

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.jsonl"))


@cache
def _load(path: Path) -> replay.Replay:
    return replay.load(path)


def _game_ids() -> list[str]:
    """Return the games of this project; others may be installed too."""
    installed = entry_points(group=GROUP)
    return sorted(e.name for e in installed if e.dist is not None and e.dist.name == "axiom-gym")


def _presets() -> list[tuple[str, str | None]]:
    return [(name, p) for name in _game_ids() for p in (registry.get_game(name).presets or [None])]


def _by_speed() -> Iterator[Any]:
    """The files as parameters; those with other options than a game's own are slow to compile."""
    for path in FILES:
        loaded = _load(path)
        own = dataclasses.asdict(registry.make_config(registry.get_game(loaded.game_id)))
        marks = [] if dict(loaded.header.options) == own else [pytest.mark.slow]
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.boundscheck
@pytest.mark.parametrize("path", list(_by_speed()))
def test_playthrough__plays_out_as_recorded(path: Path) -> None:
    result = replay.verify(path)
    assert result.ok, result.message


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough__is_a_whole_game_that_somebody_wins(path: Path) -> None:
    loaded = _load(path)
    footer = loaded.footer
    assert loaded.to_text() == path.read_text(encoding="utf-8")
    assert footer.ended == "terminated"
    assert len({place.rank for place in footer.rankings}) > 1 or len(footer.rankings) == 1


@pytest.mark.parametrize(("game_id", "preset"), _presets())
def test_playthroughs__every_game_and_preset_has_one(game_id: str, preset: str | None) -> None:
    config = registry.make_config(registry.get_game(game_id), preset)
    recorded = [(r.game_id, dict(r.header.options)) for r in map(_load, FILES)]
    name = f"{game_id.rpartition('-v')[0]}-{preset}" if preset else game_id
    assert (game_id, dataclasses.asdict(config)) in recorded, (
        f"{game_id}, preset {preset}, has no playthrough: record tests/playthroughs/{name}.jsonl "
        "as the text of this module says"
    )
