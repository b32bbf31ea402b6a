"""Maps: the three that come with the game, and the errors for a map with mistakes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_envs.konquista.boards import find_board, load_board
from axiom_envs.konquista.config import PRESETS, KonquistaConfig
from axiom_envs.konquista.constants import BOARDS
from axiom_envs.konquista.game import GAME
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, StateError

SQUARE: dict[str, Any] = {
    "title": "Square",
    "regions": [{"name": "West", "bonus": 1}, {"name": "East", "bonus": 2}],
    "territories": [
        {"name": "Anra", "region": "West", "x": 20, "y": 20, "borders": ["Belo", "Cirn"]},
        {"name": "Belo", "region": "East", "x": 60, "y": 20, "borders": ["Anra", "Dusk"]},
        {"name": "Cirn", "region": "West", "x": 20, "y": 60, "borders": ["Anra", "Dusk"]},
        {"name": "Dusk", "region": "East", "x": 60, "y": 60, "borders": ["Cirn", "Belo"]},
    ],
    "armies": {"2": [4, 5]},
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], str]:
    """Return a function that writes a map's content into a file and returns its path."""

    def make(data: Any) -> str:
        path = tmp_path / "board.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return str(path)

    return make


SIZES = {"island": (12, 3, {2, 3}), "classic": (24, 5, {2, 3, 4, 5, 6})}
SIZES["continent"] = (42, 6, {2, 3, 4, 5, 6})


@pytest.mark.parametrize("name", BOARDS)
def test_boards__are_as_the_card_says(name: str) -> None:
    board = load_board(name)
    assert SIZES[name] == (len(board.territories), len(board.regions), set(board.armies))
    degrees = [len(here.neighbours) for here in board.territories]
    assert (min(degrees), max(degrees) <= 6) == (2, True)
    assert len(board.borders) == sum(degrees)
    assert list(board.borders) == sorted(board.borders)


def test_boards__have_different_territory_names() -> None:
    names = [here.name for board in BOARDS for here in load_board(board).territories]
    assert len(set(names)) == len(names)


def test_boards__every_preset_works_with_every_number_of_players() -> None:
    for preset, values in PRESETS.items():
        for players in load_board(preset).armies:
            config = KonquistaConfig(**{**values, "players": players})
            assert GAME.agents(config) == tuple(f"player_{seat}" for seat in range(players))


def test_board__from_a_file_can_be_played(write: Callable[[Any], str]) -> None:
    batch = Batch(GAME, 4, board=write(SQUARE), turn_limit=9)
    batch.reset(5)
    assert batch.layout.num_choices == (2 * 4 + 2 * 8 + 4,)
    assert "Square" in batch.describe_state()
    for _ in range(30):
        batch.sample_actions()
        batch.step()
    assert batch.buffers.states["owner"][:, 4:].max() == -1


def test_board__fingerprint_depends_on_the_content(write: Callable[[Any], str]) -> None:
    first = load_board(write(SQUARE))
    spaced = load_board(write(json.dumps(SQUARE, indent=3)))
    changed = copy.deepcopy(SQUARE)
    changed["regions"][0]["bonus"] = 3
    other = load_board(write(changed))
    assert first.fingerprint == spaced.fingerprint != other.fingerprint
    assert find_board(other.fingerprint).regions[0].bonus == 3


def test_find_board__refuses_a_board_that_is_not_loaded() -> None:
    with pytest.raises(StateError, match="fingerprint 1,"):
        find_board(1)


def broken(**changes: Any) -> dict[str, Any]:
    """Return the square map with changes such as `territories__0__x=5`; None removes a field."""
    data = copy.deepcopy(SQUARE)
    for place, value in changes.items():
        *path, last = [int(part) if part.isdigit() else part for part in place.split("__")]
        entry: Any = data
        for part in path:
            entry = entry[part]
        if value is None:
            del entry[last]
        else:
            entry[last] = value
    return data


MISTAKES = [
    ([], "the file: must be an object"),
    (broken(title=None), "title: is missing"),
    (broken(title=" "), "title: must be a string that is not empty, got ' '"),
    (broken(colour="red"), "colour: is not a known field"),
    (broken(regions=[]), "regions: must be a list of 1 to 8"),
    (broken(territories=[7] * 49), "territories: must be a list of 1 to 48"),
    (broken(territories__2=7), "territories[2]: must be an object, got 7"),
    (broken(territories__2__x=None), "territories[2].x: is missing"),
    (broken(territories__2__x=101), "territories[2].x: must be an integer from 0 to 100"),
    (broken(territories__2__y=2.5), "territories[2].y: must be an integer from 0 to 70"),
    (broken(territories__1__name="belo"), "territories[1].name: must be a capital"),
    (broken(territories__1__borders="Anra"), "territories[1].borders: must be a list of names"),
    (broken(regions__1__bonus=True), "regions[1].bonus: must be an integer from 0 to 12"),
    (
        broken(regions__1__size=3),
        "regions[1].size: is not a known field; the fields are name, bonus",
    ),
    (broken(regions__1__name="West"), "regions[1].name: 'West' is also the name of regions[0]"),
    (broken(territories__1__name="Anra"), "territories[1].name: 'Anra' is also the name of terr"),
    (broken(territories__3__region="North"), "territories[3].region: there is no region 'North'"),
    (broken(regions__0__name="North"), "regions[0]: 'North' has no territory"),
    (broken(territories__3__borders__1="Emer"), "territories[3].borders[1]: there is no territory"),
    (broken(territories__3__borders__1="Dusk"), "territories[3].borders[1]: 'Dusk' borders itself"),
    (broken(territories__3__borders__1="Cirn"), "territories[3].borders[1]: 'Cirn' is listed tw"),
    (broken(territories__3__borders__1="Anra"), "territories[3].borders[1]: 'Anra' does not list"),
    (broken(armies=[]), "armies: must be an object"),
    (broken(armies={}), "armies: must have an entry"),
    (broken(armies__2=9), "armies.2: must be a list, got 9"),
    (broken(armies__2=[4, 0]), "armies.2[1]: must be an integer from 1 to 120"),
    (broken(armies__2=[4]), "armies.2: must have 2 entries"),
    (broken(armies__2=[1, 4]), "armies.2[0]: must be at least 2, the number of territories"),
    (broken(armies__7=[9] * 7), "armies.7: the number of players must be 2 to 6"),
    (broken(armies__5=[9] * 5), "armies.5: there are fewer territories than players"),
]


@pytest.mark.parametrize(("data", "mistake"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_board__error_names_the_mistake_and_its_place(
    write: Callable[[Any], str], data: Any, mistake: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        KonquistaConfig(board=write(data))
    assert f"\n  {mistake}" in str(caught.value)


def test_board__refuses_a_map_in_two_parts(write: Callable[[Any], str]) -> None:
    data = copy.deepcopy(SQUARE)
    for entry, other in zip(data["territories"], ("Cirn", "Dusk", "Anra", "Belo"), strict=True):
        entry["borders"] = [other]
    with pytest.raises(ConfigError, match="'Belo' cannot be reached from 'Anra'") as caught:
        load_board(write(data))
    assert "has 2 mistakes" in str(caught.value)


def test_board__error_lists_all_mistakes(write: Callable[[Any], str]) -> None:
    data = broken(title=None, regions__0__bonus=-1, territories__1__x="far", armies__2=[4, 0])
    with pytest.raises(ConfigError) as caught:
        load_board(write(data))
    places = ["title:", "regions[0].bonus:", "territories[1].x:", "armies.2[1]:"]
    assert "has 4 mistakes" in str(caught.value)
    assert all(place in str(caught.value) for place in places)


def test_board__refuses_a_missing_file_and_a_file_without_json(
    write: Callable[[Any], str], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="is not JSON"):
        load_board(write("{"))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_board(str(tmp_path / "none.json"))
    with pytest.raises(ConfigError, match="must be one of island, classic, continent"):
        load_board("atlantis")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players must be an integer from 2 to 6"),
        ({"board": "island", "players": 4}, "must be one of 2, 3, got 4"),
        ({"turn_limit": 0}, "turn_limit must be an integer from 1 to 1000"),
        ({"blitz": 1}, "blitz must be True or False"),
        ({"board": 3}, "board must be a name or a path"),
    ],
)
def test_config__refuses_what_is_not_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        KonquistaConfig(**options)
