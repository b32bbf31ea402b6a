"""Creating the arrays of a batch and its options as numbers.

Axis letters: B games, P players, V of them who act at once, K sub-actions, N choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch import types
from axiom_gym.batch.sequence import cycle_dtype
from axiom_gym.batch.types import Buffers, Options, Scratch, episode_dtype
from axiom_gym.errors import ConfigError, RegistrationError
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVERYONE
from axiom_gym.records import field_names, zero_records
from axiom_gym.rng import STREAM

AUTORESET = {"next_step": types.NEXT_STEP, "same_step": types.SAME_STEP, "disabled": types.DISABLED}
ON_ILLEGAL = {"raise": types.RAISE, "forfeit": types.FORFEIT, "noop": types.NOOP}


def allocate(game: KernelGame, config: Any, games: int, *, with_final: bool) -> Buffers:
    """Return all arrays of a batch.

    Args:
        game: the game.
        config: its configuration.
        games: the batch size B.
        with_final: if True, also allocate final observations.

    Raises:
        RegistrationError: if the last field of the kernel's state is not its generator.
        ConfigError: if an option has a value for each game of a batch of another size.
    """
    state = game.dtype(config)
    if field_names(state)[-1:] != ("rng",):
        # Numba takes a record for a subtype of any record that it begins with, and warns. A state
        # that began with `rng` would be a subtype of STREAM.
        raise RegistrationError(f"{game.info.name}: the last field of STATE must be rng.")
    layout, players = game.layout(config), len(game.agents(config))
    views = 1 if game.is_sequential else players
    sub_actions, choices = len(layout.num_choices), max(layout.num_choices)
    shape = layout.observation_shape
    episodes = zero_records(games, episode_dtype(players))
    episodes["learner"] = types.NO_LEARNER
    states = zero_records(games, state)
    _write_options(game, config, states)
    return Buffers(
        states=states,
        episodes=episodes,
        cycles=zero_records(games if game.is_sequential else 0, cycle_dtype(players)),
        streams=zero_records(games * players, STREAM).reshape(games, players),
        acting=np.full(games, EVERYONE, np.int16),
        actions=np.zeros((games, views, sub_actions), np.int64),
        observations=np.zeros((games, views, *shape), np.float32),
        masks=np.zeros((games, views, sub_actions, choices), np.int8),
        rewards=np.zeros((games, players), np.float32),
        terminated=np.zeros(games, np.bool_),
        truncated=np.zeros(games, np.bool_),
        final_observations=np.zeros((games if with_final else 0, players, *shape), np.float32),
    )


def _write_options(game: KernelGame, config: Any, states: npt.NDArray[Any]) -> None:
    """Write the options that are fields of the state."""
    for option, name in game.game_options.items():
        value = getattr(config, option)
        if isinstance(value, tuple) and len(value) != len(states):
            raise ConfigError(
                f"option {option!r} has {len(value)} values, but there are {len(states)} games: "
                "give one value for all games, or one for each."
            )
        states[name] = value


def make_options(autoreset: str, on_illegal: str, forfeit_reward: float, max_turns: int) -> Options:
    """Return the options of a batch in the form that the driver takes."""
    return Options(
        autoreset=AUTORESET[autoreset],
        on_illegal=ON_ILLEGAL[on_illegal],
        forfeit_reward=forfeit_reward,
        max_turns=max_turns,
        check=autoreset == "disabled" or on_illegal == "raise",
        opponents_follow=False,
        play_new=True,
    )


def make_scratch(buffers: Buffers) -> Scratch:
    """Return the temporary arrays of one thread."""
    sub_actions = np.zeros(buffers.actions.shape[1:], np.int64)
    return Scratch(sub_actions, np.zeros(buffers.rewards.shape[1], np.float32))
