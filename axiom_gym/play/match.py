"""One game between players of any kind, recorded: scripted ones, policies, saved models, people.

replay = Match("quantaris", ["greedy", "runs/best.zip"], seed=1).play()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import check_range
from axiom_gym.game.facts import GameLike, Player
from axiom_gym.opponents.pool import Opponent, Policy, digest_model
from axiom_gym.play.games import Games, load_player, name_player
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.recorder import Recorder

SeatPolicy = Callable[[Batch, int], npt.ArrayLike]
"""(a batch of one, seat) -> that player's sub-actions, (K,) integers; the batch is read only."""


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A player of a match who is no `Opponent`, such as a person at the terminal."""

    name: str
    decide: SeatPolicy


class Match:
    """One game, which is played turn by turn as it is iterated over, or in one go by `play`.

    The same game, seed and players give the same replay.

    Attributes:
        batch: the game, as a batch of one.
        recorder: what was played so far.
    """

    def __init__(
        self,
        game: GameLike,
        players: Sequence[Opponent | MatchPlayer],
        /,
        *,
        seed: int,
        preset: str | None = None,
        max_turns: int = 0,
        **options: Any,
    ) -> None:
        """Sets up the first position.

        Args:
            game: a game's name, or the game itself.
            players: one for each seat, as `axiom_gym.opponents` describes them, or a MatchPlayer;
                how many they are is how many play, if the game lets one choose.
            seed: of the game and of the players; 0 to 2**32 - 1.
            preset: a named configuration of the game.
            max_turns: the game is cut off after this many turns; 0 for no limit but the rules'.
            **options: the game's own options, over those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            UnknownOpponentError: for a player that is no bot and no file.
            ConfigError: for another value that is not allowed, or a wrong number of players.
            CheckpointError: for a saved model of another game, or with other options.
        """
        loaded = get_game(game)
        self.batch = Batch(
            loaded,
            preset=preset,
            autoreset="disabled",
            on_illegal="raise",
            max_turns=max_turns,
            **with_players(loaded, options, len(players)),
        )
        seed = check_range("seed", seed, 0, 2**32 - 1)
        seated = [self._seat(player, seat) for seat, player in enumerate(players)]
        rngs = [np.random.default_rng([seed, seat]) for seat in range(len(players))]
        self._games = Games(self.batch, seated, seed, rngs)
        bots, named = self.batch.bot_names(), zip(self.batch.agents, players, strict=True)
        self.recorder = Recorder(
            self.batch,
            [Player(id, name_player(one), digest_model(one, bots)) for id, one in named],
        )

    def _seat(self, player: Opponent | MatchPlayer, seat: int) -> str | Policy:
        if not isinstance(player, MatchPlayer):
            loaded = load_player(player, self.batch)
            return loaded if isinstance(loaded, str) else _ask_if_free(loaded)
        shape = (len(self.batch.layout.num_choices),)
        return _ask_if_free(
            lambda *_: self.batch.check_actions(player.decide(self.batch, seat), shape)[None]
        )

    def __iter__(self) -> Iterator[Turn]:
        """Plays on to the end, and gives each turn after it was played.

        Raises:
            IllegalActionError: for an illegal order of a player; the turn was not played then.
        """
        if self.recorder.ended:  # a plain game may be over before it begins
            return
        for _ in self._games.play():
            yield self.recorder.record()

    def play(self) -> Replay:
        """Plays on to the end, and returns the replay of the whole game."""
        for _ in self:
            pass
        return self.recorder.finish()


def _ask_if_free(policy: Policy) -> Policy:
    """Return a callable that asks `policy` only where there is a choice."""

    def decide(observations: Any, masks: Any, rng: np.random.Generator) -> npt.ArrayLike:
        is_forced = (masks.sum(axis=2) <= 1).all()
        return masks.argmax(axis=2) if is_forced else policy(observations, masks, rng)

    return decide
