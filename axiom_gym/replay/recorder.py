"""A recorder for one game of a batch."""

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
from axiom_gym.replay.course import encode, find_end, hash_position, list_facts
from axiom_gym.replay.format import Asked, Ended, Replay, Turn
from axiom_gym.replay.tape import Tape, count_legal, hash_state


def rank_players(players: Sequence[Player], outcome: Sequence[float]) -> tuple[PlayerRanking, ...]:
    """Return all players, best first; see `axiom_gym.game.base.rank`."""
    return tuple(rank(dict(zip(players, outcome, strict=True))))


class Recorder:
    """Records one game of a batch: create it after `reset`, and call `record` after each `step`.

    Attributes:
        header: the header of the replay.
        forfeited: the seats of players who forfeited, in the order of their forfeits.
    """

    def __init__(
        self, batch: Batch, players: Sequence[str | Player], game: int = 0, forfeits: bool = False
    ) -> None:
        """Record the first state.

        Args:
            batch: a batch with autoreset "disabled", which keeps the last state, and on_illegal
                "raise", so that the sub-actions in its buffers are those that are played.
            players: the players by seat, or their names; their ids are then those of the batch.
            game: the index of the game in the batch.
            forfeits: if True, players may forfeit. The batch then has on_illegal "noop", which
                ignores the sub-actions of players who have forfeited.

        Raises:
            ConfigError: for another kind of batch, or another number of players.
            ResetNeededError: if the game is already in progress.
        """
        on_illegal = "noop" if forfeits else "raise"
        if batch.autoreset != "disabled" or batch.on_illegal != on_illegal:
            raise ConfigError(
                f"a game is recorded with autoreset='disabled' and on_illegal={on_illegal!r}, got "
                f"{batch.autoreset!r} and {batch.on_illegal!r}."
            )
        info, episode = batch.game.info, batch.buffers.episodes[game]
        if len(players) != batch.num_players:
            raise ConfigError(
                f"{info.name} has {batch.num_players} players, got {len(players)} names."
            )
        if episode.length != 0:
            raise ResetNeededError("a recording begins with the game: call reset() first.")
        self._batch, self._game = batch, game
        self.forfeited: list[int] = []
        self._is_forfeited = False
        named = zip(batch.agents, players, strict=True)
        seated = tuple(Player(id, one) if isinstance(one, str) else one for id, one in named)
        match, seed = self._get_match(), int(episode.seed)
        facts: dict[str, Any] = dict(
            game=info.name,
            version=info.version,
            options=json.loads(json.dumps(dataclasses.asdict(batch.config_of(game)))),
            max_turns=batch.max_turns,
            seed=seed,
            players=seated,
        )
        facts = facts if match is None else list_facts(match, seated, seed)
        self._tape = Tape(*self._hash_position(), **facts)
        self.header = self._tape.header
        self._note_legal()

    def _get_match(self) -> MatchProgress[Any, Any] | None:
        """Return the match behind the record, if the game is a plain Python one."""
        live = self._batch.game.live
        return live and live(self._batch.params, self._batch.buffers.states[self._game])

    def _hash_position(self) -> tuple[StateHash, int]:
        """Return the hashes of the current state, and the state of the game's generator."""
        match, state = self._get_match(), self._batch.buffers.states[self._game]
        return (hash_state(state), int(state.rng)) if match is None else hash_position(match)

    def _note_legal(self) -> None:
        """Note the player who acts next, and the numbers of legal choices."""
        actor = int(self._batch.buffers.acting[self._game])
        self._actor = None if actor == EVERYONE else actor
        self._legal = count_legal(self._batch.buffers.masks[self._game])

    @property
    def ended(self) -> bool:
        """True if the game is over."""
        match = self._get_match()
        is_over = self._is_forfeited or (match is not None and match.reason is not None)
        return is_over or bool(self._batch.buffers.episodes[self._game].ended)

    def record(self, fallback: tuple[int, ...] = (), asked: tuple[Asked, ...] = ()) -> Turn:
        """Record the turn that the batch has just played.

        Args:
            fallback: the seats for which the fallback decided.
            asked: the transcripts of language models.
        """
        match = self._get_match()
        if match is None:
            orders = tuple(map(tuple, self._batch.buffers.actions[self._game].tolist()))
        else:
            orders = (encode(match.game, match.action),)
        state, rng = self._hash_position()
        acted: dict[str, Any] = {"player": self._actor, "orders": orders, "legal": self._legal}
        turn = self._tape.add(state, rng, **acted, fallback=fallback, asked=asked)
        self._note_legal()
        return turn

    def rewind(self, turns: int) -> None:
        """Forget all but the first `turns` turns, after the state of that time was set."""
        self._tape.cut(turns, *self._hash_position())
        self._note_legal()

    @property
    def num_turns(self) -> int:
        """The number of turns recorded so far."""
        return len(self._tape.turns)

    def record_forfeit(self, seat: int, why: str, asked: tuple[Asked, ...] = ()) -> Turn:
        """Record that a player forfeits. The player's sub-actions are ignored from now on.

        Args:
            seat: the seat of a player who is still in the game.
            why: the failure of the player.
            asked: the transcripts of language models.
        """
        self.forfeited.append(seat)
        alive = self._batch.alive(self._game)
        alive[self.forfeited] = False
        self._is_forfeited = self._batch.game.is_sequential or int(alive.sum()) <= 1
        line: dict[str, Any] = {"player": seat, "orders": (), "legal": (), "why": why}
        return self._tape.add(*self._hash_position(), **line, asked=asked)

    def finish(self) -> Replay:
        """Return the replay of the whole game.

        Raises:
            ResetNeededError: if the game is still in progress.
        """
        if not self.ended:
            raise ResetNeededError("a replay ends with the game: play it to its end first.")
        match, players = self._get_match(), self.header.players
        if match is not None:
            forfeited = [players[seat].id for seat in self.forfeited]
            rankings = rank_match(match.game, match.state, players, forfeited)
            return self._tape.finish("forfeit" if forfeited else find_end(match), rankings)
        ended: Ended = "forfeit" if self._is_forfeited else "truncated"
        if self._batch.buffers.terminated[self._game]:
            ended = "terminated"
        outcome = self._batch.outcomes()[self._game].tolist()
        forfeited = [players[seat].id for seat in self.forfeited]
        places, loss = rank_players(players, outcome), self._batch.game.info.min_outcome
        return self._tape.finish(ended, put_last(places, forfeited, loss))
