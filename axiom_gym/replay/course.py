"""The course of one match that is recorded.

Whoever decides is no matter here: the loop asks agents, and a replay is read from its lines.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym import __version__
from axiom_gym.game.canonical import hash_fields, to_json
from axiom_gym.game.facts import Action, Game, Player, State
from axiom_gym.game.progress import Progress
from axiom_gym.game.standing import find_winner, rank_match
from axiom_gym.replay.match_format import MatchFooter, MatchHeader, MatchReplay, Step


class Course(Progress[State, Action]):
    """A match from its first state on, of which each step is recorded.

    Attributes:
        header: of the replay.
        steps: what was played.
    """

    def __init__(
        self,
        game: Game[State, Action],
        players: Sequence[Player],
        options: Mapping[str, Any],
        *,
        seed: int,
        max_turns: int = 0,
        **settings: Any,
    ) -> None:
        """Sets up the first state; takes what `Progress` takes.

        Raises:
            GameError: as `Progress`, or for a state that cannot be hashed.
        """
        super().__init__(game, players, options, seed=seed, max_turns=max_turns, **settings)
        self.steps: list[Step] = []
        self.header = MatchHeader(
            game=game.metadata.name,
            version=game.metadata.version,
            options=self.options,
            game_id=self.game_id,
            max_turns=max_turns,
            seed=seed,
            players=self.players,
            hash=hash_fields(self.state),
            made_with=f"axiom-gym {__version__}",
        )

    # -- playing -----------------------------------------------------------------------------------

    def take(self, player_id: str, action: Action, by: str, valid: int) -> Step:
        """Carries an action out, which is one of `valid` many, and records it.

        Raises:
            GameError: if the game breaks the interface, or the action cannot be written as JSON.
        """
        turn, before = self.turn, self.rng.state
        encoded = encode(self.game, action)
        self.advance(action)
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
        self._judge()
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
        return step

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
