"""One match while it is played: whom to ask, what to make of the answers, whom to tell."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from axiom_gym.game.facts import Game, Player
from axiom_gym.game.matching import find_equal
from axiom_gym.game.standing import find_winner
from axiom_gym.play.agents import Agent, agent_seed, name_agent
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
from axiom_gym.seeded_rng import SeededRNG, mix_seed

_FALLBACK_SALT = 0x10000
"""Salt of the generators of those who stand in: so much plus the seat."""

Asking = Generator[Question, Answer | None, Any]
"""Yields questions and is sent the answers, after None for a start: how to wait for them is left to
who runs it."""


class Choice(NamedTuple):
    """An action that is valid, and who chose it."""

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
    ) -> None:
        """Sets up the first state; the arguments fit each other, and were checked."""
        self._game, self._config, self._listeners = game, config, tuple(listeners)
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
        self._seats = {
            player.id: Seat(player, agents[player.id], agent_seed(seed, place))
            for place, player in enumerate(players)
        }
        stand_in = _give_up if isinstance(config.fallback, str) else config.fallback
        self._stand_ins = {
            player.id: Seat(player, stand_in, mix_seed(seed, _FALLBACK_SALT + place))
            for place, player in enumerate(players)
        }
        self._incidents = {player.id: Incidents() for player in players}

    def play(self) -> Generator[Question, Answer | None, GameResult]:
        """The match up to its end."""
        course = self._course
        self._tell(
            lambda: GameStarted(
                metadata=self._game.metadata,
                players=course.players,
                seed=course.header.seed,
                state=course.state,
            )
        )
        while course.reason is None:
            yield from self._play_action()
        result = self._make_result()
        self._tell(lambda: GameEnded(result=result))
        return result

    def _play_action(self) -> Asking:
        course, turn, out = self._course, self._course.turn, self._course.out
        player_id, actions = course.get_mover()
        self._tell(
            lambda: TurnStarted(
                turn=turn, player_id=player_id, valid_actions=tuple(actions), state=course.state
            )
        )
        choice = yield from self._decide(player_id, actions)
        if isinstance(choice, Choice):
            self._take(player_id, choice, len(actions))
        else:
            self._count(player_id, "forfeits")
            course.forfeit(player_id, choice)
        for gone in (one for one in course.out if one not in out):
            reason: Literal["rules", "forfeit"]
            reason = "forfeit" if gone in course.forfeited else "rules"
            self._tell(partial(PlayerEliminated, turn=turn, player_id=gone, reason=reason))

    def _take(self, player_id: str, choice: Choice, valid: int) -> None:
        course, turn, before = self._course, self._course.turn, self._course.state
        course.take(player_id, choice.action, choice.by, valid)
        self._tell(
            lambda: ActionTaken(
                turn=turn,
                player_id=player_id,
                action=choice.action,
                by=choice.by,
                description=self._game.describe_action(choice.action, before),
                state=course.state,
            )
        )

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, player_id: str, actions: list[Any]) -> Asking:
        """A Choice; or the last problem, if the player forfeits."""
        problem: Problem = "raised"
        for attempt in range(1, self._config.retries + 2):
            found = yield from self._ask(self._seats[player_id], actions, attempt, "agent")
            if isinstance(found, Choice):
                return found
            problem = found
            self._count(player_id, problem)
        if self._config.fallback == "forfeit":
            return problem
        self._count(player_id, "fallbacks")
        stand_in = self._stand_ins[player_id]
        if self._config.fallback == "random":
            return Choice(stand_in.rng.pick(actions), "fallback")
        found = yield from self._ask(stand_in, actions, 1, "fallback")
        return found

    def _ask(self, seat: Seat, actions: list[Any], attempt: int, by: By) -> Asking:
        """A Choice, or the problem, of which listeners are told."""
        player_id = seat.player.id
        view = getattr(self._game, "view", None)
        state = self._course.state
        seen = state if view is None else view(state, player_id)
        answer = yield Question(seat, seen, list(actions))
        assert answer is not None
        problem, detail = answer.problem or "illegal", answer.detail
        if not answer.problem:
            found = find_equal(actions, answer.action)
            if found is not None:
                return Choice(found[0], by)
            detail = f"{answer.action!r} is none of the {len(actions)} valid actions"
        turn = self._course.turn
        self._tell(
            lambda: InvalidAction(
                turn=turn,
                player_id=player_id,
                problem=problem,
                by=by,
                attempt=attempt,
                detail=detail,
            )
        )
        return problem

    def _count(self, player_id: str, what: str) -> None:
        before = self._incidents[player_id]
        self._incidents[player_id] = dataclasses.replace(
            before, **{what: getattr(before, what) + 1}
        )

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, make: Callable[[], Event]) -> None:
        """Tells all listeners; the event is made only if there are any."""
        if not self._listeners:
            return
        event = make()
        for listener in self._listeners:
            try:
                listener(event)
            except Exception as error:
                warnings.warn(
                    f"listener {name_agent(listener)} raised {type(error).__name__} ({error}) at "
                    f"{type(event).__name__}; the match goes on.",
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
            incidents=dict(self._incidents),
            reason=course.reason,
        )


def _give_up(state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> None:
    """Stands where no other agent does, and is never asked."""
