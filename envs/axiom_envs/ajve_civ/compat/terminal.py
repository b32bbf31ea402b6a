"""The screen of a person: the world as a table, and a prompt for a value by name or number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiom_envs.ajve_civ.compat.worlds import Society, World
from axiom_envs.ajve_civ.constants import VALUES

MEANINGS = {
    "discover": "your yield + devotion",
    "conquer": "rob the people you like least of devotion; all resent it",
    "expand": "your population + devotion",
    "exchange": "your yield + devotion; your best friend gains too",
    "consent": "the world's yield + devotion; all like you more",
    "develop": "your yield + 2 devotion, the world's - devotion",
}
HELP = """\
Type a value's name, its first letters, or its number. ?: this text, q: quit.
Your score is yield + population. A population above its own yield plus the
world's starves down to their sum; a people with a population below 0 dies.
The value that you choose rises by 1; the result is your devotion to it. At an
inflection it rises by 2, and the other values of the offer fall by 1.
Conquer robs the people that you like least; it then likes you 5 less, and all
others like you 1 less. Exchange is with the people that you like most. After
Consent all like you more by your devotion, after Develop 1 less."""


class Quit(KeyboardInterrupt):
    """An interruption of the series: the person quits, or the input ends."""


def find_choice(line: str, choices: Sequence[str]) -> str | None:
    """Return the choice that a line names, or None.

    The line is a number from 1, a name, or a unique beginning of a name, in any letter case.
    """
    typed = line.strip().lower()
    if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1]
    found = [choice for choice in choices if typed and choice.startswith(typed)]
    return found[0] if len(found) == 1 else None


class Screen:
    """The display and prompt of a person."""

    def __init__(self, to_stderr: bool) -> None:
        """Write to standard error if `to_stderr`, else to standard output."""
        self._console = Console(stderr=to_stderr, highlight=False)

    def show_world(self, player: int, world: World, before: Sequence[int]) -> None:
        """Show all peoples, with the changes of their scores since `before`, (P,) or empty."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0)
        table.add_column("")
        shown = [value[:4] for value in VALUES]
        for name in (*shown, "pop", "yield", "score", "+-", "likes\nyou", "you\nlike"):
            table.add_column(name, justify="right", no_wrap=True)
        for society in world.societies:
            change = society.score - before[society.index] if before else 0
            news = "dead" if society.dead else f"{change:+}" if change else ""
            style = "bold" if society.index == player else "dim" if society.dead else ""
            feelings = _feelings(player, society.index, world)
            table.add_row(*_cells_of(society), news, *feelings, style=style)
        kind = "inflection" if world.is_inflection else "turn"
        head = f"\nstep {world.turn + 1} of {world.config.duration}, {kind}; "
        self._print(f"{head}the world yields {world.yield_}")
        self._console.print(table)

    def ask(
        self, choices: Sequence[str], player: int, world: World, ask: Callable[[str], str]
    ) -> str:
        """Ask until the person makes a choice, and return it.

        Raises:
            Quit: if the person quits, or the input ends.
        """
        self._show_choices(choices, player, world)
        while True:
            self._console.print(f"people {player + 1}> ", end="")
            try:
                line = ask("")
            except EOFError:
                raise Quit from None
            chosen = find_choice(line, choices)
            if chosen is not None:
                return chosen
            if line.strip().lower() in ("q", "quit"):
                raise Quit
            self._answer(line.strip(), choices, player, world)

    def _answer(self, line: str, choices: Sequence[str], player: int, world: World) -> None:
        """Respond to a line that is not a choice."""
        if line == "?":
            self._print(HELP)
            self._show_choices(choices, player, world)
        elif line:
            listed = ", ".join(choices)
            self._print(f"{line!r} is none of {listed}; ? explains, q quits.")

    def _print(self, text: str) -> None:
        """Print text without markup; the terminal breaks long lines."""
        self._console.print(Text(text), soft_wrap=True)

    def _show_choices(self, choices: Sequence[str], player: int, world: World) -> None:
        values = world.societies[player].values
        for number, choice in enumerate(choices, start=1):
            if world.is_inflection:
                what = f"{values[choice]} -> {values[choice] + 2}"
            else:
                what = f"devotion {values[choice] + 1}: {MEANINGS[choice]}"
            self._print(f"  {number} {choice:8}  {what}")


def _cells_of(society: Society) -> list[str]:
    nation = society.population, society.yield_, society.score
    return [str(number) for number in (society.index + 1, *society.values.values(), *nation)]


def _feelings(player: int, other: int, world: World) -> tuple[str, str]:
    """Return another people's feeling about the player's people, and the reverse."""
    if player == other:
        return "", ""
    return str(int(world.feelings[other, player])), str(int(world.feelings[player, other]))
