"""Statistics of many games between scripted players, as the games' cards state them.

They show how long games last, how often each seat wins, and which actions players choose.

Axis letters: G games, B of them at once, P players, V players who act at once, K sub-actions,
N choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import name_fault
from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import check_range
from axiom_gym.game.facts import GameLike, KernelGame
from axiom_gym.kernel import EVERYONE
from axiom_gym.opponents.pool import Opponent
from axiom_gym.play.event_counts import EventCounts
from axiom_gym.play.games import Games, name_player, play_in_parts
from axiom_gym.registry.games import count_players, get_game

EVENT_GAMES = 50
"""The most games whose events are counted by default; more would slow down long series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Statistics of many games.

    Attributes:
        game: the id of the game.
        options: all options of the game, including the defaults.
        players: the players' names, by seat.
        games: the number of games.
        length: mean, median, 5th and 95th percentile, minimum ("least") and maximum ("most") number
            of turns of a game; of decisions in a sequential game.
        truncated: the fraction of games that a limit ended.
        faults: the fraction of games that a fault of the rules ended, by its description.
        wins: by seat, the fraction of games won; the players who share the best outcome of a game
            share its win.
        won: by seat, the fraction of games won alone.
        shared: by seat, the fraction of games in which the player shares the first place with some
            of the others.
        draws: the fraction of games in which all players have the same outcome; 0 for one player.
        outcomes: by seat, the mean outcome.
        actions: the fraction of each kind of action among all sub-actions chosen.
        events: the mean number per game of each kind of event, in the first `event_games` games.
        event_games: the number of games whose events were counted; 0 if the game names no events.
    """

    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    games: int
    length: dict[str, float]
    truncated: float
    faults: dict[str, float]
    wins: tuple[float, ...]
    won: tuple[float, ...]
    shared: tuple[float, ...]
    draws: float
    outcomes: tuple[float, ...]
    actions: dict[str, float]
    events: dict[str, float]
    event_games: int

    @property
    def seat_advantage(self) -> float:
        """The best seat's fraction of wins, as a multiple of an equal share."""
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
    event_games: int | None = None,
    on_progress: Callable[[int], None] = lambda finished: None,
    **options: Any,
) -> Simulation:
    """Play games with the seeds `seed`, `seed + 1` and so on, and return their statistics.

    Args:
        game: the name of a game, or the game itself.
        players: a player for each seat, see `axiom_gym.opponents`, or one for all seats.
        games, seed: the number of games, and the seed of the first game.
        preset: a named configuration of the game.
        max_turns: the turns after which a game is truncated; 0 for the rules' limits only.
        event_games: the number of first games whose events are counted, which plays their turns a
            second time, with an event log; 0 for none. By default at most `EVENT_GAMES`, and of a
            game in plain Python at most a twentieth of all games.
        on_progress: a callable that gets the number of finished games whenever it rises.
        **options: the game's own options; they override those of the preset.

    Raises:
        ConfigError: for a number of players, or another value, that is not allowed.
        UnknownOpponentError: for a player that is not a bot.
    """
    check_range("games", games, 1)
    check_range("seed", seed, 0, MAX_SEED)
    loaded = get_game(game)
    seats = count_players(loaded, options, preset)
    seated = tuple(players) * (seats if len(players) == 1 else 1)
    settings = {"preset": preset, "max_turns": max_turns, **options}
    results = _Results(games, seats)
    chosen: npt.NDArray[np.int64] | int = 0
    first = 0
    events = EventCounts(loaded, _choose_event_games(event_games, loaded, games))
    for part in play_in_parts(loaded, seated, games, seed, **settings):
        batch = part.batch
        counts = np.zeros(batch.buffers.masks.shape[2:], np.int64)
        events.watch(part)
        for over in part.play(partial(_count_turn, part, counts, events)):
            if over.any():
                results.add(batch, first, over)
                on_progress(results.finished)
        first += batch.num_envs
        chosen = chosen + counts
    return Simulation(
        game=f"{loaded.info.name}-v{loaded.info.version}",
        options=asdict(batch.config),
        players=tuple(map(name_player, seated)),
        games=games,
        **results.summarize(),
        actions=_count_kinds(batch, chosen),
        events=events.means(),
        event_games=events.games,
    )


class _Results:
    """The results of G games between P players, filled as the games end.

    Attributes:
        lengths: (G,) int32, in turns.
        outcomes: (G, P) float32.
        truncated: the number of games that a limit ended.
        faults: the number of games that each fault of the rules ended, by its description.
        finished: the number of games that have ended.
    """

    def __init__(self, games: int, players: int) -> None:
        self.lengths = np.zeros(games, np.int32)
        self.outcomes = np.zeros((games, players), np.float32)
        self.truncated = self.finished = 0
        self.faults: Counter[str] = Counter()

    def add(self, batch: Batch, first: int, over: npt.NDArray[np.bool_]) -> None:
        """Add the games of a batch that have just ended; over: (B,), with numbers from `first`."""
        numbers = first + np.flatnonzero(over)
        self.lengths[numbers] = batch.buffers.episodes["final_length"][over]
        self.outcomes[numbers] = batch.outcomes()[over]
        faults = batch.buffers.episodes["fault"][over]
        self.truncated += int(np.count_nonzero(batch.buffers.truncated[over] & (faults == 0)))
        self.faults.update(name_fault(batch, number) for number in faults[faults > 0].tolist())
        self.finished += len(numbers)

    def summarize(self) -> dict[str, Any]:
        """Return the fields of a `Simulation` that follow from the results."""
        return {
            "length": _describe_lengths(self.lengths),
            "truncated": self.truncated / len(self.lengths),
            "faults": {text: many / len(self.lengths) for text, many in self.faults.most_common()},
            **_count_places(self.outcomes),
            "outcomes": tuple(self.outcomes.mean(axis=0, dtype=np.float64).tolist()),
        }


def _choose_event_games(given: int | None, game: KernelGame, games: int) -> int:
    """Return the number of games whose events are counted."""
    if given is not None:
        return min(check_range("event_games", given, 0), games)
    return min(EVENT_GAMES, games if game.compiled else -(-games // 20))


def _count_turn(games: Games, counts: npt.NDArray[np.int64], events: EventCounts) -> None:
    """Count the sub-actions and the events of the next turn."""
    _count_actions(games, counts)
    events.count_turn()


def _count_places(outcomes: npt.NDArray[np.float32]) -> dict[str, Any]:
    """Return `wins`, `won`, `shared` and `draws` of a `Simulation`. outcomes: (G, P)."""
    best = outcomes == outcomes.max(axis=1, keepdims=True)
    firsts, players = best.sum(axis=1, keepdims=True), outcomes.shape[1]
    drawn = (firsts == players) & (players > 1)
    return {
        "wins": tuple((best / firsts).mean(axis=0).tolist()),
        "won": tuple((best & (firsts == 1)).mean(axis=0).tolist()),
        "shared": tuple((best & (firsts > 1) & ~drawn).mean(axis=0).tolist()),
        "draws": float(drawn.mean()),
    }


def _count_actions(games: Games, counts: npt.NDArray[np.int64]) -> None:
    """Add the sub-actions of the next turn to `counts`, (K, N)."""
    batch, masks = games.batch, games.batch.buffers.masks
    # In a simultaneous game, players with one legal choice for each sub-action do not count.
    acts = games.running[:, None] & (masks.sum(axis=3).max(axis=2) > 1)
    if batch.game.is_sequential:
        acts = games.running[:, None] & (batch.buffers.acting[:, None] != EVERYONE)
    for k, choices in enumerate(counts):
        choices += np.bincount(batch.buffers.actions[..., k][acts], minlength=len(choices))


def _count_kinds(batch: Batch, chosen: Any) -> dict[str, float]:
    """Return the fraction of each kind of action. chosen: (K, N)."""
    kinds: dict[str, int] = {}
    named = batch.game.action_kinds
    for k, choices in enumerate(batch.layout.num_choices):
        names = named(batch.config)[k] if named else [str(n) for n in range(choices)]
        for name, count in zip(names, chosen[k].tolist(), strict=False):
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
