r"""The contents of a replay, and its file format, JSON Lines.

A file holds one JSON object per line, in UTF-8, with the entries in this order:

    {"type":"header","format":"axiom-gym-replay","format_version":3,"made_with":"axiom-gym 0.1.0",
     "game":"quantaris","version":0,"plain":false,"options":{...},"options_hash":H,"max_turns":0,
     "seed":1,"players":[{"id":"player_0","name":"random"},...],
     "hash":H,"fields":["turn","phase",...],"field_hashes":F}
    {"type":"turn","turn":1,"player":null,"orders":[[1,5,0],[2,0,0]],
     "legal":[[13,11,13],[12,13,13]],"draws":0,"hash":H,"field_hashes":F}
    ...
    {"type":"footer","turns":23,"ended":"terminated","outcome":[1.0,-1.0],
     "rankings":[{"player":"player_0","rank":1,"score":1.0},...],"hash":H}

Header: `version` is that of the game. `plain` is true for a plain Python game
(`axiom_gym.game.Game`) and false for a kernel game. `seed` is the state of the game's generator
when the episode began. A player that is a saved model has an entry `model` with the first 16 hex
digits of the SHA-256 of its file. There is an entry `match_id` if the match has an id.

Turn: `turn` numbers the lines from 1. `player` is the seat of the player who acted, or null where
all players act at once. `orders` has an item for each player who acted: the sub-actions as the
kernel takes them, or the action of a plain game as JSON. `legal` has the number of legal choices of
each sub-action; of a plain game it has the number of valid actions. `draws` is the number of random
numbers that the rules drew. `fallback` lists the seats of players who failed and for whom the
fallback decided, if there are any. `asked` is the transcript of language models, if any play: for
each of their decisions the seat and all attempts, each with a digest of the chat, the reply, and
its category (`axiom_gym.text.parsing`):

    "asked":[{"player":0,"attempts":[{"prompt":H,"reply":"{\"move\": \"d\"}","category":"ok"}]}]

Verification ignores it.

A player who forfeits has a line

    {"type":"forfeit","turn":9,"player":1,"why":"late","draws":0,"hash":H,"field_hashes":F}

From then on a kernel gets -1 for each sub-action of that player, until the rules eliminate the
player.

Footer: `ended` is how the game ended. A plain game may be "truncated" before its own limit, because
an environment may have a limit of its own.

H is 16 hex digits: a hash of the state after the line, except for `options_hash`. F has 4 hex
digits for each of the state's `fields`, which show the part of the state that differs; a line names
the fields only if they differ from those of the line before. The hashes are those of
`axiom_gym.replay.hash_state` for kernels, and of `axiom_gym.game.canonical` for plain games.

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
FORMAT_VERSION = 3

Ended = Literal["terminated", "truncated", "forfeit"]
"""The end of a game: by its rules, by a limit, or because forfeits left too few players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The game, its players and its first state."""

    game: str
    version: int
    plain: bool = False
    """True for a plain Python game."""
    options: Mapping[str, Any]
    """All options of the game, including the defaults, as JSON values."""
    match_id: str = ""
    """The id that the players gave the match; usually empty."""
    max_turns: int
    """The number of turns after which the episode is truncated, 0 for no limit."""
    seed: int
    players: tuple[Player, ...]
    """The players by seat."""
    hash: str
    """The hash of the first state."""
    fields: tuple[str, ...]
    """The names of the state's fields."""
    field_hashes: str
    made_with: str
    """The package and version that wrote the replay."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A reply of a language model."""

    prompt: str
    """The digest of the chat that it answers."""
    reply: str
    category: str
    """The result of parsing it, such as "ok" or "illegal"."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The transcript of one decision of a language model."""

    player: int
    """The seat."""
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One line: the sub-actions of the players who act, or a forfeit; and the state after it."""

    number: int
    player: int | None
    """The seat of the player who acted; None where all players act at once."""
    orders: tuple[Any, ...]
    """An item for each player who acted: a tuple of sub-actions, or a plain action as JSON."""
    legal: tuple[tuple[int, ...], ...]
    """The number of legal choices of each of these sub-actions."""
    fallback: tuple[int, ...] = ()
    """The seats for which the fallback decided."""
    why: str = ""
    """The failure of the player who forfeited; empty for a turn."""
    asked: tuple[Asked, ...] = ()
    """The transcripts of the decisions that led to this line."""
    draws: int
    hash: str
    fields: tuple[str, ...]
    field_hashes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """The end of the game."""

    turns: int
    """The number of lines between header and footer."""
    ended: Ended
    outcome: tuple[float, ...]
    """The outcome by seat; of a kernel, all 0 where a limit ended an undecided game."""
    rankings: tuple[PlayerRanking, ...]
    """All players, best first; equal players share a rank, and those who forfeited come last."""
    hash: str
    """The hash of the last state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One recorded game, from its first state to its end."""

    header: Header
    turns: tuple[Turn, ...]
    footer: Footer

    @property
    def game_id(self) -> str:
        """The id of the game, such as `quantaris-v0`."""
        return f"{self.header.game}-v{self.header.version}"

    def to_text(self) -> str:
        """Return the text of the file; each line ends with a newline."""
        lines = [_header_entries(self.header)]
        fields = self.header.fields
        for turn in self.turns:
            lines.append(_turn_entries(turn, fields))
            fields = turn.fields
        return "".join(map(to_line, [*lines, _footer_entries(self.footer)]))

    def save(self, path: str | Path) -> None:
        """Write the file, or replace an existing one. If writing fails, nothing changes.

        Raises:
            ReplayError: if it cannot be written.
        """
        write_text(path, self.to_text())


def hash_options(options: Mapping[str, Any]) -> str:
    """Return 16 hex digits for a game's options; their order does not matter."""
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
        "players": [
            {"id": one.id, "name": one.name, **({"model": one.model} if one.model else {})}
            for one in header.players
        ],
        **_hash_entries(header, None),
    }


def _turn_entries(turn: Turn, fields: tuple[str, ...]) -> dict[str, Any]:
    fallback = {"fallback": turn.fallback} if turn.fallback else {}
    acted = {"orders": turn.orders, "legal": turn.legal, **fallback}
    return {
        "type": "forfeit" if turn.why else "turn",
        "turn": turn.number,
        "player": turn.player,
        **({"why": turn.why} if turn.why else acted),
        **({"asked": [asdict(one) for one in turn.asked]} if turn.asked else {}),
        "draws": turn.draws,
        **_hash_entries(turn, fields),
    }


def _hash_entries(line: Header | Turn, fields: tuple[str, ...] | None) -> dict[str, Any]:
    """Return a state's hashes, without its field names if they equal `fields`, the last line's."""
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
