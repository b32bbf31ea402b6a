"""Progress of matches: the player to act, and the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import BaseAction, Player
from axiom_gym.game.progress import MatchProgress

PLAYERS = [Player("ann"), Player("bob"), Player("cid")]


@dataclass(frozen=True)
class Open:
    """A state that does not name the player to act."""

    eliminated: tuple[str, ...] = ()
    moves: int = 0


class Crowd:
    """A game in which every player may act at any time, and is eliminated by acting."""

    def __init__(self, race: ModuleType) -> None:
        self.metadata = race.Race.metadata

    def initialize(self, config: Any, players: Any, rng: Any) -> Open:
        return Open()

    def get_valid_actions(self, state: Open, player_id: str) -> list[str]:
        return [f"{player_id} leaves"] if player_id != "ann" or state.moves else []

    def execute_action(self, state: Open, action: str, rng: Any) -> Open:
        gone = (*state.eliminated, action.split()[0])
        return replace(state, eliminated=gone, moves=state.moves + 1)

    def is_game_over(self, state: Open) -> bool:
        return len(state.eliminated) == 3


def make(game: Any, **options: Any) -> MatchProgress[Any, Any]:
    return MatchProgress(game, PLAYERS, {"goal": 20, "lives": 1}, seed=1, **options)


def test_get_mover__is_the_first_remaining_player_with_a_legal_action(race: ModuleType) -> None:
    progress = make(Crowd(race))
    movers = []
    while progress.reason is None:
        mover, actions = progress.get_mover()
        movers.append(mover)
        progress.advance(actions[0])
    assert movers == ["bob", "ann", "cid"]
    assert progress.turns == 3
    assert progress.out == ("bob", "ann", "cid")


def test_get_mover__refuses_a_state_in_which_nobody_can_act(race: ModuleType) -> None:
    class Stuck(Crowd):
        def get_valid_actions(self, state: Open, player_id: str) -> list[str]:
            return []

    with pytest.raises(GameError, match="race: the match is not over, but get_valid_actions gives"):
        make(Stuck(race)).get_mover()


def test_advance__plays_by_the_rules_up_to_a_limit(race: ModuleType) -> None:
    progress = make(race.Race(), max_turns=2)
    assert progress.game_id == progress.state.game_id == "race-1"
    assert progress.options == {"goal": 20, "lives": 1}
    for name in ("ann", "bob"):
        assert progress.reason is None
        assert progress.get_mover()[0] == name
        progress.advance(BaseAction("walk", name))
    assert (progress.reason, progress.turns, progress.turn) == ("max_turns", 2, 3)
    assert make(race.Race(), game_id="final").state.game_id == "final"


def test_progress__hashes_nothing_unless_it_is_strict(
    race: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = []
    monkeypatch.setattr("axiom_gym.game.state_manager.state_digest", digests.append)
    make(race.Race()).advance(BaseAction("walk", "ann"))
    assert digests == []
