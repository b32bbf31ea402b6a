"""The loop of matches, simulations and evaluations: games between players of any kind in a batch.

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
from axiom_gym.opponents.names import has_prefix, load_opponent
from axiom_gym.opponents.pool import Opponent, Policy, check_game, give_sub_actions
from axiom_gym.play.agents import name_agent

GAMES_AT_ONCE = 2048
"""The largest batch of a series. Longer series are played in parts, which bounds their memory."""


class Games:
    """The games of a batch, each from its first state to its end.

    Attributes:
        batch: the games.
        seats: (B, P) int64, for each seat the index of its player in the list of players.
        running: (B,) bool, True for games in progress.
    """

    def __init__(
        self,
        batch: Batch,
        players: Sequence[Opponent],
        seed: int,
        rngs: Sequence[np.random.Generator],
        seats: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Seat the players, and reset the games.

        Args:
            batch: the games; several games need autoreset, because they end at different times.
            players: a player for each seat, as `axiom_gym.opponents` describes them.
            seed: the seed of the first game; game i has the seed `seed + i`, modulo 2**32.
            rngs: the generators of callables, by player; players may share one.
            seats: as the attribute; by default player p has seat p.

        Raises:
            ConfigError: for a wrong number of players, or one that is not an opponent.
            UnknownOpponentError: for a name that stands for no player.
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
        # Equal bots act in one call; each callable is called on its own.
        places = [loaded.index(one) if isinstance(one, str) else k for k, one in enumerate(loaded)]
        self._players = [(place, loaded[place]) for place in sorted({*places})]
        # 1 + the index of the player who acts at a seat; 0 in games that have ended.
        self._acting = (np.array(places)[self.seats] + 1).astype(np.int16)
        self._numbers = self._acting.copy()
        batch.reset(seed)

    def play(
        self, on_actions: Callable[[], None] = lambda: None
    ) -> Iterator[npt.NDArray[np.bool_]]:
        """Play all games to their ends; after each turn, yield (B,) bool, the games it ended.

        Args:
            on_actions: a callable that is called before each turn, when the sub-actions of all
                players are in the buffers.

        Raises:
            IllegalActionError: for an illegal sub-action, if the batch has on_illegal="raise"; the
                turn is not played.
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

    def find_running(self) -> None:
        """Find the games in progress again, after a state of the batch was set."""
        self.running[:] = self.batch.buffers.episodes["ended"] == 0
        self._acting[:] = np.where(self.running[:, None], self._numbers, 0)

    def _write_sub_actions(self) -> None:
        for place, player in self._players:
            give_sub_actions(self.batch, player, self._acting, place + 1, self._rngs[place])
        if np.count_nonzero(self.running) < len(self.running):
            # Ended games continue with random sub-actions until the last game has ended.
            self.batch.act(RANDOM, self._acting, 0)


def load_player(player: Opponent, batch: Batch) -> str | Policy:
    """Check that a player fits the game, and return it as the name of a bot or as a callable."""
    loaded = load_opponent(player, batch.bot_names())
    check_game(loaded, batch.game, batch.config)
    return loaded


def name_player(player: object) -> str:
    """Return the name of a bot, or the last part of a path; of a callable its `name`.

    A callable without a name has that of its function or class.
    """
    if not isinstance(player, str | Path):
        return name_agent(player)
    return str(player) if has_prefix(str(player)) else Path(player).absolute().name


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
    """Yield a series of games, not yet played, in parts of at most `GAMES_AT_ONCE`.

    Args:
        game: the name of a game, or the game itself.
        players: a player for each seat.
        num_games: the number of games in the series.
        seed: the seed of the first game, and of the callables' generators.
        take_turns: if True, player p has seat (p + i) modulo P in game i; else always seat p.
        **settings: settings of each batch.
    """
    for start in range(0, num_games, GAMES_AT_ONCE):
        numbers = np.arange(start, min(start + GAMES_AT_ONCE, num_games))
        batch = Batch(game, len(numbers), on_illegal="raise", **settings)
        seats = (np.arange(batch.num_players) - take_turns * numbers[:, None]) % batch.num_players
        rngs = [np.random.default_rng([seed, start])] * len(players)
        yield Games(batch, players, (seed + start) % (MAX_SEED + 1), rngs, seats)
