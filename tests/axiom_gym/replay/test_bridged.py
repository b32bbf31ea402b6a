"""A batch records plain Python games as `GameLoop` does."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.batch import Batch
from axiom_gym.game import GameLoop, Player
from axiom_gym.game.bridge import as_kernel_game
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.play.match import Match
from axiom_gym.registry import games as registry
from axiom_gym.replay import Recorder, Replay, load, verify
from axiom_gym.replay.text import narrate, show


def follow(replay: Replay, game: Any) -> Replay:
    """Return the replay of a `GameLoop` with the same decisions and agent names."""
    decisions = iter(replay.turns)

    def play(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        written = next(decisions).orders[0]
        return next(one for one in actions if [one.type, one.player_id] == list(written.values()))

    play.name = replay.header.players[0].name  # type: ignore[attr-defined]
    agents = {player.id: play for player in replay.header.players}
    return GameLoop(game, agents).run(replay.header.seed).replay


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_match__of_a_plain_game_writes_the_file_of_game_loop(race: ModuleType, seed: int) -> None:
    replay = Match(race.Race, ["random"] * 3, seed=seed).play()
    assert replay.header.plain
    assert {turn.draws for turn in replay.turns} == {0, 1}
    assert replay.to_text() == follow(replay, race.Race()).to_text()
    assert verify(replay, race.Race()).ok
    assert verify(replay, race.Race).ok
    assert verify(replay, registry.get_game(race.Race)).ok


def test_recorder__of_a_plain_game_in_any_place_of_a_batch(race: ModuleType) -> None:
    batch = Batch(race.Race, 3, autoreset="disabled", on_illegal="raise")
    batch.reset(5)
    recorder = Recorder(batch, ["x", "x"], game=2)
    while not recorder.ended:
        batch.sample_actions()
        batch.step()
        recorder.record()
        ended = batch.buffers.episodes["ended"].astype(bool)
        if ended[:2].any():
            batch.reset(None, ended & [True, True, False])
    replay = recorder.finish()
    assert replay.header.seed == 7
    assert replay.to_text() == follow(replay, race.Race()).to_text()


def test_match__truncated_by_the_environment_is_verified(
    race: ModuleType, change: Callable[..., Replay]
) -> None:
    for options in ({"max_turns": 4}, {"max_decisions": 4}):
        replay = Match(race.Race, ["random"] * 2, seed=1, lives=9, **options).play()
        assert (replay.footer.turns, replay.footer.ended) == (4, "truncated")
        assert verify(replay, race.Race()).ok
        assert not verify(change(replay, "footer", ended="terminated"), race.Race()).ok
        assert replay.header.options == {"goal": 20, "lives": 9}


def test_match__of_a_game_that_is_over_at_once_has_no_turns(race: ModuleType) -> None:
    players = [Player("player_0"), Player("player_1")]
    actions = Catalogue.of(race.Race(), players, {"goal": 20, "lives": 1})
    game = as_kernel_game(race.Race, agents=("player_0", "player_1"), catalogue=actions)
    replay = Match(game, ["random"] * 2, seed=1, goal=0).play()
    assert (replay.turns, replay.footer.ended) == ((), "terminated")
    assert verify(replay, race.Race()).ok


def test_replay__of_an_installed_plain_game_needs_nothing_else(
    race: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setitem(registry._registered, "race-v3", registry.get_game(race.Race))
    Match("race", ["random"] * 2, seed=1).play().save(tmp_path / "a.jsonl")
    loaded = load(tmp_path / "a.jsonl")
    assert verify(tmp_path / "a.jsonl").ok
    told = list(narrate(loaded))
    assert told[1].startswith("1. player_0 ")
    assert len(told) == len(loaded.turns) + 3
    assert list(show(loaded))[2].startswith("1. player_0 ")
