"""Failures of agents, their consequences, and the events that listeners get."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.game import BaseAction, GameLoop, GameResult, MatchConfig, Player
from axiom_gym.play.events import (
    ActionTaken,
    Event,
    GameEnded,
    GameStarted,
    InvalidAction,
    PlayerEliminated,
    TurnStarted,
)
from axiom_gym.play.result import Incidents

# Agents raise on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::axiom_gym.errors.AgentWarning")

Play = Callable[..., GameResult]


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def roll(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[1]


def fly(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return BaseAction("fly", player_id)


def crash(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    raise KeyError("lost")


def failing(times: int, failure: Callable[..., Any] = crash) -> Callable[..., Any]:
    """Return an agent that fails this many times in each decision, and then walks."""
    left = [times]

    def agent(*args: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            return failure(*args)
        left[0] = times
        return walk(*args)

    return agent


# Retries, fallbacks, forfeits


@pytest.mark.parametrize(("failure", "problem"), [(crash, "raised"), (fly, "illegal")])
def test_retries__give_an_agent_further_chances(play: Play, failure: Any, problem: str) -> None:
    result = play(1, ann=failing(2, failure), bob=walk, goal=3, retries=2)
    assert result.reason == "over"
    assert result.incidents["ann"] == Incidents(**{problem: 6})
    assert result.incidents["bob"] == Incidents()
    assert {turn.fallback for turn in result.replay.turns} == {()}


@pytest.mark.parametrize(("failure", "problem"), [(crash, "raised"), (fly, "illegal")])
def test_forfeit__follows_the_last_retry_by_default(play: Play, failure: Any, problem: str) -> None:
    result = play(1, ann=walk, bob=failing(3, failure), retries=2)
    assert result.reason == "forfeit"
    assert result.winner == Player("ann", "walk")
    assert [(place.player.id, place.rank) for place in result.rankings] == [("ann", 1), ("bob", 2)]
    assert result.incidents["bob"] == Incidents(**{problem: 3}, forfeits=1)
    last = result.replay.turns[-1]
    assert (last.player, last.why, last.number, last.orders) == (1, problem, 2, ())
    assert result.replay.footer.ended == "forfeit"


def test_forfeit__of_one_of_three_lets_the_others_play_on(play: Play) -> None:
    result = play(1, ann=walk, bob=crash, cid=walk, goal=5)
    assert result.reason == "over"
    assert result.winner == Player("ann", "walk")
    assert [place.player.id for place in result.rankings] == ["ann", "cid", "bob"]
    assert result.final_state.eliminated == ("bob",)
    assert [turn.player for turn in result.replay.turns[:5]] == [0, 1, 2, 0, 2]
    assert result.incidents["bob"] == Incidents(raised=1, forfeits=1)


def test_forfeit__of_all_but_one_ends_the_match(play: Play) -> None:
    result = play(1, ann=crash, bob=walk, cid=crash, dan=crash)
    assert (result.reason, result.winner) == ("forfeit", Player("bob", "walk"))
    assert [place.player.id for place in result.rankings] == ["bob", "dan", "cid", "ann"]
    assert [place.rank for place in result.rankings] == [1, 2, 3, 4]


def test_forfeit__ends_a_match_whose_game_knows_no_elimination(race: ModuleType) -> None:
    agents = {"ann": crash, "bob": walk, "cid": walk}
    result = GameLoop(race.Scribble(""), agents).run(1)
    assert (result.reason, result.winner, len(result.replay.turns)) == ("forfeit", None, 1)
    assert result.turns == 0
    assert [(place.player.id, place.rank) for place in result.rankings] == [
        ("bob", 1),
        ("cid", 1),
        ("ann", 3),
    ]


def test_forfeit__ends_a_match_whose_game_ignores_eliminations(race: ModuleType) -> None:
    class Stubborn(race.Race):  # type: ignore[misc, name-defined]
        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            after = super().execute_action(state, action, rng)
            return race.replace(after, active_player_id="ann")

    agents = {"ann": crash, "bob": walk, "cid": walk}
    result = GameLoop(Stubborn(), agents).run(1)
    assert (result.reason, result.replay.turns[-1].player) == ("forfeit", 1)
    assert result.rankings[-1].player.id == "ann"


def test_forfeit__calls_eliminate_if_the_game_has_it(race: ModuleType) -> None:
    class Kind(race.Race):  # type: ignore[misc, name-defined]
        def eliminate(self, state: Any, player_id: str, rng: Any) -> Any:
            if state.turn > 1:
                return None
            return race.replace(
                state, eliminated=(player_id,), active_player_id="cid", steps=(7, 7, 7)
            )

    result = GameLoop(Kind(), {"ann": crash, "bob": walk, "cid": walk}).run(1)
    assert result.replay.turns[1].player == 2
    assert min(result.final_state.steps) == 7
    result = GameLoop(Kind(), {"ann": walk, "bob": crash, "cid": walk}).run(1)
    assert (result.reason, len(result.replay.turns)) == ("forfeit", 2)


def test_forfeit__of_a_single_player_ends_the_match(race: ModuleType) -> None:
    result = GameLoop(race.Scribble(""), {"ann": crash}).run(1)
    assert (result.reason, result.winner) == ("forfeit", None)
    assert [place.player.id for place in result.rankings] == ["ann"]


def test_fallback__random_takes_a_valid_action_that_the_seed_decides(play: Play) -> None:
    texts = [
        play(seed, ann=crash, bob=fly, fallback="random", lives=99).replay.to_text()
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]
    result = play(1, ann=crash, bob=fly, fallback="random", retries=1, lives=99)
    turns = result.replay.turns
    assert all(turn.fallback == (turn.player,) for turn in turns)
    assert {turn.orders[0]["type"] for turn in turns} == {"walk", "roll"}
    count = sum(turn.player == 0 for turn in turns)
    assert result.incidents["ann"] == Incidents(raised=2 * count, fallbacks=count)
    assert result.incidents["bob"].illegal == 2 * result.incidents["bob"].fallbacks


def test_fallback__may_be_another_agent(play: Play) -> None:
    result = play(1, ann=crash, bob=walk, goal=2, fallback=walk)
    assert (result.reason, result.winner) == ("over", Player("ann", "crash"))
    assert [turn.fallback for turn in result.replay.turns] == [(0,), (), (0,)]
    assert result.incidents["ann"] == Incidents(raised=2, fallbacks=2)


def test_fallback__that_fails_too_means_a_forfeit(play: Play) -> None:
    events: list[Event] = []
    result = play(1, ann=crash, bob=walk, fallback=fly, listeners=[events.append])
    assert (result.reason, result.replay.turns[0].why) == ("forfeit", "illegal")
    assert result.incidents["ann"] == Incidents(raised=1, fallbacks=1, forfeits=1)
    failures = [event for event in events if isinstance(event, InvalidAction)]
    assert [(event.problem, event.by) for event in failures] == [
        ("raised", "agent"),
        ("illegal", "fallback"),
    ]


def test_agents__that_exit_or_are_interrupted_stop_the_match(play: Play) -> None:
    for stop in (KeyboardInterrupt, SystemExit):

        def leave(*_: Any, stop: type[BaseException] = stop) -> Any:
            raise stop

        for limit in (None, 30):
            with pytest.raises(stop):
                play(1, ann=leave, bob=walk, retries=5, time_limit_s=limit)


@pytest.mark.parametrize("limit", [None, 3600])
def test_agents__that_run_out_of_moves_have_failed(race: ModuleType, limit: float | None) -> None:
    moves = iter(["walk"])

    def scripted(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return BaseAction(next(moves), player_id)

    loop = GameLoop(race.Race(), {"ann": scripted, "bob": walk}, MatchConfig(time_limit_s=limit))
    assert loop.run(1).incidents["ann"] == Incidents(raised=1, forfeits=1)
    assert asyncio.run(loop.run_async(1)).incidents["ann"] == Incidents(raised=1, forfeits=1)


# Views


def test_view__is_what_agents_see_and_listeners_do_not(race: ModuleType) -> None:
    seen = []

    class Fog(race.Race):  # type: ignore[misc, name-defined]
        def view(self, state: Any, player_id: str) -> Any:
            return (player_id, state.turn)

    def blind(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        seen.append(state)
        return actions[0]

    events: list[Event] = []
    GameLoop(Fog(), {"ann": blind, "bob": blind}, listeners=[events.append]).run(1)
    assert seen[:2] == [("ann", 1), ("bob", 2)]
    started = [event for event in events if isinstance(event, TurnStarted)]
    assert {type(event.state) for event in started} == {race.RaceState}


# Listeners


def test_listeners__get_all_events_in_order(play: Play) -> None:
    events: list[Event] = []
    result = play(3, ann=failing(1), bob=roll, retries=1, goal=30, listeners=[events.append])
    kinds = [type(event) for event in events]
    assert kinds[:7] == [
        GameStarted,
        TurnStarted,
        InvalidAction,
        ActionTaken,
        TurnStarted,
        ActionTaken,
        TurnStarted,
    ]
    assert kinds[-3:] == [ActionTaken, PlayerEliminated, GameEnded]
    assert events[-1] == GameEnded(result=result)
    assert events[-2] == PlayerEliminated(turn=result.turns, player_id="bob", reason="rules")


def test_listeners__are_told_what_happened(play: Play, race: ModuleType) -> None:
    events: list[Event] = []
    play(1, ann=failing(1), bob=fly, retries=1, listeners=[events.append])
    started, turn, invalid, taken = events[:4]
    assert isinstance(started, GameStarted)
    assert (started.metadata, started.seed) == (race.Race.metadata, 1)
    assert started.players == (Player("ann", "agent"), Player("bob", "fly"))
    assert isinstance(turn, TurnStarted)
    assert (turn.turn, turn.player_id, len(turn.valid_actions)) == (1, "ann", 2)
    assert turn.state == started.state
    assert invalid == InvalidAction(
        turn=1, player_id="ann", problem="raised", by="agent", attempt=1, detail="KeyError: 'lost'"
    )
    assert isinstance(taken, ActionTaken)
    assert (taken.action, taken.by, taken.description) == (
        BaseAction("walk", "ann"),
        "agent",
        "ann walks.",
    )
    assert (taken.turn, taken.state.turn) == (1, 2)
    failures = [event for event in events if isinstance(event, InvalidAction)][1:]
    assert [(event.attempt, event.problem) for event in failures] == [
        (1, "illegal"),
        (2, "illegal"),
    ]
    assert "BaseAction(type='fly', player_id='bob') is none of the 2 valid" in failures[0].detail
    assert events[-2] == PlayerEliminated(turn=2, player_id="bob", reason="forfeit")


def test_listeners__that_raise_do_no_harm(play: Play) -> None:
    heard: list[Event] = []

    def grumble(event: Event) -> None:
        if isinstance(event, GameStarted | GameEnded):
            raise ValueError("no microphone")

    with pytest.warns(
        RuntimeWarning, match=r"grumble raised ValueError \(no microphone\)"
    ) as found:
        result = play(1, listeners=[grumble, heard.append])
    assert [str(warning.message).split(" at ")[1] for warning in found] == [
        "GameStarted; the match continues.",
        "GameEnded; the match continues.",
    ]
    assert result.replay == play(1).replay
    assert len(heard) == 2 + 2 * len(result.replay.turns) + len(result.final_state.eliminated)


def test_listeners__change_nothing(play: Play) -> None:
    assert play(1, listeners=[lambda event: "x"]).replay == play(1).replay


def test_incidents__start_at_zero_in_each_match(race: ModuleType) -> None:
    loop = GameLoop(race.Race(), {"ann": crash, "bob": walk}, MatchConfig(fallback=walk))
    assert loop.run(1).incidents == loop.run(1).incidents
