"""Random play of a game, with checks of each of its states."""

from __future__ import annotations

import copy
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from axiom_gym.check.environments import check_finite, play_aec
from axiom_gym.check.writing import find_unwritten
from axiom_gym.errors import GameError, StateImmutabilityError
from axiom_gym.game.bridge import name_players
from axiom_gym.game.canonical import canonical, state_digest
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.encoding import Encoder
from axiom_gym.game.facts import Game, Player
from axiom_gym.game.matching import find_equal
from axiom_gym.game.prompt_keys import find_collision
from axiom_gym.play.agents import agent_seed
from axiom_gym.play.kernel_object import KernelGameObject
from axiom_gym.replay.course import Course, encode
from axiom_gym.replay.format import Replay
from axiom_gym.replay.playback import verify
from axiom_gym.seeded_rng import SeededRNG

MOST_DECISIONS = 10_000
"""The number of decisions after which a game counts as endless."""
_SAMPLE = 64
"""The approximate number of a state's valid actions to check, spread over all of them."""


class _Endless(Exception):  # noqa: N818 - it never leaves this module
    """A match does not end."""


class Probe:
    """The problems of a game, collected for the checks of `axiom_gym.check.conformance`.

    Attributes:
        problems: a list of problems for each check, in the order in which they occurred.
        finished: the number of games that have ended.
    """

    def __init__(self, make: Callable[[], Any], players: int | None) -> None:
        """Prepare to play the games that `make` returns.

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
        self._seen: list[tuple[str, list[Any]]] = []
        self._seed = 0
        self._encoder: Encoder | None = None

    @property
    def is_kernel(self) -> bool:
        """True for a kernel game, whose arrays are checked, too."""
        return isinstance(self._game, KernelGameObject)

    def describe(self, check: str) -> str:
        """Return the message of a check that found no problem."""
        players = len(self._players)
        said = {
            "interface": "all eight members are there",
            "plays": f"{self._games} games of {players} random players, {self._states} decisions",
            "ends": f"the longest game took {self._longest} decisions",
            "immutable": f"{self._states} states were hashed before and after",
            "deterministic": "the same seed gives the same replay, also with a new game object",
            "valid actions": f"{self._actions} actions, only for players who are to act",
            "JSON": "each action can be restored from JSON, and each state has a digest",
            "catalogue": f"all {self._count_actions()} valid actions have their own numbers",
            "eliminated": "eliminated players never act again",
            "winner": "there is one only at the end, alone at rank 1",
            "rankings": "each player once, best first",
            "descriptions": "every action has one line of text",
            "observations": f"{self._states} states were encoded for each player",
            "written": "the kernel writes every reward, mask, observation and outcome",
            "environments": f"the AEC form plays {self._games} games to their ends",
            "forfeit": "no player got less than the reward of a forfeit",
            "replay": "each match plays as it was recorded",
        }
        return said[check]

    def _count_actions(self) -> int:
        return len({repr(action) for _, actions in self._seen for action in actions})

    # -- playing -----------------------------------------------------------------------------------

    def play(self, seed: int) -> None:
        """Play one game with all of its checks."""
        self._seed = seed
        self._games += 1
        with self._catching("plays"):
            replay = self._play(self._game, seed, watched=True)
            self._check_replay(replay, seed)

    def record(self, seed: int) -> str:
        """Return the replay of a game as text.

        Raises:
            GameError: if the game violates the interface.
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
                self._check_state(course, mover, actions)
            course.take(mover, draws.pick(actions), "agent", len(actions))
        if watched:
            self.finished += 1
            self._longest = max(self._longest, decisions)
            self._check_end(course)
        return course.finish()

    @contextmanager
    def _catching(self, check: str) -> Iterator[None]:
        """Record an exception as a problem of this check, or of the check that it belongs to."""
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

    def _check_state(self, course: Course[Any, Any], mover: str, actions: list[Any]) -> None:
        """Check a state in which a player is to act."""
        game, state = course.game, course.state
        self._states += 1
        self._actions += len(actions)
        self._seen.append((mover, actions))
        is_in = mover not in course.out
        self._expect("eliminated", is_in, f"{mover!r} is eliminated, but is to act")
        with self._catching("winner"):
            winner = game.get_winner(state)
            self._expect("winner", winner is None, f"{winner} before the end")
        with self._catching("valid actions"):
            self._check_valid(course, mover, actions)
        sample = actions[:: max(len(actions) // _SAMPLE, 1)]
        with self._catching("JSON"):
            is_same = state_digest(copy.deepcopy(state)) == state_digest(state)
            self._expect("JSON", is_same, "a copy of a state has another digest")
            self._check_forms(game, state, sample)
        with self._catching("descriptions"):
            self._check_descriptions(game, state, sample)
        self._check_observations(state)

    def _check_valid(self, course: Course[Any, Any], mover: str, actions: list[Any]) -> None:
        game, state, turn = course.game, course.state, course.turn
        forms = [_dump(canonical(action)) for action in actions]
        self._expect(
            "valid actions", len(set(forms)) == len(forms), f"turn {turn}: one occurs twice"
        )
        again = [_dump(canonical(one)) for one in game.get_valid_actions(state, mover)]
        self._expect("valid actions", again == forms, f"turn {turn}: a second call differs")
        if getattr(state, "active_player_id", None) is None:
            return
        for other in self._players:
            if other.id != mover and game.get_valid_actions(state, other.id):
                check = "eliminated" if other.id in course.out else "valid actions"
                self._note(check, f"turn {turn}: {other.id!r} has some, but {mover!r} is to act")

    def _check_forms(self, game: Game[Any, Any], state: Any, actions: Sequence[Any]) -> None:
        """Check that the JSON of an action identifies it."""
        decode = getattr(game, "decode_action", None)
        encoded = [_dump(encode(game, action)) for action in actions]
        if decode is None:
            unique = len(set(encoded)) == len(encoded)
            self._expect("JSON", unique, "two valid actions have the same JSON")
            return
        for action, text in zip(actions, encoded, strict=True):
            found = find_equal([action], decode(json.loads(text), state))
            self._expect("JSON", found is not None, f"{action!r} becomes another action")

    def _check_descriptions(self, game: Game[Any, Any], state: Any, actions: Sequence[Any]) -> None:
        for action in actions:
            text = game.describe_action(action, state)
            is_line = isinstance(text, str) and text.strip() and "\n" not in text.strip()
            self._expect("descriptions", bool(is_line), f"{action!r} is described as {text!r}")
            collision = find_collision(text) if is_line else ""
            self._expect("descriptions", not collision, collision)

    def _check_observations(self, state: Any) -> None:
        """Check that the state can be encoded for each player, in the shape of the first one."""
        if self.problems["observations"]:
            return
        with self._catching("observations"):
            self._encoder = self._encoder or Encoder(self._game, self._players, state)
            for seat, player in enumerate(self._players):
                check_finite(player.id, self._encoder(state, seat))

    # -- the end -----------------------------------------------------------------------------------

    def _check_end(self, course: Course[Any, Any]) -> None:
        game, state = course.game, course.state
        self._check_observations(state)
        with self._catching("rankings"):
            places = list(game.get_rankings(state))
            ranks = [place.rank for place in places]
            proper = [1 + sum(other < rank for other in ranks) for rank in ranks]
            listed = f"ranks are {ranks}, but must be {sorted(proper)}"
            self._expect("rankings", ranks == sorted(proper), listed)
            ids = sorted(place.player.id for place in places)
            everyone = sorted(player.id for player in self._players)
            self._expect(
                "rankings", ids == everyone, f"they are of {ids}, but must be of {everyone}"
            )
        with self._catching("winner"):
            winner = game.get_winner(state)
            first = [place.player.id for place in game.get_rankings(state) if place.rank == 1]
            is_first = winner is None or first == [winner.id]
            self._expect("winner", is_first, f"{winner} wins, but at rank 1 is {', '.join(first)}")

    def _check_replay(self, replay: Replay, seed: int) -> None:
        text = replay.to_text()
        for game in (self._game, self._make()):
            again = self._play(game, seed, watched=False).to_text()
            self._expect("deterministic", again == text, "a second game has another replay")
        result = verify(replay, self._game)
        self._expect("replay", result.ok, result.message)

    # -- arrays ------------------------------------------------------------------------------------

    def check_arrays(self, seed: int) -> None:
        """Play the games in the AEC form, and check what the kernel of a kernel game writes."""
        self._seed = seed
        with self._catching("environments"):
            seeds, ids = range(seed, seed + self._games), [one.id for one in self._players]
            lowest, forfeit = play_aec(self._make, ids, seeds)
            problem = (
                f"the rewards of a player add up to {lowest:g}, but a forfeit costs {-forfeit:g}"
            )
            # Rewards are summed in float32.
            is_worst = lowest >= forfeit or math.isclose(lowest, forfeit, rel_tol=1e-5)
            self._expect("forfeit", is_worst, problem)
        if isinstance(self._game, KernelGameObject):
            with self._catching("written"):
                game = self._game
                self.problems["written"] += find_unwritten(
                    game.kernel_game, games=self._games, seed=seed, **game.settings
                )

    # -- numbers -----------------------------------------------------------------------------------

    def check_catalogue(self) -> None:
        """Check that every action that was valid in the games has its own number."""
        with self._catching("catalogue"):
            catalogue = Catalogue.of(self._game, self._players, self._options)
            seats = {player.id: seat for seat, player in enumerate(self._players)}
            for mover, actions in self._seen:
                found = catalogue.find(seats[mover], actions)
                back = [catalogue.get_action(seats[mover], number) for number in found]
                problem = f"{mover!r}: a number belongs to another action"
                self._expect("catalogue", back == actions, problem)


def _dump(form: Any) -> str:
    return json.dumps(form, sort_keys=True)
