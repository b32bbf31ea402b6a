"""Whether a plain Python game keeps to the interface: what is checked, and what to do about it.

    from axiom_gym.check.conformance import check_game

    assert all(finding.ok for finding in check_game(MyGame))

Games of random players are played from successive seeds, and every state of them is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.check.probe import Probe
from axiom_gym.errors import check_range
from axiom_gym.game.facts import MEMBERS, GameMetadata, missing_members

CHECKS = {
    "interface": "write the members as axiom_gym.game.Game declares them",
    "plays": "mend what raises; the seed is in the message, and the same game comes again with it",
    "ends": "end the game in is_game_over, or give its states max_turns",
    "immutable": "build new states: frozen dataclasses, tuples, dataclasses.replace(state, ...)",
    "deterministic": "draw all chance from the rng that is handed in, and keep nothing in the game "
    "object between matches",
    "another process": "let nothing depend on the order of a set, on hash(), id() or the clock",
    "valid actions": "let get_valid_actions only look at the state, and give each action once",
    "JSON": "make actions and states of dataclasses, tuples, mappings, enums, numbers and texts; "
    "or give the game encode_action() and decode_action()",
    "catalogue": "make actions of frozen dataclasses, or give the game "
    "get_all_actions(player_id, options)",
    "eliminated": "pass the turn on to a player who is not in state.eliminated",
    "winner": "let get_winner give a player only at the end, and who is alone at rank 1",
    "rankings": "use axiom_gym.game.rank({player: score, ...})",
    "descriptions": "let describe_action return one line of text for every valid action",
    "replay": "give every match its own states; nothing of a match may stay in the game object",
}
"""What is checked, in this order, and what helps where it fails."""

_AT_THE_END = ("ends", "deterministic", "winner", "rankings", "replay")
_SEE_ABOVE = "mend what stands above first"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a check."""

    check: str
    ok: bool
    message: str
    """One sentence for people: what was seen."""
    remedy: str = ""
    """What to do, where it is not in order."""


def check_game(
    make: Callable[[], Any],
    *,
    games: int = 20,
    seed: int = 0,
    players: int | None = None,
    on_game: Callable[[int], object] = lambda done: None,
) -> list[Finding]:
    """Plays games and says for each check how it went, but for "another process".

    Args:
        make: makes the game, such as its class.
        games: how many are played, with the seeds from `seed` on.
        seed: the first one.
        players: how many play; the fewest that the game allows if not given.
        on_game: is told after each game how many were played.

    Raises:
        ConfigError: for a number that is not allowed.
    """
    check_range("games", games, 1, 100_000)
    check_range("seed", seed, 0, MAX_SEED - games)
    missing = _check_members(make)
    if missing:
        return [_judge("interface", [missing])]
    probe = Probe(make, players)
    for number in range(games):
        probe.play(seed + number)
        on_game(number + 1)
    probe.check_catalogue()
    return [_conclude(probe, check) for check in CHECKS if check != "another process"]


def _conclude(probe: Probe, check: str) -> Finding:
    if check in _AT_THE_END and not probe.finished and not probe.problems[check]:
        return Finding(check, False, "nothing was seen of it: no game came to its end", _SEE_ABOVE)
    return _judge(check, probe.problems[check], probe.describe(check))


def _judge(check: str, problems: Sequence[str], good: str = "") -> Finding:
    """A check by the problems that were found, of which the first is told."""
    if not problems:
        return Finding(check, True, good)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return Finding(check, False, f"{problems[0]}{more}", CHECKS[check])


def judge_replays(own: str, other: str) -> Finding:
    """Compares the replays that this process and another one made."""
    if own == other:
        return _judge("another process", [], "the same replays come out of another process")
    lines = zip(own.splitlines(), other.splitlines(), strict=False)
    place = next((i for i, (one, two) in enumerate(lines, 1) if one != two), 0)
    problem = f"another process with another PYTHONHASHSEED plays differently, from line {place} on"
    return _judge("another process", [problem])


def _check_members(make: Callable[[], Any]) -> str:
    """What of the interface is missing or cannot be; nothing if it is complete."""
    try:
        game = make()
    except Exception as error:
        return f"the game cannot be made: {type(error).__name__}: {error}"
    missing = missing_members(game)
    if missing:
        return f"{type(game).__name__} has no {', '.join(missing)}"
    odd = [name for name in MEMBERS[1:] if not callable(getattr(game, name))]
    if odd:
        return f"{', '.join(odd)} of {type(game).__name__} cannot be called"
    return _check_metadata(game.metadata)


def _check_metadata(metadata: Any) -> str:
    if not isinstance(metadata, GameMetadata):
        return f"metadata is a {type(metadata).__name__}, and must be a GameMetadata"
    low, high = metadata.min_players, metadata.max_players
    if not 1 <= low <= high:
        return f"metadata says {low} to {high} players; there must be at least 1, and as many more"
    return ""


def play_replays(make: Callable[[], Any], seeds: Sequence[int], players: int | None) -> str:
    """The replays of random games, one after the other, or the error that one raised."""
    probe = Probe(make, players)
    try:
        return "".join(probe.record(seed) for seed in seeds)
    except Exception as error:  # whatever a game may raise
        return f"{type(error).__name__}: {error}\n"
