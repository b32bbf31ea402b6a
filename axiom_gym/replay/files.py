"""Replays of both formats: which one a file is of, and what game it needs.

`axiom-gym-replay` is a game of a kernel, `axiom-gym-match` one of the object-level interface.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiom_gym.errors import AxiomError, ReplayError
from axiom_gym.game.facts import Game
from axiom_gym.registry import games as registry
from axiom_gym.replay import match_format as match_format
from axiom_gym.replay import match_reader as match_reader
from axiom_gym.replay import reader as replay_reader
from axiom_gym.replay.entries import read_bytes, read_line, split_lines
from axiom_gym.replay.format import FORMAT, Replay
from axiom_gym.replay.match_format import MatchHeader, MatchReplay
from axiom_gym.replay.match_player import find_refusal

AnyReplay = Replay | MatchReplay


def load_any(path: str | Path) -> AnyReplay:
    """Reads a replay of either format.

    Raises:
        ReplayError: if it cannot be read, is damaged or cut off, or of an unknown format; the
            message names the file and, where there is one, the line.
    """
    data, name = read_bytes(path), str(path)
    first = read_line(name, 1, split_lines(data, name)[0])
    first.take("type", str)
    found = first.take("format", str)
    if found == match_format.FORMAT:
        return match_reader.parse(data, name)
    if found == FORMAT:
        return replay_reader.parse(data, name)
    first.fail(
        f"'format' must be {FORMAT!r}, a game of a kernel, or {match_format.FORMAT!r}, one of a "
        f"plain Python game; got {found!r}"
    )


def find_game(header: MatchHeader, game: Game[Any, Any] | None = None) -> Game[Any, Any]:
    """The game of a match: the one that is given, or else an installed one by its name.

    Raises:
        ReplayError: if there is no such game, or it is another version of the rules.
    """
    found = game if game is not None else _find_installed(header)
    refusal = find_refusal(found, header)
    if refusal:
        raise ReplayError(refusal)
    return found


def _find_installed(header: MatchHeader) -> Game[Any, Any]:
    """An installed game of a kernel as an object, with the options of the match."""
    game_id, known = f"{header.game}-v{header.version}", registry.game_ids()
    if game_id not in known:
        others = [other for other in known if other.rpartition("-v")[0] == header.game]
        installed = f"installed is {', '.join(others)}; " if others else ""
        raise ReplayError(
            f"the replay is of {header.game!r}, version {header.version}, made with "
            f"{header.made_with}; {installed}playing it again needs just that version of the "
            "rules: verify(path, game=MyGame()), or --game FILE.py:NAME on the command line."
        )
    from axiom_gym.play.kernel_object import KernelGameObject

    try:
        return KernelGameObject(game_id, **header.options)
    except AxiomError as error:
        raise ReplayError(f"the options of the match do not fit {game_id}: {error}") from error


def refuse(difference: Any) -> None:
    """Refuses a replay that was played again and came out differently; None does not.

    Raises:
        ReplayError: with the message of the `Verification` or `MatchVerification`.
    """
    if difference is not None:
        raise ReplayError(f"the replay does not play out as recorded: {difference.message}")
