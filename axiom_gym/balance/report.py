"""A balance report as numbers: every setting, and in each setting every table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from axiom_gym.balance.collect import play_table
from axiom_gym.balance.findings import list_findings
from axiom_gym.balance.measures import describe_table
from axiom_gym.balance.settings import Setting
from axiom_gym.balance.tables import Table
from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import check_range
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.games import make_config

FORMAT = 1
"""The version of the form of a report's JSON file."""

MOST_GAMES = 1_000_000
"""The most games at each table, which bounds the memory."""

DIGITS = 6
"""The significant digits of the numbers in a report."""

Report = dict[str, Any]


def balance(
    game: KernelGame,
    settings: Sequence[tuple[Setting, Sequence[Table]]],
    games: int = 10_000,
    *,
    seed: int = 0,
    preset: str | None = None,
    max_turns: int = 0,
    on_progress: Callable[[int], None] = lambda finished: None,
) -> Report:
    """Play the games of a report, and return its numbers as JSON values.

    Args:
        game: the game.
        settings: the settings, each with its tables.
        games: the number of games of each table.
        seed: the seed of the first game of each table; each later game adds 1.
        preset: a named configuration of the game.
        max_turns: the turns after which a game is truncated; 0 for the rules' limits only.
        on_progress: a callable that gets the number of finished games whenever it rises.

    Raises:
        ConfigError: for a value that is not allowed.
        UnknownOpponentError: for a player that does not exist.
    """
    check_range("games", games, 1, MOST_GAMES)
    check_range("seed", seed, 0, MAX_SEED)
    limits = {"preset": preset, "max_turns": max_turns}
    described, played = [], 0
    for setting, tables in settings:
        found = []
        for table in tables:
            tell = partial(_tell_progress, on_progress, played)
            series = play_table(game, table, games, seed, tell, **limits, **setting.options)
            found.append(describe_table(series))
            played += games
        config = make_config(game, preset, setting.options)
        described.append(
            {
                "label": setting.label,
                "swept": setting.swept,
                "options": asdict(config),
                "players": len(game.agents(config)),
                "findings": list_findings(found),
                "tables": found,
            }
        )
    report: Report = {
        "format": FORMAT,
        "game": f"{game.info.name}-v{game.info.version}",
        "title": game.info.title,
        "turn": "decision" if game.is_sequential else "turn",
        "games": games,
        "seed": seed,
        **limits,
        "settings": described,
    }
    return {key: round_numbers(value) for key, value in report.items()}


def _tell_progress(on_progress: Callable[[int], None], played: int, finished: int) -> None:
    on_progress(played + finished)


def round_numbers(value: Any) -> Any:
    """Return a JSON value whose floats have `DIGITS` significant digits; None if not finite."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): round_numbers(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [round_numbers(entry) for entry in value]
    return value if isinstance(value, int | str | None) else str(value)
