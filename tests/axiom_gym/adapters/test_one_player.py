"""A game for one player in every form, and faults; the conformance suite has the rest."""

from __future__ import annotations

import pickle
from dataclasses import replace
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.adapters.pettingzoo import env, parallel_env
from axiom_gym.errors import IncompatibleGameError
from axiom_gym.game import KernelGame

FAULT = "fault 7: the tool is broken, limit 30"


# -- faults ----------------------------------------------------------------------------------------


def test_single_env__reports_a_fault(climb: ModuleType) -> None:
    single = AxiomEnv(climb.GAME, tool=True)
    _, info = single.reset(seed=1)
    assert "fault" not in info
    *_, info = single.step(climb.STEP)
    assert "fault" not in info
    _, reward, terminated, truncated, info = single.step(climb.TOOL)
    assert (reward, terminated, truncated) == (0, False, True)
    assert info["fault"] == FAULT
    saved = single.get_state()
    _, info = single.reset()
    assert "fault" not in info
    assert single.set_state(saved)[1]["fault"] == FAULT


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_vector_env__reports_a_fault(climb: ModuleType, mode: str) -> None:
    vector = AxiomVectorEnv(climb.GAME, 3, tool=True, limit=2, autoreset_mode=mode)
    vector.reset(seed=1)
    *_, infos = vector.step(np.full(3, climb.STEP))
    assert "fault" not in infos
    *_, truncated, infos = vector.step([climb.STEP, climb.TOOL, climb.STEP])
    assert truncated.all()
    told = [infos, infos["final_info"]] if mode == "same_step" else [infos]
    for info in told:
        assert info["fault"].dtype == object
        assert info["fault"].tolist() == [None, FAULT.replace("30", "2"), None]
        assert info["_fault"].dtype == np.bool_
        assert info["_fault"].tolist() == [False, True, False]
    if mode == "disabled":
        vector.reset()
    *_, infos = vector.step(np.full(3, climb.REST))
    assert "fault" not in infos
    assert "fault" not in infos.get("final_info", {})


def test_vector_env__reports_no_fault_at_other_ends(climb: ModuleType) -> None:
    vector = AxiomVectorEnv(climb.GAME, 2, limit=1, autoreset_mode="same_step")
    vector.reset(seed=1)
    *_, infos = vector.step([climb.STEP, climb.STEP])
    assert "final_info" in infos
    assert "fault" not in infos
    assert "fault" not in infos["final_info"]


def test_vector_env__reports_a_fault_as_gymnasium_does(climb: ModuleType) -> None:
    """Infos equal those of Gymnasium's vector environment of single environments."""
    stock = gymnasium.vector.SyncVectorEnv(
        [lambda: AxiomEnv(climb.GAME, tool=True)] * 2,
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
    )
    native = AxiomVectorEnv(climb.GAME, 2, tool=True, autoreset_mode="same_step")
    stock.reset(seed=1)
    native.reset(seed=1)
    *_, expected = stock.step(np.array([climb.STEP, climb.TOOL]))
    *_, found = native.step(np.array([climb.STEP, climb.TOOL]))
    for name in ("fault", "_fault"):
        assert found["final_info"][name].tolist() == expected["final_info"][name].tolist()
        assert found["final_info"][name].dtype == expected["final_info"][name].dtype


@pytest.mark.parametrize("form", ["parallel", "aec"])
def test_pettingzoo__reports_a_fault(climb: ModuleType, form: str) -> None:
    game: Any = (parallel_env if form == "parallel" else env)(climb.GAME, tool=True)
    game.reset(seed=1)
    if form == "parallel":
        *_, infos = game.step({"player_0": climb.STEP})
        assert "fault" not in infos["player_0"]
        *_, truncations, infos = game.step({"player_0": climb.TOOL})
        assert truncations == {"player_0": True}
    else:
        game.step(climb.STEP)
        assert "fault" not in game.infos["player_0"]
        game.step(climb.TOOL)
        infos = game.infos
        assert game.truncations == {"player_0": True}
        assert game.last()[4]["fault"] == FAULT
    assert infos["player_0"]["fault"] == FAULT


def test_sb3__reports_a_fault(climb: ModuleType) -> None:
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    rows = sb3.make_vec_env(climb.GAME, 3, tool=True, limit=1, seed=1)
    rows.reset()
    *_, infos = rows.step(np.array([climb.STEP, climb.TOOL, climb.STEP]))
    assert [info.get("fault") for info in infos] == [None, FAULT.replace("30", "1"), None]
    assert ["fault" in info for info in infos] == [False, True, False]
    assert infos[1]["TimeLimit.truncated"] is True
    *_, infos = rows.step(np.array([climb.STEP, climb.STEP, climb.STEP]))
    assert not any("fault" in info for info in infos)


# -- one player ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [AxiomEnv, AxiomVectorEnv])
@pytest.mark.parametrize("opponent", ["careful", ["random"], lambda *_: 0])
def test_env__refuses_an_opponent(climb: ModuleType, kind: Any, opponent: Any) -> None:
    with pytest.raises(IncompatibleGameError, match="climb has one player: leave out"):
        kind(climb.GAME, opponent=opponent)


@pytest.mark.parametrize("seat", [0, "random"])
def test_vector_env__seats_the_learner_alone(climb: ModuleType, seat: Any) -> None:
    vector = AxiomVectorEnv(climb.GAME, 4, seat=seat, opponent="random", copy=False)
    observations, _ = vector.reset(seed=3)
    assert np.shares_memory(observations, vector.batch.buffers.observations)
    assert vector.seating.learner_seats().tolist() == [[1]] * 4
    streams = vector.batch.buffers.streams.copy()
    for _ in range(40):
        vector.step(np.full(4, climb.STEP))
    assert np.array_equal(vector.batch.buffers.streams, streams)
    assert vector.batch._scripted._acts == {}  # no opponent was compiled


@pytest.mark.usefixtures("known_climb")
def test_env__is_pickled_with_a_game_of_lambdas(
    climb: ModuleType,
) -> None:
    vector = AxiomVectorEnv(climb.GAME, 2)
    vector.reset(seed=3)
    twin = pickle.loads(pickle.dumps(vector))
    assert twin.batch.game is climb.GAME
    for one, other in zip(vector.step([1, 2]), twin.step([1, 2]), strict=True):
        assert repr(one) == repr(other)


def test_sb3__has_a_row_for_each_game(climb: ModuleType) -> None:
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    plain, other = (
        sb3.make_vec_env(climb.GAME, 3, seed=1, self_play_games=games, seat=seat)
        for games, seat in ((0, 0), (2, "random"))
    )
    assert other.num_envs == 3
    assert np.array_equal(plain.reset(), other.reset())
    for _ in range(50):
        actions = np.array([np.flatnonzero(row)[-1] for row in plain.action_masks()])
        for one, two in zip(plain.step(actions)[:3], other.step(actions)[:3], strict=True):
            assert np.array_equal(one, two)


def test_metadata__names_only_the_modes_that_the_game_has(climb: ModuleType) -> None:
    for made in (AxiomEnv(climb.GAME), AxiomVectorEnv(climb.GAME)):
        assert made.metadata["render_modes"] == ["ansi"]
    assert parallel_env(climb.GAME).metadata["render_modes"] == ["human", "ansi"]
    assert AxiomEnv("quantaris").metadata["render_modes"] == ["ansi", "rgb_array"]


# -- scores ----------------------------------------------------------------------------------------


@pytest.fixture
def scored(climb: ModuleType) -> KernelGame:
    """The game with `has_score`; a step pays nothing in the first turn and 1/4 in the second."""
    return replace(climb.GAME, has_score=True)


def test_single_env__tells_the_score_at_the_end(climb: ModuleType, scored: KernelGame) -> None:
    single = AxiomEnv(scored, limit=2)
    single.reset(seed=1)
    assert "score" not in single.step(climb.STEP)[4]
    info = single.step(climb.STEP)[4]
    assert info["score"] == np.float32(0.25)
    assert info["score"].dtype == np.float32
    plain = AxiomEnv(climb.GAME, limit=1)
    plain.reset(seed=1)
    assert "score" not in plain.step(climb.STEP)[4]


@pytest.mark.parametrize("mode", ["next_step", "disabled", "same_step"])
def test_vector_env__tells_the_scores_at_the_end(
    climb: ModuleType, scored: KernelGame, mode: str
) -> None:
    vector = AxiomVectorEnv(scored, 3, limit=2, tool=True, autoreset_mode=mode)
    vector.reset(seed=1)
    *_, infos = vector.step([climb.STEP, climb.REST, climb.STEP])
    assert "score" not in infos
    *_, infos = vector.step(np.full(3, climb.STEP))
    if mode == "same_step":  # the next game has begun, and its score is another one
        assert "score" not in infos
        return
    assert infos["score"].tolist() == [0.25, 0, 0.25]
    assert infos["score"].dtype == np.float32
    assert infos["_score"].tolist() == [True, True, True]


def test_vector_env__tells_no_score_of_games_in_progress(
    climb: ModuleType, scored: KernelGame
) -> None:
    vector = AxiomVectorEnv(scored, 2, tool=True)
    vector.reset(seed=1)
    vector.step([climb.STEP, climb.STEP])
    *_, infos = vector.step([climb.STEP, climb.TOOL])
    assert infos["_score"].tolist() == [False, True]
    assert infos["score"].tolist() == [0, 0]


def test_pettingzoo__tells_the_score_at_the_end(climb: ModuleType, scored: KernelGame) -> None:
    game = parallel_env(scored, limit=2)
    game.reset(seed=1)
    assert "score" not in game.step({"player_0": climb.STEP})[4]["player_0"]
    assert game.step({"player_0": climb.STEP})[4]["player_0"]["score"] == 0.25


def test_sb3__counts_the_faults(climb: ModuleType) -> None:
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    rows = sb3.make_vec_env(climb.GAME, 3, tool=True, limit=1, seed=1)
    rows.reset()
    rows.step(np.array([climb.STEP, climb.TOOL, climb.STEP]))
    rows.step(np.array([climb.TOOL, climb.TOOL, climb.STEP]))
    assert rows.ended == 6
    assert rows.faults == {FAULT.replace("30", "1"): 3}
