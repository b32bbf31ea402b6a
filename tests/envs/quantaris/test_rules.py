"""Tests of the phases of a turn, one for each rule of the card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from axiom_envs.quantaris.compat.rules import create_initial_state, resolve_turn
from axiom_envs.quantaris.compat.types import GamePhase, Player, ShieldAction

Place = Callable[..., Any]
Orders = Callable[[str], Any]


def log_of(result: Any) -> list[str]:
    """Return the lines of a printed log, without the first."""
    return [line.strip() for line in str(result.log).splitlines()[1:]]


def cells(state: Any) -> dict[str, tuple[int, int]]:
    return {q.id: (q.position.x, q.position.y) for q in state.quantars}


def hp(state: Any) -> dict[str, int]:
    return {q.id: q.hp for q in state.quantars}


# 1. Move


def test_move__off_the_board_or_into_a_core_is_blocked(place: Place, orders: Orders) -> None:
    state = place(A1=(0, 4), B1=(4, 1))
    result = resolve_turn(state, orders("M:A1:W"), orders("M:B1:N"))
    assert cells(result.state) == cells(state)
    assert log_of(result) == [
        "A1 at (0,4) cannot move W: out of bounds",
        "B1 at (4,1) cannot move N: blocked by Core",
    ]


def test_move__two_onto_one_cell_collide(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(3, 4), B1=(5, 4)), orders("M:A1:E"), orders("M:B1:W"))
    assert cells(result.state) == {"A1": (3, 4), "B1": (5, 4)}
    assert log_of(result) == [
        "A1 at (3,4) cannot move E: collision with another Quantar",
        "B1 at (5,4) cannot move W: collision with another Quantar",
    ]


def test_move__onto_a_stationary_unit_is_blocked(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(3, 4), B1=(4, 4)), orders("M:A1:E"), orders("S:B1"))
    assert log_of(result)[0] == "A1 at (3,4) cannot move E: blocked by stationary Quantar"


def test_move__two_cannot_swap(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(3, 4), B1=(4, 4)), orders("M:A1:E"), orders("M:B1:W"))
    assert log_of(result) == [
        "A1 at (3,4) cannot move E: swap collision",
        "B1 at (4,4) cannot move W: swap collision",
    ]


def test_move__a_chain_follows_its_leader(place: Place, orders: Orders) -> None:
    state = place(A1=(3, 4), A2=(4, 4), A3=(5, 4))
    result = resolve_turn(state, orders("M:A1:E M:A2:E M:A3:E"), [])
    assert cells(result.state) == {"A1": (4, 4), "A2": (5, 4), "A3": (6, 4)}


def test_move__four_can_go_round_in_a_circle(place: Place, orders: Orders) -> None:
    state = place(A1=(3, 3), A2=(4, 3), B1=(4, 4), B2=(3, 4))
    result = resolve_turn(state, orders("M:A1:E M:A2:S"), orders("M:B1:W M:B2:N"))
    assert cells(result.state) == {"A1": (4, 3), "A2": (4, 4), "B1": (3, 4), "B2": (3, 3)}


def test_move__a_follower_moves_though_its_leader_is_blocked(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 5), A2=(4, 4), B1=(4, 3))
    result = resolve_turn(state, orders("M:A1:N M:A2:N"), orders("S:B1"))
    assert cells(result.state) == {"A1": (4, 4), "A2": (4, 4), "B1": (4, 3)}


def test_move__onto_a_stack_is_judged_by_its_first_unit(place: Place, orders: Orders) -> None:
    first_leaves = place(A1=(4, 4), A2=(4, 4), B1=(3, 4))
    result = resolve_turn(first_leaves, orders("M:A1:N S:A2"), orders("M:B1:E"))
    assert cells(result.state) == {"A1": (4, 3), "A2": (4, 4), "B1": (4, 4)}
    first_stays = place(A2=(4, 4), A1=(4, 4), B1=(3, 4))
    result = resolve_turn(first_stays, orders("M:A1:N S:A2"), orders("M:B1:E"))
    assert cells(result.state) == {"A2": (4, 4), "A1": (4, 3), "B1": (3, 4)}


def test_move__other_units_react_to_the_last_move_of_a_unit(place: Place, orders: Orders) -> None:
    state = place(A1=(3, 4), B1=(4, 4))
    swap = resolve_turn(state, orders("M:A1:N M:A1:E"), orders("M:B1:W"))
    assert "B1 at (4,4) cannot move W: swap collision" in log_of(swap)
    follow = resolve_turn(state, orders("M:A1:E M:A1:N"), orders("M:B1:W"))
    assert "B1 moves (4,4) -> (3,4)" in log_of(follow)


# 2. Shield


@pytest.mark.parametrize(("shots", "left"), [(1, 2), (2, 1), (3, 0)])
def test_shield__takes_one_hit(place: Place, orders: Orders, shots: int, left: int) -> None:
    state = place(A1=(4, 4), B1=(4, 3), B2=(3, 4), B3=(5, 4), A2=(0, 0))
    fire = " ".join(["P:B1:S", "P:B2:E", "P:B3:W"][:shots])
    result = resolve_turn(state, orders("S:A1"), orders(fire))
    assert hp(result.state).get("A1", 0) == left
    assert f"A1 takes {2 - left}, {left} hp left" in log_of(result)


def test_shield__twice_is_logged_twice_and_counts_once(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4), B1=(4, 3), B2=(3, 4))
    result = resolve_turn(state, orders("S:A1 S:A1"), orders("P:B1:S P:B2:E"))
    assert log_of(result).count("A1 raises its shield") == 2
    assert hp(result.state)["A1"] == 1


def test_shield__lasts_one_turn(place: Place, orders: Orders) -> None:
    shielded = resolve_turn(place(A1=(4, 4), B1=(4, 3)), orders("S:A1"), [])
    assert hp(resolve_turn(shielded.state, [], orders("P:B1:S")).state)["A1"] == 1


# 3. Pulse


def test_pulse__starts_from_the_cell_after_the_move(place: Place, orders: Orders) -> None:
    state = place(A1=(0, 4), B1=(3, 3))
    result = resolve_turn(state, orders("P:A1:E"), orders("M:B1:S"))
    assert hp(result.state)["B1"] == 1


def test_pulse__hits_the_nearest_friend_or_foe(place: Place, orders: Orders) -> None:
    state = place(B1=(8, 4), A2=(5, 4), A1=(0, 4))
    result = resolve_turn(state, orders("P:A1:E"), [])
    assert hp(result.state) == {"B1": 2, "A2": 1, "A1": 2}


def test_pulse__hits_the_own_core_too(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=(0, 0)), orders("P:A1:S"), [])
    assert (result.state.cores.A.hp, result.state.cores.B.hp) == (4, 5)
    assert "hits core_A for 1" in log_of(result)


def test_pulse__into_nothing_misses(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=(0, 0)), orders("P:A1:W"), [])
    assert log_of(result) == ["A1 at (4,4) fires W", "misses"]


def test_pulse__hits_the_first_of_a_stack_in_state_order(place: Place, orders: Orders) -> None:
    for units in ({"A1": (4, 4), "A2": (4, 4)}, {"A2": (4, 4), "A1": (4, 4)}):
        result = resolve_turn(place(**units, B1=(4, 2)), [], orders("P:B1:S"))
        first, second = units
        assert (hp(result.state)[first], hp(result.state)[second]) == (1, 2)


def test_pulse__does_not_hit_what_shares_the_shooters_cell(place: Place, orders: Orders) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=(4, 4)), orders("P:A1:E"), [])
    assert log_of(result)[-1] == "misses"


@pytest.mark.parametrize(("cell", "left"), [((5, 3), 1), ((6, 2), 2)])
def test_pulse__reaches_one_cell_on_the_diagonal(
    place: Place, orders: Orders, cell: tuple[int, int], left: int
) -> None:
    result = resolve_turn(place(A1=(4, 4), B1=cell), orders("P:A1:NE"), [])
    assert hp(result.state)["B1"] == left


def test_pulse__is_stopped_by_a_dead_core(place: Place, orders: Orders) -> None:
    state = place(cores=(0, 5), A1=(3, 8), B1=(5, 8))
    result = resolve_turn(state, orders("P:A1:E"), [])
    assert hp(result.state)["B1"] == 2
    assert "core_A takes 1, -1 hp left" in log_of(result)


# 4. Damage and 5. removal


def test_damage__is_dealt_all_at_once(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4, 1), B1=(4, 3, 1), A2=(0, 8), B2=(0, 0))
    result = resolve_turn(state, orders("P:A1:N"), orders("P:B1:S"))
    assert cells(result.state) == {"A2": (0, 8), "B2": (0, 0)}
    assert log_of(result)[-4:] == [
        "A1 takes 1, 0 hp left",
        "B1 takes 1, 0 hp left",
        "A1 is destroyed",
        "B1 is destroyed",
    ]


def test_damage__can_go_below_zero(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4, 1), B1=(4, 3), B2=(3, 4), A2=(0, 8))
    result = resolve_turn(state, [], orders("P:B1:S P:B2:E"))
    assert "A1 takes 2, -1 hp left" in log_of(result)


def test_damage__to_a_dead_core_is_counted_however_far_it_goes(
    place: Place, orders: Orders
) -> None:
    state = place(cores=(-127, -1), A1=(4, 6), B1=(0, 0))
    result = resolve_turn(state, orders("P:A1:S P:A1:S P:A1:S"), [], ruleset="0.1")
    assert result.state.cores.A.hp == -130
    assert result.state.phase == GamePhase.PLAYING


def test_removal__logs_a_dead_core_in_every_turn(place: Place) -> None:
    state = place(cores=(0, -1), A1=(4, 6), B1=(0, 0))
    for _ in range(2):
        result = resolve_turn(state, [], [], ruleset="0.1")
        assert log_of(result) == ["core_A is destroyed", "core_B is destroyed"]
        state = result.state


# 6. End


@pytest.mark.parametrize(("cores", "winner"), [((5, 1), "A"), ((1, 5), "B")])
def test_end__a_dead_core_loses(
    place: Place, orders: Orders, ruleset: str, cores: tuple[int, int], winner: str
) -> None:
    state = place(cores=cores, A1=(4, 3), B1=(3, 8))
    result = resolve_turn(state, orders("P:A1:N"), orders("P:B1:E"), ruleset=ruleset)
    assert (result.state.phase, result.state.winner) == (GamePhase.ENDED, winner)
    assert log_of(result)[-1] == f"{winner} wins"


def test_end__a_dead_core_counts_before_missing_units(place: Place, orders: Orders) -> None:
    state = place(cores=(5, 1), A1=(4, 1, 1), B1=(4, 2))
    result = resolve_turn(state, orders("P:A1:N"), orders("P:B1:N"))
    assert result.state.winner == Player.A
    assert log_of(result)[-1] == "A wins"
    assert "loses" not in str(result.log)


def test_end__both_cores_dead_is_a_draw_in_02_only(place: Place, orders: Orders) -> None:
    state = place(cores=(1, 1), A1=(4, 3), B1=(3, 8))
    lists = orders("P:A1:N"), orders("P:B1:E")
    newer = resolve_turn(state, *lists)
    assert (newer.state.phase, newer.state.winner) == (GamePhase.ENDED, None)
    assert log_of(newer)[-1] == "draw: mutual_destruction"
    older = resolve_turn(state, *lists, ruleset="0.1")
    assert (older.state.phase, older.state.winner) == (GamePhase.PLAYING, None)


def test_end__a_side_without_units_loses_in_02_only(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4), B1=(4, 3, 1))
    newer = resolve_turn(state, orders("P:A1:N"), [])
    assert (newer.state.phase, newer.state.winner) == (GamePhase.ENDED, Player.A)
    assert log_of(newer)[-2:] == ["B loses: no_quantars", "A wins"]
    older = resolve_turn(state, orders("P:A1:N"), [], ruleset="0.1")
    assert (older.state.phase, older.state.winner) == (GamePhase.PLAYING, None)
    assert log_of(older)[-1] == "B1 is destroyed"


def test_end__both_sides_without_units_is_a_draw_in_02_only(place: Place, orders: Orders) -> None:
    state = place(A1=(4, 4, 1), B1=(4, 3, 1))
    lists = orders("P:A1:N"), orders("P:B1:S")
    newer = resolve_turn(state, *lists)
    assert (newer.state.phase, newer.state.winner) == (GamePhase.ENDED, None)
    assert log_of(newer)[-1] == "draw: mutual_destruction"
    older = resolve_turn(state, *lists, ruleset="0.1")
    assert (older.state.phase, older.state.quantars) == (GamePhase.PLAYING, ())


def test_end__comes_after_49_turns(ruleset: str) -> None:
    state, played = create_initial_state(), 0
    while state.phase == GamePhase.PLAYING:
        shields = [[ShieldAction(f"{p}{i}") for i in (1, 2, 3)] for p in Player]
        result = resolve_turn(state, *shields, ruleset=ruleset)
        state, played = result.state, played + 1
    assert (played, state.turn, state.winner) == (49, 50, None)
    assert log_of(result)[-1] == "draw: max_turns"


def test_end__a_win_in_the_last_turn_is_a_win(place: Place, orders: Orders, ruleset: str) -> None:
    state = place(cores=(5, 1), turn=49, A1=(4, 3), B1=(0, 0))
    result = resolve_turn(state, orders("P:A1:N"), [], ruleset=ruleset)
    assert (result.state.turn, result.state.winner) == (50, Player.A)
    assert "draw" not in str(result.log)


def test_resolve_turn__decides_an_ended_game_anew(place: Place) -> None:
    won = place(cores=(5, 0), turn=7, phase="ended", winner="A", A1=(4, 4), B1=(0, 0))
    again = resolve_turn(won, [], []).state
    assert (again.turn, again.phase, again.winner) == (8, GamePhase.ENDED, Player.A)
    odd = replace(won, cores=create_initial_state().cores)
    alive = resolve_turn(odd, [], []).state
    assert (alive.turn, alive.phase, alive.winner) == (8, GamePhase.PLAYING, None)
