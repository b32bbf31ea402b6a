"""The interpreter: plays a config with all that it says, texts, history and undo included.

A state is a dict that nobody changes once an operation is over. An operation works on a copy, which
becomes the new state if all goes well; the old one is then the snapshot for `undo`.
"""

from __future__ import annotations

import time
from collections import deque
from types import MappingProxyType
from typing import Any

from axiom_gym.config.definitions import Action, GameConfig
from axiom_gym.config.fields import Fields, Refused, copied_state
from axiom_gym.config.phases import make_phases
from axiom_gym.config.rules import ActionRule, Clock
from axiom_gym.errors import CallableError, ConfigError, EngineError
from axiom_gym.seeded_rng import SeededRNG

__all__ = ["Engine", "create_engine"]


def create_engine(
    config: GameConfig, seed: int = 0, *, original: bool = False, clock: Clock = time.time
) -> Engine:
    """A new game.

    Args:
        config: the game.
        seed: of all chance in it; only its low 32 bits count.
        original: as the original engine does, take any config without looking for mistakes, and
            leave what an operation that fails has done: an action its effects so far, and both an
            action and a tick their snapshot for `undo`.
        clock: () -> seconds since 1970, for the history.

    Raises:
        ConfigError: with all mistakes of the config.
    """
    if not original:
        from axiom_gym.config.validation import check

        check(config)
    fields = Fields(config)
    try:
        state = fields.initial(config.initial_state())
    except Refused as refusal:
        raise ConfigError(f"initial_state: {refusal}") from None
    return Engine(config, state, SeededRNG(seed), original=original, clock=clock)


class Engine:
    """A game in progress. `create_engine` starts one, `axiom_gym.config.load` goes on with one."""

    def __init__(
        self,
        config: GameConfig,
        state: dict[str, Any],
        rng: SeededRNG,
        *,
        original: bool = False,
        clock: Clock = time.time,
    ) -> None:
        """A game that goes on from a state, which then belongs to the engine, and a stream."""
        self._config = config
        self._state = state
        self._rng = rng
        self._original = original
        self._clock = clock
        self._snapshots: deque[dict[str, Any]] = deque(maxlen=max(0, config.undo_depth))
        fields = Fields(config)
        self._actions = [ActionRule(i, config, fields) for i in range(len(config.actions))]
        self._by_id = {action.id: action for action in reversed(self._actions)}
        self._phases = make_phases(config, fields, rng, clock)

    @property
    def config(self) -> GameConfig:
        """The game's definition."""
        return self._config

    @property
    def rng(self) -> SeededRNG:
        """The source of all chance in the game."""
        return self._rng

    def get_state(self) -> dict[str, Any]:
        """The state, as a copy that the engine never touches again."""
        return copied_state(self._state)

    def get_available_actions(self, ctx: Any = None) -> list[Action]:
        """The actions that may be done now, in the config's order (`getAvailableActions`).

        Args:
            ctx: handed to their conditions; without one, an action that has `contexts` is listed
                if it may be done with any of these.

        Raises:
            CallableError: from a condition or restriction.
        """
        view = MappingProxyType(self._state)
        return [action.definition for action in self._actions if action.is_available(view, ctx)]

    def is_available(self, id: str, ctx: Any = None) -> bool:
        """Whether an action may be done now; looks at this one action only.

        Raises:
            EngineError: if there is no such action.
            CallableError: from a condition or restriction.
        """
        return self._find(id).is_available(MappingProxyType(self._state), ctx)

    def apply_action(self, id: str, ctx: Any = None) -> dict[str, Any]:
        """Does an action, the first one with this id, and returns the new state (`applyAction`).

        Args:
            id: of the action.
            ctx: handed to the action's conditions, text and effects.

        Raises:
            EngineError: if there is no such action, or it is not available; the state is untouched.
            CallableError: from a callable; the state is untouched, `original` apart.
        """
        action = self._find(id)
        before = MappingProxyType(self._state)
        if action.is_restricted(before):
            raise EngineError(f"Action blocked by restriction: {id}")
        if not action.meets_conditions(before, ctx):
            raise EngineError(f"Action conditions not met: {id}")
        state = copied_state(self._state)
        try:
            action.happen(state, MappingProxyType(state), ctx, self._clock)
        except CallableError:
            if self._original:
                self._become(state)
            raise
        return self._become(state)

    def _find(self, id: str) -> ActionRule:
        action = self._by_id.get(id) if isinstance(id, str) else None
        if action is None:
            raise EngineError(f"Action not found: {id}")
        return action

    def tick(self) -> dict[str, Any]:
        """Lets one unit of time go by, and returns the new state.

        Raises:
            EngineError: for an unknown phase, with `original`.
            CallableError: from a callable; the state is untouched, numbers drawn stay drawn.
        """
        state = copied_state(self._state)
        state["tick"] = tick = state["tick"] + 1
        cooldowns = state["cooldowns"]
        state["cooldowns"] = {id: expiry for id, expiry in cooldowns.items() if tick < expiry}
        view = MappingProxyType(state)
        try:
            for phase in self._phases:
                phase.run(state, view)
        except EngineError:
            if self._original:
                self._snapshots.append(self._state)
            raise
        return self._become(state)

    def _become(self, state: dict[str, Any]) -> dict[str, Any]:
        self._snapshots.append(self._state)
        self._state = state
        return copied_state(state)

    def undo(self) -> dict[str, Any]:
        """Goes back to the state before the last operation; random numbers stay drawn.

        Raises:
            EngineError: if there is nothing to undo.
        """
        if not self._snapshots:
            raise EngineError("Nothing to undo")
        self._state = self._snapshots.pop()
        return copied_state(self._state)
