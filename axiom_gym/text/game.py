"""One game in words: prompts, legal moves as strings, and a strict parser of replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ConfigError, ResetNeededError, UnknownNameError, check_range
from axiom_gym.game.facts import GameLike
from axiom_gym.kernel import NO_SUB_ACTION
from axiom_gym.opponents.pool import Opponent, Policy, give_sub_actions
from axiom_gym.play.games import load_player
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players
from axiom_gym.text.consulting import ATTEMPTS
from axiom_gym.text.history import History
from axiom_gym.text.moves import Moves, list_moves
from axiom_gym.text.parsing import Parsed, parse
from axiom_gym.text.positions import describe_position
from axiom_gym.text.prompts import Position, find_rules, write_prompt


class TextGame:
    """A game that text agents play: kernel games, configs and plain Python games.

        game = TextGame("connect_four", opponents={"player_1": "minimax2"})
        game.reset(seed=1)
        while not game.over:
            for player in game.to_act:
                game.submit(player, ask_model(game.prompt(player)))
        print(game.returns)

    A turn is played as soon as all players of `to_act` have submitted a legal move. A player whose
    attempts are spent forfeits, which ends the game as `on_illegal="forfeit"` does in
    `axiom_gym.batch.Batch`.

    Attributes:
        batch: the game, as a batch of one.
        players: the ids of the players, by seat.
        rules: the rules in the prompts.
        attempts: the number of replies that a player has for one decision.
        forfeited: the players who have forfeited.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        opponents: Mapping[str, Opponent] | None = None,
        attempts: int = ATTEMPTS,
        legal_moves: bool = True,
        history: int = 10,
        rules: str | None = None,
        players: int | None = None,
        preset: str | None = None,
        max_turns: int = 0,
        **options: Any,
    ) -> None:
        """Make the game; `reset` begins it.

        Args:
            game: the name of a game, or the game itself; see `GameLike`.
            opponents: the players that are bots or policies, by id; see `axiom_gym.opponents`. They
                move by themselves.
            attempts: as the attribute.
            legal_moves: if False, prompts do not list the legal moves.
            history: the number of turns that prompts contain.
            rules: the rules in the prompts, instead of those of the game's card.
            players: the number of players of a game that lets one choose it.
            preset: a named configuration of the game.
            max_turns: the turns after which the game is truncated; 0 for the rules' limits only.
            **options: the game's own options; they override those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            UnknownNameError: for an opponent whose id is no player.
            ConfigError: for another value that is not allowed.
        """
        loaded = get_game(game)
        settings = options if players is None else with_players(loaded, options, players)
        settings = {**settings, "preset": preset, "max_turns": max_turns}
        self.batch = Batch(loaded, autoreset="disabled", on_illegal="forfeit", **settings)
        self.players = tuple(self.batch.agents)
        self.rules = find_rules(loaded) if rules is None else rules
        self.attempts = check_range("attempts", attempts, 1)
        self._lists_moves = legal_moves
        self._length = check_range("history", history, 0)
        self._others = self._load_opponents(opponents or {})
        self._started = False

    def _load_opponents(self, opponents: Mapping[str, Opponent]) -> dict[int, str | Policy]:
        for name in opponents:
            if name not in self.players:
                raise UnknownNameError("player", name, self.players)
        if len(opponents) == len(self.players):
            raise ConfigError(
                "all players are opponents, so there is nobody to ask; leave one out."
            )
        return {
            self.players.index(name): load_player(one, self.batch)
            for name, one in opponents.items()
        }

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Begin a game.

        Args:
            seed: the seed of the game and of its opponents, 0 to 2**32 - 1; None for a random one.
        """
        if seed is None:
            seed = int(np.random.default_rng().integers(MAX_SEED + 1))
        self.batch.reset(check_range("seed", seed, 0, MAX_SEED))
        self._rngs = {seat: np.random.default_rng([seed, seat]) for seat in self._others}
        self._history = History(self.batch, self._length)
        self._started, self.forfeited = True, tuple[str, ...]()
        self._left = dict.fromkeys(self.players, self.attempts)
        self._rewards = np.zeros(len(self.players), np.float32)
        self._chosen: dict[int, Sequence[int]] = {}
        self._play_others()

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        self._check_started()
        return bool(self.batch.buffers.episodes["ended"][0])

    @property
    def to_act(self) -> tuple[str, ...]:
        """The players who are still to submit a move, by seat; empty if the game is over."""
        if self.over:
            return ()
        waiting = set(self._list_acting()) - set(self._others) - set(self._chosen)
        return tuple(self.players[seat] for seat in sorted(waiting))

    def submit(self, player: str, reply: str, truncated: bool = False) -> Parsed:
        """Take the reply of a player who is to act, and play the turn if it was the last one.

        Args:
            player: the id of the player.
            reply: the reply, which is parsed strictly; see `axiom_gym.text.parsing`.
            truncated: True if a limit of tokens has cut the reply off.

        Returns:
            The parsed reply. If it is not a legal move, one of the player's attempts is spent; with
            the last one, the player forfeits.
        """
        parsed = self.parse(reply, player, truncated)
        seat = self.players.index(player)
        if parsed.sub_actions is not None:
            self._choose(seat, parsed.sub_actions)
            return parsed
        self._left[player] -= 1
        if self._left[player] == 0:
            self.forfeited = (*self.forfeited, player)
            self._choose(seat, [NO_SUB_ACTION] * len(self.batch.layout.num_choices))
        return parsed

    def attempts_left(self, player: str) -> int:
        """Return how many replies a player still has for this decision."""
        self._check_started()
        return self._left[self._check_player(player)]

    @property
    def rewards(self) -> dict[str, float]:
        """The rewards since the last submission that played a turn, or since the reset."""
        self._check_started()
        return dict(zip(self.players, self._rewards.tolist(), strict=True))

    @property
    def returns(self) -> dict[str, float]:
        """The sum of all rewards of each player so far; after a forfeit, with its penalty."""
        self._check_started()
        returns = self.batch.buffers.episodes["returns"][0]
        return dict(zip(self.players, returns.tolist(), strict=True))

    # -- words -------------------------------------------------------------------------------------

    def prompt(self, player: str) -> str:
        """Return the prompt for a decision: rules, last turns, position, legal moves, format."""
        moves = self._list_moves(player)
        seat = self.players.index(player)
        position = Position(
            title=self.batch.game.info.title,
            rules=self.rules,
            player=player,
            players=self.players,
            board=describe_position(self.batch, seat),
            history=self._history.read(seat),
            moves=moves,
        )
        return write_prompt(position, self._lists_moves)

    def board(self, player: str) -> str:
        """Return the position as text, as the player sees it."""
        self._check_started()
        return describe_position(self.batch, self.players.index(self._check_player(player)))

    def legal(self, player: str) -> list[str]:
        """Return all legal moves of a player; empty if the player is not to act.

        Each string is different and stands for one action: `parse(string, player)` returns it.

        Raises:
            ConfigError: if there are more than 4096; use `choices`.
        """
        self._check_started()
        if self._check_player(player) not in self.to_act:
            return []
        return self._list_moves(player).list_strings()

    def choices(self, player: str) -> list[list[str]]:
        """Return the legal choices of each part of a player's move, which "; " joins.

        Most games have moves of one part. The list is empty if the player is not to act.
        """
        self._check_started()
        if self._check_player(player) not in self.to_act:
            return []
        return [list(part.names) for part in self._list_moves(player).parts]

    def parse(self, reply: str, player: str, truncated: bool = False) -> Parsed:
        """Return the move in a reply of a player who is to act, without playing it."""
        return parse(reply, self._list_moves(player), truncated)

    # -- inside ------------------------------------------------------------------------------------

    def _list_moves(self, player: str) -> Moves:
        self._check_started()
        if self._check_player(player) not in self.to_act:
            acting = ", ".join(self.to_act) or "nobody: the game is over"
            raise ResetNeededError(f"{player} is not to act; to act: {acting}.")
        seat = self.players.index(player)
        buffers = self.batch.buffers
        mask = buffers.masks[0, self.batch.view_of(seat)]
        return list_moves(self.batch.game, buffers.states[0], seat, mask)

    def _list_acting(self) -> list[int]:
        """Return the seats that decide in this turn: those to act that are not eliminated."""
        alive = self.batch.alive()
        return [seat for seat in self.batch.to_act() if alive[seat]]

    def _choose(self, seat: int, sub_actions: Sequence[int]) -> None:
        self._chosen[seat] = sub_actions
        if not self.to_act:
            self._rewards[:] = 0
            self._play_turn()
            self._play_others()

    def _play_others(self) -> None:
        """Play turns in which nobody but opponents decides."""
        while not self.over and not self.to_act:
            self._play_turn()

    def _play_turn(self) -> None:
        buffers = self.batch.buffers
        buffers.actions[0] = buffers.masks[0].argmax(axis=2)
        for seat, one in self._others.items():
            seats = np.zeros((1, len(self.players)), np.int16)
            seats[0, seat] = 1
            give_sub_actions(self.batch, one, seats, 1, self._rngs.get(seat))  # type: ignore[arg-type]
        for seat, chosen in self._chosen.items():
            buffers.actions[0, self.batch.view_of(seat)] = chosen
        self._history.note()
        self._chosen.clear()
        self.batch.step()
        self._rewards += buffers.rewards[0]
        self._left = dict.fromkeys(self.players, self.attempts)

    def _check_started(self) -> None:
        if not self._started:
            raise ResetNeededError("no game has begun: call reset() first.")

    def _check_player(self, player: str) -> str:
        if player not in self.players:
            raise UnknownNameError("player", player, self.players)
        return player
