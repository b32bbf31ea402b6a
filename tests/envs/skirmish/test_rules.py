"""Sessions and their store: a record alone determines the game."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from axiom_envs.dnd import engine as dnd
from axiom_envs.dnd.engine.rules.standard import Blinded
from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.skirmish import state as skirmish
from axiom_envs.skirmish.config import SkirmishConfig, names_of
from axiom_envs.skirmish.game import GAME
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import Params, begin_session, reader, state_dtype
from axiom_gym.batch import Batch
from axiom_gym.errors import StateError
from axiom_gym.game import history
from axiom_gym.kernel import zero_records
from axiom_gym.seeded_rng import SeededRNG


@pytest.fixture(autouse=True)
def nothing_read() -> Iterator[None]:
    reader.read.clear()
    yield
    reader.read.clear()


def begin(seed: int = 1, **options: Any) -> Session:
    config = SkirmishConfig(**options)
    return begin_session(config, seed)


def play(batch: Batch, steps: int) -> list[list[bytes]]:
    """Return the complete state after each step with random actions."""
    taken = []
    for _ in range(steps):
        batch.sample_actions()
        batch.step()
        arrays = (getattr(batch.buffers, name) for name in batch.buffers._fields)
        taken.append([array.tobytes() for array in arrays])
    return taken


def picture(session: Session) -> list[Any]:
    """Return the state of a session."""
    fighters = session.encounter.fighters
    return [
        session.digest, session.seat, session.left, session.mask.tobytes(), {**session.last_seen},
        {**session.seen}, session.encounter.round, session.encounter.decisions,
        [(one.health.current, one.senses.position, [*one.conditions]) for one in fighters],
    ]  # fmt: skip


# -- start -----------------------------------------------------------------------------------------


def test_session__is_the_encounter_of_that_seed() -> None:
    session, encounter = (
        begin(7, scenario="bandits-vs-party"),
        dnd.Encounter.from_preset("bandits-vs-party", seed=7),
    )
    assert [*session.encounter.initiative.values()] == [*encounter.initiative.values()]
    assert session.left == encounter.world.rng.state
    assert session.encounter.world.seed == 7


@pytest.mark.compiled_only
def test_session__draws_one_of_several_scenarios() -> None:
    drawn = {begin(seed, scenario="training").scenario.name for seed in range(40)}
    assert drawn <= {*names_of("training")}
    assert len(drawn) > 5
    assert begin(3, scenario="held_out").scenario.held_out


def test_session__draws_the_scenario_before_initiative() -> None:
    session, rng = begin(3, scenario="training"), SeededRNG(3)
    assert session.scenario.name == rng.pick(names_of("training"))
    first = next(one for one in session.happened() if isinstance(one, D20Roll))
    assert first.dice == (rng.range(1, 20), rng.range(1, 20))


def test_session__passes_its_options_to_the_engine() -> None:
    options: dict[str, Any] = {"scenario": "4v4-mixed", "surprise": "foes", "reactions": "auto"}
    rules: dict[str, Any] = {"diagonals": "5-10-5", "light": True, "knock_out": True}
    session = begin(round_limit=3, shared_initiative=True, **options, **rules)
    given = session.encounter.world.options
    assert {name: getattr(given, name) for name in rules} == rules
    assert given.surprise
    assert given.shared_initiative
    assert session.encounter.surprised == ("foes",)
    assert not session.encounter.asks_reactions
    assert session.encounter.round_limit == 3
    assert begin(scenario="4v4-mixed").encounter.round_limit == 20
    assert not begin(scenario="4v4-mixed").encounter.world.options.surprise


@pytest.mark.parametrize("scenario", ["generated", "generated_held_out", "scouts-and-thugs"])
def test_session__generates_a_missing_map(scenario: str) -> None:
    first, same, other = (begin(seed, scenario=scenario) for seed in (4, 4, 5))
    assert first.scenario.map == same.scenario.map
    assert first.scenario.map != other.scenario.map
    grid = first.encounter.world.grid
    assert grid is not None
    assert (grid.width, grid.height) == (first.width, first.height)


def test_seen__holds_visible_enemies_and_last_positions_stay() -> None:
    session = begin(scenario="duel-fighters")
    (fighter,), (enemy,) = session.sides
    assert session.seen == {"party": {enemy.number}, "foes": {fighter.number}}
    known = session.last_seen["party", enemy.number]
    assert known == enemy.position
    fighter.add_condition(Blinded())
    enemy.place((6, 6))
    session.update()
    assert session.seen["party"] == set()
    assert session.last_seen["party", enemy.number] == known
    assert session.last_seen["foes", fighter.number] == fighter.position


# -- records ---------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_record__suffices_to_continue_at_any_point() -> None:
    batch = Batch(GAME, 1, scenario="goblins-vs-fighters")
    batch.reset(3)
    for number in range(120):
        if number % 10 == 0:
            state = batch.buffers.states[0]
            again = history.rebuild(lambda seed: begin_session(batch.config, seed), state)
            assert picture(again) == picture(batch.params.find(state))
        play(batch, 1)


def test_record__keeps_a_generator_that_was_set_from_outside() -> None:
    batch, params = Batch(GAME, 1), Params(SkirmishConfig())
    batch.reset(3)
    for number in range(60):
        if number % 7 == 0:
            batch.buffers.states["rng"] = 0x80000000 + 12345 * number
        play(batch, 1)
    state = batch.buffers.states[0]
    assert picture(params.find(state)) == picture(batch.params.find(state))


@pytest.mark.compiled_only
@pytest.mark.parametrize("most", [1, 2])
def test_games__do_not_depend_on_the_number_of_kept_sessions(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, few = Batch(GAME, 3), Batch(GAME, 3)
    played = []
    for batch in (kept, few):
        batch.reset(2)
        played.append(play(batch, 25))
        monkeypatch.setattr(history, "MOST_SESSIONS", most)
    assert played[0] == played[1]
    assert few.params.count <= most


@pytest.mark.compiled_only
def test_games__in_equal_positions_have_separate_sessions() -> None:
    batch = Batch(GAME, 2, scenario="goblins-vs-fighters")
    batch.reset([5, 5])
    assert batch.buffers.states["digest"][0] == batch.buffers.states["digest"][1]
    batch.buffers.streams[1] = batch.buffers.streams[0]
    alone = Batch(GAME, 1, scenario="goblins-vs-fighters")
    alone.reset(5)
    for number in range(80):
        for one in (batch, alone):
            play(one, 1)
        if number < 40:
            assert batch.buffers.states[0] == batch.buffers.states[1]
            batch.buffers.streams[1] = batch.buffers.streams[0]
        assert batch.buffers.states[0] == alone.buffers.states[0]
    assert batch.params.count == 2


@pytest.mark.compiled_only
def test_copies__of_all_kinds_play_the_same_game() -> None:
    batch = Batch(GAME, 2, scenario="bandits-vs-party", autoreset="same_step")
    batch.reset(3)
    play(batch, 50)
    saved, restored = (
        batch.get_state(),
        Batch(GAME, 2, scenario="bandits-vs-party", autoreset="same_step"),
    )
    restored.set_state(saved)
    twin = batch.clone()
    expected = play(batch, 40)
    assert play(twin, 40) == expected
    assert play(restored, 40) == expected
    batch.set_state(saved)
    assert play(batch, 40) == expected


@pytest.mark.parametrize("entry", [30000, -2, 12])
def test_record__that_is_damaged_is_refused(entry: int) -> None:
    batch = Batch(GAME, 1)
    batch.reset(0)
    play(batch, 9)
    state = batch.buffers.states[0].copy()
    state["actions"][4] = entry
    with pytest.raises(StateError, match=f"decision 4 of this skirmish, {entry}, is not legal"):
        Params(batch.config).find(state)


def test_session__is_freed_with_its_batch() -> None:
    batch = Batch(GAME, 1)
    batch.reset(0)
    play(batch, 5)
    session = weakref.ref(batch.params.find(batch.buffers.states[0]))
    del batch
    gc.collect()
    assert session() is None


# -- records without parameters --------------------------------------------------------------------


def test_find_session__finds_the_live_one_and_recreates_an_older_one() -> None:
    batch = Batch(GAME, 1)
    batch.reset(0)
    state = batch.buffers.states[0]
    assert reader.find(state) is batch.params.find(state)
    before, known = state.copy(), picture(batch.params.find(state))
    play(batch, 3)
    old = reader.find(before)
    assert old is not batch.params.find(state)
    assert picture(old) == known
    assert reader.find(before) is old


def test_find_session__continues_from_the_last_record_read(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(GAME, 1)
    batch.reset(0)
    records = []
    for _ in range(12):
        records.append(batch.buffers.states[0].copy())
        play(batch, 1)
    first = reader.find(records[2])
    assert reader.find(records[9]) is first
    assert first.digest == records[9]["digest"]
    assert reader.find(records[1]) is not first
    assert len(reader.read) == 2


def test_find_session__of_an_unknown_configuration_gives_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = SkirmishConfig(round_limit=77)
    (state,) = zero_records(1, state_dtype(config))
    batch = Batch(GAME, 1, **dataclasses.asdict(config))
    batch.reset(0)
    state.setfield(batch.buffers.states[0], state.dtype)
    del batch
    gc.collect()
    assert reader.find(state).config == config
    reader.read.clear()
    monkeypatch.setattr(skirmish, "_configs", {})
    with pytest.raises(StateError, match="make a game with the same options first"):
        reader.find(state)


def test_find_session__knows_the_presets(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(GAME, 1, preset="duel")
    batch.reset(0)
    monkeypatch.setattr(skirmish, "_configs", {})
    assert skirmish.config_of(int(batch.buffers.states[0]["config"])) == batch.config


def test_reading__many_records_keeps_few_sessions() -> None:
    batch = Batch(GAME, 1)
    for seed in range(history.MOST_READ + 3):
        batch.reset(seed)
        old: Any = batch.buffers.states[0].copy()
        play(batch, 1)
        reader.find(old)
    assert len(reader.read) == history.MOST_READ
