"""Positions and moves as text, and the drawing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.connect_four.game import GAME
from axiom_envs.connect_four.render import paint
from axiom_gym.batch import Batch

YELLOW, RED, WHITE, BLUE = (240, 190, 40), (206, 58, 48), (240, 242, 247), (38, 84, 164)


def test_describe_state__draws_the_board(place: Callable[..., Batch]) -> None:
    batch = place("....... ....... ....... ....... ...o... x..x...")
    assert batch.describe_state().splitlines() == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . o . . .",
        "x . . x . . .",
        "a b c d e f g",
        "ply 4: player_1 (o) to move",
    ]


@pytest.mark.parametrize(
    ("winner", "text"),
    [(0, "player_0 (x) has won"), (1, "player_1 (o) has won"), (2, "draw: the board is full")],
)
def test_describe_state__names_the_result(winner: int, text: str) -> None:
    batch = Batch("connect_four")
    batch.reset(1)
    batch.buffers.states["winner"] = winner
    assert batch.describe_state().splitlines()[-1] == text


def test_moves__have_a_description_and_a_letter() -> None:
    batch = Batch("connect_four")
    batch.reset(1)
    state = batch.buffers.states[0]
    assert GAME.describe_action(state, 0, [0]) == "drops a stone into column a"
    assert GAME.describe_action(state, 1, [6]) == "drops a stone into column g"
    assert GAME.sub_action_key is not None
    assert [GAME.sub_action_key(state, 0, 0, action) for action in range(7)] == list("abcdefg")


def test_paint__shows_each_stone_where_it_is(place: Callable[..., Batch]) -> None:
    text = "....... ....... ....... ....... ...o... x..x..o"
    picture = paint(place(text).buffers.states[0])
    assert picture.shape == (6 * 48, 7 * 48, 3)
    colours = {"x": YELLOW, "o": RED, ".": WHITE}
    for row, line in enumerate(text.split()):
        for column, cell in enumerate(line):
            assert tuple(picture[row * 48 + 24, column * 48 + 24]) == colours[cell]
            assert tuple(picture[row * 48 + 1, column * 48 + 1]) == BLUE
