"""The recorded games of the original engine, operation by operation."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.validation import validate
from axiom_gym.errors import EngineError

VECTORS = Path(__file__).parents[2] / "vectors" / "axiom"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NAMES = ["quickstart", "stress_town", "kingdom", "broken_lab", "badphase_a", "exact_roll_a"]
VALID = ["quickstart", "stress_town", "kingdom", "exact_roll_a"]


def records(name: str) -> Iterator[Any]:
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def message(error: EngineError) -> str:
    """Return the original engine's message, which has no place."""
    return str(error.__cause__ or error)


def plain(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state without timestamps."""
    return {**state, "history": [[e.tick, e.event_id, e.text] for e in state["history"]]}


def available(engine: Engine, probe: Any = None) -> str:
    try:
        actions = engine.get_available_actions(probe)
    except EngineError as error:
        return f"!{message(error)}"
    places = {
        id(action): digit for action, digit in zip(engine.config.actions, DIGITS, strict=False)
    }
    return "".join(places[id(action)] for action in actions)


def do(engine: Engine, operation: Any) -> str | None:
    """Carry out a recorded operation; return the message if it fails."""
    before = engine.get_state()
    try:
        match operation:
            case "t":
                after = engine.tick()
            case "u":
                after = engine.undo()
            case ["a", *arguments]:
                after = engine.apply_action(*arguments)
    except EngineError as error:
        return message(error)
    assert after == engine.get_state()
    assert after is not before
    return None


def draws(before: int, after: int) -> int:
    """Return the count of draws between two states of the generator, which has equal steps."""
    return (after - before) * pow(0x6D2B79F5, -1, 2**32) % 2**32


def update(state: dict[str, Any], result: dict[str, Any]) -> None:
    """Update the recorded state with a recorded result."""
    for key in result.get("d", ()):
        del state[key]
    state.update(result.get("s", {}))
    for key, name in (("t", "tick"), ("c", "cooldowns"), ("m", "meta")):
        state[name] = result.get(key, state[name])
    keep, entries = result.get("h", (len(state["history"]), []))
    state["history"] = state["history"][:keep] + entries


def check_run(engine: Engine, run: dict[str, Any], probe: Any) -> None:
    state, lists = run["init"], {key: run.get(key) for key in ("av", "avx")}
    assert plain(engine.get_state()) == state
    assert available(engine) == lists["av"]
    for number, (operation, *results) in enumerate(run["ops"]):
        result = results[0] if results else {}
        start = engine.rng.state
        assert do(engine, operation) == result.get("e"), number
        update(state, result)
        lists |= {key: result[key] for key in lists if key in result}
        assert plain(engine.get_state()) == state, number
        assert draws(start, engine.rng.state) == result.get("r", 0), number
        assert available(engine) == lists["av"], number
        if probe is not None:
            assert available(engine, probe) == lists["avx"], number
    assert draws(run["seed"], engine.rng.state) == run["rng"]


@pytest.mark.parametrize("name", NAMES)
def test_original__is_reproduced(recorded: dict[str, Any], name: str) -> None:
    config, count, probe = recorded[name]
    runs = list(records(name))
    for run in runs:
        check_run(create_engine(config, run["seed"], original=True), run, probe)
    assert len(runs) == count


@pytest.mark.parametrize("name", VALID)
def test_original__is_reproduced_without_the_option(recorded: dict[str, Any], name: str) -> None:
    config, _, probe = recorded[name]
    for run in records(name):
        check_run(create_engine(config, run["seed"]), run, probe)


def test_recorded__configs_are_complete(recorded: dict[str, Any]) -> None:
    files = {path.name.removesuffix(".jsonl.gz") for path in VECTORS.glob("*.gz")}
    assert files == set(recorded) == set(NAMES)
    assert [name for name in NAMES if not validate(recorded[name].config)] == VALID
