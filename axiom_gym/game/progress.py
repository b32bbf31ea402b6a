"""A match of a plain Python game: its current state, the player to act, and its end.

This module records and hashes nothing. Environments use `MatchProgress` as it is, and
`axiom_gym.replay.course.Course` adds the record of a replay.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Generic, Literal, SupportsIndex

from axiom_gym.errors import GameError
from axiom_gym.game.canonical import to_json
from axiom_gym.game.facts import Action, Game, Player, State
from axiom_gym.game.state_manager import StateManager
from axiom_gym.seeded_rng import SeededRNG

Reason = Literal["over", "max_turns", "forfeit"]
"""The reason why a match ended: by its rules, at a limit, or because of a forfeit."""


class MatchProgress(Generic[State, Action]):
    """A match that is played action by action.

    Attributes:
        state: the current state.
        action: the action that led to it; None at the start and after a forfeit.
        rng: the game's generator.
        reason: the reason why the match is over; None while it is in progress.
        taken: the number of actions so far.
        forfeited: the ids of the players who forfeited, in this order.
        game_id: the id of the match.
        options: the game's options as JSON values.
        max_turns: the limit that the game was given, 0 for none.
    """

    def __init__(
        self,
        game: Game[State, Action],
        players: Sequence[Player],
        options: Mapping[str, Any],
        *,
        seed: int,
        game_id: str = "",
        max_turns: int = 0,
        strict: bool = False,
    ) -> None:
        """Make the first state.

        Args:
            game: the game.
            players: the players by seat.
            options: all options of the game, including those that have their default.
            seed: the seed of the game's generator.
            game_id: the id of the match; if empty, it consists of the game's name and the seed.
            max_turns: the limit of turns; 0 for the one in the state.
            strict: if True, check that states are never changed; see `StateManager`.

        Raises:
            GameError: for options that cannot be written as JSON, or a game that violates the
                interface.
        """
        self.game, self.players = game, tuple(players)
        self.rng = SeededRNG(seed)
        self.max_turns = max_turns
        self.forfeited: list[str] = []
        self.reason: Reason | None = None
        self.action: Action | None = None
        self.options = {name: to_json(value) for name, value in options.items()}
        self.game_id = game_id or f"{game.metadata.name}-{seed}"
        self.taken = 0
        self._ids = [player.id for player in self.players]
        self._manager = StateManager(game, strict)
        limit = {"max_turns": max_turns} if max_turns else {}
        config = {**self.options, "game_id": self.game_id, **limit}
        self.state = game.initialize(config, self.players, self.rng)
        self._first_turn = self.turn
        own = getattr(self.state, "max_turns", 0)
        self._limit = max_turns or (int(own) if isinstance(own, SupportsIndex) else 0)
        self._judge()

    @property
    def turn(self) -> int:
        """The turn in the state; if the state has none, the number of the next action."""
        turn = getattr(self.state, "turn", None)
        if type(turn) is int:  # `isinstance` takes microseconds here for any other type
            return turn
        return int(turn) if isinstance(turn, SupportsIndex) else self.taken + 1

    @property
    def turns(self) -> int:
        """The number of turns that were played."""
        return self.turn - self._first_turn

    @property
    def out(self) -> tuple[str, ...]:
        """The ids of eliminated players, followed by others who forfeited."""
        named = getattr(self.state, "eliminated", ())
        if type(named) is tuple and not self.forfeited:
            return named
        eliminated = tuple(named) if isinstance(named, Collection) else ()
        return eliminated + tuple(one for one in self.forfeited if one not in eliminated)

    def get_mover(self) -> tuple[str, list[Action]]:
        """Return the player to act and their legal actions, of which there is at least one.

        Raises:
            GameError: if no player has a legal action although the match is not over.
        """
        asked = self._find_candidates()
        for player_id in asked:
            actions = list(self.game.get_valid_actions(self.state, player_id))
            if actions:
                return player_id, actions
        raise GameError(
            f"{self.game.metadata.name}: the match is not over, but get_valid_actions gives "
            f"{' and '.join(map(repr, asked)) or 'nobody'} nothing to do in turn {self.turn}; give "
            "an action that passes, or end the match in is_game_over."
        )

    def _find_candidates(self) -> list[str]:
        """Return the active player if the state names one, otherwise all remaining players."""
        active = getattr(self.state, "active_player_id", None)
        if active is None:
            return [player_id for player_id in self._ids if player_id not in self.out]
        if active not in self._ids:
            raise GameError(
                f"{self.game.metadata.name}: active_player_id is {active!r}, which is no player; "
                f"players are {', '.join(map(repr, self._ids))}."
            )
        return [active]

    def advance(self, action: Action) -> None:
        """Execute a legal action.

        Raises:
            GameError: if the game violates the interface.
        """
        self.state = self._manager.apply(self.state, action, self.rng)
        self.action = action
        self.taken += 1
        self._judge()

    def give_up(self, player_id: str) -> None:
        """Let a player forfeit; the match continues without the player if possible, or ends."""
        self.forfeited.append(player_id)
        others = [one for one in self._ids if one not in self.out]
        successor = self._without(player_id, others) if len(others) > 1 else None
        self.action = None
        if successor is None:
            self.reason = "forfeit"
        else:
            self.state = successor
        self._judge()

    def _without(self, player_id: str, others: list[str]) -> State | None:
        """Return the state without a player; None if the game cannot eliminate players."""
        eliminate = getattr(self.game, "eliminate", None)
        if eliminate is not None:
            successor: State | None = eliminate(self.state, player_id, self.rng)
            return successor
        state: Any = self.state
        fields = getattr(state, "__dataclass_fields__", {})
        if not {"eliminated", "active_player_id", "player_order"} <= set(fields):
            return None
        order = list(state.player_order)
        place = order.index(player_id)
        following = [one for one in order[place:] + order[:place] if one in others]
        active = state.active_player_id
        replaced: State = dataclasses.replace(
            state,
            eliminated=(*state.eliminated, player_id),
            active_player_id=following[0] if active == player_id else active,
        )
        return replaced

    def _judge(self) -> None:
        """Set `reason` if the match is over."""
        if self.reason is not None:
            return
        if self.game.is_game_over(self.state):
            self.reason = "over"
        elif 0 < self._limit <= self.turns:
            self.reason = "max_turns"
        elif self.forfeited and getattr(self.state, "active_player_id", None) in self.forfeited:
            # The game ignores `eliminated` and still waits for this player.
            self.reason = "forfeit"
