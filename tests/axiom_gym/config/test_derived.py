"""Costs, cooldowns and uses of actions, and the order of events: interpreted and compiled."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.config import Action, Attribute, Event, GameConfig, Task, create_engine, validate
from axiom_gym.config.engine import Engine
from axiom_gym.config.fingerprint import fingerprint
from axiom_gym.errors import EngineError
from axiom_gym.kernel import ILLEGAL, RUNNING

TASK = Task(reward=lambda before, after: after["wood"], actions_per_tick=9)


def make(*actions: Action, events: Any = (), start: Any = None) -> GameConfig:
    return GameConfig(
        initial_state=lambda: {"wood": 30, "gold": 0, **(start or {})},
        attributes={"wood": Attribute(0, 100), "gold": Attribute(-5, 50)},
        actions=actions,
        events=events,
    )


def refusal(engine: Engine, id: str, context: Any = None) -> str:
    """Return the message with which an engine refuses an action, and check that it lists it so."""
    listed = id in [action.id for action in engine.get_available_actions(context)]
    try:
        engine.apply_action(id, context)
    except EngineError as error:
        assert not listed
        return str(error)
    assert listed
    return ""


def count_legal(parity: ModuleType, config: GameConfig, operations: list[int]) -> list[int]:
    """Play a config in both ways, and return its codes."""
    codes: list[int] = parity.play(config, TASK, operations).codes
    return codes


def test_costs__are_paid_before_the_effects(parity: ModuleType) -> None:
    build = Action("build", costs={"wood": 20}, effects=[lambda s: {"gold": s["wood"]}])
    config = make(build)
    engine = create_engine(config)
    assert refusal(engine, "build") == ""
    assert (engine.get_state()["wood"], engine.get_state()["gold"]) == (10, 10)
    assert refusal(engine, "build") == "Action conditions not met: build (costs 20 wood)"
    assert count_legal(parity, config, [0, 0]) == [RUNNING, ILLEGAL]


def test_costs__can_be_paid_down_to_the_lower_bound(parity: ModuleType) -> None:
    config = make(Action("borrow", costs={"gold": np.float64(2.5), "wood": 0}))
    engine = create_engine(config)
    assert [refusal(engine, "borrow")[:6] for _ in range(3)] == ["", "", "Action"]
    assert engine.get_state()["gold"] == -5
    assert count_legal(parity, config, [0, 0, 0]) == [RUNNING, RUNNING, ILLEGAL]


def test_costs__may_depend_on_state_and_context(parity: ModuleType) -> None:
    sell = Action(
        "sell",
        contexts=[{"n": 4}, {"n": 29}],
        costs={"wood": lambda s, ctx: ctx["n"] + s["gold"]},
        effects=[{"gold": 1}],
    )
    config = make(sell)
    engine = create_engine(config)
    assert refusal(engine, "sell", {"n": 4}) == ""
    assert engine.get_state()["wood"] == 26
    message = "Action conditions not met: sell (costs more wood than there is)"
    assert refusal(engine, "sell", {"n": 29}) == message
    assert count_legal(parity, config, [0, 1, 0]) == [RUNNING, ILLEGAL, RUNNING]


def test_cooldown__of_an_action_is_counted_in_ticks(parity: ModuleType) -> None:
    config = make(Action("rest", cooldown=2, contexts=[{"n": 1}, {"n": 2}]))
    engine = create_engine(config)
    assert refusal(engine, "rest", {"n": 1}) == ""
    assert refusal(engine, "rest", {"n": 2}) == "Action on cooldown until tick 2: rest"
    engine.tick()
    assert refusal(engine, "rest", {"n": 2})
    engine.tick()
    assert refusal(engine, "rest", {"n": 2}) == ""
    wait = 2
    codes = count_legal(parity, config, [0, 1, wait, 1, wait, 1])
    assert codes == [RUNNING, ILLEGAL, RUNNING, ILLEGAL, RUNNING, RUNNING]


def test_cooldown__of_an_action_can_be_read(parity: ModuleType) -> None:
    show = Action("show", effects=[lambda s: {"gold": s["cooldowns"].get("rest", -1)}])
    pair = parity.play(make(Action("rest", cooldown=7), show), TASK, [1, 0, 1])
    assert pair.interpreted.engine.get_state()["gold"] == -1 + 7
    assert "cooldown of rest" in [feature.name for feature in pair.compiled.source.features]


def test_uses__end_after_their_number(parity: ModuleType) -> None:
    config = make(Action("heal", uses=2, effects=[lambda s: {"gold": s["count of heal"]}]))
    engine = create_engine(config)
    assert [refusal(engine, "heal")[:6] for _ in range(3)] == ["", "", "Action"]
    assert engine.get_state()["gold"] == 1 + 2
    assert refusal(engine, "heal") == "Action conditions not met: heal (can be used 2 times)"
    engine.undo()
    assert refusal(engine, "heal") == ""
    assert count_legal(parity, config, [0, 0, 0]) == [RUNNING, RUNNING, ILLEGAL]


def test_once__fires_one_time(parity: ModuleType) -> None:
    storm = Event("storm", trigger="milestone", once=True, effects=[{"wood": -1}])
    luck = Event("luck", base_probability=1, once=True, effects=[{"gold": 1}])
    pair = parity.play(make(events=[storm, luck]), Task(reward=TASK.reward), [0, 0, 0])
    state = pair.interpreted.engine.get_state()
    assert (state["wood"], state["gold"]) == (29, 1)


@pytest.mark.parametrize(("after", "fired"), [(2, 3), (2.5, 2), (0, 4), ("cut", 2), ("storm", 1)])
def test_after__holds_an_event_back(parity: ModuleType, after: Any, fired: int) -> None:
    """The action `cut` is taken in the third step, the event `storm` fires in tick 4."""
    storm = Event("storm", trigger="milestone", conditions=[lambda s: s["tick"] == 4])
    luck = Event("luck", trigger="milestone", after=after, effects=[{"gold": 1}])
    config = make(Action("cut"), events=[storm, luck])
    pair = parity.play(config, Task(reward=TASK.reward), [1, 1, 0, 1])
    assert pair.interpreted.engine.get_state()["gold"] == fired


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Action("a", costs={"wod": 3}), "actions[0].costs['wod']: 'wod' is no attribute. Did you"),
        (Action("a", costs={"wood": -1}), "actions[0].costs['wood']: must be a number that is at"),
        (Action("a", costs={"wood": lambda: 3}), "actions[0].costs['wood']: must be a callable of"),
        (Action("a", costs=3), "actions[0].costs: must be a mapping"),  # type: ignore[arg-type]
        (Action("a", uses=0), "actions[0].uses: must be a positive integer"),
        (Action("a", uses=True), "actions[0].uses: must be a positive integer"),
        (Action("a", cooldown=-1), "actions[0].cooldown: must be a number of ticks"),
        (Action("storm", uses=1), "actions[0].id: 'storm' is also the id of an event"),
        (Action("storm", cooldown=1), "actions[0].id: 'storm' is also the id of an event"),
        (Action("x", uses=1), "field 'count of x': counts how often"),
        (Event("e", once=1), "events[1].once: must be True or False"),  # type: ignore[arg-type]
        (Event("e", after=-1), "events[1].after: must be a tick, at least 0, or an id"),
        (Event("e", after="strom"), "events[1].after: must be the id of another event or of an "),
        (Event("e", after="e"), "events[1].after: must be the id of another event or of an "),
    ],
)
def test_validate__finds_mistakes(part: Action | Event, message: str) -> None:
    actions = [part] if isinstance(part, Action) else []
    events = [Event("storm"), *([part] if isinstance(part, Event) else [])]
    (problem,) = validate(make(*actions, events=events, start={"count of x": 1}))
    assert str(problem).startswith(message)


def test_fingerprint__depends_on_every_part() -> None:
    def costs(amount: int) -> Action:
        return Action("a", costs={"wood": lambda s: amount * s["wood"]})

    actions = [
        Action("a"), Action("a", costs={"wood": 1}), Action("a", costs={"wood": 2}), costs(1),
        costs(2), Action("a", cooldown=1), Action("a", uses=1), Action("a", uses=2),
    ]  # fmt: skip
    events = [Event("e", once=True), Event("e", after=2), Event("e", after="a")]
    configs = [*map(make, actions), *(make(Action("a"), events=[event]) for event in events)]
    found = {fingerprint(config) for config in configs}
    assert len(found) == len(configs)
