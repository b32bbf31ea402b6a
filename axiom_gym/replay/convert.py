"""Converts replays of older formats.

Those of version 2 are of kernels, and their lines are the same; matches of object-level games
(`axiom-gym-match`, version 1) are played again, since they do not say what the last action drew.
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
from axiom_gym.replay.entries import Entries, read_line, split_lines, to_line
from axiom_gym.replay.format import FORMAT, FORMAT_VERSION
from axiom_gym.replay.reader import OLDER, parse, read_format, read_options, read_players

FindGame = Callable[[str, dict[str, Any]], Game[Any, Any]]
"""(such as "race-v3", its options) -> the game as an object."""


def convert(data: bytes, name: str, find_game: FindGame) -> str:
    """Return a replay in the present format.

    Args:
        data: the bytes of a file.
        name: what errors call the file.
        find_game: returns the game of a match, or raises an AxiomError.

    Raises:
        ReplayError: if the file is damaged, of an unknown format or of a game that is not there, or
            if a match does not play out as recorded.
    """
    rows = split_lines(data, name)
    header = read_line(name, 1, rows[0])
    found = read_format(header)
    if found == (FORMAT, FORMAT_VERSION):
        return parse(data, name).to_text()
    if found not in OLDER:
        header.fail(f"format {found[0]!r}, version {found[1]}, is unknown")
    if found[0] != FORMAT:
        lines = [read_line(name, number, row) for number, row in enumerate(rows, start=1)]
        return _play_match(lines, find_game)
    entries = {**json.loads(rows[0]), "format_version": FORMAT_VERSION, "plain": False}
    first = to_line(entries).encode()
    return parse(first + b"\n".join(rows[1:]), name).to_text()


def _play_match(lines: list[Entries], find_game: FindGame) -> str:
    header, footer = lines[0], lines[-1]
    if footer.take("type", str) != "footer":
        footer.fail("the match has no footer: it was cut off, or not played to its end")
    options = read_options(header)
    game_id = f"{header.take('game', str)}-v{header.whole('version')}"
    try:
        game = find_game(game_id, options)
    except AxiomError as error:
        header.fail(str(error).removesuffix("."))
    facts = game.metadata
    if f"{facts.name}-v{facts.version}" != game_id:
        header.fail(f"it is a match of {game_id}, and this is {facts.name}-v{facts.version}")
    seed, match_id = header.whole("seed", high=MAX_SEED), header.take("game_id", str)
    course = Course(
        game,
        read_players(header),
        options,
        seed=seed,
        game_id="" if match_id == f"{facts.name}-{seed}" else match_id,
        max_turns=header.whole("max_turns"),
    )
    _check_state(header, course)
    for step in lines[1:-1]:
        _play_step(step, course)
        _check_state(step, course)
    if course.reason != footer.take("reason", str):
        footer.fail(f"the match ended by {course.reason!r} when it was played again")
    return course.finish().to_text()


def _play_step(step: Entries, course: Course[Any, Any]) -> None:
    if course.reason is not None:
        step.fail("the match is over before this line")
    mover, actions = course.get_mover()
    if step.take("player", str) != mover:
        step.fail(f"it is {mover}'s turn, and not {step.take('player', str)}'s")
    if step.take("type", str) == "forfeit":
        course.forfeit(mover, step.take("why", str))
        return
    action = course.find(actions, step.take("action", object))
    if action is None:
        step.fail(f"the action is none of the {len(actions)} valid actions of {mover}")
    course.take(mover, action[0], step.take("by", str), len(actions))


def _check_state(line: Entries, course: Course[Any, Any]) -> None:
    found, expected = hash_fields(course.state).whole, line.hexadecimal("hash", 16)
    if found != expected:
        line.fail(f"the match plays out in another way: expected {expected}, found {found}")
