"""Parameters: their values, in both ways of playing, in batches, saves and replays."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.config import (
    Action,
    Attribute,
    Event,
    GameConfig,
    Parameter,
    PassiveModifier,
    Task,
    as_game,
    create_engine,
    load,
    make_env,
    make_vec,
    save,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.episode import Episode
from axiom_gym.config.fingerprint import fingerprint
from axiom_gym.config.frozen import copied
from axiom_gym.config.parameters import StateView
from axiom_gym.errors import (
    CallableError,
    ConfigError,
    StateError,
    TraceError,
    UnknownNameError,
    UnknownOptionError,
)
from axiom_gym.kernel import ILLEGAL, RUNNING
from axiom_gym.records import field_names
from axiom_gym.replay import Recorder, verify

TOWN = GameConfig(
    name="town",
    initial_state=lambda: {"gold": 50},
    attributes={"gold": Attribute(0.0, 1000.0), "anger": Attribute(0, 10)},
    parameters={
        "tax": Parameter(0.1, 0.0, 1.0),
        "wage": Parameter(5, 1, 20),
        "riots": Parameter(True),
    },
    presets={"harsh": {"tax": 0.6, "wage": 2}},
    passive_modifiers=[PassiveModifier("tax", lambda s: {"gold": -s.params["tax"] * s["gold"]})],
    actions=[
        Action("work", text=lambda s: f"You earn {s.params['wage']}.",
               effects=[lambda s: {"gold": s.params["wage"]}]),
        Action("bribe", conditions=[lambda s: s["gold"] >= 10 * s.params["wage"]],
               effects=[{"anger": -1}]),
    ],
    events=[
        Event("riot", base_probability=0.3, conditions=[lambda s: s.params["riots"]],
              effects=[lambda s: {"anger": where(s.params["tax"] > 0.5, 2, 1)}]),
    ],
    probability_modifiers=[lambda s, p, e: p * (0.5 + s.params["tax"])],
)  # fmt: skip
TASK = Task(
    reward=lambda before, after: after["gold"] - before["gold"] - after.params["tax"],
    terminated=lambda s: s["anger"] >= s.params["wage"],
    max_ticks=20,
    score=lambda s: s["gold"] * s.params["tax"],
)
WORK, BRIBE, WAIT = range(3)
SETTINGS: list[dict[str, Any]] = [
    {}, {"tax": 0}, {"tax": 1.0, "wage": 20}, {"tax": 0.55, "riots": False}, {"wage": 1},
]  # fmt: skip


@pytest.mark.parametrize("parameters", SETTINGS)
def test_games__are_the_same_interpreted_and_compiled(
    parity: ModuleType, parameters: dict[str, Any]
) -> None:
    pair = parity.Pair(CompiledConfig(TOWN, TASK), 7, parameters=parameters)
    actions = [WORK, BRIBE, WAIT, BRIBE, WORK, WORK]
    while actions and pair.step(actions.pop()) in (RUNNING, ILLEGAL):
        pass
    assert len(pair.steps) > 1 or parameters == {"wage": 1}


def test_games__depend_on_the_parameters(parity: ModuleType) -> None:
    compiled = CompiledConfig(TOWN, TASK)
    ends = []
    for parameters in SETTINGS:
        pair = parity.Pair(compiled, 7, parameters=parameters)
        pair.step(WORK)
        ends.append(pair.state["gold"])
    assert ends == [49.5, 55.0, 0.0, pytest.approx(24.75), 45.9]


def test_values__keep_the_type_of_the_definition() -> None:
    params = create_engine(TOWN, parameters={"tax": 1, "wage": np.int64(3)}).params
    assert dict(params) == {"tax": 1.0, "wage": 3, "riots": True}
    assert [type(value) for value in params.values()] == [float, int, bool]
    mixed = GameConfig(lambda: {}, parameters={"x": Parameter(1, 0, 2.5)})
    assert repr(create_engine(mixed).params["x"]) == "1.0"


def test_source__has_no_values_and_no_cost_without_parameters() -> None:
    source = CompiledConfig(TOWN, TASK).source
    assert [f.key for f in source.fields.values() if f.role == "parameter"] == [
        "<parameter tax>", "<parameter wage>", "<parameter riots>",
    ]  # fmt: skip
    higher = GameConfig(**{**_parts(TOWN), "parameters": {
        **TOWN.parameters, "tax": Parameter(0.9, 0.0, 1.0)}})  # fmt: skip
    assert CompiledConfig(higher, TASK).source.text == source.text
    assert "parameter" not in CompiledConfig(GameConfig(lambda: {"n": 1}), ENDLESS).source.text


def _parts(config: GameConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in GameConfig.__slots__}


ENDLESS = Task(reward=lambda before, after: 0.0, max_ticks=5)


@pytest.mark.compiled_only
def test_sweep__compiles_once() -> None:
    game, drivers = as_game(TOWN, TASK), set()
    for tax in np.linspace(0.0, 1.0, 20):
        batch = Batch(game, 2, tax=tax)
        batch.reset(1)
        batch.step()
        driver = batch._calls._module
        drivers.add(driver)
        assert len(driver.step_batch.signatures) == len(driver.reset_batch.signatures) == 1
    other = Batch(as_game(TOWN, TASK), 2, tax=0.25)
    assert {*drivers, other._calls._module} == drivers
    assert len(drivers) == 1


# Batches and environments


def test_batch__has_a_value_for_each_game() -> None:
    taxes = np.array([0.0, 0.25, 1.0])
    envs = make_vec(TOWN, TASK, 3, parameters={"tax": taxes}, riots=False)
    singles = [make_env(TOWN, TASK, parameters={"tax": tax, "riots": False}) for tax in taxes]
    seen, _ = envs.reset(seed=4)
    assert seen[:, -3].tolist() == taxes.tolist()
    for i, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=4 + i)[0], seen[i])
    for turn in range(45):
        seen, rewards, *_ = envs.step(np.full(3, turn % 2 * WAIT))
        if turn < 19:
            expected = [env.step(turn % 2 * WAIT) for env in singles]
            assert rewards.tolist() == [one[1] for one in expected]
            assert np.array_equal(seen, [one[0] for one in expected])
    assert seen[:, -3].tolist() == taxes.tolist()  # after episodes that ended by themselves
    assert len(set(rewards.tolist())) == 3


def test_batch__plays_like_the_interpreter_with_the_values_of_each_game() -> None:
    """The batch is compiled by Numba, in contrast to the kernels of other comparisons."""
    values = {
        "tax": [0.0, 0.3, 1.0, 0.3],
        "wage": [1, 5, 20, 12],
        "riots": [True, True, False, True],
    }
    batch = Batch(as_game(TOWN, TASK), 4, autoreset="disabled", on_illegal="noop", **values)
    batch.reset(11)
    episodes = []
    for i, state in enumerate(batch.buffers.states):
        own = {name: row[i] for name, row in values.items()}
        engine = create_engine(TOWN, parameters=own)
        engine.rng.state = int(state["rng"])
        episodes.append(Episode(engine, TASK))
    for turn in range(4):
        batch.buffers.actions[:] = turn % 2 * WAIT
        batch.step()
        for episode, state, ended in zip(
            episodes, batch.buffers.states, batch.buffers.terminated, strict=True
        ):
            episode.step(turn % 2 * WAIT)
            known = episode.engine.get_state()
            assert (state["gold"], state["anger"]) == (known["gold"], known["anger"])
            assert bool(episode.over) == ended
        if batch.buffers.terminated.any():
            break
    assert len(set(batch.buffers.states["gold"].tolist())) == 4


def test_batch__states_are_saved_and_cloned_with_their_values() -> None:
    batch = Batch(as_game(TOWN, TASK), 2, tax=[0.0, 0.5])
    batch.reset(1)
    batch.step()
    saved, clone = batch.get_state(), batch.clone()
    other = Batch(as_game(TOWN, TASK), 2, tax=(0.0, 0.5))
    other.set_state(saved)
    for one in (batch, clone, other):
        one.step()
    assert batch.buffers.states.tobytes() == clone.buffers.states.tobytes()
    assert batch.buffers.states.tobytes() == other.buffers.states.tobytes()
    with pytest.raises(StateError, match="tax"):
        Batch(as_game(TOWN, TASK), 2, tax=0.5).set_state(saved)


def test_presets__are_options() -> None:
    game = as_game(TOWN, TASK)
    batch = Batch(game, preset="harsh", wage=7)
    assert (batch.config.tax, batch.config.wage, batch.config.riots) == (0.6, 7, True)
    assert "  with tax=0.6, wage=7, riots=True" in batch.describe_state()
    with pytest.raises(UnknownNameError, match="Did you mean 'harsh'"):
        Batch(game, preset="hash")


def test_options__can_be_pickled() -> None:
    config = Batch(as_game(TOWN, TASK), 2, tax=[0.0, 0.5]).config
    assert pickle.loads(pickle.dumps(config)) == config
    assert hash(config) == hash(pickle.loads(pickle.dumps(config)))


def test_options__of_equal_numbers_differ_by_type() -> None:
    kinds = [
        type(Batch(as_game(GameConfig(lambda: {}, parameters={"x": one}), ENDLESS)).config.x)
        for one in (Parameter(1, 0, 1), Parameter(1.0, 0, 1), Parameter(True))
    ]
    assert kinds == [int, float, bool]


# Saves, replays, texts


def test_save__keeps_the_values(tmp_path: Path) -> None:
    engine = create_engine(TOWN, 3, parameters={"tax": 0.5, "riots": False})
    engine.tick()
    save(engine, tmp_path / "town.json")
    again = load(tmp_path / "town.json", TOWN)
    assert again.params == engine.params
    assert again.tick() == engine.tick()


@pytest.mark.parametrize("wrong", [{"tax": 7}, {"tux": 0.5}, []])
def test_load__refuses_wrong_values(tmp_path: Path, wrong: Any) -> None:
    path = tmp_path / "town.json"
    save(create_engine(TOWN), path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "parameters": wrong}))
    with pytest.raises(StateError, match="is damaged"):
        load(path, TOWN)


def test_fingerprint__knows_the_definitions() -> None:
    plain = GameConfig(lambda: {"n": 1})
    one, other = (
        GameConfig(lambda: {"n": 1}, parameters={"x": Parameter(1, 0, high)}) for high in (1, 2)
    )
    assert len({fingerprint(plain), fingerprint(one), fingerprint(other)}) == 3


def test_episode__restores_the_values() -> None:
    episode = Episode(create_engine(TOWN, parameters={"tax": 0.5}), TASK)
    start = episode.get_moment()
    first = episode.step(WORK)[0].text, episode.score
    episode.restore(start)
    assert (episode.step(WORK)[0].text, episode.score) == first
    assert first == ("You earn 5.", 27.5 * 0.5)


def test_replay__is_of_the_game_with_its_own_values() -> None:
    batch = Batch(
        as_game(TOWN, TASK), 2, tax=[0.0, 0.5], wage=3, autoreset="disabled", on_illegal="raise"
    )
    batch.reset(1)
    recorder = Recorder(batch, ["ann"], 1)
    assert recorder.header.options == {"tax": 0.5, "wage": 3, "riots": True}
    while not recorder.ended:
        batch.buffers.actions[:] = WAIT
        batch.step()
        recorder.record()
        if batch.buffers.episodes["ended"][0]:
            batch.reset(which=np.array([True, False]))
    result = verify(recorder.finish(), as_game(TOWN, TASK))
    assert result.ok, result.message


def test_texts__of_a_turn_have_the_values_of_its_game() -> None:
    game = as_game(TOWN, TASK)
    batch = Batch(game, 2, wage=[3, 4])
    batch.reset(1)
    assert game.describe_turn is not None
    texts = [game.describe_turn(state, [[WORK]])[0] for state in batch.buffers.states]
    assert texts == ["You earn 3.", "You earn 4."]


def test_encode__takes_the_values() -> None:
    compiled = CompiledConfig(TOWN, TASK)
    record = compiled.encode(create_engine(TOWN).get_state(), 5, {"wage": 9})
    assert compiled.decode_params(record) == {"tax": 0.1, "wage": 9, "riots": True}
    assert not any("parameter" in key for key in compiled.decode(record))


# Views


def test_view__is_a_read_only_mapping_with_the_parameters() -> None:
    view = create_engine(TOWN).view({"gold": 1})
    assert isinstance(view, StateView)
    assert ({**view, "anger": 2}, view | {"gold": 3}, {"gold": 3} | view) == (
        {"gold": 1, "anger": 2}, {"gold": 3}, {"gold": 1},
    )  # fmt: skip
    assert view == {"gold": 1} == view.copy()
    assert type(copied(view)) is dict
    with pytest.raises(TypeError):
        view["gold"] = 5  # type: ignore[index]
    with pytest.raises(TypeError):
        view.params["tax"] = 5


def test_phase__may_read_parameters_and_return_the_view() -> None:
    seen = []

    def remember(s: Any, config: GameConfig, tick: int) -> Any:
        seen.append(s.params["tax"])
        return (s, ())

    parts = {**_parts(TOWN), "custom_phases": {"own": remember}, "tick_order": ["own"]}
    engine = create_engine(GameConfig(**parts), parameters={"tax": 0.25})
    assert engine.tick()["gold"] == 50
    assert seen == [0.25]


def test_read__of_an_unknown_parameter_suggests_a_name() -> None:
    config = GameConfig(
        lambda: {"n": 1},
        parameters={"tax": Parameter(1, 0, 2)},
        actions=[Action("act", effects=[lambda s: {"n": s.params["taxes"]}])],
    )
    with pytest.raises(CallableError, match=r"no parameter 'taxes'\. Did you mean 'tax'"):
        create_engine(config).apply_action("act")
    with pytest.raises(TraceError, match=r"no parameter 'taxes'\. Did you mean 'tax'"):
        CompiledConfig(config, ENDLESS)


# Errors


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            {"taxes": 0.5},
            UnknownNameError,
            "unknown parameter of town 'taxes'. Did you mean 'tax'?",
        ),
        ({"tax": 1.5}, ConfigError, "'tax' must be a number from 0.0 to 1.0, got 1.5"),
        ({"tax": float("nan")}, ConfigError, "'tax' must be a number from 0.0 to 1.0, got nan"),
        ({"tax": True}, ConfigError, "'tax' must be a number from 0.0 to 1.0, got True"),
        ({"wage": 2.0}, ConfigError, "'wage' must be an integer from 1 to 20, got 2.0"),
        ({"riots": 1}, ConfigError, "'riots' must be True or False, got 1"),
    ],
)
def test_engine__refuses_wrong_values(
    given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        create_engine(TOWN, parameters=given)
    assert message in str(caught.value)
    with pytest.raises(UnknownOptionError if "taxes" in given else error):
        make_vec(TOWN, TASK, parameters=given)


def test_batch__refuses_another_number_of_values() -> None:
    with pytest.raises(ConfigError, match="'tax' has 2 values, but there are 3 games"):
        Batch(as_game(TOWN, TASK), 3, tax=[0.0, 0.5])
    with pytest.raises(ConfigError, match=r"'tax' must be a number .* got 2"):
        Batch(as_game(TOWN, TASK), 2, tax=[0.0, 2])


def test_limits__of_compiled_integers() -> None:
    config = GameConfig(lambda: {}, parameters={"x": Parameter(0, 0, 2**70)})
    with pytest.raises(TraceError, match=r"parameters\['x'\] has 1180591620717411303424"):
        CompiledConfig(config, ENDLESS)


def test_records__hold_parameters_under_fixed_names() -> None:
    config = GameConfig(
        lambda: {"parameter_x": 1, "n": 2},
        attributes={"parameter_x": Attribute(0, 5)},
        parameters={"x": Parameter(1, 0, 3)},
    )
    states = Batch(as_game(config, ENDLESS), x=2).buffers.states
    assert field_names(states.dtype)[:2] == ("parameter_x", "parameter_x_")
    assert states["parameter_x"][0] == 2
