"""The course of one match: its state, whose turn it is, what was recorded, and whether it is over.

Whoever decides is no matter here: the loop asks agents, and a replay is read from its lines.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Generic, SupportsIndex

from axiom_gym import __version__
from axiom_gym.errors import GameError
from axiom_gym.game import Action, Game, Player, State
from axiom_gym.loop.canonical import hash_fields, to_json
from axiom_gym.loop.replay_format import MatchFooter, MatchHeader, MatchReplay, Step
from axiom_gym.loop.result import Reason
from axiom_gym.loop.standing import find_winner, rank_match
from axiom_gym.loop.state_manager import StateManager
from axiom_gym.seeded_rng import SeededRNG


class Course(Generic[State, Action]):
    """A match from its first state on, one action after the other.

    Attributes:
        state: the present one.
        rng: the game's generator.
        reason: why the match is over; None while it runs.
        out: ids of players who are out by the rules, or forfeited.
        forfeited: ids of those who forfeited, in this order.
        steps: what was played.
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
        self.forfeited: list[str] = []
        self.steps: list[Step] = []
        self._taken = 0
        self.reason: Reason | None = None
        self._manager = StateManager(game, strict)
        plain = {name: to_json(value) for name, value in options.items()}
        game_id = game_id or f"{game.metadata.name}-{seed}"
        limit = {"max_turns": max_turns} if max_turns else {}
        config = {**plain, "game_id": game_id, **limit}
        self.state = game.initialize(config, self.players, self.rng)
        self._first_turn = self.turn
        own = getattr(self.state, "max_turns", 0)
        self._max_turns = max_turns or (int(own) if isinstance(own, SupportsIndex) else 0)
        self.header = MatchHeader(
            game=game.metadata.name,
            version=game.metadata.version,
            options=plain,
            game_id=game_id,
            max_turns=max_turns,
            seed=seed,
            players=self.players,
            hash=hash_fields(self.state),
            made_with=f"axiom-gym {__version__}",
        )
        self._judge()

    # -- the state ---------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The state's turn; where it has none, the number of the next action."""
        turn = getattr(self.state, "turn", None)
        return int(turn) if isinstance(turn, SupportsIndex) else self._taken + 1

    @property
    def turns(self) -> int:
        """Turns played."""
        return self.turn - self._first_turn

    @property
    def out(self) -> tuple[str, ...]:
        """Who is out by the rules, and then who else forfeited."""
        named = getattr(self.state, "eliminated", ())
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
        ids = [player.id for player in self.players]
        if active is None:
            return [player_id for player_id in ids if player_id not in self.out]
        if active not in ids:
            raise GameError(
                f"{self.game.metadata.name}: active_player_id is {active!r}, which is no player; "
                f"players are {', '.join(map(repr, ids))}."
            )
        return [active]

    # -- playing -----------------------------------------------------------------------------------

    def take(self, player_id: str, action: Action, by: str, valid: int) -> Step:
        """Carries an action out, which is one of `valid` many, and records it.

        Raises:
            GameError: if the game breaks the interface, or the action cannot be written as JSON.
        """
        turn, before = self.turn, self.rng.state
        encoded = encode(self.game, action)
        self.state = self._manager.apply(self.state, action, self.rng)
        self._taken += 1
        return self._record(
            type="action",
            turn=turn,
            player=player_id,
            action=encoded,
            by=by,
            valid=valid,
            rng=before,
        )

    def forfeit(self, player_id: str, why: str) -> Step:
        """A player gives up: the match goes on without, where that can be, and else ends."""
        turn, before = self.turn, self.rng.state
        self.forfeited.append(player_id)
        others = [player.id for player in self.players if player.id not in self.out]
        successor = self._without(player_id, others) if len(others) > 1 else None
        if successor is None:
            self.reason = "forfeit"
        else:
            self.state = successor
        return self._record(type="forfeit", turn=turn, player=player_id, why=why, rng=before)

    def _without(self, player_id: str, others: list[str]) -> State | None:
        """The state after a player is out; None if the game knows no such thing."""
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

    def _record(self, **entries: Any) -> Step:
        step = Step(number=len(self.steps) + 1, hash=hash_fields(self.state), **entries)
        self.steps.append(step)
        self._judge()
        return step

    def _judge(self) -> None:
        """Says whether the match is over, and why."""
        if self.reason is not None:
            return
        if self.game.is_game_over(self.state):
            self.reason = "over"
        elif 0 < self._max_turns <= self.turns:
            self.reason = "max_turns"
        elif getattr(self.state, "active_player_id", None) in self.forfeited:
            # The game takes no notice of `eliminated`: it cannot go on without this player.
            self.reason = "forfeit"

    # -- the end -----------------------------------------------------------------------------------

    def finish(self) -> MatchReplay:
        """The replay of the match, which is over.

        Raises:
            GameError: for rankings or a winner that cannot be.
        """
        rankings = rank_match(self.game, self.state, self.players, self.forfeited)
        winner = find_winner(self.game, self.state, rankings, self.forfeited)
        footer = MatchFooter(
            actions=len(self.steps),
            turns=self.turns,
            reason=str(self.reason),
            winner=winner.id if winner else None,
            rankings=rankings,
            hash=(self.steps[-1].hash if self.steps else self.header.hash).whole,
        )
        return MatchReplay(header=self.header, steps=tuple(self.steps), footer=footer)


def encode(game: Game[Any, Action], action: Action) -> Any:
    """An action as JSON, by the game's `encode_action` if it has one.

    Raises:
        GameError: for an action that is no JSON value.
    """
    encoder = getattr(game, "encode_action", None)
    return to_json(encoder(action) if encoder is not None else action)
