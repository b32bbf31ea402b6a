r"""What a replay is, and its form on disk: JSON Lines, written whole or not at all.

One line each, in UTF-8, entries in this order:

    {"type":"header","format":"axiom-gym-replay","format_version":2,"made_with":"axiom-gym 0.1.0",
     "game":"quantaris","version":0,"options":{...},"options_hash":H,"max_turns":0,"seed":1,
     "players":[{"id":"player_0","name":"random"},...],"fields":["turn","phase",...],
     "hash":H,"field_hashes":F}
    {"type":"turn","turn":1,"player":null,"orders":[[1,5,0],[2,0,0]],
     "legal":[[13,11,13],[12,13,13]],"draws":0,"hash":H,"field_hashes":F}
    ...
    {"type":"footer","turns":23,"ended":"terminated","outcome":[1.0,-1.0],
     "rankings":[{"player":"player_0","rank":1,"score":1.0},...],"hash":H}

`version` is the game's; `seed` is the state of the game's generator when the episode began;
`player` is the seat of who acted, and null where all act at once; `orders` has a list for each who
acted, as the kernel takes them, and `legal` says how many choices each order had; `draws` counts
the random numbers that the rules drew in the turn. H is 16 hex digits: a hash of the state after
the line (that of `options` aside). F has 4 hex digits for each of the header's `fields`, so that a
difference can be traced to a part of the state: see `axiom_gym.replay.hash_state`.

The same game with the same seed and players gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.replay.entries import to_line, write_text

FORMAT = "axiom-gym-replay"
FORMAT_VERSION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What was played, and from where."""

    game: str
    version: int
    options: Mapping[str, Any]
    """All options of the game, the defaults too; plain JSON values."""
    max_turns: int
    """The limit at which the episode is truncated, 0 for none."""
    seed: int
    players: tuple[Player, ...]
    """By seat."""
    fields: tuple[str, ...]
    """Names of the state's fields."""
    hash: str
    """Of the first position."""
    field_hashes: str
    made_with: str
    """The package and version that wrote the replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The orders of all who act at once, and what they led to."""

    number: int
    player: int | None
    """The seat of who acted; None where all act at once."""
    orders: tuple[tuple[int, ...], ...]
    """One tuple for each who acted."""
    legal: tuple[tuple[int, ...], ...]
    """How many legal choices each of these orders had."""
    draws: int
    hash: str
    field_hashes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """How it ended."""

    turns: int
    ended: Literal["terminated", "truncated"]
    outcome: tuple[float, ...]
    """By seat; all 0 where a limit ended an undecided game."""
    rankings: tuple[PlayerRanking, ...]
    """Best first; equal players share a rank."""
    hash: str
    """Of the last position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One recorded game, from its first position to its end."""

    header: Header
    turns: tuple[Turn, ...]
    footer: Footer

    @property
    def game_id(self) -> str:
        """Such as `quantaris-v0`."""
        return f"{self.header.game}-v{self.header.version}"

    def to_text(self) -> str:
        """The lines of the file, the last with its line end as well."""
        lines = [_header_entries(self.header), *map(_turn_entries, self.turns)]
        return "".join(map(to_line, [*lines, _footer_entries(self.footer)]))

    def save(self, path: str | Path) -> None:
        """Writes the file, or leaves everything as it was; a file of this name is replaced.

        Raises:
            ReplayError: if it cannot be written.
        """
        write_text(path, self.to_text())


# --------------------------------------------------------------------------------------------------
# Writing


def hash_options(options: Mapping[str, Any]) -> str:
    """16 hex digits for a game's options; the order of the options does not matter."""
    text = json.dumps(dict(options), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _header_entries(header: Header) -> dict[str, Any]:
    return {
        "type": "header",
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "made_with": header.made_with,
        "game": header.game,
        "version": header.version,
        "options": dict(header.options),
        "options_hash": hash_options(header.options),
        "max_turns": header.max_turns,
        "seed": header.seed,
        "players": [asdict(player) for player in header.players],
        "fields": header.fields,
        "hash": header.hash,
        "field_hashes": header.field_hashes,
    }


def _turn_entries(turn: Turn) -> dict[str, Any]:
    return {
        "type": "turn",
        "turn": turn.number,
        "player": turn.player,
        "orders": turn.orders,
        "legal": turn.legal,
        "draws": turn.draws,
        "hash": turn.hash,
        "field_hashes": turn.field_hashes,
    }


def _footer_entries(footer: Footer) -> dict[str, Any]:
    return {
        "type": "footer",
        "turns": footer.turns,
        "ended": footer.ended,
        "outcome": footer.outcome,
        "rankings": [
            {"player": place.player.id, "rank": place.rank, "score": place.score}
            for place in footer.rankings
        ],
        "hash": footer.hash,
    }
