"""The group of all commands. It loads plugins on demand and prints our errors in one line.

A package adds a command with an entry point of the group `axiom_gym.commands`: the name of the
command, and the function that Typer turns into it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

import typer
import typer.core
import typer.main
from rich.markup import escape

from axiom_gym.commands.options import note_renamed
from axiom_gym.errors import AxiomError, ConfigError

PLUGINS = "axiom_gym.commands"
MARKUP: Literal["rich"] | None = "rich" if sys.stdout.isatty() else None
"""The markup mode of help and usage errors: frames and colours on a terminal, else plain text."""


class Command(typer.core.TyperCommand):
    """A command with `examples`, which also takes old spellings of options (`renamed_options`)."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples: tuple[str, ...] = getattr(self.callback, "examples", ())
        if self.examples:  # rich makes a line of each paragraph
            self.epilog = "\n\n".join(["Examples:", *self.examples])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write a line for each example; without rich, click would wrap them as one paragraph."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        renamed: dict[str, str] = getattr(self.callback, "old_spellings", {})
        return super().parse_args(ctx, [_respell(word, renamed) for word in args])


def _respell(word: str, renamed: dict[str, str]) -> str:
    """Return a word of the command line with the new spelling of an option; print a note."""
    option, equals, value = word.partition("=")
    if option not in renamed:
        return word
    note_renamed(option, renamed[option])
    return f"{renamed[option]}{equals}{value}"


class CommandGroup(typer.core.TyperGroup):
    """The built-in commands, followed by those of plugins."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = super().list_commands(ctx)
        return [*own, *(name for name in sorted(_plugins()) if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in _plugins():
            return own
        return load_plugin(_plugins()[cmd_name])

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an `AxiomError` becomes one line on stderr and exit status 2."""
        try:
            return super().invoke(ctx)
        except AxiomError as error:
            print_error(error)
            raise typer.Exit(2) from None


@cache
def _plugins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=PLUGINS)}


def load_plugin(entry: EntryPoint) -> Any:
    """Return a plugin's command, or a substitute that reports why it cannot be loaded."""
    try:
        function = entry.load()
    except Exception as error:  # a broken plugin must not break the other commands
        function = _make_substitute(entry, error)
    app = typer.Typer(add_completion=False, rich_markup_mode=MARKUP, pretty_exceptions_enable=False)
    settings = {"allow_extra_args": True, "ignore_unknown_options": True}
    is_substitute = getattr(function, "is_substitute", False)
    context = settings if is_substitute else None
    app.command(entry.name, cls=Command, context_settings=context)(function)
    return typer.main.get_command(app)


def _make_substitute(entry: EntryPoint, error: Exception) -> Any:
    own = re.split("[.:]", entry.value)[0]
    missing = error.name or "" if isinstance(error, ModuleNotFoundError) else own
    if missing.partition(".")[0] != own:
        package = entry.dist.name if entry.dist else own
        remedy = f"pip install '{package}[train]'"
        message = f"'{entry.name}' needs packages that are not installed: {remedy} ({error})."
        summary = f"Not installed: {remedy}"
    else:
        message = f"{entry.name!r} cannot be loaded: {type(error).__name__}: {error}"
        summary = "Cannot be loaded."

    def substitute(ctx: typer.Context) -> None:
        raise ConfigError(message)

    substitute.__doc__ = escape(summary) if MARKUP else summary
    substitute.is_substitute = True  # type: ignore[attr-defined]
    return substitute


def print_error(error: AxiomError) -> None:
    """Print `error: ...` on stderr, in red on a terminal."""
    typer.secho(f"error: {error}", fg=typer.colors.RED, err=True)
