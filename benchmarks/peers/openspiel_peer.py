"""OpenSpiel's Connect Four: rollouts in C++ without observation, and games from Python with it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pyspiel
from contestants import Contestant, timed
from open_spiel.python.observation import make_observation

ROLLOUTS = 1000
"""Games in one call of C++."""


def play_from_python(game: pyspiel.Game) -> Callable[[], int]:
    """Play a game with the legal actions and the mover's observation before every ply."""
    observation = make_observation(game)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            observation.set_from(state, state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
        return int(state.move_number())

    return play


def play_rollouts(game: pyspiel.Game, mean_length: float) -> Callable[[], int]:
    """Play random games in C++: a tree search that stops at its root, evaluated by rollouts.

    The search does not report the number of plies.
    """
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed=0)
    search = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=0,
        solve=False,
        seed=0,
        verbose=False,
    )
    state = game.new_initial_state()

    def play() -> int:
        search.mcts_search(state)
        return round(ROLLOUTS * mean_length)

    return play


def contestants(num_envs: int, seconds: float) -> list[Contestant]:
    """Return both contestants; the games from Python give the mean length of a random game."""
    game = pyspiel.load_game("connect_four")
    from_python = play_from_python(game)
    mean_length = sum(from_python() for _ in range(4000)) / 4000
    return [
        timed("OpenSpiel, native rollouts", play_rollouts(game, mean_length), seconds),
        timed("OpenSpiel, from Python with observation", from_python, seconds),
    ]
