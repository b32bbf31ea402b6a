"""Golden games: recorded once, and played again at each run. A game or preset that has none fails.

One is recorded, or recorded anew, with

    axiom-gym play quantaris --preset v0.2 --a random --b random --seed 1 \
        --save tests/playthroughs/quantaris-v0.2.jsonl

with a seed that makes a game in which much happens. If a change of the rules, or of the order of
random draws, makes this test fail, the game's version must rise; only then record its games anew.
The players' orders stand in the file, so a change of a bot does not matter.
"""

from __future__ import annotations

import dataclasses
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from axiom_gym import registry, replay
from axiom_gym.registry.games import GROUP

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.jsonl"))


def _game_ids() -> list[str]:
    """The games of this project; others may be installed beside them."""
    installed = entry_points(group=GROUP)
    return sorted(e.name for e in installed if e.dist is not None and e.dist.name == "axiom-gym")


def _presets() -> list[tuple[str, str | None]]:
    return [(name, p) for name in _game_ids() for p in (registry.get_game(name).presets or [None])]


@pytest.mark.boundscheck
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough__plays_out_as_recorded(path: Path) -> None:
    result = replay.verify(path)
    assert result.ok, result.message


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough__is_a_whole_game_that_somebody_wins(path: Path) -> None:
    loaded = replay.load(path)
    footer = loaded.footer
    assert loaded.to_text() == path.read_text(encoding="utf-8")
    assert footer.ended == "terminated"
    assert len({place.rank for place in footer.rankings}) > 1 or len(footer.rankings) == 1


@pytest.mark.parametrize(("game_id", "preset"), _presets())
def test_playthroughs__every_game_and_preset_has_one(game_id: str, preset: str | None) -> None:
    config = registry.make_config(registry.get_game(game_id), preset)
    recorded = [(r.game_id, dict(r.header.options)) for r in map(replay.load, FILES)]
    name = f"{game_id.rpartition('-v')[0]}-{preset}" if preset else game_id
    assert (game_id, dataclasses.asdict(config)) in recorded, (
        f"{game_id}, preset {preset}, has no playthrough: record tests/playthroughs/{name}.jsonl "
        "as the text of this module says"
    )
