"""Plays a game at random and looks at each of its states for what a game must not do."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from axiom_gym.errors import GameError, StateImmutabilityError
from axiom_gym.game.bridge import name_players
from axiom_gym.game.canonical import canonical, state_digest
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.facts import Game, Player
from axiom_gym.game.matching import find_equal
from axiom_gym.play.agents import agent_seed
from axiom_gym.replay.course import Course, encode
from axiom_gym.replay.format import Replay
from axiom_gym.replay.playback import verify
from axiom_gym.seeded_rng import SeededRNG

MOST_DECISIONS = 10_000
"""A game of more decisions than these is taken for one that does not end."""
_SAMPLE = 64
"""So many of a state's valid actions are looked at, spread over all of them."""


class _Endless(Exception):  # noqa: N818 - it never leaves this module
    """A match goes on and on."""


class Probe:
    """Collects the problems of a game by the checks of `axiom_gym.check.conformance`.

    Attributes:
        problems: for each check what was seen, in the order in which it was.
        finished: how many games came to their ends.
    """

    def __init__(self, make: Callable[[], Any], players: int | None) -> None:
        """For the games that `make` makes.

        Raises:
            ConfigError: for a number of players that the game does not allow.
        """
        self._make = make
        self._game: Game[Any, Any] = make()
        metadata = self._game.metadata
        self._players = tuple(map(Player, name_players(metadata, players)))
        self._options = dict(metadata.options)
        self.problems: defaultdict[str, list[str]] = defaultdict(list)
        self.finished = self._games = self._states = self._actions = self._longest = 0
        self._seen: list[list[tuple[Any, list[Any]]]] = []
        self._seed = 0

    def describe(self, check: str) -> str:
        """What was seen where nothing is wrong."""
        players = len(self._players)
        said = {
            "interface": "all eight members are there",
            "plays": f"{self._games} games of {players} random players, {self._states} decisions",
            "ends": f"the longest game took {self._longest} decisions",
            "immutable": f"{self._states} states were hashed before and after",
            "deterministic": "the same seed gives the same replay, also with a new game object",
            "valid actions": f"{self._actions} actions, for those alone who are to act",
            "JSON": "each action comes back from JSON, and each state has a digest",
            "catalogue": f"{self._count_actions()} actions by number; masks are the valid ones",
            "eliminated": "who is out never acts again",
            "winner": "there is one only at the end, alone at rank 1",
            "rankings": "each player once, best first",
            "descriptions": "every action has one line of text",
            "replay": "each match plays out as it was recorded",
        }
        return said[check]

    def _count_actions(self) -> int:
        return len({repr(action) for seen in self._seen for _, rows in seen for action in rows})

    # -- playing -----------------------------------------------------------------------------------

    def play(self, seed: int) -> None:
        """One game, with all checks of it."""
        self._seed = seed
        self._games += 1
        with self._catching("plays"):
            replay = self._play(self._game, seed, watched=True)
            self._check_replay(replay, seed)

    def record(self, seed: int) -> str:
        """The replay of a game, as text.

        Raises:
            GameError: if the game breaks the interface.
        """
        try:
            return self._play(self._make(), seed, watched=False).to_text()
        except _Endless:
            raise GameError(f"seed {seed}: no end after {MOST_DECISIONS} decisions.") from None

    def _play(self, game: Game[Any, Any], seed: int, watched: bool) -> Replay:
        course = Course(game, self._players, self._options, seed=seed, strict=watched)
        draws = SeededRNG(agent_seed(seed, 0))
        decisions = 0
        while course.reason is None:
            if decisions >= MOST_DECISIONS:
                raise _Endless
            decisions += 1
            mover, actions = course.get_mover()
            if watched:
                self._look(course, mover, actions)
            course.take(mover, draws.pick(actions), "agent", len(actions))
        if watched:
            self.finished += 1
            self._longest = max(self._longest, decisions)
            self._check_end(course)
        return course.finish()

    @contextmanager
    def _catching(self, check: str) -> Iterator[None]:
        """Notes what is raised under the check that it speaks of."""
        try:
            yield
        except _Endless:
            self._note("ends", f"no end after {MOST_DECISIONS} decisions")
        except StateImmutabilityError as error:
            self._note("immutable", str(error))
        except Exception as error:
            self._note(check, f"{type(error).__name__}: {error}")

    def _note(self, check: str, problem: str) -> None:
        problem = problem.removesuffix(".")
        self.problems[check].append(f"seed {self._seed}: {problem}")

    def _expect(self, check: str, is_so: bool, problem: str) -> None:
        if not is_so:
            self._note(check, problem)

    # -- one state ---------------------------------------------------------------------------------

    def _look(self, course: Course[Any, Any], mover: str, actions: list[Any]) -> None:
        """What must hold in every state in which somebody is to act."""
        game, state = course.game, course.state
        self._states += 1
        self._actions += len(actions)
        if len(self._seen) < self._games:
            self._seen.append([])
        self._seen[-1].append((mover, actions))
        self._expect("eliminated", mover not in course.out, f"{mover!r} is out and is to act")
        with self._catching("winner"):
            winner = game.get_winner(state)
            self._expect("winner", winner is None, f"{winner} before the end")
        with self._catching("valid actions"):
            self._check_valid(course, mover, actions)
        with self._catching("JSON"):
            self._check_state_form(state)
        sample = actions[:: max(len(actions) // _SAMPLE, 1)]
        with self._catching("JSON"):
            self._check_forms(game, state, sample)
        with self._catching("descriptions"):
            self._check_descriptions(game, state, sample)

    def _check_valid(self, course: Course[Any, Any], mover: str, actions: list[Any]) -> None:
        game, state, turn = course.game, course.state, course.turn
        forms = [_dump(canonical(action)) for action in actions]
        self._expect(
            "valid actions", len(set(forms)) == len(forms), f"turn {turn}: one comes twice"
        )
        again = [_dump(canonical(one)) for one in game.get_valid_actions(state, mover)]
        self._expect("valid actions", again == forms, f"turn {turn}: others when asked again")
        if getattr(state, "active_player_id", None) is None:
            return
        for other in self._players:
            if other.id != mover and game.get_valid_actions(state, other.id):
                check = "eliminated" if other.id in course.out else "valid actions"
                self._note(
                    check, f"turn {turn}: {other.id!r} has some too, but {mover!r} is to act"
                )

    def _check_state_form(self, state: Any) -> None:
        copied = copy.deepcopy(state)
        is_same = state_digest(copied) == state_digest(state)
        self._expect("JSON", is_same, "a copy of a state has another digest")

    def _check_forms(self, game: Game[Any, Any], state: Any, actions: Sequence[Any]) -> None:
        """An action's JSON must stand for it, and for no other one."""
        decode = getattr(game, "decode_action", None)
        encoded = [_dump(encode(game, action)) for action in actions]
        if decode is None:
            unique = len(set(encoded)) == len(encoded)
            self._expect("JSON", unique, "two valid actions have the same JSON")
            return
        for action, text in zip(actions, encoded, strict=True):
            found = find_equal([action], decode(json.loads(text), state))
            self._expect("JSON", found is not None, f"{action!r} comes back as another one")

    def _check_descriptions(self, game: Game[Any, Any], state: Any, actions: Sequence[Any]) -> None:
        for action in actions:
            text = game.describe_action(action, state)
            is_line = isinstance(text, str) and text.strip() and "\n" not in text.strip()
            self._expect("descriptions", bool(is_line), f"{action!r} is described as {text!r}")

    # -- the end -----------------------------------------------------------------------------------

    def _check_end(self, course: Course[Any, Any]) -> None:
        game, state = course.game, course.state
        with self._catching("rankings"):
            places = list(game.get_rankings(state))
            ranks = [place.rank for place in places]
            proper = [1 + sum(other < rank for other in ranks) for rank in ranks]
            listed = f"ranks are {ranks}, and must be {sorted(proper)}"
            self._expect("rankings", ranks == sorted(proper), listed)
            ids = sorted(place.player.id for place in places)
            everyone = sorted(player.id for player in self._players)
            self._expect("rankings", ids == everyone, f"they hold {ids}, and must hold {everyone}")
        with self._catching("winner"):
            winner = game.get_winner(state)
            first = [place.player.id for place in game.get_rankings(state) if place.rank == 1]
            is_first = winner is None or first == [winner.id]
            self._expect("winner", is_first, f"{winner} wins, and at rank 1 is {', '.join(first)}")

    def _check_replay(self, replay: Replay, seed: int) -> None:
        text = replay.to_text()
        for game in (self._game, self._make()):
            again = self._play(game, seed, watched=False).to_text()
            self._expect("deterministic", again == text, "played again, the replay differs")
        result = verify(replay, self._game)
        self._expect("replay", result.ok, result.message)

    # -- numbers -----------------------------------------------------------------------------------

    def check_catalogue(self) -> None:
        """Whether all that was valid in the games has a number."""
        with self._catching("catalogue"):
            catalogue = Catalogue.of(self._game, self._players, self._options)
            seats = {player.id: seat for seat, player in enumerate(self._players)}
            for mover, actions in (row for seen in self._seen for row in seen):
                found = catalogue.find(seats[mover], actions)
                back = [catalogue.get_action(seats[mover], number) for number in found]
                self._expect(
                    "catalogue", back == actions, f"{mover!r}: a number is another action's"
                )


def _dump(form: Any) -> str:
    return json.dumps(form, sort_keys=True)
