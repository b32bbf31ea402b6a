"""Positions of a plain Python game's replay that is played again: the course of a match.

It has what `axiom_gym.replay.kernel_source` has, and imports no compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from axiom_gym.game.canonical import canonical
from axiom_gym.game.facts import Game
from axiom_gym.replay.course import Course
from axiom_gym.replay.format import Header, Replay, Turn


class _Before(NamedTuple):
    state: Any
    out: Sequence[str]


class PlainSource:
    """A match of a plain Python game.

    Attributes:
        title: the game's name.
        header: the replay's, as it comes out now.
        course: the match so far.
    """

    def __init__(self, replay: Replay, game: Game[Any, Any]) -> None:
        """Set up the first state."""
        header, self._footer = replay.header, replay.footer
        self.title = header.game
        self.course = Course(
            game,
            header.players,
            header.options,
            seed=header.seed,
            game_id=header.match_id,
            max_turns=header.max_turns,
        )
        self.header: Header = self.course.header

    @property
    def ended(self) -> bool:
        """Whether the match is over: by itself, or by a limit of an environment."""
        is_last = len(self.course.lines) == self._footer.turns
        is_cut = is_last and self._footer.ended == "truncated"
        return is_cut or self.course.reason is not None

    def play(self, turn: Turn) -> Turn | str:
        """Play a line; return it as it comes out now, or why it cannot be played.

        Raises:
            ReplayError: if the game cannot tell its actions apart.
        """
        course = self.course
        mover, actions = course.get_mover()
        player = self.header.players[turn.player or 0].id
        if player != mover:
            return f"it is {mover}'s turn, and not {player}'s."
        if turn.why:
            course.forfeit(mover, turn.why)
            return course.lines[-1]
        action = course.find(actions, turn.orders[0])
        if action is None:
            return f"{turn.orders[0]} is none of the {len(actions)} valid actions of {mover}."
        by = "fallback" if turn.fallback else "agent"
        course.take(mover, action[0], by, len(actions))
        return course.lines[-1]

    def finish(self) -> Replay:
        """Return the replay as it comes out now; the match is over."""
        return self.course.finish()

    def show_field(self, name: str) -> Any:
        """Return the value of a field of the present state, as plain values."""
        form = canonical(self.course.state)
        return form.get(name, "not there")

    # -- for people --------------------------------------------------------------------------------

    def describe_state(self) -> str:
        """Return the present state as text; nothing if the game has no `describe_state`."""
        describe = getattr(self.course.game, "describe_state", None)
        return "" if describe is None else str(describe(self.course.state))

    def describe_fault(self) -> str | None:
        """Return None: the rules raise where something is wrong."""
        return None

    def keep(self) -> Any:
        """Return the present position, to describe the next line with."""
        return _Before(self.course.state, self.course.out)

    def describe_sub_actions(self, turn: Turn, before: Any) -> list[str]:
        """Return a text for the player who acted. before: what `keep` gave."""
        return [self.course.game.describe_action(self.course.action, before.state)]

    def describe_events(self, turn: Turn, before: Any) -> list[str]:
        """Return which players are out since then."""
        return [f"{one} is out" for one in self.course.out if one not in before.out]
