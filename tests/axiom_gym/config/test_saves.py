"""Saved games: they continue exactly, and damaged or foreign files are refused."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.saves import load, save
from axiom_gym.errors import ConfigError, EngineError, StateError


def play(engine: Engine, seed: int, operations: int = 60) -> list[Any]:
    """Return the states after operations that depend on the seed and the game."""
    rng, states = random.Random(seed), []
    for _ in range(operations):
        actions = engine.get_available_actions()
        if rng.random() < 0.5 or not actions:
            states.append(engine.tick())
        else:
            states.append(engine.apply_action(rng.choice(actions).id))
    return [{**state, "history": [entry[:3] for entry in state["history"]]} for state in states]


@pytest.fixture
def saved(quickstart: GameConfig, tmp_path: Path) -> Path:
    """A file with a game of `quickstart` and values of all types."""
    engine = create_engine(quickstart, seed=5)
    play(engine, 1)
    save(engine, tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.mark.parametrize("name", ["quickstart", "stress_town", "kingdom"])
def test_load__continues_exactly(recorded: dict[str, Any], tmp_path: Path, name: str) -> None:
    config, path = recorded[name].config, tmp_path / "game.json"
    for seed in range(5):
        engine = create_engine(config, seed)
        play(engine, seed)
        save(engine, path)
        other = load(path, config)
        assert other.get_state() == engine.get_state()
        assert other.rng.state == engine.rng.state
        with pytest.raises(EngineError, match="Nothing to undo"):
            other.undo()
        assert play(other, seed + 100) == play(engine, seed + 100)
        assert other.rng.state == engine.rng.state


def test_save__keeps_types_and_every_bit(tmp_path: Path) -> None:
    start = {
        "x": 0.1 + 0.2,
        "y": 3.0,
        "n": 2**70,
        "deep": {"a": [1, 1.0, -0.0, None, True, {"b": "ü\ud800"}], "": []},
        "tiny": 5e-324,
    }
    config = GameConfig(
        lambda: start,
        attributes={"x": Attribute(0, 9), "y": Attribute(0, 9)},
        events=[Event("e", "milestone", "happens", cooldown=0.1)],
        custom_phases={"m": lambda s, c, tick: PhaseResult({**s, "meta": {"t": [tick]}})},
        tick_order=["m", "milestoneEventPhase"],
    )
    engine = create_engine(config, clock=lambda: 1700000000.1234567)
    engine.tick()
    save(engine, tmp_path / "game.json")
    state = load(str(tmp_path / "game.json"), config).get_state()
    assert repr(state) == repr(engine.get_state())
    assert state["meta"] == {"t": [1]}


def test_load__uses_the_clock(saved: Path, quickstart: GameConfig) -> None:
    engine = load(saved, quickstart, clock=lambda: 7.5)
    assert engine.apply_action("work")["history"][-1].timestamp == 7.5


def test_load__refuses_other_configs(saved: Path, quickstart: GameConfig) -> None:
    other = dataclasses.replace(quickstart, name="slowstart")
    with pytest.raises(StateError, match="is a game of 'quickstart', not of 'slowst"):
        load(saved, other)
    events = [dataclasses.replace(quickstart.events[0], cooldown=6), *quickstart.events[1:]]
    changed = dataclasses.replace(quickstart, events=events)
    with pytest.raises(StateError, match=r"of 'quickstart' with other rules: .* \(hash \w+, now "):
        load(saved, changed)


def test_load__continues_like_the_original_on_request(tmp_path: Path) -> None:
    def fail(s: Any) -> Any:
        raise ValueError

    config, path = (
        GameConfig(dict, actions=[Action("go", effects=[{"a": 1}, fail])]),
        tmp_path / "g",
    )
    save(create_engine(config), path)
    for original in (False, True):
        engine = load(path, config, original=original)
        with pytest.raises(EngineError):
            engine.apply_action("go")
        assert ("a" in engine.get_state()) == original


def test_saves__need_a_valid_config(recorded: dict[str, Any], saved: Path) -> None:
    config, path = recorded["broken_lab"].config, saved.with_name("other.json")
    with pytest.raises(ConfigError, match=r"has \d+ problems"):
        save(create_engine(config, original=True), path)
    with pytest.raises(ConfigError, match=r"has \d+ problems"):
        load(saved, config, original=True)
    assert not path.exists()


def edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(content: bytes) -> bytes:
        value = json.loads(content)
        return json.dumps(change(value) or value).encode()

    return edit


def put(key: str, value: Any) -> Callable[[bytes], bytes]:
    return edited(lambda content: {**content, key: value})


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda content: content[:-20], "is damaged, cut off, or not a saved game: "),
        (lambda content: b"", "is damaged, cut off, or not a saved game: "),
        (lambda content: b"\xff\xfe\x00", "is damaged, cut off, or not a saved game: "),
        (lambda content: b"[" * 100_000, "is damaged, cut off, or not a saved game: "),
        (
            lambda content: content.replace(b"}", b": NaN}", 1),
            "is damaged, cut off, or not a saved",
        ),
        (lambda content: b"[1, 2]", "is not a saved game of a config: "),
        (
            put("format", "quantaris"),
            "is not a saved game of a config: its format is not 'axiom-gym",
        ),
        (edited(lambda content: content.pop("format") and None), "is not a saved game of a config"),
        (put("version", 2), "has version 2; this axiom-gym reads version 1. Update it."),
        (put("version", None), "has version None; this axiom-gym reads version 1."),
        (edited(lambda content: content.pop("rng") and None), "is damaged: 'rng' is None."),
        (put("rng", 2**32), "is damaged: 'rng' is 4294967296, not in"),
        (put("rng", -1), "is damaged: 'rng' is -1, not in"),
        (put("rng", True), "is damaged: 'rng' is True."),
        (put("tick", "3"), "is damaged: 'tick' is '3'."),
        (put("fields", []), r"is damaged: 'fields' is \[\]."),
        (put("fields", {"health": float("nan")}), "is damaged: attribute 'health' gets nan"),
        (put("fields", {"health": "80"}), "is damaged: attribute 'health' gets '80'"),
        (put("fields", {"health": 1, "tick": 7}), "is damaged: 'tick' is among the game's"),
        (put("cooldowns", {"flu": "x"}), "is damaged: 'cooldowns' must hold finite numbers"),
        (put("meta", None), "is damaged: 'meta' is None."),
        (put("history", [[1, "a", "b"]]), r"is damaged: entry 0 of the history is \[1, 'a', 'b'\]"),
        (put("history", [[1, "a", "b", "c"]]), "is damaged: entry 0 of the history is"),
        (put("history", [[1, "a", None, 3.5]]), "is damaged: entry 0 of the history is"),
        (put("history", [[True, "a", "b", 3.5]]), "is damaged: entry 0 of the history is"),
    ],
)
def test_load__refuses_damaged_files(
    saved: Path, quickstart: GameConfig, edit: Callable[[bytes], bytes], message: str
) -> None:
    load(saved, quickstart)
    saved.write_bytes(edit(saved.read_bytes()))
    with pytest.raises(StateError, match=f"^saved game '.*game.json' {message}"):
        load(saved, quickstart)


def test_load__needs_a_file(quickstart: GameConfig, tmp_path: Path) -> None:
    with pytest.raises(StateError, match=r"^saved game '.*no.json' cannot be read: .*No such"):
        load(tmp_path / "no.json", quickstart)
    with pytest.raises(StateError, match="cannot be read"):
        load(tmp_path, quickstart)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), r"'odd' cannot be saved: it holds <object.*>, of the type object\. Saved games"),
        ((1, 2), r"'odd' cannot be saved: it holds \(1, 2\), of the type tuple"),
        ({"a": [0, {1}]}, r"'odd'\['a'\]\[1\] cannot be saved: it holds \{1\}, of the type set"),
        ({"a": {1: 2}}, r"'odd'\['a'\] cannot be saved: its key 1 is not a string"),
        ([float("inf")], r"'odd'\[0\] cannot be saved: it holds inf"),
    ],
)
def test_save__refuses_values_that_json_changes_and_keeps_the_file(
    tmp_path: Path, value: Any, message: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text("before")
    config = GameConfig(dict, actions=[Action("go", effects=[lambda s: {"odd": value}])])
    engine = create_engine(config)
    engine.apply_action("go")
    with pytest.raises(StateError, match=f"^field {message}"):
        save(engine, path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["game.json"]


def test_save__that_fails_keeps_the_old_file(
    saved: Path, quickstart: GameConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*paths: Any) -> None:
        raise OSError("no space left")

    before = saved.read_bytes()
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(StateError, match=r"^cannot write the game to .*: no space left$"):
        save(create_engine(quickstart), saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == ["game.json"]


def test_save__needs_a_folder(quickstart: GameConfig, tmp_path: Path) -> None:
    with pytest.raises(StateError, match=r"^cannot write the game to '.*no.game\.json': "):
        save(create_engine(quickstart), tmp_path / "no" / "game.json")


def test_save__holds_choices(tmp_path: Path) -> None:
    config = GameConfig(
        dict,
        choices={"job": Choice("clerk", None)},
        passive_modifiers=[PassiveModifier("p", {"job": None})],
    )
    engine = create_engine(config)
    engine.tick()
    save(engine, tmp_path / "game.json")
    assert load(tmp_path / "game.json", config).get_state()["job"] is None
    content = (tmp_path / "game.json").read_text().replace('"job": null', '"job": "king"')
    (tmp_path / "game.json").write_text(content)
    with pytest.raises(StateError, match="is damaged: choice 'job' gets 'king'"):
        load(tmp_path / "game.json", config)
