"""Heap: a plain Python game for tests whose states are tuples, with several decisions in a row.

From a heap of random size a player takes 1 to 3 stones, one by one, and may pass after the first.
The player who takes the last stone wins. A state is (stones left, stones taken in this turn, seat);
an action is 1 to take a stone and 0 to pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym.game import GameMetadata, Player, PlayerRanking, rank
from axiom_gym.seeded_rng import SeededRNG

HeapState = tuple[int, int, int]


class Heap:
    """Rules for two players."""

    metadata = GameMetadata("heap", 2, 2, "The last stone wins.", {"low": 5, "high": 12}, version=1)
    players: Sequence[Player]

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> HeapState:
        self.players = tuple(players)
        return rng.range(config["low"], config["high"]), 0, 0

    def get_valid_actions(self, state: HeapState, player_id: str) -> list[int]:
        left, taken, seat = state
        if self.players[seat].id != player_id:
            return []
        return [1] * (left > 0 and taken < 3) + [0] * (taken > 0)

    def execute_action(self, state: HeapState, action: int, rng: SeededRNG) -> HeapState:
        left, taken, seat = state
        return (left - 1, taken + 1, seat) if action else (left, 0, 1 - seat)

    def is_game_over(self, state: HeapState) -> bool:
        return state[0] == 0

    def get_winner(self, state: HeapState) -> Player | None:
        return self.players[state[2]] if state[0] == 0 else None

    def get_rankings(self, state: HeapState) -> list[PlayerRanking]:
        winner = self.get_winner(state)
        return rank({player: float(player == winner) for player in self.players})

    def describe_action(self, action: int, state: HeapState) -> str:
        return "takes a stone." if action else "passes."
