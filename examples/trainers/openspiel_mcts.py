"""OpenSpiel's Monte Carlo tree search and its simulation test on our games.

    pip install -r examples/trainers/locks/openspiel.txt
    python examples/trainers/openspiel_mcts.py --game connect_four

`register` makes a game known to OpenSpiel. Games whose players act at once are made sequential for
the search, which hides the first player's action until both are chosen. The search should win
against random play.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from axiom_gym.adapters import openspiel


def main() -> None:
    parser = argparse.ArgumentParser(description="Tree search of OpenSpiel.")
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--iterations", type=int, default=2, help="games")
    args = parser.parse_args()
    name = openspiel.register(args.game)
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    for number in range(args.iterations):
        bot = mcts.MCTSBot(game, 2, 20, evaluator, random_state=rng)
        state = game.new_initial_state()
        while not state.is_terminal():
            ours = state.current_player() == number % 2
            state.apply_action(bot.step(state) if ours else rng.choice(state.legal_actions()))
        outcome = state.returns()[number % 2]
        print(f"{args.game}: the search, as player {number % 2}, got {outcome:+.0f}")


if __name__ == "__main__":
    main()
