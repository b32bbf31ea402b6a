"""One game of the trained agent, kept as a replay and as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiom_gym.files import replacing
from axiom_gym.opponents import Opponent
from axiom_gym.play.match import Match
from axiom_gym.registry import count_players
from axiom_gym.replay import text as replay_text
from axiom_training.policy import ModelPolicy

REPLAY = "game.jsonl"
TEXT = "game.txt"


def save_showcase(
    policy: ModelPolicy,
    opponent: Opponent,
    game: str,
    options: dict[str, Any],
    seed: int,
    directory: Path,
) -> tuple[Path, Path]:
    """Plays the policy at the first seat against `opponent` at all others; writes replay and text.

    Args:
        policy: the trained agent.
        opponent: who plays the other seats.
        game: the game's name.
        options: the game's own options.
        seed: of the game.
        directory: where both files go.

    Returns:
        The paths of the replay and of the text.
    """
    others = count_players(game, options) - 1
    replay = Match(game, [policy, *[opponent] * others], seed=seed, **options).play()
    replay.save(directory / REPLAY)
    text = "\n\n".join(replay_text.show(replay, game))
    with replacing(directory / TEXT) as file:
        file.write(f"{text}\n".encode())
    return directory / REPLAY, directory / TEXT
