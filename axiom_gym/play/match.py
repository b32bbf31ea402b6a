"""One recorded game between players of any kind: bots, policies, saved models or people.

replay = Match("quantaris", ["greedy", "runs/best.zip"], seed=1).play()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, check_range
from axiom_gym.game.facts import GameLike, Player
from axiom_gym.opponents.names import digest_agent, look_up
from axiom_gym.opponents.pool import Opponent, Policy
from axiom_gym.play.games import Games, load_player, name_player
from axiom_gym.play.seat_agents import MatchOver, SeatAgent, SeatAgents
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.recorder import Recorder

SeatPolicy = Callable[[Batch, int], npt.ArrayLike]
"""(a batch of one, seat) -> that player's sub-actions, (K,) integers; must not change the batch."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A moment between two turns of a match."""

    batch: bytes
    """The game and the streams of the bots, from `Batch.get_state`."""
    rngs: tuple[dict[str, Any], ...]
    """The states of the callables' generators, by seat."""
    turns: int
    """The number of turns played."""


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A player of a match that is no `Opponent`, such as a person at the terminal."""

    name: str
    decide: SeatPolicy


class Match:
    """One game. Iterating over it plays turn by turn; `play` plays it to its end.

    The same game, seed and players give the same replay.

    Attributes:
        batch: the game, as a batch of one.
        recorder: the recorder of the game.
        played: the sub-actions of each turn so far, (V, K) integers.
    """

    def __init__(
        self,
        game: GameLike,
        players: Sequence[Opponent | MatchPlayer | SeatAgent],
        /,
        *,
        seed: int,
        preset: str | None = None,
        max_turns: int = 0,
        **options: Any,
    ) -> None:
        """Reset the game and load the players.

        Args:
            game: the name of a game, or the game itself.
            players: a player for each seat, as `axiom_gym.opponents` describes them, a
                MatchPlayer, or a SeatAgent such as `axiom_gym.text.LlmAgent`. Their number is the
                number of players if the game lets one choose it.
            seed: the seed of the game and of the players' generators, 0 to 2**32 - 1.
            preset: a named configuration of the game.
            max_turns: the number of turns after which the game is truncated; 0 for no limit but
                that of the rules.
            **options: the game's own options; they override those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            UnknownOpponentError: for a name that stands for no player.
            ConfigError: for another value that is not allowed, or a wrong number of players.
            CheckpointError: for a saved model of another game, or with other options.
        """
        loaded = get_game(game)
        settings: dict[str, Any] = with_players(loaded, options, len(players))
        settings |= {"preset": preset, "max_turns": max_turns}
        bots = ["random", *loaded.bots]
        seated = [look_up(one, bots) if isinstance(one, str | Path) else one for one in players]
        agents = {seat: one for seat, one in enumerate(seated) if isinstance(one, SeatAgent)}
        on_illegal = "noop" if agents else "raise"
        self.batch = Batch(loaded, autoreset="disabled", on_illegal=on_illegal, **settings)
        _check_forfeits(self.batch, bool(agents))
        seed = check_range("seed", seed, 0, 2**32 - 1)
        self._agents = SeatAgents(self.batch, agents)
        policies = [self._seat(one, seat) for seat, one in enumerate(seated)]
        self._rngs = [np.random.default_rng([seed, seat]) for seat in range(len(players))]
        self._games = Games(self.batch, policies, seed, self._rngs)
        self.played: list[list[list[int]]] = []
        names = [
            agents[seat].name if seat in agents else name_player(one)
            for seat, one in enumerate(players)
        ]
        named = zip(self.batch.agents, names, players, strict=True)
        self.recorder = Recorder(
            self.batch,
            [Player(id, name, digest_agent(one, bots)) for id, name, one in named],
            forfeits=bool(agents),
        )

    def _seat(self, player: Opponent | MatchPlayer | SeatAgent, seat: int) -> str | Policy:
        if isinstance(player, SeatAgent):
            return self._agents.make_policy(seat)
        if not isinstance(player, MatchPlayer):
            loaded = load_player(player, self.batch)
            return loaded if isinstance(loaded, str) else _skip_forced(loaded)
        shape = (len(self.batch.layout.num_choices),)
        return _skip_forced(
            lambda *_: self.batch.check_actions(player.decide(self.batch, seat), shape)[None]
        )

    def __iter__(self) -> Iterator[Turn]:
        """Play to the end, and yield each turn after it was played.

        Raises:
            IllegalActionError: for an illegal sub-action of a player; the turn is not played.
        """
        if self.recorder.ended:  # a plain game may be over before its first turn
            return
        lines: list[Turn] = []
        try:
            for _ in self._games.play(partial(self._begin_turn, lines)):
                yield from lines
                lines.clear()
                yield self._record()
        except MatchOver:
            yield from lines

    def _begin_turn(self, lines: list[Turn]) -> None:
        """Add the lines of forfeits to `lines`.

        Raises:
            MatchOver: if they end the match.
        """
        lines += self._agents.check_turn(self.recorder)
        if self.recorder.ended:
            raise MatchOver

    def _record(self) -> Turn:
        self.played.append(self.batch.buffers.actions[0].tolist())
        return self.recorder.record(asked=self._agents.take_asked())

    def get_state(self) -> MatchState:
        """Return the current moment, for `set_state`; not to be called during a turn."""
        rngs = tuple(dict(rng.bit_generator.state) for rng in self._rngs)
        return MatchState(self.batch.get_state(), rngs, self.recorder.num_turns)

    def set_state(self, state: MatchState) -> None:
        """Return to an earlier moment of this match; iterating continues from there.

        Raises:
            StateError: if the state belongs to another game.
        """
        self.batch.set_state(state.batch)
        for rng, saved in zip(self._rngs, state.rngs, strict=True):
            rng.bit_generator.state = saved
        self._games.find_running()
        self.recorder.rewind(state.turns)
        self._agents.rewind(state.turns)
        del self.played[state.turns :]

    def play_turn(self, sub_actions: npt.ArrayLike) -> Turn:
        """Play and record one turn with given sub-actions, without asking the players.

        Args:
            sub_actions: (V, K) integers, those of the players who act.

        Raises:
            ActionError: for another shape or dtype.
            IllegalActionError: for an illegal sub-action; the turn is not played.
            ResetNeededError: if the game is over.
        """
        buffers = self.batch.buffers
        buffers.actions[0] = self.batch.check_actions(sub_actions, buffers.actions[0].shape)
        self._agents.check_turn(self.recorder)
        self.batch.step()
        self._games.find_running()
        return self._record()

    def play(self) -> Replay:
        """Play to the end, and return the replay of the whole game."""
        for _ in self:
            pass
        return self.recorder.finish()


def _skip_forced(policy: Policy) -> Policy:
    """Return a callable that calls `policy` only if a sub-action has more than one legal choice."""

    def decide(observations: Any, masks: Any, rng: np.random.Generator) -> npt.ArrayLike:
        is_forced = (masks.sum(axis=2) <= 1).all()
        return masks.argmax(axis=2) if is_forced else policy(observations, masks, rng)

    return decide


def _check_forfeits(batch: Batch, can_forfeit: bool) -> None:
    """Refuse players who may forfeit in a plain game that continues without them."""
    if can_forfeit and batch.game.live is not None and batch.num_players > 2:
        raise ConfigError(
            f"{batch.game.info.name} is a plain Python game with {batch.num_players} players; "
            "language models play it in axiom_gym.game.GameLoop, where the others continue after "
            "a forfeit."
        )
