"""Reads replays of object-level games and trusts nothing: each entry is checked by itself.

Whether the match plays out as recorded, only its game can tell: see `ReplayPlayer`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ReplayError
from axiom_gym.game.canonical import StateHash
from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.replay.entries import LARGEST, Entries, read_bytes, read_line, split_lines
from axiom_gym.replay.format import hash_options
from axiom_gym.replay.match_format import (
    FORMAT,
    FORMAT_VERSION,
    MatchFooter,
    MatchHeader,
    MatchReplay,
    Step,
)

_MOST_PLAYERS = 1000


def load(path: str | Path) -> MatchReplay:
    """Reads a replay.

    Raises:
        ReplayError: if it cannot be read, is damaged or cut off, or of another format; the message
            names the file and, where there is one, the line.
    """
    return parse(read_bytes(path), str(path))


def parse(data: bytes, name: str = "<bytes>") -> MatchReplay:
    """The replay that a file's bytes hold; `name` is what errors call it.

    Raises:
        ReplayError: as `load`.
    """
    rows = split_lines(data, name)
    header = _read_header(read_line(name, 1, rows[0]))
    names = header.hash.names
    steps: list[Step] = []
    for number, row in enumerate(rows[1:], start=2):
        line = read_line(name, number, row)
        if line.take("type", str) == "footer":
            if number < len(rows):
                line.fail("nothing may follow the footer")
            footer = _read_footer(line, header, len(steps))
            return MatchReplay(header=header, steps=tuple(steps), footer=footer)
        steps.append(_read_step(line, header, len(steps) + 1, names))
        names = steps[-1].hash.names
    raise ReplayError(
        f"replay {name!r} has no footer after {len(steps)} actions: it was cut off, or the match "
        "was not played to its end."
    )


def _read_header(line: Entries) -> MatchHeader:
    if line.take("type", str) != "header" or line.take("format", str) != FORMAT:
        line.fail(
            "this is no replay of an object-level game; the first line must say "
            f'"type":"header","format":"{FORMAT}", and one of a kernel game is read by '
            "axiom_gym.replay.load"
        )
    made_with = line.take("made_with", str)
    version = line.whole("format_version")
    if version != FORMAT_VERSION:
        line.fail(
            f"format version {version} is unknown, this is version {FORMAT_VERSION}; the file was "
            f"made with {made_with}, and that or a later version reads it"
        )
    return MatchHeader(
        game=line.take("game", str),
        version=line.whole("version"),
        options=_read_options(line),
        game_id=line.take("game_id", str),
        max_turns=line.whole("max_turns"),
        seed=line.whole("seed", high=MAX_SEED),
        players=_read_players(line),
        hash=_read_hash(line, ()),
        made_with=made_with,
    )


def _read_options(line: Entries) -> dict[str, Any]:
    options: dict[str, Any] = line.take("options", dict)
    expected, found = line.hexadecimal("options_hash", 16), hash_options(options)
    if expected != found:
        line.fail(f"'options' were changed: their hash is {found}, but {expected} was recorded")
    return options


def _read_players(line: Entries) -> tuple[Player, ...]:
    count = len(line.take("players", list))
    players = tuple(
        Player(player.take("id", str), player.take("name", str))
        for player in line.objects("players", count)
    )
    if not 0 < len({player.id for player in players}) == count <= _MOST_PLAYERS:
        line.fail(f"'players' must be 1 to {_MOST_PLAYERS} with ids of their own, got {count}")
    return players


def _read_hash(line: Entries, before: tuple[str, ...]) -> StateHash:
    """A state's hashes; `before` are its fields' names unless the line has others."""
    names = line.take("fields", list) if line.has("fields") else list(before)
    if not all(isinstance(name, str) for name in names):
        line.fail(f"'fields' must be names, got {names!r}")
    fields = line.hexadecimal("field_hashes", 4 * len(names))
    return StateHash(line.hexadecimal("hash", 16), tuple(names), fields)


def _read_step(line: Entries, header: MatchHeader, expected: int, names: tuple[str, ...]) -> Step:
    kind = line.take("type", str)
    if kind not in ("action", "forfeit"):
        line.fail(f"expected an action, a forfeit or the footer, got {kind!r}")
    if line.whole("number") != expected:
        line.fail(f"expected number {expected}, got {line.whole('number')}; lines are missing")
    is_action = kind == "action"
    return Step(
        type=kind,
        number=expected,
        turn=line.whole("turn", low=-LARGEST),
        player=_read_player(line, header).id,
        action=line.take("action", object) if is_action else None,
        by=line.take("by", str) if is_action else "",
        valid=line.whole("valid") if is_action else 0,
        why="" if is_action else line.take("why", str),
        rng=line.whole("rng", high=MAX_SEED),
        hash=_read_hash(line, names),
    )


def _read_player(line: Entries, header: MatchHeader, entry: str = "player") -> Player:
    players = {player.id: player for player in header.players}
    name = line.take(entry, str)
    if name not in players:
        line.fail(f"{entry!r} must be one of {', '.join(players)}, got {name!r}")
    return players[name]


def _read_footer(line: Entries, header: MatchHeader, steps: int) -> MatchFooter:
    if line.whole("actions") != steps:
        line.fail(f"the match has {line.whole('actions')} actions, but {steps} are recorded")
    reason = line.take("reason", str)
    if reason not in ("over", "max_turns", "forfeit"):
        line.fail(f"'reason' must be 'over', 'max_turns' or 'forfeit', got {reason!r}")
    nobody = line.take("winner", object) is None
    return MatchFooter(
        actions=steps,
        turns=line.whole("turns", low=-LARGEST),
        reason=reason,
        winner=None if nobody else _read_player(line, header, "winner").id,
        rankings=tuple(
            PlayerRanking(
                _read_player(place, header), place.whole("rank", low=1), place.take("score", float)
            )
            for place in line.objects("rankings", len(header.players))
        ),
        hash=line.hexadecimal("hash", 16),
    )
