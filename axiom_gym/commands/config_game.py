"""A config's game on the terminal: the game that is trained, with the prompt of `play`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from axiom_gym.commands.choices import (
    Choice,
    count_choices,
    find_choice,
    print_choices,
    without_collisions,
)
from axiom_gym.commands.group import print_error
from axiom_gym.commands.human import HELP, answer_line
from axiom_gym.commands.output import print_table
from axiom_gym.config.definitions import ENGINE_KEYS, WAIT
from axiom_gym.config.derived import all_attributes
from axiom_gym.config.ending import LOST, WON
from axiom_gym.config.engine import Engine
from axiom_gym.config.episode import Episode, Moment
from axiom_gym.config.saves import load_progress, save
from axiom_gym.config.task import Task
from axiom_gym.errors import AxiomError, CallableError

_HINT = "Type a move, or press Enter to wait; m lists all, u takes back, q stops, ? explains."


class TerminalGame:
    """A session in which a person plays an engine's game."""

    def __init__(
        self,
        engine: Engine,
        path: Path | None = None,
        ask: Callable[[str], str] = input,
        task: Task | None = None,
        loaded: Path | None = None,
    ) -> None:
        """Prepare a session.

        Args:
            engine: the game.
            path: the file to save the game to when the person stops; None to not save it.
            ask: a function that takes a prompt and returns a line.
            task: the task, which sets the rewards, the actions per tick and the limit; None for a
                game in which only waiting starts a tick, and only the config sets the end.
            loaded: the file from which the engine was loaded.
        """
        progress = (0, 0.0) if loaded is None else load_progress(loaded)
        self._episode = Episode(engine, task, *progress)
        self._task, self._path = task, path
        self._ask = ask
        self._moments: list[Moment] = []
        choices = [
            Choice(number, move.name.lower(), move.action.label)
            for number, move in enumerate(self._episode.moves)
        ]
        self._choices = without_collisions([*choices, Choice(len(choices), WAIT, "")])

    def play(self) -> None:
        """Play until the game ends or the person stops.

        Raises:
            StateError: if the game cannot be saved.
        """
        typer.echo(_HINT)
        self._show()
        try:
            while not self._episode.over and self._do(self._ask(self._prompt()).strip()):
                pass
        except (EOFError, KeyboardInterrupt):
            typer.echo()
        if self._episode.over:
            typer.echo(self._describe_end())
        if self._path is not None:
            self._save(self._path)

    def _describe_end(self) -> str:
        """Return a sentence about the end, with the score if there is one."""
        episode, outcome = self._episode, self._episode.engine.outcome
        end = "The limit ends the game" if episode.over == "truncated" else "The game ends"
        end = {WON: "You win", LOST: "You lose"}.get(outcome, end)
        score = f" with a score of {episode.score:g}" if episode.has_score else ""
        return f"{end} after {episode.steps} turns{score}."

    def _legal(self) -> list[Choice]:
        return [choice for choice in self._choices if self._episode.is_legal(choice.action)]

    def _prompt(self) -> str:
        return f"tick {self._episode.engine.get_state()['tick']}, {count_choices(self._legal())}: "

    def _do(self, line: str) -> bool:
        """Execute a typed line; return False to quit."""
        word, _, rest = line.partition(" ")
        try:
            match line.lower():
                case "q":
                    return False
                case "?":
                    typer.echo(f"{HELP}\n  Enter  wait\n  s FILE  save to a file")
                case "m":
                    print_choices(self._legal())
                case "v":
                    self._show()
                case "u":
                    self._take_back()
                case _ if (number := self._find(line)) is not None:
                    self._step(number)
                case _ if word == "s" and (rest or self._path is not None):
                    self._save(Path(rest) if rest else self._path or Path())
                case _:
                    answer_line(line, self._legal())
        except AxiomError as error:
            print_error(error)
        return True

    def _find(self, line: str) -> int | None:
        """Return the action that a line names, legal or not."""
        if line in ("", "t"):
            line = WAIT
        found = find_choice(line, self._legal())
        return found if found is not None else find_choice(line, self._choices)

    def _step(self, number: int) -> None:
        """Take an action, and print the new events and the new state."""
        before = self._episode.get_moment()
        for entry in self._episode.step(number):
            typer.echo(f"* {entry.text or entry.event_id}")
        self._moments.append(before)
        self._show()

    def _take_back(self) -> None:
        if not self._moments:
            typer.echo("There is no earlier decision to take back.")
            return
        self._episode.restore(self._moments.pop())
        self._show()

    def _save(self, path: Path) -> None:
        moment = self._episode.get_moment()
        save(self._episode.engine, path, (moment.moved, moment.total))
        typer.echo(f"Saved as {path}.")

    def _show(self) -> None:
        state = self._episode.engine.get_state()
        typer.echo(f"\nTick {state['tick']}{self._describe_score()}")
        print_table(["", "", ""], self._rows(state))
        for action, error in self._episode.list_failing():
            typer.echo(f"{action.id}: error: {error}")
        typer.echo()

    def _describe_score(self) -> str:
        """Return the reward of the last step and the score so far, as far as there are any."""
        episode, parts = self._episode, [""]
        if self._task is not None and episode.steps:
            parts.append(f"reward {episode.reward:+g}")
        if episode.has_score:
            try:
                parts.append(f"score {episode.score:g}")
            except CallableError as error:
                parts.append(f"score: error: {error}")
        return ", ".join(parts)

    def _rows(self, state: Mapping[str, Any]) -> list[list[object]]:
        """Return a row for each field (name, value, bounds or options), then for each cooldown."""
        config, rows = self._episode.engine.config, []
        attributes = all_attributes(config)
        for name, value in state.items():
            allowed = ""
            if name in attributes:
                attribute = attributes[name]
                allowed = f"{attribute.min:g} to {attribute.max:g}"
            elif name in config.choices:
                allowed = ", ".join(map(str, config.choices[name].options))
            if name not in ENGINE_KEYS:
                shown = f"{value:.6g}" if isinstance(value, float) else value
                rows.append([name, shown, allowed])
        waiting = {id: end - state["tick"] for id, end in state["cooldowns"].items()}
        for id, ticks in waiting.items():
            rows.append([id, "cooldown", f"{ticks} tick{'s' if ticks != 1 else ''}"])
        return rows
