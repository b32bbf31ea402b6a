"""Records a game of a batch while it is played."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, ResetNeededError
from axiom_gym.game.base import rank
from axiom_gym.game.canonical import StateHash
from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.game.progress import MatchProgress
from axiom_gym.game.standing import put_last, rank_match
from axiom_gym.kernel import EVERYONE
from axiom_gym.replay.course import encode, find_end, head_match, look
from axiom_gym.replay.format import Ended, Header, Replay, Turn
from axiom_gym.replay.tape import Tape, count_legal, hash_state, make_header


def rank_players(players: Sequence[Player], outcome: Sequence[float]) -> tuple[PlayerRanking, ...]:
    """Return all players, best first; see `axiom_gym.game.base.rank`."""
    return tuple(rank(dict(zip(players, outcome, strict=True))))


class Recorder:
    """Records one game of a batch: make it after `reset`, and call `record` after each `step`.

    Attributes:
        header: the replay's.
        forfeited: the seats of those who gave up, in this order.
    """

    def __init__(
        self, batch: Batch, players: Sequence[str | Player], game: int = 0, forfeits: bool = False
    ) -> None:
        """Record the first position.

        Args:
            batch: with autoreset "disabled" and illegal actions "raise", so that what it was
                told is what was played, and the last position stays.
            players: by seat, or their names; their ids are then the batch's names.
            game: which game of the batch.
            forfeits: whether players may give up; illegal actions are then "noop", which leaves
                the orders of such a player out.

        Raises:
            ConfigError: for a batch of another kind, or another number of players.
            ResetNeededError: if the game has begun already.
        """
        on_illegal = "noop" if forfeits else "raise"
        if batch.autoreset != "disabled" or batch.on_illegal != on_illegal:
            raise ConfigError(
                f"a game is recorded with autoreset='disabled' and on_illegal={on_illegal!r}, got "
                f"{batch.autoreset!r} and {batch.on_illegal!r}."
            )
        if len(players) != batch.num_players:
            raise ConfigError(
                f"{batch.game.info.name} has {batch.num_players} players, got {len(players)} names."
            )
        if batch.buffers.episodes[game].length != 0:
            raise ResetNeededError("a recording begins with the game: call reset() first.")
        self._batch, self._game = batch, game
        self.forfeited: list[int] = []
        self._deserted = False
        named = zip(batch.agents, players, strict=True)
        self._tape = Tape(
            self._make_header(
                tuple(Player(id, one) if isinstance(one, str) else one for id, one in named)
            ),
            self._get_state()[1],
        )
        self.header = self._tape.header
        self._look()

    def _make_header(self, players: tuple[Player, ...]) -> Header:
        batch, match = self._batch, self._get_match()
        seed = int(batch.buffers.episodes[self._game].seed)
        if match is not None:
            return head_match(match, players, seed)
        return make_header(
            self._get_state()[0],
            game=batch.game.info.name,
            version=batch.game.info.version,
            plain=False,
            options=json.loads(json.dumps(dataclasses.asdict(batch.config))),
            match_id="",
            max_turns=batch.max_turns,
            seed=seed,
            players=players,
        )

    def _get_match(self) -> MatchProgress[Any, Any] | None:
        """Return the match behind the record, if the game is a plain Python one."""
        live = self._batch.game.live
        return live and live(self._batch.params, self._batch.buffers.states[self._game])

    def _get_state(self) -> tuple[StateHash, int]:
        """Return hashes of the present state, and the state of the game's generator."""
        match, state = self._get_match(), self._batch.buffers.states[self._game]
        if match is not None:
            return look(match)
        return hash_state(state), int(state.rng)

    def _look(self) -> None:
        """Remember which player is to act next, and how many choices there are."""
        buffers, game = self._batch.buffers, self._game
        actor = int(buffers.acting[game])
        self._actor = None if actor == EVERYONE else actor
        self._legal = count_legal(buffers.masks[game])

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        match = self._get_match()
        is_over = self._deserted or (match is not None and match.reason is not None)
        return is_over or bool(self._batch.buffers.episodes[self._game].ended)

    def record(self, fallback: tuple[int, ...] = ()) -> Turn:
        """Record the turn that was just played.

        Args:
            fallback: the seats for whom a stand-in decided.
        """
        match = self._get_match()
        orders = tuple(map(tuple, self._batch.buffers.actions[self._game].tolist()))
        turn = self._tape.add(
            *self._get_state(),
            player=self._actor,
            orders=orders if match is None else (encode(match.game, match.action),),
            legal=self._legal,
            fallback=fallback,
        )
        self._look()
        return turn

    def record_forfeit(self, seat: int, why: str) -> Turn:
        """Record that a player gives up, whose orders are left out from now on.

        Args:
            seat: of a player who is still in the game.
            why: how the player failed.
        """
        self.forfeited.append(seat)
        alive = self._batch.alive(self._game)
        alive[self.forfeited] = False
        self._deserted = self._batch.game.is_sequential or int(alive.sum()) <= 1
        return self._tape.add(*self._get_state(), player=seat, orders=(), legal=(), why=why)

    def finish(self) -> Replay:
        """Return the replay of the whole game.

        Raises:
            ResetNeededError: if the game is not over yet.
        """
        if not self.ended:
            raise ResetNeededError("a replay ends with the game: play it to its end first.")
        match, players = self._get_match(), self.header.players
        if match is not None:
            rankings = rank_match(match.game, match.state, players, ())
            return self._tape.finish(find_end(match), rankings)
        ended: Ended = "forfeit" if self._deserted else "truncated"
        if self._batch.buffers.terminated[self._game]:
            ended = "terminated"
        outcome = self._batch.outcomes()[self._game].tolist()
        forfeited = [players[seat].id for seat in self.forfeited]
        return self._tape.finish(ended, put_last(rank_players(players, outcome), forfeited))
