"""The scripted players: legal and careful anywhere, their rules one by one, and how well they play.

Positions are written in the view of the player who decides: units 0..2 are its own and 3..5 the
enemy's, each from left to right at the start of the game, its own core is at (4, 8) and the enemy's
at (4, 0). So every position is tried from both seats.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.quantaris.constants import DX, DY, REMOVED, TURNED
from axiom_gym.batch import Batch

BOTS = ["greedy", "guardian"]
SHIELD = 0
MOVE_N, MOVE_E, MOVE_S, MOVE_W = range(1, 5)
PULSE_N, PULSE_E, PULSE_S, PULSE_W, PULSE_NE, PULSE_NW, PULSE_SE, PULSE_SW = range(5, 13)
MOVES = {MOVE_N, MOVE_E, MOVE_S, MOVE_W}
ROLLS = 64
"""How often a bot decides each position, with another stream each time."""


@pytest.fixture(params=[0, 1])
def seat(request: pytest.FixtureRequest) -> int:
    """Each player in turn."""
    number: int = request.param
    return number


def seats_of(games: int, second: int = 0) -> npt.NDArray[np.int16]:
    """(B, 2): number 0 plays A everywhere, and `second` plays B."""
    seats = np.zeros((games, 2), np.int16)
    seats[:, 1] = second
    return seats


def decide(
    bot: str,
    seat: int,
    units: dict[int, tuple[int, ...]],
    cores: tuple[int, int] = (5, 5),
    ruleset: str = "0.2",
) -> npt.NDArray[np.int64]:
    """(64, 3): what the bot orders in a position. Units are x, y, and hp if it is not 2; `cores`
    are the hp of its own and of the enemy's."""
    batch = Batch("quantaris", ROLLS, ruleset=ruleset)
    batch.reset(7)
    states = batch.buffers.states
    states["hp"] = REMOVED
    for unit, (x, y, *hp) in units.items():
        slot = unit if seat == 0 else 5 - unit
        states["x"][:, slot] = x if seat == 0 else 8 - x
        states["y"][:, slot] = y if seat == 0 else 8 - y
        states["hp"][:, slot] = hp[0] if hp else 2
    states["core_hp"][:, seat], states["core_hp"][:, 1 - seat] = cores
    batch.refresh()
    batch.act(bot, seats_of(ROLLS, second=1), seat)
    return batch.buffers.actions[:, seat].copy()


def orders_of(orders: npt.NDArray[np.int64], row: int) -> set[int]:
    """What one unit was ordered, over all rolls. orders: (64, 3)."""
    return set(orders[:, row].tolist())


def scatter(games: int, ruleset: str, shared_cells: bool) -> Batch:
    """Games in positions that need never arise in play: units anywhere, some dead."""
    batch = Batch("quantaris", games, ruleset=ruleset)
    batch.reset(11)
    rng, states = np.random.default_rng(3), batch.buffers.states
    for game in range(games):
        cells = rng.choice(81, 6, replace=shared_cells)
        states["x"][game], states["y"][game] = cells % 9, cells // 9
        states["hp"][game] = rng.choice([REMOVED, 1, 2], 6, p=[0.2, 0.4, 0.4])
        states["core_hp"][game] = rng.integers(1, 6, 2)
    batch.refresh()
    return batch


# --------------------------------------------------------------------------------------------------
# Anywhere


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__every_order_is_legal_anywhere(bot: str, ruleset: str) -> None:
    batch = scatter(4000, ruleset, shared_cells=True)
    batch.buffers.actions[:] = -5
    before = batch.buffers.states.tobytes()
    batch.act(bot, seats_of(4000), 0)
    actions, masks = batch.buffers.actions, batch.buffers.masks
    assert ((actions >= 0) & (actions < masks.shape[3])).all()
    assert np.take_along_axis(masks, actions[..., None], axis=3).all()
    assert batch.buffers.states.tobytes() == before


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__spare_their_own_and_do_not_crowd(bot: str, ruleset: str) -> None:
    batch = scatter(1500, ruleset, shared_cells=True)
    batch.act(bot, seats_of(1500), 0)
    pulses = moves = 0
    for game in range(1500):
        for player in range(2):
            state, orders = batch.buffers.states[game], batch.buffers.actions[game, player]
            lines, aims = lines_and_aims(state, player, orders)
            own = own_cells(state, player)
            # Own units stand where they may stay, if what they aim at is taken.
            assert not lines & own
            assert not lines & set(aims)
            assert len(set(aims)) == len(aims)
            assert not set(aims) & (own | own_cells(state, 1 - player))
            pulses, moves = pulses + bool(lines), moves + len(aims)
    assert pulses > 500
    assert moves > 500


def own_cells(state: Any, player: int) -> set[tuple[int, int]]:
    """Where a player's living units and its core are."""
    slots = [slot for slot in range(6) if slot // 3 == player and state.hp[slot] > 0]
    cells = {(int(state.x[slot]), int(state.y[slot])) for slot in slots}
    return cells | {(4, 8 if player == 0 else 0)}


def lines_and_aims(
    state: Any, player: int, orders: npt.NDArray[np.int64]
) -> tuple[set[tuple[int, int]], list[tuple[int, int]]]:
    """All cells that a player's pulses could go over, short of the enemy's core; the cells that
    its moves aim at. orders: (3,)."""
    enemy_core = (4, 0 if player == 0 else 8)
    lines: set[tuple[int, int]] = set()
    aims = []
    for row, order in enumerate(orders.tolist()):
        slot = row if player == 0 else 5 - row
        if order == SHIELD or state.hp[slot] <= 0:
            continue
        view = order - 1 if order in MOVES else order - 5
        direction = view if player == 0 else int(TURNED[view])
        for steps in range(1, 2 if order in MOVES or view >= 4 else 9):
            x = int(state.x[slot]) + steps * int(DX[direction])
            y = int(state.y[slot]) + steps * int(DY[direction])
            if order in MOVES:
                aims.append((x, y))
            elif (x, y) == enemy_core:
                break
            else:
                lines.add((x, y))
    return lines, aims


@pytest.mark.boundscheck
@pytest.mark.parametrize("bot", BOTS)
def test_bots__both_seats_play_alike(bot: str, ruleset: str) -> None:
    games = 100
    batch = scatter(games, ruleset, shared_cells=False)
    turned = batch.clone()
    theirs, states = turned.buffers.states, batch.buffers.states
    for name in ("x", "y"):
        theirs[name] = 8 - states[name][:, ::-1]
    theirs["hp"] = states["hp"][:, ::-1]
    theirs["core_hp"] = states["core_hp"][:, ::-1]
    turned.refresh()
    turned.buffers.streams[:] = batch.buffers.streams[:, ::-1]
    for one in (batch, turned):
        one.act(bot, seats_of(games), 0)
    assert np.array_equal(turned.buffers.actions, batch.buffers.actions[:, ::-1])


@pytest.mark.parametrize(("bot", "expected"), [("greedy", 2637987680), ("guardian", 3601672970)])
def test_bots__same_seed_same_orders_compiled_and_as_plain_python(bot: str, expected: int) -> None:
    assert digest_of(bot, seed=1) == expected
    assert digest_of(bot, seed=2) != expected


def digest_of(bot: str, seed: int) -> int:
    """Of all orders of some turns of the bot against itself."""
    batch = Batch("quantaris", 8)
    batch.reset(seed)
    digest = 0
    for _ in range(16):
        batch.act(bot, seats_of(8), 0)
        digest = zlib.crc32(batch.buffers.actions.astype("<i8").tobytes(), digest)
        batch.step()
    return digest


# --------------------------------------------------------------------------------------------------
# greedy


def test_greedy__finishes_the_core_before_anything_else(seat: int) -> None:
    # Unit 1 could finish unit 3 instead.
    orders = decide("greedy", seat, {0: (0, 0), 1: (4, 5), 3: (7, 5, 1)}, cores=(5, 2))
    assert orders_of(orders, 0) == {PULSE_E}
    assert orders_of(orders, 1) == {PULSE_N}


def test_greedy__does_not_shoot_what_is_as_good_as_dead(seat: int) -> None:
    orders = decide("greedy", seat, {0: (0, 0), 1: (4, 5), 3: (7, 5, 1)}, cores=(5, 1))
    assert orders_of(orders, 0) == {PULSE_E}
    assert orders_of(orders, 1) == {PULSE_E}


def test_greedy__finishes_a_unit_before_it_wounds_the_core(seat: int) -> None:
    orders = decide("greedy", seat, {1: (4, 5), 3: (7, 5, 1)})
    assert orders_of(orders, 1) == {PULSE_E}


def test_greedy__counts_the_shots_of_its_other_units(seat: int) -> None:
    # Unit 3 has 2 hp: unit 0 wounds it, and unit 1 then finishes it and leaves the core alone.
    orders = decide("greedy", seat, {0: (7, 7), 1: (4, 5), 3: (7, 5, 2)})
    both = orders[orders[:, 0] == PULSE_N]
    assert len(both) > ROLLS / 2
    assert orders_of(both, 1) == {PULSE_E}


def test_greedy__wounds_the_core_before_a_unit(seat: int) -> None:
    orders = decide("greedy", seat, {1: (4, 5), 3: (7, 5)})
    assert orders_of(orders, 1) == {PULSE_N}


def test_greedy__shoots_what_is_in_line_three_times_in_four(seat: int) -> None:
    orders = decide("greedy", seat, {1: (2, 5), 3: (7, 5)})
    assert orders_of(orders, 1) <= {PULSE_E, *MOVES}
    assert 0.6 < np.mean(orders[:, 1] == PULSE_E) < 0.9


def test_greedy__uses_diagonals_where_there_are_any(seat: int, ruleset: str) -> None:
    orders = decide("greedy", seat, {1: (2, 5), 3: (3, 4, 1)}, ruleset=ruleset)
    assert (orders_of(orders, 1) == {PULSE_NE}) == (ruleset == "0.2")


def test_greedy__closes_in_on_the_core(seat: int) -> None:
    orders = decide("greedy", seat, {0: (0, 6), 2: (5, 6), 3: (8, 7)})
    assert orders_of(orders, 0) == {MOVE_N, MOVE_E}
    # One step from a clear line to the core.
    assert orders_of(orders, 2) == {MOVE_W}


@pytest.mark.parametrize("bot", BOTS)
def test_bots__hold_fire_where_the_own_core_is_behind_the_target(bot: str, seat: int) -> None:
    orders = decide(bot, seat, {1: (4, 4), 4: (4, 6, 1), 0: (0, 5)}, cores=(5, 5))
    # The enemy's core is to the north.
    assert PULSE_S not in orders_of(orders, 1)
    beside = decide(bot, seat, {1: (4, 4), 4: (6, 4, 1), 0: (0, 5)}, cores=(5, 5))
    assert PULSE_E in orders_of(beside, 1)


# --------------------------------------------------------------------------------------------------
# guardian


def test_guardian__shields_the_guard_that_would_die(seat: int) -> None:
    orders = decide("guardian", seat, {1: (4, 7, 1), 0: (0, 2), 3: (8, 7)})
    assert orders_of(orders, 1) == {SHIELD}


def test_guardian__shields_or_moves_out_a_unit_that_would_die(seat: int) -> None:
    orders = decide("guardian", seat, {0: (0, 4, 1), 1: (3, 8), 3: (7, 4)})
    assert orders_of(orders, 0) == {SHIELD, MOVE_N}
    assert np.mean(orders[:, 0] == SHIELD) > 0.5


def test_guardian__mixes_shield_step_and_counterfire_in_a_duel(seat: int) -> None:
    orders = decide("guardian", seat, {0: (0, 4), 1: (3, 8), 3: (7, 4)})
    assert orders_of(orders, 0) == {SHIELD, MOVE_N, PULSE_E}
    assert 0.35 < np.mean(orders[:, 0] == PULSE_E) < 0.65


def test_guardian__wins_under_fire(seat: int) -> None:
    orders = decide("guardian", seat, {0: (0, 0, 1), 1: (3, 8), 3: (0, 5)}, cores=(5, 1))
    assert orders_of(orders, 0) == {PULSE_E}


def test_guardian__finishes_a_unit_where_it_survives(seat: int) -> None:
    orders = decide("guardian", seat, {0: (0, 4, 2), 1: (3, 8), 3: (7, 4, 1)})
    assert orders_of(orders, 0) == {PULSE_E}


def test_guardian__shoots_the_attacker_of_its_core_and_not_the_core(seat: int) -> None:
    # Unit 0 can hit the enemy's core, and unit 3, which in the first position can hit both unit 0
    # and its core.
    attacked = decide("guardian", seat, {0: (0, 0), 1: (3, 7), 3: (0, 8)})
    assert orders_of(attacked, 0) == {SHIELD, MOVE_E, PULSE_S}
    not_attacked = decide("guardian", seat, {0: (0, 0), 1: (3, 6), 3: (0, 7)})
    assert orders_of(not_attacked, 0) == {SHIELD, MOVE_E, PULSE_E}


def test_guardian__keeps_one_unit_at_home(seat: int) -> None:
    orders = decide("guardian", seat, {0: (1, 5), 1: (3, 7), 2: (6, 6), 4: (2, 1)})
    assert orders_of(orders, 1) == {SHIELD}
    assert orders_of(orders, 0) <= MOVES
    assert orders_of(orders, 2) <= MOVES


def test_guardian__calls_a_unit_home(seat: int) -> None:
    orders = decide("guardian", seat, {0: (1, 3), 2: (7, 4), 4: (8, 0)})
    assert orders_of(orders, 2) == {MOVE_S, MOVE_W}
    assert orders_of(orders, 0) == {MOVE_N, MOVE_E}


def test_guardian__attacks_with_its_last_unit(seat: int) -> None:
    orders = decide("guardian", seat, {1: (3, 7), 4: (8, 6)})
    assert orders_of(orders, 1) <= {MOVE_N, MOVE_E}


def test_guardian__guard_steps_into_the_line_on_its_core(seat: int) -> None:
    orders = decide("guardian", seat, {0: (0, 4), 1: (5, 7), 4: (4, 2)})
    assert orders_of(orders, 1) == {MOVE_W}


def test_guardian__does_not_step_into_fire_that_would_kill(seat: int) -> None:
    # Unit 3 has a line to the cell north of unit 0, and unit 4 to the cell east of it.
    rest = {1: (3, 7), 3: (7, 3), 4: (2, 1)}
    assert orders_of(decide("guardian", seat, {0: (1, 4, 1), **rest}), 0) == {MOVE_S, MOVE_W}
    assert orders_of(decide("guardian", seat, {0: (1, 4, 2), **rest}), 0) == MOVES
    assert orders_of(decide("greedy", seat, {0: (1, 4, 1), **rest}), 0) == {MOVE_N, MOVE_E}


# --------------------------------------------------------------------------------------------------
# How well they play


def play(bots: tuple[str, str], ruleset: str, games: int) -> npt.NDArray[np.float32]:
    """(B,): results of the first bot, which plays A in the first half of the games."""
    batch = Batch("quantaris", games, ruleset=ruleset)
    batch.reset(0)
    seats = seats_of(games, second=1)
    seats[games // 2 :] = seats[games // 2 :, ::-1]
    running = np.ones(games, np.bool_)
    results = np.zeros((games, 2), np.float32)
    while running.any():
        for number, bot in enumerate(bots):
            batch.act(bot, seats, number)
        batch.step()
        ended = running & (batch.buffers.terminated | batch.buffers.truncated)
        results[ended] = batch.buffers.rewards[ended]
        running &= ~ended
    return results[seats == 0]


def score(results: npt.NDArray[np.float32]) -> float:
    """A win counts 1 and a draw 1/2. results: (B,)."""
    return float((results.mean() + 1) / 2)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("bot", "least"), [("greedy", 0.95), ("guardian", 0.85)])
def test_bots__beat_random(bot: str, least: float, ruleset: str) -> None:
    assert score(play((bot, "random"), ruleset, 2000)) >= least


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__neither_seat_is_better(bot: str, ruleset: str) -> None:
    results = play((bot, bot), ruleset, 2000)
    seat_a = np.concatenate([results[:1000], -results[1000:]])
    assert score(seat_a) == pytest.approx(0.5, abs=0.05)


@pytest.mark.compiled_only
def test_bots__meet_as_equals_of_different_kind(ruleset: str) -> None:
    assert 0.5 < score(play(("guardian", "greedy"), ruleset, 2000)) < 0.75
    for bots in (("guardian", "greedy"), ("guardian", "guardian"), ("greedy", "greedy")):
        assert np.mean(play(bots, ruleset, 2000) == 0) < 0.4
