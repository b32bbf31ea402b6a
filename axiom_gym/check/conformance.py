"""Checks that a game conforms to the interface, each with a remedy.

    from axiom_gym.check.conformance import check_game

    assert all(finding.ok for finding in check_game(MyGame))

Random players play games from successive seeds, and every state of these games is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.check.loading import find_object_maker, load_maker
from axiom_gym.check.probe import Probe
from axiom_gym.errors import check_range
from axiom_gym.game.facts import (
    MEMBERS,
    GameLike,
    GameMetadata,
    KernelGame,
    missing_members,
)

CHECKS = {
    "interface": "write the members as axiom_gym.game.Game declares them",
    "plays": "fix the code that raises; the seed in the message plays the same game again",
    "ends": "end the game in is_game_over, or give its states max_turns",
    "immutable": "build new states: frozen dataclasses, tuples, dataclasses.replace(state, ...)",
    "deterministic": "draw all random numbers from the rng argument, and keep nothing in the game "
    "object between matches",
    "another process": "let nothing depend on the order of a set, on hash(), id() or the clock",
    "valid actions": "let get_valid_actions only read the state, and return each action once",
    "JSON": "make actions and states of dataclasses, tuples, mappings, enums, numbers and strings; "
    "or give the game encode_action() and decode_action()",
    "catalogue": "make actions of frozen dataclasses, or give the game "
    "get_all_actions(player_id, options)",
    "eliminated": "pass the turn to a player who is not in state.eliminated",
    "winner": "let get_winner return a player only at the end, and only one who is alone at rank 1",
    "rankings": "use axiom_gym.game.rank({player: score, ...})",
    "descriptions": "let describe_action return one line of text for every valid action, which "
    "is no number and none of the prompt's keys",
    "observations": "make all states of the same shape as the first: see axiom_gym.game.encoding; "
    "or give the game encode(state, player_id)",
    "written": "write every entry in every call, also those that do not change: see "
    "axiom_gym.kernel",
    "environments": "fix the code that raises; all environments run the same code",
    "forfeit": "give the game lowest_return, the lowest sum of a player's rewards; give a kernel "
    "game KernelGame.lowest_return",
    "replay": "give every match its own states, and keep nothing of a match in the game object",
}
"""The checks, in this order, each with its remedy."""

_OF_ARRAYS = ("written", "environments", "forfeit")
_AT_THE_END = ("ends", "deterministic", "winner", "rankings", "replay")
_SEE_ABOVE = "fix the failures above first"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check."""

    check: str
    ok: bool
    message: str
    """One sentence that describes the result."""
    remedy: str = ""
    """The remedy, if the check failed."""


def check_game(
    game: GameLike,
    *,
    games: int = 20,
    seed: int = 0,
    players: int | None = None,
    on_game: Callable[[int], object] = lambda done: None,
) -> list[Finding]:
    """Play games and return the findings of all checks except "another process".

    Args:
        game: the game: a function that makes it, such as its class; a kernel game, or a name.
        games: the number of games to play.
        seed: the seed of the first game; each later game adds 1.
        players: the number of players; None for the fewest that the game allows.
        on_game: a function to call after each game with the number of games played so far.

    Raises:
        ConfigError: for a number that is not allowed.
    """
    check_range("games", games, 1, 100_000)
    check_range("seed", seed, 0, MAX_SEED - games)
    make = _find_maker(game)
    missing = _check_members(make)
    if missing:
        return [_judge("interface", [missing])]
    probe = Probe(make, players)
    for number in range(games):
        probe.play(seed + number)
        on_game(number + 1)
    probe.check_catalogue()
    if not probe.problems["plays"]:
        probe.check_arrays(seed)
    left_out = {"another process", *(() if probe.is_kernel else ("written",))}
    return [_conclude(probe, check) for check in CHECKS if check not in left_out]


def _find_maker(game: Any) -> Callable[[], Any]:
    if isinstance(game, str):
        return load_maker(game)
    if isinstance(game, KernelGame):
        return find_object_maker(game)
    maker: Callable[[], Any] = game if callable(game) else lambda: game
    return maker


def _conclude(probe: Probe, check: str) -> Finding:
    if check in _AT_THE_END and not probe.finished and not probe.problems[check]:
        return Finding(check, False, "it could not be checked: no game has ended", _SEE_ABOVE)
    if check in _OF_ARRAYS and probe.problems["plays"]:
        return Finding(check, False, "it could not be checked: a game raised", _SEE_ABOVE)
    if check == "forfeit" and probe.problems["environments"]:
        return Finding(check, False, "it could not be checked: the AEC form raised", _SEE_ABOVE)
    return _judge(check, probe.problems[check], probe.describe(check))


def _judge(check: str, problems: Sequence[str], good: str = "") -> Finding:
    """Return the finding of a check; its message is the first problem, or `good` without one."""
    if not problems:
        return Finding(check, True, good)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return Finding(check, False, f"{problems[0]}{more}", CHECKS[check])


def judge_replays(own: str, other: str) -> Finding:
    """Return the finding of comparing the replays of this process and of another one."""
    if own == other:
        return _judge("another process", [], "the same replays come out of another process")
    lines = zip(own.splitlines(), other.splitlines(), strict=False)
    place = next((i for i, (one, two) in enumerate(lines, 1) if one != two), 0)
    problem = f"another process with another PYTHONHASHSEED plays differently, from line {place} on"
    return _judge("another process", [problem])


def _check_members(make: Callable[[], Any]) -> str:
    """Return a sentence about a missing or wrong member of the interface, else ""."""
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
        return f"metadata is a {type(metadata).__name__}, but must be a GameMetadata"
    low, high = metadata.min_players, metadata.max_players
    if not 1 <= low <= high:
        return f"metadata says {low} to {high} players; it needs 1 <= min_players <= max_players"
    return ""


def play_replays(make: Callable[[], Any], seeds: Sequence[int], players: int | None) -> str:
    """Return the replays of random games, one after the other, or the text of an exception."""
    probe = Probe(make, players)
    try:
        return "".join(probe.record(seed) for seed in seeds)
    except Exception as error:  # a game may raise anything
        return f"{type(error).__name__}: {error}\n"
