"""Recorded games in sentences."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ReplayError
from axiom_gym.game import BaseAction, GameLoop, KernelGameObject, MatchConfig
from axiom_gym.play.agents import pick_any
from axiom_gym.replay import Replay
from axiom_gym.replay.text import narrate

Matches = Callable[..., Replay]


def test_narrate__describes_sub_actions_and_events(trio: Replay) -> None:
    told = list(narrate(trio))
    assert len(told) == 1 + len(trio.turns) + 1
    assert told[0].startswith("Pennies; min_turns=2 ")
    for number, text in enumerate(told[1:-1], start=1):
        lines = text.splitlines()
        assert lines[0] == f"Turn {number}"
        assert [line[:11] for line in lines[1:4]] == [f"  player_{seat}:" for seat in range(3)]
        assert re.fullmatch(rf"  The coin shows [01] in turn {number}\.", lines[4])
        assert len(lines) == 5
    assert told[1].splitlines()[1] == "  player_0: player 0 bets 3 on 1."
    assert " first after " in told[-1]


def test_narrate__describes_random_events(trio: Replay) -> None:
    gains = {}
    for text in list(narrate(trio))[1:-1]:
        coin = re.findall(r"coin shows (.)", text)
        bets = re.findall(r"(player_.): .* bets (.) on (.)", text)
        for name, stake, side in bets:
            gain = int(stake) if [side] == coin else -int(stake)
            gains[name] = gains.get(name, 0) + gain
    assert tuple(gains.values()) == trio.footer.outcome


def test_narrate__describes_turns_and_end_of_a_game_for_one(game: Replay, four: Replay) -> None:
    told = list(narrate(game))
    assert told[1].startswith("Turn 1\n  player_0: A1 ")
    assert told[-2:] == [
        "player_0 (random) wins after 31 turns.",
        "  1. player_0 (random): 1\n  2. player_1 (random): -1",
    ]
    told = list(narrate(four))
    assert told[1].startswith("1. player_0 drops a stone into column ")
    assert told[2].startswith("2. player_1 drops a stone into column ")
    assert told[1].endswith(".")


def test_narrate__stops_where_the_game_is_not_the_recorded_one(
    game: Replay, change: Callable[..., Any]
) -> None:
    told = narrate(change(game, 3, orders=((0, 0, 0), (0, 0, 0))))
    assert [next(told) for _ in range(4)][-1].startswith("Turn 3")
    with pytest.raises(ReplayError, match="after turn 3 differs"):
        next(told)


def test_narrate__describes_actions_and_eliminations(race: ModuleType, race_match: Matches) -> None:
    replay = race_match(3, goal=40)
    told = list(narrate(replay, race.Race()))
    assert told[0].splitlines() == [
        "race; goal=40 lives=1; seed 3",
        "ann = pick_any, bob = pick_any, cid = pick_any",
    ]
    assert told[1] in ("1. ann walks.", "1. ann rolls.")
    out = [
        line.split()[0] for text in told for line in text.splitlines() if "is eliminated" in line
    ]
    assert len(out) == 2
    footer = replay.footer
    winner = footer.rankings[0].player.id
    assert told[-1].startswith(f"{winner} (pick_any) first after {footer.turns} turns.\n")
    assert [line.split()[1] for line in told[-1].splitlines()[1:]] == [
        place.player.id for place in footer.rankings
    ]


def test_narrate__describes_forfeits_and_limits(race: ModuleType, race_match: Matches) -> None:
    def crash(*_: Any) -> Any:
        raise KeyError

    loop = GameLoop(race.Race(), {"ann": crash, "bob": pick_any}, on_error="forfeit")
    told = list(narrate(loop.run(1).replay, race.Race()))
    assert told[1].splitlines() == ["1. ann forfeits (raised).", "  ann is eliminated."]
    assert told[-2] == "bob (pick_any) wins after 1 turns, where a forfeit ended the game."
    told = list(narrate(race_match(1, 2, max_turns=2, lives=9), race.Race()))
    assert told[-2].endswith(" after 2 turns, where the limit ended the game.")


def test_narrate__names_the_player_where_the_game_does_not(heap: ModuleType) -> None:
    replay = GameLoop(heap.Heap(), {"ann": pick_any, "bob": pick_any}).run(1).replay
    told = list(narrate(replay, heap.Heap()))
    assert told[1] == "1. ann takes a stone."


def test_narrate__of_a_kernel_game(four_match: Replay) -> None:
    told = list(narrate(four_match, KernelGameObject("connect_four")))
    assert told[1].startswith("1. ann drops a stone into column ")
    assert list(narrate(four_match)) == told


def test_narrate__plays_nothing_that_is_refused(
    race: ModuleType, race_match: Matches, change: Callable[..., Any]
) -> None:
    told = narrate(change(race_match(), 1, orders=("fly",)), race.Race())
    next(told)
    with pytest.raises(ReplayError, match="turn 1: fly is none of the 2 valid actions of ann"):
        next(told)


def test_narrate__stops_where_it_is_another_match(race: ModuleType, race_match: Matches) -> None:
    class Other(race.Race):  # type: ignore[misc, name-defined]
        def execute_action(self, state: Any, action: BaseAction, rng: Any) -> Any:
            return dataclasses.replace(super().execute_action(state, action, rng), goal=3)

    with pytest.raises(ReplayError, match="does not play out as recorded: the state after turn 1"):
        list(narrate(race_match(), Other()))
    with pytest.raises(ReplayError, match="this is scribble-v0"):
        list(narrate(race_match(), race.Scribble("")))
    config = MatchConfig(options={"goal": 0})
    nothing = GameLoop(race.Race(), {"ann": pick_any, "bob": pick_any}, config).run(1).replay
    assert len(list(narrate(nothing, race.Race()))) == 3
