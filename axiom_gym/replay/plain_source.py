"""A plain Python game that is played again from its replay.

`PlainSource` has the interface of `kernel_source.KernelSource`, and imports no compiler.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.game.canonical import canonical
from axiom_gym.game.facts import Game
from axiom_gym.replay.course import Course
from axiom_gym.replay.format import Replay, Turn


class PlainSource:
    """A match of a plain Python game.

    Attributes:
        title: the name of the game.
        course: the match so far.
        header: the header of the new recording.
        finish: the match's method, which returns the new recording.
    """

    def __init__(self, replay: Replay, game: Game[Any, Any]) -> None:
        """Make the first state."""
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
        self.header, self.finish = self.course.header, self.course.finish

    @property
    def ended(self) -> bool:
        """True if the match is over, or if an environment truncated the recorded one here."""
        is_last = len(self.course.lines) == self._footer.turns
        is_cut = is_last and self._footer.ended == "truncated"
        return is_cut or self.course.reason is not None

    def play(self, turn: Turn) -> Turn | str:
        """Play a line; return the line recorded now, or the reason why it cannot be played.

        Raises:
            ReplayError: if several actions have the same JSON.
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
        course.take(mover, action[0], "fallback" if turn.fallback else "agent", len(actions))
        return course.lines[-1]

    def show_field(self, name: str) -> Any:
        """Return the value of a field of the current state, as plain Python values."""
        return canonical(self.course.state).get(name, "not there")

    # -- text --------------------------------------------------------------------------------------

    def describe_state(self) -> str:
        """Return the current state as text; empty if the game has no `describe_state`."""
        describe = getattr(self.course.game, "describe_state", None)
        return "" if describe is None else str(describe(self.course.state))

    def describe_fault(self) -> None:
        """Return None: plain rules raise an exception instead of reporting a fault."""

    def keep(self) -> Any:
        """Return the current state and the eliminated players, to describe the next line with."""
        return self.course.state, self.course.out

    def describe_sub_actions(self, turn: Turn, before: Any) -> list[str]:
        """Return a text for the player who acted. before: the result of `keep`."""
        return [self.course.game.describe_action(self.course.action, before[0])]

    def describe_events(self, turn: Turn, before: Any) -> list[str]:
        """Return a text for each player eliminated since `before`."""
        return [f"{one} is eliminated" for one in self.course.out if one not in before[1]]
