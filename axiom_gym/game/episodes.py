"""Episodes of a plain Python game as environments play them: by numbers instead of objects.

What the adapters share; it imports none of the packages that they adapt to.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import (
    ActionError,
    ConfigError,
    IllegalActionError,
    ResetNeededError,
    check_choice,
    check_range,
)
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.encoding import Encoder, Observation
from axiom_gym.game.facts import Game, GameMetadata, Player
from axiom_gym.game.match_config import MatchConfig
from axiom_gym.game.progress import Progress
from axiom_gym.game.rewards import GetRewards, read_rewards, reward_places, share_loss
from axiom_gym.game.standing import rank_match

ON_ILLEGAL = ("noop", "forfeit", "raise")


class Episodes:
    """Plays one episode after the other.

    Attributes:
        ids: the players' ids by seat.
        catalogue: the numbers of all actions.
        shape: of an observation.
        progress: the present match.
        mover: the seat of who is to act; -1 when the episode is over.
        valid: all that the mover may do now, as objects.
        rewards: what each player got by the last action, by id.
        returns: the sums of these in the episode.
        terminated, truncated: whether the rules, or a limit, have ended the episode.
        offender: the seat of whose last action was illegal, else -1.
    """

    progress: Progress[Any, Any]

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        players: int | Sequence[str] | None = None,
        max_turns: int = 0,
        on_illegal: str = "noop",
        rewards: GetRewards | None = None,
        catalogue: Catalogue | None = None,
        **options: Any,
    ) -> None:
        """Finds the shapes: initializes the game, and searches for its actions if it must.

        Args:
            game: the rules.
            players: how many play, or their ids; the fewest that the game allows if not given.
            max_turns: truncates an episode after so many turns of the state, if it counts them,
                else actions; 0 for the state's own limit.
            on_illegal: "noop" changes nothing, and the player is asked again, which counts as a
                turn for `max_turns`; "forfeit" ends the episode, the offender gets -1 and the
                others share that; "raise" refuses the action.
            rewards: what players get, over the game's `get_rewards`; see `axiom_gym.game.rewards`.
            catalogue: the actions by number, over what `Catalogue.of` finds.
            **options: the game's own options.

        Raises:
            ConfigError: for a value that is not allowed.
            GameError: for a game whose states cannot be encoded, or actions numbered.
        """
        self.game = game
        self.ids = name_players(game.metadata, players)
        self._players = tuple(map(Player, self.ids))
        config = MatchConfig(options=options, max_turns=max_turns)
        self._options, self._max_turns = config.fill(game.metadata), config.max_turns
        self._on_illegal = check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self._get_rewards = rewards or getattr(game, "get_rewards", None)
        self.catalogue = catalogue or Catalogue.of(game, self._players, self._options)
        if len(self.catalogue.counts) != len(self.ids):
            raise ConfigError(
                f"the catalogue is for {len(self.catalogue.counts)} players, and there are "
                f"{len(self.ids)}."
            )
        self._masks = [np.zeros(count, np.int8) for count in self.catalogue.counts]
        self._nothing = dict.fromkeys(self.ids, 0.0)
        self._encoder = Encoder(game, self._players, self._start(0).state)
        self.shape = self._encoder.shape or ()
        self.started = False
        self.mover = -1

    def _start(self, seed: int) -> Progress[Any, Any]:
        return Progress(
            self.game, self._players, self._options, seed=seed, max_turns=self._max_turns
        )

    # -- playing -----------------------------------------------------------------------------------

    def begin(self, seed: int | None) -> int:
        """Starts an episode and returns its seed; without one the generator goes on.

        Raises:
            ConfigError: for what is no seed.
        """
        if seed is None:
            seed = self.progress.rng.state if self.started else secrets.randbits(32)
        seed = check_range("seed", seed, 0, MAX_SEED)
        self.progress = self._start(seed)
        self.started = True
        self.offender, self._lapses = -1, 0
        self.rewards = self._nothing
        self.returns = dict(self._nothing)
        self._look()
        return seed

    def play(self, number: int) -> None:
        """The mover's action, by its number.

        Raises:
            ActionError: for a number that is in no catalogue.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: if there is no episode to play.
        """
        if self.mover < 0:
            self.refuse()
        action = self.catalogue.get_action(self.mover, number)
        if not self._mask[number]:
            self._punish(action)
            return
        self.play_action(action)

    def play_action(self, action: Any) -> None:
        """The mover's action, one of `valid`."""
        progress, before = self.progress, self.progress.state
        self.offender = -1
        progress.advance(action)
        self._look()
        self.rewards = self._reward(before)
        if self.rewards is not self._nothing:
            for player_id, reward in self.rewards.items():
                self.returns[player_id] += reward

    def _look(self) -> None:
        """Who is to act now, and what may be done; or how the episode ended."""
        reason = self.progress.reason
        self.terminated = reason == "over"
        self.truncated = reason == "max_turns" or (
            reason is None and 0 < self._max_turns <= self.turns
        )
        if self.terminated or self.truncated:
            self.mover = -1
            return
        player_id, self.valid = self.progress.get_mover()
        self.mover = self.ids.index(player_id)
        self._mask = self._masks[self.mover].copy()
        self._mask[self.catalogue.find(self.mover, self.valid)] = 1

    def _reward(self, before: Any) -> dict[str, float]:
        name = self.game.metadata.name
        if self._get_rewards is not None:
            given = self._get_rewards(before, self.progress.state)
            return read_rewards(given, self.ids, name)
        if not self.terminated:
            return self._nothing
        return reward_places(rank_match(self.game, self.progress.state, self._players, ()))

    def _punish(self, action: Any) -> None:
        """What follows an illegal action, by the policy."""
        player_id = self.ids[self.mover]
        if self._on_illegal == "raise":
            raise IllegalActionError(
                f"{self.game.metadata.name}: {action!r} of {player_id!r} is not legal now; legal "
                f"are the {len(self.valid)} actions of the mask, such as {self.valid[0]!r}."
            )
        self.offender, self.rewards = self.mover, self._nothing
        self._lapses += 1
        if self._on_illegal == "forfeit":
            self.rewards = share_loss(self.ids, player_id)
            self.terminated, self.mover = True, -1
        elif 0 < self._max_turns <= self.turns:
            self.truncated, self.mover = True, -1
        for one, reward in self.rewards.items():
            self.returns[one] += reward

    # -- what is to be seen ------------------------------------------------------------------------

    @property
    def turns(self) -> int:
        """The length of the episode so far, illegal actions included."""
        return self.progress.turns + self._lapses

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated

    def observe(self, seat: int) -> Observation:
        """What the player of a seat sees, the caller's to keep: float32, `shape`."""
        return self._encoder(self.progress.state, seat)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for what the player of a seat may do now, all 0 if others are to act; (N,) int8."""
        return (self._mask if seat == self.mover else self._masks[seat]).copy()

    def describe(self, seat: int) -> dict[str, Any]:
        """The info of the player of a seat."""
        info: dict[str, Any] = {
            "action_mask": self.mask(seat),
            "illegal_action": seat == self.offender,
        }
        if self.terminated or self.truncated:
            info["episode_return"] = self.returns[self.ids[seat]]
            info["episode_length"] = self.turns
        return info

    def draw(self) -> str:
        """The state as text, by the game's `describe_state(state)` or the state's own text."""
        describe = getattr(self.game, "describe_state", repr)
        return str(describe(self.progress.state))

    def refuse(self) -> NoReturn:
        """Says that there is no episode to play.

        Raises:
            ResetNeededError: always.
        """
        reason = "the episode is over" if self.started else "no episode has begun"
        raise ResetNeededError(f"{reason}: call reset() first.")


def name_players(metadata: GameMetadata, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """The ids of those who play, by seat: `player_0`, `player_1`, ... unless they are given.

    Raises:
        ConfigError: for other players than the game allows.
    """
    low, high = metadata.min_players, metadata.max_players
    if players is None or isinstance(players, int):
        count = check_range("players", low if players is None else players, low, high)
        return tuple(f"player_{seat}" for seat in range(count))
    ids = tuple(players)
    are_texts = not isinstance(players, str) and all(isinstance(one, str) and one for one in ids)
    if not are_texts or len(set(ids)) != len(ids) or not low <= len(ids) <= high:
        raise ConfigError(
            f"{metadata.name}: players must be a number from {low} to {high}, or so many "
            f"different ids, got {players!r}."
        )
    return ids


def read_number(action: Any, who: str) -> int:
    """An action as a number of the catalogue: any kind of whole number.

    Raises:
        ActionError: for anything else.
    """
    if type(action) is int:
        return action
    array = np.asarray(action)
    if array.shape != () or array.dtype.kind not in "iu":
        raise ActionError(
            f"the action of {who} must be a whole number, got dtype {array.dtype} and shape "
            f"{array.shape}."
        )
    return int(array.item())
