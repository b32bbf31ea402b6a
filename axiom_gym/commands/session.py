"""A match on the terminal: narration of the turns, boards for people, and taking back."""

from __future__ import annotations

import shutil
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from axiom_gym.batch.faults import describe_fault
from axiom_gym.commands.colours import ColourPrinter
from axiom_gym.commands.human import Human, TakeBack
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.names import HUMAN
from axiom_gym.play.match import Match, MatchPlayer, MatchState
from axiom_gym.play.saved_game import SavedGame, save_game
from axiom_gym.replay import text as replay_text
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.kernel_source import describe_actions
from axiom_gym.replay.turn_events import TurnEvents


class Session:
    """One match between people at this terminal and players of other kinds.

    A board is printed when a person is to act, and at the end. What happens in between is told in
    sentences.

    Attributes:
        match: the match.
        decisions: the moments before the turns in which people decided, the current one last.
    """

    def __init__(
        self,
        game: KernelGame,
        players: Sequence[str],
        /,
        *,
        ask: Callable[[str], str] = input,
        **settings: Any,
    ) -> None:
        """Set up the match.

        Args:
            game: the game.
            players: a player for each seat: "human", a bot, or the file of a saved model.
            ask: a function that takes a prompt and returns a line.
            **settings: the other arguments of `Match`.

        Raises:
            AxiomError: as `Match`.
        """
        person = MatchPlayer(HUMAN, Human(game, ask, self).decide)
        self.match = Match(game, [person if one == HUMAN else one for one in players], **settings)
        self.decisions: list[MatchState] = []
        self._has_people = HUMAN in players
        self._is_second = False
        self._now = self.match.get_state()
        self._printer = ColourPrinter(game, self.match.batch.agents)
        self._events = TurnEvents(game, self.match.batch.config, compiled=False)

    def play(self, quiet: bool = False, delay: float = 0.0) -> Replay:
        """Play to the end, print what happens, and return the replay.

        Args:
            quiet: if True, print only the players and the result; no effect if a person plays.
            delay: seconds to wait after each turn, which is then followed by a board.

        Raises:
            Quit: if a person stops.
        """
        match, quiet = self.match, quiet and not self._has_people
        header = match.recorder.header
        self._printer.print(replay_text.describe_header(header, match.batch.game.info.title))
        while not match.recorder.ended:
            try:
                self._play_on(quiet, delay)
            except TakeBack:
                self._take_back()
        replay = match.recorder.finish()
        if not quiet:
            self._show_board()
        self._printer.print(replay_text.describe_footer(replay.footer, describe_fault(match.batch)))
        return replay

    def resume(self, saved: SavedGame) -> None:
        """Continue a saved game of the same match.

        Raises:
            StateError: if the game does not play out as it was saved.
        """
        saved.continue_match(self.match)
        self.decisions = saved.moments[:-1]
        self._now = saved.moments[-1]

    def save(self, path: Path, saved: SavedGame) -> None:
        """Write the current turn's beginning to a file. saved: the game, players and settings.

        Raises:
            StateError: if the file cannot be written.
        """
        played = self.match.played[: self._now.turns]
        earlier = [moment for moment in self.decisions if moment.turns < self._now.turns]
        moments = [*earlier, self._now]
        save_game(path, replace(saved, turns=played, moments=moments))

    @property
    def num_turns(self) -> int:
        """The number of turns before the current one."""
        return self._now.turns

    def _play_on(self, quiet: bool, delay: float) -> None:
        before = self._keep(quiet)
        for turn in self.match:
            if not quiet:
                self._tell(turn, before)
            before = self._keep(quiet)
            if delay and not quiet:
                self._show_board()
                time.sleep(delay)

    def _keep(self, quiet: bool) -> Any:
        """Keep the moment before a turn, and return a copy of the record."""
        if self._has_people:
            self._now = self.match.get_state()
        return None if quiet else self.match.batch.buffers.states[0].copy()

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, turn: Turn, before: Any) -> None:
        """Print what a turn brought. before: the record before the turn, which is changed."""
        header = self.match.recorder.header
        if turn.why:
            self._printer.print(replay_text.describe_forfeit(header, turn))
            return
        game, played = self.match.batch.game, self.match.played[-1]
        texts = describe_actions(game, before, turn.player, played)
        acted = replay_text.describe_sub_actions(header, turn, texts, sentences=True)
        events = self._events.describe(before, played)
        if turn.player is None:
            self._printer.print("\n".join([acted, *(f"  {text}" for text in events)]))
            return
        width = shutil.get_terminal_size().columns
        told = textwrap.fill(" ".join([acted, *events]), width, subsequent_indent="    ")
        self._printer.print(told)

    def _show_board(self) -> None:
        self._printer.print(f"\n{self.match.batch.describe_state()}\n")

    # -- decisions of people -----------------------------------------------------------------------

    def begin_decision(self, seat: int) -> None:
        """Print the board for a person, and keep the moment for `u`."""
        self._is_second = self._is_asked(self._now)
        if not self._is_second:
            self.decisions.append(self._now)
        self._show_board()

    def _is_asked(self, moment: MatchState) -> bool:
        """Return True if a person was already asked in the turn that begins at a moment."""
        return bool(self.decisions) and self.decisions[-1].turns == moment.turns

    def can_take_back(self) -> bool:
        """Return True if a person has decided before the current decision."""
        return self._is_second or len(self.decisions) > 1

    def _take_back(self) -> None:
        """Return to the last decision: in this turn, of another person, or in an earlier turn."""
        if not self._is_second:
            self.decisions.pop()
        self._now = self.decisions.pop()
        self.match.set_state(self._now)
        typer.echo(f"Back to turn {self._now.turns + 1}.")
