"""A trial of a config: games of random players, which show what never happens and what fails."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from axiom_gym.config.compiler.step import Move, moves
from axiom_gym.config.definitions import MILESTONE, RANDOM, Event, GameConfig, State
from axiom_gym.config.ending import end_conditions
from axiom_gym.config.engine import Engine
from axiom_gym.config.fields import Fields
from axiom_gym.config.problems import Problem, Problems
from axiom_gym.config.task import Task
from axiom_gym.config.watched_options import Found, watch_options
from axiom_gym.errors import CallableError
from axiom_gym.seeded_rng import SeededRNG

_MOST_TICKS = 10_000
_MOST_RULES = 500_000
"""The greatest number of ticks, and of ticks times rules, which bounds the time of a trial."""

_LONGEST = 1000
"""The number of ticks of an episode without a limit of its own."""

_STUBBORN = 0.8
"""The probability that a stubborn player takes its favourite action."""


def check_by_playing(config: GameConfig, task: Task | None) -> Problems:
    """Play a config that is valid, and report what fails and what never happens."""
    trial = _Trial(config, task)
    trial.run()
    yield from trial.failures.values()
    yield from trial.comparisons.values()
    yield from trial.find_unreached()
    ends = [name for name, _ in end_conditions(config)]
    ends += ["task.terminated"] if task is not None and task.terminated else []
    if task is not None and ends and not task.max_ticks and not trial.ends:
        yield Problem(
            " and ".join(ends),
            f"was never true in {trial.ticks:,} simulated ticks; give max_ticks as well, so that "
            "every episode ends.",
        )


class _Trial:
    """The games of a trial.

    Half of them are played at random. In each of the others the player prefers some actions to the
    others, which leads to states far from the usual ones.
    """

    def __init__(self, config: GameConfig, task: Task | None) -> None:
        self._task = task
        self._open: dict[int, float] = {}
        self._has_modifiers = bool(config.probability_modifiers)
        watched = (*config.probability_modifiers, self._watch)
        self.comparisons: Found = {}
        choices = watch_options(config.choices, self.comparisons)
        self._config = replace(config, probability_modifiers=watched, choices=choices, undo_depth=0)
        start = Fields(self._config).initial(config.initial_state())
        self._engine = Engine(self._config, start, SeededRNG(0), clock=float)
        self._start = self._engine.current
        self._rng = SeededRNG(1)
        self._moves = moves(config)
        self._untaken = dict(enumerate(self._moves))
        self._fired: Counter[str] = Counter()
        self._favourites: list[int] = []
        self.failures: dict[str, Problem] = {}
        self.ticks = self._played = self.ends = 0

    def _watch(self, state: State, probability: float, event: Event) -> float:
        """Note that a random event can fire; a probability modifier without an effect."""
        known = self._open.get(id(event), 0.0)
        self._open[id(event)] = max(known, probability)
        return probability

    def run(self) -> None:
        """Play until the number of ticks is reached."""
        rules = 1 + len(self._moves) + len(self._config.events)
        most = min(_MOST_TICKS, max(100, _MOST_RULES // rules))
        longest = min((self._task and self._task.max_ticks) or _LONGEST, most)
        while self.ticks < most:
            self._engine.restore(self._start)
            self._favourites = self._draw_favourites()
            last = self.ticks + longest
            while self.ticks < min(last, most) and self._play_tick():
                pass

    def _draw_favourites(self) -> list[int]:
        """Return the moves and `wait` in a random order, or [] for a player without favourites."""
        if self._rng.next() < 0.5:
            return []
        numbers = list(range(len(self._moves) + 1))
        return sorted(numbers, key=lambda _: self._rng.next())

    def _play_tick(self) -> bool:
        """Play a tick with the actions before it; return False at the end of the episode."""
        self.ticks += 1
        before = self._engine.current
        try:
            for _ in range(self._task.actions_per_tick if self._task else 1):
                self._note_available()
                move = self._choose()
                if move is None:
                    break
                self._engine.apply_action(move.action.id, move.context)
            length = len(self._engine.current["history"])
            if not self._engine.outcome:
                self._engine.tick()
        except CallableError as error:
            self._fail(*str(error).split(": ", 1))
            return False
        self._played += 1
        after = self._engine.current
        self._fired.update({entry.event_id for entry in after["history"][length:]})
        return not self._has_ended(before, after)

    def _fail(self, place: str, reason: str) -> None:
        owner, _, path = place.rpartition(", ")
        who = f"{owner}: " if owner else ""
        tick = f" (simulated tick {self.ticks:,})"
        self.failures.setdefault(place, Problem(path, f"{who}{reason}{tick}"))

    def _has_ended(self, before: State, after: State) -> bool:
        is_over = bool(self._engine.outcome)
        if self._task is None:
            return is_over
        name = "reward"
        try:
            float(self._task.reward(before, after))
            name = "terminated"
            ended = self._task.terminated is not None and bool(self._task.terminated(after))
            name = "score"
            if self._task.score is not None:
                float(self._task.score(after))
        except Exception as error:
            self._fail(f"task.{name}", f"{type(error).__name__}: {error}")
            return True
        self.ends += ended or is_over
        return ended or is_over

    def _note_available(self) -> None:
        for number, move in list(self._untaken.items()):
            if self._is_available(move):
                del self._untaken[number]

    def _is_available(self, move: Move) -> bool:
        """Return True if a move is available; one whose conditions fail is not."""
        try:
            return self._engine.is_available(move.action.id, move.context)
        except CallableError as error:
            self._fail(*str(error).split(": ", 1))
            return False

    def _choose(self) -> Move | None:
        """Return an available move, or None to wait."""
        order = self._favourites
        if not order or self._rng.next() > _STUBBORN:
            numbers = list(range(len(self._moves) + 1))
            first = int(self._rng.next() * len(numbers))
            order = numbers[first:] + numbers[:first]
        for number in order:
            if number == len(self._moves):
                return None
            if self._is_available(self._moves[number]):
                return self._moves[number]
        return None

    def find_unreached(self) -> Problems:
        """Yield a warning for each rule that never happened, or always."""
        yield from self._find_untaken()
        order = self._config.tick_order
        for i, event in enumerate(self._config.events):
            is_milestone = event.trigger == "milestone"
            if (MILESTONE if is_milestone else RANDOM) not in order:
                continue
            path = f"events[{i}]"
            if is_milestone and self._played and self._fired[event.id] == self._played:
                message = f"fires at every tick ({event.id!r}); give it conditions or a cooldown."
                yield Problem(path, message)
            if not (self._fired[event.id] if is_milestone else id(event) in self._open):
                yield self._never(path, f"event {event.id!r}")
            elif self._has_modifiers and self._open.get(id(event), 1) <= 0:
                message = f"is {event.base_probability!r}, which modifiers never make more than 0."
                yield Problem(f"{path}.base_probability", message)

    def _find_untaken(self) -> Problems:
        """Yield a warning for each action or context that was never available."""
        contexts: dict[int, list[Move]] = {}
        for move in self._untaken.values():
            contexts.setdefault(move.index, []).append(move)
        for index, untaken in contexts.items():
            action, path = untaken[0].action, f"actions[{index}]"
            if any(problem.path.startswith(f"{path}.") for problem in self.failures.values()):
                continue  # it was not available because its conditions failed
            if len(untaken) == max(1, len(action.contexts)):
                yield self._never(path, f"action {action.id!r}")
                continue
            for move in untaken:
                what = f"action {action.id!r} with {dict(move.context or {})}"
                yield self._never(path, what)

    def _never(self, path: str, what: str) -> Problem:
        return Problem(
            path,
            f"{what} was never possible in {self.ticks:,} simulated ticks; check its conditions "
            "and restrictions.",
        )
