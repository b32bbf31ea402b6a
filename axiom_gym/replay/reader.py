"""Reads replays and trusts nothing: each entry is checked, by itself and against the game's facts.

Whether the game plays out as recorded is not looked at here: see `axiom_gym.replay.verify`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import AxiomError, ReplayError
from axiom_gym.game.facts import KernelGame, Player, PlayerRanking
from axiom_gym.registry import games as registry
from axiom_gym.replay.entries import LARGEST, Entries, read_bytes, read_line, split_lines
from axiom_gym.replay.format import (
    FORMAT,
    FORMAT_VERSION,
    Footer,
    Header,
    Replay,
    Turn,
    hash_options,
)


def load(path: str | Path) -> Replay:
    """Reads a replay.

    Raises:
        ReplayError: if it cannot be read, is damaged or cut off, or is of a format, game or version
            that is not installed; the message names the file and, where there is one, the line.
    """
    return parse(read_bytes(path), str(path))


def parse(data: bytes, name: str = "<bytes>") -> Replay:
    """The replay that a file's bytes hold; `name` is what errors call it.

    Raises:
        ReplayError: as `load`.
    """
    rows = split_lines(data, name)
    header = _read_header(read_line(name, 1, rows[0]))
    shape = _Shape.of(header, name)
    turns: list[Turn] = []
    for number, row in enumerate(rows[1:], start=2):
        line = read_line(name, number, row)
        if line.take("type", str) == "footer":
            if number < len(rows):
                line.fail("nothing may follow the footer")
            footer = _read_footer(line, header, len(turns))
            return Replay(header=header, turns=tuple(turns), footer=footer)
        turns.append(_read_turn(line, header, len(turns) + 1, shape))
    raise ReplayError(
        f"replay {name!r} has no footer after turn {len(turns)}: it was cut off, or the game was "
        "not played to its end."
    )


# --------------------------------------------------------------------------------------------------
# Header


def _read_header(line: Entries) -> Header:
    if line.take("type", str) != "header" or line.take("format", str) != FORMAT:
        line.fail(
            "this is no replay of a kernel game; the first line must say "
            f'"type":"header","format":"{FORMAT}", and a match of an object-level game is read by '
            "axiom_gym.replay.files.load_any"
        )
    made_with = line.take("made_with", str)
    version = line.whole("format_version")
    if version != FORMAT_VERSION:
        line.fail(
            f"format version {version} is unknown, this is version {FORMAT_VERSION}; the file was "
            f"made with {made_with}, and that or a later version reads it"
        )
    game = _find_game(line, made_with)
    options = _read_options(line)
    players = len(_make_agents(game, options, line))
    fields = line.take("fields", list)
    if not fields or not all(isinstance(name, str) for name in fields):
        line.fail(f"'fields' must be names, got {fields!r}")
    return Header(
        game=line.take("game", str),
        version=line.whole("version"),
        options=options,
        max_turns=line.whole("max_turns"),
        seed=line.whole("seed", high=MAX_SEED),
        players=tuple(
            Player(player.take("id", str), player.take("name", str))
            for player in line.objects("players", players)
        ),
        fields=tuple(fields),
        hash=line.hexadecimal("hash", 16),
        field_hashes=line.hexadecimal("field_hashes", 4 * len(fields)),
        made_with=made_with,
    )


def _find_game(line: Entries, made_with: str) -> KernelGame:
    """The game, if exactly this version of it is installed."""
    name, version = line.take("game", str), line.whole("version")
    game_id = f"{name}-v{version}"
    known = registry.game_ids()
    if game_id in known:
        return registry.get_game(game_id)
    others = [other for other in known if other.rpartition("-v")[0] == name]
    line.fail(
        f"it is a game of {game_id}, made with {made_with}, and playing it again needs just that "
        f"version of the rules; installed are {', '.join(others or known) or 'no games'}"
    )


def _read_options(line: Entries) -> dict[str, Any]:
    options: dict[str, Any] = line.take("options", dict)
    expected, found = line.hexadecimal("options_hash", 16), hash_options(options)
    if expected != found:
        line.fail(f"'options' were changed: their hash is {found}, but {expected} was recorded")
    return options


def _make_agents(game: KernelGame, options: dict[str, Any], line: Entries) -> tuple[str, ...]:
    """Who plays with these options."""
    try:
        return game.agents(registry.make_config(game, options=dict(options)))
    except AxiomError as error:
        line.fail(str(error).removesuffix("."))


class _Shape(NamedTuple):
    """What a turn of a game looks like."""

    acting: int | None  # how many players act at once; None where it is one after the other
    orders: int  # K

    @classmethod
    def of(cls, header: Header, file: str) -> _Shape:
        """By the replay's game and options, which are known to be sound."""
        game = registry.get_game(f"{header.game}-v{header.version}")
        layout = game.layout(registry.make_config(game, options=dict(header.options)))
        acting = None if game.is_sequential else len(header.players)
        return cls(acting, len(layout.num_choices))


# --------------------------------------------------------------------------------------------------
# Turns and footer


def _read_turn(line: Entries, header: Header, expected: int, shape: _Shape) -> Turn:
    if line.take("type", str) != "turn":
        line.fail(f"expected a turn or the footer, got {line.take('type', str)!r}")
    if line.whole("turn") != expected:
        line.fail(f"expected turn {expected}, got turn {line.whole('turn')}; lines are missing")
    return Turn(
        number=expected,
        player=_read_player(line, header, shape),
        orders=_read_rows(line, "orders", shape),
        legal=_read_rows(line, "legal", shape),
        draws=line.whole("draws", high=MAX_SEED),
        hash=line.hexadecimal("hash", 16),
        field_hashes=line.hexadecimal("field_hashes", 4 * len(header.fields)),
    )


def _read_player(line: Entries, header: Header, shape: _Shape) -> int | None:
    """The seat of who acted, None where all act at once."""
    if shape.acting is None:
        return line.whole("player", high=len(header.players) - 1)
    if line.take("player", object) is not None:
        line.fail("'player' must be null, because all players act at once")
    return None


def _read_rows(line: Entries, name: str, shape: _Shape) -> tuple[tuple[int, ...], ...]:
    """The whole numbers that there are for each order of all who acted."""
    rows = line.items(name, shape.acting or 1)
    for row in rows:
        if not isinstance(row, list) or len(row) != shape.orders or not all(map(_is_order, row)):
            line.fail(f"{name!r} must be {shape.orders} whole numbers for each player, got {row!r}")
    return tuple(map(tuple, rows))


def _is_order(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _read_footer(line: Entries, header: Header, turns: int) -> Footer:
    if line.whole("turns") != turns:
        line.fail(f"the game has {line.whole('turns')} turns, but {turns} are recorded")
    ended = line.take("ended", str)
    if ended not in ("terminated", "truncated"):
        line.fail(f"'ended' must be 'terminated' or 'truncated', got {ended!r}")
    return Footer(
        turns=turns,
        ended=cast(Literal["terminated", "truncated"], ended),
        outcome=line.numbers("outcome", len(header.players)),
        rankings=tuple(
            _read_place(entry, header) for entry in line.objects("rankings", len(header.players))
        ),
        hash=line.hexadecimal("hash", 16),
    )


def _read_place(line: Entries, header: Header) -> PlayerRanking:
    players = {player.id: player for player in header.players}
    name = line.take("player", str)
    if name not in players:
        line.fail(f"'player' must be one of {', '.join(players)}, got {name!r}")
    score = line.take("score", float)
    return PlayerRanking(players[name], line.whole("rank", low=1), score)
