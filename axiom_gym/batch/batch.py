"""A batch of games of one kind that are stepped together.

All environments are built on it; a single environment is a batch of one. Compiled code steps the
games, unless their rules are plain Python.

Determinism: resetting a batch with seed s gives game i the seed s + i. Game i then plays exactly
as a batch of one that was reset with s + i, bit for bit. Batch size, autoreset mode and the number
of threads do not matter.

In a sequential game a turn is one decision of the player in `buffers.acting`.

Axis letters as in `axiom_gym.kernel`: B games, P players, V who act at once (P, or 1 in a
sequential game), K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch import snapshot
from axiom_gym.batch.buffers import AUTORESET, ON_ILLEGAL, make_options, make_scratch
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.batch.records import GameRecords
from axiom_gym.batch.scripted import RANDOM, ScriptedPlayers
from axiom_gym.batch.seeds import Seeds, check_which, spread_seeds
from axiom_gym.batch.threads import Slices
from axiom_gym.batch.types import NO_LEARNER
from axiom_gym.deprecated import renamed_members
from axiom_gym.errors import ActionError, ResetNeededError, check_choice, check_range
from axiom_gym.game.facts import GameLike
from axiom_gym.registry import games as registry

_NOT_STARTED = "before the first reset(), or after an error in the rules: call reset() first."


@renamed_members(play_on="play_opponents", play_others="play_opponent_actions")
class Batch(GameRecords):
    """B games of one kind, to be reset and stepped; see `GameRecords` for the attributes.

    The buffers are public, and a batch keeps the same arrays for its whole life: write `actions`,
    call `step()`, read the others.
    """

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        *,
        preset: str | None = None,
        autoreset: str = "next_step",
        on_illegal: str = "noop",
        max_turns: int = 0,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        """Allocate all buffers. Compilation begins at the first `reset`.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            num_envs: the batch size B, at least 1.
            preset: the name of a configuration of the game.
            autoreset: "next_step", "same_step" or "disabled".
            on_illegal: the policy for illegal actions. "raise" refuses the step and changes
                nothing. "forfeit" ends the episode: each offender gets `KernelGame.forfeit_reward`,
                which is -1 in most games and never better than a loss, and the others share what
                it loses. "noop" omits the illegal sub-action; in a sequential game the state then
                stays the same, and the same player acts again.
            max_turns: the number of turns after which an episode is truncated (in a sequential game
                the number of decisions of all players); 0 for no limit except those of the rules.
            num_threads: the number of threads that share a compiled step; results do not depend on
                it.
            **options: options of the game; they override those of the preset.

        Raises:
            UnknownGameError: if there is no such game.
            ConfigError: for any other value that is not allowed.
            RegistrationError: if the kernel violates its contract.
        """
        loaded = registry.get_game(game)
        config = registry.make_config(loaded, preset, options)
        num_envs = check_range("num_envs", num_envs, 1)
        self.num_threads = check_range("num_threads", num_threads, 1, 1024)
        self.autoreset = check_choice("autoreset mode", autoreset, AUTORESET)
        self.on_illegal = check_choice("illegal-action policy", on_illegal, ON_ILLEGAL)
        self.max_turns = check_range("max_turns", max_turns, 0, 2**31 - 1)
        super().__init__(loaded, config, num_envs, with_final=autoreset == "same_step")
        forfeit_reward = self.game.forfeit_reward(self.config)
        self._options = make_options(
            self.autoreset, self.on_illegal, forfeit_reward, self.max_turns
        )
        self._slices = Slices(self.num_envs, self.num_threads if self.game.compiled else 1)
        self._scratch = [make_scratch(self.buffers) for _ in range(self.num_threads)]
        self._started = False
        self._load()

    def _load(self) -> None:
        # An exception in the rules leaves a step incomplete: the next call must be a reset.
        stop = functools.partial(setattr, weakref.proxy(self), "_started", False)
        self._load_code(stop)
        self._step_all: Callable[..., tuple[int, int]] | None = None
        self._scripted = ScriptedPlayers(self.game, self.buffers, self.params, stop)

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Start new episodes, and write observations and masks.

        Args:
            seed: an integer s gives game i the seed s + i, modulo 2**32. A sequence holds the seed
                of each game. None, also in a sequence, continues with the generators as they are;
                at the first reset it takes a seed from the operating system.
            which: (B,) bool, the games to reset; None for all.

        Raises:
            ConfigError: if a seed is not an integer from 0 to 2**32 - 1, or `which` has another
                shape or dtype.
            ResetNeededError: if the first reset is not of all games.
        """
        chosen = check_which(which, self.num_envs)
        if not self._started and not chosen.all():
            raise ResetNeededError("the first reset must be of all games: give no reset mask.")
        seeds = spread_seeds(seed, self.num_envs, self._started)
        self._calls.reset_batch(np.ascontiguousarray(chosen), seeds, self.buffers, self.params)
        self._started = True

    def step(self) -> None:
        """Play one turn in every game with `buffers.actions`, and write all other buffers.

        Exceptions that rules in plain Python raise pass through unchanged, here and in all methods
        that play. Afterwards the batch needs a reset of all games, or `set_state`.

        Raises:
            ResetNeededError: before the first reset; or if autoreset is disabled and an episode has
                ended.
            IllegalActionError: for an illegal action with the policy "raise"; nothing is changed.
        """
        if not self._started:
            raise ResetNeededError(f"no step {_NOT_STARTED}")
        if self._slices.several:
            game, offence = self._step_in_threads()
        else:
            # A step of one game takes a microsecond, so all arguments are passed as one tuple.
            scratch, options = self._scratch[0], self._options
            arguments = (0, self.num_envs, self.buffers, scratch, options, self.params)
            if self._step_all is None:
                # Compile without a step: the range from 0 to 0 holds no game.
                self._step_all = self._calls.bind("step_batch", 0, 0, *arguments[2:])
            game, offence = self._step_all(*arguments)
        if game >= 0:
            self._refuse(game, offence)

    def check_ready(self) -> None:
        """Check everything that `step` checks, except the actions.

        Raises:
            ResetNeededError: as for `step`.
        """
        if not self._started:
            raise ResetNeededError(f"no step {_NOT_STARTED}")
        if self.autoreset == "disabled":
            ended = self.buffers.episodes["ended"]
            first = int(ended.argmax())  # for a few games, a tenth of the time of `any`
            if ended.item(first):
                self._refuse(first, -1)

    def _step_in_threads(self) -> tuple[int, int]:
        """Check all games, then call `step_batch` on all slices: either all games step or none."""
        if self._options.check:
            refused: tuple[int, int] = self._calls.check_batch(self.buffers, self._options)
            if refused[0] >= 0:
                return refused
        options = self._options._replace(check=False)
        self._slices.run(
            lambda k, low, high: self._calls.step_batch(
                low, high, self.buffers, self._scratch[k], options, self.params
            )
        )
        return -1, -1

    def _refuse(self, game: int, offence: int) -> None:
        """Raise the error for a refused step; arguments as `driver.check_batch` returns them."""
        if offence < 0:
            raise ResetNeededError(
                f"the episode of game {game} has ended and autoreset is disabled: reset it first, "
                "for example with options={'reset_mask': terminated | truncated}."
            )
        view, k = divmod(offence, self.buffers.masks.shape[2])
        raise illegal_action(self, game, view, k, int(self.buffers.actions[game, view, k]))

    # -- scripted players, and opponents' turns in sequential games --------------------------------

    def bot_names(self) -> list[str]:
        """Return the names of this game's scripted players."""
        return [RANDOM, *self.game.bots]

    def act(self, bot: str, seats: npt.NDArray[np.int16], number: int) -> None:
        """Let a scripted player write its sub-actions into `buffers.actions`.

        In a sequential game it writes only where it is to act.

        Args:
            bot: one of `bot_names()`.
            seats: (B, P) int16, the number of the player at each seat.
            number: the number of the bot in `seats`.

        Raises:
            UnknownOpponentError: if the game has no such bot.
        """
        act = self._scripted.load_act(bot, seats)
        self._slices.run(
            lambda _, low, high: act(low, high, seats, number, self.buffers, self.params)
        )

    def sample_actions(self) -> None:
        """Write random legal sub-actions for all players who act into `buffers.actions`.

        They are drawn from the streams of the games' scripted players.
        """
        self.act(RANDOM, np.zeros((self.num_envs, self.num_players), np.int16), 0)

    def seat_learners(self) -> None:
        """Let opponents act after each `step`, which from now on writes no observations.

        See `axiom_gym.opponents.turn_seating`.
        """
        self._options = self._options._replace(opponents_follow=True)

    def play_opponents(
        self, bot: str, seats: npt.NDArray[np.int16], number: int, play_new: bool = True
    ) -> None:
        """Let a bot decide in all games in which it is to act, until another player is.

        Args:
            bot: one of `bot_names()`.
            seats: (B, P) int16, the number of the player at each seat; 0 is the learner.
            number: the number of the bot in `seats`.
            play_new: if False, leave out episodes that have just begun.

        Raises:
            UnknownOpponentError: if the game has no such bot.
        """
        options = self._options if play_new else self._options._replace(play_new=False)
        play = self._scripted.load_play_opponents(bot, seats, self._scratch[0], options)
        self._slices.run(
            lambda k, low, high: play(
                low, high, seats, number, self.buffers, self._scratch[k], options, self.params
            )
        )

    def play_opponent_actions(self, which: npt.NDArray[np.bool_], play_new: bool = True) -> None:
        """Play `buffers.actions` as one decision of opponents in some games. which: (B,) bool."""
        options, scratch = self._options._replace(play_new=play_new), self._scratch[0]
        self._calls.play_opponent_actions(which, self.buffers, scratch, options, self.params)

    # -- actions from outside ----------------------------------------------------------------------

    def check_actions(
        self, actions: npt.ArrayLike, shape: tuple[int, ...]
    ) -> npt.NDArray[np.int64]:
        """Return `actions` as an int64 array of this shape.

        The policy for illegal actions covers range and legality; they are not checked here.

        Raises:
            ActionError: for another shape, or a dtype that is not an integer.
        """
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise ActionError(
                f"actions must be integers, got dtype {array.dtype}; convert with .astype(int)."
            )
        if array.shape != shape:
            raise ActionError(f"actions must have shape {shape}, got {array.shape}.")
        return array.astype(np.int64, copy=False)

    # -- saving and copying ----------------------------------------------------------------------

    def get_state(self) -> bytes:
        """Return all games with their episodes and generators, for `set_state`.

        Raises:
            ResetNeededError: before the first reset, or after an error in the rules.
        """
        if not self._started:
            raise ResetNeededError(f"there is no state {_NOT_STARTED}")
        return snapshot.save(self)

    def set_state(self, data: bytes) -> None:
        """Restore a state that `get_state` returned, and write observations and masks.

        The learner's seats do not change; the seating restores those.

        Raises:
            StateError: if the bytes are damaged, or belong to another game, version, configuration
                or batch size.
        """
        learners = self.buffers.episodes["learner"].copy()
        snapshot.restore(self, data)
        self.buffers.episodes["learner"] = learners
        self.refresh()
        self._started = True

    def clone(self) -> Batch:
        """Return an independent batch in the same state, without a seating."""
        shared = {id(one): one for one in (self.game, self.config)}
        cloned = copy.deepcopy(self, shared)
        cloned.buffers.episodes["learner"] = NO_LEARNER
        cloned._options = cloned._options._replace(opponents_follow=False)
        return cloned

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without what belongs to this process: code and kernel parameters."""
        made = dict.fromkeys(("params", "_calls", "_step_all", "_scripted"))
        return {**self.__dict__, **made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state and load code and parameters again."""
        self.__dict__.update(state)
        self._load()

    def close(self) -> None:
        """Stop the threads, if there are any."""
        self._slices.close()
