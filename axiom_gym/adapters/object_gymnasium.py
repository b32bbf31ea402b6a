"""A plain Python game as a Gymnasium environment: the learner in one seat, opponents in the others.

Opponents decide on objects, as the agents of a `GameLoop` do, and draw from the same generators: an
episode of seed s is the match that a `GameLoop` plays with that seed and the same decisions.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from axiom_gym.errors import ConfigError, GameError, IllegalActionError, check_choice, check_range
from axiom_gym.game.episodes import Episodes, read_number
from axiom_gym.game.facts import Game
from axiom_gym.game.matching import find_equal
from axiom_gym.play.agents import Agent, Decide, agent_seed, find_agent, get_decide, is_agent
from axiom_gym.seeded_rng import SeededRNG, mix_seed

Opponent = str | Agent
RENDER_MODES = ("ansi",)

_SEAT_SALT = 0x20000
_MOST_TRIES = 1000
"""Matches in a row that may end before the learner could act."""


class ObjectEnv(gymnasium.Env[npt.NDArray[np.float32], Any]):
    """One game from the seat of one player.

    A step goes from the learner's decision to its next one, and gives all that it got in between.
    `info["action_mask"]` is a fresh int8 array, (N,); it is all 0 only after the end. Infos also
    hold `illegal_action`, a bool, and `seat`, the learner's; at the end `episode_return`, a float,
    and `episode_length`, an int.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        opponent: Opponent | Sequence[Opponent] = "random",
        seat: int | str = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Finds the spaces.

        Args:
            game: the rules.
            opponent: who plays the other seats: "random", the name of one of the game's own
                scripted players, or an agent as for a `GameLoop`, a callable (state,
                valid_actions, player_id, rng) -> action or an object with such a `decide`; or a
                sequence with one for each of the other seats in their order.
            seat: the learner's, from 0, or "random" to draw it for each episode.
            render_mode: None or "ansi".
            **options: those of `axiom_gym.game.episodes.Episodes`, and the game's own.

        Raises:
            ConfigError: for a value that is not allowed.
            GameError: for a game whose states cannot be encoded, or actions numbered.
        """
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.episodes = Episodes(game, **options)
        self._view = getattr(game, "view", None)
        players = len(self.episodes.ids)
        if isinstance(seat, str):
            check_choice("seat", seat, ["random"])
        else:
            check_range("seat", seat, 0, players - 1)
        self._seat_option: int | str = seat
        self._seat = 0
        self._opponents = _seat_opponents(game, opponent, players - 1)
        counts = set(self.episodes.catalogue.counts)
        if isinstance(seat, str) and len(counts) > 1:
            raise ConfigError("seat='random' needs as many actions for every player.")
        count = self.episodes.catalogue.counts[0 if isinstance(seat, str) else seat]
        self.action_space = spaces.Discrete(count)
        self.observation_space = spaces.Box(-np.inf, np.inf, self.episodes.shape, np.float32)

    # -- playing -----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts an episode; without a seed the generator goes on from where it is.

        An episode that ends before the learner can act is followed by the next one.

        Raises:
            GameError: if the learner never gets to act.
        """
        super().reset(seed=seed)
        if options:
            raise ConfigError(f"unknown reset options {sorted(options)}; there are none.")
        for _ in range(_MOST_TRIES):
            self._begin(seed)
            seed = None
            if not self.episodes.over:
                return self._observe(), self._describe()
        raise GameError(
            f"{self.episodes.game.metadata.name}: {_MOST_TRIES} matches in a row ended before "
            f"{self.episodes.ids[self._seat]!r} could act."
        )

    def _begin(self, seed: int | None) -> None:
        episodes, ids = self.episodes, self.episodes.ids
        seed = episodes.begin(seed)
        drawn = SeededRNG(mix_seed(seed, _SEAT_SALT)).below(len(ids))
        self._seat = drawn if isinstance(self._seat_option, str) else self._seat_option
        self._rngs = [SeededRNG(agent_seed(seed, place)) for place in range(len(ids))]
        self._play_others()

    def step(
        self, action: Any
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """The learner's action, a whole number, and all that the others do up to its next one.

        Raises:
            ActionError: for what is not in the action space.
            IllegalActionError: under the policy "raise", where nothing was touched; and for an
                opponent whose action is not valid.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        episodes, learner = self.episodes, self.episodes.ids[self._seat]
        if episodes.mover < 0:
            episodes.refuse()
        before = episodes.returns[learner]
        episodes.play(read_number(action, "the learner"))
        self._play_others()
        reward = episodes.returns[learner] - before
        return self._observe(), reward, episodes.terminated, episodes.truncated, self._describe()

    def _play_others(self) -> None:
        """Lets the opponents act until it is the learner's turn, or the episode is over."""
        episodes = self.episodes
        while episodes.mover not in (self._seat, -1):
            seat, player_id = episodes.mover, episodes.ids[episodes.mover]
            state = episodes.progress.state
            seen = state if self._view is None else self._view(state, player_id)
            decide = self._opponents[seat - (seat > self._seat)]
            action = decide(seen, list(episodes.valid), player_id, self._rngs[seat])
            found = find_equal(episodes.valid, action)
            if found is None:
                raise IllegalActionError(
                    f"{episodes.game.metadata.name}: the opponent {player_id!r} wants {action!r}, "
                    f"which is none of its {len(episodes.valid)} valid actions."
                )
            episodes.play_action(found[0])

    def _observe(self) -> npt.NDArray[np.float32]:
        return self.episodes.observe(self._seat)

    def _describe(self) -> dict[str, Any]:
        return self.episodes.describe(self._seat) | {"seat": self._seat}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(N,) bool, 1 = legal, as sb3-contrib wants it."""
        if not self.episodes.started:
            self.episodes.refuse()
        return self.episodes.mask(self._seat).astype(np.bool_)

    def render(self) -> Any:
        """The state as text."""
        if not self.episodes.started:
            self.episodes.refuse()
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: pass render_mode='ansi'.")
            return None
        return self.episodes.draw()


def _seat_opponents(
    game: Game[Any, Any], opponent: Opponent | Sequence[Opponent], count: int
) -> list[Decide]:
    """How the others decide, in the order of their seats.

    Raises:
        ConfigError: for another number of opponents, or one that cannot decide.
    """
    listed = list(opponent) if isinstance(opponent, list | tuple) else [opponent] * count
    if len(listed) != count:
        raise ConfigError(f"there are {count} other seats, got {len(listed)} opponents.")
    return [_get_decide(game, one) for one in listed]


def _get_decide(game: Game[Any, Any], opponent: Any) -> Decide:
    agent = find_agent(game, opponent)
    if not is_agent(agent) or inspect.iscoroutinefunction(get_decide(agent)):
        raise ConfigError(
            'an opponent is "random", or a callable (state, valid_actions, player_id, rng) -> '
            f"action that is not async, or has such a decide(); got {opponent!r}."
        )
    return get_decide(agent)
