"""Tests of texts, of what a person types, and of the picture."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.game import GAME
from axiom_envs.ajve_civ.render import paint


def test_describe_action__of_every_value(table: Any) -> None:
    game = table(players=2)
    said = [GAME.describe_action(game.state, 1, [value]) for value in range(6)]
    assert len(set(said)) == 6
    for name, sentence in zip(VALUES, said, strict=True):
        assert sentence == f"people 2 chooses {name}, with a devotion of 2"
    assert GAME.describe_action(game.state, 0, [-1]) == "people 1 chooses no value"
    game.state.death[0] = 3
    assert GAME.describe_action(game.state, 0, [4]) == "people 1, which is dead, chooses consent"


def test_describe_sub_action__and_its_key(table: Any) -> None:
    game = table(players=2, start_value=-3)
    assert GAME.describe_sub_action is not None
    assert GAME.sub_action_key is not None
    assert GAME.describe_sub_action(game.state, 0, 0, 1) == "conquer (-3)"
    assert GAME.describe_sub_action(game.state, 0, 0, -1) == "no value"
    assert tuple(GAME.sub_action_key(game.state, 0, 0, value) for value in range(6)) == VALUES


def test_describe_event__tells_a_turn(table: Any) -> None:
    game = table(players=7)
    game.state.population[:2] = (50, -1)
    game.turn("discover", "-", "conquer", "exchange", "consent", "develop", "expand")
    assert game.log == [
        "People 1 discovers, and gains 3.",
        "People 3 robs people 7 of 3.",
        "People 4 trades with people 7: it gains 3, people 7 2.",
        "People 5 consents: the world yields 3 more, and all like it the better.",
        "People 6 develops: it gains 6, and the world loses 3.",
        "People 7 grows by 3.",
        "24 of people 1 starve.",
        "People 2 dies out.",
    ]


def test_describe_event__tells_an_inflection(table: Any) -> None:
    game = table(players=2)
    game.play("expand", "-")
    assert game.log == ["People 1 turns to expand.", "People 2 turns to nothing."]


def test_log__limits_the_numbers_of_a_huge_famine(table: Any) -> None:
    game = table(players=1)
    game.state.population[0] = 10**6
    game.turn("-")
    assert game.log == ["32767 of people 1 starve."]
    assert game.nation(0) == (23, 3)


def test_describe_state__shows_all_that_is_needed(table: Any) -> None:
    game = table(players=2)
    game.turn("conquer", "expand")
    game.state.death[1] = 1
    lines = GAME.describe_state(game.state).splitlines()
    assert lines[0] == "step 2; the world yields 20"
    assert lines[1].split() == ["people", *VALUES, "people", "yield", "score"]
    assert lines[2].split() == ["1", "2", "3", "2", "2", "2", "2", "3", "6", "9"]
    assert lines[3].split()[:10] == ["2", "2", "2", "3", "2", "2", "2", "6", "0", "6"]
    assert lines[3].endswith("died in step 1")
    assert [line.split() for line in lines[4:]] == [
        ["feels", "about", "1", "2"],
        ["1", "0", "0"],
        ["2", "-5", "0"],
    ]
    assert len(GAME.describe_state(table(players=1).state).splitlines()) == 3


@pytest.mark.parametrize("players", [1, 2, 7, 64])
def test_paint__shows_every_change(table: Any, players: int) -> None:
    game = table(players=players)
    picture = paint(game.state, game.config)
    height, width, channels = picture.shape
    assert (picture.dtype, channels) == (np.uint8, 3)
    assert max(height, width) < 2000
    assert (paint(game.state, game.config) == picture).all()
    last, start = players - 1, game.state.copy()
    for name in ("values", "population", "yields", "death", "world_yield", "turn"):
        game.state = start.copy()
        if game.state[name].ndim:
            game.state[name][last] = 41
        else:
            game.state[name] = 41
        assert (paint(game.state, game.config) != picture).any(), name
    if players > 1:
        game.state = start.copy()
        game.state.feelings[last, 0] = -9
        other = paint(game.state, game.config)
        changed = np.argwhere((other != picture).any(axis=2))
        assert changed[:, 0].min() > 0.4 * height * last / players
        assert changed[:, 1].min() > width // 3


@pytest.mark.parametrize(("feeling", "channel"), [(-9, 0), (9, 1)])
def test_paint__dislike_is_red_and_liking_green(table: Any, feeling: int, channel: int) -> None:
    game = table(players=3)
    game.state.feelings[1, 2] = feeling
    picture = paint(game.state, game.config)
    game.state.feelings[1, 2] = 0
    changed = (picture != paint(game.state, game.config)).any(axis=2)
    colours = picture[changed].astype(int)
    common = np.median(colours, axis=0)
    assert common[channel] > common[1 - channel] + 20


def test_paint__copes_with_huge_and_negative_numbers(table: Any) -> None:
    game = table(players=12)
    calm = paint(game.state, game.config)
    game.state["values"][:] = -1000
    game.state.population[:] = game.state.yields[:] = -(10**6)
    game.state.feelings[:] = game.state.world_yield = -(10**6)
    assert paint(game.state, None).shape == calm.shape


def test_texts__do_not_tell_the_offers_of_others(table: Any) -> None:
    """The board and the moves of a player are the same whatever is offered to another player."""
    state = table(players=3).state
    moved = copy.deepcopy(state)
    moved.offer[1] = (state.offer[1] + 1) % 6
    assert moved.offer[1].tolist() != state.offer[1].tolist()
    assert GAME.describe_state(moved) == GAME.describe_state(state)
    assert GAME.describe_sub_action is not None
    for action in range(6):
        texts = {GAME.describe_sub_action(one, 0, 0, action) for one in (state, moved)}
        assert len(texts) == 1
