"""Hashes of games in play; as a script, those of the games that its input names, line by line."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

from axiom_gym.batch import Batch

TURNS = 100


def hash_of(game: str, options: dict[str, Any]) -> str:
    """Return a hash of all that a batch of this game holds after each turn.

    Actions are legal and illegal, players random and scripted, in every autoreset mode.
    """
    digest = hashlib.sha256()
    for mode, policy in ("next_step", "noop"), ("same_step", "forfeit"), ("disabled", "noop"):
        batch = Batch(game, 2, autoreset=mode, on_illegal=policy, max_turns=25, **options)
        batch.reset(9)
        for turn in range(TURNS):
            _play_turn(batch, turn)
            _add_buffers(digest, batch)
            over = batch.buffers.terminated | batch.buffers.truncated
            if mode == "disabled" and over.any():
                batch.reset(which=over)
        digest.update(batch.outcomes().tobytes() + batch.get_state())
    return digest.hexdigest()


def _play_turn(batch: Batch, turn: int) -> None:
    """Step with random actions, every fourth turn with a bot's, every 16th with an illegal one."""
    batch.sample_actions()
    if turn % 4 == 3:
        bots = ["random", *batch.game.standard_bots]
        seats = np.arange(2 * batch.num_players, dtype=np.int16).reshape(2, -1)
        batch.act(bots[turn // 4 % len(bots)], (seats + turn) % 2, 0)
    if turn % 16 == 15:
        batch.buffers.actions[turn % 2, 0, 0] = (-1, 99)[turn % 32 == 15]
    batch.step()


def _add_buffers(digest: Any, batch: Batch) -> None:
    for name in ("states", "episodes", "observations", "masks", "rewards", "terminated"):
        digest.update(getattr(batch.buffers, name).tobytes())


def main() -> None:
    import climb_game
    import raft_game

    from axiom_gym.registry import register

    register(climb_game.GAME)
    register(raft_game.GAME)
    for line in sys.stdin:
        print(hash_of(*json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
