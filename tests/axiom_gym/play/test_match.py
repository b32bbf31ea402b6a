"""One game between players of any kind."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym import replay
from axiom_gym.batch import Batch
from axiom_gym.errors import ActionError, ConfigError, IllegalActionError, UnknownOpponentError
from axiom_gym.opponents import names as opponents
from axiom_gym.play.match import Match, MatchPlayer


def draw_legal(
    observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return legal sub-actions that are drawn from the generator."""
    assert observations.shape == (1, 93)
    assert masks.shape == (1, 3, 13)
    noise: npt.NDArray[np.float64] = rng.random(masks.shape) * masks
    return noise.argmax(axis=2)


def shield(batch: Batch, seat: int) -> list[int]:
    return [0, 0, 0]


def test_match__gives_the_same_replay_for_the_same_seed_and_players() -> None:
    texts = [
        Match("quantaris", [first, second], seed=seed, max_turns=8).play().to_text()
        for first, second, seed in [
            ("random", draw_legal, 3),
            ("random", draw_legal, 3),
            ("random", draw_legal, 4),
            (draw_legal, "random", 3),
        ]
    ]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_match__lets_equal_policies_draw_differently_on_different_seats() -> None:
    turn = next(iter(Match("quantaris", [draw_legal, draw_legal], seed=0)))
    assert turn.orders[0] != turn.orders[1]


def test_match__names_its_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Policy:
        __call__ = staticmethod(draw_legal)

    def load(path: Path) -> Callable[..., Any]:
        return draw_legal

    source = tmp_path / "agents.py"
    source.write_text("def stay(observation, mask, rng):\n    return mask.argmax(axis=1)\n")
    model = tmp_path / "best.toy"
    model.write_bytes(b"weights")
    loader = SimpleNamespace(name="toy", load=lambda: load)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [loader])
    for player, name in [
        ("random", "random"),
        (draw_legal, "draw_legal"),
        (Policy(), "Policy"),
        (MatchPlayer("Ada", shield), "Ada"),
        (model, "best.toy"),
        (str(model), "best.toy"),
        (f"{source}:stay", "agents.py:stay"),
    ]:
        match = Match("quantaris", [player, "random"], seed=0)
        assert [player.name for player in match.recorder.header.players] == [name, "random"]
        file = {"best.toy": model, "agents.py:stay": source}.get(name)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file else ""
        assert [player.model for player in match.recorder.header.players] == [digest, ""]
        next(iter(match))


def test_match__yields_each_turn_after_it_was_played() -> None:
    match = Match("quantaris", ["random", MatchPlayer("wall", shield)], seed=2, max_turns=4)
    turns = []
    for turn in match:
        turns.append(turn)
        assert match.batch.buffers.states[0].turn == turn.number + 1
        assert turn.orders[1] == (0, 0, 0)
        assert turn.hash == replay.hash_state(match.batch.buffers.states[0]).whole
    assert list(match) == []
    assert match.recorder.finish().turns == tuple(turns)


def test_match__takes_preset_and_options() -> None:
    header = Match("quantaris", ["random"] * 2, seed=0, preset="v0.1", obs="planes").recorder.header
    assert header.options == {"ruleset": "0.1", "obs": "planes", "shaping": 0.0}


def test_match__does_not_ask_a_player_with_a_single_choice() -> None:
    # In ruleset 0.1 the game continues after B has lost its last unit; here B wins later.
    asked = []

    def decide(batch: Batch, seat: int) -> npt.ArrayLike:
        asked.append(int(batch.buffers.states[0].turn))
        batch.act("random", np.array([[0, 1]], np.int16), 1)
        return batch.buffers.actions[0, seat].copy()

    players = ["random", MatchPlayer("random", decide)]
    match = Match("quantaris", players, seed=10, preset="v0.1")
    alive = []
    for turn in match:
        state = match.batch.buffers.states[0]
        if (state.hp[3:] > 0).any():
            alive.append(turn.number + 1)
    assert asked == [1, *alive]
    assert len(asked) < len(match.recorder.finish().turns)


def test_match__plays_any_number_of_players(pennies: ModuleType) -> None:
    players = ["highest", "lowest", "random"]
    footer = Match(pennies.TRIO, players, seed=1).play().footer
    assert len(footer.outcome) == 3
    assert [place.score for place in footer.rankings] == sorted(footer.outcome, reverse=True)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_match__needs_a_player_for_each_seat(count: int) -> None:
    with pytest.raises(ConfigError, match=rf"quantaris has 2 players .*, got {count}\."):
        Match("quantaris", ["random"] * count, seed=0)


def test_match__refuses_an_unknown_player() -> None:
    with pytest.raises(UnknownOpponentError, match="Did you mean 'greedy'"):
        Match("quantaris", ["greedi", "random"], seed=0)


@pytest.mark.parametrize("seed", [-1, 2**32, 0.5, None])
def test_match__refuses_a_seed_out_of_range(seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed must be an integer from 0 to 4294967295"):
        Match("quantaris", ["random", "random"], seed=seed)


@pytest.mark.parametrize(
    ("orders", "error"),
    [
        ([0, 0, 99], IllegalActionError),
        ([0, 0], ActionError),
        ([0.0, 0.0, 0.0], ActionError),
    ],
)
def test_match__plays_no_turn_with_an_illegal_sub_action(
    orders: list[float], error: type[Exception]
) -> None:
    match = Match("quantaris", [MatchPlayer("odd", lambda *_: orders), "random"], seed=0)
    before = match.batch.buffers.states.copy()
    with pytest.raises(error):
        match.play()
    assert (match.batch.buffers.states == before).all()


def test_match__of_a_sequential_game_asks_the_active_player(brawl: ModuleType) -> None:
    asked: list[int] = []

    def decide(batch: Batch, seat: int) -> Any:
        asked.append(seat)
        assert batch.to_act() == [seat]
        return [int(batch.buffers.masks[0, 0, 0].nonzero()[0][-1])]

    players = ["bully", MatchPlayer("watcher", decide), "random", "bully"]
    played = Match(brawl.GAME, players, seed=4).play()
    assert dict(played.header.options)["players"] == 4
    turns = [turn for turn in played.turns if turn.player == 1]
    assert set(asked) == {1}
    assert len(asked) == sum(turn.legal[0][0] > 1 for turn in turns)
    assert {turn.player for turn in played.turns} == {0, 1, 2, 3}
    assert all(len(turn.orders) == len(turn.legal) == 1 for turn in played.turns)
    with pytest.raises(ConfigError, match="players"):
        Match(brawl.GAME, ["random"] * 5, seed=4)


def test_match__of_bots_is_the_game_that_a_batch_plays() -> None:
    """That includes bots with a single legal choice, such as dead players of AjveCiv."""
    match, batch = Match("ajve_civ", ["random"] * 7, seed=6), Batch("ajve_civ")
    batch.reset(6)
    forced = 0
    for _ in match:
        batch.sample_actions()
        acting = batch.buffers.masks[0, : len(batch.to_act())]
        forced += int((acting.sum(axis=-1) == 1).all(axis=-1).sum())
        batch.step()
        states = match.batch.buffers.states, batch.buffers.states
        assert states[0].tobytes() == states[1].tobytes()
    assert batch.buffers.terminated[0] or batch.buffers.truncated[0]
    assert forced > 0
