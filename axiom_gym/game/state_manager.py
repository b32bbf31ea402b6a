"""Execution of actions, with checks that states are immutable."""

from __future__ import annotations

from typing import Generic

from axiom_gym.errors import StateImmutabilityError
from axiom_gym.game.canonical import state_digest
from axiom_gym.game.facts import Action, Game, State
from axiom_gym.seeded_rng import SeededRNG


class StateManager(Generic[State, Action]):
    """An executor of a game's actions that checks for changed states.

    `execute_action` must never return the state that it was given. If `strict`, a state must also
    never be changed, by the game or by anyone else. The strict check hashes each state three times.
    """

    def __init__(self, game: Game[State, Action], strict: bool = False) -> None:
        """Create an executor for a game."""
        self._game = game
        self._name = game.metadata.name
        self._strict = strict
        self._last: tuple[State, str] | None = None

    def apply(self, state: State, action: Action, rng: SeededRNG) -> State:
        """Return the state after an action.

        Raises:
            StateImmutabilityError: if the game returns the same object or, if strict, the state was
                changed.
            GameError: if strict and a state cannot be hashed.
        """
        before = self._check_unchanged(state)
        successor = self._game.execute_action(state, action, rng)
        if successor is state:
            raise StateImmutabilityError(
                f"{self._name}: execute_action gave the same {type(state).__name__} back; it "
                "must return a new state, such as dataclasses.replace(state, ...), even if "
                f"nothing changes. The action was {action!r}."
            )
        if self._strict:
            if state_digest(state) != before:
                raise StateImmutabilityError(
                    f"{self._name}: execute_action changed the {type(state).__name__} that it "
                    "was given; it must build a new one, of tuples and frozen dataclasses. The "
                    f"action was {action!r}."
                )
            self._last = (successor, state_digest(successor))
        return successor

    def _check_unchanged(self, state: State) -> str:
        """Return the digest of a state, "" if not strict; check that the state is unchanged."""
        if not self._strict:
            return ""
        digest = state_digest(state)
        if self._last is not None and self._last[0] is state and self._last[1] != digest:
            raise StateImmutabilityError(
                f"{self._name}: the {type(state).__name__} was changed after the game gave it; "
                "an agent, a listener or get_valid_actions did that. Build it of tuples and frozen "
                "dataclasses, so that nobody can."
            )
        return digest
