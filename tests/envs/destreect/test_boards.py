"""Boards: those that come with the game, those in files, and the errors for mistakes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axiom_envs.destreect.boards
from axiom_envs.destreect.boards import find_board, load_board, parse_board
from axiom_envs.destreect.config import PRESETS, DestreectConfig
from axiom_envs.destreect.game import GAME
from axiom_gym.errors import ConfigError, UnknownNameError

FOLDER = Path(axiom_envs.destreect.boards.__file__).parent


@pytest.fixture
def data() -> dict[str, Any]:
    """Return the board "town" as decoded JSON."""
    found: dict[str, Any] = json.loads((FOLDER / "town.json").read_text(encoding="utf-8"))
    return found


def mistakes(data: Any) -> list[str]:
    """Return the mistakes that the error lists, line by line."""
    with pytest.raises(ConfigError) as caught:
        parse_board(data, "mine")
    first, *lines = str(caught.value).splitlines()
    assert first == f"board 'mine' has {len(lines)} mistakes:"
    return [line.strip() for line in lines]


@pytest.mark.parametrize(("name", "spaces", "cash"), [("town", 16, 600), ("city", 28, 1000)])
def test_preset__has_the_size_and_cash_of_the_rules(name: str, spaces: int, cash: int) -> None:
    config = DestreectConfig(**PRESETS[name])
    board = load_board(config.board)
    assert (len(board.spaces), config.start_cash) == (spaces, cash)
    assert {0, 1, 2, 3, 4, 5, 6} == {space.kind for space in board.spaces}
    assert {0, 1, 2, 3, 4} == {card.kind for card in board.cards}
    assert board.line_rents == (10, 25, 50, 100)


@pytest.mark.parametrize("name", ["town", "city"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_preset__works_for_any_number_of_players(name: str, players: int) -> None:
    config = DestreectConfig(**{**PRESETS[name], "players": players})
    layout = GAME.layout(config)
    assert len(GAME.agents(config)) == players
    assert layout.observation_shape == (len(layout.feature_names),)
    assert len(set(layout.feature_names)) == len(layout.feature_names)
    types = [type(value) for value in GAME.params(config)]
    shapes = [(v.dtype, v.ndim) for v in GAME.params(config) if isinstance(v, np.ndarray)]
    assert set(types) == {int, np.ndarray}
    assert {dtype for dtype, _ in shapes} == {np.dtype(np.int64)}


def test_file__is_a_board(tmp_path: Path, data: dict[str, Any], table: Callable[..., Any]) -> None:
    data["spaces"][1]["name"] = "Own Lane"
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    game = table(board=str(path), players=5)
    assert "Own Lane" in GAME.describe_state(game.state)
    assert find_board(int(game.state.board)) == load_board(str(path))
    assert load_board(str(path)).identity != load_board("town").identity


def test_file__may_have_twelve_spaces_and_a_round_pays_once(
    tmp_path: Path, data: dict[str, Any], table: Callable[..., Any]
) -> None:
    data["spaces"] = data["spaces"][:12]
    data["cards"] = [card for card in data["cards"] if card.get("space", 0) < 12]
    path = tmp_path / "small.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    game = table(board=str(path))
    game.put(8)
    game.roll(6, 6)
    assert (game.state.position[0], game.cash[0]) == (8, 700)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"\\ud800'])
def test_file__that_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"broken\.json"):
        DestreectConfig(board=str(path))


def test_name__that_is_not_known_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'city'"):
        DestreectConfig(board="citi")
    with pytest.raises(ConfigError, match="cannot be read"):
        DestreectConfig(board="nowhere.json")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", 1),
        ("players", 7),
        ("start_cash", -1),
        ("start_cash", 10_001),
        ("seat_bonus", -1),
        ("start_pay", 1001),
        ("lockup_fee", 0),
        ("turn_limit", 0),
        ("turn_limit", 2001),
        ("action_limit", 201),
        ("action_limit", 2.5),
        ("board", 7),
        ("board", None),
    ],
)
def test_config__refuses_what_is_out_of_range(field: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=field):
        DestreectConfig(**{field: value})


def test_board__error_lists_all_mistakes(data: dict[str, Any]) -> None:
    data["spaces"][1]["rents"][3] = -5
    data["spaces"][2]["price"] = "much"
    del data["spaces"][5]["house_cost"]
    data["spaces"][7]["colour"] = "red"
    data["cards"][0]["kind"] = "gift"
    data["cards"][4]["space"] = 99
    del data["line_rents"]
    assert mistakes(data) == [
        "line_rents: is missing.",
        "spaces[1].rents[3]: must be an integer from 1 to 5000, got -5.",
        "spaces[1].rents: must be in ascending order, got [54, 126, 204, -5, 372].",
        "spaces[2].price: must be an integer from 2 to 5000, got 'much'.",
        "spaces[5].house_cost: is missing.",
        "spaces[7].colour: is not a known field here; known: kind, name, amount.",
        "cards[0].kind: must be one of cash, move, lockup, repairs, collect, got 'gift'.",
        "cards[4].space: must be an integer from 0 to 15, got 99.",
    ]


PARK = {"kind": "park", "name": "Grove"}


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        (("name",), "", "name: must be a line of 1 to 80 characters, got ''."),
        (("name",), None, "name: is missing."),
        (("spaces",), {}, "spaces: must be a list, got {}."),
        (("spaces", 3), 7, "spaces[3]: must be an object, got 7."),
        (("spaces", 3, "kind"), "ferry", "spaces[3].kind: must be one of"),
        (("spaces", 3, "kind"), ["fate"], "spaces[3].kind: must be one of"),
        (("spaces", 1, "name"), "Two\nlines", "spaces[1].name: must be a line"),
        (
            ("spaces", 1, "name"),
            "Weir Lane",
            "spaces: the name 'Weir Lane' is used more than once.",
        ),
        (("spaces", 1, "rents"), [1, 2, 3], "spaces[1].rents: must have 5 to 5 entries, got 3."),
        (("spaces", 1, "rents"), 5, "spaces[1].rents: must be a list, got 5."),
        (("spaces", 1, "price"), True, "spaces[1].price: must be an integer"),
        (("spaces", 1, "price"), 1, "spaces[1].price: must be an integer from 2"),
        (("spaces", 1, "price"), None, "spaces[1].price: is missing."),
        (("spaces", 7, "amount"), 5001, "spaces[7].amount: must be an integer from 1 to 5000"),
        (("spaces", 0), PARK, "spaces: the first space, and no other, must be of kind start."),
        (("spaces", 8), {"kind": "fate", "name": "Fog"}, "spaces: one space must be of kind park"),
        (("cards", 8, "amount"), 201, "cards[8].amount: must be an integer from 1 to 200"),
        (("cards", 9, "amount"), -20, "cards[9].amount: must be an integer from 1 to 5000"),
        (("cards", 4, "space"), 3, "cards[4].space: must not be a fate or a detour, got 3."),
        (("cards", 4, "space"), 12, "cards[4].space: must not be a fate or a detour, got 12."),
        (("cards",), [], "cards: must have 1 to 24 entries, got 0."),
    ],
)
def test_board__error_names_the_mistake_and_its_place(
    data: dict[str, Any], place: tuple[Any, ...], value: Any, expected: str
) -> None:
    here = data
    for step in place[:-1]:
        here = here[step]
    here[place[-1]] = value
    assert any(line.startswith(expected) for line in mistakes(data))


def test_board__refuses_what_is_no_object() -> None:
    assert mistakes([])[0] == "must be an object, got []."


def test_board__limits_its_sizes(data: dict[str, Any]) -> None:
    many = copy.deepcopy(data)
    for number in range(33):
        street = {**data["spaces"][1], "name": f"Street {number}", "district": "Long"}
        many["spaces"].append(street)
    for number in range(4):
        many["spaces"].append({"kind": "line", "name": f"Line {number}", "price": 50})
    found = mistakes(many)
    assert "spaces: must have 12 to 40 entries, got 53." in found
    assert "spaces: must be an even number of spaces, got 53." in found
    assert "spaces: 1 to 32 must be streets or lines, got 47." in found
    assert "spaces: at most 4 may be lines, got 6." in found
    assert "spaces: district 'Long' has 33 streets, at most 4 are allowed." in found
    for number in range(33):
        many["spaces"][16 + number]["district"] = f"D{number}"
    assert "spaces: at most 10 districts, got 37." in mistakes(many)
