"""The OpenEnv server of all games. The extra `openenv` needs an environment of its own."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv.core.env_server", reason="needs the extra openenv")

from starlette.testclient import TestClient

from axiom_gym.adapters.openenv.environment import GameEnvironment, MoveAction, scale
from axiom_gym.adapters.openenv.server import app
from axiom_gym.errors import ConfigError, ResetNeededError, UnknownNameError
from axiom_gym.registry import game_ids, get_game

pytestmark = pytest.mark.filterwarnings("default")  # the libraries of others warn


def play(env: GameEnvironment, seed: int) -> list[Any]:
    """Play random legal moves; return all observations."""
    draw = random.Random(seed)
    seen = [env.reset(seed=seed)]
    while not seen[-1].done:
        seen.append(env.step(MoveAction(move=draw.choice(seen[-1].legal_moves))))
    return seen


def test_action__has_one_required_field() -> None:
    assert MoveAction.model_json_schema()["required"] == ["move"]


def test_episode__pays_at_the_end_only() -> None:
    env = GameEnvironment()
    for seed in range(5):
        seen = play(env, seed)
        assert [one.reward for one in seen[:-1]] == [0.0] * (len(seen) - 1)
        assert seen[-1].reward in (0.0, 0.5, 1.0)
        assert seen[-1].reward == (seen[-1].metadata["outcome"] + 1) / 2
        assert [one.turn for one in seen[:3]] == [0, 2, 4]
        assert env.state.step_count == len(seen) - 1
        assert (env.state.game, env.state.seed) == ("connect_four", seed)


def test_reset__gives_the_same_game_for_the_same_seed() -> None:
    assert play(GameEnvironment(), 3) == play(GameEnvironment(), 3)
    assert play(GameEnvironment(), 3) != play(GameEnvironment(), 4)


def test_reset__chooses_game_seat_and_opponent() -> None:
    env = GameEnvironment()
    seen = env.reset(seed=1, game="connect_four", opponent="minimax2", seat=1)
    assert env.state.player == "player_1"
    assert seen.turn == 1
    with pytest.raises(UnknownNameError, match="opponent"):
        env.reset(opponent="runs/secret.zip")
    with pytest.raises(UnknownNameError, match="game"):
        env.reset(game="evil.py:GAME")
    with pytest.raises(ConfigError, match="seat must be an integer from 0 to 1"):
        env.reset(seat=2)
    with pytest.raises(ConfigError, match="seed"):
        env.reset(seed=2**32)


def test_step__gives_feedback_and_forfeits() -> None:
    env = GameEnvironment()
    with pytest.raises(ResetNeededError):
        env.step(MoveAction(move="a"))
    env.reset(seed=1)
    seen = env.step(MoveAction(move="I play a"))
    assert seen.metadata["category"] == "unparsable"
    assert "No move was found" in seen.prompt
    assert seen.attempts_left == 2
    seen = env.step(MoveAction(move="a", metadata={"truncated": True}))
    assert seen.metadata["category"] == "truncated"
    seen = env.step(MoveAction(move='{"move": "z"}'))
    assert (seen.done, seen.reward, seen.metadata["forfeited"]) == (True, 0.0, True)
    with pytest.raises(ResetNeededError):
        env.step(MoveAction(move="a"))


def test_observation__may_leave_out_the_legal_moves() -> None:
    seen = GameEnvironment(legal_moves=False).reset(seed=1)
    assert seen.legal_moves == []
    assert "Legal" not in seen.prompt


def test_tasks__are_games_and_seeds() -> None:
    env = GameEnvironment()
    assert env.list_splits() == game_ids()
    assert env.num_tasks("connect_four-v0") == 2**32
    task = env.get_task("connect_four-v0", 7)
    assert task == {"id": "connect_four-v0-7", "index": 7, "game": "connect_four-v0", "seed": 7}
    env.reset(split=task["game"], index=task["index"])
    assert (env.state.game, env.state.seed) == ("connect_four-v0", 7)
    with pytest.raises(IndexError):
        env.get_task("connect_four-v0", 2**32)


@pytest.mark.parametrize("game_id", game_ids())
def test_scale__is_from_0_to_1(game_id: str) -> None:
    info = get_game(game_id).info
    assert (scale(info.min_outcome, info), scale(info.max_outcome, info)) == (0.0, 1.0)
    assert scale(info.min_outcome - 1, info) == 0.0


def _session(seed: int) -> tuple[list[str], float]:
    """Play a game through the server; return all boards and the reward."""
    draw, boards = random.Random(seed), []
    with TestClient(app) as client, client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"seed": seed}})
        data = socket.receive_json()["data"]
        while not data["done"]:
            boards.append(data["observation"]["board"])
            move = draw.choice(data["observation"]["legal_moves"])
            socket.send_json({"type": "step", "data": {"move": move}})
            data = socket.receive_json()["data"]
    return boards, data["reward"]


def test_server__keeps_concurrent_sessions_apart() -> None:
    alone = [_session(seed) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(_session, range(6))) == alone
    for seed, (boards, reward) in enumerate(alone):
        seen = play(GameEnvironment(), seed)
        assert [one.board for one in seen[:-1]] == boards
        assert seen[-1].reward == reward


def test_manifest__passes_the_static_check(tmp_path: Path) -> None:
    spec = find_spec("axiom_gym.adapters.openenv")
    assert spec is not None
    assert spec.origin is not None
    command = [str(Path(sys.executable).with_name("openenv")), "validate"]
    command += [str(Path(spec.origin).parent), "--level", "static", "--skip-build"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "PASS  static.manifest" in done.stdout
    assert "Verdict: PASS" in done.stdout
