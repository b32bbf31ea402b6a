r"""What a replay is, and its form on disk: JSON Lines, written whole or not at all.

One line each, in UTF-8, entries in this order:

    {"type":"header","format":"axiom-gym-replay","format_version":3,"made_with":"axiom-gym 0.1.0",
     "game":"quantaris","version":0,"plain":false,"options":{...},"options_hash":H,"max_turns":0,
     "seed":1,"players":[{"id":"player_0","name":"random"},...],
     "hash":H,"fields":["turn","phase",...],"field_hashes":F}
    {"type":"turn","turn":1,"player":null,"orders":[[1,5,0],[2,0,0]],
     "legal":[[13,11,13],[12,13,13]],"draws":0,"hash":H,"field_hashes":F}
    ...
    {"type":"footer","turns":23,"ended":"terminated","outcome":[1.0,-1.0],
     "rankings":[{"player":"player_0","rank":1,"score":1.0},...],"hash":H}

`version` is the game's; `plain` tells a plain Python game (`axiom_gym.game.Game`) from one that is
a kernel; `seed` is the state of the game's generator when the episode began. A player who is a
saved model has an entry `model` with the first 16 hex digits of the SHA-256 of its file. The header
has an entry `match_id` if the players gave the match a name.

`turn` numbers the lines; `player` is the seat of the player who acted, and null where all act at
once; `orders` has an item for each who acted: the sub-actions as the kernel takes them, or the
action of a plain game as JSON. `legal` has the number of legal choices for each sub-action; a plain
game has one, the number of valid actions. `draws` counts the random numbers that the rules drew.
`fallback` lists the seats of players who failed and for whom a stand-in decided, if there are any.
A player who gives up has a line

    {"type":"forfeit","turn":9,"player":1,"why":"late","draws":0,"hash":H,"field_hashes":F}

A plain game also is truncated where the footer says so: an environment may have such a limit. A
kernel gets -1 for each sub-action of a player who gave up, until the rules eliminate them.

H is 16 hex digits: a hash of the state after the line (that of `options` aside). F has 4 hex digits
for each of the state's `fields`, so that a difference can be traced to a part of the state; a line
names the fields only where they are others than in the line before. See
`axiom_gym.replay.hash_state` for kernels, `axiom_gym.game.canonical` for plain games.

The same game with the same seed and players gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.replay.entries import to_line, write_text

FORMAT = "axiom-gym-replay"
FORMAT_VERSION = 3

Ended = Literal["terminated", "truncated", "forfeit"]
"""What ended a game: its rules, a limit, or that too few players were left to go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What was played, and from where."""

    game: str
    version: int
    plain: bool
    """Whether it is a plain Python game."""
    options: Mapping[str, Any]
    """All options of the game, the defaults too; plain JSON values."""
    match_id: str
    """The name that the players gave the match, mostly empty."""
    max_turns: int
    """The limit at which the episode is truncated, 0 for none."""
    seed: int
    players: tuple[Player, ...]
    """By seat."""
    hash: str
    """Of the first position."""
    fields: tuple[str, ...]
    """Names of the state's fields."""
    field_hashes: str
    made_with: str
    """The package and version that wrote the replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The orders of all who act at once, and what they led to; or that a player gave up."""

    number: int
    player: int | None
    """The seat of who acted; None where all act at once."""
    orders: tuple[Any, ...]
    """An item for each who acted: a tuple of sub-actions, or the JSON value of a plain action."""
    legal: tuple[tuple[int, ...], ...]
    """How many legal choices each of these orders had."""
    fallback: tuple[int, ...] = ()
    """The seats for whom a stand-in decided."""
    why: str = ""
    """How the player failed who gave up; empty where nobody did."""
    draws: int
    hash: str
    fields: tuple[str, ...]
    field_hashes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """How it ended."""

    turns: int
    """The number of lines between header and footer."""
    ended: Ended
    outcome: tuple[float, ...]
    """By seat. Of a kernel: all 0 where a limit ended an undecided game."""
    rankings: tuple[PlayerRanking, ...]
    """Best first; equal players share a rank, and those who gave up come last."""
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
        """Return the lines of the file, the last with its line end as well."""
        lines = [_header_entries(self.header)]
        fields = self.header.fields
        for turn in self.turns:
            lines.append(_turn_entries(turn, fields))
            fields = turn.fields
        return "".join(map(to_line, [*lines, _footer_entries(self.footer)]))

    def save(self, path: str | Path) -> None:
        """Write the file, or leave everything as it was; a file of this name is replaced.

        Raises:
            ReplayError: if it cannot be written.
        """
        write_text(path, self.to_text())


# --------------------------------------------------------------------------------------------------
# Writing


def hash_options(options: Mapping[str, Any]) -> str:
    """Return 16 hex digits for a game's options; the order of the options does not matter."""
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
        "plain": header.plain,
        "options": dict(header.options),
        "options_hash": hash_options(header.options),
        **({"match_id": header.match_id} if header.match_id else {}),
        "max_turns": header.max_turns,
        "seed": header.seed,
        "players": [_player_entries(player) for player in header.players],
        **_hash_entries(header, None),
    }


def _player_entries(player: Player) -> dict[str, Any]:
    model = {"model": player.model} if player.model else {}
    return {"id": player.id, "name": player.name, **model}


def _turn_entries(turn: Turn, fields: tuple[str, ...]) -> dict[str, Any]:
    orders: dict[str, Any] = {"orders": turn.orders, "legal": turn.legal}
    if turn.fallback:
        orders["fallback"] = turn.fallback
    return {
        "type": "forfeit" if turn.why else "turn",
        "turn": turn.number,
        "player": turn.player,
        **({"why": turn.why} if turn.why else orders),
        "draws": turn.draws,
        **_hash_entries(turn, fields),
    }


def _hash_entries(line: Header | Turn, fields: tuple[str, ...] | None) -> dict[str, Any]:
    """Return a state's hashes; its fields' names only if they are others than before."""
    names = {} if line.fields == fields else {"fields": line.fields}
    return {"hash": line.hash, **names, "field_hashes": line.field_hashes}


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
