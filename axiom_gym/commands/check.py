"""`axiom-gym check`: the conformance checks of one game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from axiom_gym.commands.options import Games, Json, Seed, examples
from axiom_gym.commands.output import print_json, show_progress

if TYPE_CHECKING:
    from axiom_gym.check.conformance import Finding

_ELSEWHERE = """
import sys
from axiom_gym.check.conformance import play_replays
from axiom_gym.check.loading import load_maker

target, first, games, players = sys.argv[1:]
seeds = range(int(first), int(first) + int(games))
sys.stdout.write(play_replays(load_maker(target), seeds, int(players) or None))
"""
_GAMES_ELSEWHERE = 3


@examples("axiom-gym check connect_four", "axiom-gym check my_game.py:MyGame --players 3 --games 5")
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A class, a function that returns a game, or a game itself, as FILE.py:NAME or "
            "MODULE:NAME; or the name of an installed game.",
        ),
    ],
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            help="Number of players; by default the fewest that can play.",
        ),
    ] = None,
    games: Games = 20,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Check that a game follows its interface.

    The interface is `axiom_gym.game.Game`, or the kernel contract. The command plays
    games between random players and checks every state and every array. Exit status: 0 if all
    checks pass, 1 if a check fails, 2 if the game cannot be found.
    """
    from axiom_gym.check.conformance import Finding, check_game, judge_replays, play_replays
    from axiom_gym.check.loading import load_maker

    make = load_maker(target)
    with show_progress(games) as on_game:
        findings = check_game(make, games=games, seed=seed, players=players, on_game=on_game)
    if len(findings) > 1 and not any(one.check == "plays" and not one.ok for one in findings):
        few = min(games, _GAMES_ELSEWHERE)
        own = play_replays(make, range(seed, seed + few), players)
        findings.append(judge_replays(own, _play_elsewhere(target, seed, few, players)))
    if as_json:
        print_json([{name: getattr(one, name) for name in Finding.__slots__} for one in findings])
    else:
        _report(findings)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _play_elsewhere(target: str, seed: int, games: int, players: int | None) -> str:
    """Return the replays of the same games, played in a process with another order of sets.

    If the process fails, return its error output.
    """
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    arguments = [target, str(seed), str(games), str(players or 0)]
    process = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, *arguments],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return process.stdout if process.returncode == 0 else process.stderr


def _report(findings: Sequence[Finding]) -> None:
    """Print a line for each check, and a remedy below each one that failed."""
    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        word, colour = ("ok  ", typer.colors.GREEN) if finding.ok else ("FAIL", typer.colors.RED)
        typer.echo(f"{typer.style(word, fg=colour)}  {finding.check:{width}}  {finding.message}.")
        if not finding.ok:
            typer.echo(f"{'':{width + 8}}To do: {finding.remedy}.")
    failed = sum(not finding.ok for finding in findings)
    typer.echo(f"{failed} of {len(findings)} checks failed." if failed else "All checks passed.")
