"""Worlds and encounters in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiom_envs.dnd import engine as dnd
from axiom_gym.errors import StateError


def test_load__returns_the_encounter_that_was_saved(tmp_path: Path) -> None:
    encounter, path = dnd.Encounter.from_preset("2v2-goblins", seed=1), tmp_path / "fight.json"
    dnd.saves.save(encounter, path)
    loaded = dnd.saves.load(path)
    assert isinstance(loaded, dnd.Encounter)
    assert dnd.saves.to_json(loaded) == dnd.saves.to_json(encounter)


def test_load__returns_the_world_that_was_saved(tmp_path: Path) -> None:
    with dnd.World(seed=7) as world:
        dnd.create("goblin")
    dnd.saves.save(world, str(tmp_path / "world.json"))
    loaded = dnd.saves.load(str(tmp_path / "world.json"))
    assert isinstance(loaded, dnd.World)
    assert dnd.saves.to_json(loaded) == dnd.saves.to_json(world)


def test_save__that_fails_keeps_the_older_file(tmp_path: Path) -> None:
    world, path = dnd.World(seed=7), tmp_path / "world.json"
    dnd.saves.save(world, path)
    before = path.read_bytes()
    dnd.EventHandler(lambda event, owner: None, dnd.Trigger(), world=world)
    with pytest.raises(StateError, match="registered by hand"):
        dnd.saves.save(world, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00"])
def test_load__names_a_file_that_is_not_json(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(StateError, match=r"broken\.json is not a save"):
        dnd.saves.load(path)
