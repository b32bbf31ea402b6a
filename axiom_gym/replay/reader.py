"""The reader of replays, which checks each entry by itself and against the facts of the game.

It cannot check the actions of a plain Python game, which only the game's own code knows. It does
not check that a game plays out as recorded: see `axiom_gym.replay.verify`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast, get_args

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import AxiomError, ReplayError
from axiom_gym.game.facts import GameLike, KernelGame, Player, PlayerRanking
from axiom_gym.registry import games as registry
from axiom_gym.replay.entries import LARGEST, Entries, read_bytes, read_lines
from axiom_gym.replay.format import (
    FORMAT,
    FORMAT_VERSION,
    Asked,
    Attempt,
    Ended,
    Footer,
    Header,
    Replay,
    Turn,
    hash_options,
)
from axiom_gym.replay.games import find_game

OLDER = {(FORMAT, 2), ("axiom-gym-match", 1)}
"""The formats and versions that `axiom-gym replay convert` reads."""

MOST_PLAYERS = 1000

Shape = tuple[bool, int | None]
"""The shape of a turn: (True if all players act at once, the number K of sub-actions). K is None
where an action is any JSON value."""


def load(path: str | Path, game: GameLike | None = None) -> Replay:
    """Read a replay.

    Args:
        path: the path of the file.
        game: the game, if it is a kernel game that is not installed.

    Raises:
        ReplayError: if the file cannot be read, is damaged or cut off, has another format, or needs
            a kernel game or version that is not installed. The message names the file and, if there
            is one, the line.
    """
    return parse(read_bytes(path), str(path), game)


def parse(data: bytes, name: str = "<bytes>", game: GameLike | None = None) -> Replay:
    """Return the replay in a file's bytes. name: the name of the file in error messages.

    Raises:
        ReplayError: as `load`.
    """
    lines = read_lines(data, name)
    first = next(lines)
    header = _read_header(first)
    shape = _find_shape(first, header, game)
    fields = header.fields
    turns: list[Turn] = []
    for line in lines:
        if line.take("type", str) == "footer":
            if next(lines, None) is not None:
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
    """Return the format and the version that a file's first line names."""
    line.take("type", str)
    return line.take("format", str), line.integer("format_version")


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
        version=line.integer("version"),
        plain=line.take("plain", bool),
        options=read_options(line),
        match_id=line.take("match_id", str) if line.has("match_id") else "",
        max_turns=line.integer("max_turns"),
        seed=line.integer("seed", high=MAX_SEED),
        players=read_players(line),
        hash=line.hexadecimal("hash", 16),
        fields=fields,
        field_hashes=field_hashes,
        made_with=made_with,
    )


def read_options(line: Entries) -> dict[str, Any]:
    """Return the options of a header, after a check of their hash."""
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
    count = len(players)
    if not 0 < len({player.id for player in players}) == count <= MOST_PLAYERS:
        line.fail(f"'players' must be 1 to {MOST_PLAYERS} with ids of their own, got {count}")
    return players


def _read_fields(line: Entries, before: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return the names and hashes of a state's fields. before: the names of the line before."""
    names = line.take("fields", list) if line.has("fields") else before
    if not all(isinstance(name, str) for name in names):
        line.fail(f"'fields' must be names, got {names!r}")
    return tuple(names), line.hexadecimal("field_hashes", 4 * len(names))


def _find_shape(line: Entries, header: Header, given: GameLike | None) -> Shape:
    """Return the shape of the game's turns, after a check of the header against the game."""
    if header.plain:
        return False, None
    try:
        game = cast(KernelGame, find_game(header, given))
        config = registry.make_config(game, options=dict(header.options))
        agents = game.agents(config)
    except AxiomError as error:
        line.fail(str(error).removesuffix("."))
    line.items("players", len(agents))
    return not game.is_sequential, len(game.layout(config).num_choices)


# --------------------------------------------------------------------------------------------------
# Turns and footer


def _read_turn(
    line: Entries, header: Header, expected: int, shape: Shape, before: tuple[str, ...]
) -> Turn:
    kind, seats = line.take("type", str), len(header.players)
    if kind not in ("turn", "forfeit"):
        line.fail(f"expected a turn, a forfeit or the footer, got {kind!r}")
    if line.integer("turn") != expected:
        line.fail(f"expected turn {expected}, got turn {line.integer('turn')}; lines are missing")
    fields, field_hashes = _read_fields(line, before)
    is_turn = kind == "turn"
    acts_at_once, width = shape
    at_once = acts_at_once and is_turn
    if at_once and line.take("player", object) is not None:
        line.fail("'player' must be null, because all players act at once")
    why = "" if is_turn else line.take("why", str)
    if not is_turn and not why:
        line.fail("'why' must say how the player failed, got ''")
    fallback = line.take("fallback", list) if line.has("fallback") else []
    if not all(type(seat) is int and 0 <= seat < seats for seat in fallback):
        line.fail(f"'fallback' must hold seats, got {fallback!r}")
    count = seats if at_once else 1
    return Turn(
        number=expected,
        player=None if at_once else line.integer("player", high=seats - 1),
        orders=_read_rows(line, "orders", count, width) if is_turn else (),
        legal=_read_rows(line, "legal", count, width or 1) if is_turn else (),
        fallback=tuple(fallback),
        why=why,
        asked=_read_asked(line, seats) if line.has("asked") else (),
        draws=line.integer("draws", high=MAX_SEED),
        hash=line.hexadecimal("hash", 16),
        fields=fields,
        field_hashes=field_hashes,
    )


def _read_rows(line: Entries, name: str, count: int, width: int | None) -> tuple[Any, ...]:
    """Return an item for each player who acted: `width` integers; if None, any JSON value."""
    rows = line.items(name, count)
    if width is None:
        return tuple(rows)
    for row in rows:
        is_row = isinstance(row, list) and len(row) == width
        if not is_row or not all(type(one) is int and abs(one) <= LARGEST for one in row):
            line.fail(f"{name!r} must be {width} integers for each player, got {row!r}")
    return tuple(map(tuple, rows))


def _read_asked(line: Entries, seats: int) -> tuple[Asked, ...]:
    """Return the transcripts of a line."""
    found = line.objects("asked", len(line.take("asked", list)))
    return tuple(
        Asked(one.integer("player", high=seats - 1), tuple(map(_read_attempt, _list_attempts(one))))
        for one in found
    )


def _list_attempts(asked: Entries) -> list[Entries]:
    return asked.objects("attempts", len(asked.take("attempts", list)))


def _read_attempt(entries: Entries) -> Attempt:
    prompt = entries.hexadecimal("prompt", 16)
    return Attempt(prompt, entries.take("reply", str), entries.take("category", str))


def _read_footer(line: Entries, header: Header, turns: int) -> Footer:
    if line.integer("turns") != turns:
        line.fail(f"the game has {line.integer('turns')} turns, but {turns} are recorded")
    ended = line.take("ended", str)
    if ended not in get_args(Ended):
        line.fail(f"'ended' must be one of {', '.join(get_args(Ended))}, got {ended!r}")
    players = {player.id: player for player in header.players}
    return Footer(
        turns=turns,
        ended=cast(Ended, ended),
        outcome=line.numbers("outcome", len(players)),
        rankings=tuple(
            _read_place(place, players) for place in line.objects("rankings", len(players))
        ),
        hash=line.hexadecimal("hash", 16),
    )


def _read_place(line: Entries, players: dict[str, Player]) -> PlayerRanking:
    name = line.take("player", str)
    if name not in players:
        line.fail(f"'player' must be one of {', '.join(players)}, got {name!r}")
    return PlayerRanking(players[name], line.integer("rank", low=1), line.take("score", float))
