from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.quantaris.compat.rules import (
    create_initial_state,
    legal_actions,
    validate_action,
    validate_player_actions,
)
from axiom_envs.quantaris.compat.types import Player, ShieldAction, ValidationCode
from axiom_gym.errors import ConfigError

Place = Callable[..., Any]
Orders = Callable[[str], Any]


@pytest.fixture
def state(place: Place) -> Any:
    """Return a state with A1 in a corner, A2 above its own core, A3 dead, and B1 alone."""
    return place(A1=(0, 0), A2=(4, 7), A3=(5, 5, 0), B1=(4, 4))


@pytest.mark.parametrize("action", [{}, {"quantarId": "A1"}, 7, True, "SHIELD", None])
def test_validate_action__needs_a_type(state: Any, action: object) -> None:
    result = validate_action(state, action, Player.A)
    assert (result.code, result.message) == (
        ValidationCode.INVALID_ACTION_TYPE,
        "Invalid action format",
    )


@pytest.mark.parametrize(
    ("unit", "shown"), [("Z9", "Z9"), (None, "null"), (3, "3"), (3.0, "3"), ([1, None], "1,")]
)
def test_validate_action__needs_a_unit_of_the_state(state: Any, unit: object, shown: str) -> None:
    result = validate_action(state, {"type": "SHIELD", "quantarId": unit}, Player.A)
    assert (result.code, result.message) == (
        ValidationCode.QUANTAR_NOT_FOUND,
        f"Quantar {shown} not found",
    )


@pytest.mark.parametrize(
    ("token", "code", "message"),
    [
        ("S:B1", "QUANTAR_NOT_OWNED", "Quantar B1 is not owned by player A"),
        ("S:A3", "QUANTAR_DEAD", "Quantar A3 is dead"),
        ("X:A1", "INVALID_ACTION_TYPE", "Unknown action type: WAIT"),
        ("M:A1:NE", "INVALID_DIRECTION", "Invalid direction: NE"),
        ("M:A1:N", "MOVE_OUT_OF_BOUNDS", "Move would go out of bounds"),
        ("M:A1:W", "MOVE_OUT_OF_BOUNDS", "Move would go out of bounds"),
    ],
)
def test_validate_action__reports_the_error(
    state: Any, orders: Orders, ruleset: str, token: str, code: str, message: str
) -> None:
    result = validate_action(state, orders(token)[0], Player.A, ruleset=ruleset)
    assert (result.valid, result.code, result.message) == (False, code, message)


def test_validate_action__names_pulse_directions_by_ruleset(state: Any, orders: Orders) -> None:
    [diagonal], [wrong] = orders("P:A1:SE"), orders("P:A1:Q")
    assert validate_action(state, diagonal, Player.A)
    older = validate_action(state, diagonal, Player.A, ruleset="0.1")
    assert (older.code, older.message) == ("INVALID_DIRECTION", "Invalid direction: SE")
    newer = validate_action(state, wrong, Player.A)
    assert (newer.code, newer.message) == ("INVALID_DIRECTION", "Invalid pulse direction: Q")


@pytest.mark.parametrize("token", ["M:A2:S", "M:A1:S", "P:A1:N", "S:A2"])
def test_validate_action__accepts_blocked_moves_and_useless_pulses(
    state: Any, orders: Orders, ruleset: str, token: str
) -> None:
    assert validate_action(state, orders(token)[0], Player.A, ruleset=ruleset).valid


def test_validate_action__ignores_the_phase(place: Place) -> None:
    ended = place(phase="ended", A1=(4, 4), B1=(0, 0))
    assert validate_action(ended, ShieldAction("A1"), Player.A)


@pytest.mark.parametrize("check", [validate_action, validate_player_actions])
def test_validate__names_an_unknown_ruleset(state: Any, check: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match=r"'2'.*Did you mean '0\.2'\?"):
        check(state, [], Player.A, ruleset="2")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("S:A1 S:A1", "DUPLICATE_QUANTAR_ACTION", "Duplicate action for Quantar A1"),
        ("S:A1 M:A2:Q S:A1", "INVALID_DIRECTION", "Invalid direction: Q"),
        ("S:A2", "MISSING_QUANTAR_ACTION", "Missing action for Quantar A1"),
        ("S:A2 S:A1 S:A3", "QUANTAR_DEAD", "Quantar A3 is dead"),
    ],
)
def test_validate_player_actions__reports_the_first_error(
    state: Any, orders: Orders, text: str, code: str, message: str
) -> None:
    result = validate_player_actions(state, orders(text), Player.A)
    assert (result.valid, result.code, result.message) == (False, code, message)


def test_validate_player_actions__needs_an_action_for_each_living_unit(
    state: Any, orders: Orders, ruleset: str
) -> None:
    actions = orders("S:A2 M:A1:S")
    assert validate_player_actions(state, actions, Player.A, ruleset=ruleset).valid


def test_validate_player_actions__checks_the_phase_first(place: Place, orders: Orders) -> None:
    ended = place(phase="ended", A1=(4, 4), B1=(0, 0))
    result = validate_player_actions(ended, orders("X:Z9"), Player.A)
    assert (result.code, result.message) == (
        ValidationCode.GAME_NOT_IN_ACTION_PHASE,
        "Game is not in playing phase",
    )


def test_validate_player_actions__reports_a_duplicate_before_a_wrong_format(state: Any) -> None:
    actions = [ShieldAction("A1"), {"quantarId": "A1"}]
    result = validate_player_actions(state, actions, Player.A)
    assert result.code == ValidationCode.DUPLICATE_QUANTAR_ACTION


def test_validate_player_actions__reports_none_as_a_wrong_format(state: Any) -> None:
    result = validate_player_actions(state, [None], Player.A)
    assert result.code == ValidationCode.INVALID_ACTION_TYPE


def test_validate_player_actions__accepts_only_an_empty_list_from_a_side_without_units(
    place: Place, orders: Orders
) -> None:
    state = place(A1=(4, 4, 0), B1=(0, 0))
    assert validate_player_actions(state, [], Player.A).valid
    assert not validate_player_actions(state, orders("S:A1"), Player.A)


def test_validation_result__is_true_if_valid(state: Any, orders: Orders) -> None:
    assert bool(validate_action(state, orders("S:A1")[0], Player.A)) is True
    assert bool(validate_action(state, orders("S:A3")[0], Player.A)) is False


def test_legal_actions__of_a_corner_unit_in_order(place: Place, traces: Any) -> None:
    state = place(A1=(0, 0), B1=(4, 4))
    older = legal_actions(state, Player.A, ruleset="0.1")
    assert traces.text(older) == "M:A1:E M:A1:S P:A1:N P:A1:E P:A1:S P:A1:W S:A1"
    diagonals = "P:A1:NE P:A1:NW P:A1:SE P:A1:SW S:A1"
    newer = legal_actions(state, Player.A)
    assert traces.text(newer) == traces.text(older).replace("S:A1", diagonals)


@pytest.mark.parametrize(("ruleset_name", "count"), [("0.1", 27), ("0.2", 39)])
def test_legal_actions__of_the_initial_state(ruleset_name: str, count: int) -> None:
    state = create_initial_state()
    for player in Player:
        assert len(legal_actions(state, player, ruleset=ruleset_name)) == count


def test_legal_actions__names_an_unknown_ruleset(state: Any) -> None:
    with pytest.raises(ConfigError, match="unknown ruleset 'v2'"):
        legal_actions(state, Player.A, ruleset="v2")
