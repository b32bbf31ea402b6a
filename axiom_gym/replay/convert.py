"""Conversion of replays in older formats.

Replays of version 2 are of kernel games, and only their header differs. Matches of object-level
games (`axiom-gym-match`, version 1) are played again, because their files do not hold the numbers
of draws.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import AxiomError
from axiom_gym.game.canonical import hash_fields
from axiom_gym.game.facts import Game
from axiom_gym.replay.course import Course
from axiom_gym.replay.entries import Entries, read_lines, to_line
from axiom_gym.replay.format import FORMAT, FORMAT_VERSION
from axiom_gym.replay.reader import OLDER, parse, read_format, read_options, read_players

FindGame = Callable[[str, dict[str, Any]], Game[Any, Any]]
"""(id such as "race-v3", options) -> the game as an object."""


def convert(data: bytes, name: str, find_game: FindGame) -> str:
    """Return a replay in the current format.

    Args:
        data: the bytes of a file.
        name: the name of the file in error messages.
        find_game: a callable that returns the game of a match, or raises an AxiomError.

    Raises:
        ReplayError: if the file is damaged, has an unknown format or needs a game that is missing,
            or if a match does not play out as recorded.
    """
    lines = read_lines(data, name)
    header = next(lines)
    found = read_format(header)
    if found == (FORMAT, FORMAT_VERSION):
        return parse(data, name).to_text()
    if found not in OLDER:
        header.fail(f"format {found[0]!r}, version {found[1]}, is unknown")
    if found[0] != FORMAT:
        return _play_match([header, *lines], find_game)
    first, _, rest = data.partition(b"\n")
    entries = {**json.loads(first), "format_version": FORMAT_VERSION, "plain": False}
    return parse(to_line(entries).encode() + rest, name).to_text()


def _play_match(lines: list[Entries], find_game: FindGame) -> str:
    header, footer = lines[0], lines[-1]
    if footer.take("type", str) != "footer":
        footer.fail("the match has no footer: it was cut off, or not played to its end")
    options = read_options(header)
    game_id = f"{header.take('game', str)}-v{header.integer('version')}"
    try:
        game = find_game(game_id, options)
    except AxiomError as error:
        header.fail(str(error).removesuffix("."))
    facts = game.metadata
    if f"{facts.name}-v{facts.version}" != game_id:
        header.fail(f"it is a match of {game_id}, and this is {facts.name}-v{facts.version}")
    seed, match_id = header.integer("seed", high=MAX_SEED), header.take("game_id", str)
    course = Course(
        game,
        read_players(header),
        options,
        seed=seed,
        game_id="" if match_id == f"{facts.name}-{seed}" else match_id,
        max_turns=header.integer("max_turns"),
    )
    for place, line in enumerate(lines[:-1]):
        if place:
            _play_line(line, course)
        state, expected = hash_fields(course.state).whole, line.hexadecimal("hash", 16)
        if state != expected:
            line.fail(f"the match plays out differently: expected {expected}, found {state}")
    if course.reason != footer.take("reason", str):
        footer.fail(f"the match ended by {course.reason!r} when it was played again")
    return course.finish().to_text()


def _play_line(line: Entries, course: Course[Any, Any]) -> None:
    if course.reason is not None:
        line.fail("the match is over before this line")
    mover, actions = course.get_mover()
    if line.take("player", str) != mover:
        line.fail(f"it is {mover}'s turn, and not {line.take('player', str)}'s")
    if line.take("type", str) == "forfeit":
        course.forfeit(mover, line.take("why", str))
        return
    action = course.find(actions, line.take("action", object))
    if action is None:
        line.fail(f"the action is none of the {len(actions)} valid actions of {mover}")
    course.take(mover, action[0], line.take("by", str), len(actions))
