"""The end of a game, its winner and its score, as the config and the task define them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from axiom_gym.config.calls import Call, failure
from axiom_gym.config.definitions import Condition, GameConfig, State
from axiom_gym.config.fields import Fields
from axiom_gym.config.parameters import make_view, read_values
from axiom_gym.config.problems import Problem, Problems, check_call
from axiom_gym.config.task import Task

WON, LOST, ENDED = "won", "lost", "ended"
"""The outcomes of a game that is over; "ended" if its config does not say when it is won."""


def end_conditions(config: GameConfig) -> list[tuple[str, Condition]]:
    """Return the conditions under which the game ends, by their names in the config."""
    found = (("win", config.win), ("end", config.end))
    return [(name, condition) for name, condition in found if condition is not None]


class Score(NamedTuple):
    """The function that computes the score, and its place."""

    place: str
    function: Callable[[State], Any]


def find_score(config: GameConfig, task: Task | None) -> Score | None:
    """Return the score of the task, else that of the config; None for the sum of the rewards."""
    if task is not None and task.score is not None:
        return Score("task.score", task.score)
    return None if config.score is None else Score("score", config.score)


def compute_score(score: Score, view: State) -> float:
    """Return the score of a state.

    Raises:
        CallableError: if the function fails, or returns no number.
    """
    try:
        return float(score.function(view))
    except Exception as error:
        raise failure(score.place, error) from error


class Ending:
    """The end conditions of a config in executable form."""

    def __init__(self, config: GameConfig) -> None:
        self._calls = {name: Call(one, name) for name, one in end_conditions(config)}

    def judge(self, view: State) -> str:
        """Return the outcome of a game in this state; "" while it is in progress.

        Raises:
            CallableError: if a condition fails.
        """
        found = {name: call.holds(view, None) for name, call in self._calls.items()}
        if not any(found.values()):
            return ""
        if "win" not in found:
            return ENDED
        return WON if found["win"] else LOST


def describe_outcome(outcome: str) -> str:
    """Return a sentence about the outcome of a game that is over."""
    return {WON: "The game is won.", LOST: "The game is lost."}.get(outcome, "The game is over.")


def check_ending(config: GameConfig) -> Problems:
    """Check the functions for the end and the score, also on the initial state."""
    parts = [*end_conditions(config), *([("score", config.score)] if config.score else [])]
    problems = [problem for name, one in parts for problem in check_call(name, one, "(state)", 1)]
    yield from problems
    try:
        state = Fields(config).initial(config.initial_state())
        view = make_view(state, read_values(config, None))
    except Exception:  # the other checks report what is wrong
        return
    for name, function in [] if problems else end_conditions(config):
        try:
            holds = bool(Call(function, name).holds(view, None))
        except Exception as error:
            yield Problem(name, f"must not raise on the initial state, got {error}")
            continue
        if holds:
            yield Problem(name, "holds in the initial state: the game is over before it begins.")
