"""The course of one match of an object-level game that is recorded.

It does not matter here who decides: the loop asks agents, and a replay is read from its lines.
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
from axiom_gym.replay.format import Ended, Header, Replay, Turn
from axiom_gym.replay.tape import Tape, count_legal, hash_state, make_header

_ENDED: dict[str, Ended] = {"over": "terminated", "max_turns": "truncated", "forfeit": "forfeit"}


class Course(MatchProgress[State, Action]):
    """A match from its first state on, which is recorded.

    A line of a plain game is one action. The lines of a kernel game (`KernelGameObject`) are those
    of a batch: a turn has one when all have given their orders.

    Attributes:
        header: of the replay.
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
        """Set up the first state; takes what `MatchProgress` takes.

        Raises:
            GameError: as `MatchProgress`, or for a state that cannot be hashed.
        """
        super().__init__(
            game,
            players,
            options,
            seed=seed,
            game_id=game_id,
            max_turns=max_turns,
            strict=strict,
        )
        self.header = head_match(self, self.players, seed, match_id=game_id)
        self._tape = Tape(self.header, self.rng.state)
        self._fallback: set[int] = set()

    @property
    def lines(self) -> Sequence[Turn]:
        """What was recorded so far."""
        return self._tape.turns

    # -- playing -----------------------------------------------------------------------------------

    def find(self, actions: Sequence[Action], written: Any) -> tuple[Action] | None:
        """Return the valid action that a JSON value stands for; in a tuple, as None may be one.

        Raises:
            ReplayError: if several of the actions read the same.
        """
        decode = getattr(self.game, "decode_action", None)
        if decode is not None:
            try:
                given = decode(written, self.state)
            except Exception:  # whatever a line says that the game cannot read
                return None
            return find_equal(actions, given)
        equal = [action for action in actions if encode(self.game, action) == written]
        if len(equal) > 1:
            raise ReplayError(
                f"turn {len(self.lines) + 1}: {len(equal)} valid actions read {written} as JSON, "
                f"such as {equal[0]!r} and {equal[1]!r}; tell them apart by a field, such as "
                "BaseAction.type, or give the game encode_action() and decode_action()."
            )
        return (equal[0],) if equal else None

    def take(self, player_id: str, action: Action, by: str, valid: int) -> None:
        """Execute an action, which is one of `valid` many, and record it.

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
        orders = (encode(self.game, action),)
        self.advance(action)
        self._add(look(self), player=seat, orders=orders, legal=((valid,),))

    def forfeit(self, player_id: str, why: str) -> None:
        """Let a player give up: the match goes on without, where that is possible, or ends."""
        before, there = self.state, look(self)
        self.give_up(player_id)
        after = there if isinstance(before, KernelState) else look(self)
        seat = self._ids.index(player_id)
        self._tape.add(*after, player=seat, orders=(), legal=(), why=why)
        if self.state is not before:
            self._add_played()

    def _add_played(self) -> None:
        """Record the turns that a kernel has played since the last action."""
        if not isinstance(self.state, KernelState):
            return
        for turn in self.state.played:
            state = hash_state(self.state.read(turn.data, turn.rng))
            legal = count_legal(turn.masks)
            self._add((state, turn.rng), player=turn.player, orders=turn.sub_actions, legal=legal)

    def _add(self, where: tuple[StateHash, int], **entries: Any) -> None:
        self._tape.add(*where, fallback=tuple(sorted(self._fallback)), **entries)
        self._fallback.clear()

    # -- the end -----------------------------------------------------------------------------------

    def finish(self) -> Replay:
        """Return the replay of the match, which is over.

        Raises:
            GameError: for rankings that cannot be.
        """
        rankings = rank_match(self.game, self.state, self.players, self.forfeited)
        return self._tape.finish(find_end(self), rankings)


def head_match(
    match: MatchProgress[Any, Any], players: tuple[Player, ...], seed: int, match_id: str = ""
) -> Header:
    """Return the header of a match that begins."""
    return make_header(
        look(match)[0],
        game=match.game.metadata.name,
        version=match.game.metadata.version,
        plain=not isinstance(match.state, KernelState),
        options=match.options,
        match_id=match_id,
        max_turns=match.max_turns,
        seed=seed,
        players=players,
    )


def find_end(match: MatchProgress[Any, Any]) -> Ended:
    """Return what ended a match; a limit, if that was nothing of its own."""
    if isinstance(match.state, KernelState) and match.state.ended:
        return match.state.ended
    return _ENDED.get(match.reason or "", "truncated")


def look(match: MatchProgress[Any, Any]) -> tuple[StateHash, int]:
    """Return hashes of the present state, and the state of the game's generator."""
    state, rng = match.state, match.rng.state
    if isinstance(state, KernelState):
        return hash_state(state.read(state.data, rng)), rng
    return hash_fields(state), rng


def encode(game: Game[Any, Action], action: Any) -> Any:
    """Return an action as JSON, by the game's `encode_action` if it has one.

    Raises:
        GameError: for an action that is no JSON value.
    """
    encoder = getattr(game, "encode_action", None)
    return to_json(encoder(action) if encoder is not None else action)
