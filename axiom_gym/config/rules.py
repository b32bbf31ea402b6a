"""Actions and events in executable form; the signatures of callables are inspected only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from axiom_gym.config.calls import Call, failure
from axiom_gym.config.definitions import Action, Effect, Event, GameConfig, HistoryEntry, State
from axiom_gym.config.derived import conditions, effects, has_cooldown
from axiom_gym.config.fields import Fields, Refused, as_number
from axiom_gym.errors import CallableError

Clock = Callable[[], float]


class Change:
    """An effect or passive change of a config: a constant or callable delta, and its place."""

    __slots__ = ("_call", "_constant", "_fields", "_place")

    def __init__(self, delta: Effect, fields: Fields, place: str) -> None:
        self._call = None if isinstance(delta, Mapping) else Call(delta, place)
        self._constant = delta
        self._fields = fields
        self._place = place

    def apply(self, state: dict[str, Any], view: State, context: Any) -> None:
        """Apply the delta to the state.

        Raises:
            CallableError: if the callable raises, or the delta has a value that no state can hold;
                the state is unchanged.
        """
        delta = self._constant if self._call is None else self._call.value(view, context)
        try:
            state.update(self._fields.changes(state, delta))
        except Refused as refusal:
            raise CallableError(f"{self._place}: {refusal}") from None
        except Exception as error:
            raise failure(self._place, error) from error


class Rule:
    """The common base of actions and events."""

    __slots__ = (
        "_conditions",
        "_cooldown",
        "_cools",
        "_effects",
        "_hold",
        "_owner",
        "_reasons",
        "_restrictions",
        "_text",
        "id",
    )

    def __init__(
        self, definition: Action | Event, config: GameConfig, fields: Fields, owner: str, path: str
    ) -> None:
        """Prepare a definition; `owner` is its name in messages, `path` its place in the config."""

        def calls(functions: Sequence[Any], where: str) -> list[Call]:
            return [Call(one, f"{owner}, {where}[{i}]") for i, one in enumerate(functions)]

        self.id = definition.id
        self._owner = owner
        self._restrictions = calls(config.restrictions, "restrictions")
        self._restrictions += calls(definition.restrictions, f"{path}.restrictions")
        needed = list(conditions(definition, fields.attributes))
        self._conditions = [Call(one.function, f"{owner}, {path}.{one.where}") for one in needed]
        self._reasons = [one.reason for one in needed]
        self._effects = [
            Change(effect, fields, f"{owner}, {path}.{where}")
            for where, effect in effects(definition, fields.attributes)
        ]
        self._cools, self._cooldown = has_cooldown(definition), definition.cooldown
        self._hold = fields.hold
        text = definition.text
        self._text = text if isinstance(text, str) else Call(text, f"{owner}, {path}.text")

    def is_restricted(self, view: State) -> bool:
        """Return True if a restriction holds, of the whole game or its own."""
        for restriction in self._restrictions:  # noqa: SIM110 - faster than a generator
            if restriction.holds(view, None):
                return True
        return False

    def meets_conditions(self, view: State, context: Any) -> bool:
        """Return True if all conditions hold."""
        for condition in self._conditions:  # noqa: SIM110 - faster than a generator
            if not condition.holds(view, context):
                return False
        return True

    def is_ready(self, state: State) -> bool:
        """Return True if the cooldown, if there is one, is over."""
        expiry = state["cooldowns"].get(self.id) if self._cools else None
        return expiry is None or bool(state["tick"] >= expiry)

    def happen(self, state: dict[str, Any], view: State, context: Any, clock: Clock) -> None:
        """Make the text, apply the effects, add an entry to the history, and start the cooldown.

        Raises:
            CallableError: if a callable fails; the effects before it remain in the state.
        """
        text = self._text
        if isinstance(text, Call):
            place, text = text.place, text.value(view, context)
            if not isinstance(text, str):
                raise CallableError(f"{place}: a text must be a string, got {text!r}.")
        for effect in self._effects:
            effect.apply(state, view, context)
        entry = HistoryEntry(state["tick"], self.id, text, clock())
        state["history"] = state["history"].append(entry)
        if self._cooldown is not None:
            cooldowns = {**state["cooldowns"], self.id: state["tick"] + self._cooldown}
            state["cooldowns"] = self._hold(cooldowns)


class ActionRule(Rule):
    """An action."""

    __slots__ = ("definition",)

    def __init__(self, index: int, config: GameConfig, fields: Fields) -> None:
        self.definition = action = config.actions[index]
        super().__init__(action, config, fields, f"action {action.id!r}", f"actions[{index}]")

    def is_available(self, view: State, context: Any) -> bool:
        """Return True if the action is available now.

        If `context` is None, one of the action's own contexts must meet the conditions.
        """
        if self.is_restricted(view):
            return False
        if not self._meets_conditions_of_any(view, context):
            return False
        return self.is_ready(view)

    def _meets_conditions_of_any(self, view: State, context: Any) -> bool:
        contexts = (context,) if context is not None else self.definition.contexts or (None,)
        return any(self.meets_conditions(view, one) for one in contexts)

    def refuse(self, view: State, context: Any) -> str:
        """Return the message of an action that is not available with this context; "" if it is."""
        if self.is_restricted(view):
            return f"Action blocked by restriction: {self.id}"
        for condition, reason in zip(self._conditions, self._reasons, strict=True):
            if not condition.holds(view, context):
                return f"Action conditions not met: {self.id}{reason and f' ({reason})'}"
        if not self.is_ready(view):
            return f"Action on cooldown until tick {view['cooldowns'][self.id]}: {self.id}"
        return ""


class EventRule(Rule):
    """An event."""

    __slots__ = ("_definition", "_modifiers")

    def __init__(self, index: int, config: GameConfig, fields: Fields, phase: str) -> None:
        self._definition = event = config.events[index]
        owner = f"event {event.id!r} in {phase}"
        super().__init__(event, config, fields, owner, f"events[{index}]")
        self._modifiers = tuple(enumerate(config.probability_modifiers))

    def is_open(self, state: dict[str, Any], view: State) -> bool:
        """Return True if restrictions, conditions and cooldown allow the event now."""
        if self.is_restricted(view) or not self.meets_conditions(view, None):
            return False
        return self.is_ready(state)

    def probability(self, state: dict[str, Any], view: State) -> float:
        """Return the probability of firing now, which is not clamped to 0..1.

        Raises:
            CallableError: if a callable raises, or a probability modifier returns no number.
        """
        if not self.is_open(state, view):
            return 0.0
        probability = self._definition.base_probability or 0.0
        for index, modifier in self._modifiers:
            probability = self._modify(modifier, index, view, probability)
        return probability

    def _modify(self, modifier: Any, index: int, view: State, probability: float) -> float:
        place = f"{self._owner}, probability_modifiers[{index}]"
        changed: float
        try:
            changed = modifier(view, probability, self._definition)
        except Exception as error:
            raise failure(place, error) from error
        if type(changed) is not float:
            try:
                changed = as_number(changed, "the probability becomes")
            except Refused as refusal:
                raise CallableError(f"{place}: {refusal}") from None
        if changed != changed:
            raise CallableError(f"{place}: the probability becomes {changed!r}.")
        return changed
