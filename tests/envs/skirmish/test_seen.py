"""Texts for a player, without what is hidden from the player's side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from axiom_envs.skirmish.game import GAME
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.seen import UNSEEN, find_hidden, hide_names
from axiom_envs.skirmish.state import reader
from axiom_envs.skirmish.text import letter_of
from axiom_gym.batch import Batch
from axiom_gym.text.positions import describe_position

SCENARIO = "wolves-in-the-woods"


def play(seed: int, turns: int) -> Iterator[tuple[Batch, Any, list[list[int]]]]:
    """Yield the batch after each random turn, the state before it, and the action."""
    batch = Batch(GAME, 1, autoreset="disabled", scenario=SCENARIO)
    batch.reset(seed)
    for _ in range(turns):
        before = batch.buffers.states[0].copy()
        batch.sample_actions()
        actions = batch.buffers.actions[0].tolist()
        batch.step()
        yield batch, before, actions


def check_board(text: str, session: Session, player: int) -> int:
    """Check that a board shows no hidden enemy, and return their number."""
    lines = text.splitlines()
    board = [line.split()[1:] for line in lines[1 : 1 + session.height]]
    hidden = find_hidden(session, player)
    for one in hidden.values():
        assert not any(letter_of(session, one) in row for row in board)
        (line,) = [line for line in lines if re.search(rf"\b{one.name}\b", line)]
        assert re.fullmatch(
            rf"  \w {one.name} +(dead|unseen(, last seen at \d+,\d+)?)", line
        )  # neither hit points nor the position
    return len(hidden)


@pytest.mark.parametrize("player", [0, 1])
def test_describe_view__shows_no_hidden_enemy(player: int) -> None:
    hidden, marked = 0, 0
    for batch, _, _ in play(1, 50):
        text, session = describe_position(batch, player), reader.find(batch.buffers.states[0])
        hidden += check_board(text, session, player)
        marked += " ?" in text
        assert find_hidden(session, player) or text == batch.describe_state()
    assert hidden
    assert marked


@pytest.mark.parametrize("player", [0, 1])
def test_describe_turn_seen__does_not_name_who_was_never_seen(player: int) -> None:
    describe = GAME.describe_turn_seen
    assert describe is not None
    unseen, left, own = 0, 0, 0
    for batch, before, actions in play(1, 50):
        after = batch.buffers.states[0]
        hidden, actor = find_hidden(reader.find(before), player), reader.find(before).decider
        acted, events = describe(before, after, player, actions)
        now = find_hidden(reader.find(after), player)
        for number in hidden.keys() & now.keys():
            assert not re.search(rf"\b{hidden[number].name}\b", "\n".join([*acted, *events]))
        if actor.number in hidden:
            unseen += 1
            assert acted == [f"has {UNSEEN} act"]
        elif actor.number in now:
            left += 1
            assert not re.search(r"\d+,\d+", acted[0])
        elif not hidden and not now:
            own += 1
            assert acted == [GAME.describe_action(before, player, actions[0])]
    assert unseen
    assert left
    assert own


def test_describe_sub_action__gives_no_prospects_against_an_unseen_target() -> None:
    unseen, seen = 0, 0
    for batch, _, _ in play(1, 30):
        state, seat = batch.buffers.states[0], int(batch.buffers.acting[0])
        names = [one.name for one in find_hidden(reader.find(state), seat).values()]
        legal = np.flatnonzero(batch.buffers.masks[0, 0, 0]).tolist()
        texts = [GAME.describe_sub_action(state, seat, 0, action) for action in legal]  # type: ignore[misc]
        for text in texts:
            if text.startswith("attack "):
                is_unseen = any(text.startswith(f"attack {name} ") for name in names)
                assert (" against " in text) != is_unseen
                unseen, seen = unseen + is_unseen, seen + (not is_unseen)
    assert unseen
    assert seen


def test_hide_names__keeps_names_that_begin_alike() -> None:
    batch, _, _ = next(play(1, 1))
    session = reader.find(batch.buffers.states[0])
    wolf = session.sides[1][0]
    text = f"{wolf.name} bites, {wolf.name}0 does not."
    assert hide_names(text, {wolf.number: wolf}) == f"{UNSEEN} bites, {wolf.name}0 does not."
