"""Texts and drawings of Destreect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiom_envs.destreect import boards, log
from axiom_envs.destreect.boards import find_board
from axiom_envs.destreect.chart import draw_ring
from axiom_envs.destreect.game import GAME
from axiom_envs.destreect.render import paint

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("roll", "rolls the dice"),
        ("pay", "pays the fee of the lock-up"),
        ("buy", "buys Kiln Street for 200"),
        ("decline", "declines Kiln Street, so that it is auctioned"),
        ("raise 10", "bids 40 for Kiln Street"),
        ("raise 50", "bids 80 for Kiln Street"),
        ("pass", "passes in the auction of Kiln Street"),
        ("end", "ends the turn"),
        ("build 1", "builds a house on Rope Lane for 60"),
        ("sell 1", "sells a house of Rope Lane for 30"),
        ("mortgage 4", "mortgages Mill Ferry for 75"),
        ("redeem 4", "redeems Mill Ferry for 83"),
    ],
)
def test_action__is_a_sentence(table: Make, key: str, text: str) -> None:
    game = table()
    game.put(5)
    game.state.bid = 30
    assert GAME.describe_action(game.state, 0, [game.keys.index(key)]) == text


def test_actions__have_different_keys_and_all_a_text(preset: str, table: Make) -> None:
    game = table(preset=preset)
    every = range(len(game.keys))
    assert len(set(game.keys)) == len(game.keys)
    assert all(key == key.lower() and not key.isdigit() for key in game.keys)
    assert all(GAME.describe_action(game.state, 0, [action]) for action in every)
    assert GAME.describe_action(game.state, 0, [-1]) == "does nothing"


def test_state__names_the_acting_player_and_the_decision(table: Make) -> None:
    game = table(players=3)
    assert GAME.describe_state(game.state).startswith("turn 1 of player_0: player_0 is to roll\n")
    game.roll(2, 3)
    first = "turn 1 of player_0, dice 2 3: "
    assert GAME.describe_state(game.state).startswith(f"{first}player_0 is offered Kiln Street\n")
    game.do("decline", "raise 50")
    text = f"{first}auction of Kiln Street: bid 50 of player_1, player_2 is to bid\n"
    assert GAME.describe_state(game.state).startswith(text)
    game.do("pass", "pass")
    assert GAME.describe_state(game.state).startswith(f"{first}player_0 manages\n")


def test_state__shows_the_ring_and_the_players(table: Make) -> None:
    game = table(players=3)
    game.give(2, 5, 6, houses=2)
    game.give(1, 4, mortgaged=True)
    game.set_cash(10, 20, 30)
    game.put(5, 8, 5)
    game.state.locked[1] = 2
    lines = GAME.describe_state(game.state).splitlines()
    assert max(map(len, lines)) <= 98
    cells = [re.findall(r"[^|+]+", line) for line in lines]
    row = next(y for y, line in enumerate(lines) if line.startswith("|5B Kiln Street"))
    assert cells[row + 2][0].split() == ["p2", "##", "@0@2"]
    row = next(y for y, line in enumerate(lines) if line.startswith("|4- Mill Ferry"))
    assert cells[row + 2][0].split() == ["p1", "m"]
    assert [cell.strip() for cell in cells[row][-2:]] == ["1A Rope Lane", "0 Market Cross"]
    assert [cell.strip() for cell in cells[row + 2][-2:]] == ["120", "start"]
    assert any("B Kiln Street    200   100 90/210/340/480/620" in line for line in lines)
    assert lines[-3:] == [
        "player_0 has 10 and 0 deeds",
        "player_1 has 20 and 1 deeds, locked up with 1 failed rolls",
        "player_2 has 30 and 2 deeds",
    ]


@pytest.mark.parametrize("preset", ["town", "city"])
def test_draw_ring__shows_each_space_once_within_98_columns(preset: str, table: Make) -> None:
    game = table(preset=preset, players=6)
    game.put(*range(6))
    lines = draw_ring(game.state)
    assert max(map(len, lines)) <= 98
    text = "\n".join(lines)
    for place in range(len(find_board(int(game.state.board)).spaces)):
        assert len(re.findall(rf"\|{place}[A-F-]? ", text)) == 1
    for seat in range(6):
        assert len(re.findall(rf"[^:] *@{seat}\|", text)) == 1


def test_draw_ring__puts_the_rents_below_a_small_ring(tmp_path: Path, table: Make) -> None:
    data = json.loads((Path(boards.__file__).parent / "town.json").read_text())
    data["spaces"] = data["spaces"][:12]
    data["cards"] = [card for card in data["cards"] if card.get("space", 0) < 12]
    path = tmp_path / "small.json"
    path.write_text(json.dumps(data))
    lines = draw_ring(table(board=str(path)).state)
    last = max(y for y, line in enumerate(lines) if line.startswith("+"))
    assert lines[last + 1].startswith("street ")


def test_state__shows_debts_and_bankrupt_players(table: Make) -> None:
    game = table(players=3)
    game.give(0, 1)
    game.set_cash(10)
    game.roll(4, 3)
    text = GAME.describe_state(game.state)
    assert "player_0 owes the bank 200 for tax" in text
    game.do("mortgage 1")
    assert "player_0 is bankrupt" in GAME.describe_state(game.state)


def test_events__are_sentences_or_repeat_the_action(table: Make) -> None:
    game = table(players=3)
    game.give(1, 5)
    game.give(0, 1)
    game.set_cash(80)
    game.roll(2, 3)
    assert game.log == [
        "player_0 rolls 2 and 3.",
        "player_0 moves to Kiln Street.",
        "player_0 owes player_1 90 for rent.",
    ]
    game.do("mortgage 1")
    assert game.log == ["player_0 pays player_1 90 for rent."]
    game.do("end")
    assert game.log == ["player_1 is next."]
    repeats = [log.BOUGHT, log.DECLINED, log.RAISED, log.PASSED]
    repeats += [log.BUILT, log.SOLD, log.MORTGAGED, log.REDEEMED]
    for kind in range(1, 26):
        row = [kind, 0, 1, 2, 1, 0, 0, 0]
        assert bool(GAME.describe_event(game.state, row)) != (kind in repeats)


@pytest.mark.parametrize(("name", "size"), [("town", (311, 311)), ("city", (497, 497))])
def test_picture__shows_the_position(table: Make, name: str, size: tuple[int, int]) -> None:
    game = table(preset=name, players=6)
    pictures = [paint(game.state, game.config)]
    assert (pictures[0].shape, pictures[0].dtype) == ((*size, 3), np.uint8)
    game.give(2, 5, 6, houses=1)
    pictures.append(paint(game.state, game.config))
    game.give(3, 1)
    pictures.append(paint(game.state, game.config))
    game.give(3, 1, mortgaged=True)
    pictures.append(paint(game.state, game.config))
    game.put(1, 2, 3, 4, 5, 6)
    pictures.append(paint(game.state, game.config))
    game.state.alive[5] = 0
    pictures.append(paint(game.state, game.config))
    assert len({picture.tobytes() for picture in pictures}) == 6
