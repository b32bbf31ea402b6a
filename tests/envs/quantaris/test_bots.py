"""Tests of the bots: legality in any position, each of their rules, and their strength.

Positions are in the view of the player who decides. Units 0..2 are its own and 3..5 the enemy's,
from left to right at the start of the game. Its own core is at (4, 8), the enemy's at (4, 0). Each
position is tried from both seats.
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
"""The number of decisions of a bot in each position, each with another stream."""


@pytest.fixture(params=[0, 1])
def seat(request: pytest.FixtureRequest) -> int:
    """Return each seat in turn."""
    number: int = request.param
    return number


def seats_of(games: int, second: int = 0) -> npt.NDArray[np.int16]:
    """Return the numbers of the bots by seat, (B, 2): 0 for A and `second` for B in all games."""
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
    """Return the sub-actions of a bot in a position, (64, 3).

    Units are x, y, and hp if it is not 2. `cores` has the hp of its own core and of the enemy's.
    """
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


def choices_of(sub_actions: npt.NDArray[np.int64], row: int) -> set[int]:
    """Return the set of sub-actions of one unit over all rolls. sub_actions: (64, 3)."""
    return set(sub_actions[:, row].tolist())


def scatter(games: int, ruleset: str, shared_cells: bool) -> Batch:
    """Return a batch of random positions, reachable or not: units on any cell, some dead."""
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
# Any position


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__every_sub_action_is_legal_anywhere(bot: str, ruleset: str) -> None:
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
            state, sub_actions = batch.buffers.states[game], batch.buffers.actions[game, player]
            lines, aims = lines_and_aims(state, player, sub_actions)
            own = own_cells(state, player)
            # `own` includes the cells of units that move: they stay if their move is blocked.
            assert not lines & own
            assert not lines & set(aims)
            assert len(set(aims)) == len(aims)
            assert not set(aims) & (own | own_cells(state, 1 - player))
            pulses, moves = pulses + bool(lines), moves + len(aims)
    assert pulses > 500
    assert moves > 500


def own_cells(state: Any, player: int) -> set[tuple[int, int]]:
    """Return the cells of a player's living units and its core."""
    slots = [slot for slot in range(6) if slot // 3 == player and state.hp[slot] > 0]
    cells = {(int(state.x[slot]), int(state.y[slot])) for slot in slots}
    return cells | {(4, 8 if player == 0 else 0)}


def lines_and_aims(
    state: Any, player: int, sub_actions: npt.NDArray[np.int64]
) -> tuple[set[tuple[int, int]], list[tuple[int, int]]]:
    """Return the cells that a player's pulses can cross, and the destinations of its moves.

    The cells of a pulse end before the enemy's core. sub_actions: (3,).
    """
    enemy_core = (4, 0 if player == 0 else 8)
    lines: set[tuple[int, int]] = set()
    aims = []
    for row, sub_action in enumerate(sub_actions.tolist()):
        slot = row if player == 0 else 5 - row
        if sub_action == SHIELD or state.hp[slot] <= 0:
            continue
        view = sub_action - 1 if sub_action in MOVES else sub_action - 5
        direction = view if player == 0 else int(TURNED[view])
        for steps in range(1, 2 if sub_action in MOVES or view >= 4 else 9):
            x = int(state.x[slot]) + steps * int(DX[direction])
            y = int(state.y[slot]) + steps * int(DY[direction])
            if sub_action in MOVES:
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
def test_bots__same_seed_gives_same_sub_actions_compiled_and_as_plain_python(
    bot: str, expected: int
) -> None:
    assert digest_of(bot, seed=1) == expected
    assert digest_of(bot, seed=2) != expected


def digest_of(bot: str, seed: int) -> int:
    """Return a digest of all sub-actions in 16 turns of the bot against itself."""
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
    sub_actions = decide("greedy", seat, {0: (0, 0), 1: (4, 5), 3: (7, 5, 1)}, cores=(5, 2))
    assert choices_of(sub_actions, 0) == {PULSE_E}
    assert choices_of(sub_actions, 1) == {PULSE_N}


def test_greedy__does_not_shoot_what_is_as_good_as_dead(seat: int) -> None:
    sub_actions = decide("greedy", seat, {0: (0, 0), 1: (4, 5), 3: (7, 5, 1)}, cores=(5, 1))
    assert choices_of(sub_actions, 0) == {PULSE_E}
    assert choices_of(sub_actions, 1) == {PULSE_E}


def test_greedy__finishes_a_unit_before_it_wounds_the_core(seat: int) -> None:
    sub_actions = decide("greedy", seat, {1: (4, 5), 3: (7, 5, 1)})
    assert choices_of(sub_actions, 1) == {PULSE_E}


def test_greedy__counts_the_shots_of_its_other_units(seat: int) -> None:
    # Unit 3 has 2 hp: unit 0 wounds it, then unit 1 kills it instead of shooting at the core.
    sub_actions = decide("greedy", seat, {0: (7, 7), 1: (4, 5), 3: (7, 5, 2)})
    both = sub_actions[sub_actions[:, 0] == PULSE_N]
    assert len(both) > ROLLS / 2
    assert choices_of(both, 1) == {PULSE_E}


def test_greedy__wounds_the_core_before_a_unit(seat: int) -> None:
    sub_actions = decide("greedy", seat, {1: (4, 5), 3: (7, 5)})
    assert choices_of(sub_actions, 1) == {PULSE_N}


def test_greedy__shoots_what_is_in_line_three_times_in_four(seat: int) -> None:
    sub_actions = decide("greedy", seat, {1: (2, 5), 3: (7, 5)})
    assert choices_of(sub_actions, 1) <= {PULSE_E, *MOVES}
    assert 0.6 < np.mean(sub_actions[:, 1] == PULSE_E) < 0.9


def test_greedy__uses_diagonals_where_there_are_any(seat: int, ruleset: str) -> None:
    sub_actions = decide("greedy", seat, {1: (2, 5), 3: (3, 4, 1)}, ruleset=ruleset)
    assert (choices_of(sub_actions, 1) == {PULSE_NE}) == (ruleset == "0.2")


def test_greedy__closes_in_on_the_core(seat: int) -> None:
    sub_actions = decide("greedy", seat, {0: (0, 6), 2: (5, 6), 3: (8, 7)})
    assert choices_of(sub_actions, 0) == {MOVE_N, MOVE_E}
    # One step from a clear line to the core.
    assert choices_of(sub_actions, 2) == {MOVE_W}


@pytest.mark.parametrize("bot", BOTS)
def test_bots__hold_fire_where_the_own_core_is_behind_the_target(bot: str, seat: int) -> None:
    sub_actions = decide(bot, seat, {1: (4, 4), 4: (4, 6, 1), 0: (0, 5)}, cores=(5, 5))
    # The enemy's core is to the north.
    assert PULSE_S not in choices_of(sub_actions, 1)
    beside = decide(bot, seat, {1: (4, 4), 4: (6, 4, 1), 0: (0, 5)}, cores=(5, 5))
    assert PULSE_E in choices_of(beside, 1)


# --------------------------------------------------------------------------------------------------
# guardian


def test_guardian__shields_the_guard_that_would_die(seat: int) -> None:
    sub_actions = decide("guardian", seat, {1: (4, 7, 1), 0: (0, 2), 3: (8, 7)})
    assert choices_of(sub_actions, 1) == {SHIELD}


def test_guardian__shields_or_moves_out_a_unit_that_would_die(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (0, 4, 1), 1: (3, 8), 3: (7, 4)})
    assert choices_of(sub_actions, 0) == {SHIELD, MOVE_N}
    assert np.mean(sub_actions[:, 0] == SHIELD) > 0.5


def test_guardian__mixes_shield_step_and_counterfire_in_a_duel(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (0, 4), 1: (3, 8), 3: (7, 4)})
    assert choices_of(sub_actions, 0) == {SHIELD, MOVE_N, PULSE_E}
    assert 0.35 < np.mean(sub_actions[:, 0] == PULSE_E) < 0.65


def test_guardian__wins_under_fire(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (0, 0, 1), 1: (3, 8), 3: (0, 5)}, cores=(5, 1))
    assert choices_of(sub_actions, 0) == {PULSE_E}


def test_guardian__finishes_a_unit_where_it_survives(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (0, 4, 2), 1: (3, 8), 3: (7, 4, 1)})
    assert choices_of(sub_actions, 0) == {PULSE_E}


def test_guardian__shoots_the_attacker_of_its_core_and_not_the_core(seat: int) -> None:
    # Unit 0 can hit the enemy's core and unit 3. In the first position unit 3 can hit unit 0 and
    # the player's core.
    attacked = decide("guardian", seat, {0: (0, 0), 1: (3, 7), 3: (0, 8)})
    assert choices_of(attacked, 0) == {SHIELD, MOVE_E, PULSE_S}
    not_attacked = decide("guardian", seat, {0: (0, 0), 1: (3, 6), 3: (0, 7)})
    assert choices_of(not_attacked, 0) == {SHIELD, MOVE_E, PULSE_E}


def test_guardian__keeps_one_unit_at_home(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (1, 5), 1: (3, 7), 2: (6, 6), 4: (2, 1)})
    assert choices_of(sub_actions, 1) == {SHIELD}
    assert choices_of(sub_actions, 0) <= MOVES
    assert choices_of(sub_actions, 2) <= MOVES


def test_guardian__calls_a_unit_home(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (1, 3), 2: (7, 4), 4: (8, 0)})
    assert choices_of(sub_actions, 2) == {MOVE_S, MOVE_W}
    assert choices_of(sub_actions, 0) == {MOVE_N, MOVE_E}


def test_guardian__attacks_with_its_last_unit(seat: int) -> None:
    sub_actions = decide("guardian", seat, {1: (3, 7), 4: (8, 6)})
    assert choices_of(sub_actions, 1) <= {MOVE_N, MOVE_E}


def test_guardian__guard_steps_into_the_line_on_its_core(seat: int) -> None:
    sub_actions = decide("guardian", seat, {0: (0, 4), 1: (5, 7), 4: (4, 2)})
    assert choices_of(sub_actions, 1) == {MOVE_W}


def test_guardian__does_not_step_into_fire_that_would_kill(seat: int) -> None:
    # Unit 3 has a line to the cell north of unit 0, and unit 4 to the cell east of it.
    rest = {1: (3, 7), 3: (7, 3), 4: (2, 1)}
    assert choices_of(decide("guardian", seat, {0: (1, 4, 1), **rest}), 0) == {MOVE_S, MOVE_W}
    assert choices_of(decide("guardian", seat, {0: (1, 4, 2), **rest}), 0) == MOVES
    assert choices_of(decide("greedy", seat, {0: (1, 4, 1), **rest}), 0) == {MOVE_N, MOVE_E}


# --------------------------------------------------------------------------------------------------
# Strength


def play(bots: tuple[str, str], ruleset: str, games: int) -> npt.NDArray[np.float32]:
    """Return the results of the first bot, (B,); it plays A in the first half of the games."""
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
    """Return the score: 1 for a win and 1/2 for a draw, on average. results: (B,)."""
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
def test_bots__guardian_is_slightly_better_and_draws_are_rare(ruleset: str) -> None:
    assert 0.5 < score(play(("guardian", "greedy"), ruleset, 2000)) < 0.75
    for bots in (("guardian", "greedy"), ("guardian", "guardian"), ("greedy", "greedy")):
        assert np.mean(play(bots, ruleset, 2000) == 0) < 0.4
