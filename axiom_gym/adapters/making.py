"""Typed front doors: functions that make Gymnasium environments of any game.

Type checkers know the parameters and the returned class, which `gymnasium.make` hides: a misspelled
parameter is an error before the program runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from axiom_gym.game.facts import GameLike

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from axiom_gym.adapters.gymnasium import AxiomEnv
    from axiom_gym.adapters.gymnasium_vector import AxiomVectorEnv
    from axiom_gym.opponents.pool import Opponent, OpponentPool


class EnvOptions(TypedDict, total=False):
    """The parameters of `make`, which have the meaning and the defaults of `AxiomVectorEnv`."""

    opponent: Opponent | OpponentPool | Sequence[Opponent]
    seat: int | Literal["random"]
    actions: Literal["sub_actions", "joint"]
    on_illegal: Literal["forfeit", "noop", "raise"]
    max_turns: int
    max_episode_steps: int | None
    mask_in_obs: bool | tuple[str, str]
    mask_dtype: Literal["int8", "float32", "bool"]
    preset: str | None
    render_mode: Literal["ansi", "rgb_array"] | None


class VecOptions(EnvOptions, total=False):
    """The parameters of `make_vec`, which have the defaults of `AxiomVectorEnv`."""

    autoreset_mode: AutoresetMode | Literal["next_step", "same_step", "disabled"]
    num_threads: int
    copy: bool


def make(
    game: GameLike, *, options: Mapping[str, Any] | None = None, **named: Unpack[EnvOptions]
) -> AxiomEnv:
    """Make a Gymnasium environment of a game.

    Args:
        game: a name, such as "quantaris"; `FILE.py:NAME` or `MODULE:NAME`; or the game itself, such
            as the class of a plain Python game.
        options: the game's own options, such as `{"ruleset": "0.1"}`.
        **named: see `EnvOptions`.

    Raises:
        UnknownGameError: if there is no such game.
        UnknownOptionError: for an option that does not exist.
        ConfigError: for a value that is not allowed.
    """
    from axiom_gym.adapters.gymnasium import AxiomEnv

    return AxiomEnv(game, **named, **(options or {}))


def make_vec(
    game: GameLike,
    num_envs: int = 1,
    *,
    options: Mapping[str, Any] | None = None,
    **named: Unpack[VecOptions],
) -> AxiomVectorEnv:
    """Make a Gymnasium vector environment of a game, which steps all its games together.

    Args:
        game: as for `make`.
        num_envs: the number of games.
        options: the game's own options.
        **named: see `VecOptions`.

    Raises:
        UnknownGameError, UnknownOptionError, ConfigError: as for `make`.
    """
    from axiom_gym.adapters.gymnasium_vector import AxiomVectorEnv

    return AxiomVectorEnv(game, num_envs, **named, **(options or {}))
