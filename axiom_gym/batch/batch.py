"""A batch of games of one kind, stepped together, by compiled code unless the rules are Python.

Every environment stands on this; a single one is a batch of one.

Determinism: a batch reset with seed s gives game i the seed s + i, and game i then plays out bit
for bit as a batch of one that was reset with s + i, whatever the batch size, the autoreset mode or
the number of threads.

In a sequential game a turn is one decision, of the player whom `buffers.acting` names.

Axis letters as in `axiom_gym.kernel`: B games, P players, V who act at once (P, or 1 in a
sequential game), K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import dataclasses
import functools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch import snapshot, types
from axiom_gym.batch.buffers import AUTORESET, ON_ILLEGAL, make_options, make_scratch
from axiom_gym.batch.illegal import illegal_action
from axiom_gym.batch.records import GameRecords
from axiom_gym.batch.scripted import RANDOM, ScriptedPlayers
from axiom_gym.batch.seeds import Seeds, check_which, spread_seeds
from axiom_gym.batch.threads import Slices
from axiom_gym.deprecated import renamed_members
from axiom_gym.errors import ActionError, ResetNeededError, check_choice, check_range
from axiom_gym.game.facts import GameLike
from axiom_gym.registry import games as registry

_NOT_STARTED = "before the first reset(), or after an error in the rules: call reset() first."


@renamed_members(play_on="play_opponents", play_others="play_opponent_actions")
class Batch(GameRecords):
    """B games of one kind, played; attributes as of `GameRecords`.

    The buffers are public and stay the same arrays for the life of the batch: write `actions`, call
    `step()`, read the rest.
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
        """Allocates everything; nothing is compiled before the first `reset`.

        Args:
            game: a game's name, such as "quantaris", or the game itself; see `GameLike`.
            num_envs: B, at least 1.
            preset: a named configuration of the game.
            autoreset: "next_step", "same_step" or "disabled".
            on_illegal: "raise" refuses the step and touches nothing; "forfeit" ends the episode,
                the offender gets -1 and the others share that; "noop" leaves the illegal order out,
                so that in a sequential game nothing happens and the player is asked again.
            max_turns: an episode of this many turns (in a sequential game of this many decisions,
                by anybody) is truncated; 0 for no limit but the rules'.
            num_threads: threads that share a step, if it is compiled; results do not depend on it.
            **options: the game's own options, over those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            ConfigError: for any other value that is not allowed.
            RegistrationError: for a kernel that breaks its contract.
        """
        loaded = registry.get_game(game)
        config = registry.make_config(loaded, preset, options)
        num_envs = check_range("num_envs", num_envs, 1)
        self.num_threads = check_range("num_threads", num_threads, 1, 1024)
        self.autoreset = check_choice("autoreset mode", autoreset, AUTORESET)
        self.on_illegal = check_choice("illegal-action policy", on_illegal, ON_ILLEGAL)
        self.max_turns = check_range("max_turns", max_turns, 0, 2**31 - 1)
        super().__init__(loaded, config, num_envs, with_final=autoreset == "same_step")
        self._options = make_options(self.autoreset, self.on_illegal, self.max_turns)
        self._slices = Slices(self.num_envs, self.num_threads if self.game.compiled else 1)
        self._scratch = [make_scratch(self.buffers) for _ in range(self.num_threads)]
        self._started = False
        self._load()

    def _load(self) -> None:
        # Where rules raise, a step is left half made; the next one has to wait for a reset.
        stop = functools.partial(setattr, weakref.proxy(self), "_started", False)
        self._load_code(stop)
        self._step_all: Callable[..., tuple[int, int]] | None = None
        self._scripted = ScriptedPlayers(self.game, self.buffers, self.params, stop)

    # -- playing -----------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Starts new episodes, and writes observations and masks.

        Args:
            seed: s gives game i the seed s + i, modulo 2**32; a sequence gives each game its own;
                None, here or in the sequence, lets the generators go on, and at the first reset
                starts them from the operating system's.
            which: (B,) bool, the games to reset; None for all.

        Raises:
            ConfigError: for a seed that is negative or no integer, or a `which` of another
                shape.
        """
        chosen = check_which(which, self.num_envs)
        if not self._started and not chosen.all():
            allowed = "call reset() without a reset mask."
            raise ResetNeededError(f"the first reset must be of all games: {allowed}")
        seeds = spread_seeds(seed, self.num_envs, self._started)
        self._calls.reset_batch(np.ascontiguousarray(chosen), seeds, self.buffers, self.params)
        self._started = True

    def step(self) -> None:
        """Plays one turn in every game with `buffers.actions`, and writes all other buffers.

        What rules in plain Python raise comes out of here, and out of all that plays, as it is. The
        batch then wants a reset of all games, or `set_state`.

        Raises:
            ResetNeededError: before the first reset; or, without autoreset, if an episode has ended
                and was not reset.
            IllegalActionError: under the policy "raise"; then nothing was touched.
        """
        if not self._started:
            raise ResetNeededError(f"no step {_NOT_STARTED}")
        if self._slices.several:
            game, offence = self._step_in_threads()
        else:
            # One tuple, which the call takes as it is: a step of one game takes a microsecond.
            scratch, options = self._scratch[0], self._options
            arguments = (0, self.num_envs, self.buffers, scratch, options, self.params)
            if self._step_all is None:
                # Compiles without a step: there is no game from 0 to 0.
                self._step_all = self._calls.bind("step_batch", 0, 0, *arguments[2:])
            game, offence = self._step_all(*arguments)
        if game >= 0:
            self._refuse(game, offence)

    def check_ready(self) -> None:
        """Looks whether a step could be made now, whatever the actions.

        Raises:
            ResetNeededError: as `step`.
        """
        if not self._started:
            raise ResetNeededError(f"no step {_NOT_STARTED}")
        if self.autoreset == "disabled":
            ended = self.buffers.episodes["ended"]
            first = int(ended.argmax())  # of a few games a tenth of the time of `any`
            if ended.item(first):
                self._refuse(first, -1)

    def _step_in_threads(self) -> tuple[int, int]:
        """`step_batch` over slices; the check comes first, so that no slice runs ahead of it."""
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
        """Raises what a refused step calls for; see `driver.check_batch`."""
        if offence < 0:
            raise ResetNeededError(
                f"the episode of game {game} has ended and autoreset is disabled: reset it first, "
                "for example with options={'reset_mask': terminated | truncated}."
            )
        raise illegal_action(self, game, *divmod(offence, self.buffers.masks.shape[2]))

    # -- scripted players, and others' turns in sequential games -----------------------------------

    def bot_names(self) -> list[str]:
        """The scripted players of this game."""
        return [RANDOM, *self.game.bots]

    def act(self, bot: str, seats: npt.NDArray[np.int16], number: int) -> None:
        """Lets a scripted player write its sub-actions into `buffers.actions`.

        In a sequential game it does so where it is to act.

        Args:
            bot: one of `bot_names()`.
            seats: (B, P) int16.
            number: the bot plays where `seats` equals this.

        Raises:
            UnknownOpponentError: if the game has no such bot.
        """
        act = self._scripted.load_act(bot, seats)
        self._slices.run(
            lambda _, low, high: act(low, high, seats, number, self.buffers, self.params)
        )

    def sample_actions(self) -> None:
        """Writes random legal sub-actions for everyone who is to act into `buffers.actions`.

        They are drawn from the games' own streams.
        """
        self.act(RANDOM, np.zeros((self.num_envs, self.num_players), np.int16), 0)

    def seat_learners(self) -> None:
        """From now on opponents move between learner steps; `step` skips writing observations.

        See `axiom_gym.opponents.turn_seating`.
        """
        self._options = self._options._replace(opponents_follow=True)

    def play_opponents(
        self, bot: str, seats: npt.NDArray[np.int16], number: int, play_new: bool = True
    ) -> None:
        """Let a bot decide wherever it is its turn, until it is somebody else's.

        Args:
            bot: one of `bot_names()`.
            seats: (B, P) int16; 0 is the learner.
            number: the bot plays where `seats` equals this.
            play_new: whether it also plays in episodes that have just begun.

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
        """Play `buffers.actions` as one decision of opponents in these games. which: (B,) bool."""
        options, scratch = self._options._replace(play_new=play_new), self._scratch[0]
        self._calls.play_opponent_actions(which, self.buffers, scratch, options, self.params)

    # -- actions from outside ----------------------------------------------------------------------

    def check_actions(
        self, actions: npt.ArrayLike, shape: tuple[int, ...]
    ) -> npt.NDArray[np.int64]:
        """`actions` as int64 of this shape.

        Range and legality are the policy's affair and not looked at.

        Raises:
            ActionError: for another shape or for a dtype that is no integer.
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
        """All games with their episodes and generators, for `set_state`.

        Raises:
            ResetNeededError: before the first reset, or after an error in the rules.
        """
        if not self._started:
            raise ResetNeededError(f"there is no state {_NOT_STARTED}")
        return snapshot.save(self)

    def set_state(self, data: bytes) -> None:
        """Goes back to what `get_state` gave; observations and masks follow.

        Where the learner sits stays as it is: that is the seating's affair.

        Raises:
            StateError: if the bytes are damaged, or of another game, version, configuration or
                batch size.
        """
        learners = self.buffers.episodes["learner"].copy()
        snapshot.restore(self, data)
        self.buffers.episodes["learner"] = learners
        self.refresh()
        self._started = True

    def clone(self) -> Batch:
        """A batch of its own in the same state, with no seating; the two play on independently."""
        fields = dataclasses.fields(self.config)
        options = {field.name: getattr(self.config, field.name) for field in fields}
        copy = Batch(
            self.game,
            self.num_envs,
            autoreset=self.autoreset,
            on_illegal=self.on_illegal,
            max_turns=self.max_turns,
            num_threads=self.num_threads,
            **options,
        )
        if self._started:
            for name in types.Buffers._fields:
                getattr(copy.buffers, name)[...] = getattr(self.buffers, name)
            copy.buffers.episodes["learner"] = types.NO_LEARNER
            copy._started = True
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Without what belongs to this process: code, threads, and the kernel's parameters."""
        made = dict.fromkeys(("params", "_calls", "_step_all", "_scripted"))
        return {**self.__dict__, **made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes these again."""
        self.__dict__.update(state)
        self._load()

    def close(self) -> None:
        """Ends the threads, if there are any."""
        self._slices.close()
