"""Games in progress as files, from which they continue with the same bits.

A file is one JSON object: the arguments of the match, the sub-actions of all turns, and the moments
of the match to which a person can return. The turns are played again when the file is loaded, which
restores the recording of the game; the last moment restores the generators.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axiom_gym.errors import AxiomError, StateError
from axiom_gym.files import replacing
from axiom_gym.play.match import Match, MatchState

_FORMAT = "axiom-gym game in progress"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGame:
    """A game in progress."""

    game: str
    """The game, as `Match` takes it."""
    players: list[str]
    """The players by seat, as the caller of `Match` names them."""
    settings: dict[str, Any]
    """The other arguments of `Match`, as JSON values."""
    turns: list[list[list[int]]] = field(default_factory=list)
    """The sub-actions of each turn."""
    moments: list[MatchState] = field(default_factory=list)
    """The moments to which a person can return; the last one is the current one."""

    def continue_match(self, match: Match) -> None:
        """Play the turns in a new match with the saved arguments, up to the last moment.

        Raises:
            StateError: if the game does not play out as it was saved.
        """
        try:
            for sub_actions in self.turns:
                match.play_turn(sub_actions)
            played = match.batch.buffers.states.tobytes()
            match.set_state(self.moments[-1])
        except AxiomError as error:
            raise StateError(f"the saved game cannot be continued: {error}") from error
        if match.batch.buffers.states.tobytes() != played:
            raise StateError(
                "the saved game does not play out as it was saved: the rules of "
                f"{match.batch.game.info.name} have changed since."
            )


def save_game(path: Path, saved: SavedGame) -> None:
    """Write a game in progress to a file.

    Raises:
        StateError: if the file cannot be written.
    """
    content = {
        "format": _FORMAT,
        "format_version": _VERSION,
        "game": saved.game,
        "players": saved.players,
        "settings": saved.settings,
        "turns": saved.turns,
        "moments": [_encode(moment) for moment in saved.moments],
    }
    try:
        with replacing(path) as file:
            file.write(json.dumps(content).encode())
    except (OSError, TypeError, ValueError) as error:
        raise StateError(f"cannot write the game to {str(path)!r}: {error}.") from error


def load_game(path: Path) -> SavedGame:
    """Read a game in progress from a file.

    Raises:
        StateError: if the file cannot be read, or is not such a file.
    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise StateError(f"cannot read the saved game {str(path)!r}: {error}.") from error
    except ValueError as error:
        raise StateError(f"{str(path)!r} is not a saved game: it is not JSON ({error}).") from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise StateError(
            f"{str(path)!r} is not a saved game; `axiom-gym play` writes one when you stop."
        )
    if content.get("format_version") != _VERSION:
        raise StateError(
            f"{str(path)!r} has format version {content.get('format_version')}, but this version "
            f"of Axiom Gym reads version {_VERSION}."
        )
    try:
        if not content["moments"]:
            raise ValueError("it has no moments")
        return SavedGame(
            game=content["game"],
            players=list(content["players"]),
            settings=dict(content["settings"]),
            turns=content["turns"],
            moments=[_decode(moment) for moment in content["moments"]],
        )
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise StateError(f"the saved game {str(path)!r} is damaged: {error!r}.") from error


def _encode(moment: MatchState) -> dict[str, Any]:
    batch = base64.b64encode(zlib.compress(moment.batch)).decode()
    return {"turns": moment.turns, "batch": batch, "rngs": list(moment.rngs)}


def _decode(moment: dict[str, Any]) -> MatchState:
    batch = zlib.decompress(base64.b64decode(moment["batch"]))
    rngs: Sequence[dict[str, Any]] = moment["rngs"]
    return MatchState(batch, tuple(rngs), int(moment["turns"]))
