"""Plays many games between scripted players, and says what they are like.

How long they last, how much each seat wins, and what is done in them: what a designer looks at, and
what the games' cards state.

Axis letters: G games, B of them at once, P players, V who act at once, K sub-actions, N choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import check_range
from axiom_gym.game.facts import GameLike
from axiom_gym.kernel import EVERYONE
from axiom_gym.opponents.pool import Opponent
from axiom_gym.play.games import Games, name_player, play_in_parts
from axiom_gym.registry.games import count_players, get_game


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What many games were like.

    Attributes:
        game: id of the game.
        options: all its options, the defaults too.
        players: the players' names, by seat.
        games: how many were played.
        length: mean, median, 5th and 95th percentile, least and most turns of a game (in a
            sequential game: decisions).
        truncated: share of the games that a limit ended.
        wins: by seat, the share of the games in which nobody did better; those who share the best
            outcome share the win.
        outcomes: by seat, the mean outcome.
        actions: for each kind of action its share among all that were chosen.
    """

    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    games: int
    length: dict[str, float]
    truncated: float
    wins: tuple[float, ...]
    outcomes: tuple[float, ...]
    actions: dict[str, float]

    @property
    def seat_advantage(self) -> float:
        """The greatest share of wins of a seat, as a multiple of an equal share."""
        return max(self.wins) * len(self.wins)


def simulate(
    game: GameLike,
    players: Sequence[Opponent] = ("random",),
    /,
    games: int = 1000,
    *,
    seed: int = 0,
    preset: str | None = None,
    max_turns: int = 0,
    on_progress: Callable[[int], None] = lambda finished: None,
    **options: Any,
) -> Simulation:
    """Plays games with the seeds `seed`, `seed + 1` and so on, each to its end.

    Args:
        game: a game's name, or the game itself.
        players: one for each seat, as `axiom_gym.opponents` describes them, or one for all seats.
        games: how many.
        seed: of the first game.
        preset: a named configuration of the game.
        max_turns: a game is cut off after this many turns; 0 for no limit but the rules'.
        on_progress: called with the number of games that have ended meanwhile.
        **options: the game's own options, over those of the preset.

    Raises:
        ConfigError: for another number of players than the game has, or another value that is not
            allowed.
        UnknownOpponentError: for a player that is no bot.
    """
    check_range("games", games, 1)
    check_range("seed", seed, 0, MAX_SEED)
    loaded = get_game(game)
    seats = count_players(loaded, options, preset)
    seated = tuple(players) * (seats if len(players) == 1 else 1)
    tally = _Tally(on_progress)
    for part in play_in_parts(
        loaded, seated, games, seed, preset=preset, max_turns=max_turns, **options
    ):
        tally.play(part)
    return tally.summarize(part.batch, seated)


class _Tally:
    """Counts what happens in games while they are played."""

    def __init__(self, on_progress: Callable[[int], None]) -> None:
        self._on_progress = on_progress
        self._lengths: list[npt.NDArray[np.int32]] = []
        self._outcomes: list[npt.NDArray[np.float32]] = []
        self._truncated = 0
        self._chosen: npt.NDArray[np.int64] | None = None  # (K, N)
        self._finished = 0

    def play(self, games: Games) -> None:
        """Every game of a batch to its end."""
        batch, buffers = games.batch, games.batch.buffers
        lengths = np.zeros(batch.num_envs, np.int32)
        outcomes = np.zeros((batch.num_envs, batch.num_players), np.float32)
        for over in games.play(lambda: self._count_actions(batch, games.running)):
            if over.any():
                lengths[over] = buffers.episodes["final_length"][over]
                outcomes[over] = buffers.episodes["final_returns"][over]
                self._truncated += int(buffers.truncated[over].sum())
                self._finished += int(over.sum())
                self._on_progress(self._finished)
        self._lengths.append(lengths)
        self._outcomes.append(outcomes)

    def _count_actions(self, batch: Batch, running: npt.NDArray[np.bool_]) -> None:
        """Adds the actions that are about to be played. running: (B,)."""
        masks = batch.buffers.masks
        if self._chosen is None:
            self._chosen = np.zeros(masks.shape[2:], np.int64)
        # A player without a choice does not act.
        asked = running[:, None] & (masks.sum(axis=3).max(axis=2) > 1)
        if batch.game.is_sequential:
            asked = running[:, None] & (batch.buffers.acting[:, None] != EVERYONE)
        for k, choices in enumerate(self._chosen):
            choices += np.bincount(batch.buffers.actions[..., k][asked], minlength=len(choices))

    def summarize(self, batch: Batch, players: Sequence[Opponent]) -> Simulation:
        """What was counted; `batch` is one of those that were played."""
        lengths, outcomes = np.concatenate(self._lengths), np.concatenate(self._outcomes)
        best = outcomes == outcomes.max(axis=1, keepdims=True)
        info, games = batch.game.info, len(lengths)
        return Simulation(
            game=f"{info.name}-v{info.version}",
            options=asdict(batch.config),
            players=tuple(map(name_player, players)),
            games=games,
            length=_describe_lengths(lengths),
            truncated=self._truncated / games,
            wins=tuple((best / best.sum(axis=1, keepdims=True)).mean(axis=0).tolist()),
            outcomes=tuple(outcomes.mean(axis=0, dtype=np.float64).tolist()),
            actions=self._share_kinds(batch),
        )

    def _share_kinds(self, batch: Batch) -> dict[str, float]:
        """The share of each kind of action."""
        assert self._chosen is not None
        kinds: dict[str, int] = {}
        named = batch.game.action_kinds
        for k, choices in enumerate(batch.layout.num_choices):
            names = named(batch.config)[k] if named else [str(n) for n in range(choices)]
            for name, count in zip(names, self._chosen[k].tolist(), strict=False):
                kinds[name] = kinds.get(name, 0) + count
        total = max(sum(kinds.values()), 1)
        return {name: count / total for name, count in kinds.items()}


def _describe_lengths(lengths: npt.NDArray[np.int32]) -> dict[str, float]:
    low, middle, high = np.percentile(lengths, [5, 50, 95]).tolist()
    return {
        "mean": float(lengths.mean()),
        "median": middle,
        "p5": low,
        "p95": high,
        "least": float(lengths.min()),
        "most": float(lengths.max()),
    }
