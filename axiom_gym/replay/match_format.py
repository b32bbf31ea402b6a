r"""What the replay of an object-level game is, and its form on disk: JSON Lines.

One line each, in UTF-8, entries in this order:

    {"type":"header","format":"axiom-gym-match","format_version":1,"made_with":"axiom-gym 0.1.0",
     "game":"race","version":0,"options":{...},"options_hash":H,"game_id":"race-42","max_turns":0,
     "seed":42,"players":[{"id":"ann","name":"bot"},...],"hash":H,"fields":[...],"field_hashes":F}
    {"type":"action","number":1,"turn":1,"player":"ann","action":{...},"by":"agent","valid":3,
     "rng":42,"hash":H,"fields":[...],"field_hashes":F}
    {"type":"forfeit","number":9,"turn":4,"player":"bob","why":"late","rng":7,"hash":H,...}
    ...
    {"type":"footer","actions":31,"turns":12,"reason":"over","winner":"ann",
     "rankings":[{"player":"ann","rank":1,"score":1.0},...],"hash":H}

`version` is that of the game's rules; `by` is "agent" or "fallback"; `valid` counts the actions
that were valid; `rng` is the state of the game's generator before the line. H is 16 hex digits: the
digest of the state after the line (that of `options` aside). F has 4 hex digits for each of
`fields`, the names of the state's fields; these stand in a line only where they are other ones than
in the line before. See `axiom_gym.game.canonical`.

Nothing here depends on the clock: the same game, seed and decisions give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from axiom_gym.game.canonical import StateHash
from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.replay.entries import to_line, write_text
from axiom_gym.replay.format import hash_options

FORMAT = "axiom-gym-match"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchHeader:
    """What was played, and from where."""

    game: str
    version: int
    options: Mapping[str, Any]
    """All options of the game, the defaults too where the game names them; plain JSON values."""
    game_id: str
    max_turns: int
    """As in `MatchConfig`."""
    seed: int
    players: tuple[Player, ...]
    """By seat; the name is that of the agent."""
    hash: StateHash
    """Of the first state."""
    made_with: str
    """The package and version that wrote the replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An action, or that a player gave up, and what it led to."""

    type: Literal["action", "forfeit"]
    number: int
    """From 1."""
    turn: int
    player: str
    action: Any = None
    """As JSON."""
    by: str = ""
    valid: int = 0
    why: str = ""
    """How the agent failed who forfeits."""
    rng: int
    hash: StateHash


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFooter:
    """How it ended."""

    actions: int
    turns: int
    reason: str
    winner: str | None
    rankings: tuple[PlayerRanking, ...]
    hash: str
    """Of the last state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReplay:
    """One recorded match of an object-level game."""

    header: MatchHeader
    steps: tuple[Step, ...]
    footer: MatchFooter

    def to_text(self) -> str:
        """The lines of the file, the last with its line end as well."""
        lines = [_header_entries(self.header)]
        names = self.header.hash.names
        for step in self.steps:
            lines.append(_step_entries(step, names))
            names = step.hash.names
        return "".join(map(to_line, [*lines, _footer_entries(self.footer)]))

    def save(self, path: str | Path) -> None:
        """Writes the file, or leaves everything as it was; a file of this name is replaced.

        Raises:
            ReplayError: if it cannot be written.
        """
        write_text(path, self.to_text())


def _header_entries(header: MatchHeader) -> dict[str, Any]:
    return {
        "type": "header",
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "made_with": header.made_with,
        "game": header.game,
        "version": header.version,
        "options": dict(header.options),
        "options_hash": hash_options(header.options),
        "game_id": header.game_id,
        "max_turns": header.max_turns,
        "seed": header.seed,
        "players": [asdict(player) for player in header.players],
        **_hash_entries(header.hash, None),
    }


def _step_entries(step: Step, names: tuple[str, ...]) -> dict[str, Any]:
    what = (
        {"action": step.action, "by": step.by, "valid": step.valid}
        if step.type == "action"
        else {"why": step.why}
    )
    return {
        "type": step.type,
        "number": step.number,
        "turn": step.turn,
        "player": step.player,
        **what,
        "rng": step.rng,
        **_hash_entries(step.hash, names),
    }


def _hash_entries(found: StateHash, before: tuple[str, ...] | None) -> dict[str, Any]:
    """A state's hashes; its fields' names only if they are others than before."""
    names = {} if found.names == before else {"fields": found.names}
    return {"hash": found.whole, **names, "field_hashes": found.fields}


def _footer_entries(footer: MatchFooter) -> dict[str, Any]:
    return {
        "type": "footer",
        "actions": footer.actions,
        "turns": footer.turns,
        "reason": footer.reason,
        "winner": footer.winner,
        "rankings": [
            {"player": place.player.id, "rank": place.rank, "score": place.score}
            for place in footer.rankings
        ],
        "hash": footer.hash,
    }
