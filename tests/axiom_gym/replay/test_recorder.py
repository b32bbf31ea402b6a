"""Hashes, draws and ranks; the recorder of a game of a batch."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from axiom_gym import replay
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, ResetNeededError
from axiom_gym.game import Player
from axiom_gym.kernel import record_dtype
from axiom_gym.replay import Replay
from axiom_gym.rng import SeededRNG


def test_hash_state__hashes_fields_as_little_endian_bytes() -> None:
    batch = Batch("quantaris")
    batch.reset(258)
    fields = ["0100", "00", "ff", "030405030405", "060606020202", "02" * 6, "05000500", "02010000"]
    whole = hashlib.blake2b(bytes.fromhex("".join(fields)), digest_size=8).hexdigest()
    parts = [hashlib.blake2b(bytes.fromhex(part), digest_size=2).hexdigest() for part in fields]
    found = replay.hash_state(batch.buffers.states[0])
    names = ("turn", "phase", "winner", "x", "y", "hp", "core_hp", "rng")
    assert found == (whole, names, "".join(parts))
    assert whole == "de1536e64454b481"


def test_hash_state__ignores_byte_order_and_padding() -> None:
    fields: list[tuple[Any, ...]] = [("a", np.int8), ("b", np.int32, (2,)), ("c", np.float32)]
    swapped = [(name, np.dtype(kind).newbyteorder(">"), *shape) for name, kind, *shape in fields]
    hashes = set()
    for dtype in (record_dtype(fields), np.dtype(fields), np.dtype(swapped)):
        memory = np.full(dtype.itemsize, 0xAB, np.uint8)  # the contents of the padding
        record = memory.view(dtype)
        record["a"], record["b"], record["c"] = 3, (70_000, -2), 0.5
        hashes.add(replay.hash_state(record[0]))
    assert len(hashes) == 1


def test_hash_state__ignores_padding_of_inner_records() -> None:
    inner = np.dtype([("x", np.int8), ("y", np.int16)], align=True)
    hashes = []
    for filler in (0, 0xFF):
        record = np.full(3 * inner.itemsize, filler, np.uint8).view([("units", inner, (3,))])
        record["units"]["x"], record["units"]["y"] = 1, 2
        hashes.append(replay.hash_state(record[0]))
    assert hashes[0] == hashes[1]


def test_hash_state__names_the_field_that_changed() -> None:
    batch = Batch("quantaris")
    batch.reset(0)
    state = batch.buffers.states[0]
    before = replay.hash_state(state)
    state.hp[3] -= 1
    after = replay.hash_state(state)
    at = 4 * state.dtype.names.index("hp")
    assert after.whole != before.whole
    assert after.fields[at : at + 4] != before.fields[at : at + 4]
    assert after.fields[:at] == before.fields[:at]
    assert after.fields[at + 4 :] == before.fields[at + 4 :]


@pytest.mark.parametrize("draws", [0, 1, 2, 1000])
@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_count_draws__counts_the_numbers_drawn(seed: int, draws: int) -> None:
    rng = SeededRNG(seed)
    for _ in range(draws):
        rng.next_uint32()
    assert replay.count_draws(seed, rng.state) == draws


@pytest.mark.parametrize(
    ("outcome", "places"),
    [
        ([1.0, -1.0], [("a", 1), ("b", 2)]),
        ([-1.0, 1.0], [("b", 1), ("a", 2)]),
        ([0.0, 0.0], [("a", 1), ("b", 1)]),
        ([2.0, 5.0, 2.0, 1.0], [("b", 1), ("a", 2), ("c", 2), ("d", 4)]),
    ],
)
def test_rank_players__equal_players_share_a_rank(
    outcome: list[float], places: list[tuple[str, int]]
) -> None:
    players = [Player(name) for name in "abcd"[: len(outcome)]]
    ranking = replay.rank_players(players, outcome)
    assert [(place.player.id, place.rank) for place in ranking] == places
    assert [place.score for place in ranking] == sorted(outcome, reverse=True)


def test_recorder__records_every_turn(game: Replay) -> None:
    batch = Batch("quantaris", autoreset="disabled", on_illegal="raise")
    batch.reset(game.header.seed)
    recorder = replay.Recorder(batch, ["random", "random"])
    for turn in game.turns:
        assert not recorder.ended
        batch.buffers.actions[0] = turn.orders
        batch.step()
        assert recorder.record() == turn
    assert recorder.ended
    assert recorder.finish() == game


def test_recorder__records_any_game_of_a_batch_in_any_episode() -> None:
    batch = Batch("quantaris", 3, autoreset="disabled", on_illegal="raise", max_turns=5)
    batch.reset(7)
    batch.buffers.states["rng"] += np.uint32(99)  # as if earlier games had drawn numbers
    batch.reset()
    recorders = [replay.Recorder(batch, ["a", "b"], game=i) for i in range(3)]
    for _ in range(5):
        batch.sample_actions()
        batch.step()
        for recorder in recorders:
            recorder.record()
    replays = [recorder.finish() for recorder in recorders]
    assert [one.header.seed for one in replays] == [106, 107, 108]
    assert all(replay.verify(one).ok for one in replays)
    assert len({one.footer.hash for one in replays}) == 3


def test_recorder__counts_the_draws_of_each_turn(trio: Replay) -> None:
    assert {turn.draws for turn in trio.turns[1:]} == {2}  # a coin, and whether it is the last turn
    assert trio.turns[0].draws == 1


@pytest.mark.parametrize("options", [{"autoreset": "next_step"}, {"on_illegal": "noop"}])
def test_recorder__refuses_a_batch_that_may_change_actions(options: dict[str, str]) -> None:
    batch = Batch("quantaris", **{"autoreset": "disabled", "on_illegal": "raise", **options})
    batch.reset(0)
    with pytest.raises(ConfigError, match=next(iter(options.values()))):
        replay.Recorder(batch, ["a", "b"])


def test_recorder__needs_a_whole_game_and_a_name_for_each_player() -> None:
    batch = Batch("quantaris", autoreset="disabled", on_illegal="raise")
    batch.reset(0)
    with pytest.raises(ConfigError, match="2 players, got 3"):
        replay.Recorder(batch, ["a", "b", "c"])
    recorder = replay.Recorder(batch, ["a", "b"])
    batch.step()
    recorder.record()
    with pytest.raises(ResetNeededError, match="to its end"):
        recorder.finish()
    with pytest.raises(ResetNeededError, match="begins with the game"):
        replay.Recorder(batch, ["a", "b"])
