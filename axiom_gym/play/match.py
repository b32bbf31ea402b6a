"""One game between players of any kind, recorded: scripted ones, policies, saved models, people.

replay = Match("quantaris", ["greedy", "runs/best.zip"], seed=1).play()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, check_range
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.pool import Opponent, Policy, call_policy, check_game, load_opponent
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.recorder import Recorder

Decide = Callable[[Batch, int], npt.ArrayLike]
"""(a batch of one, seat) -> that player's orders, (K,) whole numbers; the batch is read only."""


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A player of a match who is no `Opponent`, such as a person at the terminal."""

    name: str
    decide: Decide
    is_bot: bool = False
    """Whether it is asked also where it has no choice: it may draw a number then, as in a batch."""


class Match:
    """One game, which is played turn by turn as it is iterated over, or in one go by `play`.

    The same game, seed and players give the same replay.

    Attributes:
        batch: the game, as a batch of one.
        recorder: what was played so far.
        players: the players' names and how they decide, by seat.
    """

    def __init__(
        self,
        game: str | KernelGame,
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
        agents = self.batch.agents
        if len(players) != len(agents):
            raise ConfigError(
                f"{self.batch.game.info.name} has {len(agents)} players ({', '.join(agents)}), got "
                f"{len(players)}."
            )
        seed = check_range("seed", seed, 0, 2**32 - 1)
        self.players = [self._seat(player, [seed, seat]) for seat, player in enumerate(players)]
        self.batch.reset(seed)
        self.recorder = Recorder(self.batch, [player.name for player in self.players])

    def _seat(self, player: Opponent | MatchPlayer, seeds: list[int]) -> MatchPlayer:
        if isinstance(player, MatchPlayer):
            return player
        loaded = load_opponent(player, self.batch.bot_names())
        check_game(loaded, self.batch.game, self.batch.config)
        if isinstance(loaded, str):
            return MatchPlayer(loaded, _bot(loaded), is_bot=True)
        name = Path(player).name if isinstance(player, str | Path) else _name(player)
        return MatchPlayer(name, _policy(loaded, np.random.default_rng(seeds)))

    def __iter__(self) -> Iterator[Turn]:
        """Plays on to the end, and gives each turn after it was played.

        Raises:
            IllegalActionError: for an illegal order of a player; the turn was not played then.
        """
        while not self.recorder.ended:
            orders = [self._decide(seat) for seat in self.batch.to_act()]
            self.batch.buffers.actions[0] = orders
            self.batch.step()
            yield self.recorder.record()

    def _decide(self, seat: int) -> npt.NDArray[np.int64]:
        """A player's orders, (K,); who has no choice is not asked, but for bots."""
        masks = self.batch.buffers.masks[0, self.batch.view_of(seat)]
        if (masks.sum(axis=1) <= 1).all() and not self.players[seat].is_bot:
            forced: npt.NDArray[np.int64] = masks.argmax(axis=1).astype(np.int64)
            return forced
        orders = np.asarray(self.players[seat].decide(self.batch, seat))
        return self.batch.check_actions(orders, (len(masks),))

    def play(self) -> Replay:
        """Plays on to the end, and returns the replay of the whole game."""
        for _ in self:
            pass
        return self.recorder.finish()


def _bot(name: str) -> Decide:
    def decide(batch: Batch, seat: int) -> npt.ArrayLike:
        seats = np.zeros((1, batch.num_players), np.int16)
        seats[0, seat] = 1
        batch.act(name, seats, 1)
        orders: npt.NDArray[np.int64] = batch.buffers.actions[0, batch.view_of(seat)].copy()
        return orders

    return decide


def _policy(policy: Policy, rng: np.random.Generator) -> Decide:
    def decide(batch: Batch, seat: int) -> npt.ArrayLike:
        view = batch.view_of(seat)
        seen, masks = batch.buffers.observations[:, view], batch.buffers.masks[:, view]
        orders: npt.NDArray[np.int64] = call_policy(policy, seen.copy(), masks.copy(), rng)[0]
        return orders

    return decide


def _name(player: object) -> str:
    """What a callable calls itself, else what its function or class is called."""
    fallback = getattr(player, "__name__", type(player).__name__)
    return str(getattr(player, "name", fallback))
