"""A match between agents: decisions, retries, fallbacks, forfeits, events, and the result."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple

from axiom_gym.game.facts import Game, Player
from axiom_gym.game.matching import find_equal
from axiom_gym.game.standing import find_winner
from axiom_gym.play.agent_errors import warn_of_agent
from axiom_gym.play.agents import Agent, RandomAgent, agent_seed, name_agent
from axiom_gym.play.asking import Answer, Question, Seat
from axiom_gym.play.events import (
    ActionTaken,
    By,
    Event,
    GameEnded,
    GameStarted,
    InvalidAction,
    Listener,
    PlayerEliminated,
    Problem,
    TurnStarted,
)
from axiom_gym.play.match_config import MatchConfig
from axiom_gym.play.result import GameResult, Incidents
from axiom_gym.replay.course import Course
from axiom_gym.seeded_rng import mix_seed

_FALLBACK_SALT = 0x10000
"""The salt of the generator of seat 0's fallback; those of the other seats follow."""

Asking = Generator[Question, Answer | None, Any]
"""A generator that yields questions and gets the answers, for which its caller waits."""


class Choice(NamedTuple):
    """A valid action, and its decider."""

    action: Any
    by: By


class Playing:
    """A match between agents."""

    def __init__(
        self,
        game: Game[Any, Any],
        agents: Mapping[str, Agent],
        options: Mapping[str, Any],
        config: MatchConfig,
        seed: int,
        listeners: Sequence[Listener],
        on_error: str,
    ) -> None:
        """Make the first state; the arguments were checked by `GameLoop`."""
        self._game, self._config, self._listeners = game, config, tuple(listeners)
        self._on_error = on_error
        players = tuple(Player(name, name_agent(agent)) for name, agent in agents.items())
        self._course = Course(
            game,
            players,
            options,
            seed=seed,
            game_id=config.game_id,
            max_turns=config.max_turns,
            strict=config.strict,
        )
        fallback = RandomAgent() if isinstance(config.fallback, str) else config.fallback
        self._seats: dict[str, Seat] = {}
        self._fallbacks: dict[str, Seat] = {}
        for place, player in enumerate(players):
            self._seats[player.id] = Seat(player, agents[player.id], agent_seed(seed, place))
            salted = mix_seed(seed, _FALLBACK_SALT + place)
            self._fallbacks[player.id] = Seat(player, fallback, salted)
        self._incidents: dict[str, Counter[str]] = {player.id: Counter() for player in players}

    def play(self) -> Generator[Question, Answer | None, GameResult]:
        """Play the match to its end."""
        course = self._course
        self._tell(
            GameStarted,
            metadata=self._game.metadata,
            players=course.players,
            seed=course.header.seed,
            state=course.state,
        )
        while course.reason is None:
            yield from self._play_action()
        result = self._make_result()
        self._tell(GameEnded, result=result)
        return result

    def _play_action(self) -> Asking:
        course = self._course
        turn, state, eliminated = course.turn, course.state, course.out
        player_id, actions = course.get_mover()
        where: dict[str, Any] = {"turn": turn, "player_id": player_id}
        if self._listeners:
            self._tell(TurnStarted, **where, valid_actions=tuple(actions), state=state)
        choice = yield from self._decide(player_id, actions)
        if isinstance(choice, Choice):
            course.take(player_id, choice.action, choice.by, len(actions))
            if self._listeners:
                text = self._game.describe_action(choice.action, state)
                taken = {**choice._asdict(), "description": text, "state": course.state}
                self._tell(ActionTaken, **where, **taken)
        else:
            self._incidents[player_id]["forfeits"] += 1
            course.forfeit(player_id, choice)
        for gone in course.out:
            if gone not in eliminated:
                reason = "forfeit" if gone in course.forfeited else "rules"
                self._tell(PlayerEliminated, turn=turn, player_id=gone, reason=reason)

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, player_id: str, actions: list[Any]) -> Asking:
        """Return a Choice, or the last problem if the player forfeits."""
        problem: Problem = "raised"
        for attempt in range(1, self._config.retries + 2):
            found = yield from self._ask(self._seats[player_id], actions, attempt, "agent")
            if isinstance(found, Choice):
                return found
            problem = found
            self._incidents[player_id][problem] += 1
        if self._config.fallback == "forfeit":
            return problem
        self._incidents[player_id]["fallbacks"] += 1
        seat = self._fallbacks[player_id]
        if self._config.fallback == "random":
            return Choice(seat.rng.pick(actions), "fallback")
        return (yield from self._ask(seat, actions, 1, "fallback"))

    def _ask(self, seat: Seat, actions: list[Any], attempt: int, by: By) -> Asking:
        """Return a Choice, or the problem, for which listeners get an event."""
        player_id = seat.player.id
        view = getattr(self._game, "view", None)
        state = self._course.state
        seen = state if view is None else view(state, player_id)
        answer = yield Question(seat, seen, list(actions))
        assert answer is not None
        self._course.note_attempts(player_id, seat.take_attempts())
        if answer.error is not None:
            self._treat_error(seat, answer.error)
        problem, detail = answer.problem or "illegal", answer.detail
        if not answer.problem:
            found = find_equal(actions, answer.action)
            if found is not None:
                return Choice(found[0], by)
            detail = f"{answer.action!r} is none of the {len(actions)} valid actions"
        where = {"turn": self._course.turn, "player_id": player_id}
        failed = {"problem": problem, "by": by, "attempt": attempt, "detail": detail}
        self._tell(InvalidAction, **where, **failed)
        return problem

    def _treat_error(self, seat: Seat, error: Exception) -> None:
        if self._on_error == "raise":
            raise error
        if self._on_error == "warn":
            warn_of_agent(seat, error)

    # -- events and result -------------------------------------------------------------------------

    def _tell(self, kind: Callable[..., Event], **facts: Any) -> None:
        """Make an event and pass it to all listeners, if there are any."""
        if not self._listeners:
            return
        event = kind(**facts)
        for listener in self._listeners:
            try:
                listener(event)
            except Exception as error:
                warnings.warn(
                    f"listener {name_agent(listener)} raised {type(error).__name__} ({error}) at "
                    f"{type(event).__name__}; the match continues.",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def _make_result(self) -> GameResult:
        course = self._course
        replay = course.finish()
        assert course.reason is not None
        rankings = replay.footer.rankings
        return GameResult(
            rankings=rankings,
            winner=find_winner(self._game, course.state, rankings, course.forfeited),
            final_state=course.state,
            replay=replay,
            turns=course.turns,
            incidents={name: Incidents(**counts) for name, counts in self._incidents.items()},
            reason=course.reason,
        )
