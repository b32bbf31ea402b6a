"""A batch at whose games some seats are the learner's and the others are opponents'.

The single-agent forms stand on this. A row is one learner at one game: its observations, masks and
rewards are row r of the arrays here. Usually there is one row per game; in self-play all seats of a
game can be rows.

Where a game has one row and the rules let players drop out, its episode has ended when its learner
is out: what that has earned by its place is paid, and the others' game is not played to its end. In
self-play games all rows go on to the end of the game; who is out gets no more rewards.

Axis letters: R rows, B games, P players, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.seeds import Seeds
from axiom_gym.batch.types import NO_LEARNER
from axiom_gym.errors import (
    ConfigError,
    IllegalActionError,
    IncompatibleGameError,
    StateError,
    check_range,
)
from axiom_gym.opponents.pool import (
    Opponent,
    OpponentPool,
    Policy,
    as_pool,
    check_game,
    give_sub_actions,
    load_opponent,
)
from axiom_gym.opponents.rows import Ends, Rows
from axiom_gym.rng import SeededRNG, mix_seed

LEARNER = 0
"""In `seats`: the learner sits here. Members of the pool are numbered from 1."""

_SEATING_SALT = 1001
_POLICY_SALT = 1002


def _check_fits(batch: Batch, opponent: object) -> None:
    """Refuses opponents where there is no seat for them."""
    if batch.num_players == 1 and not (isinstance(opponent, str) and opponent == "random"):
        raise IncompatibleGameError(
            f"{batch.game.info.name} has one player: there is no seat for an opponent, leave "
            "opponent away."
        )


def _check_seat(seat: int | str, players: int) -> int:
    if isinstance(seat, str):
        raise ConfigError(f"seat must be 0 to {players - 1} or 'random', got {seat!r}.")
    return check_range("seat", seat, 0, players - 1)


class Seating:
    """Plays the opponents' seats of a batch, and presents the learner's.

    Attributes:
        batch: the games.
        pool: the opponents.
        seats: (B, P) int16, who plays: LEARNER, or 1 + the place in the pool.
        row_games, row_seats: (R,) int64 and int16, where each row sits.
        rows: what `reset`, `step` or `set_state` returned last.
    """

    def __init__(
        self,
        batch: Batch,
        opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
        seat: int | str = 0,
        self_play_games: int = 0,
    ) -> None:
        """Seats the learner.

        Args:
            batch: the games.
            opponent: who plays the other seats; see `axiom_gym.opponents`. A game for one player
                has none, and takes "random" alone, which then means nothing.
            seat: the learner's seat, or "random" for one that each episode draws.
            self_play_games: in the first so many games every seat is a row.

        Raises:
            ConfigError: for a seat that the game does not have, or an unknown opponent.
            IncompatibleGameError: for an opponent in a game for one player.
            CheckpointError: for a saved model of another game, or with other options.
        """
        _check_fits(batch, opponent)
        self.batch = batch
        self.pool = as_pool(opponent, batch.bot_names())
        for member in self.pool.members:
            check_game(member, batch.game, batch.config)
        self._seat = 0 if seat == "random" else _check_seat(seat, batch.num_players)
        self._self_play = check_range("self_play_games", self_play_games, 0, batch.num_envs)
        self._alone = batch.num_players == 1
        self._draws_seat = seat == "random" and not self._alone
        self.seats = np.zeros((batch.num_envs, batch.num_players), np.int16)
        # Only where seats change between episodes.
        self._final_seats: npt.NDArray[np.int16] | None = None
        self._draws = np.zeros(batch.num_envs, np.uint32)
        self._seeded = False
        self._rng = np.random.default_rng(0)
        batch.buffers.episodes["learner"] = NO_LEARNER
        self._set_rows()
        self._is_fixed = self._self_play == 0 and not self._draws_seat
        self._shares_seat = self._is_fixed or self.num_rows == batch.num_envs == 1
        self._kept: dict[tuple[int, int], Rows] = {}
        self.rows = self._read_rows()

    def _set_rows(self) -> None:
        """Rows: every seat of the self-play games, then one seat of each other game."""
        players, double, games = self.batch.num_players, self._self_play, self.batch.num_envs
        self.row_games = np.concatenate(
            [np.repeat(np.arange(double), players), np.arange(double, games)]
        )
        both, one = np.tile(np.arange(players), double), np.full(games - double, self._seat)
        self.row_seats = np.concatenate([both, one]).astype(np.int16)
        self._first_single = double * players
        self.num_rows = len(self.row_games)

    # -- the learner's rows ------------------------------------------------------------------------

    def select(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows (R, ...) of a (B, V, ...) buffer, as a view where that is possible."""
        return self._pick(array, self.row_seats)

    def final(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """As `select`, of a (B, P, ...) array about the last step: for the seats held in it."""
        return self._pick(array, self.final_seats())

    def _pick(self, array: npt.NDArray[Any], seats: npt.NDArray[np.int16]) -> npt.NDArray[Any]:
        """Return the entries of the rows, given their seats (R,)."""
        if self._shares_seat:
            return array[:, int(seats[0])]
        if self.num_rows == array.shape[0] * array.shape[1]:
            return array.reshape(-1, *array.shape[2:])
        picked: npt.NDArray[Any] = array[self.row_games, seats]
        return picked

    def _by_row(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows (R,) of a (B,) array."""
        return array[:] if self.num_rows == self.batch.num_envs else array[self.row_games]

    def _find_rows(self) -> Rows:
        """Bring `rows` up to date and return it.

        Views stay as they are, so where rows keep their seats they are made once.
        """
        if self._is_fixed:
            return self.rows
        if not self._shares_seat:
            self.rows = self._read_rows()
            return self.rows
        key = int(self.row_seats[0]), int(self.final_seats()[0])
        if key not in self._kept:
            self._kept[key] = self._read_rows()
        self.rows = self._kept[key]
        return self.rows

    def _read_rows(self) -> Rows:
        buffers = self.batch.buffers
        return Rows(
            observations=self.select(buffers.observations),
            masks=self.select(buffers.masks),
            rewards=self.final(buffers.rewards),
            terminated=self._by_row(buffers.terminated),
            truncated=self._by_row(buffers.truncated),
            illegal=self.final(buffers.episodes["offenders"]),
            seats=self.final_seats().copy(),
        )

    def find_ends(self, over: npt.NDArray[np.bool_]) -> Ends:
        """Return the facts of episodes that ended in the last step.

        Args:
            over: (R,) bool, the rows whose episode did.
        """
        rows = np.flatnonzero(over)
        games, seats = self.row_games[rows], self.final_seats()[rows]
        episodes, seen = self.batch.buffers.episodes, self.batch.buffers.final_observations
        return Ends(
            rows=rows,
            returns=episodes["final_returns"][games, seats],
            lengths=self._final_lengths()[games],
            faults=episodes["fault"][games],
            final_observations=seen[games, seats] if len(seen) else seen[:, 0],
        )

    def _final_lengths(self) -> npt.NDArray[np.int32]:
        """(B,) int32: the learner's steps in the last episode of each game that ended."""
        lengths: npt.NDArray[np.int32] = self.batch.buffers.episodes["final_length"]
        return lengths

    def final_seats(self) -> npt.NDArray[np.int16]:
        """(R,) int16: the seats of the rows in the last turn, before a new episode changed them."""
        return self.row_seats if self._final_seats is None else self._final_seats

    def learner_seats(self) -> npt.NDArray[np.int16]:
        """(B, P) int16: 1 where the learner sits."""
        return np.equal(self.seats, LEARNER).astype(np.int16)

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, which: npt.NDArray[np.bool_] | None = None) -> Rows:
        """Starts episodes as `Batch.reset` does, and draws their opponents.

        A seeded reset seeds these draws as well, game by game, so that they do not depend on the
        batch either.
        """
        self.batch.reset(seed, which)
        fresh = np.arange(self.batch.num_envs) if which is None else np.flatnonzero(which)
        if seed is not None or not self._seeded:
            self._seed_draws(fresh, seed)
        self._seat_players(fresh)
        return self._find_rows()

    def _seed_draws(self, games: npt.NDArray[np.int64], seed: Seeds) -> None:
        seeds = self.batch.buffers.episodes["seed"]
        for game in games.tolist():
            if not self._seeded or not isinstance(seed, Sequence) or seed[game] is not None:
                self._draws[game] = mix_seed(int(seeds[game]), _SEATING_SALT)
        if len(games):
            self._rng = np.random.default_rng([_POLICY_SALT, int(seeds[games[0]])])
        self._seeded = True

    def _seat_players(self, games: npt.NDArray[np.int64]) -> None:
        """Decides for episodes that have just begun who sits where."""
        self._draw_players(games)
        self._note_learners(games)

    def _note_learners(self, games: npt.NDArray[np.int64]) -> None:
        """Tells the batch where the learner sits in these games, where it has one seat."""
        alone = games[games >= self._self_play]
        rows = self._first_single + alone - self._self_play
        self.batch.buffers.episodes["learner"][alone] = self.row_seats[rows]

    def _draw_players(self, games: npt.NDArray[np.int64]) -> None:
        if self._self_play == self.batch.num_envs:
            return
        single = len(self.pool.members) == 1
        if single and not self._draws_seat and self._self_play == 0:
            self.seats[games] = 1
            self.seats[games, self._seat] = LEARNER
            return
        thresholds = self.pool.thresholds()
        for game in games.tolist():
            if game < self._self_play:
                continue
            draws = SeededRNG(int(self._draws[game]))
            self.seats[game] = (
                1 if single else 1 + int(np.searchsorted(thresholds, draws.next(), side="right"))
            )
            row = self._first_single + game - self._self_play
            if self._draws_seat:
                self.row_seats[row] = draws.below(self.batch.num_players)
            self.seats[game, self.row_seats[row]] = LEARNER
            self._draws[game] = draws.state

    def step(self, actions: npt.NDArray[np.int64]) -> Rows:
        """One turn. actions: (R, K) int64, the learner's sub-actions.

        Raises:
            ResetNeededError, IllegalActionError: as `Batch.step`; nothing was touched.
        """
        self.batch.check_ready()
        if self._is_fixed:
            self.batch.buffers.actions[:, self._seat] = actions
        else:
            self.batch.buffers.actions[self.row_games, self.row_seats] = actions
        if self.batch.on_illegal == "raise":
            self._step_or_restore()
        else:
            self._play_opponents()
            self.batch.step()
        if self._draws_seat:
            self._final_seats = self.row_seats.copy()
        if self._reseats:
            fresh = np.flatnonzero(self.batch.buffers.episodes["length"] == 0)
            if len(fresh):
                self._seat_players(fresh)
        return self._find_rows()

    @property
    def _reseats(self) -> bool:
        """Whether a new episode can have others at its seats; a pool may grow."""
        return len(self.pool.members) > 1 or self._draws_seat

    def _step_or_restore(self) -> None:
        """Steps; where that is refused, what the opponents have drawn is given back."""
        streams, rng = self.batch.buffers.streams.copy(), self._rng.bit_generator.state
        self._play_opponents()
        try:
            self.batch.step()
        except IllegalActionError:
            self.batch.buffers.streams[...] = streams
            self._rng.bit_generator.state = rng
            raise

    def _play_opponents(self) -> None:
        """Lets every opponent that sits at a game order its units."""
        if self._alone:
            return
        if len(self.pool.members) == 1 and isinstance(self.pool.members[0], str):
            if self._self_play < self.batch.num_envs:
                self.batch.act(self.pool.members[0], self.seats, 1)
            return
        for number in np.unique(self.seats[self._self_play :]).tolist():
            if number != LEARNER:
                member = self._member(number - 1)
                give_sub_actions(self.batch, member, self.seats, number, self._rng)

    def _member(self, place: int) -> str | Policy:
        """A member of the pool, loaded if it was added as a path."""
        given = self.pool.members[place]
        member = load_opponent(given, self.batch.bot_names())
        if member is not given:
            check_game(member, self.batch.game, self.batch.config)
            self.pool.members[place] = member
        return member

    # -- saving ------------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Games, seats and generators."""
        return {
            "batch": self.batch.get_state(),
            "seats": self.seats.copy(),
            "row_seats": self.row_seats.copy(),
            "final_seats": self._final_seats,
            "draws": self._draws.copy(),
            "rng": self._rng.bit_generator.state,
        }

    def set_state(self, state: dict[str, Any]) -> Rows:
        """Goes back to what `get_state` gave.

        Raises:
            StateError: if it is of another game, version, configuration, batch size or seating.
        """
        if not isinstance(state, dict):
            raise StateError(f"a saved state is a dict, got {type(state).__name__}.")
        parts: dict[str, npt.NDArray[Any]] = {
            "seats": self.seats,
            "row_seats": self.row_seats,
            "draws": self._draws,
        }
        for name, array in parts.items():
            if np.shape(state.get(name, ())) != array.shape:
                raise StateError(f"saved state does not fit: {name} must have shape {array.shape}.")
        if np.max(state["seats"]) > len(self.pool.members):
            raise StateError("saved state does not fit: it has more opponents than the pool.")
        self.batch.set_state(state["batch"])
        for name, array in parts.items():
            array[...] = state[name]
        self._note_learners(np.arange(self.batch.num_envs))
        # What is seen of a sequential game that is over depends on where its learner sits.
        self.batch.refresh()
        self._final_seats = state["final_seats"]
        self._rng.bit_generator.state = state["rng"]
        self._seeded = True
        return self._find_rows()

    def __getstate__(self) -> dict[str, Any]:
        # A pickled view would no longer be one of the batch.
        return {**self.__dict__, "rows": None, "_kept": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rows = self._read_rows()


def make_seating(
    batch: Batch,
    opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
    seat: int | str = 0,
    self_play_games: int = 0,
) -> Seating:
    """The seating for a batch, by the way in which its players act; arguments as for `Seating`."""
    from axiom_gym.opponents.turn_seating import TurnSeating

    kind = TurnSeating if batch.game.is_sequential else Seating
    return kind(batch, opponent, seat, self_play_games)
