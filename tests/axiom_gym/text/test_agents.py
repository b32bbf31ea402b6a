from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from axiom_gym import replay
from axiom_gym.errors import ConfigError
from axiom_gym.game import GameLoop, KernelGameObject
from axiom_gym.opponents import as_pool
from axiom_gym.play.match import Match
from axiom_gym.registry import game_ids, get_game, make_config
from axiom_gym.replay import text
from axiom_gym.text import LlmAgent, Reply, load_llm

WRONG = '{"move": "Z 9"}'


def play(*players: Any, game: Any = "connect_four", **options: Any) -> Any:
    return Match(game, list(players), seed=1, **options).play()


def test_match__is_played_and_verified_without_the_model(model: Any, tmp_path: Path) -> None:
    ask = model()
    recorded = play(LlmAgent(ask, name="m"), "minimax2")
    assert recorded.header.players[0].name == "m"
    assert recorded.footer.ended == "terminated"
    recorded.save(tmp_path / "a.jsonl")
    calls = len(ask.chats)
    assert replay.load(tmp_path / "a.jsonl") == recorded
    assert replay.verify(tmp_path / "a.jsonl").ok
    assert len(ask.chats) == calls > 0


def test_match__gives_feedback_and_keeps_the_transcript(model: Any) -> None:
    ask = model("x" * 600, WRONG, "", Reply('{"move": "a"}', truncated=True))
    recorded = play(LlmAgent(ask, attempts=5), "random", max_turns=1)
    (turn,) = recorded.turns
    (asked,) = turn.asked
    assert asked.player == 0
    assert [one.category for one in asked.attempts] == [
        *("unparsable", "illegal", "empty", "truncated", "ok")
    ]
    assert [one.reply for one in asked.attempts][1:3] == [WRONG, ""]
    assert len({one.prompt for one in asked.attempts}) == 5
    first, second, third, fourth, fifth = ask.chats
    assert [message["role"] for message in third] == ["user", "assistant"] * 2 + ["user"]
    assert f"ends with:\n{'x' * 500}\n" in second[-1]["content"]
    assert second[0] == first[0]
    assert "Z 9 is not a legal move" in third[-1]["content"]
    assert fourth[:-1] == third[:-1]
    assert fourth[-1]["content"].startswith(third[-1]["content"])
    assert "was empty" in fourth[-1]["content"]
    assert "cut off" in fifth[-1]["content"]


def test_match__shows_the_last_turns(model: Any) -> None:
    ask = model('{"move": "d"}')
    play(LlmAgent(ask), "random", max_turns=3)
    assert (
        "1. player_0 drops a stone into column d\n2. player_1 drops" in ask.chats[1][0]["content"]
    )


def test_match__ends_with_a_forfeit_in_the_last_place(model: Any, tmp_path: Path) -> None:
    recorded = play("random", LlmAgent(model(*[WRONG] * 3)))
    assert recorded.footer.ended == "forfeit"
    assert [one.player.id for one in recorded.footer.rankings] == ["player_0", "player_1"]
    assert recorded.footer.outcome == (0.0, -1.0)
    assert recorded.turns[-1].why == "illegal"
    assert [one.category for one in recorded.turns[-1].asked[0].attempts] == ["illegal"] * 3
    recorded.save(tmp_path / "a.jsonl")
    assert replay.verify(tmp_path / "a.jsonl").ok
    shown = "\n".join(text.show(recorded, replies=True))
    assert f"  player_1 replies (illegal): {WRONG}\n2. player_1 forfeits (illegal)" in shown
    assert WRONG not in "\n".join(text.show(recorded))
    assert WRONG in "\n".join(text.narrate(recorded, replies=True))


def test_match__simultaneous_forfeits(pennies: ModuleType, model: Any) -> None:
    recorded = play(LlmAgent(model(*["?"] * 3)), "random", game=pennies.GAME)
    assert recorded.footer.ended == "forfeit"
    assert recorded.turns[-1].why == "unparsable"
    assert replay.verify(recorded, pennies.GAME).ok
    both = play(LlmAgent(model(*["?"] * 3)), LlmAgent(model(*["?"] * 3)), game=pennies.GAME)
    assert both.footer.outcome == (pennies.GAME.info.min_outcome, 0.0)
    assert [one.player for one in both.turns[-1].asked] == [0, 1]
    assert replay.verify(both, pennies.GAME).ok


@pytest.mark.slow
def test_match__goes_on_after_a_forfeit(pennies: ModuleType, model: Any) -> None:
    players = [LlmAgent(model()), LlmAgent(model(*["?"] * 3)), "random"]
    recorded = play(*players, game=pennies.TRIO)
    assert recorded.footer.ended == "terminated"
    assert recorded.footer.rankings[-1].player.id == "player_1"
    assert replay.verify(recorded, pennies.TRIO).ok


def test_match__plays_plain_games(heap: ModuleType, race: ModuleType, model: Any) -> None:
    recorded = play(LlmAgent(model()), LlmAgent(model()), game=heap.Heap)
    assert replay.verify(recorded, heap.Heap()).ok
    recorded = play(LlmAgent(model(*["?"] * 3)), "random", game=heap.Heap)
    assert recorded.footer.ended == "forfeit"
    assert recorded.footer.rankings[-1].player.id == "player_0"
    assert replay.verify(recorded, heap.Heap()).ok
    with pytest.raises(ConfigError, match="plain Python game with 4 players"):
        play(LlmAgent(model()), *["random"] * 3, game=race.Race)


def test_match__passes_exceptions_of_the_model() -> None:
    def ask(messages: Any) -> str:
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        play(LlmAgent(ask), "random")
    with pytest.raises(ConfigError, match="must return a str, got NoneType"):
        play(LlmAgent(lambda messages: None), "random")  # type: ignore[arg-type,return-value]


def test_loop__plays_plain_games(race: ModuleType, model: Any) -> None:
    ask = model(WRONG)
    loop = GameLoop(race.Race(), {"ann": LlmAgent(ask, name="m"), "bob": "random"})
    result = loop.run(seed=1)
    assert result.replay.header.players[0].name == "m"
    (asked,) = result.replay.turns[0].asked
    assert [one.category for one in asked.attempts] == ["illegal", "ok"]
    assert replay.verify(result.replay, race.Race()).ok
    prompt = ask.chats[0][0]["content"]
    assert "You play race as ann. The players, by seat: ann, bob." in prompt
    assert "# Rules\nFirst to the goal." in prompt


def test_loop__lets_others_continue_after_a_forfeit(race: ModuleType, model: Any) -> None:
    agents: dict[str, Any] = {"ann": LlmAgent(model(*["?"] * 3)), "bob": "random", "cid": "random"}
    result = GameLoop(race.Race(), agents).run(seed=1)
    assert result.incidents["ann"].illegal == 1
    assert result.rankings[-1].player.id == "ann"
    assert result.rankings[-1].score <= min(one.score for one in result.rankings)
    assert result.replay.turns[0].why == "illegal"
    assert len(result.replay.turns[0].asked[0].attempts) == 3
    assert replay.verify(result.replay, race.Race()).ok


def test_loop__plays_kernel_games(model: Any) -> None:
    agents: dict[str, Any] = {"ann": LlmAgent(model()), "bob": LlmAgent(model(*["?"] * 3))}
    result = GameLoop(KernelGameObject("connect_four"), agents).run(seed=1)
    assert result.winner is not None
    assert result.winner.id == "ann"
    assert result.rankings[-1].score == -1
    assert replay.verify(result.replay).ok


@pytest.mark.parametrize("one_by_one", [False, True])
def test_loop__takes_sub_actions_together_or_one_by_one(
    pennies: ModuleType, model: Any, one_by_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if one_by_one:
        monkeypatch.setattr("axiom_gym.play.kernel_object.MOST_JOINT_ACTIONS", 1)
    game = KernelGameObject(pennies.GAME)
    result = GameLoop(game, {"ann": LlmAgent(model()), "bob": "random"}).run(seed=1)
    assert result.incidents["ann"].illegal == 0
    assert any(turn.asked for turn in result.replay.turns)
    assert replay.verify(result.replay, pennies.GAME).ok


def test_load_llm__loads_functions_by_name(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "chat.py").write_text(
        'def ask(messages):\n    return \'{"move": "d"}\'\n\nVALUE = 1\n'
    )
    monkeypatch.chdir(tmp_path)
    recorded = play("llm:chat.py:ask", f"llm:{tmp_path}/chat.py:ask", max_turns=2)
    assert [one.name for one in recorded.header.players] == ["chat.py:ask", "chat.py:ask"]
    assert [turn.orders for turn in recorded.turns] == [((3,),), ((3,),)]
    assert load_llm("chat:ask").name == "chat:ask"
    with pytest.raises(ConfigError, match="Did you mean 'ask'"):
        load_llm("chat.py:asks")
    with pytest.raises(ConfigError, match=r"'VALUE' in 'chat\.py' is no function, but int"):
        load_llm("chat.py:VALUE")
    with pytest.raises(ConfigError, match="does not say which function"):
        load_llm("chat.py")
    with pytest.raises(ConfigError, match="llm:MODEL"):
        load_llm("")


def test_load_llm__plays_only_where_one_game_is_played(model: Any) -> None:
    with pytest.raises(ConfigError, match="only in a Match or a GameLoop"):
        as_pool("llm:json:dumps", ["random"])


@pytest.mark.parametrize("name", ["gpt-9", "ollama/llama3:8b", "bedrock/anthropic.claude-v2:0"])
def test_load_llm__asks_models_through_litellm(name: str, monkeypatch: Any) -> None:
    calls: list[Any] = []

    def completion(**given: Any) -> Any:
        calls.append(given)
        reason = "length" if len(calls) == 1 else "stop"
        content = None if len(calls) == 2 else '{"move": "d"}'
        choice = SimpleNamespace(message=SimpleNamespace(content=content), finish_reason=reason)
        return SimpleNamespace(choices=[choice])

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(completion=completion))
    recorded = play(f"llm:{name}", "random", max_turns=1)
    assert recorded.header.players[0].name == name
    categories = [one.category for one in recorded.turns[0].asked[0].attempts]
    assert categories == ["truncated", "empty", "ok"]
    assert calls[0]["model"] == name
    assert [message["role"] for message in calls[0]["messages"]] == ["user"]


def test_load_llm__names_the_extra(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(ConfigError, match=r"pip install axiom-gym\[llm\]"):
        load_llm("gpt-9")


@pytest.mark.parametrize("game_id", game_ids())
def test_forfeit__is_never_better_than_a_loss(game_id: str) -> None:
    game = get_game(game_id)
    assert math.isfinite(game.info.min_outcome)
    for preset in (None, *game.presets):
        reward = game.forfeit_reward(make_config(game, preset))
        assert reward <= min(game.info.min_outcome, 0)
