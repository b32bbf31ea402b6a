from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from axiom_envs.quantaris import kernel
from axiom_envs.quantaris.compat import bridge
from axiom_envs.quantaris.compat.hashing import hash_state
from axiom_envs.quantaris.compat.rules import (
    create_initial_state,
    create_replay_turn,
    get_entity_at,
    get_opponent,
    get_player_core,
    get_player_quantars,
    get_quantar,
    is_in_bounds,
    positions_equal,
    resolve_turn,
    states_equal,
)
from axiom_envs.quantaris.compat.types import (
    EntityType,
    GamePhase,
    MoveAction,
    Player,
    Position,
    Quantar,
)
from axiom_envs.quantaris.orders import MAX_ORDERS
from axiom_envs.quantaris.state import STATE, make_params
from axiom_gym.errors import ConfigError
from axiom_gym.records import field_names

Place = Callable[..., Any]
Orders = Callable[[str], Any]


def log_of(result: Any) -> list[str]:
    """Return the lines of a printed log, without the first."""
    return [line.strip() for line in str(result.log).splitlines()[1:]]


def cells(state: Any) -> dict[str, tuple[int, int]]:
    return {q.id: (q.position.x, q.position.y) for q in state.quantars}


def hp(state: Any) -> dict[str, int]:
    return {q.id: q.hp for q in state.quantars}


# States and queries


def test_create_initial_state__is_the_standard_position() -> None:
    state = create_initial_state()
    assert (state.turn, state.phase, state.winner) == (1, GamePhase.PLAYING, None)
    assert cells(state) == {
        **{"A1": (3, 6), "A2": (4, 6), "A3": (5, 6)},
        **{"B1": (3, 2), "B2": (4, 2), "B3": (5, 2)},
    }
    assert set(hp(state).values()) == {2}
    assert (state.cores.A.position, state.cores.B.position) == (Position(4, 8), Position(4, 0))
    assert (state.cores.A.hp, state.cores.B.hp) == (5, 5)


def test_create_initial_state__equals_the_reset_state_of_the_kernel() -> None:
    expected = bridge.to_record(create_initial_state())
    record = expected.copy()
    for name in set(field_names(STATE)) - {"rng"}:
        record[name] = 99
    kernel.reset(record, make_params())
    assert record == expected


def test_get_quantar__finds_by_name() -> None:
    state = create_initial_state()
    assert get_quantar(state, "B2") == Quantar("B2", Player.B, Position(4, 2), 2)
    assert get_quantar(state, "B4") is None


def test_get_player_quantars__keeps_the_order_of_the_state(place: Place) -> None:
    state = place(B3=(1, 1), A2=(2, 2), B1=(3, 3, 0))
    assert [q.id for q in get_player_quantars(state, Player.B)] == ["B3", "B1"]
    assert [q.id for q in get_player_quantars(state, Player.A)] == ["A2"]


def test_get_player_core__is_the_players_own() -> None:
    state = create_initial_state()
    assert get_player_core(state, Player.A) is state.cores.A
    assert get_player_core(state, Player.B) is state.cores[Player.B] is state.cores.B


def test_get_entity_at__sees_units_before_cores(place: Place) -> None:
    state = place(B1=(4, 4), A1=(4, 4), A2=(4, 8))
    assert get_entity_at(state, Position(4, 4)) is state.quantars[0]
    assert get_entity_at(state, Position(4, 8)) is state.quantars[2]
    assert get_entity_at(state, Position(4, 0)) is state.cores.B
    assert get_entity_at(state, Position(0, 0)) is None
    kinds = [e.entity_type for e in (state.quantars[0], state.cores.A)]
    assert kinds == [EntityType.QUANTAR, EntityType.CORE]


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [(0, 0, True), (8, 8, True), (-1, 0, False), (0, -1, False), (9, 0, False), (0, 9, False)],
)
def test_is_in_bounds__ends_at_the_edges(x: int, y: int, inside: bool) -> None:
    assert is_in_bounds(Position(x, y)) is inside


def test_positions_equal__compares_cells() -> None:
    assert positions_equal(Position(1, 2), Position(1, 2))
    assert not positions_equal(Position(1, 2), Position(2, 1))


def test_get_opponent__is_the_other() -> None:
    assert (get_opponent(Player.A), get_opponent(Player.B)) == (Player.B, Player.A)


def test_states_equal__ignores_the_order_of_units_only(place: Place) -> None:
    state = place(A1=(1, 1), B1=(2, 2))
    assert states_equal(state, place(B1=(2, 2), A1=(1, 1)))
    assert not states_equal(state, place(A1=(1, 1, 1), B1=(2, 2)))
    assert not states_equal(state, place(A1=(1, 1), B1=(2, 2), turn=2))


def test_values__cannot_be_changed() -> None:
    state = create_initial_state()
    for value, name in [(state, "turn"), (state.quantars[0], "hp"), (state.cores.A, "hp")]:
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 3)
    assert isinstance(state.quantars, tuple)


def test_resolve_turn__does_not_change_its_arguments(orders: Orders) -> None:
    state, list_a, list_b = create_initial_state(), orders("M:A1:N P:A2:N"), orders("P:B2:S")
    copies = (replace(state), list(list_a), list(list_b))
    resolve_turn(state, list_a, list_b)
    assert (state, list_a, list_b) == copies


# Input of resolve_turn


def test_resolve_turn__skips_unknown_units_and_types(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4), A2=(5, 5, 0), B1=(0, 0))
    nothing: list[Any] = [
        {},
        7,
        {"type": "MOVE", "direction": "N"},
        {"type": None, "quantarId": "A1"},
    ]
    result = resolve_turn(state, [*orders("M:A9:N P:A2:Q X:A1"), *nothing], [])
    assert log_of(result) == ["A2 is destroyed"]


def test_resolve_turn__takes_actions_of_a_unit_from_either_list(
    place: Place, orders: Orders
) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=(0, 0)), orders("M:B1:E"), orders("M:A1:E"))
    assert log_of(result) == ["B1 moves (0,0) -> (1,0)", "A1 moves (4,4) -> (5,4)"]


def test_resolve_turn__reads_mappings_as_actions(orders: Orders) -> None:
    state = create_initial_state()
    typed = resolve_turn(state, [MoveAction("A1", "N")], [])  # type: ignore[arg-type]
    assert typed == resolve_turn(state, orders("M:A1:N"), [])
    for key in ("quantarId", "quantar_id"):
        assert typed == resolve_turn(state, [{"type": "MOVE", key: "A1", "direction": "N"}], [])


@pytest.mark.parametrize(
    ("wrong", "ruleset", "allowed"),
    [
        ("M:A1:NE", "0.2", "N, E, S, W"),
        ("M:A1:NE", "0.1", "N, E, S, W"),
        ("P:A1:NE", "0.1", "N, E, S, W"),
        ("P:A1:U", "0.2", "N, E, S, W, NE, NW, SE, SW"),
    ],
)
def test_resolve_turn__refuses_a_direction_that_the_ruleset_does_not_have(
    orders: Orders, wrong: str, ruleset: str, allowed: str
) -> None:
    with pytest.raises(ValueError, match=f"ruleset {ruleset} allows {allowed}\\."):
        resolve_turn(create_initial_state(), orders(wrong), [], ruleset=ruleset)


def test_resolve_turn__refuses_none() -> None:
    with pytest.raises(TypeError, match="an action is None"):
        resolve_turn(create_initial_state(), [None], [])  # type: ignore[list-item]


def test_resolve_turn__names_an_unknown_ruleset() -> None:
    with pytest.raises(ConfigError, match=r"'0\.3'.*Did you mean.*Valid: '0\.1', '0\.2'"):
        resolve_turn(create_initial_state(), [], [], ruleset="0.3")


def test_resolve_turn__refuses_a_state_that_the_record_cannot_hold(
    place: Place, orders: Orders
) -> None:
    state = place(A1=(4, 4), B1=(0, 0))
    seven = {f"A{i}": (i, 7) for i in range(7)}
    twins = replace(state, quantars=(state.quantars[0],) * 2)
    for wrong, message in [
        (place(**seven), "at most 6 units, got 7"),
        (twins, "different names, got A1, A1"),
        (place(A1=(9, 4)), r"A1 stands at \(9,4\)"),
        (place(A1=(0, 0, 128)), "A1 has 128 hp"),
    ]:
        with pytest.raises(ValueError, match=message):
            resolve_turn(wrong, [], [])
    with pytest.raises(ValueError, match=f"at most {MAX_ORDERS} orders"):
        resolve_turn(state, orders(" ".join(["S:A1"] * (MAX_ORDERS + 1))), [])


def test_resolve_turn__plays_the_largest_number_of_orders(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4, 1), B1=(4, 3), B2=(0, 0))
    result = resolve_turn(state, [], orders(" ".join(["P:B1:S"] * MAX_ORDERS)))
    assert f"A1 takes {MAX_ORDERS}, {1 - MAX_ORDERS} hp left" in log_of(result)
    assert cells(result.state) == {"B1": (4, 3), "B2": (0, 0)}


# Output


def test_to_json__is_the_originals_form(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=(0, 0)), orders("M:A1:N"), [])
    assert result.to_json()["log"] == {
        "turn": 1,
        "events": [
            {
                "type": "MOVE",
                "quantarId": "A1",
                "from": {"x": 4, "y": 4},
                "to": {"x": 4, "y": 3},
            }
        ],
    }
    assert result.state.to_json()["quantars"][0] == {
        "id": "A1",
        "owner": "A",
        "position": {"x": 4, "y": 3},
        "hp": 2,
    }
    assert MoveAction("A1", orders("M:A1:N")[0].direction).to_json() == {
        "type": "MOVE",
        "quantarId": "A1",
        "direction": "N",
    }


def test_create_replay_turn__holds_the_hash_of_the_state_before(orders: Orders) -> None:
    state, lists = create_initial_state(), (orders("M:A1:N"), orders("S:B1"))
    result = resolve_turn(state, *lists)
    replay = create_replay_turn(state, *lists, result.log)
    assert (replay.turn, replay.state_hash, replay.log) == (1, hash_state(state), result.log)
    assert (replay.actions_a, replay.actions_b) == (tuple(lists[0]), tuple(lists[1]))
    assert list(replay.to_json()) == ["turn", "stateHash", "actionsA", "actionsB", "log"]
