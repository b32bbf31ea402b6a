"""Recorded matches of object-level games.

The decisions may come from agents, as in `GameLoop`, or from the lines of a replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym.errors import ReplayError
from axiom_gym.game.canonical import StateHash, hash_fields, to_json
from axiom_gym.game.facts import Action, Game, Player, State
from axiom_gym.game.kernel_state import KernelState
from axiom_gym.game.matching import find_equal
from axiom_gym.game.progress import MatchProgress
from axiom_gym.game.standing import rank_match
from axiom_gym.replay.format import Asked, Attempt, Ended, Replay, Turn
from axiom_gym.replay.tape import Tape, count_legal, hash_state

_ENDED: dict[str, Ended] = {"over": "terminated", "max_turns": "truncated", "forfeit": "forfeit"}


class Course(MatchProgress[State, Action]):
    """A match that records its lines.

    A line of a plain game is one action. A line of a kernel game (`KernelGameObject`) is one turn,
    as in a batch: it is recorded when all players have chosen.

    Attributes:
        header: the header of the replay.
    """

    def __init__(
        self,
        game: Game[State, Action],
        players: Sequence[Player],
        options: Mapping[str, Any],
        *,
        seed: int,
        game_id: str = "",
        **settings: Any,
    ) -> None:
        """Make the first state; the arguments are those of `MatchProgress`.

        Raises:
            GameError: as `MatchProgress`, or for a state that cannot be hashed.
        """
        super().__init__(game, players, options, seed=seed, game_id=game_id, **settings)
        facts = list_facts(self, self.players, seed, match_id=game_id)
        self._tape = Tape(*hash_position(self), **facts)
        self.header = self._tape.header
        self._fallback: set[int] = set()
        self._asked: list[Asked] = []

    @property
    def lines(self) -> Sequence[Turn]:
        """The lines so far."""
        return self._tape.turns

    def find(self, actions: Sequence[Action], written: Any) -> tuple[Action] | None:
        """Return the valid action that a JSON value stands for, or None if there is none.

        The action is in a tuple, because None may be an action.

        Raises:
            ReplayError: if several actions have the same JSON.
        """
        decode = getattr(self.game, "decode_action", None)
        if decode is not None:
            try:
                given = decode(written, self.state)
            except Exception:  # the game cannot read this JSON
                return None
            return find_equal(actions, given)
        equal = [action for action in actions if encode(self.game, action) == written]
        if len(equal) > 1:
            raise ReplayError(
                f"turn {len(self.lines) + 1}: {len(equal)} valid actions are {written} as JSON, "
                f"such as {equal[0]!r} and {equal[1]!r}; tell them apart by a field, such as "
                "BaseAction.type, or give the game encode_action() and decode_action()."
            )
        return (equal[0],) if equal else None

    def note_attempts(self, player_id: str, attempts: tuple[Attempt, ...]) -> None:
        """Note the transcript of a language model's decision for the next line."""
        if attempts:
            self._asked.append(Asked(self._ids.index(player_id), attempts))

    def take(self, player_id: str, action: Action, by: str, valid: int) -> None:
        """Execute and record an action.

        Args:
            player_id: the player who acts.
            action: one of the valid actions.
            by: "agent" or "fallback".
            valid: the number of valid actions.

        Raises:
            GameError: if the game breaks the interface, or the action cannot be written as JSON.
        """
        seat = self._ids.index(player_id)
        if by == "fallback":
            self._fallback.add(seat)
        if isinstance(self.state, KernelState):
            self.advance(action)
            self._add_played()
            return
        written = encode(self.game, action)
        self.advance(action)
        self._add(*hash_position(self), player=seat, orders=(written,), legal=((valid,),))

    def forfeit(self, player_id: str, why: str) -> None:
        """Let a player forfeit. The match continues without that player if it can, else it ends."""
        before, position = self.state, hash_position(self)
        self.give_up(player_id)
        if not isinstance(before, KernelState):
            position = hash_position(self)
        seat = self._ids.index(player_id)
        line: dict[str, Any] = {"player": seat, "orders": (), "legal": (), "why": why}
        self._tape.add(*position, **line, asked=self._take_asked())
        if self.state is not before:
            self._add_played()

    def _add_played(self) -> None:
        """Record the turns that a kernel has played with the last action."""
        if not isinstance(self.state, KernelState):
            return
        for turn in self.state.played:
            state = hash_state(self.state.read(turn.data, turn.rng))
            legal = count_legal(turn.masks)
            self._add(state, turn.rng, player=turn.player, orders=turn.sub_actions, legal=legal)

    def _add(self, state: StateHash, rng: int, **entries: Any) -> None:
        fallback, asked = tuple(sorted(self._fallback)), self._take_asked()
        self._tape.add(state, rng, fallback=fallback, asked=asked, **entries)
        self._fallback.clear()

    def _take_asked(self) -> tuple[Asked, ...]:
        asked = tuple(self._asked)
        self._asked.clear()
        return asked

    def finish(self) -> Replay:
        """Return the replay of the match, which is over.

        Raises:
            GameError: if the game's rankings are not valid.
        """
        rankings = rank_match(self.game, self.state, self.players, self.forfeited)
        return self._tape.finish(find_end(self), rankings)


def list_facts(
    match: MatchProgress[Any, Any], players: tuple[Player, ...], seed: int, match_id: str = ""
) -> dict[str, Any]:
    """Return the entries of a match's header, without the hashes."""
    return {
        "game": match.game.metadata.name,
        "version": match.game.metadata.version,
        "plain": not isinstance(match.state, KernelState),
        "options": match.options,
        "match_id": match_id,
        "max_turns": match.max_turns,
        "seed": seed,
        "players": players,
    }


def find_end(match: MatchProgress[Any, Any]) -> Ended:
    """Return how a match ended. A match in progress was truncated by its environment's limit."""
    if isinstance(match.state, KernelState) and match.state.ended:
        return match.state.ended
    return _ENDED.get(match.reason or "", "truncated")


def hash_position(match: MatchProgress[Any, Any]) -> tuple[StateHash, int]:
    """Return the hashes of the current state, and the state of the game's generator."""
    state, rng = match.state, match.rng.state
    if isinstance(state, KernelState):
        return hash_state(state.read(state.data, rng)), rng
    return hash_fields(state), rng


def encode(game: Game[Any, Action], action: Any) -> Any:
    """Return an action as JSON, using the game's `encode_action` if it has one.

    Raises:
        GameError: for an action that cannot be written as JSON.
    """
    encoder = getattr(game, "encode_action", None)
    return to_json(encoder(action) if encoder is not None else action)
