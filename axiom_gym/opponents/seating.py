"""Seatings: batches in which the learner holds some seats and opponents hold the others.

All single-agent environments are built on a seating. A row is one learner in one game: row r of the
arrays here holds its observations, masks and rewards. Most games have one row. In self-play games
all seats are rows.

In a game with one row, the episode ends when the learner is eliminated: any reward for its rank is
paid by then, and the game of the others is not played to its end. In self-play games all rows last
until the end of the game; eliminated players get no more rewards.

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
from axiom_gym.errors import IllegalActionError, IncompatibleGameError, StateError, check_range
from axiom_gym.opponents.names import load_opponent
from axiom_gym.opponents.pool import (
    Opponent,
    OpponentPool,
    Policy,
    as_pool,
    check_game,
    give_sub_actions,
)
from axiom_gym.opponents.rows import Ends, Rows
from axiom_gym.rng import SeededRNG, mix_seed

LEARNER = 0
"""The learner's number in `seats`; members of the pool are numbered from 1."""

_SEATING_SALT = 1001
_POLICY_SALT = 1002


class Seating:
    """A batch with opponents, which act automatically in each step of the learner's rows.

    Attributes:
        batch: the games.
        pool: the opponents.
        seats: (B, P) int16, the player at each seat: LEARNER, or 1 + the place in the pool.
        row_games, row_seats: (R,) int64 and int16, the game and the seat of each row.
        rows: the last result of `reset`, `step` or `set_state`.
    """

    def __init__(
        self,
        batch: Batch,
        opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
        seat: int | str = 0,
        self_play_games: int = 0,
    ) -> None:
        """Seat the learner and its opponents.

        Args:
            batch: the games.
            opponent: the player at the other seats; see `axiom_gym.opponents`. A game for one
                player has no other seats and accepts only "random", which has no effect.
            seat: the learner's seat, or "random" to draw one for each episode.
            self_play_games: the number of games, from the first on, in which every seat is a row.

        Raises:
            ConfigError: for a seat that the game does not have, or an unknown opponent.
            IncompatibleGameError: for an opponent in a game for one player.
            CheckpointError: for a saved model of another game, or of a game with other options.
        """
        self.batch = batch
        self._one_player = batch.num_players == 1
        if self._one_player and opponent != "random":
            name = batch.game.info.name
            raise IncompatibleGameError(f"{name} has one player: leave out the option opponent.")
        self.pool = as_pool(opponent, batch.bot_names())
        for member in self.pool.members:
            check_game(member, batch.game, batch.config)
        kind, last = "seat, unless it is 'random',", batch.num_players - 1
        self._seat = 0 if seat == "random" else check_range(kind, seat, 0, last)
        self._self_play_games = check_range("self_play_games", self_play_games, 0, batch.num_envs)
        self._draws_seat = seat == "random" and not self._one_player
        self.seats = np.zeros((batch.num_envs, batch.num_players), np.int16)
        # None if rows always keep their seats.
        self._final_seats: npt.NDArray[np.int16] | None = None
        self._draws = np.zeros(batch.num_envs, np.uint32)
        self._seeded = False
        self._rng = np.random.default_rng(0)
        batch.buffers.episodes["learner"] = NO_LEARNER
        self._set_rows()
        self._is_fixed = self._self_play_games == 0 and not self._draws_seat
        self._shares_seat = self._is_fixed or self.num_rows == batch.num_envs == 1
        self._rows_by_seats: dict[tuple[int, int], Rows] = {}
        self.rows = self._read_rows()

    def _set_rows(self) -> None:
        """Make a row for every seat of the self-play games, then one for each other game."""
        players, full, games = self.batch.num_players, self._self_play_games, self.batch.num_envs
        self.row_games = np.concatenate([np.arange(full).repeat(players), np.arange(full, games)])
        every, one = np.tile(np.arange(players), full), np.full(games - full, self._seat)
        self.row_seats = np.concatenate([every, one]).astype(np.int16)
        self._first_single = full * players
        self.num_rows = len(self.row_games)

    # -- the learner's rows ------------------------------------------------------------------------

    def select(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows (R, ...) of a (B, V, ...) buffer, as a view where possible."""
        return self._pick(array, self.row_seats)

    def final(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows of a (B, P, ...) array of results, for the seats of the last step."""
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
        """Update `rows` and return it.

        Rows that keep their seats are views that are made once.
        """
        if self._is_fixed:
            return self.rows
        if not self._shares_seat:
            self.rows = self._read_rows()
            return self.rows
        key = int(self.row_seats[0]), int(self.final_seats()[0])
        if key not in self._rows_by_seats:
            self._rows_by_seats[key] = self._read_rows()
        self.rows = self._rows_by_seats[key]
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
            returns=self.final(buffers.episodes["returns"]),
            lengths=self._by_row(self._lengths()),
            seats=self.final_seats().copy(),
        )

    def find_ends(self, over: npt.NDArray[np.bool_]) -> Ends:
        """Return facts about the episodes that ended in the last step.

        over: (R,) bool, the rows whose episode ended.
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

    def _lengths(self) -> npt.NDArray[np.int32]:
        """Return the learner's steps so far in the current episode of each game, (B,) int32."""
        lengths: npt.NDArray[np.int32] = self.batch.buffers.episodes["length"]
        return lengths

    def _final_lengths(self) -> npt.NDArray[np.int32]:
        """Return the learner's steps in the last finished episode of each game, (B,) int32."""
        lengths: npt.NDArray[np.int32] = self.batch.buffers.episodes["final_length"]
        return lengths

    def final_seats(self) -> npt.NDArray[np.int16]:
        """Return the rows' seats in the last step, (R,) int16; new episodes can have others."""
        return self.row_seats if self._final_seats is None else self._final_seats

    def learner_seats(self) -> npt.NDArray[np.int16]:
        """Return a (B, P) int16 array with 1 at the learner's seats and 0 elsewhere."""
        return np.equal(self.seats, LEARNER).astype(np.int16)

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, which: npt.NDArray[np.bool_] | None = None) -> Rows:
        """Start episodes as `Batch.reset` does, and draw their opponents.

        A seeded reset also seeds these draws, for each game separately, so that they do not depend
        on the rest of the batch.
        """
        self.batch.reset(seed, which)
        new = np.arange(self.batch.num_envs) if which is None else np.flatnonzero(which)
        if seed is not None or not self._seeded:
            self._seed_draws(new, seed)
        self._seat_players(new)
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
        """Assign the seats of episodes that have just begun."""
        self._draw_players(games)
        self._note_learners(games)

    def _note_learners(self, games: npt.NDArray[np.int64]) -> None:
        """Write the learner's seat into the episodes of these games that have one row."""
        single = games[games >= self._self_play_games]
        rows = self._first_single + single - self._self_play_games
        self.batch.buffers.episodes["learner"][single] = self.row_seats[rows]

    def _draw_players(self, games: npt.NDArray[np.int64]) -> None:
        is_sole = len(self.pool.members) == 1
        if is_sole and self._is_fixed:
            self.seats[games] = 1
            self.seats[games, self._seat] = LEARNER
            return
        games = games[games >= self._self_play_games]
        if not len(games):
            return
        thresholds = self.pool.thresholds()
        for game in games.tolist():
            draws = SeededRNG(int(self._draws[game]))
            place = 0 if is_sole else int(np.searchsorted(thresholds, draws.next(), side="right"))
            row = self._first_single + game - self._self_play_games
            if self._draws_seat:
                self.row_seats[row] = draws.below(self.batch.num_players)
            self.seats[game] = 1 + place
            self.seats[game, self.row_seats[row]] = LEARNER
            self._draws[game] = draws.state

    def step(self, actions: npt.NDArray[np.int64]) -> Rows:
        """Play one step of the learner. actions: (R, K) int64, its sub-actions.

        Raises:
            ResetNeededError, IllegalActionError: as for `Batch.step`; nothing is changed.
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
            new = np.flatnonzero(self.batch.buffers.episodes["length"] == 0)
            if len(new):
                self._seat_players(new)
        return self._find_rows()

    @property
    def _reseats(self) -> bool:
        """True if a new episode can have other players at its seats. A pool may grow."""
        return len(self.pool.members) > 1 or self._draws_seat

    def _step_or_restore(self) -> None:
        """Play a step; if it is refused, restore the opponents' generators."""
        streams, rng = self.batch.buffers.streams.copy(), self._rng.bit_generator.state
        self._play_opponents()
        try:
            self.batch.step()
        except IllegalActionError:
            self.batch.buffers.streams[...] = streams
            self._rng.bit_generator.state = rng
            raise

    def _play_opponents(self) -> None:
        """Let all opponents write their sub-actions."""
        if self._one_player:
            return
        if len(self.pool.members) == 1 and isinstance(self.pool.members[0], str):
            if self._self_play_games < self.batch.num_envs:
                self.batch.act(self.pool.members[0], self.seats, 1)
            return
        for number in np.unique(self.seats[self._self_play_games :]).tolist():
            if number != LEARNER:
                member = self._member(number - 1)
                give_sub_actions(self.batch, member, self.seats, number, self._rng)

    def _member(self, place: int) -> str | Policy:
        """Return a member of the pool; load it if it was added as a path."""
        given = self.pool.members[place]
        member = load_opponent(given, self.batch.bot_names())
        if member is not given:
            check_game(member, self.batch.game, self.batch.config)
            self.pool.members[place] = member
        return member

    # -- saving ------------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return the state of all games, seats and generators."""
        return {
            "batch": self.batch.get_state(),
            "seats": self.seats.copy(),
            "row_seats": self.row_seats.copy(),
            "final_seats": self._final_seats,
            "draws": self._draws.copy(),
            "rng": self._rng.bit_generator.state,
        }

    def set_state(self, state: dict[str, Any]) -> Rows:
        """Restore a state that `get_state` returned.

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
        # The view of a sequential game that has ended depends on the learner's seat.
        self.batch.refresh()
        self._final_seats = state["final_seats"]
        self._rng.bit_generator.state = state["rng"]
        self._seeded = True
        return self._find_rows()

    def __getstate__(self) -> dict[str, Any]:
        # After unpickling, a view would no longer share the memory of the batch.
        return {**self.__dict__, "rows": None, "_rows_by_seats": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rows = self._read_rows()


def make_seating(
    batch: Batch,
    opponent: Opponent | OpponentPool | Sequence[Opponent] = "random",
    seat: int | str = 0,
    self_play_games: int = 0,
) -> Seating:
    """Return a `Seating`, or a `TurnSeating` for a sequential game; arguments as for `Seating`."""
    from axiom_gym.opponents.turn_seating import TurnSeating

    kind = TurnSeating if batch.game.is_sequential else Seating
    return kind(batch, opponent, seat, self_play_games)
