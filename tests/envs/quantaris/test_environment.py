"""Tests of the environment: it agrees with the rules on immutable values and treats sides alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.quantaris.compat import bridge
from axiom_envs.quantaris.compat.rules import create_initial_state, legal_actions, resolve_turn
from axiom_envs.quantaris.compat.types import (
    Action,
    Direction,
    GamePhase,
    GameState,
    MoveAction,
    Player,
    PulseAction,
    PulseDirection,
    ShieldAction,
)
from axiom_gym.batch import Batch

# The names on the board of each player's directions: B's view is rotated by 180 degrees.
NAMES = {
    Player.A: ("N", "E", "S", "W", "NE", "NW", "SE", "SW"),
    Player.B: ("S", "W", "N", "E", "SW", "SE", "NW", "NE"),
}
UNITS = {Player.A: ("A1", "A2", "A3"), Player.B: ("B3", "B2", "B1")}
GAMES = 20
TURNS = 60


def _state(record: Any) -> GameState:
    """Return the immutable value of a record."""
    return bridge.from_record(create_initial_state(), record)


def _action(player: Player, row: int, number: int) -> Action:
    """Return the action of a sub-action, by the list in the documentation of the kernel."""
    unit, directions = UNITS[player][row], NAMES[player]
    if number == 0:
        return ShieldAction(unit)
    if number <= 4:
        return MoveAction(unit, Direction(directions[number - 1]))
    return PulseAction(unit, PulseDirection(directions[number - 5]))


def _living(state: GameState, player: Player) -> list[int]:
    """Return the rows of a player's units that are on the board."""
    names = {unit.id for unit in state.quantars}
    return [row for row, name in enumerate(UNITS[player]) if name in names]


def _play(batch: Batch, turns: int = TURNS) -> Iterator[int]:
    """Play random legal turns; yield after the actions are sampled and before the step."""
    for turn in range(turns):
        batch.sample_actions()
        yield turn
        batch.step()


# -- rules -----------------------------------------------------------------------------------------


def test_masks__are_the_legal_actions_of_the_rules(ruleset: str) -> None:
    batch = Batch("quantaris", GAMES, ruleset=ruleset)
    batch.reset(1)
    for _ in _play(batch):
        for game in np.flatnonzero(batch.buffers.episodes["ended"] == 0):
            state = _state(batch.buffers.states[game])
            for seat, player in enumerate(Player):
                mask = batch.buffers.masks[game, seat]
                allowed = set(legal_actions(state, player, ruleset=ruleset))
                living = _living(state, player)
                numbers = [(row, n) for row in living for n in np.flatnonzero(mask[row]).tolist()]
                assert {_action(player, row, n) for row, n in numbers} == allowed
                assert len(numbers) == len(allowed)
                for row in set(range(3)) - set(living):
                    assert np.flatnonzero(mask[row]).tolist() == [0]


@pytest.mark.boundscheck
def test_step__is_a_turn_of_the_rules(ruleset: str) -> None:
    batch = Batch("quantaris", GAMES, ruleset=ruleset, autoreset="same_step")
    batch.reset(2)
    states = [_state(record) for record in batch.buffers.states]
    for _ in range(TURNS):
        batch.sample_actions()
        actions = batch.buffers.actions.copy()
        batch.step()
        for game in range(GAMES):
            a, b = (
                [
                    _action(player, row, actions[game, seat, row])
                    for row in _living(states[game], player)
                ]
                for seat, player in enumerate(Player)
            )
            after = resolve_turn(states[game], a, b, ruleset=ruleset).state
            ended = after.phase == GamePhase.ENDED
            assert batch.buffers.terminated[game] == ended
            assert batch.buffers.rewards[game].tolist() == _rewards(after)
            states[game] = create_initial_state() if ended else after
            assert _state(batch.buffers.states[game]) == states[game]


def _rewards(state: GameState) -> list[float]:
    if state.winner is None:
        return [0.0, -0.0]
    return [1.0, -1.0] if state.winner == Player.A else [-1.0, 1.0]


def test_step__a_missing_sub_action_leaves_the_unit_in_place(ruleset: str) -> None:
    """A missing sub-action, -1, has the same effect as no action in the rules."""
    batch = Batch("quantaris", 1, ruleset=ruleset)
    batch.reset(1)
    batch.buffers.actions[0] = [[-1, 1, -1], [2, -1, -1]]
    state = create_initial_state()
    after = resolve_turn(
        state,
        [_action(Player.A, 1, 1)],
        [_action(Player.B, 0, 2)],
        ruleset=ruleset,
    ).state
    batch.step()
    assert _state(batch.buffers.states[0]) == after


@pytest.mark.parametrize("shaping", [0.25, 1.0])
def test_rewards__are_shaped_by_damage_to_cores(shaping: float) -> None:
    plain = Batch("quantaris", 10, autoreset="disabled")
    shaped = Batch("quantaris", 10, autoreset="disabled", shaping=shaping)
    both, hits = (plain, shaped), 0
    for batch in both:
        batch.reset(3)
    for _ in range(60):
        before = shaped.buffers.states["core_hp"].astype(int)
        for batch in both:
            batch.sample_actions()
            batch.step()
        damage = before - shaped.buffers.states["core_hp"]
        gain = shaping * (damage[:, 1] - damage[:, 0])
        assert np.allclose(shaped.buffers.rewards[:, 0], plain.buffers.rewards[:, 0] + gain)
        assert np.allclose(shaped.buffers.rewards[:, 1], plain.buffers.rewards[:, 1] - gain)
        hits += np.count_nonzero(gain)
        over = plain.buffers.terminated.copy()
        for batch in both if over.any() else ():
            batch.reset(which=over)
    assert hits > 10


def test_game__is_drawn_after_49_turns() -> None:
    batch = Batch("quantaris", 1, autoreset="disabled")
    batch.reset(1)
    for turn in range(1, 50):
        assert batch.buffers.states["turn"][0] == turn
        batch.buffers.actions[:] = 0
        batch.step()
        assert batch.buffers.terminated[0] == (turn == 49)
    assert not batch.buffers.rewards.any()


# -- symmetry --------------------------------------------------------------------------------------


def _turned(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return positions rotated by 180 degrees with the sides swapped: A's units become B3 B2 B1."""
    turned = states.copy()
    turned["x"] = 8 - states["x"][:, ::-1]
    turned["y"] = 8 - states["y"][:, ::-1]
    turned["hp"] = states["hp"][:, ::-1]
    turned["core_hp"] = states["core_hp"][:, ::-1]
    decided = states["winner"] >= 0
    turned["winner"][decided] = 1 - states["winner"][decided]
    return turned


def _without_shared_cells(
    states: npt.NDArray[Any], hp: npt.NDArray[np.int8]
) -> npt.NDArray[np.bool_]:
    """Return a mask of the games in which no two living units share a cell, (B,)."""
    cells = states["x"].astype(int) + 9 * states["y"]
    absent = hp <= 0
    cells[absent] = 100 + np.nonzero(absent)[1]
    ordered = np.sort(cells, axis=1)
    free: npt.NDArray[np.bool_] = (np.diff(ordered, axis=1) != 0).all(axis=1)
    return free


def _mirror(batch: Batch) -> Batch:
    """Return a batch at the rotated positions."""
    mirror = batch.clone()
    mirror.buffers.states[...] = _turned(batch.buffers.states)
    mirror.refresh()
    return mirror


@pytest.mark.parametrize("obs", ["features", pytest.param("planes", marks=pytest.mark.slow)])
def test_players__see_the_same_from_their_own_side(ruleset: str, obs: str) -> None:
    batch = Batch("quantaris", GAMES, ruleset=ruleset, obs=obs)
    batch.reset(4)
    kinds = 0
    for _ in _play(batch):
        states = batch.buffers.states
        mirror, free = _mirror(batch), _without_shared_cells(states, states["hp"])
        # On a shared cell a pulse hits the first unit in state order, which the rotation reverses.
        exact = free if obs == "features" else np.ones(GAMES, np.bool_)
        for seat in range(2):
            own, other = (
                batch.buffers.observations[:, seat],
                mirror.buffers.observations[:, 1 - seat],
            )
            assert np.array_equal(own[exact], other[exact])
            own_mask, other_mask = batch.buffers.masks[:, seat], mirror.buffers.masks[:, 1 - seat]
            assert np.array_equal(own_mask, other_mask)
        kinds += exact.sum()
    assert kinds > GAMES * TURNS / 2


def test_players__have_the_same_chances(ruleset: str) -> None:
    """A turn of the rotated position equals the rotated turn, as long as no units share a cell.

    That includes the cells within the turn, after the moves and before the pulses.
    """
    batch = Batch("quantaris", GAMES, ruleset=ruleset, autoreset="disabled")
    batch.reset(5)
    compared = ended = 0
    for _ in range(TURNS):
        states, hp = batch.buffers.states, batch.buffers.states["hp"].copy()
        mirror, free = _mirror(batch), _without_shared_cells(states, hp)
        batch.sample_actions()
        mirror.buffers.actions[...] = batch.buffers.actions[:, ::-1]
        batch.step()
        mirror.step()
        free &= _without_shared_cells(states, hp)
        over = batch.buffers.terminated.copy()
        assert np.array_equal(mirror.buffers.rewards[free], batch.buffers.rewards[free, ::-1])
        assert np.array_equal(mirror.buffers.terminated[free], over[free])
        assert np.array_equal(mirror.buffers.states[free], _turned(states)[free])
        compared, ended = compared + free.sum(), ended + (free & over).sum()
        if over.any():
            batch.reset(which=over)
    assert compared > GAMES * TURNS / 2
    assert ended > GAMES / 4


# -- observations ----------------------------------------------------------------------------------


def _named(batch: Batch, player: int) -> dict[str, float]:
    """Return the features of game 0 by name."""
    values = batch.buffers.observations[0, player].tolist()
    return dict(zip(batch.layout.feature_names, values, strict=True))


def test_features__show_the_first_position() -> None:
    batch = Batch("quantaris", 1)
    batch.reset(1)
    for player in range(2):
        seen = _named(batch, player)
        assert [seen[f"own{row}.x"] * 8 for row in range(3)] == [3, 4, 5]
        assert [seen[f"own{row}.y"] * 8 for row in range(3)] == [6, 6, 6]
        assert [seen[f"enemy{row}.x"] * 8 for row in range(3)] == [3, 4, 5]
        assert [seen[f"enemy{row}.y"] * 8 for row in range(3)] == [2, 2, 2]
        assert seen["own_core.hp"] == seen["enemy_core.hp"] == 1.0
        assert seen["turn"] == np.float32(1 / 49)
        assert seen["own1.pulse_N.enemy_unit"] == 1.0
        assert seen["own1.pulse_N.enemy_core"] == 0.0
        assert seen["own1.pulse_E.friend"] == 1.0
        assert seen["own1.pulse_S.friend"] == 1.0
        assert seen["own0.pulse_W.friend"] == 0.0


@pytest.mark.boundscheck
def test_features__show_the_target_of_each_pulse(ruleset: str) -> None:
    """The features agree with the events of a turn in which only that unit fires."""
    batch = Batch("quantaris", 6, ruleset=ruleset)
    batch.reset(6)
    names = {"enemy_unit": 0, "enemy_core": 1, "friend": 2}
    for turn in _play(batch, 40):
        if turn % 4 or batch.buffers.episodes["ended"].any():
            continue
        for game in range(batch.num_envs):
            state = _state(batch.buffers.states[game])
            for seat, player in enumerate(Player):
                seen = batch.buffers.observations[game, seat]
                for row in _living(state, player):
                    for d in range(8 if ruleset == "0.2" else 4):
                        hit = _target(state, player, _action(player, row, 5 + d), ruleset)
                        for name in names:
                            at = batch.layout.feature_names.index(
                                f"own{row}.pulse_{NAMES[Player.A][d]}.{name}"
                            )
                            assert seen[at] == (hit == name)


def _target(state: GameState, player: Player, pulse: Action, ruleset: str) -> str | None:
    """Return the name of the target that a pulse hits, in the firing player's view, or None."""
    log = resolve_turn(state, [pulse], [], ruleset=ruleset).log.to_json()
    hits = [event["targetId"] for event in log["events"] if event["type"] == "PULSE_HIT"]
    if not hits:
        return None
    if hits[0].endswith(player) if hits[0].startswith("core_") else hits[0].startswith(player):
        return "friend"
    return "enemy_core" if hits[0].startswith("core_") else "enemy_unit"


@pytest.mark.boundscheck
def test_planes__show_units_cores_and_the_turn() -> None:
    batch = Batch("quantaris", 1, obs="planes")
    batch.reset(1)
    for player in range(2):
        planes = batch.buffers.observations[0, player]
        cells = [tuple(np.argwhere(plane)[0]) for plane in planes[:8]]
        assert cells == [(6, 3), (6, 4), (6, 5), (2, 3), (2, 4), (2, 5), (8, 4), (0, 4)]
        assert np.all(planes[:8].sum(axis=(1, 2)) == 1.0)
        assert np.all(planes[8] == np.float32(1 / 49))
