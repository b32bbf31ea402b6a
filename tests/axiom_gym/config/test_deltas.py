"""New values in deltas, and deltas in custom phases."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    GameConfig,
    PhaseResult,
    Set,
    Task,
    apply_delta,
    create_engine,
    validate,
)
from axiom_gym.errors import CallableError, ConfigError

TASK = Task(reward=lambda before, after: after["hp"] - before["hp"])


def make(*effects: Any, **parts: Any) -> GameConfig:
    return GameConfig(
        initial_state=lambda: {"hp": 7, "day": 0},
        attributes={"hp": Attribute(0, 10), "mana": Attribute(-2.5, 4)},
        choices={"mood": Choice("calm", "angry")},
        actions=[Action("go", effects=effects)],
        **parts,
    )


@pytest.mark.parametrize(
    ("effect", "new"),
    [
        ({"hp": Set(3)}, {"hp": 3}),
        ({"hp": Set(30)}, {"hp": 10}),
        ({"mana": Set(-30), "hp": 1}, {"hp": 8, "mana": -2.5}),
        ({"day": Set(5), "mood": Set("angry")}, {"day": 5, "mood": "angry"}),
        (lambda s: {"hp": Set(s["mana"]), "mana": Set(s["hp"] - 9)}, {"hp": 0, "mana": -2}),
        ({"hp": Set(True)}, {"hp": 1}),
    ],
)
def test_set__is_the_new_value(parity: ModuleType, effect: Any, new: dict[str, Any]) -> None:
    pair = parity.play(make(effect), TASK, [0])
    state = pair.interpreted.engine.get_state()
    assert {key: state[key] for key in new} == new


def test_set__wrong_values_are_refused() -> None:
    (problem,) = validate(make({"hp": Set("full")}))
    assert str(problem) == "actions[0].effects[0]['hp']: must be a finite number, got 'full'."
    engine = create_engine(make(lambda s: {"hp": Set(None)}))
    with pytest.raises(CallableError, match="attribute 'hp' gets None, which is not a number"):
        engine.apply_action("go")


def spring(state: Any, config: Any, tick: Any) -> PhaseResult:
    delta = {"hp": 2 * tick, "mana": Set(tick / 2), "day": state["day"] + 1, "mood": "angry"}
    return PhaseResult(apply_delta(state, delta, config))


def test_apply_delta__is_an_effect_in_a_phase(parity: ModuleType) -> None:
    config = make({"hp": Set(1)}, custom_phases={"spring": spring}, tick_order=["spring"])
    pair = parity.play(config, TASK, [0, 1, 1, 1, 0])
    state = pair.interpreted.engine.get_state()
    assert (state["hp"], state["mana"], state["day"], state["mood"]) == (10, 2.5, 5, "angry")


def test_apply_delta__leaves_the_state_unchanged() -> None:
    config = make()
    state = create_engine(config).get_state()
    before = dict(state)
    assert apply_delta(state, {"hp": -9, "new": 1}, config) == state | {"hp": 0, "new": 1}
    assert apply_delta(state | {"mana": None}, {"mana": 9}, config)["mana"] == 4
    assert state == before
    with pytest.raises(ConfigError, match="must not write 'tick'"):
        apply_delta(state, {"tick": 3}, config)
