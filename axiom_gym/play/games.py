"""Games between players of any kind in one batch: the loop of matches, simulations and evaluations.

    for over in Games(batch, ["greedy", policy], seed=1, rngs=[rng, rng]).play():
        print(over.sum(), "games ended with this turn")

Axis letters: B games, P players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.scripted import RANDOM
from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.opponents.pool import Opponent, Policy, check_game, give_sub_actions, load_opponent

GAMES_AT_ONCE = 2048
"""Longer series are played in parts, so that memory does not grow with them."""


class Games:
    """The games of a batch, each from its first position to its end.

    Attributes:
        batch: the games.
        seats: (B, P) int64, who sits where: the player's place in the list of players.
        running: (B,) bool, the games that have not ended.
    """

    def __init__(
        self,
        batch: Batch,
        players: Sequence[Opponent],
        seed: int,
        rngs: Sequence[np.random.Generator],
        seats: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Seat the players, and set up the first positions.

        Args:
            batch: the games; with autoreset if they are several, as they end at different times.
            players: as many as seats, as `axiom_gym.opponents` describes them.
            seed: s gives game i the seed s + i, modulo 2**32.
            rngs: what a callable draws from, by player; they may share one.
            seats: as the attribute; by default player p sits at seat p.

        Raises:
            ConfigError: for a wrong number of players, or one that is no opponent.
            UnknownOpponentError: for a player that is no bot and no file.
            CheckpointError: for a saved model of another game, or with other options.
        """
        if len(players) != batch.num_players:
            raise ConfigError(
                f"{batch.game.info.name} has {batch.num_players} players "
                f"({', '.join(batch.agents)}), got {len(players)}."
            )
        self.batch, self._rngs = batch, rngs
        shape = (batch.num_envs, batch.num_players)
        self.seats = np.tile(np.arange(shape[1]), (shape[0], 1)) if seats is None else seats
        self.running = np.ones(shape[0], np.bool_)
        loaded = [load_player(player, batch) for player in players]
        # Equal bots act in one go; of equal callables each is asked on its own.
        places = [loaded.index(one) if isinstance(one, str) else k for k, one in enumerate(loaded)]
        self._players = [(place, loaded[place]) for place in sorted({*places})]
        # 1 + the place of the player who acts at a seat; 0 in games that have ended.
        self._acting = (np.array(places)[self.seats] + 1).astype(np.int16)
        batch.reset(seed)

    def play(
        self, on_actions: Callable[[], None] = lambda: None
    ) -> Iterator[npt.NDArray[np.bool_]]:
        """Play all games to their ends, and yield (B,) bool after each turn: those it has ended.

        Args:
            on_actions: called before each turn, when the players' orders stand in the buffers.

        Raises:
            IllegalActionError: for an illegal order of a player, if the batch raises; the turn was
                not played then.
        """
        buffers = self.batch.buffers
        while np.count_nonzero(self.running):
            self._write_sub_actions()
            on_actions()
            self.batch.step()
            over = self.running & (buffers.terminated | buffers.truncated)
            self.running ^= over
            self._acting[over] = 0
            yield over

    def _write_sub_actions(self) -> None:
        for place, player in self._players:
            give_sub_actions(self.batch, player, self._acting, place + 1, self._rngs[place])
        if np.count_nonzero(self.running) < len(self.running):
            # Ended games go on unwatched until the last one has ended, with any legal sub-actions.
            self.batch.act(RANDOM, self._acting, 0)


def load_player(player: Opponent, batch: Batch) -> str | Policy:
    """Return a player as the name of a bot or a callable, if it can play the batch's game."""
    loaded = load_opponent(player, batch.bot_names())
    check_game(loaded, batch.game, batch.config)
    return loaded


def name_player(player: object) -> str:
    """Return the name of a bot or file, or what a callable calls itself, its function or class."""
    if isinstance(player, str | Path):
        return Path(player).name
    fallback = getattr(player, "__name__", type(player).__name__)
    return str(getattr(player, "name", fallback))


def play_in_parts(
    game: GameLike,
    players: Sequence[Opponent],
    num_games: int,
    seed: int,
    /,
    *,
    take_turns: bool = False,
    **settings: Any,
) -> Iterator[Games]:
    """Yield a series of games in parts of at most `GAMES_AT_ONCE`, not yet played.

    Args:
        game: a game's name, or the game itself.
        players: one for each seat.
        num_games: of the series.
        seed: of the games, and of the callables' chance.
        take_turns: seat player p at (p + i) modulo P in game i of the series, instead of at p.
        **settings: of each batch.
    """
    for start in range(0, num_games, GAMES_AT_ONCE):
        numbers = np.arange(start, min(start + GAMES_AT_ONCE, num_games))
        batch = Batch(game, len(numbers), on_illegal="raise", **settings)
        seats = (np.arange(batch.num_players) - take_turns * numbers[:, None]) % batch.num_players
        rngs = [np.random.default_rng([seed, start])] * len(players)
        yield Games(batch, players, (seed + start) % (MAX_SEED + 1), rngs, seats)
