"""The end, the winner and the score of a config: interpreter, kernel and episode agree."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    GameConfig,
    Parameter,
    PassiveModifier,
    Task,
    as_game,
    create_engine,
    load,
    make_env,
    save,
    validate,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.episode import Episode
from axiom_gym.config.fingerprint import fingerprint
from axiom_gym.config.warning_checks import find_warnings
from axiom_gym.errors import CallableError, ConfigError, EngineError
from axiom_gym.kernel import ENDED, FAULT, RUNNING, TRUNCATED

TASK = Task(reward=lambda before, after: after["gold"] - before["gold"])
EARN, SPEND, WAIT = 0, 1, 2


def make(**parts: Any) -> GameConfig:
    """Return a game in which every tick gives one gold."""
    return GameConfig(
        initial_state=lambda: {"gold": 5},
        attributes={"gold": Attribute(0, 20)},
        actions=[Action("earn", effects=[{"gold": 4}]), Action("spend", effects=[{"gold": -5}])],
        passive_modifiers=[PassiveModifier("interest", {"gold": 1})],
        **parts,
    )


def is_broke(state: Any) -> Any:
    return state["gold"] == 0


def is_rich(state: Any) -> Any:
    return state["gold"] >= 10


@pytest.mark.parametrize(
    ("parts", "operation", "outcome"),
    [
        ({"end": is_broke}, SPEND, "ended"),
        ({"end": is_broke, "win": is_rich}, SPEND, "lost"),
        ({"end": is_broke, "win": is_rich}, EARN, "won"),
        ({"win": is_rich}, EARN, "won"),
        ({"win": is_rich, "end": is_rich}, EARN, "won"),
        ({"end": is_broke}, EARN, ""),
    ],
)
def test_end__is_the_same_in_every_form(
    parity: ModuleType, parts: dict[str, Any], operation: int, outcome: str
) -> None:
    config = make(**parts)
    pair = parity.play(config, TASK, [operation])
    assert pair.codes == [ENDED if outcome else RUNNING]
    episode = Episode(create_engine(config), TASK)
    episode.step(operation)
    assert episode.engine.outcome == outcome
    assert episode.over == ("terminated" if outcome else "")


def test_end__by_an_action_comes_before_the_tick(parity: ModuleType) -> None:
    """The interest of the tick would otherwise save the player."""
    config = make(end=is_broke)
    pair = parity.play(config, TASK, [SPEND])
    assert pair.interpreted.engine.get_state()["tick"] == pair.state["tick"] == 0
    engine = create_engine(config)
    engine.apply_action("spend")
    assert engine.outcome == "ended"


def test_end__also_within_a_tick_of_several_actions(parity: ModuleType) -> None:
    task = Task(reward=TASK.reward, actions_per_tick=2)
    assert parity.play(make(win=is_rich), task, [EARN, EARN]).codes == [RUNNING, ENDED]
    assert parity.play(make(end=is_broke), task, [WAIT, EARN, SPEND]).codes == [RUNNING] * 3


def test_engine__refuses_everything_after_the_end() -> None:
    engine = create_engine(make(end=is_broke, win=is_rich))
    engine.apply_action("spend")
    state = engine.get_state()
    message = r"The game is lost\. undo\(\) returns to the state before its end"
    with pytest.raises(EngineError, match=message):
        engine.apply_action("earn")
    with pytest.raises(EngineError, match=message):
        engine.tick()
    assert engine.get_available_actions() == []
    assert not engine.is_available("earn")
    assert engine.get_state() == state
    engine.undo()
    assert engine.outcome == ""
    engine.apply_action("earn")
    engine.tick()
    assert engine.outcome == "won"


def test_engine__restores_a_game_in_progress() -> None:
    engine = create_engine(make(end=is_broke))
    start = engine.current
    engine.apply_action("spend")
    over = engine.current
    engine.restore(start)
    assert engine.outcome == ""
    engine.restore(over)
    assert engine.outcome == "ended"


def test_warnings__play_to_the_end_of_the_config() -> None:
    found = find_warnings(make(end=is_broke, win=is_rich), TASK)
    assert found == []
    (warning,) = find_warnings(make(end=lambda s: s["gold"] > 20), TASK)
    assert str(warning).startswith("end: was never true in 10,000 simulated ticks; give max_ticks")


def test_engine__original_never_ends() -> None:
    engine = create_engine(make(end=is_broke), original=True)
    engine.apply_action("spend")
    assert engine.outcome == ""
    assert engine.tick()["gold"] == 1


def test_end__is_kept_by_saves_and_given_states(tmp_path: Any) -> None:
    config = make(end=is_broke)
    engine = create_engine(config)
    engine.apply_action("spend")
    save(engine, tmp_path / "game.json")
    assert load(tmp_path / "game.json", config).outcome == "ended"
    assert create_engine(config, state=engine.get_state()).outcome == "ended"
    assert Episode(load(tmp_path / "game.json", config)).over == "terminated"


def test_task__adds_an_end_and_replaces_the_score(parity: ModuleType) -> None:
    config = make(end=is_broke, score=lambda s: 100 + s["gold"])
    task = Task(TASK.reward, lambda s: s["gold"] == 10, score=lambda s: s["gold"])
    ended = parity.play(config, task, [EARN])
    assert ended.codes == [ENDED]
    assert ended.interpreted.score() == 10
    assert parity.play(config, task, [SPEND]).codes == [ENDED]
    assert parity.play(config, TASK, [EARN]).interpreted.score() == 110
    engine = create_engine(config)
    assert (engine.score, Episode(engine, TASK).score, Episode(engine, task).score) == (105, 105, 5)
    assert create_engine(make()).score is None


def test_end__comes_before_a_limit(parity: ModuleType) -> None:
    task = Task(TASK.reward, max_ticks=1)
    assert parity.play(make(end=is_broke), task, [WAIT]).codes == [TRUNCATED]
    assert parity.play(make(win=lambda s: s["gold"] == 6), task, [WAIT]).codes == [ENDED]


def test_end__may_read_parameters(parity: ModuleType) -> None:
    config = make(
        parameters={"goal": Parameter(10, 0, 20)}, win=lambda s: s["gold"] >= s.params["goal"]
    )
    assert create_engine(config, parameters={"goal": 6}).tick()["gold"] == 6
    compiled = CompiledConfig(config, TASK)
    assert parity.Pair(compiled, parameters={"goal": 6}).step(WAIT) == ENDED
    assert parity.Pair(compiled).step(WAIT) == RUNNING


def test_end__that_fails_is_a_fault(parity: ModuleType) -> None:
    config = make(end=lambda s: 1 / (s["gold"] - 9) > 5)
    assert parity.play(config, TASK, [EARN]).codes == [FAULT]
    engine = create_engine(config)
    with pytest.raises(CallableError, match="end: ZeroDivisionError"):
        engine.apply_action("earn")
    assert engine.get_state()["gold"] == 5


def test_environment__tells_the_end_in_words() -> None:
    config = make(win=is_rich)
    env = make_env(config, TASK)
    env.reset(seed=0)
    before = env.batch.buffers.states[0].copy()
    assert env.step(EARN)[2:4] == (True, False)
    game = as_game(config, TASK)
    assert game.describe_turn is not None
    assert game.describe_turn(before, [[EARN]]) == ["The game is won."]
    assert game.describe_turn(before, [[WAIT]]) == []


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"end": lambda s: s["gold"] == 5}, "end: holds in the initial state: the game is over"),
        ({"win": lambda s: s["gold"]}, "win: holds in the initial state"),
        ({"end": lambda s: s["gould"]}, "end: must not raise on the initial state, got end: KeyE"),
        ({"end": True}, "end: must be a callable of (state), got True"),
        ({"score": lambda: 3}, "score: must be a callable of (state)"),
        ({"score": 3}, "score: must be a callable of (state)"),
    ],
)
def test_validate__finds_mistakes(parts: dict[str, Any], message: str) -> None:
    (problem,) = validate(make(**parts))
    assert str(problem).startswith(message)


def test_task__needs_no_end_of_its_own() -> None:
    assert validate(make(end=is_broke), TASK) == []
    as_game(make(win=is_rich), TASK)
    with pytest.raises(ConfigError, match="never ends"):
        as_game(make(), TASK)


def test_fingerprint__depends_on_the_end() -> None:
    configs = [make(), make(end=is_broke), make(end=is_rich), make(win=is_rich)]
    assert len({fingerprint(config) for config in configs}) == len(configs)
    assert fingerprint(make(score=is_rich)) == fingerprint(make())
