"""Matches on the terminal: narration, boards, and taking back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.commands.human import Quit
from axiom_gym.commands.session import Session
from axiom_gym.play.match import Match
from axiom_gym.replay.format import Replay


def answering(lines: str) -> Callable[[str], str]:
    """Return a person who types these lines, and then ends the input."""
    answers: Iterator[str] = iter(lines.split())

    def ask(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    return ask


def play(game: Any, seats: list[str], lines: str, /, **settings: Any) -> Replay:
    return Session(game, seats, ask=answering(lines), **settings).play()


def test_session__shows_boards_only_to_people_and_at_the_end(
    brawl: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    play(brawl.GAME, ["bully", "random"], "", seed=1, players=2)
    bots = capsys.readouterr().out
    assert bots.count(", lives [") == 1
    assert "1. player_0 strikes 1 ahead.\n2. player_" in bots
    with pytest.raises(Quit):
        play(brawl.GAME, ["human", "bully"], "0 0", seed=1, players=2)
    assert capsys.readouterr().out.count(", lives [") == 3


def high_board(state: Any) -> str:
    """Return a board of more lines than one that is printed before each decision."""
    return "\n".join(["board", *("." * 12)])


@pytest.mark.parametrize(
    ("typed", "boards"),
    [
        ("0 0", 3),  # the other moved in between
        ("0 v 0", 4),  # and once on request
        ("0 u 0", 4),  # again after a turn was taken back
    ],
)
def test_session__repeats_a_high_board_only_if_others_moved(
    brawl: ModuleType,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    boards: int,
) -> None:
    game = dataclasses.replace(brawl.GAME, describe_state=high_board)
    with pytest.raises(Quit):
        play(game, ["human", "bully"], typed, seed=1, players=2)
    assert capsys.readouterr().out.count("board") - 1 == boards  # the hint has the word


@pytest.mark.parametrize(("lines", "boards"), [(12, 3), (13, 1)])
def test_begin_decision__in_a_row_prints_only_small_boards(
    brawl: ModuleType, capsys: pytest.CaptureFixture[str], lines: int, boards: int
) -> None:
    game = dataclasses.replace(brawl.GAME, describe_state=lambda _: "\n".join(["#"] * lines))
    session = Session(game, ["human", "bully"], ask=answering(""), seed=1, players=2)
    for _ in range(3):
        session.begin_decision(0)
    assert capsys.readouterr().out.count("#") == boards * lines


def test_session__shows_people_what_their_seats_see(
    brawl: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    game = dataclasses.replace(
        brawl.GAME,
        describe_view=lambda _, seat: f"view of {seat}",
        describe_turn_seen=lambda *turn: ([f"seen by {turn[2]}"], ["a sound"]),
    )
    with pytest.raises(Quit):
        play(game, ["bully", "human"], "0", seed=1, players=2)
    text = capsys.readouterr().out
    assert "seen by 1. a sound." in text
    assert text.count("view of 1") == 2
    assert ", lives [" not in text
    assert "strikes" not in text.partition("view of 1")[0]


@pytest.mark.parametrize("typed", ["0 u 1 0 u 0 0 0 0", "1 0 u u 1 0 0 0 0"])
def test_session__after_taking_back_plays_as_if_nothing_was_undone(
    brawl: ModuleType, typed: str
) -> None:
    settings = {"seed": 4, "players": 3, "turn_limit": 12, "lives": 9}
    straight = play(brawl.GAME, ["human", "random", "bully"], "1 0 0 0 0", **settings)
    undone = play(brawl.GAME, ["human", "random", "bully"], typed, **settings)
    assert undone == straight
    assert [turn.orders[0][0] for turn in straight.turns if turn.player == 0] == [
        1, 0, 0, 0, 0
    ]  # fmt: skip


def test_session__takes_back_parts_people_and_turns(
    raft: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a simultaneous game `u` undoes a part, then the other person's move, then a turn."""
    people = ["human", "human"]
    settings = {"seed": 2, "players": 2, "turns": 2, "danger": 0}
    straight = play(raft.GAME, people, "0 1 1 2 1 1 0 0", **settings)
    capsys.readouterr()
    undone = play(raft.GAME, people, "u 0 2 u 1 1 u 0 1 u u 0 1 1 2 u 0 1 1 2 1 1 0 0", **settings)
    assert undone == straight
    assert "There is no earlier decision to take back." in capsys.readouterr().out


def test_match__restores_the_generators_of_callables(brawl: ModuleType) -> None:
    def policy(observations: Any, masks: Any, rng: Any) -> Any:
        return rng.integers(0, 2, masks.shape[:2])

    def play_on(undo: bool) -> Replay:
        match = Match(brawl.GAME, [policy, "random"], seed=3, players=2)
        turns = iter(match)
        next(turns)
        moment = match.get_state()
        if undo:
            for _ in range(3):
                next(turns)
            match.set_state(moment)
        return match.play()

    assert play_on(True) == play_on(False)
