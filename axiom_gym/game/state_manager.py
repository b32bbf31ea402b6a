"""Applies actions, and watches that states are replaced and never changed."""

from __future__ import annotations

from typing import Generic

from axiom_gym.errors import StateImmutabilityError
from axiom_gym.game.canonical import state_digest
from axiom_gym.game.facts import Action, Game, State
from axiom_gym.seeded_rng import SeededRNG


class StateManager(Generic[State, Action]):
    """Carries actions out by the rules of a game.

    A state that comes back as the same object is always refused. Strict, so is one that was
    changed, whether by the game or by somebody else since the game gave it; this hashes each state
    three times.
    """

    def __init__(self, game: Game[State, Action], strict: bool = False) -> None:
        """For a game."""
        self._game = game
        self._strict = strict
        self._last: tuple[State, str] | None = None

    def apply(self, state: State, action: Action, rng: SeededRNG) -> State:
        """The state after an action.

        Raises:
            StateImmutabilityError: if the game gives the same object back; strict, if the state was
                changed.
            GameError: strict, if a state cannot be hashed.
        """
        before = self._look(state)
        successor = self._game.execute_action(state, action, rng)
        if successor is state:
            raise StateImmutabilityError(
                f"{self._name()}: execute_action gave the same {type(state).__name__} back; it "
                "must return a new state, such as dataclasses.replace(state, ...), also where "
                f"nothing changes. The action was {action!r}."
            )
        if self._strict:
            if state_digest(state) != before:
                raise StateImmutabilityError(
                    f"{self._name()}: execute_action changed the {type(state).__name__} that it "
                    "was given; it must build a new one, of tuples and frozen dataclasses. The "
                    f"action was {action!r}."
                )
            self._last = (successor, state_digest(successor))
        return successor

    def _look(self, state: State) -> str:
        """The digest of a state, if strict, that nobody changed since it was made."""
        if not self._strict:
            return ""
        digest = state_digest(state)
        if self._last is not None and self._last[0] is state and self._last[1] != digest:
            raise StateImmutabilityError(
                f"{self._name()}: the {type(state).__name__} was changed after the game gave it; "
                "an agent, a listener or get_valid_actions did that. Build it of tuples and frozen "
                "dataclasses, so that nobody can."
            )
        return digest

    def _name(self) -> str:
        return self._game.metadata.name
