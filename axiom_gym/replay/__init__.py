"""Replays: record a game, save and load it, play it again, and say where it differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.game.canonical import StateHash
    from axiom_gym.replay.format import Footer, Header, Replay, Turn
    from axiom_gym.replay.playback import Playback, Verification, verify
    from axiom_gym.replay.reader import load
    from axiom_gym.replay.recorder import Recorder, rank_players
    from axiom_gym.replay.tape import count_draws, hash_state

__all__ = [
    "Footer",
    "Header",
    "Playback",
    "Recorder",
    "Replay",
    "StateHash",
    "Turn",
    "Verification",
    "count_draws",
    "hash_state",
    "load",
    "rank_players",
    "verify",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        __all__,
        (
            "axiom_gym.replay.format",
            "axiom_gym.replay.reader",
            "axiom_gym.replay.tape",
            "axiom_gym.replay.playback",
            "axiom_gym.replay.recorder",
        ),
    )


def __dir__() -> list[str]:
    return list(__all__)
