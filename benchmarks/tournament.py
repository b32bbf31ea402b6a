"""Every scripted player of a two-player game against every other, each pair seat-balanced: either
holds the first seat in half of their games.

A win scores 1 and a draw 1/2. The interval is Wilson's, 95 %, with the score as its share of wins;
draws make it wider than it need be. Game i of a pair has seed + i, so a run can be repeated.
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from common import describe_machine
from rich.console import Console
from rich.table import Table

from axiom_gym.batch import Batch

Z = 1.959964
"""Of a normal distribution, for 95 %."""


class Tally(NamedTuple):
    """Games of one player, counted: all of them, or those against one other."""

    wins: int
    draws: int
    losses: int
    turns: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of the score."""
        spread = Z * Z / self.games
        middle = (self.score + spread / 2) / (1 + spread)
        variance = self.score * (1 - self.score) / self.games + spread / (4 * self.games)
        half = Z * variance**0.5 / (1 + spread)
        return middle - half, middle + half

    def turned(self) -> Tally:
        """The same games from the other side."""
        return Tally(self.losses, self.draws, self.wins, self.turns)

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def play_pair(game: str, bots: tuple[str, str], games: int, seed: int, **options: Any) -> Tally:
    """Plays each game to its end; the first bot holds the first seat in the first half."""
    batch = Batch(game, games, **options)
    batch.reset(seed)
    seats = np.zeros((games, 2), np.int16)
    seats[: games // 2, 1] = 1
    seats[games // 2 :, 0] = 1
    running = np.ones(games, np.bool_)
    returns = np.zeros((games, 2), np.float32)
    lengths = np.zeros(games, np.int64)
    while running.any():
        for number, bot in enumerate(bots):
            batch.act(bot, seats, number)
        batch.step()
        ended = running & (batch.buffers.terminated | batch.buffers.truncated)
        returns[ended] = batch.buffers.episodes["final_returns"][ended]
        lengths[ended] = batch.buffers.episodes["final_length"][ended]
        running &= ~ended
    return count(returns[seats == 0] - returns[seats == 1], lengths)


def count(margins: npt.NDArray[np.float32], lengths: npt.NDArray[np.int64]) -> Tally:
    """Who has the higher return has won. margins, lengths: (B,)."""
    wins, losses = int((margins > 0).sum()), int((margins < 0).sum())
    return Tally(wins, len(margins) - wins - losses, losses, int(lengths.sum()))


def row(name: str, tally: Tally) -> tuple[str, ...]:
    """The cells of the table for one tally."""
    low, high = tally.interval
    numbers = (f"{value:,}" for value in tally[:3])
    return (
        name,
        f"{tally.score:.3f}",
        f"{low:.3f} .. {high:.3f}",
        *numbers,
        f"{tally.turns / tally.games:.1f}",
    )


def print_results(title: str, pairs: dict[tuple[str, str], Tally]) -> None:
    """Two tables: each player over all its games, best first; and each pair."""
    totals: dict[str, Tally] = {}
    for (first, second), tally in pairs.items():
        for name, own in ((first, tally), (second, tally.turned())):
            totals[name] = totals[name].plus(own) if name in totals else own
    ranked = sorted(totals.items(), key=lambda item: -item[1].score)
    console = Console(width=None if Console().is_terminal else 120)
    for heading, rows in (
        (title, [row(name, tally) for name, tally in ranked]),
        ("Pairs", [row(f"{a} against {b}", tally) for (a, b), tally in pairs.items()]),
    ):
        table = Table(title=heading, title_justify="left")
        table.add_column("player")
        for column in ("score", "95 % interval", "wins", "draws", "losses", "mean turns"):
            table.add_column(column, justify="right")
        for cells in rows:
            table.add_row(*cells)
        console.print(table)
    console.print(describe_machine(), style="dim", soft_wrap=True)


def main(
    game: Annotated[str, typer.Option(help="Name of the game.")] = "quantaris",
    games: Annotated[int, typer.Option(min=2, help="Games of each pair, an even number.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game of each pair.")] = 0,
    ruleset: Annotated[
        str | None, typer.Option(help="The game's option of that name, if it has one.")
    ] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Let all bots of a game play each other."""
    games = 40 if quick else games
    options: dict[str, Any] = {} if ruleset is None else {"ruleset": ruleset}
    batch = Batch(game, **options)
    if games % 2 or batch.num_players != 2:
        raise typer.BadParameter("an even number of games, and a game for two, are needed.")
    pairs = {
        pair: play_pair(game, pair, games, seed, **options)
        for pair in combinations(batch.bot_names()[::-1], 2)
    }
    rules = f", ruleset {ruleset}" if ruleset else ""
    print_results(f"{game}{rules}: {games:,} games for each pair, seed {seed}", pairs)


if __name__ == "__main__":
    typer.run(main)
