"""A match from one state to the next: whose turn it is, and whether it is over.

Nothing is written down or hashed here: environments play by it as it stands, and `Course` adds the
record that a replay is made of.
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
"""Why a match ended: by its rules, by a limit, or because too few players were left to go on."""


class MatchProgress(Generic[State, Action]):
    """A match from its first state on, one action after the other.

    Attributes:
        state: the present one.
        action: what led to it, as an object; None at the start, and after a forfeit.
        rng: the game's generator.
        reason: why the match is over; None while it runs.
        taken: actions carried out.
        forfeited: ids of those who forfeited, in this order.
        game_id: of the match.
        options: all that the game was told, as JSON values.
        max_turns: the limit that the game was told, 0 for none.
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
        """Sets up the first state.

        Args:
            game: the game.
            players: by seat.
            options: all that the game is to know, its defaults too.
            seed: of the game's generator.
            game_id: of the match; made of the game's name and the seed if empty.
            max_turns: the limit, 0 for the state's own.
            strict: as in `StateManager`.

        Raises:
            GameError: for options that are no JSON, or a game that breaks the interface.
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
        """The state's turn; where it has none, the number of the next action."""
        turn = getattr(self.state, "turn", None)
        if type(turn) is int:  # looking at what is no plain int takes microseconds
            return turn
        return int(turn) if isinstance(turn, SupportsIndex) else self.taken + 1

    @property
    def turns(self) -> int:
        """Turns played."""
        return self.turn - self._first_turn

    @property
    def out(self) -> tuple[str, ...]:
        """Who is out by the rules, and then who else forfeited."""
        named = getattr(self.state, "eliminated", ())
        if type(named) is tuple and not self.forfeited:
            return named
        eliminated = tuple(named) if isinstance(named, Collection) else ()
        return eliminated + tuple(one for one in self.forfeited if one not in eliminated)

    def get_mover(self) -> tuple[str, list[Action]]:
        """Who is to act, and the valid actions, of which there is at least one.

        Raises:
            GameError: if nobody can act, though the match is not over.
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
        """Who may be to act: the player whom the state names, else all who are still in."""
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
        """Carries an action out, which is a valid one.

        Raises:
            GameError: if the game breaks the interface.
        """
        self.state = self._manager.apply(self.state, action, self.rng)
        self.action = action
        self.taken += 1
        self._judge()

    def give_up(self, player_id: str) -> None:
        """Let a player forfeit: the match goes on without, where that is possible, or ends."""
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
        """Return the state after a player is out; None if the game knows no such thing."""
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
        """Says whether the match is over, and why."""
        if self.reason is not None:
            return
        if self.game.is_game_over(self.state):
            self.reason = "over"
        elif 0 < self._limit <= self.turns:
            self.reason = "max_turns"
        elif self.forfeited and getattr(self.state, "active_player_id", None) in self.forfeited:
            # The game takes no notice of `eliminated`: it cannot go on without this player.
            self.reason = "forfeit"
