"""Every legal action has one string, which parses back to it, in every game."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiom_gym.game import KernelGame
from axiom_gym.registry import game_ids, get_game
from axiom_gym.text import TextGame
from axiom_gym.text.moves import Moves, Part, fold, name_choices

QUICK = ("connect_four-v0",)
MOST = 60
"""The number of strings of a position to parse; of a position with more, a sample is taken."""


PLAIN = ("skirmish-v0",)
"""Games in plain Python, of which a few short games in few presets are played."""


def variants() -> list[Any]:
    """Return every game in every preset; those that take long to compile are slow."""
    found = []
    for game_id in game_ids():
        presets = [*get_game(game_id).presets]
        for preset in (None, *(presets[::8] if game_id in PLAIN else presets)):
            marks = () if game_id in QUICK and preset is None else (pytest.mark.slow,)
            found.append(pytest.param(game_id, preset, marks=marks, id=f"{game_id}-{preset}"))
    return found


def check_position(game: TextGame, draw: random.Random) -> None:
    """Check the strings of all players who are to act."""
    buffers = game.batch.buffers
    for player in game.to_act:
        seat = game.players.index(player)
        mask = buffers.masks[0, game.batch.view_of(seat)]
        legal = set(itertools.product(*(np.flatnonzero(row).tolist() for row in mask)))
        strings = game.legal(player)
        assert len({fold(text) for text in strings}) == len(strings) == len(legal)
        found = set()
        for text in strings if len(strings) <= MOST else draw.sample(strings, MOST):
            parsed = game.parse(text, player)
            assert (parsed.category, parsed.move) == ("ok", text)
            assert parsed.sub_actions in legal
            found.add(parsed.sub_actions)
            spaced = "  ".join(text.upper()) if text.isascii() else text
            answers = (f"```json\n{json.dumps({'move': spaced})}\n```", f" {spaced}\n")
            assert {game.parse(one, player) for one in answers} == {parsed}
        assert len(found) == min(len(strings), MOST)


def check_game(game: TextGame, seeds: int, turns: int) -> None:
    positions = 0
    for seed in range(seeds):
        draw = random.Random(seed)
        game.reset(seed)
        while not game.over and game.batch.buffers.episodes["length"][0] < turns:
            check_position(game, draw)
            positions += 1
            for player in game.to_act:
                chosen = [draw.choice(part) for part in game.choices(player)]
                assert game.submit(player, "; ".join(chosen)).category == "ok"
    assert positions >= seeds


@pytest.mark.parametrize(("game_id", "preset"), variants())
def test_strings__stand_for_one_action_each(game_id: str, preset: str | None) -> None:
    seeds, turns = (1, 40) if game_id in PLAIN else (3, 42) if game_id in QUICK else (3, 150)
    check_game(TextGame(game_id, preset=preset), seeds, turns)


@pytest.mark.parametrize("name", ["tally", "race", "heap"])
def test_strings__of_test_games(name: str, request: pytest.FixtureRequest) -> None:
    attribute = {"tally": "GAME", "race": "Race", "heap": "Heap"}[name]
    check_game(TextGame(getattr(request.getfixturevalue(name), attribute)), 3, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pennies", "raft", "brawl", "climb"])
def test_strings__of_compiled_test_games(name: str, request: pytest.FixtureRequest) -> None:
    game: KernelGame = request.getfixturevalue(name).GAME
    check_game(TextGame(game), 3, 40)


TEXTS = st.lists(
    st.text(st.sampled_from("aA b#12;ßſ\u2003İ\n"), max_size=5), min_size=1, max_size=8
)


@given(TEXTS)
def test_name_choices__are_unique_and_found(texts: list[str]) -> None:
    numbers = list(range(10, 10 + len(texts)))
    names = name_choices(texts, numbers)
    part = Part(0, tuple(numbers), tuple(names), ("",) * len(names))
    assert [part.find(name) for name in names] == numbers
    assert [part.find(f" {name.upper()} ") for name in names if name.isascii()] == [
        number for number, name in zip(numbers, names, strict=True) if name.isascii()
    ]
    moves = Moves([part, part], [0])
    assert [moves.find(name) for name in names] == [None] * len(names)


def test_name_choices__number_equal_texts_only() -> None:
    assert name_choices(["Go", "g o", "stay"], [3, 4, 5]) == ["Go #3", "g o #4", "stay"]
    assert name_choices(["a", "a", "a #0"], [0, 1, 2]) == ["a #0", "a #1", "a #0 #2"]
    assert name_choices(["x; y", ""], [0, 1]) == ["x, y", "#1"]


def test_legal__refuses_more_than_4096_and_choices_lists_them() -> None:
    part = Part(0, tuple(range(100)), tuple(f"m{n}" for n in range(100)), ("",) * 100)
    moves = Moves([part, Part(1, *_fields(part)), Part(2, *_fields(part))], (0, 0, 0))
    assert moves.count == 1_000_000
    assert moves.find("m1; M 2;m3") == (1, 2, 3)
    with pytest.raises(ValueError, match="1000000 legal moves"):
        moves.list_strings()


def _fields(part: Part) -> tuple[Any, ...]:
    return part.choices, part.names, part.glosses
