"""A game as an OpenEnv environment for one player; the other seats are opponents inside it.

    client.reset(seed=1, game="connect_four", opponent="minimax2", seat=0)
    client.step({"move": "d"})

The reward is 0 until the game ends, and then from 0 to 1: the player's place in the range of
outcomes, such as 0, 0.5 and 1 for a loss, a draw and a win. A forfeit gives 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import numpy as np
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ResetNeededError, check_choice, check_range
from axiom_gym.game.facts import GameInfo
from axiom_gym.registry.games import game_ids, get_game, make_config, resolve_id
from axiom_gym.registry.options import with_players
from axiom_gym.text.consulting import ATTEMPTS
from axiom_gym.text.game import TextGame
from axiom_gym.text.prompts import write_feedback

MOST_MOVES = 100
"""The most moves that an observation lists; prompts list the choices of their parts instead."""


class MoveAction(Action):
    """A player's reply."""

    move: str = Field(
        ...,
        description='One legal move, or a text that contains the JSON object {"move": "..."}. '
        "Set metadata.truncated if a limit of tokens has cut the text off.",
    )


class GameObservation(Observation):
    """The position as the player sees it."""

    prompt: str = Field("", description="Rules, last turns, position, moves, and feedback")
    board: str = Field("", description="The position")
    legal_moves: list[str] = Field(
        default_factory=list, description="All legal moves; empty if there are many"
    )
    turn: int = Field(0, description="The number of turns played")
    attempts_left: int = Field(0, description="The replies left before the player forfeits")


class GameState(State):
    """The facts of an episode."""

    game: str = ""
    seed: int = 0
    player: str = ""
    forfeited: bool = False


class GameEnvironment(Environment[MoveAction, GameObservation, GameState]):
    """All installed games. `reset` chooses the game; without arguments it is the default game.

    As an OpenEnv task, a game is a split, and a seed is an index.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str = "connect_four",
        opponent: str = "random",
        attempts: int = ATTEMPTS,
        legal_moves: bool = True,
    ) -> None:
        """Set the defaults.

        Args:
            game: the name of the game.
            opponent: the player of all other seats, as `axiom_gym.opponents` describes it.
            attempts: the number of replies that the player has for one decision.
            legal_moves: if False, prompts and observations do not list the legal moves.
        """
        super().__init__()
        self._default, self._opponent = game, opponent
        self._attempts, self._lists_moves = attempts, legal_moves
        self._key: Any = None
        self._game: TextGame | None = None
        self._state = GameState()

    # -- episodes ----------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        game: str | None = None,
        opponent: str | None = None,
        seat: int = 0,
        preset: str | None = None,
        options: Mapping[str, Any] | None = None,
        split: str | None = None,
        index: int | None = None,
        **others: Any,
    ) -> GameObservation:
        """Begin a game.

        Args:
            seed: the seed, 0 to 2**32 - 1; None for a random one.
            episode_id: the id of the episode; None for a random one.
            game: the id or name of an installed game.
            opponent: the bot in all other seats.
            seat: the seat of the player.
            preset: a named configuration of the game.
            options: the game's own options, and `players` for their number.
            split, index: the OpenEnv names of `game` and `seed`.
            **others: other arguments of OpenEnv, which are ignored.

        Raises:
            ConfigError: for a value that is not allowed.
        """
        name = self._choose_game(game if split is None else split)
        seed = seed if index is None else index
        if seed is None:
            seed = int(np.random.default_rng().integers(MAX_SEED + 1))
        check_range("seed", seed, 0, MAX_SEED)
        self._game = self._make_game(name, opponent, seat, preset, dict(options or {}))
        self._game.reset(seed)
        self._state = GameState(
            episode_id=episode_id or str(uuid4()),
            game=name,
            seed=seed,
            player=self._game.players[seat],
        )
        return self._observe("")

    def step(
        self, action: MoveAction, timeout_s: float | None = None, **others: Any
    ) -> GameObservation:
        """Take a reply, and let the opponents move until it is the player's turn again.

        Raises:
            ResetNeededError: if no game is in progress.
        """
        game, player = self._game, self._state.player
        if game is None or game.over:
            raise ResetNeededError("no game is in progress: call reset() first.")
        self._state.step_count += 1
        parsed = game.submit(player, action.move, bool(action.metadata.get("truncated", False)))
        self._state.forfeited = player in game.forfeited
        feedback = "" if parsed.category == "ok" else write_feedback(parsed, action.move)
        return self._observe(feedback, category=parsed.category)

    @property
    def state(self) -> GameState:
        """The facts of the episode."""
        return self._state

    # -- tasks -------------------------------------------------------------------------------------

    def list_splits(self) -> list[str]:
        """Return the ids of all games."""
        return game_ids()

    def num_tasks(self, split: str) -> int:
        """Return the number of seeds."""
        self._choose_game(split)
        return MAX_SEED + 1

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return the game and the seed of a task."""
        name = self._choose_game(split)
        if not 0 <= index <= MAX_SEED:
            raise IndexError(f"a task of {name} is a seed from 0 to {MAX_SEED}, got {index}.")
        return {"id": f"{name}-{index}", "index": index, "game": name, "seed": index}

    # -- inside ------------------------------------------------------------------------------------

    def _choose_game(self, name: str | None) -> str:
        """Return the id of an installed game. Clients cannot name files."""
        if name is None:
            return self._default
        return check_choice("game", resolve_id(name), game_ids())

    def _make_game(
        self,
        name: str,
        opponent: str | None,
        seat: int,
        preset: str | None,
        options: dict[str, Any],
    ) -> TextGame:
        """Return the game with these settings, which the last episode may have had, too."""
        key = (name, opponent, seat, preset, repr(sorted(options.items())))
        if self._game is not None and key == self._key:
            return self._game
        loaded = get_game(name)
        if opponent is not None:
            check_choice("opponent", opponent, ("random", *loaded.bots))
        players = options.pop("players", None)
        settings = options if players is None else with_players(loaded, options, players)
        agents = loaded.agents(make_config(loaded, preset, settings))
        check_range("seat", seat, 0, len(agents) - 1)
        made = TextGame(
            loaded,
            opponents={
                agent: opponent or self._opponent
                for place, agent in enumerate(agents)
                if place != seat
            },
            attempts=self._attempts,
            legal_moves=self._lists_moves,
            preset=preset,
            **settings,
        )
        self._key = key
        return made

    def _observe(self, feedback: str, **metadata: Any) -> GameObservation:
        game, player = self._game, self._state.player
        assert game is not None
        turn = int(game.batch.buffers.episodes["length"][0])
        if game.over or player not in game.to_act:
            return self._observe_end(game, turn, metadata)
        choices = game.choices(player)
        is_listed = self._lists_moves and math.prod(map(len, choices)) <= MOST_MOVES
        return GameObservation(
            prompt="\n\n".join(filter(None, [game.prompt(player), feedback])),
            board=game.board(player),
            legal_moves=game.legal(player) if is_listed else [],
            turn=turn,
            attempts_left=game.attempts_left(player),
            reward=0.0,
            metadata=metadata,
        )

    def _observe_end(self, game: TextGame, turn: int, metadata: dict[str, Any]) -> GameObservation:
        outcome = game.returns[self._state.player]
        reward = 0.0 if self._state.forfeited else scale(outcome, game.batch.game.info)
        board = game.board(self._state.player)
        return GameObservation(
            prompt=f"The game is over.\n\n{board}",
            board=board,
            turn=turn,
            done=True,
            reward=reward,
            metadata={**metadata, "outcome": outcome, "forfeited": self._state.forfeited},
        )


def scale(outcome: float, info: GameInfo) -> float:
    """Return an outcome as a number from 0 to 1.

    If the outcomes of a game have no bounds, 0 becomes 0.5, and large ones approach 0 and 1.
    """
    low, high = info.min_outcome, info.max_outcome
    if math.isfinite(low) and math.isfinite(high) and high > low:
        return min(max((outcome - low) / (high - low), 0.0), 1.0)
    return 0.5 + 0.5 * outcome / (1 + abs(outcome))
