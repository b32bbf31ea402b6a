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
from axiom_gym.text.positions import describe_position

_SMALL = 12
"""The most lines of a board that is printed before each decision."""


class Session:
    """One match between people at this terminal and players of other kinds.

    A board is printed when a person is to act after others did, and at the end. What happens in
    between is told in sentences. Both show a person what their seat sees.

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
        self._people = [seat for seat, one in enumerate(players) if one == HUMAN]
        self._is_second = False
        self._informed: int | None = None
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
        match, quiet = self.match, quiet and not self._people
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
        if self._people:
            self._now = self.match.get_state()
        return None if quiet else self.match.batch.buffers.states[0].copy()

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, turn: Turn, before: Any) -> None:
        """Print what a turn brought. before: the record before the turn, which is changed."""
        if turn.player is None or turn.player != self._informed:
            self._informed = None
        header = self.match.recorder.header
        if turn.why:
            self._printer.print(replay_text.describe_forfeit(header, turn))
            return
        texts, events = self._describe_turn(turn, before)
        events = [replay_text.end_sentence(text) for text in events]
        acted = replay_text.describe_sub_actions(header, turn, texts, sentences=True)
        if turn.player is None:
            self._printer.print("\n".join([acted, *(f"  {text}" for text in events)]))
            return
        width = shutil.get_terminal_size().columns
        told = textwrap.fill(" ".join([acted, *events]), width, subsequent_indent="    ")
        self._printer.print(told)

    def _describe_turn(self, turn: Turn, before: Any) -> tuple[list[str], list[str]]:
        """Return a text for each player who acted, and the events, as the people see them."""
        batch, played = self.match.batch, self.match.played[-1]
        if self._people and batch.game.describe_turn_seen is not None:
            seat = turn.player if turn.player in self._people else self._people[0]
            after = batch.buffers.states[0]
            return batch.game.describe_turn_seen(before, after, seat, played)
        texts = describe_actions(batch.game, before, turn.player, played)
        return texts, self._events.describe(before, played)

    def _show_board(self) -> None:
        """Print the whole position; at the end nothing is hidden any more."""
        self._print_board(self.match.batch.describe_state())

    def _print_board(self, board: str) -> None:
        self._printer.print(f"\n{board}\n")

    # -- decisions of people -----------------------------------------------------------------------

    def begin_decision(self, seat: int) -> None:
        """Print the board for a person who may not know it, and keep the moment for `u`."""
        self._is_second = self._is_asked(self._now)
        if not self._is_second:
            self.decisions.append(self._now)
        board = describe_position(self.match.batch, seat)
        is_small = len(board.splitlines()) <= _SMALL
        if self._informed != seat or is_small or len(self.match.batch.agents) == 1:
            self._print_board(board)
        self._informed = seat

    def show_board(self, seat: int) -> None:
        """Print the board as a player sees it."""
        self._print_board(describe_position(self.match.batch, seat))

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
        self._informed = None
        self.match.set_state(self._now)
        typer.echo(f"Back to turn {self._now.turns + 1}.")
