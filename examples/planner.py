"""Plan by playing random games from copies of the state: flat Monte Carlo search.

    python examples/planner.py

The state of a game is one record, so copies for 700 simulated games are one assignment, and one
`step` plays a move in all of them. The planner tries each legal column of Connect Four in 100
games, finishes them with random moves, and plays the column that won most. It wins nearly all games
against random play, and more than half of them against the bot `minimax2`, which looks two moves
ahead: "12 of 20 games won against minimax2". `--quick` plays one game.

A game with chance keeps its generator in the record: give each copy a seed of its own there, or all
copies draw the same dice, which the planner could not know in a real game.
"""

from __future__ import annotations

import argparse

import numpy as np

from axiom_gym.batch import Batch
from axiom_gym.play.match import Match, MatchPlayer

COLUMNS, PLAYOUTS = 7, 100


class MonteCarlo:
    """Flat Monte Carlo search, as a player of a match."""

    def __init__(self, seed: int) -> None:
        self._simulations = Batch("connect_four", COLUMNS * PLAYOUTS)
        self._simulations.reset(seed)  # also seeds the random moves

    def decide(self, game: Batch, seat: int) -> list[int]:
        """Return the legal column with the best mean outcome for the player at `seat`."""
        # In a sequential game, the buffers hold the view of the player to act only.
        legal = game.buffers.masks[0, 0, 0].astype(bool)
        buffers = self._simulations.buffers
        self._simulations.reset()
        buffers.states[:] = game.buffers.states[0]
        # Copies of a column that is full play another one; their outcomes are not looked at.
        columns = np.where(legal, np.arange(COLUMNS), legal.argmax())
        buffers.actions[:] = columns.repeat(PLAYOUTS)[:, None, None]
        outcomes = np.zeros(len(buffers.states))
        running = np.ones(len(buffers.states), bool)
        while running.any():
            self._simulations.step()
            over = running & (buffers.terminated | buffers.truncated)
            outcomes[over] = buffers.rewards[over, seat]
            running &= ~over  # games that have ended start anew and are ignored
            self._simulations.sample_actions()
        means = outcomes.reshape(COLUMNS, PLAYOUTS).mean(axis=1)
        return [int(np.where(legal, means, -np.inf).argmax())]


def main() -> None:
    parser = argparse.ArgumentParser(description="Flat Monte Carlo search against minimax2.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="one game")
    args = parser.parse_args()
    games = 1 if args.quick else args.games
    planner = MatchPlayer("monte carlo", MonteCarlo(seed=1).decide)
    wins = 0
    for seed in range(games):
        seat = seed % 2
        players: list[str | MatchPlayer] = ["minimax2", "minimax2"]
        players[seat] = planner
        replay = Match("connect_four", players, seed=seed).play()
        wins += replay.footer.outcome[seat] > 0
    print(f"{wins} of {games} games won against minimax2")


if __name__ == "__main__":
    main()
