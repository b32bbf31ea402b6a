"""Golden games: whole games, recorded once, that tests play again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.play.match import Match
from axiom_gym.registry.games import make_config
from axiom_gym.replay.format import Replay

MOST_SEEDS = 200
"""The number of seeds that are tried for a whole game."""


def name_playthrough(game: KernelGame, preset: str | None) -> str:
    """Return the name of a playthrough's file: `chess-v0.jsonl`, or with a preset `chess-blitz`."""
    stem = f"{game.info.name}-{preset}" if preset else f"{game.info.name}-v{game.info.version}"
    return f"{stem}.jsonl"


def record_playthrough(
    game: KernelGame,
    players: Sequence[str] = (),
    seed: int | None = None,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Replay:
    """Return the replay of a whole game that somebody wins.

    Args:
        game: the game.
        players: the players by seat; by default random ones.
        seed: the seed; by default the first one, from 1, of such a game.
        preset: a preset of the game.
        options: options of the game.

    Raises:
        ConfigError: if the games are truncated, or nobody wins.
    """
    chosen = dict(options or {})
    seats = len(game.agents(make_config(game, preset, chosen)))
    named = list(players) or ["random"] * seats
    problem = ""
    for number in range(1, MOST_SEEDS + 1) if seed is None else [seed]:
        replay = Match(game, named, seed=number, preset=preset, **chosen).play()
        problem = find_flaw(replay)
        if not problem:
            return replay
    tried = f"seed {seed}" if seed is not None else f"each seed from 1 to {MOST_SEEDS}"
    raise ConfigError(
        f"with {tried}, {', '.join(named)}: {problem}. A playthrough is a whole game that somebody "
        "wins; give other --players, or another --seed."
    )


def find_flaw(replay: Replay) -> str:
    """Return why a game is no playthrough, in a few words; "" if it is one."""
    footer = replay.footer
    if footer.ended != "terminated":
        return f"the game is {footer.ended} after {footer.turns} turns"
    if len(footer.rankings) > 1 and len({place.rank for place in footer.rankings}) == 1:
        return "nobody wins"
    return ""
