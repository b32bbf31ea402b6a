from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.batch.buffers import AUTORESET
from axiom_gym.errors import (
    ConfigError,
    IllegalActionError,
    ResetNeededError,
    StateError,
    UnknownOpponentError,
)
from axiom_gym.opponents import OpponentPool
from axiom_gym.opponents.rows import own
from axiom_gym.opponents.seating import LEARNER, Seating
from axiom_gym.rng import SeededRNG

Make = Callable[..., Seating]
# The bets of the two bots of the test game without a forced side, and where it shows the seat.
HIGHEST, LOWEST = [1, 2], [0, 0]
PLAYER = 2
SEATING_SALT = 1001


@pytest.fixture
def make(pennies: ModuleType) -> Iterator[Make]:
    """A function that makes a seating of the test game; it passes other options to the batch."""
    made = []

    def make(
        num_envs: int = 3,
        players: int = 2,
        opponent: Any = "highest",
        seat: int | str = 0,
        self_play_games: int = 0,
        **options: Any,
    ) -> Seating:
        made.append(Batch({2: pennies.GAME, 3: pennies.TRIO}[players], num_envs, **options))
        return Seating(made[-1], opponent, seat, self_play_games)

    yield make
    for batch in made:
        batch.close()


def passive(seating: Seating) -> Any:
    """Return legal sub-actions for every row."""
    return np.zeros((seating.num_rows, 2), np.int64)


def step(seating: Seating, turns: int = 1) -> None:
    for _ in range(turns):
        seating.step(passive(seating))


def snapshot(seating: Seating) -> list[Any]:
    """Return everything that play depends on."""
    arrays = [*seating.batch.buffers[:3], seating.seats, seating.row_seats, seating._draws]
    return [*(array.tobytes() for array in arrays), seating._rng.bit_generator.state]


# Seats


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_seat__is_the_learners_in_every_game(make: Make, seat: int) -> None:
    seating = make(3, 3, seat=seat)
    seating.reset(0)
    step(seating)
    buffers = seating.batch.buffers
    assert seating.num_rows == 3
    assert seating.row_games.tolist() == [0, 1, 2]
    assert seating.row_seats.tolist() == seating.final_seats().tolist() == [seat] * 3
    assert (seating.seats == LEARNER).tolist() == [[p == seat for p in range(3)]] * 3
    expected = [LOWEST if p == seat else HIGHEST for p in range(3)]
    assert buffers.actions.tolist() == [expected] * 3
    for array in (buffers.observations, buffers.masks, buffers.rewards):
        assert seating.select(array).tolist() == array[:, seat].tolist()
        assert seating.final(array).tolist() == array[:, seat].tolist()


@pytest.mark.parametrize("seat", [-1, 2, 0.5, True, None, "left", "Random"])
def test_seat__must_be_one_of_the_game(make: Make, seat: Any) -> None:
    with pytest.raises(ConfigError, match=r"seat, unless it is .random., must be an integer"):
        make(seat=seat)


@pytest.mark.parametrize("size", [1, 3])
def test_rows__are_views_of_the_buffers_where_they_can_be(make: Make, size: int) -> None:
    for options in ({}, {"seat": "random"}, {"self_play_games": size}, {"self_play_games": 1}):
        seating = make(size, **options)
        rows = seating.reset(0)
        array = seating.batch.buffers.observations
        is_mixed = size == 3 and options in ({"seat": "random"}, {"self_play_games": 1})
        assert np.shares_memory(rows.observations, array) is not is_mixed
        for one in rows:
            assert not any(own(one) is buffer for buffer in seating.batch.buffers)
            assert not np.shares_memory(own(one), array)


@pytest.mark.parametrize("seat", [1, "random"])
@pytest.mark.parametrize("self_play", [0, 1, 3])
@pytest.mark.parametrize("size", [1, 3])
def test_rows__equal_the_buffers_at_their_seats(
    make: Make, size: int, self_play: int, seat: int | str
) -> None:
    size = max(size, self_play)
    seating = make(size, 3, "highest", seat, self_play, preset="short", autoreset="same_step")
    assert seating.reset(4) is seating.rows
    buffers, ended = seating.batch.buffers, 0
    for turn in range(7):
        seats = seating.row_seats.copy()
        actions = passive(seating)
        actions[turn % seating.num_rows] = 9
        rows = seating.step(actions)
        assert rows is seating.rows
        games = seating.row_games
        assert np.array_equal(rows.seats, seats)
        assert np.array_equal(rows.observations, buffers.observations[games, seating.row_seats])
        assert np.array_equal(rows.masks, buffers.masks[games, seating.row_seats])
        assert np.array_equal(rows.rewards, buffers.rewards[games, seats])
        assert np.array_equal(rows.illegal, buffers.episodes["offenders"][games, seats])
        assert rows.illegal.sum() == 1
        assert np.array_equal(rows.terminated, buffers.terminated[games])
        assert np.array_equal(rows.truncated, buffers.truncated[games])
        over = rows.terminated | rows.truncated
        ends = seating.find_ends(over)
        assert ends.rows.tolist() == np.flatnonzero(over).tolist()
        last = (games[over], seats[over])
        assert np.array_equal(ends.returns, buffers.episodes["final_returns"][last])
        assert np.array_equal(ends.lengths, buffers.episodes["final_length"][games[over]])
        assert np.array_equal(ends.final_observations, buffers.final_observations[last])
        ended += len(ends.rows)
    assert ended


def test_rows__of_a_pickled_seating_follow_its_own_batch(make: Make) -> None:
    for seat in (1, "random"):
        seating = make(2, 2, "lowest", seat)
        seating.reset(3)
        twin = copy.deepcopy(seating)
        expected = [own(array) for array in seating.step(passive(seating) + 1)]
        found = twin.step(passive(twin) + 1)
        for one, other in zip(expected, found, strict=True):
            assert np.array_equal(one, other)


def test_learner_seats__are_what_a_bot_may_play(make: Make) -> None:
    seating = make(2, 3, seat=1)
    seating.reset(0)
    seats = seating.learner_seats()
    assert seats.dtype == np.int16
    assert seats.tolist() == [[0, 1, 0]] * 2
    seating.batch.buffers.actions[:] = -5
    seating.batch.act("highest", seats, 1)
    assert seating.batch.buffers.actions.tolist() == [[[-5, -5], HIGHEST, [-5, -5]]] * 2


# Random seats


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
@pytest.mark.parametrize("opponent", ["highest", ["highest", "lowest", "random"]])
def test_random_seat__is_drawn_when_an_episode_begins(
    make: Make, autoreset: str, opponent: Any
) -> None:
    seating = make(6, 3, opponent, "random", autoreset=autoreset, max_turns=3)
    seating.reset(5)
    members = len(seating.pool.members)
    drawn: list[tuple[int, int]] = []
    draws = [SeededRNG(5 + i).fork(SEATING_SALT) for i in range(6)]
    expected = [(-1, -1)] * 6
    for _ in range(25):
        lengths = seating.batch.buffers.episodes["length"]
        for game in range(6):
            if lengths[game] == 0:
                # First the opponent is drawn, if there are several, and then the seat.
                share = draws[game].next() if members > 1 else 0.0
                expected[game] = (int(share * members), draws[game].below(3))
                drawn.append(expected[game])
            number, seat = expected[game]
            seats = [1 + number if p != seat else LEARNER for p in range(3)]
            assert seating.seats[game].tolist() == seats
            assert seating.row_seats[game] == seat
        seen = seating.select(seating.batch.buffers.observations)
        assert seen[:, PLAYER].tolist() == seating.row_seats.tolist()
        step(seating)
    assert {seat for _, seat in drawn} == {0, 1, 2}
    assert {number for number, _ in drawn} == set(range(members))


def test_random_seat__routes_actions_and_rewards(make: Make) -> None:
    seating = make(8, 3, "lowest", "random", preset="endless")
    seating.reset(1)
    seating.step(np.tile(np.array(HIGHEST), (8, 1)))
    buffers, seats = seating.batch.buffers, seating.row_seats
    assert len(set(seats.tolist())) == 3
    for game, seat in enumerate(seats):
        actions = [HIGHEST if p == seat else LOWEST for p in range(3)]
        assert buffers.actions[game].tolist() == actions
        assert seating.select(buffers.rewards)[game] == buffers.rewards[game, seat]
        assert abs(seating.select(buffers.rewards)[game]) == 3


def test_final__is_of_the_seats_that_the_rows_held_before_the_reset(make: Make) -> None:
    seating = make(6, 3, seat="random", autoreset="same_step", stop=100)
    seating.reset(2)
    changed = 0
    for _ in range(40):
        before = seating.row_seats.copy()
        step(seating)
        buffers = seating.batch.buffers
        assert seating.final_seats().tolist() == before.tolist()
        over = buffers.terminated
        assert seating.final(buffers.final_observations)[over, PLAYER].tolist() == (
            before[over].tolist()
        )
        assert seating.final(buffers.rewards).tolist() == (
            buffers.rewards[np.arange(6), before].tolist()
        )
        seen = seating.select(buffers.observations)[:, PLAYER]
        assert seen.tolist() == seating.row_seats.tolist()
        assert (seating.row_seats == before)[~over].all()
        changed += int((seating.row_seats != before).sum())
    assert changed > 10


# Self-play


@pytest.mark.parametrize("seat", [1, "random"])
def test_self_play__makes_every_seat_of_the_first_games_a_row(make: Make, seat: Any) -> None:
    seating = make(4, 3, seat=seat, self_play_games=2, preset="endless")
    seating.reset(3)
    assert seating.num_rows == 8
    assert seating.row_games.tolist() == [0, 0, 0, 1, 1, 1, 2, 3]
    assert seating.row_seats[:6].tolist() == [0, 1, 2, 0, 1, 2]
    assert seat == "random" or seating.row_seats[6:].tolist() == [1, 1]
    assert (seating.seats[:2] == LEARNER).all()
    actions = np.array([[row % 2, row % 3] for row in range(8)])
    seating.step(actions)
    buffers = seating.batch.buffers
    rows = (seating.row_games, seating.row_seats)
    assert buffers.actions[rows].tolist() == actions.tolist()
    for game in (2, 3):
        others = [p for p in range(3) if p != seating.row_seats[4 + game]]
        assert buffers.actions[game, others].tolist() == [HIGHEST] * 2
    for array in (buffers.observations, buffers.rewards):
        assert seating.select(array).tolist() == array[rows].tolist()
    assert (seating.rows.illegal != 0).tolist() == [False] * 8


@pytest.mark.parametrize("opponent", ["highest", [], OpponentPool(), lambda *_: 1 / 0])
def test_self_play__of_all_games_needs_no_opponent(make: Make, opponent: Any) -> None:
    seating = make(2, 2, opponent, self_play_games=2, preset="short", autoreset="same_step")
    seating.reset(0)
    step(seating, 3)
    array = seating.batch.buffers.observations
    assert seating.num_rows == 4
    assert seating.select(array).tolist() == array.reshape(4, 5).tolist()


@pytest.mark.parametrize("games", [-1, 4, 1.0])
def test_self_play__must_be_of_games_that_are_there(make: Make, games: Any) -> None:
    with pytest.raises(ConfigError, match="self_play_games must be an integer from 0 to 3"):
        make(3, self_play_games=games)


def test_self_play__draws_opponents_for_the_other_games_only(make: Make) -> None:
    alone = make(2, 2, ["highest", "lowest"], preset="endless")
    alone.reset(12)
    seating = make(4, 2, ["highest", "lowest"], self_play_games=2, preset="endless")
    seating.reset(10)
    assert seating.seats[:2].tolist() == [[0, 0], [0, 0]]
    assert seating.seats[2:].tolist() == alone.seats.tolist()


# Pools


def test_pool__is_drawn_by_its_weights(make: Make) -> None:
    pool = OpponentPool(["highest", "lowest", "random"], [1, 0, 3])
    seating = make(400, 2, pool)
    seating.reset(0)
    counts = np.bincount(seating.seats[:, 1], minlength=4)
    # 100 of 400, with a standard deviation of 9.
    assert counts[[0, 2]].tolist() == [0, 0]
    assert abs(counts[1] - 100) < 40


@pytest.mark.parametrize("autoreset", AUTORESET)
def test_pool__changes_opponents_at_the_start_of_an_episode_only(
    make: Make, autoreset: str
) -> None:
    pool = OpponentPool(["highest", "lowest"], [1, 0])
    seating = make(8, 2, pool, autoreset=autoreset, stop=100)
    seating.reset(4)
    step(seating)
    # From now on no new episode draws the first member, and half draw the new one.
    pool.weights[:] = [0, 1]
    pool.add("random", 1)
    new: set[int] = set()
    for _ in range(40):
        before, actions = seating.seats.copy(), seating.batch.buffers.actions
        ended = seating.batch.buffers.episodes["ended"].copy()
        if autoreset == "disabled" and ended.any():
            seating.reset(which=ended.astype(bool))
            before, ended = seating.seats.copy(), ended * 0
        step(seating)
        for game in range(8):
            began = seating.batch.buffers.episodes["length"][game] == 0
            if not ended[game]:
                assert actions[game, 1].tolist() == {1: HIGHEST, 2: LOWEST}.get(
                    int(before[game, 1]), actions[game, 1].tolist()
                )
            if began:
                new.add(int(seating.seats[game, 1]))
            else:
                assert seating.seats[game].tolist() == before[game].tolist()
    if autoreset != "disabled":
        assert new == {2, 3}
    assert set(seating.seats[:, 1].tolist()) == {2, 3}


def test_pool__of_one_may_grow(make: Make) -> None:
    pool = OpponentPool(["highest"])
    seating = make(20, 2, pool, preset="short", autoreset="same_step")
    seating.reset(0)
    step(seating, 2)
    pool.add("lowest")
    assert set(seating.seats[:, 1].tolist()) == {1}
    step(seating)
    assert set(seating.seats[:, 1].tolist()) == {1, 2}


@pytest.mark.parametrize("pool", [[], OpponentPool(), OpponentPool(["highest", "lowest"], [0, 0])])
def test_pool__needs_a_member_that_can_be_drawn(make: Make, pool: Any) -> None:
    seating = make(2, 2, pool)
    with pytest.raises(ConfigError, match="at least one member with a weight above 0"):
        seating.reset(0)


def test_pool__refuses_a_member_that_is_added_and_unknown(make: Make) -> None:
    pool = OpponentPool(["highest", "lowest"], [1, 0])
    seating = make(2, 2, pool, preset="short", autoreset="same_step")
    seating.reset(0)
    pool.add("highesst", 5)
    pool.weights[0] = 0
    step(seating)
    with pytest.raises(UnknownOpponentError, match="Did you mean 'highest'"):
        step(seating)


def test_opponent__must_be_known(make: Make) -> None:
    with pytest.raises(UnknownOpponentError, match="Did you mean 'lowest'"):
        make(opponent="lowst")


# Callables


def test_callable__gets_the_rows_that_it_plays(make: Make) -> None:
    calls: list[tuple[Any, Any]] = []

    def policy(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        calls.append((observations.copy(), masks.copy()))
        return np.full((len(masks), 2), 1)

    seating = make(5, 3, ["lowest", policy], 1, forced=2, preset="endless")
    seating.reset(3)
    numbers = seating.seats[:, 0]
    games = np.flatnonzero(numbers == 2)
    assert 0 < len(games) < 5
    before = copy.deepcopy(seating.batch.buffers)
    step(seating)
    ((observations, masks),) = calls
    at = np.repeat(games, 2), np.tile([0, 2], len(games))
    assert (observations.dtype, masks.dtype) == (np.float32, np.int8)
    assert observations.tolist() == before.observations[at].tolist()
    assert masks.tolist() == before.masks[at].tolist()
    assert seating.batch.buffers.actions[at].tolist() == [[1, 1]] * len(at[0])
    assert (seating.batch.buffers.actions[numbers == 1, 0] == 0).all()


def test_callable__is_not_called_without_a_seat(make: Make) -> None:
    asked = []
    pool = OpponentPool(["lowest", lambda *_: asked.append(1)], [1, 0])
    seating = make(4, 2, pool)
    seating.reset(0)
    step(seating, 10)
    assert not asked


def test_callable__draws_from_a_seeded_generator(make: Make) -> None:
    def policy(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return rng.integers(0, 2, masks.shape[:2])

    played = []
    for seed in (3, 3, 4):
        seating = make(3, 2, policy, preset="endless")
        seating.reset(99)
        step(seating, 2)
        seating.reset(seed)
        step(seating, 5)
        played.append(seating.batch.get_state())
    assert played[0] == played[1] != played[2]


def test_callable__may_give_illegal_actions_at_its_own_cost(make: Make) -> None:
    seating = make(2, 2, lambda *_: np.full((2, 2), 7), on_illegal="forfeit", autoreset="disabled")
    seating.reset(0)
    step(seating)
    low = seating.batch.game.info.min_outcome
    assert seating.batch.buffers.rewards.tolist() == [[-low, low]] * 2
    assert not (seating.rows.illegal != 0).any()


def test_callable__must_return_the_right_shape(make: Make) -> None:
    seating = make(2, 2, lambda *_: np.zeros((2, 3), np.int64))
    seating.reset(0)
    with pytest.raises(ConfigError, match=r"integers of shape \(2, 2\), got int64 \(2, 3\)"):
        step(seating)


# Illegal sub-actions


@pytest.mark.parametrize("on_illegal", ["noop", "forfeit"])
def test_illegal__marks_the_rows_whose_learner_gave_one(make: Make, on_illegal: str) -> None:
    seating = make(4, 2, self_play_games=1, on_illegal=on_illegal, preset="endless")
    seating.reset(0)
    assert (seating.rows.illegal != 0).tolist() == [False] * 5
    actions = passive(seating)
    actions[[1, 3], 0] = 9
    seating.step(actions)
    assert (seating.rows.illegal != 0).tolist() == [False, True, False, True, False]
    # The next step is the reset of the games that were forfeited.
    step(seating)
    assert (seating.rows.illegal != 0).tolist() == [False] * 5


def test_illegal__is_of_the_seats_of_the_last_turn(make: Make) -> None:
    seating = make(12, 2, seat="random", autoreset="same_step", preset="short")
    seating.reset(0)
    for turn in range(6):
        actions = passive(seating)
        actions[turn::3, 1] = -1
        seating.step(actions)
        assert np.flatnonzero(seating.rows.illegal != 0).tolist() == list(range(turn, 12, 3))


@pytest.mark.parametrize("opponent", ["random", lambda o, m, rng: rng.integers(0, 2, m.shape[:2])])
def test_raise__restores_the_opponents_generators(make: Make, opponent: Any) -> None:
    seating = make(3, 2, opponent, on_illegal="raise", preset="endless")
    seating.reset(1)
    step(seating)
    before = snapshot(seating)
    with pytest.raises(IllegalActionError, match="game 0: sub-action 0 of player_0 is 9"):
        seating.step(passive(seating) + 9)
    assert snapshot(seating) == before
    assert (seating.rows.illegal != 0).tolist() == [False] * 3
    step(seating)
    assert snapshot(seating) != before


def test_step__is_refused_before_the_first_reset(make: Make) -> None:
    seating = make(opponent="random")
    before = snapshot(seating)
    with pytest.raises(ResetNeededError):
        step(seating)
    assert snapshot(seating) == before


def test_step__is_refused_after_an_end_without_autoreset(make: Make) -> None:
    seating = make(4, 2, "random", autoreset="disabled", stop=128)
    seating.reset(1)
    while not seating.batch.buffers.terminated.any():
        step(seating)
    before = snapshot(seating)
    with pytest.raises(ResetNeededError):
        step(seating)
    assert snapshot(seating) == before


# Determinism


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
@pytest.mark.parametrize("seat", [1, "random"])
@pytest.mark.parametrize("opponent", ["random", ["random", "highest", "lowest"]])
def test_seating__does_not_depend_on_the_size_of_the_batch(
    make: Make, autoreset: str, seat: Any, opponent: Any
) -> None:
    def games(size: int, seed: int) -> list[list[list[Any]]]:
        seating = make(size, 3, opponent, seat, autoreset=autoreset, max_turns=4)
        seating.reset(seed)
        found: list[list[list[Any]]] = [[] for _ in range(size)]
        for turn in range(16):
            seating.step(np.tile([turn % 2, turn % 3], (size, 1)))
            for game in range(size):
                buffers = seating.batch.buffers
                arrays = [buffers.states, buffers.episodes, buffers.streams]
                arrays += [seating.seats, seating.row_seats]
                found[game].append([array[game].tobytes() for array in arrays])
        return found

    together = games(5, 2**32 - 2)
    assert together == [games(1, (2**32 - 2 + i) % 2**32)[0] for i in range(5)]
    assert together[1:3] == games(2, 2**32 - 1)


def test_reset__with_the_same_seed_draws_the_same(make: Make) -> None:
    seating = make(6, 3, ["random", "lowest"], "random", max_turns=3)
    played = []
    for _ in range(2):
        seating.reset(8)
        step(seating, 12)
        played.append(snapshot(seating))
    seating.reset()
    step(seating, 12)
    assert played[0] == played[1] != snapshot(seating)


def test_reset__without_a_seed_continues_the_draws(make: Make) -> None:
    seating = make(30, 3, seat="random")
    seating.reset(8)
    first = seating.row_seats.tolist()
    seating.reset()
    second = seating.row_seats.tolist()
    seating.reset()
    assert first != second != seating.row_seats.tolist()


def test_reset__of_some_games_draws_for_these_alone(make: Make) -> None:
    seating = make(20, 3, ["highest", "lowest"], "random", preset="endless")
    seating.reset(8)
    seats, draws = seating.seats.copy(), seating._draws.copy()
    which = np.arange(20) % 2 == 0
    seating.reset(which=which)
    assert seating.seats[~which].tolist() == seats[~which].tolist()
    assert seating.seats[which].tolist() != seats[which].tolist()
    assert ((seating._draws != draws) == which).all()


def test_reset__with_a_seed_for_some_games_continues_the_draws_of_the_others(make: Make) -> None:
    seating = make(4, 3, seat="random")
    seating.reset(8)
    draws = seating._draws.copy()
    other = make(4, 3, seat="random")
    other.reset(100)
    seating.reset([None, 101, None, 103])
    assert seating._draws[[1, 3]].tolist() == other._draws[[1, 3]].tolist()
    ahead = [SeededRNG(int(state)) for state in draws]
    for rng in ahead:
        rng.below(3)
    assert seating._draws[[0, 2]].tolist() == [ahead[0].state, ahead[2].state]


def test_reset__without_seeds_at_first_draws_for_every_game(make: Make) -> None:
    for seed in (None, [None] * 40, [None, 5] * 20):
        seating = make(40, 3, seat="random")
        seating.reset(seed)
        assert len(set(seating._draws.tolist())) >= 21


# Saved states


@pytest.mark.parametrize("seat", [1, "random"])
def test_set_state__goes_back_and_plays_on_in_the_same_way(make: Make, seat: Any) -> None:
    def policy(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return rng.integers(0, 2, masks.shape[:2])

    options = dict(
        players=3,
        opponent=["random", policy, "lowest"],
        seat=seat,
        self_play_games=1,
        autoreset="same_step",
        max_turns=3,
    )
    seating = make(5, **options)
    seating.reset(1)
    step(seating, 4)
    saved = seating.get_state()
    marked = seating.final(seating.batch.buffers.rewards).tolist()
    before = snapshot(seating)
    step(seating, 9)
    seating.reset()
    after = snapshot(seating)
    for other in (seating, make(5, **options)):
        other.set_state(saved)
        assert snapshot(other) == before
        assert other.final(other.batch.buffers.rewards).tolist() == marked
        step(other, 9)
        other.reset()
        assert snapshot(other) == after


def test_set_state__restores_marks_of_illegal_actions(make: Make) -> None:
    seating = make(12, 2, seat="random", autoreset="same_step", preset="short")
    seating.reset(0)
    actions = passive(seating)
    actions[::2] = 9
    seating.step(actions)
    saved = seating.get_state()
    step(seating, 3)
    other = make(12, 2, seat="random", autoreset="same_step", preset="short")
    for one in (seating, other):
        one.set_state(saved)
        assert (one.rows.illegal != 0).tolist() == [True, False] * 6


def test_get_state__does_not_change_afterwards(make: Make) -> None:
    seating = make(6, 2, ["highest", "lowest"], "random", preset="short", autoreset="same_step")
    seating.reset(0)
    step(seating)
    saved = seating.get_state()
    before = copy.deepcopy(saved)
    step(seating, 5)
    assert saved.keys() == before.keys()
    assert all(np.array_equal(saved[key], before[key]) for key in saved)


def test_set_state__refuses_what_does_not_belong_to_it(make: Make) -> None:
    seating = make(4, 2, ["highest", "lowest"])
    seating.reset(0)
    before = snapshot(seating)
    others = {
        "seats": make(3),
        "row_seats": make(4, self_play_games=1),
        "more opponents than the pool": make(4, opponent=["lowest"] * 9),
        "options": make(4, stop=9),
    }
    for message, other in others.items():
        other.reset(1)
        with pytest.raises(StateError, match=message):
            seating.set_state(other.get_state())
        assert snapshot(seating) == before
    for state in ({}, None, b"", {**seating.get_state(), "batch": b""}):
        with pytest.raises(StateError):
            seating.set_state(state)  # type: ignore[arg-type]
        assert snapshot(seating) == before
