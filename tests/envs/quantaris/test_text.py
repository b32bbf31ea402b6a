"""Tests of the sentences for each kind of log row and each reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_envs.quantaris import log
from axiom_envs.quantaris.compat import bridge
from axiom_envs.quantaris.game import GAME
from axiom_envs.quantaris.text import describe_event

Place = Callable[..., Any]
Orders = Callable[[str], Any]


def tell(state: Any, orders: Any, ruleset: str = "0.2") -> list[str]:
    """Play a turn and return the sentences of its log, without empty ones."""
    record, packed = bridge.to_record(state), bridge.to_orders(state, orders, ruleset)
    events = bridge.event_buffer(packed)
    bridge.resolve(record, packed, events, bridge.to_params(state, ruleset))
    rows = events[1 : 1 + int(events[0, 0])].tolist()
    return [text for text in (describe_event(record, row) for row in rows) if text]


def test_describe_event__tells_moves(place: Place, orders: Orders) -> None:
    state = place(A1=(0, 0), A2=(4, 7), A3=(2, 2), B1=(3, 2), B2=(7, 7), B3=(8, 6))
    moves = "M:A1:W M:A2:S M:A3:E M:B1:W M:B2:E M:B3:S"
    assert tell(state, orders(moves)) == [
        "A1 cannot move W: the board ends there.",
        "A2 cannot move S: a core stands there.",
        "A3 cannot move E: the unit there comes the other way.",
        "B1 cannot move W: the unit there comes the other way.",
        "B2 cannot move E: another unit goes there too.",
        "B3 cannot move S: another unit goes there too.",
    ]
    assert tell(place(A1=(0, 0), B1=(1, 0)), orders("M:A1:E")) == [
        "A1 cannot move E: a unit stands there."
    ]
    assert tell(place(A1=(0, 0), B1=(5, 5)), orders("M:A1:E")) == ["A1 moves from 0,0 to 1,0."]


def test_describe_event__tells_shots_and_what_they_do(place: Place, orders: Orders) -> None:
    state = place(A1=(0, 4), A2=(4, 4), A3=(8, 8), B1=(0, 2), B2=(8, 3), B3=(7, 0))
    shots = "P:A1:N P:A2:N P:A3:E S:B1 P:B2:N P:B3:S"
    assert tell(state, orders(shots)) == [
        "A1 fires N from 0,4.",
        "It hits B1.",
        "A2 fires N from 4,4.",
        "It hits the core of B.",
        "A3 fires E from 8,8.",
        "It hits nothing.",
        "B2 fires N from 8,3.",
        "It hits nothing.",
        "B3 fires S from 7,0.",
        "It hits nothing.",
        "The shield of B1 holds.",
        "The core of B takes 1 damage, and has 4 hp left.",
    ]


def test_describe_event__tells_the_end(place: Place, orders: Orders) -> None:
    last = tell(place(A1=(0, 4), A2=(8, 8), A3=(8, 7), B1=(0, 3, 1)), orders("P:A1:N"))
    assert last[2:] == [
        "B1 takes 1 damage, and has 0 hp left.",
        "B1 is destroyed.",
        "B has no units left.",
        "A wins.",
    ]
    both = tell(place(A1=(0, 4, 1), B1=(0, 3, 1)), orders("P:A1:N P:B1:S"))
    assert both[-1] == "The game is drawn: both sides are destroyed."


def test_describe_event__tells_the_limit_and_a_core_far_below_0() -> None:
    (state,) = np.zeros(1, GAME.dtype(GAME.config()))
    draw = [log.EVENT_DRAW, log.REASON_MAX_TURNS, 0, 0, 0, 0, 0, 0]
    assert describe_event(state, draw) == "The game is drawn: the last turn is played."
    damage = [log.EVENT_DAMAGE_APPLIED, 6, 3, -2, 0, 0, 0, 0]
    text = "The core of A takes 3 damage, and has 0 hp left."
    assert describe_event(state, damage) == text


@pytest.mark.parametrize("kind", log.EVENT_KINDS)
def test_describe_event__is_empty_only_for_a_shield(kind: int) -> None:
    assert GAME.describe_event is describe_event
    text = describe_event(None, [kind, 0, 1, 1, 1, 1, 0, 0])
    assert bool(text) == (kind != log.EVENT_SHIELD_ACTIVATED)
