"""Race: a plain Python game for tests, with dice, two to four players, and elimination.

In each turn a player walks (1 step) or rolls a die and moves that number of steps, but a 1 costs a
life and the player stays. A player without lives is eliminated. The first player with `goal` steps
wins, or else the last one left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axiom_gym.game import BaseAction, BaseGameState, GameMetadata, Player, PlayerRanking, rank
from axiom_gym.seeded_rng import SeededRNG


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceState(BaseGameState):
    """Steps made and lives left, by seat."""

    steps: tuple[int, ...]
    lives: tuple[int, ...]
    goal: int


class Race:
    """The rules."""

    metadata = GameMetadata("race", 2, 4, "First to the goal.", {"goal": 20, "lives": 1}, version=3)

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> RaceState:
        ids = tuple(player.id for player in players)
        return RaceState(
            game_id=config["game_id"],
            turn=1,
            active_player_id=ids[0],
            player_order=ids,
            max_turns=config.get("max_turns", 0),
            steps=(0,) * len(ids),
            lives=(config["lives"],) * len(ids),
            goal=config["goal"],
        )

    def get_valid_actions(self, state: RaceState, player_id: str) -> list[BaseAction]:
        if player_id != state.active_player_id:
            return []
        return [BaseAction("walk", player_id), BaseAction("roll", player_id)]

    def execute_action(self, state: RaceState, action: BaseAction, rng: SeededRNG) -> RaceState:
        seat = state.player_order.index(action.player_id)
        die = 1 if action.type == "walk" else rng.range(1, 6)
        hurt = action.type == "roll" and die == 1
        lives = _add(state.lives, seat, -1 if hurt else 0)
        moved = replace(
            state,
            steps=_add(state.steps, seat, 0 if hurt else die),
            lives=lives,
            turn=state.turn + 1,
        )
        if lives[seat] == 0:
            moved = replace(moved, eliminated=(*state.eliminated, action.player_id))
        return _pass_on(moved, seat)

    def is_game_over(self, state: RaceState) -> bool:
        return max(state.steps) >= state.goal or len(_left(state)) <= 1

    def get_winner(self, state: RaceState) -> Player | None:
        left = _left(state)
        ahead = [one for one in left if _steps(state, one) >= state.goal]
        if not self.is_game_over(state):
            return None
        return Player((ahead or left)[0])

    def get_rankings(self, state: RaceState) -> list[PlayerRanking]:
        scores = {
            Player(one): float(_steps(state, one)) if one in _left(state) else -1.0
            for one in state.player_order
        }
        return rank(scores)

    def describe_action(self, action: BaseAction, state: RaceState) -> str:
        return f"{action.player_id} {action.type}s."


def _add(values: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + amount, *values[seat + 1 :])


def _steps(state: RaceState, player_id: str) -> int:
    return state.steps[state.player_order.index(player_id)]


def _left(state: RaceState) -> list[str]:
    return [one for one in state.player_order if one not in state.eliminated]


def _pass_on(state: RaceState, seat: int) -> RaceState:
    order = state.player_order
    following = [*order[seat + 1 :], *order[: seat + 1]]
    left = [one for one in following if one not in state.eliminated]
    return replace(state, active_player_id=left[0])


@dataclass
class ListState:
    """A mutable state."""

    turn: int
    active_player_id: str
    marks: list[str]


class Scribble:
    """A game that mutates its state in one of the possible ways."""

    metadata = GameMetadata("scribble", 1, 4)

    def __init__(self, fault: str) -> None:
        """`fault`: "same" object returned, "changed" and replaced, or "" for none."""
        self.fault = fault

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> ListState:
        self.players = list(players)
        return ListState(0, players[0].id, [])

    def get_valid_actions(self, state: ListState, player_id: str) -> list[str]:
        return ["x", "o"]

    def execute_action(self, state: ListState, action: str, rng: SeededRNG) -> ListState:
        if self.fault == "same":
            state.turn += 1
            return state
        marks = state.marks if self.fault == "changed" else list(state.marks)
        marks.append(action)
        return ListState(state.turn + 1, state.active_player_id, marks)

    def is_game_over(self, state: ListState) -> bool:
        return state.turn >= 3

    def get_winner(self, state: ListState) -> Player | None:
        return self.players[0] if self.is_game_over(state) else None

    def get_rankings(self, state: ListState) -> list[PlayerRanking]:
        return rank(dict.fromkeys(self.players, 0.0))

    def describe_action(self, action: str, state: ListState) -> str:
        return f"marks {action}"
