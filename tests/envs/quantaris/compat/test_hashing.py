from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from axiom_envs.quantaris.compat.hashing import (
    canonicalize_actions,
    canonicalize_state,
    hash_actions,
    hash_state,
    hash_turn,
)
from axiom_envs.quantaris.compat.rules import create_initial_state

Place = Callable[..., Any]
Orders = Callable[[str], Any]


def test_hash_state__of_the_initial_state_is_known() -> None:
    assert hash_state(create_initial_state()) == "009be5cd"


def test_hash__of_an_empty_list_is_the_seed() -> None:
    assert hash_actions([]) == f"{5381:08x}"


def test_hash__of_one_action_equals_a_calculation_by_hand(orders: Orders) -> None:
    value = 5381
    for character in "S:A1":
        value = (value * 33) % 2**32 ^ ord(character)
    assert hash_actions(orders("S:A1")) == f"{value:08x}"


def test_canonicalize_state__writes_all_fields(place: Place) -> None:
    state = place(cores=(4, -1), turn=7, phase="ended", winner="A", B2=(4, 2, 1), A3=(5, 6))
    assert canonicalize_state(state) == (
        "T:7|P:ended|W:A|C:A:4,8:4|C:B:4,0:-1|Q:A3:A:5,6:2|Q:B2:B:4,2:1"
    )


def test_canonicalize_state__writes_no_winner_as_null() -> None:
    assert "|W:null|" in canonicalize_state(create_initial_state())


def test_canonicalize_state__sorts_the_units() -> None:
    state = create_initial_state()
    turned = replace(state, quantars=state.quantars[::-1])
    assert turned != state
    assert canonicalize_state(turned) == canonicalize_state(state)


def test_canonicalize_actions__sorts_by_unit_and_keeps_the_order_of_one_unit(
    orders: Orders,
) -> None:
    assert canonicalize_actions(orders("S:A3 P:A1:NE M:A1:N")) == "P:A1:NE|M:A1:N|S:A3"


def test_canonicalize_actions__sorts_lower_case_just_before_upper_case(orders: Orders) -> None:
    assert canonicalize_actions(orders("S:B1 S:A1 S:a1")) == "S:a1|S:A1|S:B1"


def test_canonicalize_actions__leaves_an_unknown_type_empty(orders: Orders) -> None:
    assert canonicalize_actions(orders("S:A3 X:A2 S:A1")) == "S:A1||S:A3"


def test_canonicalize_actions__writes_mappings_as_the_original_does() -> None:
    actions = [
        {"type": "MOVE", "quantarId": "A1"},
        {"type": "PULSE", "quantar_id": "A2", "direction": None},
    ]
    assert canonicalize_actions(actions) == "M:A1:undefined|P:A2:null"


def test_canonicalize_actions__refuses_none() -> None:
    with pytest.raises(TypeError, match="an action is None"):
        canonicalize_actions([None])  # type: ignore[list-item]


def test_hash_turn__distinguishes_the_two_lists(orders: Orders) -> None:
    state, some = create_initial_state(), orders("S:A1")
    hashes = {hash_turn(state, some, []), hash_turn(state, [], some), hash_turn(state, [], [])}
    assert len(hashes) == 3
