"""Reads replays and trusts nothing: each entry is checked, by itself and against the game's facts.

Of a plain Python game only its own code can tell which actions there are. Whether a game plays out
as recorded is not looked at here: see `axiom_gym.replay.verify`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, cast

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import AxiomError, ReplayError
from axiom_gym.game.facts import GameLike, KernelGame, Player, PlayerRanking
from axiom_gym.registry import games as registry
from axiom_gym.replay.entries import LARGEST, Entries, read_bytes, read_line, split_lines
from axiom_gym.replay.format import (
    FORMAT,
    FORMAT_VERSION,
    Ended,
    Footer,
    Header,
    Replay,
    Turn,
    hash_options,
)
from axiom_gym.replay.games import find_game

OLDER = {(FORMAT, 2), ("axiom-gym-match", 1)}
"""Formats and their versions that `axiom-gym replay convert` reads."""

MOST_PLAYERS = 1000
_ENDED = ("terminated", "truncated", "forfeit")


def load(path: str | Path, game: GameLike | None = None) -> Replay:
    """Read a replay.

    Args:
        path: of the file.
        game: the game, if it is a kernel that is not installed.

    Raises:
        ReplayError: if it cannot be read, is damaged or cut off, or is of another format, or of a
            kernel game or version that is not installed; the message names the file and, where
            there is one, the line.
    """
    return parse(read_bytes(path), str(path), game)


def parse(data: bytes, name: str = "<bytes>", game: GameLike | None = None) -> Replay:
    """Return the replay that a file's bytes hold; `name` is what errors call it.

    Raises:
        ReplayError: as `load`.
    """
    rows = split_lines(data, name)
    first = read_line(name, 1, rows[0])
    header = _read_header(first)
    shape = _Shape.of(first, header, game)
    fields = header.fields
    turns: list[Turn] = []
    for number, row in enumerate(rows[1:], start=2):
        line = read_line(name, number, row)
        if line.take("type", str) == "footer":
            if number < len(rows):
                line.fail("nothing may follow the footer")
            footer = _read_footer(line, header, len(turns))
            return Replay(header=header, turns=tuple(turns), footer=footer)
        turns.append(_read_turn(line, header, len(turns) + 1, shape, fields))
        fields = turns[-1].fields
    raise ReplayError(
        f"replay {name!r} has no footer after turn {len(turns)}: it was cut off, or the game was "
        "not played to its end."
    )


# --------------------------------------------------------------------------------------------------
# Header


def read_format(line: Entries) -> tuple[str, int]:
    """Return the format that a file's first line names, and its version."""
    line.take("type", str)
    return line.take("format", str), line.whole("format_version")


def _read_header(line: Entries) -> Header:
    if line.take("type", str) != "header" or line.take("format", str) not in dict(OLDER):
        line.fail(f'this is no replay; the first line must say "type":"header","format":"{FORMAT}"')
    made_with = line.take("made_with", str)
    found = read_format(line)
    if found in OLDER:
        line.fail("the format is an older one: convert the file by `axiom-gym replay convert FILE`")
    if found != (FORMAT, FORMAT_VERSION):
        line.fail(
            f"format version {found[1]} is unknown, this is version {FORMAT_VERSION}; the file was "
            f"made with {made_with}, and that or a later version reads it"
        )
    fields, field_hashes = _read_fields(line, ())
    return Header(
        game=line.take("game", str),
        version=line.whole("version"),
        plain=line.truth("plain"),
        options=read_options(line),
        match_id=line.take("match_id", str) if line.has("match_id") else "",
        max_turns=line.whole("max_turns"),
        seed=line.whole("seed", high=MAX_SEED),
        players=read_players(line),
        hash=line.hexadecimal("hash", 16),
        fields=fields,
        field_hashes=field_hashes,
        made_with=made_with,
    )


def read_options(line: Entries) -> dict[str, Any]:
    """Return the options of a header, which have the hash that stands beside them."""
    options: dict[str, Any] = line.take("options", dict)
    expected, found = line.hexadecimal("options_hash", 16), hash_options(options)
    if expected != found:
        line.fail(f"'options' were changed: their hash is {found}, but {expected} was recorded")
    return options


def read_players(line: Entries) -> tuple[Player, ...]:
    """Return the players of a header, by seat."""
    entries = line.objects("players", len(line.take("players", list)))
    players = tuple(
        Player(
            player.take("id", str),
            player.take("name", str),
            player.hexadecimal("model", 16) if player.has("model") else "",
        )
        for player in entries
    )
    if not 0 < len({player.id for player in players}) == len(players) <= MOST_PLAYERS:
        count = len(players)
        line.fail(f"'players' must be 1 to {MOST_PLAYERS} with ids of their own, got {count}")
    return players


def _read_fields(line: Entries, before: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return names and hashes of a state's fields; `before`: the names if there are no others."""
    names = line.take("fields", list) if line.has("fields") else before
    if not all(isinstance(name, str) for name in names):
        line.fail(f"'fields' must be names, got {names!r}")
    return tuple(names), line.hexadecimal("field_hashes", 4 * len(names))


class _Shape(NamedTuple):
    """What a turn of a game looks like."""

    acting: int  # how many players act at once
    at_once: bool  # whether these are all of them
    orders: int | None  # K; None where an action is any JSON value

    @classmethod
    def of(cls, line: Entries, header: Header, given: GameLike | None) -> _Shape:
        """Look it up by the header, and check that against the game."""
        if header.plain:
            return cls(1, False, None)
        try:
            game = cast(KernelGame, find_game(header, given))
            config = registry.make_config(game, options=dict(header.options))
            agents = game.agents(config)
        except AxiomError as error:
            line.fail(str(error).removesuffix("."))
        line.items("players", len(agents))
        at_once = not game.is_sequential
        return cls(len(agents) if at_once else 1, at_once, len(game.layout(config).num_choices))


# --------------------------------------------------------------------------------------------------
# Turns and footer


def _read_turn(
    line: Entries, header: Header, expected: int, shape: _Shape, before: tuple[str, ...]
) -> Turn:
    kind = line.take("type", str)
    if kind not in ("turn", "forfeit"):
        line.fail(f"expected a turn, a forfeit or the footer, got {kind!r}")
    if line.whole("turn") != expected:
        line.fail(f"expected turn {expected}, got turn {line.whole('turn')}; lines are missing")
    fields, field_hashes = _read_fields(line, before)
    is_turn = kind == "turn"
    at_once = shape.at_once and is_turn
    if at_once and line.take("player", object) is not None:
        line.fail("'player' must be null, because all players act at once")
    why = "" if is_turn else line.take("why", str)
    if not is_turn and not why:
        line.fail("'why' must say how the player failed, got ''")
    return Turn(
        number=expected,
        player=None if at_once else line.whole("player", high=len(header.players) - 1),
        orders=_read_rows(line, "orders", shape.acting, shape.orders) if is_turn else (),
        legal=_read_rows(line, "legal", shape.acting, shape.orders or 1) if is_turn else (),
        fallback=_read_seats(line, header) if line.has("fallback") else (),
        why=why,
        draws=line.whole("draws", high=MAX_SEED),
        hash=line.hexadecimal("hash", 16),
        fields=fields,
        field_hashes=field_hashes,
    )


def _read_rows(line: Entries, name: str, count: int, width: int | None) -> tuple[Any, ...]:
    """Return an item for each who acted: so many integers, or any JSON value."""
    rows = line.items(name, count)
    if width is None:
        return tuple(rows)
    for row in rows:
        if not isinstance(row, list) or len(row) != width or not all(map(_is_order, row)):
            line.fail(f"{name!r} must be {width} integers for each player, got {row!r}")
    return tuple(map(tuple, rows))


def _is_order(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _read_seats(line: Entries, header: Header) -> tuple[int, ...]:
    seats = line.take("fallback", list)
    if not all(type(seat) is int and 0 <= seat < len(header.players) for seat in seats):
        line.fail(f"'fallback' must hold seats, got {seats!r}")
    return tuple(seats)


def _read_footer(line: Entries, header: Header, turns: int) -> Footer:
    if line.whole("turns") != turns:
        line.fail(f"the game has {line.whole('turns')} turns, but {turns} are recorded")
    ended = line.take("ended", str)
    if ended not in _ENDED:
        line.fail(f"'ended' must be one of {', '.join(_ENDED)}, got {ended!r}")
    return Footer(
        turns=turns,
        ended=cast(Ended, ended),
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
