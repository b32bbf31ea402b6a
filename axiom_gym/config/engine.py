"""The interpreter, which plays a config with texts, history and undo.

A state is a dict that does not change after the operation that created it. An operation changes a
copy, which becomes the new state if the operation succeeds; the old state is the snapshot for
`undo`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import Action, GameConfig, State
from axiom_gym.config.ending import Ending, compute_score, describe_outcome, find_score
from axiom_gym.config.fields import Fields, Refused, as_history
from axiom_gym.config.frozen import copied
from axiom_gym.config.given_state import take_state
from axiom_gym.config.parameters import make_view, read_values
from axiom_gym.config.phases import make_phases
from axiom_gym.config.rules import ActionRule, Clock
from axiom_gym.errors import CallableError, ConfigError, EngineError
from axiom_gym.seeded_rng import SeededRNG

__all__ = ["Engine", "create_engine"]


def create_engine(
    config: GameConfig,
    seed: int = 0,
    *,
    state: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    original: bool = False,
    clock: Clock = time.time,
) -> Engine:
    """Start a new game.

    Args:
        config: the game.
        seed: the seed of all random numbers; only its low 32 bits are used.
        state: the state to start from, as `Engine.get_state` returns it, also after JSON. Fields
            that it leaves out start as in a new game.
        parameters: values of the config's parameters by name; the others have their defaults.
        original: if True, behave like the original engine: do not validate the config, and do not
            roll back an operation that fails. A failed action keeps the effects applied so far.
            After a failed action or tick, `undo` has one more snapshot, as if it had succeeded.
        clock: a function () -> seconds since 1970, for the history.

    Raises:
        ConfigError: if the config has mistakes; lists all of them. Also for a parameter that does
            not exist, or whose value is not allowed.
        StateError: if `state` is no state of the config; names the field.
    """
    if not original:
        from axiom_gym.config.validation import check

        check(config)
    fields = Fields(config)
    try:
        start = fields.initial(config.initial_state())
    except Refused as refusal:
        raise ConfigError(f"initial_state: {refusal}") from None
    if state is not None:
        start = take_state(state, start, config, fields)
    return Engine(
        config, start, SeededRNG(seed), parameters=parameters, original=original, clock=clock
    )


class Engine:
    """A game in progress. `create_engine` starts one, `axiom_gym.config.load` restores one."""

    def __init__(
        self,
        config: GameConfig,
        state: dict[str, Any],
        rng: SeededRNG,
        *,
        parameters: Mapping[str, Any] | None = None,
        original: bool = False,
        clock: Clock = time.time,
    ) -> None:
        """Continue a game.

        Args:
            config: the game.
            state: the state, which the engine then owns.
            rng: the generator of all random numbers.
            parameters: see `create_engine`.
            original: see `create_engine`.
            clock: see `create_engine`.

        Raises:
            ConfigError: for a parameter that does not exist, or whose value is not allowed.
        """
        self._config = config
        self._fields = fields = Fields(config, original=original)
        self._state = fields.held({**state, "history": as_history(state["history"])})
        self._rng = rng
        self._params = read_values(config, parameters)
        self._original = original
        self._clock = clock
        self._snapshots: deque[dict[str, Any]] = deque(maxlen=max(0, config.undo_depth))
        self._actions = [ActionRule(i, config, fields) for i in range(len(config.actions))]
        self._by_id = {action.id: action for action in reversed(self._actions)}
        self._phases = make_phases(config, fields, rng, clock)
        self._ending = Ending(config)
        self._outcome = self._judge(self._state)

    @property
    def config(self) -> GameConfig:
        """The game's definition."""
        return self._config

    @property
    def rng(self) -> SeededRNG:
        """The generator of all random numbers of the game."""
        return self._rng

    @property
    def params(self) -> Mapping[str, Any]:
        """The values of the config's parameters by name, which never change."""
        return self._params

    @property
    def outcome(self) -> str:
        """The outcome of a game that is over: "won", "lost", or "ended" without a `win` condition.

        It is "" while the game is in progress. With `original`, a game never ends.
        """
        return self._outcome

    @property
    def score(self) -> float | None:
        """The score of the config in this state, or None if it has none.

        Raises:
            CallableError: if the function fails, or returns no number.
        """
        found = find_score(self._config, None)
        return None if found is None else compute_score(found, self.view(self._state))

    def _judge(self, state: dict[str, Any]) -> str:
        return "" if self._original else self._ending.judge(self.view(state))

    def view(self, state: dict[str, Any]) -> State:
        """Return a read-only view of a state of this game, as callables get it."""
        return make_view(state, self._params)

    @property
    def current(self) -> State:
        """A read-only view of the state, which later operations do not change."""
        return self.view(self._state)

    def restore(self, state: State) -> None:
        """Return to a state that `current` was, without snapshots for `undo`."""
        self._state = dict(state)
        self._outcome = self._judge(self._state)
        self._snapshots.clear()

    def get_state(self) -> dict[str, Any]:
        """Return a copy of the state, which is JSON as far as the config's own fields are.

        Its `history` is a list of `HistoryEntry`, which JSON writes as lists.
        `create_engine(config, state=...)` continues from such a state, also after JSON.
        """
        return {**self._shown(), "history": self._state["history"].to_list()}

    def _shown(self) -> dict[str, Any]:
        """Return a copy of the state without a copy of its history, which cannot change."""
        return dict(copied(self._state))

    def get_available_actions(self, ctx: Any = None) -> list[Action]:
        """Return the available actions, in the config's order (`getAvailableActions`).

        There are none once the game is over.

        Args:
            ctx: the context that conditions get. If None, an action that has `contexts` is listed
                if it is available with at least one of them.

        Raises:
            CallableError: if a condition or restriction fails.
        """
        view, rules = self.view(self._state), () if self._outcome else self._actions
        return [rule.definition for rule in rules if rule.is_available(view, ctx)]

    def is_available(self, id: str, ctx: Any = None) -> bool:
        """Return True if an action is available now, without evaluating the other actions.

        Raises:
            EngineError: if there is no such action.
            CallableError: if a condition or restriction fails.
        """
        action = self._find(id)
        return not self._outcome and action.is_available(self.view(self._state), ctx)

    def apply_action(self, id: str, ctx: Any = None) -> dict[str, Any]:
        """Take the first action with this id, and return the new state (`applyAction`).

        Its history is a read-only sequence, so that the time of an operation does not grow with it.

        Args:
            id: the action's id.
            ctx: the context that the action's conditions, text and effects get.

        Raises:
            EngineError: if there is no such action, it is not available, or the game is over; the
                state is unchanged.
            CallableError: if a callable fails; the state is unchanged, except with `original`.
        """
        action = self._find(id)
        self._check_running()
        before = self.view(self._state)
        refusal = action.refuse(before, ctx)
        if refusal:
            raise EngineError(refusal)
        state = self._fields.held(self._state)
        try:
            action.happen(state, self.view(state), ctx, self._clock)
        except CallableError:
            if self._original:
                self._become(state)
            raise
        return self._become(state)

    def _check_running(self) -> None:
        if self._outcome:
            end = describe_outcome(self._outcome)
            raise EngineError(f"{end} undo() returns to the state before its end.")

    def _find(self, id: str) -> ActionRule:
        action = self._by_id.get(id) if isinstance(id, str) else None
        if action is None:
            raise EngineError(f"Action not found: {id}")
        return action

    def tick(self) -> dict[str, Any]:
        """Advance the game by one tick, and return the new state.

        Raises:
            EngineError: if the game is over; for an unknown phase, with `original`.
            CallableError: if a callable fails; the state is unchanged, but the generator keeps
                the numbers drawn.
        """
        self._check_running()
        state = self._fields.held(self._state)
        state["tick"] = tick = state["tick"] + 1
        cooldowns = state["cooldowns"]
        left = {id: expiry for id, expiry in cooldowns.items() if tick < expiry}
        state["cooldowns"] = self._fields.hold(left)
        view = self.view(state)
        try:
            for phase in self._phases:
                phase.run(state, view)
        except EngineError:
            if self._original:
                self._snapshots.append(self._state)
            raise
        return self._become(state)

    def _become(self, state: dict[str, Any]) -> dict[str, Any]:
        self._outcome = self._judge(state)
        self._snapshots.append(self._state)
        self._state = state
        return self._shown()

    def undo(self) -> dict[str, Any]:
        """Restore the state before the last operation, but not the random number generator.

        Raises:
            EngineError: if there is nothing to undo.
        """
        if not self._snapshots:
            raise EngineError("Nothing to undo")
        self._state = self._snapshots.pop()
        self._outcome = self._judge(self._state)
        return self._shown()
