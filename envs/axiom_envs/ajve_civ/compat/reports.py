"""Reports of a series, as JSON with a version and as tables.

A report is this JSON:

    format, version         "axiom-gym civ report", 1
    ruleset, options        the name of the ruleset, and the options of the games
    duration, seed          steps of a game; seed of the first game, each game after it adds 1
    interrupted             true if the series ended before its last game
    games                   for each: seed, world_yield, total (sum of all scores), and players:
                            name, team, score, population, yield, dead, died_in (step from 1, or
                            null), label ("WINNER", "DEAD" or ""), values
    totals                  for each AI: name, games (each seat of a game counts), wins,
                            mean_score, deaths
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from axiom_envs.ajve_civ.compat.series_results import GameResult, PlayerResult, Total, add_up
from axiom_gym.commands.output import print_table
from axiom_gym.errors import ConfigError
from axiom_gym.files import replacing

FORMAT = "axiom-gym civ report"
VERSION = 1
MOST_TABLES = 10
"""The largest number of games that get a table each; longer series get only the totals."""

_FIELDS: dict[str, type | tuple[type, ...]] = {
    "ruleset": str,
    "options": dict,
    "duration": int,
    "seed": int,
    "interrupted": bool,
    "games": list,
    "totals": list,
}
_GAME_FIELDS: dict[str, type | tuple[type, ...]] = {
    "seed": int,
    "players": list,
    "world_yield": int,
    "total": int,
}
_PLAYER_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "team": int,
    "score": int,
    "population": int,
    "yield": int,
    "dead": bool,
    "died_in": (int, type(None)),
    "label": str,
    "values": dict,
}
_TOTAL_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "games": int,
    "wins": int,
    "mean_score": (int, float),
    "deaths": int,
}


def make_report(results: Sequence[GameResult], head: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report as data. head: ruleset, options, duration, seed and interrupted."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **head,
        "games": [_game_entry(result) for result in results],
        "totals": [_total_entry(total) for total in add_up(results)],
    }


def _game_entry(result: GameResult) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "players": [_player_entry(player) for player in result.players],
        "world_yield": result.world_yield,
        "total": result.total,
    }


def _player_entry(player: PlayerResult) -> dict[str, Any]:
    return {
        "name": player.name,
        "team": player.team,
        "score": player.score,
        "population": player.population,
        "yield": player.yield_,
        "dead": player.dead,
        "died_in": player.died_in,
        "label": player.label,
        "values": player.values,
    }


def _total_entry(total: Total) -> dict[str, Any]:
    return {
        "name": total.name,
        "games": total.games,
        "wins": total.wins,
        "mean_score": round(total.mean_score, 3),
        "deaths": total.deaths,
    }


def check_target(path: Path) -> None:
    """Check before a long series that its report can be written.

    Raises:
        ConfigError: if the path is a folder, or its folder does not exist.
    """
    if path.is_dir():
        raise ConfigError(f"cannot write report {str(path)!r}: it is a folder.")
    if not path.absolute().parent.is_dir():
        folder = str(path.absolute().parent)
        raise ConfigError(f"cannot write report {str(path)!r}: there is no folder {folder!r}.")


def write_report(report: Mapping[str, Any], path: Path) -> None:
    """Write a report; after an error an existing file is unchanged.

    Raises:
        ConfigError: if the file cannot be written.
    """
    try:
        with replacing(path.absolute()) as file:
            file.write((json.dumps(report, indent=1, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise ConfigError(f"cannot write report {str(path)!r}: {error}.") from error


def load_report(path: str | Path) -> dict[str, Any]:
    """Read a report of a series.

    Raises:
        ConfigError: if the file cannot be read, is no report, is damaged, or has another version.
    """
    try:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read report {str(path)!r}: {error}.") from error
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise ConfigError(f"{str(path)!r} is not a report; a report has the format {FORMAT!r}.")
    if report.get("version") != VERSION:
        raise ConfigError(
            f"report {str(path)!r} has version {report.get('version')!r}; this Axiom Gym reads "
            f"version {VERSION}. Play the series again."
        )
    try:
        _check_report(report)
    except ValueError as error:
        raise ConfigError(f"report {str(path)!r} is damaged: {error}.") from None
    return report


def _check_report(report: Any) -> None:
    _check_entry("the report", report, _FIELDS)
    for g, game in enumerate(report["games"]):
        _check_entry(f"game {g}", game, _GAME_FIELDS)
        for p, player in enumerate(game["players"]):
            _check_entry(f"player {p} of game {g}", player, _PLAYER_FIELDS)
    for t, total in enumerate(report["totals"]):
        _check_entry(f"total {t}", total, _TOTAL_FIELDS)


def _check_entry(what: str, entry: Any, fields: dict[str, type | tuple[type, ...]]) -> None:
    """Raise ValueError if a field is missing or of another type."""
    if not isinstance(entry, dict):
        raise ValueError(f"{what} is {entry!r}, not an object")
    for name, kind in fields.items():
        if name not in entry:
            raise ValueError(f"{what} has no {name!r}")
        value = entry[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name!r} of {what} is {value!r}")


def print_report(results: Sequence[GameResult], *, interrupted: bool) -> None:
    """Print a table for each game, or only the totals of many games."""
    if len(results) <= MOST_TABLES:
        for result in results:
            _print_game(result)
    if len(results) > 1:
        rows = [
            [total.name, total.games, total.wins, f"{total.mean_score:.1f}", total.deaths]
            for total in add_up(results)
        ]
        columns = ["AI", "games", "wins", "mean score", "deaths"]
        print_table(columns, rows, f"all {len(results)} games", numbers=True)
    if interrupted or not results:
        count = "1 game was" if len(results) == 1 else f"{len(results)} games were"
        print(f"{count} finished{'; then the series was interrupted' if interrupted else ''}.")


def _print_game(result: GameResult) -> None:
    """Print one game, the highest score first."""
    has_teams = len({player.team for player in result.players}) < len(result.players)
    ranked = sorted(enumerate(result.players, start=1), key=lambda one: -one[1].score)
    rows = [
        [
            f"{place} {player.name}",
            *([player.team] if has_teams else []),
            player.population,
            player.yield_,
            player.score,
            f"{player.label} {player.died_in}" if player.dead else player.label,
        ]
        for place, player in ranked
    ]
    team = ["team"] if has_teams else []
    columns = ["people", *team, "population", "yield", "score", ""]
    title = f"game of seed {result.seed}: the world yields {result.world_yield}"
    print_table(columns, rows, f"{title}, sum of scores {result.total}", numbers=True)
    print()
