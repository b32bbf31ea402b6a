"""One game of the trained agent, saved as a replay and as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiom_gym.files import replacing
from axiom_gym.opponents import Opponent
from axiom_gym.play.match import Match
from axiom_gym.registry import count_players
from axiom_gym.replay import text as replay_text

REPLAY = "game.jsonl"
TEXT = "game.txt"


def save_showcase(
    player: Opponent,
    opponent: Opponent,
    game: str,
    options: dict[str, Any],
    seed: int,
    directory: Path,
) -> tuple[Path, Path]:
    """Play an agent in the first seat against `opponent` in all others; save replay and text.

    Args:
        player: the trained agent.
        opponent: the opponent in all other seats.
        game: the name of the game.
        options: the game's own options.
        seed: the seed of the game.
        directory: the directory of both files.

    Returns:
        The paths of the replay and of the text.
    """
    others = count_players(game, options) - 1
    replay = Match(game, [player, *[opponent] * others], seed=seed, **options).play()
    replay.save(directory / REPLAY)
    text = "\n\n".join(replay_text.show(replay, game))
    with replacing(directory / TEXT) as file:
        file.write(f"{text}\n".encode())
    return directory / REPLAY, directory / TEXT
