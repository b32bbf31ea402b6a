"""Texts that users read and type, and the drawing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiom_envs.konquista import boards
from axiom_envs.konquista.chart import draw_map
from axiom_envs.konquista.game import GAME
from axiom_envs.konquista.render import paint


def sentence(game: Any, key: str) -> str:
    return GAME.describe_action(game.state, game.player, [game.choices()[key]])


def test_describe_action__of_every_kind(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="reinforce", Torvane=1)
    game.state.to_place = 3
    assert sentence(game, "torvane 1") == "places 1 army on Torvane"
    assert sentence(game, "torvane") == "places 3 armies on Torvane"
    game.hold(0, Almery=5)
    assert sentence(game, "almery > luntar") == "attacks Luntar from Almery with 5 armies"
    assert sentence(game, "stop") == "ends the attack"
    game.hold(0, phase="advance", Almery=5, Luntar=2)
    game.state.advance = game.board.borders.index((game.number["Almery"], game.number["Luntar"]))
    assert sentence(game, "advance") == "follows to Luntar with 4 armies"
    assert sentence(game, "hold") == "keeps 4 armies in Almery"
    game.hold(0, phase="fortify", Torvane=2, Quell=1)
    moves = "moves 1 army from Torvane to Quell and ends the turn"
    assert sentence(game, "torvane > quell") == moves
    assert sentence(game, "end") == "ends the turn"


def test_describe_action__accepts_any_number_in_any_phase(table: Any) -> None:
    game = table(board="island")
    for action in range(-1, game.layout.num_choices[0] + 1):
        assert GAME.describe_action(game.state, 0, [action])
        assert GAME.sub_action_key(game.state, 0, 0, action)


def test_sub_action_key__is_in_lower_case_and_no_number(table: Any) -> None:
    game = table(board="island")
    for phase in ("reinforce", "attack", "fortify"):
        game.hold(0, phase=phase, rest=0, Torvane=9, Quell=4)
        game.give(1, Brindle=2)
        for key in game.choices():
            assert key == key.lower()
            assert not key.isdigit()


def test_describe_state__shows_phase_players_and_territories(table: Any) -> None:
    game = table(board="island", players=3)
    game.hold(0, phase="reinforce", rest=2, Orvik=4, Senna=12, Maldir=1)
    game.state.place[1] = 3
    game.state.to_place = 5
    lines = GAME.describe_state(game.state).splitlines()
    assert lines[0] == "turn 1 on Island: player_0 is to place 5 armies"
    assert lines[1] == "  player_0  3 territories, 17 armies, all of Siska"
    assert lines[2] == "  player_1  eliminated, third"
    assert lines[3] == "  player_2  9 territories, 9 armies, all of Verrin, Dalmoor"
    assert any("Senna 0:12" in line for line in lines)
    assert lines[-3:] == [
        "  Verrin  +2  Torvane, Brindle, Almery, Quell",
        "  Dalmoor +3  Dorrim, Luntar, Pellow, Ragnas, Istrel",
        "  Siska   +2  Orvik, Senna, Maldir",
    ]


@pytest.mark.parametrize("board", ["island", "classic", "continent"])
def test_draw_map__shows_each_territory_at_its_place_in_100_columns(table: Any, board: str) -> None:
    game = table(board=board)
    here = game.board.territories
    game.give(1, **{one.name: 10 + t for t, one in enumerate(here)})
    lines = draw_map(game.state)
    assert max(map(len, lines)) <= 98
    assert len(lines) <= 30
    found = {}
    for t, one in enumerate(here):
        rows = [(y, line.find(f"{one.name} 1:{10 + t}")) for y, line in enumerate(lines)]
        (found[t],) = [place for place in rows if place[1] >= 0]
    for t, u in game.board.borders:  # far apart on the map is also far apart in the text
        if here[u].x - here[t].x > 20:
            assert found[t][1] < found[u][1]
        if here[u].y - here[t].y > 10:
            assert found[t][0] < found[u][0]


def test_draw_map__separates_territories_at_one_place(tmp_path: Path, table: Any) -> None:
    data = json.loads((Path(boards.__file__).parent / "island.json").read_text())
    for entry in data["territories"]:
        entry["x"], entry["y"] = 50, 30
    path = tmp_path / "heap.json"
    path.write_text(json.dumps(data))
    text = "\n".join(draw_map(table(board=str(path)).state))
    for entry in data["territories"]:
        assert len(re.findall(rf"(?<!\w){entry['name']} \d:\d+(?!\w)", text)) == 1


def test_draw_map__draws_the_borders(table: Any) -> None:
    lines = draw_map(table(board="island", seed=1).state)
    assert any(re.search(r"Almery \d:\d·+Luntar \d:\d", line) for line in lines)
    assert not any(re.search(r"Quell \d:\d·+Istrel", line) for line in lines)


def test_describe_state__of_the_end(table: Any) -> None:
    game = table(board="island", turn_limit=1)
    game.hold(0, phase="fortify", Orvik=4)
    game.play("end")
    assert "the limit has ended the game" in GAME.describe_state(game.state)
    game.state.place[1] = 2
    assert "player_0 has won" in GAME.describe_state(game.state)


def test_describe_event__of_a_conquest_and_the_end(table: Any) -> None:
    game = table(board="island")
    game.hold(0, rest=0, Almery=40)
    game.give(1, Luntar=1)
    game.play_until("almery > luntar", lambda: game.owner("Luntar") == 0)
    assert game.log[0].startswith("Almery rolls ")
    assert game.log[1:] == [
        "Luntar falls to 3 armies from Almery.",
        "player_1 is eliminated by player_0 and takes place 2.",
        "player_0 has won.",
    ]


def test_describe_event__of_an_attack_and_a_turn(table: Any) -> None:
    game = table(board="island", turn_limit=2, blitz=True)
    game.hold(0, Almery=30)
    game.play("almery > luntar")
    assert game.log[0].startswith("Almery loses ")
    assert game.log[0].endswith("Luntar loses 1 army.")
    assert game.log[1] == "Luntar falls to 3 armies from Almery."
    game.play("advance", "stop", "end")
    assert game.log == ["Turn 2: player_1 gets 5 armies."]
    game.play(next(key for key in game.choices() if not key.endswith("1")), "stop", "end")
    assert game.log == ["The limit of 2 turns ends the game."]


@pytest.mark.parametrize(("board", "players"), [("island", 2), ("continent", 6)])
def test_paint__shows_owners_and_armies(table: Any, board: str, players: int) -> None:
    game = table(board=board, players=players)
    picture = paint(game.state, game.config)
    assert (picture.dtype, picture.ndim, picture.shape[2]) == (np.uint8, 3, 3)
    assert (paint(game.state, game.config) == picture).all()
    game.state.armies[:3] = (7, 89, 123)
    game.state.armies[3] = 1234
    more = paint(game.state, game.config)
    game.state.owner[3] = (int(game.state.owner[3]) + 1) % players
    other = paint(game.state, game.config)
    assert (more != picture).any()
    # The two colours are those of the territory's disc and of the land around it.
    changed = np.argwhere((other != more).any(axis=2))
    colours = {tuple(other[y, x].tolist()) for y, x in changed}
    assert len(colours) == 2


def test_action_kinds__has_a_kind_for_each_action(table: Any) -> None:
    game = table(board="island")
    assert GAME.action_kinds is not None
    (kinds,) = GAME.action_kinds(game.config)
    assert len(kinds) == game.layout.num_choices[0]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    assert counts == {
        **{"place one": 12, "place all": 12, "attack": 40, "advance": 1, "hold": 1},
        **{"end attack": 1, "fortify": 40, "end turn": 1},
    }
