"""A config's game on the terminal: prints the state, reads commands, prints the events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from axiom_gym.commands.group import print_error
from axiom_gym.commands.output import print_table
from axiom_gym.config.definitions import ENGINE_KEYS, Action
from axiom_gym.config.engine import Engine
from axiom_gym.config.saves import save
from axiom_gym.errors import AxiomError, EngineError

HELP = """\
Type the number or id of an action to take it; press Enter or type t to advance one tick.
u: undo, s FILE: save, q: quit, ?: this text."""


class TerminalGame:
    """A session in which a person plays an engine's game."""

    def __init__(
        self, engine: Engine, path: Path | None = None, ask: Callable[[str], str] = input
    ) -> None:
        """Prepare a session.

        Args:
            engine: the game.
            path: the file to save the game to when the person stops; None to not save it.
            ask: a function that takes a prompt and returns a line.
        """
        self._engine = engine
        self._path = path
        self._ask = ask

    def play(self) -> None:
        """Play until the person stops.

        Raises:
            StateError: if the game cannot be saved.
        """
        typer.echo(HELP)
        self._show()
        try:
            while self._do(self._ask("> ").strip()):
                pass
        except (EOFError, KeyboardInterrupt):
            typer.echo()
        if self._path is not None:
            self._save(self._path)

    def _do(self, line: str) -> bool:
        """Execute a typed line; return False to quit."""
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "q":
                    return False
                case "?":
                    typer.echo(HELP)
                case "s" if rest.strip() or self._path is not None:
                    self._save(Path(rest.strip()) if rest.strip() else self._path or Path())
                case "s":
                    typer.echo("A file name is missing: s FILE.")
                case _:
                    self._change(line)
        except AxiomError as error:
            print_error(error)
        return True

    def _change(self, line: str) -> None:
        """Tick, undo or take an action, and print the new events and the new state."""
        before = len(self._engine.get_state()["history"])
        if line in ("", "t"):
            state = self._engine.tick()
        elif line == "u":
            state = self._engine.undo()
        else:
            action = self._find(line)
            context = self._choose_context(action)
            if context is False:
                return
            state = self._engine.apply_action(action.id, context)
        for entry in state["history"][before:]:
            typer.echo(f"* {entry.text or entry.event_id}")
        self._show()

    def _save(self, path: Path) -> None:
        save(self._engine, path)
        typer.echo(f"Saved as {path}.")

    def _find(self, line: str) -> Action:
        """Return the action with the id or number that a line gives."""
        actions = self._engine.config.actions
        for action in actions:
            if line == action.id:
                return action
        if line.isdecimal() and 0 < int(line) <= len(actions):
            return actions[int(line) - 1]
        raise EngineError(f"Action not found: {line}. Type ? for help.")

    def _open_contexts(self, action: Action) -> list[Any]:
        """Return the contexts with which an action is available; [None] if it takes none."""
        contexts = action.contexts or (None,)
        return [one for one in contexts if self._engine.is_available(action.id, one)]

    def _choose_context(self, action: Action) -> Any:
        """Return a context, or False if the person chooses none of them."""
        contexts = self._open_contexts(action)
        if not contexts:  # the engine will raise, with the reason
            return action.contexts[0] if action.contexts else None
        if len(contexts) == 1:
            return contexts[0]
        print_table(["", ""], [[i, _describe(c)] for i, c in enumerate(contexts, start=1)])
        answer = self._ask(f"{action.id}, number: ").strip()
        if answer.isdecimal() and 0 < int(answer) <= len(contexts):
            return contexts[int(answer) - 1]
        typer.echo(f"Not taken: {answer!r} is not a number from 1 to {len(contexts)}.")
        return False

    def _show(self) -> None:
        state = self._engine.get_state()
        typer.echo(f"\nTick {state['tick']}")
        print_table(["", "", ""], self._rows(state))
        actions: list[Sequence[object]] = []
        for number, action in enumerate(self._engine.config.actions, start=1):
            try:
                if self._open_contexts(action):
                    actions.append([number, action.id, action.label])
            except EngineError as error:
                actions.append([number, action.id, f"error: {error}"])
        if actions:
            typer.echo()
            print_table(["", "", ""], actions)

    def _rows(self, state: Mapping[str, Any]) -> list[list[object]]:
        """Return a row for each field (name, value, bounds or options), then for each cooldown."""
        config, rows = self._engine.config, []
        for name, value in state.items():
            allowed = ""
            if name in config.attributes:
                attribute = config.attributes[name]
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


def _describe(context: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in context.items())
